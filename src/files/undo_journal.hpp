// SPDX-License-Identifier: BSD-3-Clause
//
// A rollback journal: the file OUTPUT.undo, beside an output that is written in place.
//
// HDF5 overwrites its metadata piece by piece. A process that is killed in between leaves an output that is
// partly old and partly new. So the old bytes go to the journal before they are overwritten. From an output and
// its journal the state at the journal's beginning can be had back, however many writes have followed.
//
// What lies at or above `end` was not in use at the beginning, and is not kept. The journal begins anew whenever
// the output is consistent. It is removed after the output has been closed. So a journal that holds blocks shows
// that a process was ended in between.
//
// Layout, little-endian. Head: "RICOUND1", end u64, serial u64, run id char[32], XXH64 of all of that. Then
// records: offset u64, length u64, serial u64, XXH64 of these three and of the bytes; the bytes. A record is
// valid if its serial is that of the head and its hash is right. The write that follows a broken record has not
// begun. Records are put back newest first, so the oldest bytes of each place win.
//
// Kills keep the order of writes, loss of power does not. With `is_synced`, each record is on the disk before
// its place in the output changes. That costs one fsync for each place: 1.4 to 4 ms for a frame on a local disk.
//
// A journal must not be put back on an output that has been changed without it. Its run id must therefore be in
// the output, and no run begins to write beside a journal that exists. Disadvantage: an older copy of the output
// that is moved to the journal's side has the right id too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "files/posix_file.hpp"

namespace ricochet {

/// The path of the journal of an output, or of the file that it links to.
std::string undo_path(const std::string& output);

/// The journal of an output that this process writes. Not collective, for rank 0.
class UndoJournal {
  public:
    /// Creates the journal of an existing output. Throws RunError when there is one already, or when it cannot
    /// be created.
    /// Requires: run_id has at most 32 bytes.
    UndoJournal(const std::string& output, const std::string& run_id, bool is_synced);

    /// Begins anew: the output is consistent, and has its content below `end`. Throws RunError.
    void begin(std::uint64_t end);
    /// Keeps what lies at these bytes, as far as it is below `end` and not kept yet. Call before they are
    /// overwritten. Throws RunError.
    void keep(std::uint64_t offset, std::uint64_t length);
    /// Removes the journal: the output has been closed. Throws RunError.
    void remove();

  private:
    bool is_kept(std::uint64_t offset, std::uint64_t end) const;
    void note_kept(std::uint64_t offset, std::uint64_t end);

    std::string output_path_, run_id_;
    PosixFile output_, journal_;
    bool is_synced_ = false;
    std::uint64_t end_ = 0, serial_ = 0, length_ = 0;
    std::map<std::uint64_t, std::uint64_t> kept_;  ///< ends of disjoint ranges, by their begins
    std::vector<std::byte> record_;
};

/// A journal that was found beside an output.
struct FoundUndo {
    std::string path;
    std::string run_id;
    std::uint64_t end = 0;
    /// Whether it has a whole head. Without one it has just begun anew: there is nothing to put back.
    bool has_begun = false;
    bool is_of_output = false;     ///< whether the output is there and has the run id
    std::uint64_t num_blocks = 0;  ///< to put back
};

/// The journal beside `output`; none where there is no such file. Throws InputError for another kind of file,
/// RunError when reading fails. Not collective.
std::optional<FoundUndo> find_undo(const std::string& output);

/// Puts the blocks of a journal of this output back, gives it the length `end`, and removes the journal. May be
/// interrupted at any moment and called again. Throws RunError. Not collective.
/// Requires: undo.has_begun and undo.is_of_output.
void roll_back(const std::string& output, const FoundUndo& undo);

/// Removes a journal without putting anything back. Throws RunError. Not collective.
void remove_undo(const std::string& output);

}  // namespace ricochet
