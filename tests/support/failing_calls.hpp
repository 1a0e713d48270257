// SPDX-License-Identifier: BSD-3-Clause
//
// System calls that fail as a test asks: one of the calls that change a file, that one and all later ones (as if the
// process had been killed there), or each of a kind. A write that fails may have done half of its work before.
#pragma once

#include <cerrno>
#include <cstddef>
#include <limits>

#include "files/system_calls.hpp"

namespace ricochet::test {

class FailingCalls : public SystemCalls {
  public:
    struct Plan {
        std::size_t first =
            std::numeric_limits<std::size_t>::max();  ///< number of the call that fails, from 0
        bool stays = false;                           ///< whether all later ones fail too
        bool is_torn = false;                         ///< whether half of a write is done before
        int reason = EIO;
    };

    FailingCalls() = default;
    explicit FailingCalls(const Plan& plan) : plan_(plan) {}

    /// The calls so far that would change a file, its length, its name or what is on the disk.
    std::size_t num_calls() const { return num_calls_; }
    bool has_failed() const { return num_calls_ > plan_.first; }

    int open(const char* path, int flags, mode_t mode) override {
        if ((flags & (O_CREAT | O_TRUNC)) != 0 && fails()) return -1;
        return SystemCalls::open(path, flags, mode);
    }
    int close(int descriptor) override {
        const bool is_to_fail = fails();
        const int result = SystemCalls::close(descriptor);  // Linux closes it in any case
        return is_to_fail ? refuse() : result;
    }
    ssize_t pwrite(int descriptor, const void* bytes, std::size_t length, off_t offset) override {
        if (!fails()) return SystemCalls::pwrite(descriptor, bytes, length, offset);
        if (plan_.is_torn) SystemCalls::pwrite(descriptor, bytes, length / 2, offset);
        return refuse();
    }
    int fallocate(int descriptor, off_t offset, off_t length) override {
        return fails() ? refuse() : SystemCalls::fallocate(descriptor, offset, length);
    }
    int ftruncate(int descriptor, off_t length) override {
        return fails() ? refuse() : SystemCalls::ftruncate(descriptor, length);
    }
    int fsync(int descriptor) override { return fails() ? refuse() : SystemCalls::fsync(descriptor); }
    int rename(const char* from, const char* to) override {
        return fails() ? refuse() : SystemCalls::rename(from, to);
    }
    int rename_to_free_name(const char* from, const char* to) override {
        return fails() ? refuse() : SystemCalls::rename_to_free_name(from, to);
    }
    int unlink(const char* path) override { return fails() ? refuse() : SystemCalls::unlink(path); }

  private:
    bool fails() {
        const std::size_t number = num_calls_++;
        errno = plan_.reason;
        return number == plan_.first || (plan_.stays && number > plan_.first);
    }
    int refuse() const {
        errno = plan_.reason;
        return -1;
    }

    Plan plan_;
    std::size_t num_calls_ = 0;
};

}  // namespace ricochet::test
