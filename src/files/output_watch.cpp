// SPDX-License-Identifier: BSD-3-Clause
#include "files/output_watch.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "files/posix_file.hpp"
#include "files/system_calls.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

std::string read_text(const PosixFile& file, std::uint64_t offset, std::uint64_t length) {
    std::string text(length, '\0');
    file.read(offset, std::as_writable_bytes(std::span(text)));
    return text;
}

std::optional<std::uint64_t> find_text(const PosixFile& file, const std::string& text) {
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
    if (text.empty()) return std::nullopt;
    const std::size_t place = read_text(file, 0, std::min(file.size(), most_bytes)).find(text);
    if (place == std::string::npos) return std::nullopt;
    return place;
}

struct stat status_of(const std::string& path) {
    struct stat status {};
    if (system_calls().stat(path.c_str(), &status) != 0) throw RunError(path + ": cannot be looked at");
    return status;
}

}  // namespace

bool contains_run_id(const std::string& path, const std::string& run_id) {
    return find_text(PosixFile::open_for_reading(path), run_id).has_value();
}

OutputWatch::OutputWatch(std::string path, std::string run_id)
    : path_(std::move(path)), run_id_(std::move(run_id)) {
    const struct stat status = status_of(path_);
    device_ = status.st_dev;
    inode_ = status.st_ino;
    place_of_id_ = find_text(PosixFile::open_for_reading(path_), run_id_);
}

void OutputWatch::remember_length() {
    struct stat status {};
    if (!path_.empty() && system_calls().stat(path_.c_str(), &status) == 0)
        length_ = static_cast<std::uint64_t>(status.st_size);
}

bool OutputWatch::is_same() const {
    const struct stat status = status_of(path_);
    if (status.st_dev != device_ || status.st_ino != inode_) return false;
    if (static_cast<std::uint64_t>(status.st_size) < length_) return false;
    const PosixFile file = PosixFile::open_for_reading(path_);
    return !place_of_id_ || read_text(file, *place_of_id_, run_id_.size()) == run_id_;
}

std::optional<std::string> OutputWatch::problem() const {
    try {
        if (path_.empty() || is_same()) return std::nullopt;
    } catch (const RunError&) {
    }
    return path_ +
           ": was removed or replaced by another file while the run wrote it; the run ends and leaves that "
           "file "
           "as it is";
}

}  // namespace ricochet
