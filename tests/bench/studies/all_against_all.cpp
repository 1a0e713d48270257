// SPDX-License-Identifier: BSD-3-Clause
//
// What space-time bounds cost that are tested all against all (space_time_bounds.hpp), beside methods of the program.
//   all_against_all INPUT [steps=N] [turn=N] [horizon=TIME]
// Writes one line of JSON per method. The input has driven spheres in a closed box; one rank.
//
// All continue the start that `ricochet study` has, with its drive, and take turns of some steps. Times are CPU seconds
// of drive and step, the median over the turns but the first. There is no time loop of the program around them, and no
// slab.
//
// Every contact of every step must be the same in all its bits as with the method `cells`, and so must be the particles
// at the end. No step may have been done by a reserve. Exit status: 0; 1 where that is not so; 2 for words that make no
// sense.
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinetic/cells_crossing.hpp"
#include "kinetic/queue_engine.hpp"
#include "model/particle_hash.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/kinetic/engine_choice.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "run/drives.hpp"
#include "run/input.hpp"
#include "slabs/work_meter.hpp"
#include "space_time_bounds.hpp"
#include "study/study.hpp"
#include "study/study_trace.hpp"

namespace ricochet::bench {
namespace {

struct Case {
    std::string input;
    std::uint64_t num_steps = 1000, steps_per_turn = 200;
    double horizon = 0.3;
};

Case parse(int argc, char** argv) {
    if (argc < 2) throw InputError("expected the name of an input");
    Case parsed{argv[1]};
    for (int k = 2; k < argc; ++k) {
        const std::string word = argv[k], name = word.substr(0, word.find('='));
        const double value = name.size() < word.size() ? std::stod(word.substr(name.size() + 1)) : 0;
        if (name == "horizon" && value > 0)
            parsed.horizon = value;
        else if (name == "steps" && value >= 1)
            parsed.num_steps = static_cast<std::uint64_t>(value);
        else if (name == "turn" && value >= 1)
            parsed.steps_per_turn = static_cast<std::uint64_t>(value);
        else
            throw InputError("unknown word " + word);
    }
    return parsed;
}

/// A method on its way through the steps.
class Runner {
  public:
    Runner(std::string name, const Config& config, Particles start, std::unique_ptr<StepEngine> engine)
        : name_(std::move(name)),
          timestep_(config.run.timestep),
          drives_(make_drives(config)),
          particles_(std::move(start)),
          engine_(std::move(engine)) {
        trace_.begin_turn(0);
    }

    void take_turn(std::uint64_t first_step, std::uint64_t end_step) {
        double seconds = 0;
        for (std::uint64_t step = first_step; step < end_step; ++step) {
            const double began = thread_cpu_seconds();
            drives_.before_drift(particles_, {step, true});
            const std::vector<Contact> contacts = resolve_step(*engine_, particles_, timestep_, 1, step);
            drives_.after_drift(particles_, {step, true});
            seconds += thread_cpu_seconds() - began;
            trace_.contacts(step, contacts);
            counts_ += engine_->statistics();
        }
        seconds_.push_back(seconds / static_cast<double>(end_step - first_step));
    }
    bool is_same(const Runner& other) const {
        bool is_same = trace_.all_contacts() == other.trace_.all_contacts() &&
                       fingerprint(particles_) == fingerprint(other.particles_) && counts_.num_replaced == 0;
        for (std::size_t step = 0; step < trace_.steps().size(); ++step)
            is_same = is_same && trace_.steps()[step].size() == other.trace_.steps()[step].size();
        return is_same;
    }
    void print(std::uint64_t num_steps) const {
        std::printf(R"({"method": "%s", "cpu_seconds_per_step": %.6g, "search_bytes_per_particle": %.6g)",
                    name_.c_str(), quartiles_of_turns(seconds_).median,
                    static_cast<double>(engine_->memory().search) / static_cast<double>(particles_.size()));
        const std::pair<const char*, std::uint64_t> counts[] = {
            {"contacts", trace_.num_contacts()},
            {"pair_contacts", trace_.num_pair_contacts()},
            {"resets", counts_.num_resets},
            {"entered", counts_.num_entered},
            {"left", counts_.num_left},
            {"bound_pairs", counts_.num_bound_pairs},
            {"bound_walls", counts_.num_bound_walls},
            {"certificates", counts_.num_certificates},
            {"first_certificates", counts_.num_first_certificates}};
        for (const auto& [what, count] : counts)
            std::printf(R"(, "%s_per_step": %.6g)", what,
                        static_cast<double>(count) / static_cast<double>(num_steps));
        std::printf("}\n");
    }
    const std::string& name() const { return name_; }

  private:
    std::string name_;
    double timestep_;
    DriveList drives_;
    Particles particles_;
    std::unique_ptr<StepEngine> engine_;
    StudyTrace trace_;
    StepStatistics counts_;
    std::vector<double> seconds_;  ///< per step, of each turn
};

int run(const Case& asked) {
    MpiExchange exchange{boost::mpi::communicator()};
    if (exchange.size() != 1) throw InputError("expected one rank");
    const Config config = read_input(exchange, asked.input, {}).config;
    Monitor silence;
    const Particles start = make_study_start(exchange, config, silence).particles;
    const World world = world_of(config);
    const ContactRules rules(world);
    EngineOptions options{.search = search_named("cells"), .contact_cap = config.run.contact_cap};
    options.kicks = kicks_of(config);
    options.search_options.is_study = true;
    std::vector<Runner> runners;
    runners.emplace_back("cells", config, start, make_step_engine(world, rules, options));
    options.search = search_named("time_bounds");
    runners.emplace_back("time_bounds", config, start, make_step_engine(world, rules, options));
    options.search_options.subspace_side = asked.horizon;
    runners.emplace_back("all_against_all, own row again", config, start,
                         std::make_unique<QueueEngine>(world, rules, options,
                                                       std::make_unique<OwnRowAgain>(world.box, options),
                                                       std::make_unique<CellsCrossing>(world.box, options)));
    runners.emplace_back("all_against_all, all pairs again", config, start,
                         std::make_unique<QueueEngine>(world, rules, options,
                                                       std::make_unique<AllPairsAgain>(world.box, options),
                                                       std::make_unique<CellsCrossing>(world.box, options)));
    for (std::uint64_t step = 0, end = 0; step < asked.num_steps; step = end) {
        end = std::min(step + asked.steps_per_turn, asked.num_steps);
        for (Runner& runner : runners) runner.take_turn(step, end);
    }
    for (const Runner& runner : runners) {
        if (!runner.is_same(runners.front()))
            throw RunError(runner.name() + " has other contacts or particles than cells");
        runner.print(asked.num_steps);
    }
    return 0;
}

}  // namespace
}  // namespace ricochet::bench

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    try {
        return ricochet::bench::run(ricochet::bench::parse(argc, argv));
    } catch (const ricochet::InputError& error) {
        std::fprintf(stderr, "all_against_all: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "all_against_all: %s\n", error.what());
        return 1;
    }
}
