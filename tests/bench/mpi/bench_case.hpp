// SPDX-License-Identifier: BSD-3-Clause
//
// What one measurement of step_bench or turns_bench is about: a gas of spheres or discs in a periodic box,
// how long a step is, how much is measured, and what theory says about its collision rate. The small
// particles have diameter, mass, diffusion coefficient and kT 1; large ones, where there are any, have the
// mass of the same material and Stokes' diffusion.
//
// The box is made of equal tiles, tiles_per_axis of them along each axis, so that a large system costs the
// equilibration of a small one: the tile holds about 4,000 particles or a few times that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ricochet/model/box.hpp"
#include "ricochet/model/species.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet::bench {

/// Contact rules beside the bounce. All leave every particle as it is, so that gases stay comparable.
enum class BenchRules {
    none,
    chance,     ///< contacts react with probability 0; elastic only
    strangers,  ///< particles react when they meet one of a species that has none
    rate        ///< pairs react at rates, h R = 1, to what they were; Brownian only
};

struct BenchCase {
    bool is_brownian = false;
    BenchRules rules = BenchRules::none;
    int dimension = 3;
    double fraction = 0.3;  ///< of the volume (area)
    std::uint64_t num_particles = 32'000;
    double size_ratio = 1;   ///< diameter of the large particles; 1: all are equal
    double large_share = 0;  ///< of the number of particles
    /// Elastic: contacts per particle and step (0: what is fastest). Brownian: root mean square of the small
    /// particles' whole displacement in a step, in diameters.
    double step = 0;
    double contacts_per_particle = 4;  ///< measured at least
    double least_contacts = 1e5;       ///< measured at least
    std::uint64_t least_steps = 10;    ///< measured at least
    double equilibrate = 0;            ///< contacts per particle of the tile; 0: what its fraction needs
    std::uint64_t random_seed = 1;
    bool is_rate_required = true;  ///< off: a run that is too short for statistics
    std::uint64_t num_turns = 9;   ///< of turns_bench

    std::uint64_t tiles_per_axis = 1;  ///< follows from the number of particles

    std::uint64_t num_tiles() const;
    std::uint64_t particles_per_tile() const { return num_particles / num_tiles(); }
    std::vector<Species> species_of_tile() const;
    /// Brownian where the timestep is above 0.
    World world(const Box& in, double brownian_dt) const;
    double timestep() const;
    Box tile() const;
    Box box() const;
};

/// The system of one rank that knows of no other: its share of the particles, and other random numbers.
BenchCase share_of_rank(const BenchCase& of, int rank, int num_ranks);

/// From words `key=value`. Throws InputError for unknown keys and impossible values.
BenchCase parse_case(std::span<const std::string> words);

/// Contacts per particle and step at which an elastic gas is resolved fastest.
double best_elastic_step(double fraction);

/// Contacts per particle until a start from random places or from a lattice has become a fluid: near freezing
/// a cubic lattice takes a hundred to melt.
double contacts_to_equilibrate(double fraction);

/// Length of a step of an elastic gas with this many contacts per particle in each, at kT = 1.
double elastic_timestep(const BenchCase& of, double contacts_per_particle);
/// Length of a step of Brownian motion in which the small particles move `rms` diameters.
double brownian_timestep(int dimension, double rms);

/// Pair contacts per time in the whole box, by theory: with the masses of the species, or with the effective
/// masses of Brownian steps of length brownian_dt > 0.
double expected_contact_rate(const BenchCase& of, double thermal_energy, double brownian_dt);

/// How far a measured rate may be from theory, relative.
struct RateError {
    double statistical = 0;  ///< one standard error
    double systematic = 0;   ///< of the formula, and 3 / N for the size of the tile
    double tolerance() const { return 4 * statistical + systematic; }
};

/// Standard errors: of an elastic gas 1 / sqrt(contacts). In small Brownian steps a pair that has met touches
/// again and again: the n-th step after a contact has 1 / (pi sqrt(n)) more of them (free diffusion from a
/// flat reflecting wall; a curved one lets go sooner, which limits the sum in 3D), so that contacts come in
/// clusters. A tiled system repeats the deviation of its tile, 0.2 / sqrt(N) as measured.
RateError rate_error(const BenchCase& of, double num_contacts, double num_steps);

}  // namespace ricochet::bench
