// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints: files that hold all of a run at the end of a step, so that it can go on from there, on any
// number of ranks, with the same bits as if it had never stopped.
//
// THE FILE (HDF5, format version 4), written by all ranks together, N particles in ascending id:
//   /                   attributes: kind ("ricochet checkpoint"), format_version u32, program, git
//   /particles          [N], one record of 144 bytes: id u64, position f64[3], velocity f64[3], time f64,
//                       radius, mass, diffusion f64, species u32, unused u32, origin f64[3], image i64[3]:
//                       every bit of Motion, Attributes and Track (core/particles.hpp)
//   /observables/sums   i64 [K], ObservableSums::integers() of all ranks since the latest sample
//   /observables/contacts   i64 [C], contacts by pair of species up to the latest sample
//   /state              attributes: step u64; previous_sample_time (absent before the first sample) and
//                       previous_temperature f64; result_frames, result_collisions, result_samples,
//                       result_log_end_step u64, and result_first_missing_step once the log's budget is used
//                       up, result_sums u64[3]: what the result file held;
//                       equilibration_{steps,collisions,latest_collision} and, once there are marks,
//                       equilibration_mark_{steps u64,collisions i64}[] while the run before step 0 lasts;
//                       effective_input: the input with all defaults; num_parts u64, wall_seconds f64,
//                       phase_seconds f64[3 per phase]: RunTimes; run_id, input_hash, start_hash: RunIdentity
// Each dataset has an attribute checksum, u64[2]: the Fingerprint (core/hash.hpp) of its rows, which depends
// on neither the number of ranks nor their shares. Behind the HDF5 part stands a seal of 40 bytes, a checksum
// of all bytes before it, metadata included (src/io/sealed_file.hpp): a damaged file is recognised before
// HDF5, which can crash on one, gets to see it.
//
// A checkpoint is written as <result>.checkpoint-<step>.tmp; flushed, closed, opened again and held against
// the checksums of what was in memory; sealed; synced; renamed; and the folder is synced. So a file with its
// final name is whole, and older ones go only after that, and only those whose seal names this run: what else
// has such a name stays. No rank holds more than its share of the particles.
//
// Adaptive tuning (halo factors, numbers of sub-windows) is not saved: it changes no bits.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/particles.hpp"
#include "ricochet/io/run_identity.hpp"
#include "ricochet/io/run_state.hpp"

namespace ricochet {

/// All but the particles; the same on all ranks.
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

/// Writes checkpoint_path(result_path, header.state.step) from the particles that each rank owns, in any
/// order, and removes all but the newest `keep` of this run. Throws RunError on all ranks where that is not
/// possible: then the earlier ones are still there. Collective. O(n log n) per rank and one exchange of all
/// particles; the file is read twice. Returns its path.
std::string write_checkpoint(const boost::mpi::communicator& ranks, const std::string& result_path,
                             const CheckpointHeader& header, const Particles& owned, std::uint64_t keep);

/// Bytes that a checkpoint of so many particles needs, at most.
std::uint64_t checkpoint_bytes(std::uint64_t num_particles);

struct FoundCheckpoint {
    std::optional<Checkpoint> checkpoint;  ///< none when there is no usable one
    std::string path;
    std::vector<std::string> damaged;  ///< a sentence for each newer one that is not usable
};

/// Reads the newest usable checkpoint of a result; each rank gets about N / ranks particles. Throws
/// InputError on all ranks for one of a newer format than this program knows. Collective.
FoundCheckpoint read_newest_checkpoint(const boost::mpi::communicator& ranks, const std::string& result_path);

/// Removes all checkpoints of a result and what is left of unfinished ones. Collective.
void remove_checkpoints(const boost::mpi::communicator& ranks, const std::string& result_path);

}  // namespace ricochet
