// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/hdf5_attribute.hpp"

namespace ricochet::hdf5 {
namespace {

Handle scalar_or_array(std::ptrdiff_t count) {
    if (count < 0) return {checked(H5Screate(H5S_SCALAR), "create a scalar space"), H5Sclose};
    const auto length = static_cast<hsize_t>(count);
    return {checked(H5Screate_simple(1, &length, nullptr), "create an array space"), H5Sclose};
}

Handle open_attribute(hid_t object, const char* name) {
    return {checked(H5Aopen(object, name, H5P_DEFAULT), "open the attribute", object, name), H5Aclose};
}

herr_t collect_attribute_name(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

// Strings of variable length: HDF5 returns pointers, which are given back to it afterwards. The memory type
// is that of the file, since HDF5 does not convert between encodings, not even from ASCII to UTF-8.
std::vector<std::string> read_variable(hid_t object, const char* name, const Handle& attribute,
                                       const Handle& type, std::size_t count) {
    const Handle space(checked(H5Aget_space(attribute.get()), "read the shape of", object, name), H5Sclose);
    std::vector<char*> pointers(count, nullptr);
    checked(H5Aread(attribute.get(), type.get(), pointers.data()), "read the attribute", object, name);
    std::vector<std::string> texts;
    texts.reserve(count);
    for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
    return texts;
}

std::vector<std::string> read_fixed(hid_t object, const char* name, const Handle& attribute,
                                    const Handle& type, std::size_t count) {
    const std::size_t width = H5Tget_size(type.get());
    std::vector<char> bytes(width * count + 1, '\0');
    checked(H5Aread(attribute.get(), type.get(), bytes.data()), "read the attribute", object, name);
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string padded(bytes.data() + k * width, width);
        texts.push_back(padded.substr(0, padded.find('\0')));
    }
    return texts;
}

}  // namespace

bool has_attribute(hid_t object, const char* name) {
    return checked(H5Aexists(object, name), "look for the attribute", object, name) > 0;
}

std::vector<std::string> attribute_names(hid_t object) {
    std::vector<std::string> names;
    checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_attribute_name, &names),
            "list the attributes of", object);
    return names;
}

void remove_attribute(hid_t object, const char* name) {
    if (has_attribute(object, name)) checked(H5Adelete(object, name), "remove the attribute", object, name);
}

void write_raw_attribute(hid_t object, const char* name, hid_t type, std::ptrdiff_t count, const void* data) {
    remove_attribute(object, name);
    const Handle space = scalar_or_array(count);
    Handle attribute(checked(H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                             "create the attribute", object, name),
                     H5Aclose);
    if (count != 0) checked(H5Awrite(attribute.get(), type, data), "write the attribute", object, name);
    attribute.close(name);
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
    const Handle type = string_type();
    const char* const pointer = text.c_str();
    write_raw_attribute(object, name, type.get(), -1, &pointer);
}

void write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts) {
    const Handle type = string_type();
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const auto& text : texts) pointers.push_back(text.c_str());
    write_raw_attribute(object, name, type.get(), std::ssize(pointers), pointers.data());
}

std::size_t attribute_size(hid_t object, const char* name) {
    const Handle attribute = open_attribute(object, name);
    const Handle space(checked(H5Aget_space(attribute.get()), "read the shape of", object, name), H5Sclose);
    return static_cast<std::size_t>(
        checked(H5Sget_simple_extent_npoints(space.get()), "read the size of", object, name));
}

void read_raw_attribute(hid_t object, const char* name, hid_t type, void* data) {
    const Handle attribute = open_attribute(object, name);
    checked(H5Aread(attribute.get(), type, data), "read the attribute", object, name);
}

std::vector<std::string> read_texts(hid_t object, const char* name) {
    const std::size_t count = attribute_size(object, name);
    if (count == 0) return {};
    const Handle attribute = open_attribute(object, name);
    const Handle type(checked(H5Aget_type(attribute.get()), "read the type of", object, name), H5Tclose);
    if (H5Tget_class(type.get()) != H5T_STRING) fail("read as text the attribute", object, name);
    const bool variable = checked(H5Tis_variable_str(type.get()), "read the type of", object, name) > 0;
    return variable ? read_variable(object, name, attribute, type, count)
                    : read_fixed(object, name, attribute, type, count);
}

std::string read_text(hid_t object, const char* name) {
    const auto texts = read_texts(object, name);
    return texts.empty() ? std::string() : texts.front();
}

}  // namespace ricochet::hdf5
