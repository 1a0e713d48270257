// SPDX-License-Identifier: BSD-3-Clause
//
// How a run begins, by what exists at the place of the result and beside it. The run starts afresh, is
// continued, or is refused. Nothing is changed here.
//
//                         no checkpoint                        checkpoints
//   run                   result must not exist                refused
//   run --force           result is replaced                   removed, result is replaced
//   run --continue        result is created; what this run     goes on from the newest that is whole; input,
//                         left when it was killed early is     start file and result must be those of the
//                         replaced, anything else but this     checkpoint
//                         run's ended result refused
#pragma once

#include <optional>
#include <string>

#include "app/command_line.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/monitor.hpp"

namespace ricochet {

struct Beginning {
    std::optional<Checkpoint> checkpoint = std::nullopt;  ///< to go on from
    bool replaces_result = false;                         ///< with a fresh start
    bool has_ended = false;  ///< all steps are in the result already; nothing is to be done
    RunIdentity identity;    ///< of the checkpoint, or a new one
};

/// Decides how the run of `config` begins. Collective. Throws InputError on all ranks where it must not:
/// results would be lost, the input has changed, no checkpoint is usable.
Beginning find_beginning(Exchange& exchange, const RunCommand& command, const Config& config,
                         Monitor& monitor);

}  // namespace ricochet
