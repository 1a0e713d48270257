// SPDX-License-Identifier: BSD-3-Clause
#include "run/measured_speed.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <vector>

#include "plan/mean_numbers.hpp"
#include "plan/plan.hpp"
#include "ricochet/run/interruptions.hpp"
#include "ricochet/run/monitor.hpp"
#include "ricochet/run/recorder.hpp"
#include "ricochet/run/simulation.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t most_steps = 20;
constexpr std::size_t num_warming = 4;  ///< first steps, which do not count

/// Notes when steps end and samples are taken; keeps nothing else.
class StepTimes final : public Recorder {
  public:
    explicit StepTimes(bool wants_contacts) : wants_contacts_(wants_contacts) {}

    bool wants_contacts() const override { return wants_contacts_; }
    void contacts(std::uint64_t /*step*/, std::span<const Contact> /*contacts*/) override {
        step_ends_.push_back(seconds());
    }
    void sample(std::uint64_t /*step*/, double /*time*/, const Sample& /*sample*/) override {
        latest_sample_ = seconds();
    }

    double per_step() const {
        if (step_ends_.size() < 2) return step_ends_.empty() ? 0 : step_ends_.front();
        const std::size_t first = std::min(num_warming, step_ends_.size() - 2);
        return (step_ends_.back() - step_ends_[first]) / static_cast<double>(step_ends_.size() - 1 - first);
    }
    /// The sample after the last step.
    double per_sample() const {
        return step_ends_.empty() ? 0 : std::max(0.0, latest_sample_ - step_ends_.back());
    }

  private:
    using Clock = std::chrono::steady_clock;
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    bool wants_contacts_;
    Clock::time_point start_ = Clock::now();
    std::vector<double> step_ends_;
    double latest_sample_ = 0;
};

/// Samples are taken before the first step and after the last one.
Config short_run_of(const Config& config) {
    Config few = config;
    few.run.num_steps = std::min(config.run.num_steps, most_steps);
    few.run.equilibrate = 0;
    few.output.trajectory_every = 0;
    if (few.output.observables_every > 0) few.output.observables_every = most_steps;
    return few;
}

}  // namespace

MeasuredSpeed measure_speed(Exchange& exchange, const Config& config) {
    const Config few = short_run_of(config);
    Monitor silent;
    Interruptions none;
    Simulation simulation(exchange, few, silent);
    StepTimes times(config.output.collisions != CollisionChoice::none);
    simulation.run(times, none);
    std::array<double, 2> slowest{times.per_step(), times.per_sample()};
    exchange.max(slowest);
    const double at_start = static_cast<double>(std::max<std::uint64_t>(1, num_particles(config)));
    return {.num_ranks = exchange.size(),
            .num_steps = few.run.num_steps,
            .seconds_per_step = slowest[0],
            .seconds_per_sample = slowest[1],
            .num_samples = num_outputs(config.run.num_steps, config.output.observables_every),
            .mean_share = has_changing_particles(config) && num_particles(config) > 0
                              ? mean_numbers(config).over_run / at_start
                              : 1};
}

}  // namespace ricochet
