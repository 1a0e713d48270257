// SPDX-License-Identifier: BSD-3-Clause
#include "files/posix_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "files/system_calls.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

[[noreturn]] void fail_to_rename(const std::string& from, const std::string& to) {
    throw RunError(from + ": cannot rename to " + to + ": " + std::strerror(errno));
}

/// Whether the file system cannot rename without replacing an existing file.
bool is_unknown_operation(int error) { return error == EINVAL || error == ENOSYS || error == ENOTSUP; }

/// Some file systems cannot sync a folder, and say so; this is not a failure.
bool is_refused(int error) { return error == EINVAL || error == ENOTSUP || error == EROFS; }

std::string kind_of(std::filesystem::file_type type) {
    using std::filesystem::file_type;
    switch (type) {
        case file_type::not_found:
            return "there is no such file";
        case file_type::directory:
            return "is a folder, expected a file";
        case file_type::fifo:
            return "is a pipe, expected a regular file";
        case file_type::character:
        case file_type::block:
            return "is a device, expected a regular file";
        default:
            return "is not a regular file";
    }
}

}  // namespace

std::string find_irregularity(const std::string& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_regular_file(status)) return "";
    const bool is_known = !error || status.type() == std::filesystem::file_type::not_found;
    return is_known ? kind_of(status.type()) : "cannot be looked at: " + error.message();
}

void require_regular_file(const std::string& path) {
    if (const std::string problem = find_irregularity(path); !problem.empty())
        throw InputError(path + ": " + problem);
}

PosixFile::PosixFile(std::string path, int flags)
    : path_(std::move(path)),
      descriptor_(system_calls().open(path_.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666)) {
    if (descriptor_ < 0) fail((flags & O_CREAT) == 0 ? "open" : "create");
    try {
        require_regular();
    } catch (const RunError&) {
        system_calls().close(descriptor_);
        throw;
    }
}

void PosixFile::require_regular() const {
    struct stat info {};
    if (system_calls().fstat(descriptor_, &info) != 0) fail("look up the kind");
    if (!S_ISREG(info.st_mode)) throw RunError(path_ + ": is not a regular file");
}

PosixFile PosixFile::open_for_reading(const std::string& path) { return {path, O_RDONLY}; }

PosixFile PosixFile::open_for_writing(const std::string& path) { return {path, O_RDWR}; }

PosixFile PosixFile::create(const std::string& path) { return {path, O_RDWR | O_CREAT | O_EXCL}; }

PosixFile PosixFile::create_or_empty(const std::string& path) { return {path, O_RDWR | O_CREAT | O_TRUNC}; }

PosixFile::PosixFile(PosixFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

PosixFile::~PosixFile() {
    if (descriptor_ >= 0) system_calls().close(descriptor_);
}

void PosixFile::fail(const std::string& operation) const {
    const int error = errno;
    throw RunError(path_ + ": cannot " + operation + ": " + std::strerror(error));
}

std::uint64_t PosixFile::size() const {
    struct stat info {};
    if (system_calls().fstat(descriptor_, &info) != 0) fail("look up the size");
    return static_cast<std::uint64_t>(info.st_size);
}

void PosixFile::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t got =
            system_calls().pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("read");
        if (got == 0) throw RunError(path_ + ": ends before what is read from it");
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
}

void PosixFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t put =
            system_calls().pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail("write " + std::to_string(bytes.size()) + " bytes");
        bytes = bytes.subspan(static_cast<std::size_t>(put));
        offset += static_cast<std::uint64_t>(put);
    }
}

void PosixFile::reserve(std::uint64_t offset, std::uint64_t length) {
    int result = 0;
    do result = system_calls().fallocate(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(length));
    while (result != 0 && errno == EINTR);
    if (result == 0) return;
    if (errno != EOPNOTSUPP && errno != ENOSYS) fail("reserve room");
    if (size() < offset + length) truncate(offset + length);
}

void PosixFile::truncate(std::uint64_t length) {
    if (system_calls().ftruncate(descriptor_, static_cast<off_t>(length)) != 0) fail("change the length");
}

void PosixFile::sync() {
    if (system_calls().fsync(descriptor_) != 0) fail("sync");
}

void PosixFile::close() {
    if (system_calls().close(std::exchange(descriptor_, -1)) != 0) fail("close");
}

void sync_folder(const std::string& folder) {
    const int descriptor = system_calls().open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (descriptor < 0) throw RunError(folder + ": cannot open the folder: " + std::strerror(errno));
    const int error = system_calls().fsync(descriptor) == 0 ? 0 : errno;
    system_calls().close(descriptor);
    if (error != 0 && !is_refused(error))
        throw RunError(folder + ": cannot sync the folder: " + std::strerror(error));
}

void rename_file(const std::string& from, const std::string& to) {
    if (system_calls().rename(from.c_str(), to.c_str()) != 0) fail_to_rename(from, to);
}

void rename_durably(const std::string& from, const std::string& to) {
    rename_file(from, to);
    sync_folder(folder_of(to));
}

void rename_to_free_name(const std::string& from, const std::string& to) {
    if (system_calls().rename_to_free_name(from.c_str(), to.c_str()) == 0) return sync_folder(folder_of(to));
    if (!is_unknown_operation(errno)) fail_to_rename(from, to);
    struct stat info {};
    if (system_calls().lstat(to.c_str(), &info) == 0) {
        errno = EEXIST;
        fail_to_rename(from, to);
    }
    rename_durably(from, to);
}

void remove_file(const std::string& path) {
    if (system_calls().unlink(path.c_str()) != 0 && errno != ENOENT)
        throw RunError(path + ": cannot be removed: " + std::strerror(errno));
}

void remove_where_possible(const std::string& path) noexcept { system_calls().unlink(path.c_str()); }

std::string path_behind_links(const std::string& path) {
    constexpr int most_links = 40;
    std::filesystem::path place(path);
    std::error_code error;
    for (int k = 0; k < most_links && std::filesystem::is_symlink(place, error); ++k)
        place = place.parent_path() / std::filesystem::read_symlink(place, error);
    return place.string();
}

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

}  // namespace ricochet
