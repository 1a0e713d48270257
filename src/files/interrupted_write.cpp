// SPDX-License-Identifier: BSD-3-Clause
#include "files/interrupted_write.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "files/file_clock.hpp"
#include "files/kernel_lock.hpp"
#include "files/lock_holder.hpp"
#include "files/posix_file.hpp"
#include "files/undo_journal.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

bool is_being_written(const std::string& output) {
    if (is_marked(output)) return true;
    std::ifstream lock(path_behind_links(output) + ".lock", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(lock), {}};
    const auto holder = LockHolder::from_text(text);
    const LockEvidence evidence{false, FileClock(output).now(), seconds_since_boot()};
    return holder && !is_dead(*holder, LockHolder::self(), evidence);
}

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
