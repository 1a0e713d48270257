// SPDX-License-Identifier: BSD-3-Clause
#include "result/species_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/hash.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "result/whole_rows.hpp"

namespace ricochet {
namespace {

constexpr const char* shapes_group = "shapes";

static_assert(sizeof(Vec3) == 3 * sizeof(double));

/// All that the group holds.
struct ShapeTables {
    std::vector<std::uint64_t> first{
        0};  ///< of each species the row of its first corner; last the number of rows
    std::vector<Vec3> corners;
    std::vector<double> content;
};

ShapeTables tables_of(const std::vector<Species>& species) {
    ShapeTables tables;
    for (const Species& kind : species) {
        tables.corners.insert(tables.corners.end(), kind.corners.begin(), kind.corners.end());
        tables.first.push_back(tables.corners.size());
        tables.content.push_back(kind.content);
    }
    return tables;
}

std::string hash_of_shapes(const ShapeTables& tables) {
    std::uint64_t hash = hash_values(std::span<const std::uint64_t>(tables.first));
    hash = hash_values(std::span<const Vec3>(tables.corners), hash);
    hash = hash_values(std::span<const double>(tables.content), hash);
    return fmt::format("{:016x}", hash);
}

/// Triples, which are read as such.
void require_triples(hid_t group) {
    const hdf5::Extents shape = hdf5::Dataset::open(group, "corners").shape();
    if (shape.size() != 2 || shape[1] != 3) hdf5::fail("understand the corners of shapes in", group, "");
}

ShapeTables read_shape_tables(hid_t group) {
    require_triples(group);
    return {read_all_rows<std::uint64_t>(group, "first", hdf5::number_type<std::uint64_t>()),
            read_all_rows<Vec3>(group, "corners", hdf5::number_type<double>()),
            read_all_rows<double>(group, "volume", hdf5::number_type<double>())};
}

bool fits(const ShapeTables& tables, std::size_t num_species) {
    const auto is_wrong = [](std::uint64_t first, std::uint64_t next) {
        return next < first || next - first > most_corners;
    };
    return tables.first.size() == num_species + 1 && tables.content.size() == num_species &&
           tables.first.front() == 0 && tables.first.back() == tables.corners.size() &&
           std::ranges::adjacent_find(tables.first, is_wrong) == tables.first.end();
}

}  // namespace

void write_shapes(Exchange& exchange, hid_t group, const std::vector<Species>& species) {
    if (num_corners(species) == 0) return;
    const ShapeTables tables = tables_of(species);
    const hdf5::Handle own = hdf5::create_group(group, shapes_group);
    write_all_rows(exchange, own.get(), "first", hdf5::number_type<std::uint64_t>(), tables.first);
    write_all_rows(exchange, own.get(), "corners", hdf5::number_type<double>(), tables.corners, 3);
    write_all_rows(exchange, own.get(), "volume", hdf5::number_type<double>(), tables.content);
    hdf5::write_attribute(own.get(), "hash", hash_of_shapes(tables));
}

void read_shapes(hid_t group, std::vector<Species>& species) {
    if (!hdf5::has_object(group, shapes_group)) return;
    const hdf5::Handle own = hdf5::open_group(group, shapes_group);
    const ShapeTables tables = read_shape_tables(own.get());
    if (!fits(tables, species.size())) return;
    for (std::size_t k = 0; k < species.size(); ++k) {
        const auto own_corners =
            std::span(tables.corners).subspan(tables.first[k], tables.first[k + 1] - tables.first[k]);
        species[k].corners.assign(own_corners.begin(), own_corners.end());
        species[k].content = tables.content[k];
    }
}

bool has_shapes_of_its_hash(hid_t group) {
    if (!hdf5::has_object(group, shapes_group)) return true;
    const hdf5::Handle own = hdf5::open_group(group, shapes_group);
    return hdf5::read_text(own.get(), "hash") == hash_of_shapes(read_shape_tables(own.get()));
}

std::uint64_t num_corners(const std::vector<Species>& species) {
    std::uint64_t sum = 0;
    for (const Species& kind : species) sum += kind.corners.size();
    return sum;
}

std::string names_of_shapes(const std::vector<Species>& species, int dimension) {
    std::string text;
    for (const Species& kind : species) {
        if (kind.corners.empty()) continue;
        text += fmt::format("{}{} ({} corners, {} {:.4g})", text.empty() ? "" : ", ", kind.name,
                            kind.corners.size(), dimension == 2 ? "area" : "volume", kind.content);
    }
    return text;
}

}  // namespace ricochet
