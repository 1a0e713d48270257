// SPDX-License-Identifier: BSD-3-Clause
#include "run/recording.hpp"

#include <array>
#include <span>
#include <vector>

#include "model/world_facts.hpp"
#include "observe/observables.hpp"
#include "plan/plan.hpp"

namespace ricochet {
namespace {

bool is_due(std::uint64_t step, std::uint64_t every, std::uint64_t num_steps) {
    return every > 0 && (step % every == 0 || step == num_steps);
}

}  // namespace

void LongStepNote::consider(double contacts_per_particle) {
    if (has_noted_) return;
    const auto advice = advice_on_timestep(config_, contacts_per_particle);
    if (!advice) return;
    has_noted_ = true;
    monitor_.note(*advice);
}

double temperature(Exchange& exchange, const World& world, const Particles& owned) {
    ObservableSums sums(world.species.size(), num_body_parts(world.bodies));
    sums.add_particles(owned, world.box);
    std::vector<std::int64_t> integers = sums.integers();
    exchange.sum(integers);
    sums.assign(integers);
    return ObservableSeries(world).evaluate(sums, 0).temperature;
}

Recording::Recording(const StageParts& parts, Observation& observation, Recorder& recorder,
                     LongStepNote& long_steps, std::uint64_t first_step)
    : Stage(parts, parts.world, ContactRules(parts.world)),
      observation_(observation),
      recorder_(recorder),
      long_steps_(long_steps),
      first_step_(first_step),
      step_(first_step),
      reported_step_(first_step) {}

bool Recording::samples_next() const {
    return is_due(step_ + 1, parts().config.output.observables_every, parts().config.run.num_steps);
}

ContactSink& Recording::begin_step() {
    kept_.clear();
    return *this;
}

void Recording::end_step() {
    const PhaseClock::Scope scope = parts().clock.enter(Phase::observables);
    settle();
    recorder_.contacts(step_, kept_.contacts());
    ++step_;
}

void Recording::record(const Particles& owned) {
    const Config& config = parts().config;
    const double time = static_cast<double>(step_) * config.run.timestep;
    if (is_due(step_, config.output.observables_every, config.run.num_steps)) {
        const PhaseClock::Scope scope = parts().clock.enter(Phase::observables);
        recorder_.sample(step_, time, observation_.take_sample(owned, time));
    }
    if (is_due(step_, config.output.trajectory_every, config.run.num_steps)) {
        const PhaseClock::Scope scope = parts().clock.enter(Phase::output);
        recorder_.frame(step_, time, owned);
    }
}

void Recording::tell_progress(double seconds) {
    const std::int64_t collisions = totals().num_collisions;
    {
        const PhaseClock::Scope scope = parts().clock.enter(Phase::output);
        recorder_.flush();
    }
    parts().monitor.progress({step_, first_step_, parts().config.run.num_steps, seconds, collisions,
                              per_particle(collisions), !parts().world.bath_energy});
    if (step_ > reported_step_)
        long_steps_.consider(per_particle(collisions - reported_collisions_) /
                             static_cast<double>(step_ - reported_step_));
    reported_collisions_ = collisions;
    reported_step_ = step_;
}

RunState Recording::state() {
    RunState state;
    state.step = step_;
    observation_.save_to(state);
    return state;
}

RunTotals Recording::totals() const {
    std::array<std::int64_t, 3> counts{counts_.all - counts_.with_walls, counts_.with_walls,
                                       counts_.let_pass};
    parts().exchange.sum(counts);
    return {parts().num_particles, step_ - first_step_, counts[0], counts[1], counts[2], 0};
}

ContactDetail Recording::detail() const {
    return recorder_.wants_contacts() ? ContactDetail::records : observation_.detail();
}

void Recording::add_records(std::span<const Contact> contacts) {
    const PhaseClock::Scope scope = parts().clock.enter(Phase::observables);
    observation_.add_records(contacts);
    counts_.add(contacts);
    if (recorder_.wants_contacts()) kept_.add_records(contacts);
}

void Recording::add_briefs(std::span<const ContactBrief> contacts) {
    const PhaseClock::Scope scope = parts().clock.enter(Phase::observables);
    observation_.add_briefs(contacts);
    counts_.add(contacts);
}

void Recording::add_energies(std::span<const GivenEnergy> energies) {
    const PhaseClock::Scope scope = parts().clock.enter(Phase::observables);
    observation_.add_energies(energies);
}

void Recording::settle() {
    observation_.settle();
    settled_ = counts_;
    kept_.settle();
}

void Recording::take_back() {
    observation_.take_back();
    counts_ = settled_;
    kept_.take_back();
}

}  // namespace ricochet
