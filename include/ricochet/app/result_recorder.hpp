// SPDX-License-Identifier: BSD-3-Clause
//
// The Recorder that writes the result file, and what the file says about the run as a whole.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ricochet/app/monitor.hpp"
#include "ricochet/app/observable_columns.hpp"
#include "ricochet/app/recorder.hpp"
#include "ricochet/io/result_writer.hpp"

namespace ricochet {

/// What velocity, mass, energy and the like mean in this run, one sentence each; for file and log.
std::vector<NamedText> meaning_of_numbers(const Config& config);

/// Where a run comes from; the same on all ranks.
struct RunOrigin {
    std::string input_text;             ///< the input file as read
    std::vector<NamedText> provenance;  ///< command, date and the like; never compared
    RunIdentity identity;
};

class ResultRecorder final : public Recorder {
  public:
    /// Creates the file config.output.file. Collective. Throws InputError on all ranks where that is not
    /// possible, or where the file exists and `replace` is false.
    ResultRecorder(const boost::mpi::communicator& ranks, const Config& config, RunOrigin origin,
                   std::uint64_t num_particles, bool replace, Monitor& monitor);

    /// Goes on with the file config.output.file, cut back to `position`. Collective. Throws InputError on all
    /// ranks where there is no such file, or it is of another run, holds less or is damaged. `on_piece` is
    /// called now and then while it is read.
    ResultRecorder(
        const boost::mpi::communicator& ranks, const Config& config, RunOrigin origin,
        std::uint64_t num_particles, const ResultPosition& position, Monitor& monitor,
        const std::function<void()>& on_piece = [] {});

    void frame(std::uint64_t step, double time, const Particles& owned) override;
    bool wants_contacts() const override { return has_collision_log_; }
    void contacts(std::uint64_t step, std::span<const Contact> contacts) override;
    void sample(std::uint64_t step, double time, const ObservableSample& sample) override;
    void relieve() override;
    /// Writes out all that has gathered; returns what the file then holds. Collective.
    ResultPosition flush();
    /// Ends the file; `end` is a word on how the run ended, for info. Collective.
    void close(double wall_seconds, const std::string& end = "finished",
               std::span<const NamedText> accounts = {});

    std::uint64_t num_frames() const { return writer_.num_frames(); }

  private:
    void tell_notice();

    Monitor& monitor_;
    std::vector<ObservableColumn> columns_;
    ResultWriter writer_;
    bool has_collision_log_;
    bool has_told_notice_ = false;
};

}  // namespace ricochet
