// SPDX-License-Identifier: BSD-3-Clause
#include "files/interrupted_write.hpp"

#include <fmt/format.h>

#include "files/living_writer.hpp"
#include "files/undo_journal.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// None also where the journal changes while it is read, or is of another kind.
std::optional<FoundUndo> find_blocks(const std::string& output) {
    try {
        const auto undo = find_undo(output);
        return undo && undo->is_of_output && undo->num_blocks > 0 ? undo : std::nullopt;
    } catch (const RunError&) {
    } catch (const InputError&) {
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> find_interrupted_write(const std::string& output) {
    const auto undo = find_blocks(output);
    if (!undo || is_being_written(output)) return std::nullopt;
    return fmt::format(
        "{}: its run ended while it wrote this file, and {} holds what it was about to overwrite; "
        "run it again with --continue, which first puts that back, or let ricochet recover {} do it",
        output, undo->path, output);
}

}  // namespace ricochet
