// SPDX-License-Identifier: BSD-3-Clause
#include "files/output_file.hpp"

#include <span>
#include <utility>

#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;

PosixFile create(const std::string& path) {
    try {
        return PosixFile::create_or_empty(path);
    } catch (const RunError& error) {
        throw InputError(std::string("output ") + error.what());
    }
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), file_(create(path_)) {
    buffer_.reserve(buffer_bytes);
}

OutputFile::~OutputFile() {
    if (!is_closed_) remove_where_possible(path_);
}

void OutputFile::write(std::string_view bytes) {
    RICOCHET_CHECK(!is_closed_);
    if (buffer_.size() + bytes.size() > buffer_bytes) {
        flush();
        put(bytes);
    } else {
        buffer_ += bytes;
    }
}

void OutputFile::close() {
    RICOCHET_CHECK(!is_closed_);
    flush();
    or_remove([this] { file_.close(); });
    is_closed_ = true;
}

void OutputFile::flush() {
    put(buffer_);
    buffer_.clear();
}

void OutputFile::put(std::string_view bytes) {
    or_remove([&] { file_.write(length_, std::as_bytes(std::span(bytes))); });
    length_ += bytes.size();
}

void OutputFile::or_remove(const std::function<void()>& act) {
    try {
        act();
    } catch (const RunError& error) {
        throw RunError(std::string(error.what()) + "; the unfinished file is removed");
    }
}

}  // namespace ricochet
