// SPDX-License-Identifier: BSD-3-Clause
#include "run/equilibration.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "model/wall_path.hpp"
#include "model/world_facts.hpp"
#include "ricochet/core/random.hpp"
#include "run/lattice_note.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t most_idle_steps = 1'000;
/// The least number of collisions per particle between two marks.
constexpr double between_marks = 10;
constexpr std::size_t fewest_marks = 8;

/// Particles bounce, and surfaces keep their temperature. Random numbers are others than in the run.
World settling_world(const World& world) {
    World settling{.box = world.box, .bodies = world.bodies, .species = world.species};
    for (const SpeciesRule& of : world.rules)
        if (std::holds_alternative<Thermal>(of.rule)) settling.rules.push_back(of);
    settling.seed = random_words({world.seed, Stream::equilibration, 0}, 0)[0];
    return settling;
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

Equilibration::Equilibration(const StageParts& parts, const EquilibrationGoal& goal, EquilibrationState state)
    : Stage(parts, with_resting_walls(parts.world), ContactRules(settling_world(parts.world))),
      goal_(goal),
      state_(std::move(state)),
      first_step_(state_.num_steps) {}

bool Equilibration::is_reached() const {
    const double done = per_particle(state_.num_collisions);
    if (!goal_.until_steady) return done >= goal_.collisions_per_particle;
    if (done >= most_to_settle) return true;
    const bool is_disordered = state_.num_sites == 0;
    if (is_disordered && is_above_freezing(parts().world)) return done >= least_to_settle;
    const bool tells_nothing =
        is_disordered && has_shapes(parts().world);  // those along axes have order in a liquid
    return has_steady_rate() && order_ &&
           (tells_nothing || !is_crystal(*order_, parts().world.box.dimension) ||
            is_above_freezing(parts().world));
}

bool Equilibration::has_steady_rate() const {
    return per_particle(state_.num_collisions) >= least_to_settle &&
           spread_of_rates(state_.marks).value_or(1) <= steady_spread;
}

/// The order at the latest mark decides, so that a continued run ends at the same step.
void Equilibration::record(const Particles& owned) {
    if (!goal_.until_steady || state_.marks.empty()) return;
    if (state_.marks.back().num_steps == state_.num_steps && has_steady_rate()) measure_order(owned);
}

void Equilibration::measure_order(const Particles& owned) {
    order_ = measure_bond_order(parts().exchange, parts().world.box, owned);
}

bool Equilibration::is_idle() const { return state_.num_steps - state_.latest_collision >= most_idle_steps; }

ContactSink& Equilibration::begin_step() {
    contacts_ = {};
    return contacts_;
}

void Equilibration::end_step() {
    std::int64_t collisions = contacts_.num_pairs();
    parts().exchange.sum(std::span(&collisions, 1));
    ++state_.num_steps;
    state_.num_collisions += collisions;
    if (collisions > 0) state_.latest_collision = state_.num_steps;
    if (goal_.until_steady) set_mark();
}

void Equilibration::set_mark() {
    const std::int64_t before = state_.marks.empty() ? 0 : state_.marks.back().num_collisions;
    if (per_particle(state_.num_collisions - before) >= between_marks)
        state_.marks.push_back({state_.num_steps, state_.num_collisions});
}

void Equilibration::tell_progress(double seconds) {
    parts().monitor.progress({.steps_done = state_.num_steps,
                              .first_step = first_step_,
                              .seconds = seconds,
                              .num_collisions = state_.num_collisions,
                              .collisions_per_particle = per_particle(state_.num_collisions),
                              .has_collision_rate = !parts().world.bath_energy});
}

RunState Equilibration::state() {
    RunState all;
    all.equilibration = state_;
    return all;
}

std::string Equilibration::describe_end(const Particles& owned) {
    if (!is_reached()) parts().monitor.note("equilibration ended: nothing has met for 1,000 steps");
    const bool is_on_lattice = state_.num_sites > 0;
    if (!is_on_lattice && !goal_.until_steady) return "";
    measure_order(owned);
    const auto spread = goal_.until_steady ? spread_of_rates(state_.marks) : std::nullopt;
    std::string note = is_on_lattice ? melting_note(parts().world, state_, *order_, spread)
                                     : settled_note(parts().world, state_, *order_, spread, goal_.has_grown);
    parts().monitor.note(note);
    return note;
}

}  // namespace ricochet
