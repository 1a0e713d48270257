// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/app/equilibration.hpp"

#include <span>

#include "ricochet/app/heartbeat.hpp"
#include "ricochet/app/start.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t most_idle_steps = 1'000;

/// One step.
void do_step(const EquilibrationParts& parts, EquilibrationState& state) {
    parts.interruptions.enter("equilibration", state.num_steps);
    ContactCounter contacts;
    parts.balancer.step(parts.stepper, parts.owned, [&] {
        drive(parts.config, parts.owned, state.num_steps, Stream::equilibration);
        parts.stepper.run(parts.owned, state.num_steps, parts.config.run.timestep, contacts);
    });
    std::int64_t collisions = contacts.num_pairs();
    parts.exchange.sum(std::span(&collisions, 1));
    ++state.num_steps;
    state.num_collisions += collisions;
    if (collisions > 0) state.latest_collision = state.num_steps;
}

RunState run_state(const EquilibrationState& state) {
    RunState all;
    all.equilibration = state;
    return all;
}

/// Whether the run shall stop here.
bool is_stopped(const EquilibrationParts& parts, const EquilibrationState& state, bool is_beat) {
    const Interruption wanted = parts.interruptions.ask(
        {.step = state.num_steps, .is_recorded = false, .is_last = false, .is_beat = is_beat});
    if (wanted != Interruption::none) parts.interruptions.save(run_state(state), parts.owned);
    return wanted == Interruption::stop;
}

double per_particle(const EquilibrationState& state, std::uint64_t num_particles) {
    return 2 * static_cast<double>(state.num_collisions) / static_cast<double>(num_particles);
}

}  // namespace

RunEnd equilibrate(const EquilibrationParts& parts, double collisions_per_particle,
                   std::uint64_t num_particles, EquilibrationState& state) {
    Heartbeat heartbeat(parts.exchange);
    heartbeat.restart(state.num_steps);
    const std::uint64_t first_step = state.num_steps;
    while (per_particle(state, num_particles) < collisions_per_particle) {
        if (state.num_steps - state.latest_collision >= most_idle_steps) {
            parts.monitor.note("equilibration ended: nothing has met for 1,000 steps");
            break;
        }
        do_step(parts, state);
        const bool is_beat = heartbeat.is_due(state.num_steps);
        if (is_beat) {
            heartbeat.beat(state.num_steps);
            parts.monitor.progress({.steps_done = state.num_steps,
                                    .first_step = first_step,
                                    .seconds = heartbeat.seconds(),
                                    .num_collisions = state.num_collisions,
                                    .collisions_per_particle = per_particle(state, num_particles)});
        }
        if (is_stopped(parts, state, is_beat)) return RunEnd::stopped;
    }
    return RunEnd::finished;
}

}  // namespace ricochet
