// SPDX-License-Identifier: BSD-3-Clause
//
// Where the particles of a run start. Generated placements are functions of (box, species, seed) alone: the
// same particles, bit for bit, on any number of ranks. No rank ever has more than its share. Which rank has
// which particle at the end does depend on the number of ranks; migration then moves them to their slabs.
//
//   at random     without overlap: placement/random_placement.hpp
//   densely       by the repulsion of soft spheres and shapes: placement/dense_placement.hpp
//   by growth     of a gas whose spheres grow while they bounce: run/grown_start.hpp
//   on a lattice  the sites of placement/lattice.hpp. A keyed shuffle assigns ids to sites, so that species
//                 are mixed and vacancies scattered. No communication.
//   from a file   placement/start_file.hpp
//
// Bodies are kept off: random placement proposes elsewhere, bodies repel what dense starts make soft, lattices
// leave sites out, and files are checked. Grown starts know no bodies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "placement/lattice.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct Placement {
    Particles particles;               ///< this rank's share, ascending ids
    std::vector<std::string> notes;    ///< for the log, the same on all ranks
    bool needs_equilibration = false;  ///< a dense or grown start, in which neighbours nearly touch
    std::uint64_t num_sites = 0;       ///< of the lattice, beside bodies; 0 without one
    bool has_velocities = false;       ///< otherwise all are 0
    double cpu_seconds = 0;            ///< about, of all ranks together; of a dense start only
};

/// Places the particles of all species at random without overlap, but for species that pass through each other.
/// `passing` tells these, row after row (empty: none). Beyond the density that random placement
/// reaches it places them densely, and the notes say so. Collective. Throws InputError, the same on all ranks, when
/// particles are too dense, or too large for the box or for unique nearest images.
Placement place_at_random(const World& world, Exchange& exchange, const std::vector<bool>& passing = {});

/// The same, densely at any density.
Placement place_densely(const World& world, Exchange& exchange, const std::vector<bool>& passing = {});

/// Places the particles of all species, shuffled, on a lattice that fills the box. Collective. Throws
/// InputError, the same on all ranks, when the lattice has another dimension than the box, or too little
/// space.
Placement place_on_lattice(LatticeKind kind, const World& world, Exchange& exchange);

/// What can be said about a placement before it is made.
struct PlacementForecast {
    std::vector<std::string> notes;    ///< those of the placement
    bool needs_equilibration = false;  ///< this and the next: those of the placement
    std::uint64_t num_sites = 0;
    double cpu_seconds = 0;  ///< about; of all ranks together
};

/// Predicts what place_at_random will do, by the same rules. It places nothing where the sizes decide the
/// outcome, and everything where only trying does. Collective. Throws InputError where place_at_random does.
PlacementForecast foresee_random_placement(const World& world, Exchange& exchange,
                                           const std::vector<bool>& passing = {});

/// Predicts what place_densely will do. It tries where the fraction does not decide, unless there are very many.
/// Collective. Throws InputError where place_densely does.
PlacementForecast foresee_dense_placement(const World& world, Exchange& exchange,
                                          const std::vector<bool>& passing = {});

/// Predicts what place_on_lattice will do. Collective. Throws InputError where that does.
PlacementForecast foresee_lattice_placement(LatticeKind kind, const World& world, Exchange& exchange);

}  // namespace ricochet
