// SPDX-License-Identifier: BSD-3-Clause
#include "result/vmd_names.hpp"

#include <cstdint>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_texts.hpp"
#include "hdf5/hdf5_types.hpp"

namespace ricochet {
namespace {

constexpr const char* numbers_path = "parameters/vmd_structure/indexOfSpecies";
constexpr const char* names_path = "parameters/vmd_structure/name";
constexpr hsize_t most_vmd_species = 1 << 16;

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
    if (!hdf5::holds_texts(texts)) return {};
    const std::vector<std::string> found = hdf5::read_texts_of_block(texts, {{0}, shape});
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
