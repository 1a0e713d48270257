// SPDX-License-Identifier: BSD-3-Clause
//
// Uses everything that is installed: runs an input on the ranks it is started on, and counts. Adds a drive and an
// observer of its own.
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ricochet/core/exact_sum.hpp"
#include "ricochet/core/random.hpp"
#include "ricochet/ricochet.hpp"

namespace {

constexpr const char* input = R"(
title: A small gas
box: {size: [12, 12, 12], boundary: periodic}
species: [{name: sphere, radius: 0.5, mass: 1, count: 500}]
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 20}
output: {file: unused.h5md, observables_every: 10}
)";

/// A drive: pushes each particle along x, half of the time.
class RandomPushes final : public ricochet::Drive {
    void before_drift(ricochet::Particles& owned, ricochet::DrivenStep step) const override {
        const ricochet::RandomKey key{7, ricochet::Stream::contact_response, step.number};
        for (ricochet::Motion& motion : owned.motion)
            if (ricochet::RandomSequence(key, motion.id).uniform() < 0.5) motion.velocity.x += 0.01;
    }
};

/// An observer: the sum of all velocities along x, with the same bits on any number of ranks.
class Drift final : public ricochet::Observer {
  public:
    std::string name() const override { return "drift"; }
    std::vector<ricochet::ObservableInfo> columns() const override {
        return {{.name = "drift", .meaning = "sum of the velocities along x"}};
    }
    void add_particles(const ricochet::Particles& owned) override {
        for (const ricochet::Motion& motion : owned.motion) sum_.add(motion.velocity.x);
    }
    std::vector<std::int64_t> sums() const override {
        const ricochet::ExactSum::Limbs limbs = sum_.limbs();
        return {limbs.begin(), limbs.end()};
    }
    void set_sums(std::span<const std::int64_t> sums) override {
        ricochet::ExactSum::Limbs limbs{};
        if (sums.size() != limbs.size()) throw std::logic_error("these are not the sums of a drift");
        std::copy(sums.begin(), sums.end(), limbs.begin());
        sum_ = ricochet::ExactSum::from_limbs(limbs);
    }
    void take_sample(ricochet::SampleTime, std::vector<double>& values) override {
        values.push_back(sum_.value());
        sum_ = {};
    }

  private:
    ricochet::ExactSum sum_;
};

/// A recorder: keeps the latest drift.
class LatestDrift final : public ricochet::Recorder {
  public:
    bool wants_contacts() const override { return false; }
    void sample(std::uint64_t, double, const ricochet::Sample& sample) override {
        value = sample.of("drift")[0];
    }
    double value = 0;
};

}  // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    ricochet::MpiExchange exchange{boost::mpi::communicator()};
    const ricochet::Config config = ricochet::parse_config(input, "the input");
    ricochet::Monitor silent;
    LatestDrift recorder;
    ricochet::Simulation simulation(exchange, config, silent);
    simulation.add(std::make_unique<RandomPushes>());
    simulation.add(std::make_unique<Drift>());
    simulation.run(recorder);
    const ricochet::RunTotals& totals = simulation.totals();
    if (exchange.rank() == 0) {
        std::printf("ricochet %s: %lld collisions, drift %g\n", ricochet::version(),
                    static_cast<long long>(totals.num_collisions), recorder.value);
        for (const auto& library : ricochet::library_versions())
            std::printf("%s %s\n", library.name.c_str(), library.version.c_str());
    }
    // 500 particles times 20 steps times half a push of 0.01, and what is random in it.
    const bool is_as_pushed = recorder.value > 40 && recorder.value < 60;
    return totals.num_particles == 500 && totals.num_steps == 20 && totals.num_collisions > 0 && is_as_pushed
               ? 0
               : 1;
}
