// SPDX-License-Identifier: BSD-3-Clause
#include "files/system_calls.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace ricochet {
namespace {

std::atomic<SystemCalls*>& calls_in_use() {
    static SystemCalls of_the_system;
    static std::atomic<SystemCalls*> calls{&of_the_system};
    return calls;
}

}  // namespace

int SystemCalls::open(const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); }
int SystemCalls::mkstemp(char* path) { return ::mkstemp(path); }
int SystemCalls::close(int descriptor) { return ::close(descriptor); }

ssize_t SystemCalls::pread(int descriptor, void* bytes, std::size_t length, off_t offset) {
    return ::pread(descriptor, bytes, length, offset);
}

ssize_t SystemCalls::pwrite(int descriptor, const void* bytes, std::size_t length, off_t offset) {
    return ::pwrite(descriptor, bytes, length, offset);
}

int SystemCalls::fallocate([[maybe_unused]] int descriptor, [[maybe_unused]] off_t offset,
                           [[maybe_unused]] off_t length) {
#ifdef __linux__
    return ::fallocate(descriptor, 0, offset, length);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int SystemCalls::ftruncate(int descriptor, off_t length) { return ::ftruncate(descriptor, length); }
int SystemCalls::fsync(int descriptor) { return ::fsync(descriptor); }

int SystemCalls::fcntl(int descriptor, int command, struct flock* region) {
    return ::fcntl(descriptor, command, region);
}

int SystemCalls::fstat(int descriptor, struct stat* info) { return ::fstat(descriptor, info); }
int SystemCalls::stat(const char* path, struct stat* info) { return ::stat(path, info); }
int SystemCalls::lstat(const char* path, struct stat* info) { return ::lstat(path, info); }
int SystemCalls::statvfs(const char* path, struct statvfs* disk) { return ::statvfs(path, disk); }
int SystemCalls::rename(const char* from, const char* to) { return std::rename(from, to); }

int SystemCalls::rename_to_free_name([[maybe_unused]] const char* from, [[maybe_unused]] const char* to) {
#ifdef RENAME_NOREPLACE
    return ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int SystemCalls::unlink(const char* path) { return ::unlink(path); }

SystemCalls& system_calls() { return *calls_in_use().load(std::memory_order_acquire); }

CallsInstead::CallsInstead(SystemCalls& calls) : former_(calls_in_use().exchange(&calls)) {}
CallsInstead::~CallsInstead() { calls_in_use().store(former_); }

}  // namespace ricochet
