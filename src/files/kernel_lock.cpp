// SPDX-License-Identifier: BSD-3-Clause
#include "files/kernel_lock.hpp"

#include <cerrno>
#include <utility>

#include "files/system_calls.hpp"

namespace ricochet {
namespace {

/// The byte of the file that carries marks.
constexpr off_t marked_byte = off_t{1} << 62;

KernelLock try_lock([[maybe_unused]] int descriptor, [[maybe_unused]] struct flock region) {
#ifdef F_OFD_SETLK
    if (system_calls().fcntl(descriptor, F_OFD_SETLK, &region) == 0) return KernelLock::taken;
    if (errno == EAGAIN || errno == EACCES) return KernelLock::held_by_another;
#endif
    return KernelLock::unknown;
}

struct flock mark_of_type(short type) {
    struct flock region {};
    region.l_type = type;
    region.l_whence = SEEK_SET;
    region.l_start = marked_byte;
    region.l_len = 1;
    return region;
}

/// Network file systems report a reader's lock (flock) as one on all bytes.
bool has_mark_of_another([[maybe_unused]] int descriptor) {
#ifdef F_OFD_GETLK
    struct flock region = mark_of_type(F_WRLCK);
    if (system_calls().fcntl(descriptor, F_OFD_GETLK, &region) != 0 || region.l_type == F_UNLCK) return false;
    return region.l_type == F_WRLCK || region.l_start == marked_byte;
#else
    return false;
#endif
}

int open_file(const std::string& path) {
    return system_calls().open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
}

}  // namespace

KernelLock take_kernel_lock(int descriptor) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return try_lock(descriptor, whole);
}

KernelMark::~KernelMark() { remove(); }

KernelLock KernelMark::set(const std::string& path) {
    remove();
    descriptor_ = open_file(path);
    if (descriptor_ < 0) return KernelLock::unknown;
    KernelLock lock = try_lock(descriptor_, mark_of_type(F_RDLCK));
    if (has_mark_of_another(descriptor_)) lock = KernelLock::held_by_another;
    if (lock != KernelLock::taken) remove();
    return lock;
}

void KernelMark::remove() noexcept {
    if (descriptor_ >= 0) system_calls().close(std::exchange(descriptor_, -1));
}

bool is_marked(const std::string& path) {
    const int descriptor = open_file(path);
    if (descriptor < 0) return false;
    const bool is_held = has_mark_of_another(descriptor);
    system_calls().close(descriptor);
    return is_held;
}

}  // namespace ricochet
