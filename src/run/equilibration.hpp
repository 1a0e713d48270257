// SPDX-License-Identifier: BSD-3-Clause
//
// Steps before step 0 that are not recorded. Lattices melt in them, and random starts reach equilibrium.
// Contacts are elastic, whatever the input says, so that the state at step 0 is in equilibrium at kT.
// Brownian particles draw from a random stream of their own.
//
// A lattice in place of a random start has melted when its contact rate is steady; the pressure follows from
// the same rate. Contacts are counted in integers over all ranks, and the counts are part of the state. So
// the equilibration ends after the same step on any number of ranks and across stops. An ordered start can be
// metastable: equilibrium needs a steady rate, but a steady rate does not prove it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ricochet/config/config.hpp"
#include "ricochet/dynamics/drive.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/run/interruptions.hpp"
#include "ricochet/run/monitor.hpp"
#include "slabs/balance.hpp"
#include "slabs/slab_step.hpp"

namespace ricochet {

/// The objects that an equilibration works with. All references are kept.
struct EquilibrationParts {
    Exchange& exchange;
    const Config& config;
    const Drive& drives;
    SlabStepper& stepper;
    Balancer& balancer;
    Particles& owned;
    Monitor& monitor;
    Interruptions& interruptions;
};

/// The end of an equilibration: a mean number of collisions per particle, or a melted lattice.
struct EquilibrationGoal {
    double collisions_per_particle = 0;
    bool until_melted = false;  ///< then the number has no meaning
};

/// Least and largest number of collisions per particle in which a lattice is expected to melt.
inline constexpr double least_to_melt = 100, most_to_melt = 2000;

/// The largest relative difference between the contact rates of the second, third and last quarter. The
/// quarters divide the time between step 0 and the last mark. None where there are too few marks to tell
/// quarters apart.
std::optional<double> spread_of_rates(std::span<const EquilibrationMark> marks);

/// Does steps until the goal is reached, or until 1,000 steps have passed without a contact. Counts in
/// `state`, which may come from a checkpoint. Returns earlier where an interruption stops the run. A note
/// says how a lattice has melted. Collective; the number of steps is the same for any number of ranks.
RunEnd equilibrate(const EquilibrationParts& parts, const EquilibrationGoal& goal,
                   std::uint64_t num_particles, EquilibrationState& state);

}  // namespace ricochet
