// SPDX-License-Identifier: BSD-3-Clause
//
// Runs an input through the whole program, without files: the observables stay in memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "observe/observables.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "ricochet/run/simulation.hpp"

namespace ricochet::test {

struct KeptSample {
    std::uint64_t step = 0;
    double time = 0;
    ObservableSample values;
};

/// Puts the columns of the basic observables back into their members.
ObservableSample observables_of(const Sample& sample);

/// Keeps everything that it is given on this rank.
class Keeper final : public Recorder {
  public:
    void frame(std::uint64_t step, double, const Particles& owned) override {
        frame_steps.push_back(step);
        latest_frame = owned;
    }
    void contacts(std::uint64_t step, std::span<const Contact> reported) override {
        num_contacts += reported.size();
        last_contact_step = step;
    }
    void sample(std::uint64_t step, double time, const Sample& sample) override {
        samples.push_back({step, time, observables_of(sample)});
    }

    std::vector<std::uint64_t> frame_steps;
    Particles latest_frame;
    std::size_t num_contacts = 0;
    std::uint64_t last_contact_step = 0;
    std::vector<KeptSample> samples;
};

/// Keeps the notes.
class Listener final : public Monitor {
  public:
    void note(const std::string& sentence) override { notes.push_back(sentence); }
    void progress(const Progress&) override { ++num_progress; }

    std::vector<std::string> notes;
    std::size_t num_progress = 0;
};

struct KeptRun {
    Config config;
    Keeper kept;
    Listener monitor;
    RunTotals totals;
    std::size_t num_owned = 0;
};

/// Runs the input `text` on all ranks of the program. `prepare` may add to the simulation. Collective.
KeptRun run_input(
    const std::string& text, const std::function<void(Simulation&)>& prepare = [](Simulation&) {});

}  // namespace ricochet::test
