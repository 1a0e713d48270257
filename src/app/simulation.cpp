// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/app/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "ricochet/app/diffusion_outlook.hpp"
#include "ricochet/core/reorder.hpp"
#include "ricochet/core/scoped_seconds.hpp"
#include "ricochet/engine/search_choice.hpp"
#include "ricochet/parallel/halo.hpp"

namespace ricochet {
namespace {

ContactRules contact_rules(const Config& config) {
    ContactRules rules(config.species.size());
    for (const PairRestitution& pair : restitution_of_pairs(config)) {
        if (pair.b == wall_species)
            rules.set_wall(pair.a, pair.restitution);
        else
            rules.set_pair(pair.a, pair.b, pair.restitution);
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

/// Adds up the contacts of a step, and keeps them where that is wanted.
template <class Record>
class StepContacts final : public ContactSink<Record> {
  public:
    StepContacts(std::size_t num_species, ContactSink<Record>* kept, double& seconds)
        : sums_(num_species), settled_(num_species), kept_(kept), seconds_(seconds) {}
    void add(std::span<const Record> contacts) override {
        const ScopedSeconds timer(seconds_);
        sums_.add_contacts(contacts);
        if (kept_ != nullptr) kept_->add(contacts);
    }
    void settle() override {
        settled_ = sums_;
        if (kept_ != nullptr) kept_->settle();
    }
    void take_back() override {
        sums_ = settled_;
        if (kept_ != nullptr) kept_->take_back();
    }
    const ObservableSums& sums() const { return sums_; }

  private:
    ObservableSums sums_, settled_;
    ContactSink<Record>* kept_;
    double& seconds_;
};

}  // namespace

Simulation::Simulation(Exchange& exchange, const Config& config, Monitor& monitor)
    : Simulation(exchange, config, monitor, std::optional<Checkpoint>()) {}

Simulation::Simulation(Exchange& exchange, const Config& config, Monitor& monitor, Checkpoint start)
    : Simulation(exchange, config, monitor, std::optional<Checkpoint>(std::move(start))) {}

Simulation::Simulation(Exchange& exchange, const Config& config, Monitor& monitor,
                       std::optional<Checkpoint> start)
    : exchange_(exchange),
      config_(config),
      monitor_(monitor),
      heartbeat_(exchange),
      sums_(config.species.size()),
      series_(config.box, config.species.size(), bath_temperature(config)) {
    require_possible(config, exchange.size());
    if (start)
        place(std::move(*start));
    else
        place();
    const ParticleSummary summary = check_first_step();
    cut_the_box(summary);
    const SearchChoice choice = choose_search(config.search, config.box, num_particles_, summary.mean_reach);
    monitor.note("search " + std::string(to_string(choice.method)) + ": " + choice.reason);
    const double pairs = estimated_contact_rate(config, config.dynamics.kT).value_or(0) * config.run.timestep;
    note_long_steps(2 * pairs / static_cast<double>(std::max<std::uint64_t>(1, num_particles_)));
    for (const std::string& sentence : describe_diffusion(config)) monitor.note(sentence);
    engine_options_ = {.search = choice.method, .contact_cap = config.run.contact_cap};
}

void Simulation::place() {
    Start start = make_start(exchange_, config_);
    owned_ = std::move(start.particles);
    num_particles_ = start.num_particles;
    for (const std::string& note : start.notes) monitor_.note(note);
    equilibration_goal_ = {config_.run.equilibrate.value_or(0),
                           start.needs_equilibration && !config_.run.equilibrate};
}

void Simulation::place(Checkpoint start) {
    owned_ = std::move(start.particles);
    num_particles_ = start.num_particles;
    start_ = std::move(start.state);
    first_step_ = step_ = start_->step;
    if (start_->equilibration)
        equilibration_goal_ = {config_.run.equilibrate.value_or(0), !config_.run.equilibrate};
}

/// The first step must be possible, with the velocities that the particles will have in it; those from a
/// checkpoint have been in many, and keep theirs.
ParticleSummary Simulation::check_first_step() {
    if (!start_) drive(config_, owned_, 0);
    const ParticleSummary summary = measured_summary(exchange_, config_, owned_);
    if (config_.placement.method == PlacementMethod::file) make_plan(config_, summary, exchange_.size());
    return summary;
}

/// The particles may still be anywhere: no rank gets more than its share of them.
void Simulation::cut_the_box(const ParticleSummary& summary) {
    SliceGrid grid(config_.box, std::max(summary.largest_radius, 1e-3 * config_.box.size.x));
    const BalanceOptions options{.has_moving_cuts = config_.run.balance == BalanceChoice::measured};
    balancer_.emplace(exchange_, std::move(grid), options);
    const HaloReach reach{summary.largest_radius, config_.run.halo_margin * summary.largest_displacement};
    balancer_->start(owned_, reach.max_width());
}

void Simulation::run(Recorder& recorder) {
    Interruptions none;
    run(recorder, none);
}

RunEnd Simulation::run(Recorder& recorder, Interruptions& interruptions) {
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

void Simulation::step_once(Recorder& recorder, Interruptions& interruptions) {
    interruptions.enter("contacts", step_);
    balancer_->step(*stepper_, owned_, [&] {
        set_velocities();
        kept_contacts_.clear();
        if (recorder.wants_contacts())
            find_contacts<Contact>(&kept_contacts_, recorder);
        else
            find_contacts<ContactBrief>(nullptr, recorder);
    });
    ++step_;
    sort_in_space();
}

template <class Record>
void Simulation::find_contacts(ContactSink<Record>* kept, Recorder& recorder) {
    StepContacts<Record> contacts(config_.species.size(), kept, seconds_.observe);
    stepper_->run(owned_, step_, config_.run.timestep, contacts);
    note_contacts(contacts.sums(), recorder);
}

/// Hands the state over where that is wanted.
bool Simulation::is_stopped(Interruptions& interruptions, bool is_beat) {
    const Interruption wanted = interruptions.ask(
        {.step = step_, .is_recorded = true, .is_last = step_ >= config_.run.num_steps, .is_beat = is_beat});
    if (wanted == Interruption::none) return false;
    const ScopedSeconds timer(seconds_.output);
    interruptions.enter("checkpoint", step_);
    interruptions.save(state(), owned_);
    return wanted == Interruption::stop;
}

/// Collective.
RunState Simulation::state() const {
    ObservableSums all = sums_;
    add_over_ranks(exchange_, all);
    return {.step = step_, .equilibration = std::nullopt, .sums = all.integers(), .series = series_.state()};
}

SlabStepper Simulation::make_stepper(StepEngine& engine) {
    return {balancer_->exchange(),
            engine,
            config_.box,
            balancer_->slabs(),
            {.excursion_factor = config_.run.halo_margin, .contacts_per_window = config_.run.sub_window}};
}

RunEnd Simulation::equilibrate(Interruptions& interruptions) {
    const bool has_goal = equilibration_goal_.until_melted || equilibration_goal_.collisions_per_particle > 0;
    if (!has_goal || num_particles_ == 0) return RunEnd::finished;
    const auto engine = make_step_engine(config_.box, ContactRules(config_.species.size()), engine_options_);
    SlabStepper stepper = make_stepper(*engine);
    EquilibrationState state;
    if (start_) state = *std::exchange(start_, std::nullopt)->equilibration;
    return ricochet::equilibrate({exchange_, config_, stepper, *balancer_, owned_, monitor_, interruptions},
                                 equilibration_goal_, num_particles_, state);
}

void Simulation::begin_record() {
    engine_ = make_step_engine(config_.box, contact_rules(config_), engine_options_);
    stepper_.emplace(make_stepper(*engine_));
    if (start_) {
        told_step_ = step_;
        if (exchange_.rank() == 0) sums_.assign(start_->sums);
        series_.restore(start_->series);
    } else {
        set_origins(owned_, config_.box);
        set_velocities();
    }
    heartbeat_.restart(step_);
    start_temperature_ = temperature();
}

void Simulation::set_velocities() {
    const ScopedSeconds timer(seconds_.drive);
    drive(config_, owned_, step_);
}

void Simulation::note_contacts(const ObservableSums& of_step, Recorder& recorder) {
    const ScopedSeconds timer(seconds_.observe);
    const auto counts = of_step.contacts().cells();
    const std::int64_t num_pairs = of_step.contacts().num_pair_contacts();
    local_collisions_ += num_pairs;
    local_wall_contacts_ += std::accumulate(counts.begin(), counts.end(), -num_pairs);
    sums_.merge_contacts(of_step);
    recorder.contacts(step_, kept_contacts_.contacts());
}

void Simulation::record(Recorder& recorder) {
    const double time = static_cast<double>(step_) * config_.run.timestep;
    if (is_due(step_, config_.output.observables_every, config_.run.num_steps)) {
        const ScopedSeconds timer(seconds_.observe);
        recorder.sample(step_, time, take_sample(time));
    }
    if (is_due(step_, config_.output.trajectory_every, config_.run.num_steps)) {
        const ScopedSeconds timer(seconds_.output);
        recorder.frame(step_, time, owned_);
    }
}

/// What the ranks have added up since the previous sample, as values.
ObservableSample Simulation::take_sample(double time) {
    sums_.add_particles(owned_, config_.box);
    add_over_ranks(exchange_, sums_);
    ObservableSample sample = series_.evaluate(sums_, time);
    sums_ = ObservableSums(config_.species.size());
    return sample;
}

double Simulation::temperature() {
    ObservableSums state(config_.species.size());
    state.add_particles(owned_, config_.box);
    add_over_ranks(exchange_, state);
    return ObservableSeries(config_.box, config_.species.size(), bath_temperature(config_))
        .evaluate(state, 0)
        .temperature;
}

void Simulation::sort_in_space() {
    if (step_ % steps_between_sorts != 0) return;
    const ScopedSeconds timer(seconds_.sort);
    reorder(owned_, engine_->spatial_order());
}

void Simulation::tell_progress(Recorder& recorder) {
    std::int64_t collisions = local_collisions_;
    exchange_.sum(std::span(&collisions, 1));
    {
        const ScopedSeconds timer(seconds_.output);
        recorder.relieve();
    }
    monitor_.progress({step_, first_step_, config_.run.num_steps, heartbeat_.seconds(), collisions,
                       2 * static_cast<double>(collisions) / static_cast<double>(num_particles_),
                       config_.dynamics.type == DynamicsType::ballistic});
    if (step_ > told_step_)
        note_long_steps(2 * static_cast<double>(collisions - told_collisions_) /
                        (static_cast<double>(num_particles_) * static_cast<double>(step_ - told_step_)));
    told_collisions_ = collisions;
    told_step_ = step_;
}

/// Once: as soon as it is foreseen, or seen, as where a gas heats up.
void Simulation::note_long_steps(double contacts_per_particle) {
    if (has_noted_long_steps_) return;
    const auto advice = advice_on_timestep(config_, contacts_per_particle);
    if (!advice) return;
    has_noted_long_steps_ = true;
    monitor_.note(*advice);
}

void Simulation::finish_totals() {
    std::array<std::int64_t, 2> counts{local_collisions_, local_wall_contacts_};
    exchange_.sum(counts);
    totals_ = {num_particles_, step_ - first_step_, counts[0], counts[1],
               (start_temperature_ + temperature()) / 2};
}

}  // namespace ricochet
