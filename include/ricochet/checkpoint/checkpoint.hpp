// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints: files with the complete state of a run at the end of a step. The run can be continued from
// there on any number of ranks, with the same bits as an uninterrupted run.
//
// THE FILE (HDF5, format version 4), written by all ranks together, N particles in ascending id
// (those that there are at this step):
//   /                   attributes: kind ("ricochet checkpoint"), format_version u32, program, git
//   /particles          [N], one record of 144 bytes: id u64, position f64[3], velocity f64[3], time f64,
//                       radius, mass, diffusion f64, species u32, frozen_axes u32, origin f64[3], image i64[3]:
//                       every bit of Motion, Attributes and Track (model/particles.hpp). The time is 0; where the run
//                       prevents collapse, that of the latest contact relative to the step's end. Where particles are
//                       born: 152 bytes, with absorbed u64. Where they can be tethered: 280 bytes, with absorbed
//                       u64, tether_ids u64[12], tether_species u16[12], num_tethers u32, unused_2 u32
//   /observables        the observer that every run has: sums i64 [K], the sums of all ranks since the latest
//                       sample; contacts i64 [C], by pair of species up to the latest sample
//   /observers/<name>   each other observer, if any: sums i64 [K]; memory i64 [M]; attribute numbers f64 [],
//                       absent if empty
//   /state              attributes: step u64, previous_sample_time (absent before the first sample),
//                       previous_temperature f64, of the observables. Where particles are born: next_id u64.
//                       The result file: result_frames, result_collisions, result_samples,
//                       result_log_end_step u64, result_sums u64[3]; result_first_missing_step once the
//                       byte budget of the log is used up.
//                       The run before step 0, while it lasts:
//                       equilibration_{steps,collisions,latest_collision}; of a lattice, _sites; once there are marks,
//                       equilibration_mark_{steps u64,collisions i64}[].
//                       effective_input: the input with all defaults. Where growth to a pressure has found the box:
//                       box_size f64[3], start_pressure f64.
//                       RunTimes: num_parts u64, wall_seconds f64, phase_seconds f64[3 per phase].
//                       RunIdentity: run_id, input_hash, start_hash
// Each dataset has an attribute checksum, u64[2]: the Fingerprint (core/hash.hpp) of its rows. It depends on
// neither the number of ranks nor their shares. A seal of 40 bytes follows the HDF5 part: a checksum of all
// bytes before it, metadata included (src/files/sealed_file.hpp). So a damaged file is recognised before HDF5
// reads it and might crash.
//
// A checkpoint is written as <result>.checkpoint-<step>.tmp. The file is flushed, closed, reopened, and
// compared with the checksums of what was in memory. Then it is sealed, synced and renamed, and the folder is
// synced. So a file with its final name is whole. Older ones are removed only after that, and only those
// whose seal names this run. No rank holds more than its share of the particles.
//
// Adaptive tuning (halo factors, numbers of sub-windows) is not saved: it changes no bits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/files/result_position.hpp"
#include "ricochet/files/run_identity.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/vec3.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// A mark in the run before step 0: steps and collisions up to some time.
struct EquilibrationMark {
    std::uint64_t num_steps = 0;
    std::int64_t num_collisions = 0;  ///< of all ranks

    friend bool operator==(const EquilibrationMark&, const EquilibrationMark&) = default;
};

/// The progress of the run before step 0.
struct EquilibrationState {
    std::uint64_t num_steps = 0;
    std::int64_t num_collisions = 0;         ///< of all ranks
    std::uint64_t latest_collision = 0;      ///< the number of steps at the latest contact
    std::vector<EquilibrationMark> marks{};  ///< from which a steady contact rate is recognised
    std::uint64_t num_sites = 0;             ///< of the lattice of the start; 0 without one

    friend bool operator==(const EquilibrationState&, const EquilibrationState&) = default;
};

/// The wall time of a run by phase, with its earlier parts. For reports only.
struct RunTimes {
    std::uint64_t num_parts = 0;  ///< 1 for a run that was never continued
    double wall_seconds = 0;
    std::vector<double> phase_seconds;  ///< least, mean, most over the ranks, by phase, added over the parts

    friend bool operator==(const RunTimes&, const RunTimes&) = default;
};

