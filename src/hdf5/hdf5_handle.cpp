// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/hdf5_handle.hpp"

#include "core/text.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet::hdf5 {
namespace {

// Called from the inside out; the first entry is the cause, and a positive return ends the walk.
herr_t keep_first(unsigned /*depth*/, const H5E_error2_t* entry, void* text) {
    *static_cast<std::string*>(text) = entry->desc == nullptr ? "" : entry->desc;
    return 1;
}

// The name that `get` (H5Fget_name, H5Iget_name) knows for an object; empty when there is none.
std::string name_of(hid_t object, ssize_t (*get)(hid_t, char*, size_t)) {
    const ssize_t length = object < 0 ? -1 : get(object, nullptr, 0);
    if (length <= 0) return {};
    std::string name(static_cast<std::size_t>(length), '\0');
    get(object, name.data(), name.size() + 1);
    return name;
}

}  // namespace

std::string innermost_error() {
    std::string text;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
    H5Eclear2(H5E_DEFAULT);
    return text.empty() ? "HDF5 gives no reason" : text;
}

void fail(std::string_view operation, hid_t where, std::string_view name) {
    const std::string reason = innermost_error();
    const std::string file = name_of(where, H5Fget_name);
    std::string object = name_of(where, H5Iget_name);
    if (!object.empty() && object.back() != '/' && !name.empty()) object += '/';
    object += name;
    throw Hdf5Error((file.empty() ? "" : file + ": ") + "cannot " + std::string(operation) + " " +
                    excerpt(object) + ": " + excerpt(reason));
}

}  // namespace ricochet::hdf5
