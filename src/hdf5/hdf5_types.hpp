// SPDX-License-Identifier: BSD-3-Clause
//
// Element types. Files hold little-endian numbers of fixed width, which are the native types on all supported
// platforms. This matters, since HDF5 turns a collective write with a conversion into independent ones. So
// float32 values are converted before the write.
#pragma once

#include <concepts>
#include <cstdint>

#include "hdf5/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// The HDF5 type of a C++ number, in the file and in memory; owned by the library.
template <class T>
hid_t number_type() {
    if constexpr (std::same_as<T, double>)
        return H5T_IEEE_F64LE;
    else if constexpr (std::same_as<T, float>)
        return H5T_IEEE_F32LE;
    else if constexpr (std::same_as<T, std::uint64_t>)
        return H5T_STD_U64LE;
    else if constexpr (std::same_as<T, std::int64_t>)
        return H5T_STD_I64LE;
    else if constexpr (std::same_as<T, std::uint32_t>)
        return H5T_STD_U32LE;
    else if constexpr (std::same_as<T, std::uint16_t>)
        return H5T_STD_U16LE;
    else {
        static_assert(std::same_as<T, std::int32_t>, "not a type of the result file");
        return H5T_STD_I32LE;
    }
}

/// Variable-length UTF-8 string.
Handle string_type();

/// Fixed-length array of numbers of the given type.
Handle array_type(hid_t element, hsize_t size);
inline Handle triple_type(hid_t element) { return array_type(element, 3); }

/// Builds a compound type over a struct without padding.
class CompoundBuilder {
  public:
    explicit CompoundBuilder(std::size_t size);
    CompoundBuilder& field(const char* name, std::size_t offset, hid_t type);
    Handle take() { return std::move(type_); }

  private:
    Handle type_;
};

}  // namespace ricochet::hdf5
