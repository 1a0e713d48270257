// SPDX-License-Identifier: BSD-3-Clause
#include "run/run_loop.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "core/scoped_seconds.hpp"
#include "model/reorder.hpp"
#include "observe/observables.hpp"
#include "observe/observers.hpp"
#include "run/step_contacts.hpp"
#include "search/search_choice.hpp"
#include "slabs/halo.hpp"
#include "theory/diffusion_outlook.hpp"

namespace ricochet {
namespace {

ContactRules contact_rules(const Config& config) {
    ContactRules rules(config.species.size());
    for (const PairRestitution& pair : restitution_of_pairs(config)) {
        if (pair.b == wall_species)
            rules.set_wall(pair.a, Bounce{pair.restitution});
        else
            rules.set_pair(pair.a, pair.b, Bounce{pair.restitution});
    }
    return rules;
}

std::optional<double> bath_temperature(const Config& config) {
    if (config.dynamics.type != DynamicsType::brownian) return std::nullopt;
    return config.dynamics.kT;
}

bool is_due(std::uint64_t step, std::uint64_t every, std::uint64_t num_steps) {
    return every > 0 && (step % every == 0 || step == num_steps);
}

void add_over_ranks(Exchange& exchange, ObservableSums& sums) {
    std::vector<std::int64_t> integers = sums.integers();
    exchange.sum(integers);
    sums.assign(integers);
}

ObservedSystem observed_system(const Config& config) {
    return {config.box, config.species, bath_temperature(config)};
}

}  // namespace

RunLoop::RunLoop(Exchange& exchange, const Config& config, Monitor& monitor)
    : RunLoop(exchange, config, monitor, std::optional<Checkpoint>()) {}

RunLoop::RunLoop(Exchange& exchange, const Config& config, Monitor& monitor, Checkpoint start)
    : RunLoop(exchange, config, monitor, std::optional<Checkpoint>(std::move(start))) {}

RunLoop::RunLoop(Exchange& exchange, const Config& config, Monitor& monitor, std::optional<Checkpoint> start)
    : exchange_(exchange),
      config_(config),
      monitor_(monitor),
      drives_(make_drives(config)),
      heartbeat_(exchange),
      observation_(exchange) {
    for (auto& observer : make_observers(observed_system(config))) add(std::move(observer));
    require_possible(config, exchange.size());
    if (start)
        place(std::move(*start));
    else
        place();
    const ParticleSummary summary = check_first_step();
    cut_the_box(summary);
    const SearchChoice choice = choose_search(config.search, config.box, num_particles_, summary.mean_reach);
    monitor.detail("search " + std::string(to_string(choice.method)) + ": " + choice.reason);
    const double pairs = estimated_contact_rate(config, config.dynamics.kT).value_or(0) * config.run.timestep;
    note_long_steps(2 * pairs / static_cast<double>(std::max<std::uint64_t>(1, num_particles_)));
    for (const std::string& sentence : describe_diffusion(config)) monitor.note(sentence);
    engine_options_ = {.search = choice.method, .contact_cap = config.run.contact_cap};
}

void RunLoop::place() {
    Start start = make_start(exchange_, config_);
    owned_ = std::move(start.particles);
    num_particles_ = start.num_particles;
    for (const std::string& note : start.notes) monitor_.note(note);
    equilibration_goal_ = {config_.run.equilibrate.value_or(0),
                           start.needs_equilibration && !config_.run.equilibrate};
}

void RunLoop::place(Checkpoint start) {
    owned_ = std::move(start.particles);
    num_particles_ = start.num_particles;
    start_ = std::move(start.state);
    first_step_ = step_ = start_->step;
    if (start_->equilibration)
        equilibration_goal_ = {config_.run.equilibrate.value_or(0), !config_.run.equilibrate};
}

/// Checks that the first step is possible with the velocities that the particles have in it. Particles from a
/// checkpoint keep their velocities.
ParticleSummary RunLoop::check_first_step() {
    if (!start_) drives_.start(owned_);
    const ParticleSummary summary = measured_summary(exchange_, config_, owned_);
    if (config_.placement.method == PlacementMethod::file) make_plan(config_, summary, exchange_.size());
    return summary;
}

/// The particles may still be anywhere; no rank holds more than its share of them.
void RunLoop::cut_the_box(const ParticleSummary& summary) {
    SliceGrid grid(config_.box, std::max(summary.largest_radius, 1e-3 * config_.box.size.x));
    const BalanceOptions options{.has_moving_cuts = config_.run.balance == BalanceChoice::measured};
    balancer_.emplace(exchange_, std::move(grid), options);
    const HaloReach reach{summary.largest_radius, config_.run.halo_margin * summary.largest_displacement};
    balancer_->start(owned_, reach.max_width());
}

void RunLoop::run(Recorder& recorder) {
    Interruptions none;
    run(recorder, none);
}

RunEnd RunLoop::run(Recorder& recorder, Interruptions& interruptions) {
    const ScopedSeconds timer(seconds_.total);
    if (equilibrate(interruptions) == RunEnd::stopped) return RunEnd::stopped;
    begin_record();
    const ScopedSeconds step_timer(seconds_.steps);
    RunEnd end = RunEnd::finished;
    while (true) {
        const bool is_beat = heartbeat_.is_due(step_);
        if (is_beat) heartbeat_.beat(step_);
        if (is_stopped(interruptions, is_beat)) {
            end = RunEnd::stopped;
            break;
        }
        interruptions.enter("recording", step_);
        record(recorder);
        if (is_beat) tell_progress(recorder);
        if (step_ >= config_.run.num_steps) break;
        step_once(recorder, interruptions);
    }
    finish_totals();
    return end;
}

void RunLoop::step_once(Recorder& recorder, Interruptions& interruptions) {
    interruptions.enter("contacts", step_);
    balancer_->step(*stepper_, owned_, [&] {
        drive_with(&Drive::before_drift);
        find_contacts(recorder);
        drive_with(&Drive::after_drift);
    });
    ++step_;
    sort_in_space();
}

void RunLoop::find_contacts(Recorder& recorder) {
    kept_contacts_.clear();
    StepContacts contacts(observation_, recorder.wants_contacts() ? &kept_contacts_ : nullptr,
                          seconds_.observe);
    stepper_->run(owned_, step_, config_.run.timestep, contacts);
    contacts.settle();
    local_collisions_ += contacts.num_pairs();
    local_wall_contacts_ += contacts.num_with_walls();
    const ScopedSeconds timer(seconds_.observe);
    recorder.contacts(step_, kept_contacts_.contacts());
}

/// Hands over the state where an interruption asks for it.
bool RunLoop::is_stopped(Interruptions& interruptions, bool is_beat) {
    const Interruption wanted = interruptions.ask(
        {.step = step_, .is_recorded = true, .is_last = step_ >= config_.run.num_steps, .is_beat = is_beat});
    if (wanted == Interruption::none) return false;
    const ScopedSeconds timer(seconds_.output);
    interruptions.enter("checkpoint", step_);
    interruptions.save(state(), owned_);
    return wanted == Interruption::stop;
}

/// Collective.
RunState RunLoop::state() {
    RunState state;
    state.step = step_;
    observation_.save_to(state);
    return state;
}

SlabStepper RunLoop::make_stepper(StepEngine& engine) {
    return {balancer_->exchange(),
            engine,
            config_.box,
            balancer_->slabs(),
            {.excursion_factor = config_.run.halo_margin, .contacts_per_window = config_.run.sub_window}};
}

RunEnd RunLoop::equilibrate(Interruptions& interruptions) {
    const bool has_goal = equilibration_goal_.until_melted || equilibration_goal_.collisions_per_particle > 0;
    if (!has_goal || num_particles_ == 0) return RunEnd::finished;
    const auto engine = make_step_engine(config_.box, ContactRules(config_.species.size()), engine_options_);
    SlabStepper stepper = make_stepper(*engine);
    EquilibrationState state;
    if (start_) state = *std::exchange(start_, std::nullopt)->equilibration;
    return ricochet::equilibrate(
        {exchange_, config_, drives_, stepper, *balancer_, owned_, monitor_, interruptions},
        equilibration_goal_, num_particles_, state);
}

void RunLoop::begin_record() {
    engine_ = make_step_engine(config_.box, contact_rules(config_), engine_options_);
    stepper_.emplace(make_stepper(*engine_));
    if (start_) {
        progress_step_ = step_;
        observation_.restore_from(*start_);
    } else {
        set_origins(owned_, config_.box);
        drives_.start(owned_);
    }
    heartbeat_.restart(step_);
    start_temperature_ = temperature();
}

void RunLoop::drive_with(void (Drive::*act)(Particles&, DrivenStep) const) {
    const ScopedSeconds timer(seconds_.drive);
    (drives_.*act)(owned_, {.number = step_});
}

void RunLoop::record(Recorder& recorder) {
    const double time = static_cast<double>(step_) * config_.run.timestep;
    if (is_due(step_, config_.output.observables_every, config_.run.num_steps)) {
        const ScopedSeconds timer(seconds_.observe);
        recorder.sample(step_, time, observation_.take_sample(owned_, time));
    }
    if (is_due(step_, config_.output.trajectory_every, config_.run.num_steps)) {
        const ScopedSeconds timer(seconds_.output);
        recorder.frame(step_, time, owned_);
    }
}

double RunLoop::temperature() {
    ObservableSums state(config_.species.size());
    state.add_particles(owned_, config_.box);
    std::vector<std::int64_t> integers = state.integers();
    exchange_.sum(integers);
    state.assign(integers);
    return ObservableSeries(config_.box, config_.species.size(), bath_temperature(config_))
        .evaluate(state, 0)
        .temperature;
}

void RunLoop::sort_in_space() {
    if (step_ % steps_between_sorts != 0) return;
    const ScopedSeconds timer(seconds_.sort);
    reorder(owned_, engine_->spatial_order());
}

void RunLoop::tell_progress(Recorder& recorder) {
    std::int64_t collisions = local_collisions_;
    exchange_.sum(std::span(&collisions, 1));
    {
        const ScopedSeconds timer(seconds_.output);
        recorder.flush();
    }
    monitor_.progress({step_, first_step_, config_.run.num_steps, heartbeat_.seconds(), collisions,
                       2 * static_cast<double>(collisions) / static_cast<double>(num_particles_),
                       config_.dynamics.type == DynamicsType::ballistic});
    if (step_ > progress_step_)
        note_long_steps(2 * static_cast<double>(collisions - progress_collisions_) /
                        (static_cast<double>(num_particles_) * static_cast<double>(step_ - progress_step_)));
    progress_collisions_ = collisions;
    progress_step_ = step_;
}

/// Notes long steps once: when they are predicted, or observed, for example in a gas that heats up.
void RunLoop::note_long_steps(double contacts_per_particle) {
    if (has_noted_long_steps_) return;
    const auto advice = advice_on_timestep(config_, contacts_per_particle);
    if (!advice) return;
    has_noted_long_steps_ = true;
    monitor_.note(*advice);
}

void RunLoop::finish_totals() {
    std::array<std::int64_t, 2> counts{local_collisions_, local_wall_contacts_};
    exchange_.sum(counts);
    totals_ = {num_particles_, step_ - first_step_, counts[0], counts[1],
               (start_temperature_ + temperature()) / 2};
}

}  // namespace ricochet
