// SPDX-License-Identifier: BSD-3-Clause
#include "study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/readable.hpp"
#include "model/particle_hash.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/run/simulation.hpp"
#include "run/found_box.hpp"
#include "slabs/work_meter.hpp"
#include "study/study_trace.hpp"

namespace ricochet {
namespace {

/// Ends a part of a run at the end of a recorded step, and keeps the state there if it is asked to.
class StopAtStep final : public Interruptions {
  public:
    StopAtStep(std::uint64_t step, Checkpoint* kept) : step_(step), kept_(kept) {}

    Interruption ask(const StepEnd& end) override {
        return end.is_recorded && end.step >= step_ ? Interruption::stop : Interruption::none;
    }
    void save(const RunState& state, const Particles& owned) override {
        if (kept_ == nullptr) return;
        kept_->state = state;
        kept_->particles = owned;
    }

  private:
    std::uint64_t step_;
    Checkpoint* kept_;
};

double step_seconds(const PhaseClock& clock) {
    double sum = 0;
    for (std::size_t k = 0; k < num_step_phases; ++k) sum += clock.seconds(phase_names[k].phase);
    return sum;
}

/// Nothing is sampled, and no frame is taken.
Config without_output(Config config, std::uint64_t num_steps) {
    config.run.num_steps = num_steps;
    config.search_options.is_study = true;
    config.output.trajectory_every = 0;
    config.output.observables_every = 0;
    return config;
}

/// Each becomes the sum over the ranks, as a multiple of the unit. Collective.
void add_over_ranks(Exchange& exchange, double unit, const std::vector<double*>& numbers) {
    std::vector<std::int64_t> sums;
    sums.reserve(numbers.size());
    for (const double* number : numbers) sums.push_back(std::llround(*number / unit));
    exchange.sum(sums);
    for (std::size_t k = 0; k < numbers.size(); ++k) *numbers[k] = unit * static_cast<double>(sums[k]);
}

/// One method, from the start to the end of the study.
class Contestant {
  public:
    /// Collective.
    Contestant(Exchange& exchange, const Checkpoint& start, const StudyMethod& method,
               std::uint64_t num_steps)
        : name_(method.name),
          config_(without_output(method.config, num_steps)),
          simulation_(exchange, config_, silence_, start) {}
    Contestant(const Contestant&) = delete;
    Contestant& operator=(const Contestant&) = delete;
    ~Contestant() = default;

    /// Goes on from one step to another. Collective.
    void take_turn(std::uint64_t first_step, std::uint64_t end_step) {
        trace_.begin_turn(first_step);
        StopAtStep stop(end_step, nullptr);
        const double seconds_before = step_seconds(simulation_.clock());
        const double cpu_before = cpu_seconds_so_far();
        const auto num_before = static_cast<double>(simulation_.owned().size());
        simulation_.run(trace_, stop);
        const auto num_steps = static_cast<double>(end_step - first_step);
        seconds_.push_back((step_seconds(simulation_.clock()) - seconds_before) / num_steps);
        cpu_seconds_.push_back((cpu_seconds_so_far() - cpu_before) / num_steps);
        num_particle_steps_ += num_steps * (num_before + static_cast<double>(simulation_.owned().size())) / 2;
        const EngineMemory memory = simulation_.engine_memory();
        memory_.search = std::max(memory_.search, memory.search);
        memory_.rest = std::max(memory_.rest, memory.rest);
    }

    /// Once they have been compared.
    void forget_contacts() { trace_.forget_turn(); }

    const std::string& name() const { return name_; }
    const StudyTrace& trace() const { return trace_; }
    const Particles& owned() const { return simulation_.owned(); }
    /// The particle steps of this rank.
    double num_particle_steps() const { return num_particle_steps_; }

    /// The cost on all ranks together. Collective.
    MethodCost cost(Exchange& exchange) const {
        MethodCost cost = own_cost();
        const StepStatistics mine = simulation_.step_statistics().engine;
        for (const StepStatistics& of_rank :
             all_gather_records<StepStatistics>(exchange, std::span(&mine, 1)))
            cost.counts += of_rank;
        add_over_ranks(exchange, 1, {&cost.search_bytes, &cost.engine_bytes});
        constexpr double nanosecond = 1e-9;
        add_over_ranks(exchange, nanosecond,
                       {&cost.binning_seconds, &cost.search_seconds, &cost.events_seconds});
        std::vector<double> seconds = seconds_, cpu_seconds = cpu_seconds_;
        exchange.max(seconds);
        std::vector<double*> all_turns;
        all_turns.reserve(cpu_seconds.size());
        for (double& of_turn : cpu_seconds) all_turns.push_back(&of_turn);
        add_over_ranks(exchange, nanosecond, all_turns);
        cost.seconds = quartiles_of_turns(std::move(seconds));
        cost.cpu_seconds = quartiles_of_turns(std::move(cpu_seconds));
        return cost;
    }

