// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/hdf5_types.hpp"

namespace ricochet::hdf5 {

Handle string_type() {
    Handle type(checked(H5Tcopy(H5T_C_S1), "create a string type"), H5Tclose);
    checked(H5Tset_size(type.get(), H5T_VARIABLE), "size a string type");
    checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "set the encoding of a string type");
    return type;
}

Handle array_type(hid_t element, hsize_t size) {
    return {checked(H5Tarray_create2(element, 1, &size), "create an array type"), H5Tclose};
}

CompoundBuilder::CompoundBuilder(std::size_t size)
    : type_(checked(H5Tcreate(H5T_COMPOUND, size), "create a compound type"), H5Tclose) {}

CompoundBuilder& CompoundBuilder::field(const char* name, std::size_t offset, hid_t type) {
    checked(H5Tinsert(type_.get(), name, offset, type), "add the field", -1, name);
    return *this;
}

}  // namespace ricochet::hdf5
