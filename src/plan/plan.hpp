// SPDX-License-Identifier: BSD-3-Clause
//
// What a run will need, computed before it starts: slabs and halo, ranks, contacts, memory, disk. `ricochet
// check` prints the plan. `ricochet run` checks the same plan before it places a particle, so both refuse the
// same inputs.
//
// For generated particles the plan follows from the input and from theory (hard_sphere_theory.hpp). The
// largest displacement is that expected of the fastest of N thermal particles. Particles from a file are measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ricochet/config/config.hpp"
#include "slabs/even_slabs.hpp"

namespace ricochet {

/// The extent of a particle along an axis in a Brownian step, or of two together.
struct BrownianReach {
    static constexpr double most_deviations = 6;
    double radius = 0;
    double deviation = 0;  ///< standard deviation of the step along an axis

    double extent() const { return radius + most_deviations * deviation; }
};

/// The properties of the particles that the plan depends on.
struct ParticleSummary {
    std::uint64_t num_particles = 0;
    double largest_radius = 0;
    double two_largest_radii = 0;     ///< their sum
    std::uint64_t num_parts = 1;      ///< in which a step is done that is too long for the box
    double largest_displacement = 0;  ///< in one of them; expected or measured
    double two_largest_extents = 0;   ///< in one of them, sum of the two largest of radius + displacement
    BrownianReach two_widest;         ///< of the two largest; 0 for ballistic particles
    double reach = 0;                 ///< of reactions and tethers beyond surfaces (reaction_reach.hpp)
    double mean_radius = 0;
    double mean_reach = 0;  ///< mean of radius plus half the displacement in a part of a step
    double fraction = 0;    ///< of the volume (area) that they fill
    /// Pair contacts in one step. None where they are unknown: velocities from a file, inelastic contacts, no
    /// room.
    std::optional<double> contacts_per_step;
};

/// The summary of generated particles. No communication.
ParticleSummary expected_summary(const Config& config);

/// What a box that is turned so that this edge is along x could have.
struct TurnedBox {
    char edge = 'x';
    int largest_rank_count = 0;
};

struct RunPlan {
    int num_ranks = 1;
    EvenSlabs slabs;
    TurnedBox turned;                    ///< the one that could have most
    double cell_width = 0;               ///< length; of the cell search
    double copies_per_rank = 0;          ///< halo particles
    double bytes_per_rank = 0;           ///< of memory
    double bytes_of_log = 0;             ///< the part of it while the collision log is written
    double bytes_without_particles = 0;  ///< the part of it that does not grow with their number
    std::uint64_t num_frames = 0;
    std::uint64_t bytes_per_frame = 0;
    std::uint64_t num_samples = 0;
    double bytes_per_contact = 0;               ///< in the collision log
    std::optional<double> collision_log_bytes;  ///< before the byte budget
};

/// Counts the outputs of a run: at step 0, then after every `every` steps (0: no outputs), and at the end.
std::uint64_t num_outputs(std::uint64_t num_steps, std::uint64_t every);

/// Bytes of this number of rows of a frame, before they are packed.
std::uint64_t frame_bytes(const Config& config, std::uint64_t num_rows);

/// The plan for this number of ranks. Throws InputError where no decomposition exists: more ranks than slices, slabs
/// thinner than the halo, or more particles on a rank than it can number. Also throws where radii or Brownian
/// steps are too large for the box.
RunPlan make_plan(const Config& config, const ParticleSummary& particles, int num_ranks);

/// Throws InputError where the input certainly cannot run on this number of ranks, before any particle is placed.
/// Particles from a file are checked by make_plan, memory by require_memory (src/process/node_memory.hpp).
void require_possible(const Config& config, int num_ranks);

/// Advice to shorten the timestep, with the timestep to choose, where steps hold too many contacts. Contacts
/// per particle count each contact for both partners. None where the timestep is short enough.
std::optional<std::string> advice_on_timestep(const Config& config, double contacts_per_particle);

}  // namespace ricochet
