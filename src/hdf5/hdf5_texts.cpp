// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/hdf5_texts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ricochet::hdf5 {

namespace {

std::string without_padding(std::string text) {
    text.resize(std::min(text.find('\0'), text.size()));
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
}

/// HDF5 allocates the texts and frees them again.
std::vector<std::string> read_pointers(const Dataset& dataset, const Block& block, const Handle& type) {
    const std::array<hsize_t, 1> count{block.num_elements()};
    const Handle space(checked(H5Screate_simple(1, count.data(), nullptr), "describe texts"), H5Sclose);
    std::vector<char*> pointers(count[0], nullptr);
    dataset.read(block, type.get(), pointers.data());
    std::vector<std::string> texts;
    texts.reserve(pointers.size());
    for (const char* pointer : pointers) texts.push_back(without_padding(pointer == nullptr ? "" : pointer));
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
    return texts;
}

}  // namespace

bool holds_texts(const Dataset& dataset) { return H5Tget_class(dataset.type().get()) == H5T_STRING; }

std::vector<std::string> read_texts_of_block(const Dataset& dataset, const Block& block) {
    const Handle type = dataset.type();
    if (H5Tis_variable_str(type.get()) > 0) return read_pointers(dataset, block, type);
    const std::size_t width = H5Tget_size(type.get());
    std::vector<char> letters(width * block.num_elements());
    dataset.read(block, type.get(), letters.data());
    std::vector<std::string> texts;
    for (std::size_t begin = 0; begin < letters.size(); begin += width)
        texts.push_back(without_padding(std::string(letters.data() + begin, width)));
    return texts;
}

std::vector<std::string> names_of_enumeration(const Handle& type) {
    constexpr std::int64_t most_names = 1 << 16;
    if (H5Tget_class(type.get()) != H5T_ENUM) return {};
    const Handle number(checked(H5Tget_super(type.get()), "read the numbers of an enumeration"), H5Tclose);
    std::vector<std::string> names;
    const int num_members = H5Tget_nmembers(type.get());
    for (int k = 0; k < num_members; ++k) {
        std::int64_t value = 0;
        H5Tget_member_value(type.get(), static_cast<unsigned>(k), &value);
        H5Tconvert(number.get(), H5T_NATIVE_INT64, 1, &value, nullptr, H5P_DEFAULT);
        if (value < 0 || value >= most_names) continue;
        char* const name = H5Tget_member_name(type.get(), static_cast<unsigned>(k));
        names.resize(std::max(names.size(), static_cast<std::size_t>(value) + 1));
        names[static_cast<std::size_t>(value)] = name;
        H5free_memory(name);
    }
    return names;
}

}  // namespace ricochet::hdf5
