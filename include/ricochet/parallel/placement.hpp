// SPDX-License-Identifier: BSD-3-Clause
//
// Where the particles of a run start. Generated placements are functions of (box, species, seed) alone: the
// same particles, bit for bit, on any number of ranks, and no rank ever holds more than its share. Which
// rank holds which particle at the end does depend on the number of ranks; migration moves them on.
//
//   at random     without overlap, parallel/random_placement.hpp
//   on a lattice  the sites of engine/lattice.hpp, ids assigned to them by a keyed shuffle, so that the
//   species
//                 are mixed and the vacancies are scattered; no communication
//   from a file   parallel/given_start.hpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/core/species.hpp"
#include "ricochet/engine/lattice.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct Placement {
    Particles particles;               ///< this rank's share, ascending ids, all velocities 0
    std::vector<std::string> notes;    ///< for the log, the same on all ranks
    bool needs_equilibration = false;  ///< a lattice took the place of a random start
};

/// The counts of the species at random without overlap, or, beyond the density that random placement reaches,
/// shuffled over a lattice, which the notes then say. Collective. Throws InputError, the same on all ranks,
/// when the particles cannot be placed: too large for the box or for unique nearest images, or too dense.
Placement place_at_random(const Box& box, const std::vector<Species>& species, std::uint64_t seed,
                          Exchange& exchange);

/// The counts of the species, shuffled, on a lattice that fills the box. Collective. Throws InputError, the
/// same on all ranks, for a lattice of another dimension than the box, or one with too little space.
Placement place_on_lattice(LatticeKind kind, const Box& box, const std::vector<Species>& species,
                           std::uint64_t seed, Exchange& exchange);

/// What is known of a placement before it is made.
struct PlacementForecast {
    std::vector<std::string> notes;    ///< as those of the placement
    bool needs_equilibration = false;  ///< as that of the placement
};

/// What place_at_random will do, by the same rules. Places nothing where the sizes tell what happens, and all
/// of it where only trying does. Collective. Throws InputError where place_at_random does.
PlacementForecast foresee_random_placement(const Box& box, const std::vector<Species>& species,
                                           std::uint64_t seed, Exchange& exchange);

/// What place_on_lattice will do. Collective. Throws InputError where that does.
PlacementForecast foresee_lattice_placement(LatticeKind kind, const Box& box,
                                            const std::vector<Species>& species, std::uint64_t seed,
                                            Exchange& exchange);

}  // namespace ricochet
