// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/app/equilibration.hpp"

#include <span>

#include "app/contact_counts.hpp"
#include "ricochet/app/heartbeat.hpp"
#include "ricochet/app/start.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t most_idle_steps = 1'000;

/// One step; returns the pair contacts of all ranks.
std::int64_t do_step(Exchange& exchange, const Config& config, std::uint64_t step, SlabStepper& stepper,
                     Particles& owned) {
    drive(config, owned, step, Stream::equilibration);
    stepper.run(owned, step, config.run.timestep);
    std::int64_t collisions = num_pair_contacts(stepper.contacts());
    exchange.sum(std::span(&collisions, 1));
    return collisions;
}

}  // namespace

void equilibrate(Exchange& exchange, const Config& config, double collisions_per_particle,
                 std::uint64_t num_particles, SlabStepper& stepper, Particles& owned, Monitor& monitor) {
    Heartbeat heartbeat(exchange);
    Progress progress;
    std::uint64_t latest_collision = 0;
    while (progress.collisions_per_particle < collisions_per_particle) {
        const std::int64_t collisions = do_step(exchange, config, progress.steps_done++, stepper, owned);
        progress.num_collisions += collisions;
        progress.collisions_per_particle =
            2 * static_cast<double>(progress.num_collisions) / static_cast<double>(num_particles);
        if (collisions > 0) latest_collision = progress.steps_done;
        if (progress.steps_done - latest_collision >= most_idle_steps) {
            monitor.note("equilibration ended: nothing has met for 1,000 steps");
            return;
        }
        if (!heartbeat.is_due(progress.steps_done)) continue;
        heartbeat.beat(progress.steps_done);
        progress.seconds = heartbeat.seconds();
        monitor.progress(progress);
    }
}

}  // namespace ricochet
