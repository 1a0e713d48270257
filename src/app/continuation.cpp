// SPDX-License-Identifier: BSD-3-Clause
#include "app/continuation.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "app/run_progress.hpp"
#include "app/separate_check.hpp"
#include "files/output_path.hpp"
#include "hdf5/recovery.hpp"
#include "process/new_identity.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/result_info.hpp"
#include "run/found_box.hpp"
#include "run/input.hpp"

namespace ricochet {
namespace {

void require_no_checkpoint(Exchange& exchange, const std::string& result) {
    on_root(exchange, [&] {
        if (const auto paths = list_checkpoints(result); !paths.empty())
            throw InputError(
                fmt::format("output file {}: {} is a checkpoint of an earlier run; give "
                            "--continue to go on from it, or --force to start anew",
                            result, paths.front()));
        return std::string();
    });
}

/// Like condition_of_result, but a damaged file is not opened by this process.
ResultCondition safe_condition_of_result(const std::string& result) {
    std::error_code error;
    if (std::filesystem::exists(result, error) && find_damage_apart(result, CheckedPart::structure))
        return ResultCondition::foreign;
    return condition_of_result(result);
}

/// Why a start under --continue may not replace the file at the place of the result. Empty for a file that
/// this run itself left when it was killed.
std::string reason_to_keep(const std::string& result, ResultCondition condition,
                           const RunIdentity& identity) {
    if (condition == ResultCondition::closed)
        return "its run has ended and there is no checkpoint to go on from";
    if (condition == ResultCondition::foreign)
        return "it is no result of this program, or a damaged one, and there is no checkpoint";
    const std::string difference = difference_in_origin(identity_of_result(result), identity);
    return difference.empty() ? "" : "it is of another run (" + difference + "), and there is no checkpoint";
}

/// Whether the result has all steps that the input asks for, and is of this run.
bool is_complete(const std::string& result, const Config& config, const RunIdentity& identity) {
    return difference_in_origin(identity_of_result(result), identity).empty() &&
           find_progress(result).num_steps == config.run.num_steps;
}

/// A start under --continue, where there is no checkpoint.
Beginning fresh_beginning(Exchange& exchange, const Config& config, RunIdentity identity, Monitor& monitor) {
    const std::string& result = config.output.file;
    const std::string found = on_root(exchange, [&]() -> std::string {
        const ResultCondition condition = safe_condition_of_result(result);
        if (condition == ResultCondition::absent) return "";
        if (condition == ResultCondition::closed && is_complete(result, config, identity)) return "ended";
        const std::string reason = reason_to_keep(result, condition, identity);
        if (reason.empty()) return "unfinished";
        throw InputError(
            fmt::format("output file {}: {}; move it away, or give --force to replace it", result, reason));
    });
    if (found == "ended") return {.has_ended = true, .identity = std::move(identity)};
    check_output_path(exchange, result, !found.empty());
    if (!found.empty())
        monitor.note(result + " is of a run that was ended before its first checkpoint: starting anew");
    return {.replaces_result = !found.empty(), .identity = std::move(identity)};
}

void require_same_input(const FoundCheckpoint& found, const Config& config, const RunIdentity& now) {
    const Config in_box = in_found_box(config, found.checkpoint->state.found_box);
    const auto changes = forbidden_changes(found.checkpoint->effective_input, effective_yaml(in_box));
    if (!changes.empty()) {
        std::string text = found.path + ": the input has changed since this checkpoint was written:";
        for (const std::string& change : changes) text += "\n    " + change;
        throw InputError(text + "\nwith --force the run starts anew");
    }
    if (found.checkpoint->state.step > config.run.num_steps)
        throw InputError(fmt::format("{}: is of step {}, and run.steps is {}", found.path,
                                     found.checkpoint->state.step, config.run.num_steps));
    if (const std::string difference = difference_in_origin(found.checkpoint->identity, now);
        !difference.empty()) {
        const std::string what = found.checkpoint->state.found_box
                                     ? "box.size, the shape of the box that growth has found"
                                     : placement_path(config);
        throw InputError(fmt::format("{}: {} ({}) than this checkpoint's; with --force the run starts anew",
                                     found.path, difference, what));
    }
}

/// Checks the file before this process opens it. Rows are checked later, when the file is cut back.
void require_sound_result(Exchange& exchange, const std::string& result) {
    on_root(exchange, [&] {
        std::error_code ignored;
        if (!std::filesystem::exists(result, ignored))
            throw InputError(result +
                             ": is not there, but its checkpoints are; put it back, or start anew with "
                             "--force and without --continue");
        if (const auto damage = find_damage_apart(result, CheckedPart::structure))
            throw InputError(*damage + "; move it away, or give --force to start anew");
        return std::string();
    });
}

/// A missing start file is only noted, since the checkpoint holds all that the run needs of it.
void note_missing_start(const Config& config, const RunIdentity& now, Monitor& monitor) {
    const std::string start = placement_path(config);
    if (!start.empty() && now.start_hash == 0)
        monitor.note("warning: " + start +
                     " is not there any more; the run goes on with the particles of its checkpoint");
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

Beginning find_beginning(Exchange& exchange, const RunCommand& command, const Config& config,
                         Monitor& monitor) {
    const std::string& result = config.output.file;
    if (!command.is_continued) {
        check_output_path(exchange, result, command.force);
        if (!command.force) require_no_checkpoint(exchange, result);
        if (!command.force) require_no_journal(exchange, result);
        return {.replaces_result = command.force, .identity = new_identity(exchange, config)};
    }
    if (const auto note = recover_output(exchange, result)) monitor.note(*note);
    RunIdentity now = new_identity(exchange, config);
    FoundCheckpoint found = read_newest_checkpoint(exchange, result);
    if (!found.checkpoint && found.damaged.empty())
        return fresh_beginning(exchange, config, std::move(now), monitor);
    if (!found.checkpoint) throw InputError(none_usable(found));
    for (const std::string& sentence : found.damaged)
        monitor.note("warning: " + sentence + "; an earlier one is used");
    require_same_input(found, config, now);
    heal_output_of_earlier_version(exchange, result, found.checkpoint->identity.run_id);
    require_sound_result(exchange, result);
    note_missing_start(config, now, monitor);
    monitor.note(describe(found));
    RunIdentity identity = found.checkpoint->identity;
    return {.checkpoint = std::move(found.checkpoint), .identity = std::move(identity)};
}

}  // namespace ricochet
