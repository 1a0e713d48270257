// SPDX-License-Identifier: BSD-3-Clause
//
// The only interface to HDF5's C functions. Every id is owned by a Handle, and every return code goes through
// checked(). A failure becomes an Hdf5Error with one sentence: file, operation, object, and the innermost
// text of HDF5's error stack. Outer entries of the stack only repeat the call chain. Functions that open a
// file switch off HDF5's own printing of errors (hdf5_file.hpp).
//
// The destructor of a handle closes silently; close() reports failures. A handle may also be abandoned. This
// is right for a parallel file after an error, where closing is collective and would hang while other ranks
// are elsewhere.
//
// These headers include hdf5.h and are private to the library; public headers name no HDF5 type.
#pragma once

#include <hdf5.h>

#include <string>
#include <string_view>
#include <utility>

#include "ricochet/core/check.hpp"

namespace ricochet::hdf5 {

/// The innermost text of the current error stack, e.g. "unable to open file: ... No such file or directory".
std::string innermost_error();

/// Throws Hdf5Error "<file>: cannot <operation> <object>/<name>: <innermost error>". `where` is an open
/// object of the file, or negative when there is none; then `name` is the file.
[[noreturn]] void fail(std::string_view operation, hid_t where, std::string_view name);

/// Returns `result`, which the HDF5 call just made has returned, when it is not negative; fails otherwise.
template <class Result>
Result checked(Result result, std::string_view operation, hid_t where = -1, std::string_view name = {}) {
    if (result < 0) fail(operation, where, name);
    return result;
}

/// Owns one HDF5 id.
class Handle {
  public:
    using CloseFunction = herr_t (*)(hid_t);

    Handle() = default;
    /// Takes over `id`.
    /// Requires: `id` is valid; pass it through checked() first.
    Handle(hid_t id, CloseFunction close_function) : id_(id), close_(close_function) {
        RICOCHET_CHECK_GE(id, 0);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }

    hid_t get() const { return id_; }
    bool is_open() const { return id_ >= 0; }
    /// Closes and reports a failure, naming `what`.
    void close(std::string_view what) {
        if (id_ >= 0) checked(close_(std::exchange(id_, -1)), "close", -1, what);
    }
    /// Abandons the id without closing it.
    hid_t abandon() { return std::exchange(id_, -1); }

  private:
    hid_t id_ = -1;
    CloseFunction close_ = nullptr;
};

}  // namespace ricochet::hdf5
