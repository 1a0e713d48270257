// SPDX-License-Identifier: BSD-3-Clause
#include "run/measured_speed.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "model/world_facts.hpp"
#include "parallel/collectives.hpp"
#include "plan/mean_numbers.hpp"
#include "plan/plan.hpp"
#include "ricochet/run/interruptions.hpp"
#include "ricochet/run/monitor.hpp"
#include "ricochet/run/recorder.hpp"
#include "ricochet/run/simulation.hpp"
#include "run/report.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t fewest_steps = 20;
constexpr double least_seconds = 2;

/// Of writing on a local disk, in seconds (note 64). A packed byte is one before it is packed.
constexpr double launch_and_end = 0.08, per_frame = 0.001, per_byte = 2e-9, per_packed_byte = 2e-8;

class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// Notes when steps and samples end; keeps nothing else.
class StepTimes final : public Recorder {
  public:
    explicit StepTimes(bool wants_contacts) : wants_contacts_(wants_contacts) {}

    bool wants_contacts() const override { return wants_contacts_; }
    void contacts(std::uint64_t /*step*/, std::span<const Contact> reported) override {
        steps_.push_back(since_latest());
        num_contacts_.push_back(static_cast<double>(reported.size()));
    }
    void sample(std::uint64_t /*step*/, double /*time*/, const Sample& /*sample*/) override {
        samples_ += since_latest();
        ++num_samples_;
    }

    double all_steps() const { return sum_from(steps_, 0); }
    double per_late_step() const { return late_mean(steps_); }
    /// Contacts that this rank reported.
    double all_contacts() const { return sum_from(num_contacts_, 0); }
    double contacts_per_late_step() const { return late_mean(num_contacts_); }
    double per_sample() const { return num_samples_ == 0 ? 0 : samples_ / num_samples_; }

  private:
    double since_latest() {
        const double before = latest_;
        latest_ = watch_.seconds();
        return latest_ - before;
    }
    static double sum_from(std::span<const double> values, std::size_t first) {
        return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(), 0.0);
    }
    static double late_mean(std::span<const double> values) {
        const std::size_t first = values.size() / 2;
        return values.empty() ? 0 : sum_from(values, first) / static_cast<double>(values.size() - first);
    }

    bool wants_contacts_;
    Stopwatch watch_;
    double latest_ = 0;
    std::vector<double> steps_, num_contacts_;
    double samples_ = 0;
    int num_samples_ = 0;
};

/// Ends the run once it has been measured for long enough.
class EnoughSteps final : public Interruptions {
  public:
    explicit EnoughSteps(Exchange& exchange) : exchange_(exchange) {}

    Interruption ask(const StepEnd& end) override {
        if (!end.is_beat) return Interruption::none;
        double seconds = watch_.seconds();
        exchange_.max(std::span(&seconds, 1));
        const bool is_enough = end.step >= fewest_steps && seconds >= least_seconds;
        return is_enough ? Interruption::stop : Interruption::none;
    }

  private:
    Exchange& exchange_;
    Stopwatch watch_;
};

/// Samples are taken at least once after the first step, to be measured.
Config short_run_of(const Config& config) {
    Config few = config;
    few.run.equilibrate = 0;
    few.output.trajectory_every = 0;
    few.output.observables_every = std::min(config.output.observables_every, fewest_steps);
    return few;
}

/// The mean number of particles in the steps that are still to come, over the number now. Collective.
double share_to_come(Exchange& exchange, const Config& config, const Simulation& simulation) {
    const std::uint64_t num_done = simulation.totals().num_steps;
    if (!has_changing_particles(world_of(config)) || num_done >= config.run.num_steps) return 1;
    Config rest = config;
    rest.run.num_steps -= num_done;
    const auto numbers = count_by_species(exchange, world_of(config), simulation.owned());
    for (SpeciesIndex s = 0; s < rest.species.size(); ++s)
        rest.species[s].count = static_cast<std::uint64_t>(numbers[s]);
    const std::uint64_t now = num_particles(world_of(rest));
    return now == 0 ? 1 : mean_numbers(rest).over_run / static_cast<double>(now);
}

/// Two partners count each contact as a collision.
std::optional<double> equilibration_steps(const Config& config, const Simulation& simulation,
                                          bool settles_first) {
    if (!config.run.equilibrate && settles_first) return std::nullopt;
    if (config.run.equilibrate.value_or(0) == 0) return 0;
    const RunTotals& done = simulation.totals();
    if (done.num_collisions == 0) return std::nullopt;
    const double particles =
        static_cast<double>(std::max(num_particles(world_of(config)), done.num_particles));
    return *config.run.equilibrate * particles / 2 * static_cast<double>(done.num_steps) /
           static_cast<double>(done.num_collisions);
}

}  // namespace

MeasuredSpeed measure_speed(Exchange& exchange, const Config& config, bool settles_first) {
    const Config few = short_run_of(config);
    Monitor silent;
    const Stopwatch start;
    Simulation simulation(exchange, few, silent);
    const double start_seconds = start.seconds();
    StepTimes times(config.output.collisions != CollisionChoice::none);
    EnoughSteps enough(exchange);
    simulation.run(times, enough);
    std::array slowest{start_seconds, times.all_steps(), times.per_late_step(), times.per_sample()};
    exchange.max(slowest);
    const double share = share_to_come(exchange, config, simulation);
    const double num_contacts =
        times.all_contacts() + times.contacts_per_late_step() * share *
                                   static_cast<double>(config.run.num_steps - simulation.totals().num_steps);
    return {.num_ranks = exchange.size(),
            .num_steps = simulation.totals().num_steps,
            .start_seconds = slowest[0],
            .done_seconds = slowest[1],
            .seconds_per_step = slowest[2],
            .seconds_per_sample = slowest[3],
            .share_to_come = share,
            .num_contacts = static_cast<double>(
                sum_of_ranks(exchange, static_cast<std::uint64_t>(std::llround(num_contacts)))),
            .num_equilibration_steps = equilibration_steps(config, simulation, settles_first)};
}

double seconds_of_run(const Config& config, const MeasuredSpeed& measured) {
    const double num_to_come =
        static_cast<double>(config.run.num_steps) - static_cast<double>(measured.num_steps);
    const double num_samples =
        static_cast<double>(num_outputs(config.run.num_steps, config.output.observables_every));
    return measured.start_seconds +
           measured.num_equilibration_steps.value_or(0) * measured.done_seconds /
               static_cast<double>(std::max<std::uint64_t>(1, measured.num_steps)) +
           measured.done_seconds + num_to_come * measured.seconds_per_step * measured.share_to_come +
           num_samples * measured.seconds_per_sample;
}

double seconds_of_writing(const Config& config, const RunPlan& plan, const MeasuredSpeed& measured) {
    const auto num_frames = static_cast<double>(plan.num_frames);
    const bool is_packed = config.output.compression == OutputCompression::gzip;
    const double log_bytes = std::min(measured.num_contacts * plan.bytes_per_contact,
                                      static_cast<double>(config.output.collision_byte_budget));
    return launch_and_end + num_frames * per_frame + log_bytes * per_byte +
           num_frames * static_cast<double>(plan.bytes_per_frame) * (is_packed ? per_packed_byte : per_byte);
}

}  // namespace ricochet
