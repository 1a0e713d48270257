// SPDX-License-Identifier: BSD-3-Clause
//
// What follows from a world: what its rules are called, whether particles change, how much of the box they fill.
//
// Cost: O(species + rules + decays) each; restitution_of_pairs O(species^2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/model/world.hpp"

namespace ricochet {

/// Whether some contacts change particles or let them pass, or particles decay.
bool has_changing_particles(const World& world);
/// The walls that move, and walls and bodies that have a temperature for some species, with their patches; ascending.
std::vector<BodyNumber> bodies_that_give_energy(const World& world);
/// "x low" of a wall, else the name of the body or patch.
std::string name_of_surface(const World& world, BodyNumber body);
/// Whether some contacts form tethers.
bool has_tethers(const World& world);
/// Whether particles get new ids: some decay has two products.
bool has_births(const World& world);
/// Whether particles of this species become tethered.
bool sticks(const World& world, SpeciesIndex species);
/// Whether contacts or decays make particles of this species of others, or change its particles. A catalyst, the
/// one of two partners that stays of its species, is none.
bool is_product(const World& world, SpeciesIndex species);

/// Whether some species is no sphere.
bool has_shapes(const World& world);
/// Whether some species does not move along all axes.
bool has_frozen_axes(const World& world);
/// Whether no species moves.
bool is_at_rest(const World& world);
/// The axes that the species moves along: "x y", or "none".
std::string axes_in_words(const Box& box, const Species& species);
/// The frozen axes of a species that moves along these, in words as above.
std::uint32_t axes_without(std::string_view words, int dimension);

/// The rules in words, in their order: "A + B -> C", "A + wall -> nothing", "A + B stick".
std::vector<std::string> names_of_rules(const World& world);
/// The same of decays: "C -> A + B".
std::vector<std::string> names_of_decays(const World& world);

/// A coefficient of restitution for one pair of species; b may be wall_species; a <= b.
struct PairRestitution {
    SpeciesIndex a = 0, b = 0;
    RestitutionLaw restitution{};

    friend bool operator==(const PairRestitution&, const PairRestitution&) = default;
};
/// One entry for every pair of species a <= b, and for every species with a wall (b = wall_species), ordered
/// by (a, b). It is 1 for pairs that never bounce. Where walls differ it is the least of theirs,
/// where one of them depends on the speed that law.
std::vector<PairRestitution> restitution_of_pairs(const World& world);

/// Sum of the species' counts.
std::uint64_t num_particles(const World& world);
/// The largest radius that a particle of this species can have.
double largest_radius(const Species& species);
/// The volume (area in 2D) of the box, less what bodies take.
double room_volume(const World& world);
/// Fraction of this volume that the particles fill, by the counts.
double volume_fraction(const World& world);

/// Bodies and their patches in one row, bodies first: their numbers less first_body.
std::size_t num_body_parts(const std::vector<Body>& bodies);
/// The place in that row of the first patch of a body, or of the next body that has one.
std::size_t first_patch_of(const std::vector<Body>& bodies, std::size_t body);
/// The body of one in that row.
std::size_t body_of_part(const std::vector<Body>& bodies, std::size_t part);
/// Their names: BODY, or BODY.PATCH.
std::vector<std::string> names_of_body_parts(const std::vector<Body>& bodies);
std::string name_of_body_part(const std::vector<Body>& bodies, std::size_t part);

}  // namespace ricochet
