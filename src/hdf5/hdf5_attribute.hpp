// SPDX-License-Identifier: BSD-3-Clause
//
// Attributes: small named values on a group or a dataset. In a parallel file every function that writes is
// collective, and all ranks pass the same value.
//
// Strings have variable length. MDAnalysis and h5py then read them as text. The 64 kB limit of attributes
// does not apply to them, so that input files of any size fit.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hdf5/hdf5_types.hpp"

namespace ricochet::hdf5 {

bool has_attribute(hid_t object, const char* name);
/// The names of the attributes, in alphabetical order.
std::vector<std::string> attribute_names(hid_t object);

/// Removes the attribute, if there is one of that name. Collective.
void remove_attribute(hid_t object, const char* name);

/// Creates the attribute, replacing one of the same name. Collective.
void write_attribute(hid_t object, const char* name, const std::string& text);
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts);
/// Creates the attribute from memory elements of `type`; a scalar when `count` is negative. Collective.
void write_raw_attribute(hid_t object, const char* name, hid_t type, std::ptrdiff_t count, const void* data);

template <class Number>
requires std::is_arithmetic_v<Number>
void write_attribute(hid_t object, const char* name, Number value) {
    write_raw_attribute(object, name, number_type<Number>(), -1, &value);
}

template <class Number>
requires std::is_arithmetic_v<Number>
void write_attribute(hid_t object, const char* name, std::span<const Number> values) {
    write_raw_attribute(object, name, number_type<Number>(), std::ssize(values), values.data());
}

/// The text of a string attribute, of fixed or variable length; the elements of an array in order.
/// Throws Hdf5Error when there is none of that name.
std::vector<std::string> read_texts(hid_t object, const char* name);
std::string read_text(hid_t object, const char* name);
/// Reads all elements, converted to the memory type.
std::size_t attribute_size(hid_t object, const char* name);
void read_raw_attribute(hid_t object, const char* name, hid_t type, void* data);

template <class Number>
std::vector<Number> read_numbers(hid_t object, const char* name) {
    std::vector<Number> values(attribute_size(object, name));
    read_raw_attribute(object, name, number_type<Number>(), values.data());
    return values;
}

/// The first element.
template <class Number>
Number read_number(hid_t object, const char* name) {
    const auto values = read_numbers<Number>(object, name);
    if (values.empty()) fail("read the empty attribute", object, name);
    return values.front();
}

}  // namespace ricochet::hdf5
