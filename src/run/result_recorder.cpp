// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/run/result_recorder.hpp"

#include <utility>

#include "geometry/obstacle.hpp"
#include "model/world_facts.hpp"
#include "run/report.hpp"

namespace ricochet {
namespace {

CollisionLogOptions log_options(const OutputOptions& output, bool has_outcomes) {
    using Mode = CollisionSelection::Mode;
    CollisionLogOptions options;
    options.selection.mode = output.collisions == CollisionChoice::all    ? Mode::all
                             : output.collisions == CollisionChoice::none ? Mode::none
                                                                          : Mode::pairs;
    options.selection.pairs = output.collision_pairs;
    options.byte_budget = output.collision_byte_budget;
    options.has_outcomes = has_outcomes;
    return options;
}

/// The species with the numbers of a start that tells them by its particles. Collective.
std::vector<Species> counted_species(Exchange& exchange, const World& world, const Particles& owned) {
    std::vector<Species> species = world.species;
    const std::vector<std::int64_t> counts = count_by_species(exchange, world, owned);
    for (std::size_t s = 0; s < species.size(); ++s) species[s].count = static_cast<std::uint64_t>(counts[s]);
    return species;
}

ResultDescription describe_run(Exchange& exchange, const Config& config, RunOrigin origin,
                               const Simulation& simulation) {
    const World world = world_of(config);
    ResultDescription description;
    description.title = config.title;
    description.author = config.output.author;
    description.identity = std::move(origin.identity);
    description.box = world.box;
    if (const auto& found = simulation.found_box()) description.start_pressure = found->pressure;
    description.bodies = world.bodies;
    for (const BodyNumber body : bodies_of_surfaces(world))
        description.body_of_surface.push_back(body - first_body);
    description.species = config.placement.method == PlacementMethod::file
                              ? counted_species(exchange, world, simulation.owned())
                              : world.species;
    description.num_particles = simulation.num_particles();
    description.has_changing_particles = has_changing_particles(world);
    if (has_births(world)) description.first_new_id = simulation.next_id();
    description.wants_frames = config.output.trajectory_every > 0;
    description.timestep = world.timestep;
    description.seed = world.seed;
    description.precision =
        config.output.precision == OutputPrecision::float32 ? Precision::float32 : Precision::float64;
    description.survives_power_loss = config.output.survives == OutputSafety::power_loss;
    description.flush_every_seconds = config.output.flush_every_seconds;
    description.sync_every_seconds = config.output.sync_every_seconds;
    description.is_compressed = config.output.compression == OutputCompression::gzip;
    description.input_text = std::move(origin.input_text);
    description.effective_input = effective_yaml(config);
    description.units = {
        {"length", config.units.length}, {"time", config.units.time}, {"energy", config.units.energy}};
    description.notes = meaning_of_numbers(config);
    description.provenance = std::move(origin.provenance);
    description.provenance.push_back({"search", std::string(to_word(config.search))});
    description.is_sampled_with_frames = config.output.observables_every == config.output.trajectory_every &&
                                         config.output.observables_every > 0;
    description.observables = simulation.observables();
    description.collisions = log_options(config.output, has_changing_particles(world));
    return description;
}

std::vector<ParticleId> ids_of(const Particles& particles) {
    std::vector<ParticleId> ids;
    ids.reserve(particles.size());
    for (const Motion& motion : particles.motion) ids.push_back(motion.id);
    return ids;
}

}  // namespace

static std::vector<NamedText> meaning_of_ballistic_numbers(const Config& config) {
    std::vector<NamedText> notes{{"velocity", "length per time at the end of the step"},
                                 {"mass", "as the input says"}};
    if (is_driven(config))
        notes.push_back({"drive",
                         "kicks before each step change velocities, energy and momentum: there is no "
                         "equilibrium, and the temperature is no more than a mean of squared velocities"});
    if (!bodies_that_give_energy(world_of(config)).empty())
        notes.push_back(
            {"given_energy",
             "walls that move, and walls and bodies of a temperature, change energy and momentum. Volumes "
             "and densities are those at step 0"});
    if (config.fields)
        notes.push_back({"gravity",
                         "changes energy and momentum; contacts conserve total_energy. Pressure is the mean "
                         "over the box, in which density depends on the height"});
    if (config.self_gravity)
        notes.push_back(
            {"self_gravity",
             "changes kinetic energy. Contacts conserve total_energy, but for mergers and decays, and so "
             "do orbits up to an error of the timestep that does not grow. Pressure is that of contacts "
             "and velocities alone"});
    return notes;
}

std::vector<NamedText> meaning_of_numbers(const Config& config) {
    if (config.dynamics.type == DynamicsType::ballistic) return meaning_of_ballistic_numbers(config);
    std::vector<NamedText> notes{
        {"velocity",
         "of the straight path that the step ended on: displacement per timestep, drawn anew in every step "
         "with variance 2 D/timestep per axis; at step 0 that of the first step"},
        {"mass",
         "effective mass kT timestep/(2 D), with which these velocities are Maxwell's at kT; used in "
         "the contacts"},
        {"energy", "of the velocities and effective masses: fluctuates about dimension/2 kT per particle"},
        {"momentum", "of the velocities and effective masses: fluctuates about zero"},
        {"impulse", "effective mass times change of velocity"},
        {"contacts",
         "of straight steps: their number per time grows as timestep^-1/2 and is no encounter rate"}};
    if (has_fields(config))
        notes.push_back({"drift",
                         "paths are parabolas in the drift that all particles have in common, and straight "
                         "beside it; mean square displacements have the drift in them, and velocities are "
                         "those at the end of the step"});
    return notes;
}

ResultRecorder::ResultRecorder(Exchange& exchange, const Config& config, RunOrigin origin,
                               const Simulation& simulation, bool replace, Monitor& monitor)
    : monitor_(monitor),
      writer_(exchange, config.output.file, describe_run(exchange, config, std::move(origin), simulation),
              replace, ids_of(simulation.owned())),
      has_collision_log_(config.output.collisions != CollisionChoice::none) {
    monitor_.detail("chunks of the result: " + writer_.describe_chunks());
}

ResultRecorder::ResultRecorder(Exchange& exchange, const Config& config, RunOrigin origin,
                               const Simulation& simulation, const ResultPosition& position, Monitor& monitor,
                               const std::function<void()>& on_piece)
    : monitor_(monitor),
      writer_(ResultWriter::reopen(exchange, config.output.file,
                                   describe_run(exchange, config, std::move(origin), simulation), position,
                                   on_piece)),
      has_collision_log_(config.output.collisions != CollisionChoice::none),
      has_reported_notice_(position.first_missing_step.has_value()) {}

void ResultRecorder::frame(std::uint64_t step, double time, const Particles& owned) {
    writer_.write_frame(step, time, owned);
    report_notice();
}

void ResultRecorder::contacts(std::uint64_t step, std::span<const Contact> contacts) {
    writer_.append_contacts(step, contacts);
}

void ResultRecorder::sample(std::uint64_t step, double time, const Sample& sample) {
    writer_.append_observables(step, time, sample.values);
}

void ResultRecorder::flush() {
    writer_.flush_if_due();
    report_notice();
}

ResultPosition ResultRecorder::flush_all() {
    writer_.flush();
    report_notice();
    return writer_.position();
}

void ResultRecorder::close(double wall_seconds, const std::string& end, std::span<const NamedText> accounts) {
    std::vector<NamedText> provenance(accounts.begin(), accounts.end());
    provenance.push_back({"end", end});
    writer_.close(wall_seconds, provenance);
    report_notice();
}

void ResultRecorder::report_notice() {
    if (has_reported_notice_) return;
    if (const auto notice = writer_.collision_log_notice()) {
        monitor_.note(*notice);
        has_reported_notice_ = true;
    }
}

}  // namespace ricochet
