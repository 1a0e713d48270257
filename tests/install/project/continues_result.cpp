// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a result with a drive of its own, stops at a checkpoint, and goes on from it as another program would later.
// The result then has the bits of a run that was not stopped.
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/core/random.hpp"
#include "ricochet/ricochet.hpp"

namespace {

constexpr const char* input = R"(
box: {size: [12, 12, 12], boundary: periodic}
species: [{name: sphere, radius: 0.5, mass: 1, count: 500}]
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 20}
output: {file: unused.h5md, trajectory_every: 5, observables_every: 5, collisions: all}
)";

/// A drive: pushes each particle along x, half of the time. A continued run needs it again.
class RandomPushes final : public ricochet::Drive {
    void before_drift(ricochet::Particles& owned, ricochet::DrivenStep step) const override {
        const ricochet::RandomKey key{7, ricochet::Stream::contact_response, step.number};
        for (ricochet::Motion& motion : owned.motion)
            if (ricochet::RandomSequence(key, motion.id).uniform() < 0.5) motion.velocity.x += 0.01;
    }
};

/// Saves a checkpoint at one step, and ends the run there.
class StopAt final : public ricochet::Interruptions {
  public:
    StopAt(std::uint64_t step, ricochet::Exchange& exchange, const ricochet::Config& config,
           const ricochet::Simulation& simulation, ricochet::ResultRecorder& recorder,
           ricochet::RunIdentity identity)
        : step_(step),
          exchange_(exchange),
          config_(config),
          simulation_(simulation),
          recorder_(recorder),
          identity_(std::move(identity)) {}

    ricochet::Interruption ask(const ricochet::StepEnd& end) override {
        const bool is_there = end.is_recorded && end.step == step_;
        return is_there ? ricochet::Interruption::stop : ricochet::Interruption::none;
    }
    void save(const ricochet::RunState& state, const ricochet::Particles& owned) override {
        ricochet::CheckpointHeader header;
        header.state = state;
        header.identity = identity_;
        header.result = recorder_.flush_all();  // the counts of the result at this step
        header.effective_input = ricochet::effective_yaml(config_);
        header.num_particles = simulation_.num_particles();
        ricochet::write_checkpoint(exchange_, config_.output.file, header, owned, 1);
    }

  private:
    std::uint64_t step_;
    ricochet::Exchange& exchange_;
    const ricochet::Config& config_;
    const ricochet::Simulation& simulation_;
    ricochet::ResultRecorder& recorder_;
    ricochet::RunIdentity identity_;
};

/// Runs to `last_step`, from the newest checkpoint of the result where there is one.
ricochet::RunEnd run_until(std::uint64_t last_step, ricochet::Exchange& exchange, const std::string& file) {
    ricochet::Config config = ricochet::parse_config(input, "the input");
    config.output.file = file;
    ricochet::Monitor silent;
    // A program draws an id for each new run: files of two runs are never mixed.
    ricochet::RunIdentity identity{"0123456789abcdef0123456789abcdef"};
    auto found = ricochet::read_newest_checkpoint(exchange, file);
    const bool goes_on = found.checkpoint.has_value();
    const ricochet::ResultPosition position = goes_on ? found.checkpoint->result : ricochet::ResultPosition{};
    const auto simulation = goes_on ? std::make_unique<ricochet::Simulation>(exchange, config, silent,
                                                                             *std::move(found.checkpoint))
                                    : std::make_unique<ricochet::Simulation>(exchange, config, silent);
    simulation->add(std::make_unique<RandomPushes>());
    const ricochet::RunOrigin origin{input, {}, identity};
    auto recorder = goes_on
                        ? ricochet::ResultRecorder(exchange, config, origin, *simulation, position, silent)
                        : ricochet::ResultRecorder(exchange, config, origin, *simulation, true, silent);
    StopAt stop(last_step, exchange, config, *simulation, recorder, identity);
    const ricochet::RunEnd end = simulation->run(recorder, stop);
    recorder.close(0, end == ricochet::RunEnd::finished ? "finished" : "stopped");
    return end;
}

}  // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    ricochet::MpiExchange exchange{boost::mpi::communicator()};
    for (const char* file : {"parts.h5md", "whole.h5md"}) ricochet::remove_checkpoints(exchange, file);
    const bool was_stopped = run_until(10, exchange, "parts.h5md") == ricochet::RunEnd::stopped;
    const bool has_finished = run_until(30, exchange, "parts.h5md") == ricochet::RunEnd::finished;
    run_until(30, exchange, "whole.h5md");
    if (exchange.rank() != 0) return 0;
    const auto difference = ricochet::find_difference("parts.h5md", "whole.h5md");
    std::printf("%s\n", difference.value_or("identical").c_str());
    return was_stopped && has_finished && !difference ? 0 : 1;
}