/// The state of an observer (observe/observer.hpp).
struct ObserverState {
    std::vector<std::int64_t> sums;      ///< of all ranks since the latest sample
    std::vector<std::int64_t> integers;  ///< this and the next: its memory from sample to sample
    std::vector<double> numbers;

    friend bool operator==(const ObserverState&, const ObserverState&) = default;
};

/// The box of a start that grew until it had some pressure (placement.until_pressure). Sizes of particles are those of
/// the input, and the box has its shape; how large it is, growth has found.
struct FoundBox {
    Vec3 size;            ///< edges, as Box::size
    double pressure = 0;  ///< p V/(N kT), as measured at the end of growth

    friend bool operator==(const FoundBox&, const FoundBox&) = default;
};

/// The state of a run between two steps, beside its particles; the same on all ranks. It is that at the end of a step
/// *before* anything of this step is recorded. So one rule serves all cases: a continued run cuts the result back to
/// ResultPosition and records the step. The rule also holds where cadences have changed, and where a run that had ended
/// is made longer, since the last step is always recorded.
struct RunState {
    std::uint64_t step = 0;                           ///< completed recorded steps
    std::optional<EquilibrationState> equilibration;  ///< while it lasts
    std::optional<double> previous_sample_time;       ///< none before the first sample
    std::map<std::string, ObserverState> observers;   ///< by name; none before step 0
    std::optional<std::uint64_t> next_id{};  ///< of the next particle that is born; none without births
    RunTimes times{};
    std::string start_note{};  ///< what has become of a lattice, a dense or a grown start by step 0
    std::optional<FoundBox>
        found_box{};  ///< of a start that grew to a pressure; the effective input has this box

    friend bool operator==(const RunState&, const RunState&) = default;
};

/// Everything except the particles; the same on all ranks.
struct CheckpointHeader {
    RunState state;
    RunIdentity identity;
    ResultPosition result;            ///< what the result file held
    std::string effective_input;      ///< effective_yaml of the run's Config
    std::uint64_t num_particles = 0;  ///< of all ranks

    friend bool operator==(const CheckpointHeader&, const CheckpointHeader&) = default;
};

struct Checkpoint : CheckpointHeader {
    Particles particles;  ///< this rank's share, anywhere in the box
};

/// <result>.checkpoint-<step>
std::string checkpoint_path(const std::string& result_path, std::uint64_t step);

/// The checkpoints beside a result, whole or not, newest first. Not collective.
std::vector<std::string> list_checkpoints(const std::string& result_path);

/// The step in the name of a listed checkpoint.
std::uint64_t step_of_checkpoint(const std::string& path);

/// Writes checkpoint_path(result_path, header.state.step) from the particles that each rank owns, in any
/// order. They keep tethers on all ranks, or on none. Removes all but the newest `keep` of this run, and never this
/// one. Throws RunError on all ranks where that is not possible; the earlier ones are then kept. Collective.
/// O(n log n) per rank and one exchange of particles; the file is read twice. Returns its path.
/// Requires: header.state.times.phase_seconds has the least, the mean and the most of each phase.
std::string write_checkpoint(Exchange& exchange, const std::string& result_path,
                             const CheckpointHeader& header, const Particles& owned, std::uint64_t keep);

/// Bytes that a checkpoint of this many particles needs, at most.
std::uint64_t checkpoint_bytes(std::uint64_t num_particles, bool has_tethers = false);

struct FoundCheckpoint {
    std::optional<Checkpoint> checkpoint;  ///< none when there is no usable one
    std::string path;
    std::vector<std::string> damaged;  ///< a sentence for each newer one that is not usable
};

/// Reads the newest usable checkpoint of a result; each rank gets about N / ranks particles. Throws
/// InputError on all ranks for one of a newer format than this program knows. Collective.
FoundCheckpoint read_newest_checkpoint(Exchange& exchange, const std::string& result_path);

/// Removes the finished checkpoints of one run. Those of other runs stay. Throws RunError. Collective.
void remove_checkpoints_of(Exchange& exchange, const std::string& result_path, const RunIdentity& identity);

/// Removes all checkpoints of a result and what is left of unfinished ones. Collective.
void remove_checkpoints(Exchange& exchange, const std::string& result_path);

}  // namespace ricochet
