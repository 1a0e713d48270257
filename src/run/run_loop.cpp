// SPDX-License-Identifier: BSD-3-Clause
#include "run/run_loop.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/block_store.hpp"
#include "model/reorder.hpp"
#include "model/world_facts.hpp"
#include "observe/observables.hpp"
#include "observe/observers.hpp"
#include "plan/position_outlook.hpp"
#include "ricochet/core/error.hpp"
#include "run/found_box.hpp"
#include "run/lattice_note.hpp"
#include "run/measured_species.hpp"
#include "run/measured_summary.hpp"
#include "search/search_choice.hpp"
#include "slabs/halo.hpp"
#include "theory/contact_rate.hpp"
#include "theory/diffusion_outlook.hpp"
#include "theory/drive_outlook.hpp"
#include "theory/mass_outlook.hpp"
#include "theory/product_outlook.hpp"
#include "theory/rate_outlook.hpp"

namespace ricochet {
namespace {

/// Once for all: they are not taken back with the contacts of the step.
void add_for_good(const std::vector<Contact>& records, ContactSink& contacts) {
    if (contacts.detail() == ContactDetail::records) {
        contacts.add_records(records);
    } else {
        std::vector<ContactBrief> briefs;
        briefs.reserve(records.size());
        for (const Contact& record : records) briefs.push_back(brief_of(record));
        contacts.add_briefs(briefs);
    }
    contacts.settle();
}

std::unique_ptr<KeptFields> make_fields(Exchange& exchange, const Config& config) {
    if (!config.self_gravity) return nullptr;
    return std::make_unique<KeptFields>(exchange, config.box, *config.self_gravity);
}

/// The box of a run that is continued was found when it began.
SettledBox box_of_run(Exchange& exchange, const Config& config, const std::optional<Checkpoint>& start) {
    if (!start) return settle_box(exchange, config);
    const std::optional<FoundBox>& found = start->state.found_box;
    return {.config = in_found_box(config, found), .found = found};
}

}  // namespace

RunLoop::RunLoop(Exchange& exchange, const Config& config, Monitor& monitor, std::optional<Checkpoint> start)
    : RunLoop(exchange, box_of_run(exchange, config, start), monitor, std::move(start)) {}

RunLoop::RunLoop(Exchange& exchange, SettledBox settled, Monitor& monitor, std::optional<Checkpoint>&& start)
    : exchange_(exchange),
      config_(std::move(settled.config)),
      found_box_(settled.found),
      world_(world_of(config_)),
      monitor_(monitor),
      drives_(make_drives(config_)),
      gravity_fields_(make_fields(exchange, config_)),
      collective_drives_(make_collective_drives(config_, gravity_fields_.get())),
      tether_breaks_(world_),
      decays_(exchange, world_),
      heartbeat_(exchange),
      observation_(exchange),
      long_steps_(config_, monitor) {
    for (auto& observer : make_observers(world_)) add(std::move(observer));
    if (gravity_fields_) add(make_gravity_energy(world_, *gravity_fields_));
    require_possible(config_, exchange.size());
    if (start)
        place(std::move(*start));
    else
        place(std::move(settled.placement));
    if (has_tethers(world_)) owned_.track.keep_tethers();
    if (world_.collapse_duration > 0) owned_.track.keep_latest_contacts();
    const ParticleSummary summary = check_first_step();
    cut_the_box(summary);
    const SearchChoice choice = choose_search(config_.search, world_.box, num_particles_, summary.mean_reach);
    monitor.detail("search " + std::string(to_string(choice.method)) + ": " + choice.reason);
    note_estimates(summary);
    engine_options_ = {.search = choice.method,
                       .search_options = config_.search_options,
                       .loop = config_.search_loop,
                       .contact_cap = config_.run.contact_cap,
                       .clock = &clock_};
    engine_options_.kicks = kicks_with_fields(config_);
}

void RunLoop::note_estimates(const ParticleSummary& summary) {
    const Config config = config_for_estimates(exchange_, config_, owned_);
    const double pairs = estimated_contact_rate(config, config.dynamics.kT).value_or(0) * config.run.timestep;
    long_steps_.consider(2 * pairs / static_cast<double>(std::max<std::uint64_t>(1, num_particles_)));
    if (const auto note = note_on_positions(config, summary)) monitor_.note(*note);
    const World world = world_of(config);
    for (const auto& sentences :
         {describe_diffusion(config), describe_masses(world), describe_rates(world), describe_decays(world),
          describe_tethers(world), describe_drive(config), describe_forces(config), describe_walls(config),
          describe_thermal_walls(config), describe_rest(config), describe_self_gravity(config),
          describe_products(world)})
        for (const std::string& sentence : sentences) monitor_.note(sentence);
}

void RunLoop::place(std::optional<Placement> placed) {
    Start start = make_start(exchange_, config_, std::move(placed));
    owned_ = std::move(start.particles);
    num_particles_ = start.num_particles;
    for (const std::string& note : start.notes) monitor_.note(note);
    decays_.start(owned_);
    num_sites_ = start.num_sites;
    equilibration_goal_ = {config_.run.equilibrate.value_or(0),
                           start.needs_equilibration && !config_.run.equilibrate, has_grown()};
}

void RunLoop::place(Checkpoint start) {
    owned_ = std::move(start.particles);
    num_particles_ = start.num_particles;
    decays_.restore(start.state.next_id);
    start_ = std::move(start.state);
    start_note_ = start_->start_note;
    if (start_->equilibration)
        equilibration_goal_ = {config_.run.equilibrate.value_or(0), !config_.run.equilibrate, has_grown()};
}

/// Checks that the first step is possible with the velocities that the particles have in it. Particles from a
/// checkpoint keep their velocities.
ParticleSummary RunLoop::check_first_step() {
    if (!start_) drives_.start(owned_);
    const ParticleSummary summary = measured_summary(exchange_, config_, owned_);
    if (config_.placement.method != PlacementMethod::file) return summary;
    // Sizes are those of the file. A continued run was checked when it first started.
    Config config = start_ ? config_ : config_for_estimates(exchange_, config_, owned_);
    if (start_) config.run.reaction_steps = ReactionSteps::any;
    make_plan(config, summary, exchange_.size());
    return summary;
}

/// The particles may still be anywhere; no rank holds more than its share of them.
void RunLoop::cut_the_box(const ParticleSummary& summary) {
    SliceGrid grid(world_.box, std::max(summary.largest_radius, 1e-3 * world_.box.size.x));
    const BalanceOptions options{.has_moving_cuts = config_.run.balance == BalanceChoice::measured};
    balancer_.emplace(exchange_, std::move(grid), options);
    const HaloReach reach{summary.largest_radius, config_.run.halo_margin * summary.largest_displacement};
    balancer_->start(owned_, reach.max_width());
}

RunEnd RunLoop::run(Recorder& recorder, Interruptions& interruptions) {
    if (!recording_) {
        if (equilibrate(interruptions) == RunEnd::stopped) return RunEnd::stopped;
        clock_.restart();
        begin_recording(recorder);
    }
    const RunEnd end = run_stage(*recording_, interruptions);
    totals_ = recording_->totals();
    totals_.temperature = (start_temperature_ + temperature(exchange_, world_, owned_)) / 2;
    return end;
}

RunEnd RunLoop::equilibrate(Interruptions& interruptions) {
    const bool has_goal = equilibration_goal_.until_steady || equilibration_goal_.collisions_per_particle > 0;
    if (!has_goal || num_particles_ == 0) {
        note_on_crystal();
        return RunEnd::finished;
    }
    EquilibrationState state;
    state.num_sites = num_sites_;
    if (start_) state = *std::exchange(start_, std::nullopt)->equilibration;
    Equilibration equilibration(stage_parts(), equilibration_goal_, std::move(state));
    const RunEnd end = run_stage(equilibration, interruptions);
    if (end == RunEnd::finished) start_note_ = equilibration.describe_end(owned_);
    return end;
}

/// A lattice that is not equilibrated needs a word only where it stays a crystal.
void RunLoop::note_on_crystal() {
    const auto note = crystal_note(world_, num_sites_);
    if (!note) return;
    start_note_ = *note;
    monitor_.note(start_note_);
}

void RunLoop::begin_recording(Recorder& recorder) {
    if (start_) {
        observation_.restore_from(*start_);
    } else {
        set_origins(owned_, world_.box);
        drives_.start(owned_);
    }
    start_temperature_ = temperature(exchange_, world_, owned_);
    recording_.emplace(stage_parts(), observation_, recorder, long_steps_, start_ ? start_->step : 0);
}

StageParts RunLoop::stage_parts() {
    return {exchange_, config_, world_, engine_options_, *balancer_, monitor_, clock_, num_particles_};
}

/// The time loop. The state at the end of a step is saved before anything of the step is recorded.
RunEnd RunLoop::run_stage(Stage& stage, Interruptions& interruptions) {
    heartbeat_.restart(stage.step_end().step);
    while (true) {
        StepEnd end = stage.step_end();
        end.is_beat = heartbeat_.is_due(end.step);
        if (end.is_beat) heartbeat_.beat(end.step);
        if (is_stopped(stage, end, interruptions)) return RunEnd::stopped;
        interruptions.enter(end.is_recorded ? "recording" : "equilibration", end.step);
        stage.record(owned_);
        if (end.is_beat) stage.tell_progress(heartbeat_.seconds());
        if (stage.is_over()) return RunEnd::finished;
        if (end.is_recorded) interruptions.enter("contacts", end.step);
        do_step(stage, {end.step, end.is_recorded, stage.samples_next()});
    }
}

/// One step: tethers break, particles decay; drive, drift from contact to contact (slabs/slab_step.hpp); particles
/// decay again; observe.
void RunLoop::do_step(Stage& stage, DrivenStep step) {
    ContactSink& contacts = stage.begin_step();
    std::int64_t change = 0;  // of the number of particles, by what happens on this rank
    balancer_->step(stage.stepper(), owned_, [&] {
        break_tethers(step, contacts);
        change = decay(step, {step.number}, contacts);
        drive_before_drift(step);
        stage.stepper().run(owned_, step.number, world_.timestep, contacts);
        drive_after_drift(step);
    });
    // The engine's order in space is that of the particles after the drift.
    if ((step.number + 1) % steps_between_sorts == 0) sort_in_space(stage.engine());
    change += decay(step, {step.number, true}, contacts);
    stage.end_step();
    change -= static_cast<std::int64_t>(stage.stepper().num_ended_in_step());
    if (stage.engine().changes_matter() || !decays_.are_none()) count_particles(step.number, change);
}

void RunLoop::break_tethers(DrivenStep step, ContactSink& contacts) {
    const PhaseClock::Scope scope = clock_.enter(Phase::drive);
    if (!step.is_recorded) return;
    const std::vector<Contact> records = tether_breaks_.before_step(step.number, owned_);
    if (!records.empty()) add_for_good(records, contacts);
}

/// Returns how many more particles this rank has afterwards.
std::int64_t RunLoop::decay(DrivenStep step, HalfStep half, ContactSink& contacts) {
    if (!step.is_recorded || decays_.are_none()) return 0;
    const PhaseClock::Scope scope = clock_.enter(Phase::drive);
    const auto before = std::ssize(owned_.motion);
    add_for_good(decays_.decay(half, owned_), contacts);
    return std::ssize(owned_.motion) - before;
}

/// Some may have ended, or be new. No other particle may have come or gone.
void RunLoop::count_particles(std::uint64_t step, std::int64_t change) {
    std::array<std::int64_t, 2> sums{std::ssize(owned_.motion), change};
    exchange_.sum(sums);
    const std::int64_t expected = static_cast<std::int64_t>(num_particles_) + sums[1];
    if (sums[0] != expected)
        throw RunError("step " + std::to_string(step) + ": there are " + std::to_string(sums[0]) +
                       " particles, expected " + std::to_string(expected) +
                       ", by births and ends: a defect of the program, please report it");
    num_particles_ = static_cast<std::uint64_t>(sums[0]);
}

/// The work of collective drives is shared by all ranks alike: no cut of the box makes it more even.
void RunLoop::drive_before_drift(DrivenStep step) {
    const PhaseClock::Scope scope = clock_.enter(Phase::drive);
    if (!collective_drives_.is_empty()) {
        const WorkMeter::Pause pause(balancer_->exchange());
        collective_drives_.before_drift(owned_, step);
    }
    drives_.before_drift(owned_, step);
}

void RunLoop::drive_after_drift(DrivenStep step) {
    const PhaseClock::Scope scope = clock_.enter(Phase::drive);
    drives_.after_drift(owned_, step);
    if (collective_drives_.is_empty()) return;
    const WorkMeter::Pause pause(balancer_->exchange());
    collective_drives_.after_drift(owned_, step);
}

void RunLoop::sort_in_space(StepEngine& engine) {
    const PhaseClock::Scope scope = clock_.enter(Phase::sorting);
    reorder(owned_, engine.spatial_order());
}

/// Hands over the state where an interruption asks for it.
bool RunLoop::is_stopped(Stage& stage, const StepEnd& end, Interruptions& interruptions) {
    const Interruption wanted = interruptions.ask(end);
    if (wanted == Interruption::none) return false;
    const PhaseClock::Scope scope = clock_.enter(Phase::output);
    interruptions.enter("checkpoint", end.step);
    RunState state = stage.state();
    state.next_id = decays_.next_id();
    state.start_note = start_note_;
    state.found_box = found_box_;
    interruptions.save(state, owned_);
    return wanted == Interruption::stop;
}

}  // namespace ricochet
