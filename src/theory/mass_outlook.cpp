// SPDX-License-Identifier: BSD-3-Clause
#include "theory/mass_outlook.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "model/world_facts.hpp"

namespace ricochet {
namespace {

bool differ(double a, double b) { return std::abs(a - b) > 1e-9 * b; }

/// Its mass moves nothing.
bool rests(const World& world, SpeciesIndex s) { return world.species[s].frozen_axes == all_axes; }

/// The masses before and after that should be equal and are not; none where all are.
std::optional<std::pair<double, double>> changed_mass(const World& world, const SpeciesRule& rule,
                                                      const React& react) {
    const auto mass = [&world](SpeciesIndex s) { return world.species[s].mass; };
    const SpeciesIndex other = react.first == rule.a ? rule.b : rule.a;
    const auto [first, second] = react.products;
    if (first == absent_species) return std::nullopt;
    if (second == absent_species) {
        if (rests(world, first) || rests(world, react.first) || rests(world, other)) return std::nullopt;
        const double both = mass(react.first) + mass(other);
        return differ(mass(first), both) ? std::optional(std::pair(both, mass(first))) : std::nullopt;
    }
    const auto changes = [&](SpeciesIndex before, SpeciesIndex after) {
        return !rests(world, before) && !rests(world, after) && differ(mass(after), mass(before));
    };
    if (changes(react.first, first)) return std::pair(mass(react.first), mass(first));
    if (changes(other, second)) return std::pair(mass(other), mass(second));
    return std::nullopt;
}

}  // namespace

std::vector<std::string> describe_masses(const World& world) {
    std::vector<std::string> sentences;
    if (world.bath_energy) return sentences;
    const std::vector<std::string> names = names_of_rules(world);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const SpeciesRule& rule = world.rules[k];
        const React* const react = std::get_if<React>(&rule.rule);
        if (react == nullptr || rule.b == wall_species) continue;
        if (const auto masses = changed_mass(world, rule, *react))
            sentences.push_back(
                fmt::format("{}: a mass of {:.6g} becomes one of {:.6g}: each such reaction changes momentum "
                            "and energy, and the "
                            "temperature may run away; expected products with the masses of the partners "
                            "that they replace",
                            names[k], masses->first, masses->second));
    }
    return sentences;
}

}  // namespace ricochet