  private:
    /// The CPU time of this rank so far, without hashes of contacts.
    double cpu_seconds_so_far() const { return thread_cpu_seconds() - trace_.cpu_seconds(); }

    MethodCost own_cost() const {
        MethodCost cost;
        cost.name = name_;
        cost.search_bytes = static_cast<double>(memory_.search);
        cost.engine_bytes = static_cast<double>(memory_.rest);
        cost.binning_seconds = simulation_.clock().seconds(Phase::binning);
        cost.search_seconds = simulation_.clock().seconds(Phase::search);
        cost.events_seconds = simulation_.clock().seconds(Phase::events);
        return cost;
    }

    std::string name_;
    Config config_;
    Monitor silence_;
    StudyTrace trace_;
    Simulation simulation_;
    std::vector<double> seconds_, cpu_seconds_;  ///< per step, of each turn on this rank
    double num_particle_steps_ = 0;
    EngineMemory memory_;
};

/// A run beside the studied ones, in which overlaps are looked for after each step.
class LookAfterSteps {
  public:
    /// Collective.
    LookAfterSteps(Exchange& exchange, const Checkpoint& start, Config config, std::uint64_t num_steps)
        : config_(without_output(std::move(config), num_steps)),
          seen_(exchange, world_of(in_found_box(config_, start.state.found_box))),
          simulation_(exchange, config_, silence_, start) {
        simulation_.add(seen_.drive());
    }

    /// Collective.
    void go_on_to(std::uint64_t end_step) {
        StopAtStep stop(end_step, nullptr);
        simulation_.run(seen_, stop);
    }
    AfterStepCounts counts() const { return seen_.counts(); }

  private:
    Config config_;
    Monitor silence_;
    AfterSteps seen_;
    Simulation simulation_;
};

std::string sentence_of(const TraceDifference& difference, const std::string& first,
                        const std::string& second) {
    const ContactKey& key = difference.key;
    const std::string partner = key.high >= first_obstacle_id
                                    ? fmt::format("wall or body surface {}", key.high - first_obstacle_id)
                                    : fmt::format("particle {}", key.high);
    const std::string where = !difference.is_in_second  ? "only " + first + " has it"
                              : !difference.is_in_first ? "only " + second + " has it"
                                                        : "both have it, with different values";
    return fmt::format(
        "step {}: {} and {} differ: the first contact in which they do is that of particle {} and {} "
        "at time {:.17g} of the step: {}",
        difference.step, first, second, key.low, partner, key.time, where);
}

/// Throws RunError on all ranks where the two have not done the same. Collective.
void require_same(Exchange& exchange, const Contestant& first, const Contestant& second) {
    if (const auto difference = find_difference(exchange, first.trace(), second.trace()))
        throw RunError(sentence_of(*difference, first.name(), second.name()));
    const auto particle = find_different_particle(exchange, first.owned(), second.owned());
    if (!particle) return;
    throw RunError(
        fmt::format("step {}: {} and {} differ: their contacts are the same, but not particle {} after them",
                    first.trace().first_step() + first.trace().steps().size() - 1, first.name(),
                    second.name(), *particle));
}

/// Tells which method begins a turn, and from the second round on how long all may take.
class Announcer {
  public:
    Announcer(const StudyPlan& plan, std::size_t num_methods, Monitor& monitor)
        : monitor_(monitor),
          num_rounds_((plan.num_steps + plan.steps_per_turn - 1) / plan.steps_per_turn),
          turns_(num_methods) {}

    /// The turn of a method in a round; it ends where the next one begins.
    void announce(std::uint64_t round, std::size_t method, const std::string& name) {
        const double now = seconds();
        turns_[last_].seconds += now - last_begin_;
        last_ = method;
        last_begin_ = now;
        std::string text = fmt::format("turn {} of {}: {}", round + 1, num_rounds_, name);
        if (round > 0) text += fmt::format(", about {} left", in_time(seconds_left()));
        ++turns_[method].num_begun;
        monitor_.turn(text, now, round == 0);
    }

