// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/recovery.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "files/output_watch.hpp"
#include "files/posix_file.hpp"
#include "files/undo_journal.hpp"
#include "hdf5/superblock.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

bool exists(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

[[noreturn]] void refuse(const std::string& path, const FoundUndo& undo) {
    throw InputError(
        fmt::format("output file {}: {} is the journal of run {}, which was ended while it wrote a file that "
                    "is not here; move "
                    "that journal to where its file is, or remove it",
                    path, undo.path, undo.run_id));
}

/// After a flush nothing lies beyond the end of content: what was reserved goes.
void cut_off_reserved_room(const std::string& path) {
    PosixFile file = PosixFile::open_for_writing(path);
    if (const std::uint64_t end = end_of_content(file); file.size() > end) file.truncate(end);
    file.close();
}

/// A journal without a head has just begun anew, after a flush.
std::optional<std::string> recover(const std::string& path, const FoundUndo& undo) {
    if (!undo.has_begun) {
        if (exists(path)) cut_off_reserved_room(path);
        remove_undo(path);
        return std::nullopt;
    }
    if (!undo.is_of_output) refuse(path, undo);
    roll_back(path, undo);
    if (undo.num_blocks == 0) return std::nullopt;
    return fmt::format("{}: its run was killed while it wrote; {} blocks were put back from {}", path,
                       undo.num_blocks, undo.path);
}

/// Runs `work` on rank 0; an InputError or RunError is thrown on all ranks. Collective.
template <class Work>
void work_on_root(Exchange& exchange, const Work& work) {
    std::optional<std::string> refusal;
    run_on_root<RunError>(exchange, [&] {
        try {
            work();
        } catch (const InputError& error) {
            refusal = error.what();
        }
    });
    throw_together<InputError>(exchange, refusal);
}

}  // namespace

std::optional<std::string> recover_output(Exchange& exchange, const std::string& path) {
    std::optional<std::string> note;
    work_on_root(exchange, [&] {
        if (const auto undo = find_undo(path)) note = recover(path, *undo);
    });
    return note;
}

void heal_output_of_earlier_version(Exchange& exchange, const std::string& path, const std::string& run_id) {
    work_on_root(exchange, [&] {
        if (!exists(path) || !contains_run_id(path, run_id)) return;
        PosixFile file = PosixFile::open_for_writing(path);
        raise_end_of_content(file);
        file.close();
    });
}

void settle_replaced_output(Exchange& exchange, const std::string& path) {
    work_on_root(exchange, [&] {
        const auto undo = find_undo(path);
        if (undo && undo->is_of_output) roll_back(path, *undo);
        if (undo && !undo->is_of_output) remove_undo(path);
    });
}

void require_no_journal(Exchange& exchange, const std::string& path) {
    work_on_root(exchange, [&] {
        if (const auto undo = find_undo(path)) refuse(path, *undo);
    });
}

}  // namespace ricochet
