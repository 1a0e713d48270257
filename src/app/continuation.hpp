// SPDX-License-Identifier: BSD-3-Clause
//
// What stands beside and at the place of the result when a run begins, and what follows from it: a fresh
// start, a continuation, or a refusal. Nothing is touched here.
//
//                         no checkpoint                        checkpoints
//   run                   result must not exist                refused
//   run --force           result is replaced                   removed, result is replaced
//   run --continue        result is created; what this run     goes on from the newest that is whole; input,
//                         left when it was killed early is     start file and result must be those of the
//                         replaced, anything else refused      checkpoint
#pragma once

#include <optional>
#include <string>

#include "app/command_line.hpp"
#include "ricochet/app/monitor.hpp"
#include "ricochet/io/checkpoint.hpp"
#include "ricochet/io/config.hpp"
#include "ricochet/parallel/mpi_exchange.hpp"

namespace ricochet {

struct Beginning {
    std::optional<Checkpoint> checkpoint;  ///< to go on from
    bool replaces_result = false;          ///< with a fresh start
    RunIdentity identity;                  ///< of the checkpoint, or a new one
};

/// Decides how the run of `config` begins. Collective. Throws InputError on all ranks where it must not:
/// results would be lost, the input has changed, no checkpoint is usable.
Beginning find_beginning(MpiExchange& exchange, const RunCommand& command, const Config& config,
                         Monitor& monitor);

}  // namespace ricochet
