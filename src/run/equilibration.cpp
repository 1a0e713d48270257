// SPDX-License-Identifier: BSD-3-Clause
#include "run/equilibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "run/heartbeat.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t most_idle_steps = 1'000;
/// The least number of collisions per particle between two marks.
constexpr double between_marks = 10;
constexpr std::size_t fewest_marks = 8;
/// Rates that differ by less than this share count as equal.
constexpr double steady_spread = 0.01;

/// One step.
void do_step(const EquilibrationParts& parts, EquilibrationState& state) {
    parts.interruptions.enter("equilibration", state.num_steps);
    ContactCounter contacts;
    parts.balancer.step(parts.stepper, parts.owned, [&] {
        const DrivenStep step{.number = state.num_steps, .is_recorded = false};
        parts.drives.before_drift(parts.owned, step);
        parts.stepper.run(parts.owned, state.num_steps, parts.config.run.timestep, contacts);
        parts.drives.after_drift(parts.owned, step);
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

/// Asks whether the run must stop at this step.
bool is_stopped(const EquilibrationParts& parts, const EquilibrationState& state, bool is_beat) {
    const Interruption wanted = parts.interruptions.ask(
        {.step = state.num_steps, .is_recorded = false, .is_last = false, .is_beat = is_beat});
    if (wanted != Interruption::none) parts.interruptions.save(run_state(state), parts.owned);
    return wanted == Interruption::stop;
}

double per_particle(std::int64_t num_collisions, std::uint64_t num_particles) {
    return 2 * static_cast<double>(num_collisions) / static_cast<double>(num_particles);
}

void set_mark(EquilibrationState& state, std::uint64_t num_particles) {
    const std::int64_t before = state.marks.empty() ? 0 : state.marks.back().num_collisions;
    if (per_particle(state.num_collisions - before, num_particles) >= between_marks)
        state.marks.push_back({state.num_steps, state.num_collisions});
}

bool is_reached(const EquilibrationGoal& goal, const EquilibrationState& state, std::uint64_t num_particles) {
    const double done = per_particle(state.num_collisions, num_particles);
    if (!goal.until_melted) return done >= goal.collisions_per_particle;
    if (done >= most_to_melt) return true;
    return done >= least_to_melt && spread_of_rates(state.marks).value_or(1) <= steady_spread;
}

std::string melting_text(const EquilibrationState& state, std::uint64_t num_particles) {
    const std::string done = fmt::format("{:.0f} collisions per particle in {} steps",
                                         per_particle(state.num_collisions, num_particles), state.num_steps);
    const auto spread = spread_of_rates(state.marks);
    if (spread && *spread <= steady_spread)
        return fmt::format(
            "the lattice is melted: {}, not recorded; the contact rates of the last three quarters of "
            "them agree within {:.2g} %",
            done, 100 * steady_spread);
    const std::string rates =
        spread ? fmt::format("the contact rates of the last three quarters of them differ by {:.2g} %",
                             100 * *spread)
               : "too few to compare contact rates";
    return fmt::format(
        "the lattice may not be melted: {}, not recorded; {}; "
        "run.equilibrate.collisions_per_particle sets another number",
        done, rates);
}

}  // namespace

std::optional<double> spread_of_rates(std::span<const EquilibrationMark> marks) {
    const std::size_t n = marks.size();
    if (n < fewest_marks) return std::nullopt;
    std::array<double, 3> rates{};
    for (std::size_t quarter = 1; quarter <= 3; ++quarter) {
        const EquilibrationMark& begin = marks[n * quarter / 4 - 1];
        const EquilibrationMark& end = marks[n * (quarter + 1) / 4 - 1];
        rates[quarter - 1] = static_cast<double>(end.num_collisions - begin.num_collisions) /
                             static_cast<double>(end.num_steps - begin.num_steps);
    }
    const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
    return (*most - *least) / *most;
}

RunEnd equilibrate(const EquilibrationParts& parts, const EquilibrationGoal& goal,
                   std::uint64_t num_particles, EquilibrationState& state) {
    Heartbeat heartbeat(parts.exchange);
    heartbeat.restart(state.num_steps);
    const std::uint64_t first_step = state.num_steps;
    while (!is_reached(goal, state, num_particles)) {
        if (state.num_steps - state.latest_collision >= most_idle_steps) {
            parts.monitor.note("equilibration ended: nothing has met for 1,000 steps");
            break;
        }
        do_step(parts, state);
        if (goal.until_melted) set_mark(state, num_particles);
        const bool is_beat = heartbeat.is_due(state.num_steps);
        if (is_beat) {
            heartbeat.beat(state.num_steps);
            parts.monitor.progress(
                {.steps_done = state.num_steps,
                 .first_step = first_step,
                 .seconds = heartbeat.seconds(),
                 .num_collisions = state.num_collisions,
                 .collisions_per_particle = per_particle(state.num_collisions, num_particles),
                 .has_collision_rate = parts.config.dynamics.type == DynamicsType::ballistic});
        }
        if (is_stopped(parts, state, is_beat)) return RunEnd::stopped;
    }
    if (goal.until_melted) parts.monitor.note(melting_text(state, num_particles));
    return RunEnd::finished;
}

}  // namespace ricochet