  private:
    struct Turns {
        double seconds = 0;
        std::uint64_t num_begun = 0;
    };

    /// If each method goes on as fast as in its turns so far, of which there is at least one.
    double seconds_left() const {
        double left = 0;
        for (const Turns& of_method : turns_)
            left += of_method.seconds / static_cast<double>(of_method.num_begun) *
                    static_cast<double>(num_rounds_ - of_method.num_begun);
        return left;
    }

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

    Monitor& monitor_;
    std::uint64_t num_rounds_;
    std::vector<Turns> turns_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::size_t last_ = 0;  ///< the method that has the turn
    double last_begin_ = 0;
};

/// Each method once over the same steps, beginning with that number `round`, modulo their number. Collective.
void take_round(Exchange& exchange, const std::vector<std::unique_ptr<Contestant>>& contestants,
                std::uint64_t round, std::uint64_t first_step, std::uint64_t end_step, Announcer& announcer) {
    const std::size_t num = contestants.size();
    Contestant& leader = *contestants[round % num];
    for (std::size_t k = 0; k < num; ++k) {
        const std::size_t method = (round + k) % num;
        Contestant& next = *contestants[method];
        announcer.announce(round, method, next.name());
        next.take_turn(first_step, end_step);
        if (k == 0) continue;
        require_same(exchange, leader, next);
        next.forget_contacts();
    }
    leader.forget_contacts();
}

/// Collective.
StudyResult result_of(Exchange& exchange, const std::vector<std::unique_ptr<Contestant>>& contestants,
                      std::uint64_t num_steps) {
    const Contestant& any = *contestants.front();
    StudyResult result;
    result.num_ranks = exchange.size();
    result.num_steps = num_steps;
    std::array<std::int64_t, 3> sums{std::llround(2 * any.num_particle_steps()),
                                     static_cast<std::int64_t>(any.trace().num_contacts()),
                                     static_cast<std::int64_t>(any.trace().num_pair_contacts())};
    exchange.sum(sums);
    result.num_particle_steps = static_cast<double>(sums[0]) / 2;
    result.num_contacts = static_cast<std::uint64_t>(sums[1]);
    result.num_pair_contacts = static_cast<std::uint64_t>(sums[2]);
    result.contacts = sum_over_ranks(exchange, any.trace().all_contacts());
    result.final_particles = sum_over_ranks(exchange, fingerprint(any.owned()));
    for (const auto& contestant : contestants) result.methods.push_back(contestant->cost(exchange));
    return result;
}

}  // namespace

Checkpoint make_study_start(Exchange& exchange, const Config& config, Monitor& monitor) {
    Checkpoint start;
    Simulation simulation(exchange, config, monitor);
    Recorder nothing;
    StopAtStep stop(0, &start);
    simulation.run(nothing, stop);
    start.num_particles = simulation.num_particles();
    return start;
}

StudyResult run_study(Exchange& exchange, Checkpoint start, const std::vector<StudyMethod>& methods,
                      const StudyPlan& plan, Monitor& monitor) {
    RICOCHET_CHECK_GT(methods.size(), 0);
    RICOCHET_CHECK_GT(plan.steps_per_turn, 0);
    std::vector<std::unique_ptr<Contestant>> contestants;
    contestants.reserve(methods.size());
    for (const StudyMethod& method : methods)
        contestants.push_back(std::make_unique<Contestant>(exchange, start, method, plan.num_steps));
    std::optional<LookAfterSteps> look;
    if (plan.looks_after_steps) look.emplace(exchange, start, methods.front().config, plan.num_steps);
    start = {};
    Announcer announcer(plan, contestants.size(), monitor);
    std::uint64_t step = 0;
    for (std::uint64_t round = 0; step < plan.num_steps; ++round) {
        const std::uint64_t end = std::min(step + plan.steps_per_turn, plan.num_steps);
        take_round(exchange, contestants, round, step, end, announcer);
        if (look) look->go_on_to(end);
        step = end;
        if (exchange.bit_or(plan.is_to_end() ? 1 : 0) != 0) break;
    }
    StudyResult result = result_of(exchange, contestants, step);
    if (look) result.after_steps = look->counts();
    return result;
}

double quantile(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

Quartiles quartiles_of_turns(std::vector<double> values) {
    if (values.size() > 1) values.erase(values.begin());
    return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)};
}

}  // namespace ricochet
