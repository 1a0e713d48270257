// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds as tests write them down, one sentence for each rule.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "ricochet/contact/rules.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet::test {

/// A species as tests write it down.
struct Matter {
    double radius = 0.5;
    double mass = 1;
    double diffusion = 0;
};
/// These species, with the rule `common` for all pairs. It is that of walls too if it is a bounce; else they are
/// elastic.
World world_with(const std::vector<Matter>& species, int dimension, const ContactRule& common);

/// As many species that all look the same, and bounce without loss.
World plain_world(std::size_t num_species = 1);

/// The products of a reaction that leaves no particle, or one.
inline constexpr std::array<SpeciesIndex, 2> nothing{absent_species, absent_species};
constexpr std::array<SpeciesIndex, 2> only(SpeciesIndex product) { return {product, absent_species}; }

/// A rule in place of those before.
void set_pair(World& world, SpeciesIndex a, SpeciesIndex b, const ContactRule& rule,
              RuleNumber number = no_rule);
/// Sets the rule of a species with all walls, or with one: 2 axis + (0 low, 1 high).
void set_wall(World& world, SpeciesIndex a, const ContactRule& rule, RuleNumber number = no_rule);
void set_wall_face(World& world, SpeciesIndex a, std::size_t face, const ContactRule& rule,
                   RuleNumber number = no_rule);

/// Brownian particles, in steps of this length. Returns kT dt of the world, which is energy_time but for rounding.
double make_brownian(World& world, double energy_time, double timestep);

}  // namespace ricochet::test
