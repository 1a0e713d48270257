// SPDX-License-Identifier: BSD-3-Clause
//
// Plain files with every return code checked: what HDF5 does not do (syncing files and folders, reserving
// room, reading bytes without a meaning). Failures are RunErrors that name file, operation and reason. Not
// collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ricochet {

/// What `path` names when it is no regular file, nor a link to one: "there is no such file", "is a pipe", "is
/// a folder", ... Empty for a regular file. Opens nothing, since opening a pipe waits for its writer.
std::string find_irregularity(const std::string& path);

/// Throws InputError with that text, unless `path` is a regular file.
void require_regular_file(const std::string& path);

class PosixFile {
  public:
    /// They throw RunError for anything but a regular file, and never wait for the other end of a pipe.
    static PosixFile open_for_reading(const std::string& path);
    /// An existing file, for reading and writing.
    static PosixFile open_for_writing(const std::string& path);
    /// A new file, for reading and writing. Throws RunError where there is one.
    static PosixFile create(const std::string& path);
    /// The same, but a file that exists is emptied.
    static PosixFile create_or_empty(const std::string& path);
    PosixFile(const PosixFile&) = delete;
    PosixFile& operator=(const PosixFile&) = delete;
    PosixFile(PosixFile&& other) noexcept;
    PosixFile& operator=(PosixFile&&) = delete;
    ~PosixFile();

    std::uint64_t size() const;
    /// Reads all of `bytes`; a file that ends before is an error.
    void read(std::uint64_t offset, std::span<std::byte> bytes) const;
    void write(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Makes the file at least offset + length bytes long, with the blocks of this range allocated. Where the
    /// file system cannot allocate in advance it gets the length alone.
    void reserve(std::uint64_t offset, std::uint64_t length);
    void truncate(std::uint64_t length);
    /// Writes the content to the disk, and returns when it is there.
    void sync();
    void close();

  private:
    PosixFile(std::string path, int flags);
    void require_regular() const;
    [[noreturn]] void fail(const std::string& operation) const;

    std::string path_;
    int descriptor_ = -1;
};

/// Makes creations, renamings and removals in a folder durable.
void sync_folder(const std::string& folder);

/// Renames a file over another one.
void rename_file(const std::string& from, const std::string& to);

/// The same, and syncs their folder.
void rename_durably(const std::string& from, const std::string& to);

/// As rename_durably, but a file that has the new name already is an error and stays.
void rename_to_free_name(const std::string& from, const std::string& to);

/// Removes a file or a link. Where there is none, nothing happens.
void remove_file(const std::string& path);

/// As remove_file, where a failure does not matter: what stays is known by its name and removed later.
void remove_where_possible(const std::string& path) noexcept;

/// Resolves symbolic links, also where no file exists at their end.
std::string path_behind_links(const std::string& path);

/// The folder of a file: "." where its path names none.
std::string folder_of(const std::string& path);

}  // namespace ricochet
