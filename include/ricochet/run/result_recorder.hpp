// SPDX-License-Identifier: BSD-3-Clause
//
// The Recorder that writes the result file, with the description of the run in it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_writer.hpp"
#include "ricochet/run/monitor.hpp"
#include "ricochet/run/recorder.hpp"
#include "ricochet/run/simulation.hpp"

namespace ricochet {

/// The meaning of velocity, mass, energy and the like in this run, one sentence each, for file and log.
std::vector<NamedText> meaning_of_numbers(const Config& config);

/// The origin of a run; the same on all ranks.
struct RunOrigin {
    std::string input_text;             ///< the input file as read
    std::vector<NamedText> provenance;  ///< command, date and the like; never compared
    RunIdentity identity;
};

class ResultRecorder final : public Recorder {
  public:
    /// Creates the file config.output.file for the particles and observers of `simulation`. Collective. Throws
    /// InputError on all ranks where that is not possible, or where the file exists and `replace` is false.
    ResultRecorder(Exchange& exchange, const Config& config, RunOrigin origin, const Simulation& simulation,
                   bool replace, Monitor& monitor);

    /// Continues the file config.output.file, cut back to `position`. `on_piece` is called now and then while
    /// the file is read. Collective. Throws InputError on all ranks where the file is missing, belongs to
    /// another run, holds less, or is damaged.
    ResultRecorder(
        Exchange& exchange, const Config& config, RunOrigin origin, const Simulation& simulation,
        const ResultPosition& position, Monitor& monitor, const std::function<void()>& on_piece = [] {});

    void frame(std::uint64_t step, double time, const Particles& owned) override;
    bool wants_contacts() const override { return has_collision_log_; }
    void contacts(std::uint64_t step, std::span<const Contact> contacts) override;
    void sample(std::uint64_t step, double time, const Sample& sample) override;
    void flush() override;
    /// Writes out all buffers and returns what the file then holds. Collective.
    ResultPosition flush_all();
    /// Writes out all buffers, and stores the error that ends the run, for info. Collective.
    void note_error(const std::string& text) { writer_.note_error(text); }
    /// Closes the file; `end` says in a word how the run ended, for info. Collective.
    void close(double wall_seconds, const std::string& end = "finished",
               std::span<const NamedText> accounts = {});

    std::uint64_t num_frames() const { return writer_.num_frames(); }

  private:
    void report_notice();

    Monitor& monitor_;
    ResultWriter writer_;
    bool has_collision_log_;
    bool has_reported_notice_ = false;
};

}  // namespace ricochet
