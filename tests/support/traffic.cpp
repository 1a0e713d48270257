// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/traffic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "parallel/collectives.hpp"
#include "slabs/migration.hpp"
#include "slabs/slab_step.hpp"
#include "slabs/work_meter.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {
namespace {

constexpr Vec3 box_of_rank{8, 12, 12};
constexpr std::size_t particles_per_rank = 440;
constexpr std::uint64_t num_steps = 6;

void give_directions(Particles& particles, std::uint64_t step) {
    for (Motion& motion : particles.motion) {
        HashRandom random(motion.id * 1'000'003 + step);
        const Vec3 any = random.normal_vector(3);
        motion.velocity = (1 / norm(any)) * any;
    }
}

/// This rank's, over the counted steps.
struct Counts {
    double num_windows = 0, num_rounds = 0, num_redone = 0, num_collectives = 0, num_messages = 0,
           num_bytes = 0;
    double num_copies = 0, num_events = 0, num_owned = 0;
};

Counts counts_of(const SlabStepStatistics& statistics, const Traffic& traffic) {
    return {static_cast<double>(statistics.num_windows),
            static_cast<double>(statistics.num_rounds),
            static_cast<double>(statistics.num_redone),
            static_cast<double>(traffic.num_collectives),
            static_cast<double>(traffic.num_messages),
            static_cast<double>(traffic.num_bytes),
            static_cast<double>(statistics.num_copies_sent),
            static_cast<double>(statistics.num_boundary_events),
            0};
}

Counts run_steps(Exchange& exchange, const System& system) {
    const auto slabs = even_slabs(system, exchange.size());
    WorkMeter meter(exchange);
    RankStepper stepper(meter, system, slabs, {.excursion_factor = 3, .num_windows = 2});
    Particles mine = exchange.rank() == 0 ? system.particles : Particles{};
    distribute(exchange, system.box, slabs, mine);
    Counts first, all;
    for (std::uint64_t step = 0; step <= num_steps; ++step) {
        give_directions(mine, step);
        stepper->run(mine, step, system.dt);
        const Counts now = counts_of(stepper->statistics(), meter.traffic());
        if (step == 0) first = now;
        all = now;
    }
    const auto per_step = [](double last, double before) {
        return (last - before) / static_cast<double>(num_steps);
    };
    return {per_step(all.num_windows, first.num_windows),
            per_step(all.num_rounds, first.num_rounds),
            per_step(all.num_redone, first.num_redone),
            per_step(all.num_collectives, first.num_collectives),
            per_step(all.num_messages, first.num_messages),
            per_step(all.num_bytes, first.num_bytes),
            per_step(all.num_copies, first.num_copies),
            per_step(all.num_events, first.num_events),
            static_cast<double>(mine.size())};
}

}  // namespace

System row_of_boxes(int num_ranks) {
    System system;
    system.name = "row of boxes";
    system.box = periodic_box({box_of_rank.x * num_ranks, box_of_rank.y, box_of_rank.z});
    system.dt = 0.1;
    fill_at_random(system, {{0.5, 1, particles_per_rank * static_cast<std::size_t>(num_ranks)}}, {},
                   system.box.size, 71);
    return system;
}

TrafficPerStep count_traffic(Exchange& exchange, const System& system) {
    const Counts mine = run_steps(exchange, system);
    TrafficPerStep result;
    const double share = 1.0 / exchange.size();
    for (const Counts& one : all_gather_records<Counts>(exchange, std::span(&mine, 1))) {
        result.num_windows += share * one.num_windows;
        result.num_rounds += share * one.num_rounds;
        result.num_redone += share * one.num_redone;
        result.num_collectives += share * one.num_collectives;
        result.num_messages += share * one.num_messages;
        result.num_bytes += share * one.num_bytes;
        result.num_copies += share * one.num_copies;
        result.num_events += share * one.num_events;
        result.num_owned += share * one.num_owned;
        result.most_collectives = std::max(result.most_collectives, one.num_collectives);
        result.most_messages = std::max(result.most_messages, one.num_messages);
        result.most_bytes = std::max(result.most_bytes, one.num_bytes);
    }
    return result;
}

}  // namespace ricochet::test
