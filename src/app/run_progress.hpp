// SPDX-License-Identifier: BSD-3-Clause
//
// How far the run of a result has come, for `ricochet info`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/json.hpp"
#include "files/lock_holder.hpp"

namespace ricochet {

/// Times are seconds since 1970 on the clock of the file system.
struct RunProgress {
    enum class State { running, ended, stopped, failed, killed };

    State state = State::killed;
    std::uint64_t num_steps = 0;             ///< complete in the file
    std::optional<std::uint64_t> last_step;  ///< of the input; none where this version cannot read it
    bool can_go_on = false;                  ///< whether there is a checkpoint
    std::optional<LockHolder> writer;        ///< of a running one, where its lock was not removed
    /// From the mean speed since this part of the run began, or since its first checkpoint.
    std::optional<double> expected_end;
};

/// Throws InputError where the result cannot be read. Not collective.
RunProgress find_progress(const std::string& path);

/// "running: 1600 of 4000 steps, by process 12 on host n1, since 13:02, ends about 14:05", in the time of this host.
std::string describe_progress(const RunProgress& progress);

/// The same for programs.
Json facts_of_progress(const RunProgress& progress);

}  // namespace ricochet
