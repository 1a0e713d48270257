// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/run/simulation.hpp"

#include <utility>

#include "ricochet/core/error.hpp"
#include "run/run_loop.hpp"

namespace ricochet {
namespace {

const Config& with_all_bodies(const Config& config) {
    if (!has_all_bodies(config))
        throw InputError(
            "bodies: the file of their spheres was not read: load_config reads it, and so does parse_config "
            "with a reader");
    return config;
}

}  // namespace

Simulation::Simulation(Exchange& exchange, const Config& config, Monitor& monitor)
    : loop_(std::make_unique<RunLoop>(exchange, with_all_bodies(config), monitor, std::nullopt)) {}
Simulation::Simulation(Exchange& exchange, const Config& config, Monitor& monitor, Checkpoint start)
    : loop_(std::make_unique<RunLoop>(exchange, with_all_bodies(config), monitor, std::move(start))) {}
Simulation::~Simulation() = default;

void Simulation::add(std::unique_ptr<Drive> drive) { loop_->add(std::move(drive)); }
void Simulation::add(std::unique_ptr<Observer> observer) { loop_->add(std::move(observer)); }

RunEnd Simulation::run(Recorder& recorder, Interruptions& interruptions) {
    return loop_->run(recorder, interruptions);
}
void Simulation::run(Recorder& recorder) {
    Interruptions none;
    loop_->run(recorder, none);
}

const Config& Simulation::config() const { return loop_->config_; }
const std::optional<FoundBox>& Simulation::found_box() const { return loop_->found_box_; }
const Particles& Simulation::owned() const { return loop_->owned_; }
std::uint64_t Simulation::num_particles() const { return loop_->num_particles_; }
std::optional<ParticleId> Simulation::next_id() const { return loop_->decays_.next_id(); }
const std::vector<ObservableInfo>& Simulation::observables() const { return loop_->observation_.columns(); }
SearchMethod Simulation::search() const { return loop_->engine_options_.search; }
bool Simulation::is_recording() const { return loop_->recording_.has_value(); }

SlabStepStatistics Simulation::step_statistics() const {
    return is_recording() ? loop_->recording_->stepper().statistics() : SlabStepStatistics{};
}

EngineMemory Simulation::engine_memory() const {
    return is_recording() ? loop_->recording_->engine().memory() : EngineMemory{};
}

const BalanceStatistics& Simulation::balance_statistics() const { return loop_->balancer_->statistics(); }
const PhaseClock& Simulation::clock() const { return loop_->clock_; }
const RunTotals& Simulation::totals() const { return loop_->totals_; }
GravityStatistics Simulation::gravity_statistics() const {
    if (!loop_->gravity_fields_) return {};
    const KeptFields& fields = *loop_->gravity_fields_;
    return {fields.num_found(),
            static_cast<double>(fields.counts().num_points),
            static_cast<double>(fields.counts().num_cells),
            static_cast<double>(fields.counts().num_targets),
            fields.forces().net,
            fields.forces().gross};
}
const std::string& Simulation::start_note() const { return loop_->start_note_; }

}  // namespace ricochet
