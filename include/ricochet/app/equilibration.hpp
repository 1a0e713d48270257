// SPDX-License-Identifier: BSD-3-Clause
//
// Steps before step 0 that nobody records: lattices melt in them, and random starts become equilibrium ones.
// Contacts are elastic, whatever the input says: the state at step 0 is that of an equilibrium at kT.
// Brownian particles draw from a stream of their own.
//
// A lattice that stands in for a random start has melted when its contact rate, which is the pressure's, is
// steady. Contacts are counted in integers over all ranks, and the numbers are part of the state. So the end
// comes after the same step on any number of ranks and across stops. An ordered start can be metastable: a
// steady rate is needed for equilibrium and does not prove it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ricochet/app/interruptions.hpp"
#include "ricochet/app/monitor.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/io/config.hpp"
#include "ricochet/parallel/balance.hpp"
#include "ricochet/parallel/slab_step.hpp"

namespace ricochet {

/// What an equilibration works with; all references are kept.
struct EquilibrationParts {
    Exchange& exchange;
    const Config& config;
    SlabStepper& stepper;
    Balancer& balancer;
    Particles& owned;
    Monitor& monitor;
    Interruptions& interruptions;
};

/// How long: until the particles had so many collisions on average, or until a lattice has melted.
struct EquilibrationGoal {
    double collisions_per_particle = 0;
    bool until_melted = false;  ///< then the number has no meaning
};

/// Collisions per particle within which a lattice is looked for to melt.
inline constexpr double least_to_melt = 100, most_to_melt = 2000;

/// The largest relative difference between the contact rates of the second, third and last quarter of what is
/// between step 0 and the last mark; none with fewer marks than quarters can be told with.
std::optional<double> spread_of_rates(std::span<const EquilibrationMark> marks);

/// Does steps until the goal is reached, or nothing has met for 1,000 steps, and counts in `state`, which may
/// come from a checkpoint. Returns before that where an interruption stops the run. Says in a note how a
/// lattice has melted. Collective; the number of steps is the same for any number of ranks.
RunEnd equilibrate(const EquilibrationParts& parts, const EquilibrationGoal& goal,
                   std::uint64_t num_particles, EquilibrationState& state);

}  // namespace ricochet
