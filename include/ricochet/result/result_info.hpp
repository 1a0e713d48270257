// SPDX-License-Identifier: BSD-3-Clause
//
// The content of a result file in words (`ricochet info`). A hash describes the state of the last complete
// frame. It depends on the particles alone: it is equal for every number of ranks, and almost certainly
// differs when one bit of one particle differs.
#pragma once

#include <cstdint>
#include <string>

#include "ricochet/files/run_identity.hpp"

namespace ricochet {

/// Several lines of text: title, box, particles, frames, collision log, observables, state hash, provenance.
/// `progress` says how far its run has come; without it, there is no such line. Throws InputError when `path` is not a
/// result, Hdf5Error when reading fails. Called by one rank.
std::string describe_result(const std::string& path, const std::string& progress = "");

/// The condition of the file at the path of a result.
enum class ResultCondition {
    absent,
    unfinished,  ///< of a run that goes on or was killed
    failed,      ///< of a run that an error ended after it had written all results before
    closed,      ///< of a run that ended, or stopped at a checkpoint
    foreign      ///< something else, or damaged
};

/// Not collective.
ResultCondition condition_of_result(const std::string& path);

/// The identity that a result carries. Throws InputError when `path` is not a result. Called by one rank.
RunIdentity identity_of_result(const std::string& path);

/// 64-bit hash of ids, positions, velocities and images of a complete frame, row by row; where particles
/// change, also of species, radii and masses. Throws InputError when there is no such frame. O(N) time, constant
/// memory. Called by one rank.
std::uint64_t hash_state(const std::string& path, std::uint64_t frame);

}  // namespace ricochet
