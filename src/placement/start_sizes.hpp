// SPDX-License-Identifier: BSD-3-Clause
//
// What the sizes of particles say about a start before it is made. Is there room, which way of placement reaches it,
// and what is to be done where none does?
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/offenders.hpp"
#include "core/text.hpp"
#include "geometry/body_room.hpp"
#include "model/box_fit.hpp"
#include "model/world_facts.hpp"
#include "placement/population.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Those that touch all around meet without end at the first instant.
constexpr double least_spacing = 1 + 1e-6;

/// The sizes in a population, as all ranks know them.
struct Sizes {
    double largest = 0;
    double second_largest = 0;  ///< may equal the largest
    double smallest = 0;
    double volume_fraction = 0;  ///< of what bodies leave
    /// The largest part of that volume that particles take from those of one species. It is the volume fraction, unless
    /// species pass through each other.
    double excluding_fraction = 0;
    bool has_shapes = false;  ///< some particles are no spheres
    bool has_bodies = false;  ///< they take room in the box
};

/// That of the world, where it tells one.
inline double known_free_volume(const World& world) {
    return world.free_volume ? *world.free_volume : free_volume(world);
}

/// `free_volume` is that of the box less what bodies take. Collective.
Sizes global_sizes(const Box& box, double free_volume, const Population& population, Exchange& exchange);

/// "4000 spheres", of several kinds "4000 particles"; "volume fraction 0.3".
std::string number_of(std::uint64_t count, const Box& box, const Sizes& sizes = {});
std::string fraction_text(const Sizes& sizes, const Box& box);

/// Throws InputError: what was reached in place of the fraction, and what else a user may do, after `first`.
[[noreturn]] void refuse_density(const Box& box, const Sizes& sizes, std::uint64_t count,
                                 const std::string& reached, const std::string& first = "");

/// The largest fraction for which random placement of equal particles takes no unreasonable time.
double usable_fraction(const Box& box);
/// Unequal sizes, and shapes, are tried at random up to this fraction.
double most_at_random(const Box& box);
inline bool is_of_one_size(const Sizes& sizes) { return sizes.smallest == sizes.largest; }
/// The volume of the particles over the volume in which centres may lie.
double fraction_of_accessible(const Box& box, const Sizes& sizes);
/// The fraction of the same particles with radii times `scale`.
double scaled_fraction(const Box& box, const Sizes& sizes, double scale);

/// What the sizes alone say about a random start.
struct Outlook {
    bool is_worth_trying = false;  ///< at random
    bool is_sure = false;          ///< that trying succeeds
};
Outlook outlook_of(const Box& box, const Sizes& sizes);

/// Throws InputError where the particles are more than the whole box.
void require_volume(const Box& box, const Sizes& sizes, std::uint64_t count);

std::string random_note(const Box& box, const Sizes& sizes, std::uint64_t count);
/// About, of the processor this was measured on (note 62 of tests/bench/notes.md).
double random_seconds(const Box& box, const Sizes& sizes, std::uint64_t count);

/// Calls use(population, sizes on all ranks) if the sizes fit into the box.
template <class Use>
auto with_sizes(const World& world, Exchange& exchange, const std::vector<bool>& passing, Use&& use) {
    const Population population(world.species, world.seed, passing);
    if (population.size() == 0) return decltype(use(population, Sizes{})){};
    Sizes sizes = global_sizes(world.box, known_free_volume(world), population, exchange);
    sizes.has_shapes = has_shapes(world);
    sizes.has_bodies = !world.bodies.empty();
    const auto problems = size_problems(world.box, sizes.largest, sizes.second_largest);
    if (!problems.empty()) throw InputError(joined_lines(problems));
    return use(population, sizes);
}

}  // namespace ricochet
