// SPDX-License-Identifier: BSD-3-Clause
#include "app/continuation.hpp"

#include <fmt/format.h>

#include "app/input.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/output_path.hpp"
#include "ricochet/io/result_info.hpp"

namespace ricochet {
namespace {

void require_no_checkpoint(MpiExchange& exchange, const std::string& result) {
    on_root(exchange, [&] {
        if (const auto paths = list_checkpoints(result); !paths.empty())
            throw InputError(
                fmt::format("output file {}: {} is a checkpoint of an earlier run; give "
                            "--continue to go on from it, or --force to start anew",
                            result, paths.front()));
        return std::string();
    });
}

/// A start under --continue, where there is no checkpoint.
Beginning fresh_beginning(MpiExchange& exchange, const std::string& result, Monitor& monitor) {
    const std::string condition = on_root(exchange, [&]() -> std::string {
        switch (condition_of_result(result)) {
            case ResultCondition::closed:
                throw InputError(
                    fmt::format("output file {}: its run has ended and there is no checkpoint "
                                "to go on from; give --force to start anew",
                                result));
            case ResultCondition::unfinished:
                return "unfinished";
            default:
                return "";
        }
    });
    const bool is_unfinished = !condition.empty();
    check_output_path(exchange.communicator(), result, is_unfinished);
    if (is_unfinished)
        monitor.note(result + " is of a run that was ended before its first checkpoint: starting anew");
    return {std::nullopt, is_unfinished};
}

void require_same_input(const FoundCheckpoint& found, const Config& config) {
    const auto changes = forbidden_changes(found.checkpoint->effective_input, effective_yaml(config));
    if (!changes.empty()) {
        std::string text = found.path + ": the input has changed since this checkpoint was written:";
        for (const std::string& change : changes) text += "\n    " + change;
        throw InputError(text + "\nwith --force the run starts anew");
    }
    if (found.checkpoint->state.step > config.run.num_steps)
        throw InputError(fmt::format("{}: is of step {}, and run.steps is {}", found.path,
                                     found.checkpoint->state.step, config.run.num_steps));
}

std::string none_usable(const FoundCheckpoint& found) {
    std::string text;
    for (const std::string& sentence : found.damaged) text += sentence + "\n";
    return text + "no checkpoint is usable; with --force the run starts anew";
}

std::string describe(const FoundCheckpoint& found) {
    const RunState& state = found.checkpoint->state;
    if (state.equilibration)
        return fmt::format("continuing from {}, equilibration step {}", found.path,
                           state.equilibration->num_steps);
    return fmt::format("continuing from {}, step {}", found.path, state.step);
}

}  // namespace

Beginning find_beginning(MpiExchange& exchange, const RunCommand& command, const Config& config,
                         Monitor& monitor) {
    const std::string& result = config.output.file;
    if (!command.is_continued) {
        check_output_path(exchange.communicator(), result, command.force);
        if (!command.force) require_no_checkpoint(exchange, result);
        return {std::nullopt, command.force};
    }
    FoundCheckpoint found = read_newest_checkpoint(exchange.communicator(), result);
    if (!found.checkpoint && found.damaged.empty()) return fresh_beginning(exchange, result, monitor);
    if (!found.checkpoint) throw InputError(none_usable(found));
    for (const std::string& sentence : found.damaged)
        monitor.note("warning: " + sentence + "; an earlier one is used");
    require_same_input(found, config);
    monitor.note(describe(found));
    return {std::move(found.checkpoint), false};
}

}  // namespace ricochet
