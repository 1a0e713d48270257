// SPDX-License-Identifier: BSD-3-Clause
#include "config/checked_input.hpp"

#include <fmt/format.h>

#include <vector>

namespace ricochet::detail {

std::optional<SpeciesIndex> CheckedInput::index_of(const TreeNode& name) const {
    for (std::size_t k = 0; k < config_.species.size(); ++k)
        if (config_.species[k].name == name.text) return static_cast<SpeciesIndex>(k);
    return std::nullopt;
}

void CheckedInput::refuse_name(const TreeNode& name, const std::string& path, bool or_wall) {
    std::vector<std::string_view> names;
    for (const Species& species : config_.species) names.push_back(species.name);
    if (or_wall) names.push_back(wall_name);
    issues_.add(name.place,
                fmt::format("{}: got {}, expected the name of a species{}{}", path, describe(name),
                            or_wall ? " or wall" : "", did_you_mean(name.text, names)));
}

std::optional<SpeciesIndex> CheckedInput::species_named(const TreeNode& name, const std::string& path) {
    const auto index = index_of(name);
    if (!index) refuse_name(name, path, false);
    return index;
}

std::optional<SpeciesIndex> CheckedInput::product_named(const TreeNode& name, SpeciesIndex parent,
                                                        const std::string& path) {
    const auto product = species_named(name, path);
    if (product && *product != parent && config_.species[*product].radius_distribution)
        issues_.add(name.place,
                    fmt::format("{}: got {}, whose radii are drawn from a distribution, expected a "
                                "species with one radius, or the one that the partner has already",
                                path, describe(name)));
    return product;
}

std::optional<SpeciesIndex> CheckedInput::partner_named(const TreeNode& name, const std::string& path) {
    if (name.text == wall_name) return wall_species;
    const auto index = index_of(name);
    if (!index) refuse_name(name, path, true);
    return index;
}

std::optional<std::pair<SpeciesIndex, SpeciesIndex>> CheckedInput::pair_named(const TreeNode& names,
                                                                              const std::string& path) {
    const auto a = partner_named(names.children[0], path), b = partner_named(names.children[1], path);
    if (!a || !b) return std::nullopt;
    if (*a != wall_species || *b != wall_species) return std::pair{*a, *b};
    issues_.add(names.place, fmt::format("{}: got wall twice, expected at least one species", path));
    return std::nullopt;
}

}  // namespace ricochet::detail
