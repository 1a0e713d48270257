// SPDX-License-Identifier: BSD-3-Clause
#include "result/vmd_names.hpp"

#include <cstdint>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_types.hpp"

namespace ricochet {
namespace {

constexpr const char* numbers_path = "parameters/vmd_structure/indexOfSpecies";
constexpr const char* names_path = "parameters/vmd_structure/name";
constexpr hsize_t most_vmd_species = 1 << 16;

/// Texts of fixed length, as VMD's plugin reads them; none of another kind.
std::vector<std::string> read_fixed_texts(const hdf5::Dataset& dataset, hsize_t count) {
    const hdf5::Handle type = dataset.type();
    if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0) return {};
    const std::size_t width = H5Tget_size(type.get());
    std::vector<char> letters(width * count);
    dataset.read({{0}, {count}}, type.get(), letters.data());
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string padded(letters.data() + k * width, width);
        texts.push_back(padded.substr(0, padded.find('\0')));
    }
    return texts;
}

}  // namespace

std::vector<std::string> read_vmd_names(hid_t file) {
    for (const char* path : {"parameters", "parameters/vmd_structure", numbers_path, names_path})
        if (!hdf5::has_object(file, path)) return {};
    if (hdf5::is_group(file, numbers_path) || hdf5::is_group(file, names_path)) return {};
    const auto numbers = hdf5::Dataset::open(file, numbers_path),
               texts = hdf5::Dataset::open(file, names_path);
    const hdf5::Extents shape = numbers.shape();
    const bool has_numbers = H5Tget_class(numbers.type().get()) == H5T_INTEGER;
    if (!has_numbers || shape.size() != 1 || shape[0] > most_vmd_species || texts.shape() != shape) return {};
    std::vector<std::int64_t> species(shape[0]);
    numbers.read({{0}, shape}, hdf5::number_type<std::int64_t>(), species.data());
    const std::vector<std::string> found = read_fixed_texts(texts, shape[0]);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (species[k] < 0 || species[k] >= static_cast<std::int64_t>(most_vmd_species)) continue;
        const auto number = static_cast<std::size_t>(species[k]);
        if (names.size() <= number) names.resize(number + 1);
        names[number] = found[k];
    }
    return names;
}

}  // namespace ricochet
