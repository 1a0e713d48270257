// SPDX-License-Identifier: BSD-3-Clause
//
// The operating system's calls on files, behind one door: a test opens another one and lets any of them fail. HDF5
// and MPI call the system themselves and do not pass here. Looking at a path (std::filesystem::status) changes
// nothing and needs no door.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#include <cstddef>

namespace ricochet {

/// Each function is the system's call of its name: the same arguments, the same result, and the reason of a failure
/// in errno.
class SystemCalls {
  public:
    SystemCalls() = default;
    SystemCalls(const SystemCalls&) = delete;
    SystemCalls& operator=(const SystemCalls&) = delete;
    SystemCalls(SystemCalls&&) = delete;
    SystemCalls& operator=(SystemCalls&&) = delete;
    virtual ~SystemCalls() = default;

    virtual int open(const char* path, int flags, mode_t mode);
    virtual int mkstemp(char* path);
    virtual int close(int descriptor);
    virtual ssize_t pread(int descriptor, void* bytes, std::size_t length, off_t offset);
    virtual ssize_t pwrite(int descriptor, const void* bytes, std::size_t length, off_t offset);
    virtual int fallocate(int descriptor, off_t offset, off_t length);
    virtual int ftruncate(int descriptor, off_t length);
    virtual int fsync(int descriptor);
    virtual int fcntl(int descriptor, int command, struct flock* region);
    virtual int fstat(int descriptor, struct stat* info);
    virtual int stat(const char* path, struct stat* info);
    virtual int lstat(const char* path, struct stat* info);
    virtual int statvfs(const char* path, struct statvfs* disk);
    virtual int rename(const char* from, const char* to);
    /// Fails where there is a file `to`; not every file system has it.
    virtual int rename_to_free_name(const char* from, const char* to);
    virtual int unlink(const char* path);
};

/// Those that the program makes.
SystemCalls& system_calls();

/// Puts other calls in the place of the system's while it lives. No other thread may make calls meanwhile that have
/// begun before it.
class CallsInstead {
  public:
    explicit CallsInstead(SystemCalls& calls);
    CallsInstead(const CallsInstead&) = delete;
    CallsInstead& operator=(const CallsInstead&) = delete;
    CallsInstead(CallsInstead&&) = delete;
    CallsInstead& operator=(CallsInstead&&) = delete;
    ~CallsInstead();

  private:
    SystemCalls* former_;
};

}  // namespace ricochet
