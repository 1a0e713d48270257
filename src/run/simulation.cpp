// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/run/simulation.hpp"

#include <utility>

#include "run/run_loop.hpp"

namespace ricochet {

Simulation::Simulation(Exchange& exchange, const Config& config, Monitor& monitor)
    : loop_(std::make_unique<RunLoop>(exchange, config, monitor)) {}
Simulation::Simulation(Exchange& exchange, const Config& config, Monitor& monitor, Checkpoint start)
    : loop_(std::make_unique<RunLoop>(exchange, config, monitor, std::move(start))) {}
Simulation::~Simulation() = default;

void Simulation::add(std::unique_ptr<Drive> drive) { loop_->add(std::move(drive)); }
void Simulation::add(std::unique_ptr<Observer> observer) { loop_->add(std::move(observer)); }

RunEnd Simulation::run(Recorder& recorder, Interruptions& interruptions) {
    return loop_->run(recorder, interruptions);
}
void Simulation::run(Recorder& recorder) { loop_->run(recorder); }

const Particles& Simulation::owned() const { return loop_->owned(); }
std::uint64_t Simulation::num_particles() const { return loop_->num_particles(); }
std::optional<ParticleId> Simulation::next_id() const { return loop_->next_id(); }
const std::vector<ObservableInfo>& Simulation::observables() const { return loop_->observables(); }
SearchMethod Simulation::search() const { return loop_->search(); }
bool Simulation::is_recording() const { return loop_->is_recording(); }
SlabStepStatistics Simulation::step_statistics() const { return loop_->step_statistics(); }
const BalanceStatistics& Simulation::balance_statistics() const { return loop_->balance_statistics(); }
const PhaseClock& Simulation::clock() const { return loop_->clock(); }
const RunTotals& Simulation::totals() const { return loop_->totals(); }
const std::string& Simulation::start_note() const { return loop_->start_note(); }

}  // namespace ricochet
