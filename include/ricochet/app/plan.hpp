// SPDX-License-Identifier: BSD-3-Clause
//
// What a run will need, worked out before anything runs: slabs and halo, ranks, contacts, memory, disk. It is
// what `ricochet check` prints, and what `ricochet run` checks before it places a particle, so that both
// refuse the same inputs.
//
// Where the particles are generated, everything follows from the input and from theory
// (hard_sphere_theory.hpp); the largest displacement is the one that the fastest of so many thermal particles
// is expected to make. Particles from a file are measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ricochet/io/config.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// What a particle takes up along an axis in a Brownian step, or two together.
struct BrownianReach {
    static constexpr double most_deviations = 6;
    double radius = 0;
    double deviation = 0;  ///< standard deviation of the step along an axis

    double extent() const { return radius + most_deviations * deviation; }
};

/// What planning needs to know of the particles.
struct ParticleSummary {
    std::uint64_t num_particles = 0;
    double largest_radius = 0;
    double two_largest_radii = 0;     ///< their sum
    std::uint64_t num_parts = 1;      ///< in which a step is done that is too long for the box
    double largest_displacement = 0;  ///< in one of them; expected or measured
    double two_largest_extents = 0;   ///< in one of them, sum of the two largest of radius + displacement
    BrownianReach two_widest;         ///< of the two largest; 0 for ballistic particles
    double mean_radius = 0;
    double mean_reach = 0;  ///< mean of radius plus half the displacement in a part of a step
    double fraction = 0;    ///< of the volume (area) that they fill
    /// Pair contacts in one step; none where nothing is known (velocities from a file, inelastic contacts,
    /// no room).
    std::optional<double> contacts_per_step;
};

/// Of generated particles. No communication.
ParticleSummary expected_summary(const Config& config);
/// Of given particles with the velocities that they have. Collective. Throws InputError on all ranks when a
/// velocity is not a finite number.
ParticleSummary measured_summary(Exchange& exchange, const Config& config, const Particles& particles);

struct RunPlan {
    int num_ranks = 1;
    std::int64_t num_slices = 0;
    double slice_width = 0;     ///< length
    double narrowest_slab = 0;  ///< length
    double halo_width = 0;      ///< length
    double cell_width = 0;      ///< length; of the cell search
    int largest_rank_count = 1;
    double copies_per_rank = 0;          ///< halo particles
    double bytes_per_rank = 0;           ///< of memory
    double bytes_without_particles = 0;  ///< the part of it that does not grow with their number
    std::uint64_t num_frames = 0;
    std::uint64_t bytes_per_frame = 0;
    std::uint64_t num_samples = 0;
    std::optional<double> collision_log_bytes;  ///< before the byte budget
};

/// Throws InputError where no decomposition exists: more ranks than slices, slabs thinner than the halo, more
/// particles on a rank than it can number; and where radii or Brownian steps are too large for the box.
RunPlan make_plan(const Config& config, const ParticleSummary& particles, int num_ranks);

/// Throws InputError where it is certain, before any particle is placed, that the input cannot run on so many
/// ranks. Particles from a file are left to make_plan, memory to require_memory (src/app/node_memory.hpp).
void require_possible(const Config& config, int num_ranks);

/// Contacts per particle and step beyond which steps should be shorter.
inline constexpr double many_contacts_per_particle = 4;

/// A sentence for the user whose steps hold so many contacts per particle, each counted for both, that they
/// should be shorter, with the timestep to choose; none where that is not so.
std::optional<std::string> advice_on_timestep(const Config& config, double contacts_per_particle);

/// Several lines for the user.
std::string describe(const Config& config, const ParticleSummary& particles, const RunPlan& plan);

/// Pair contacts per time in the whole box by theory, at the given kT; none where that is not known: walls,
/// inelastic contacts, velocities that are not thermal, fractions above freezing. Distributed radii are
/// those drawn (size_classes.hpp).
std::optional<double> expected_contact_rate(const Config& config, double thermal_energy);

/// The same for planning: between walls too, near which it is some per cent off.
std::optional<double> estimated_contact_rate(const Config& config, double thermal_energy);

/// Whether generated particles start as a fluid with thermal velocities, below freezing.
bool is_thermal_fluid(const Config& config);

/// Whether contacts keep the energy: all coefficients of restitution, those of walls included, are 1.
bool is_elastic(const Config& config);

/// Whether all particles have the same size: then the expected rate is good to a fraction of a per cent.
bool is_equal_particle_system(const Config& config);

/// Whether no axis has walls.
bool is_periodic(const Config& config);

}  // namespace ricochet
