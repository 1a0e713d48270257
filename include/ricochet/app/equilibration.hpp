// SPDX-License-Identifier: BSD-3-Clause
//
// Steps before step 0 that nobody records: they let a start from a lattice melt and a random one become an
// equilibrium one. Contacts are elastic in them, whatever the input says, so that the state at step 0 is that
// of an equilibrium at kT; Brownian particles draw from a stream of their own.
#pragma once

#include <cstdint>

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

/// Does steps until the particles had `collisions_per_particle` collisions on average, or nothing has met for
/// 1,000 steps, and counts in `state`, which may come from a checkpoint. Returns before that where an
/// interruption stops the run. Collective; the number of steps is the same for any number of ranks.
RunEnd equilibrate(const EquilibrationParts& parts, double collisions_per_particle,
                   std::uint64_t num_particles, EquilibrationState& state);

}  // namespace ricochet
