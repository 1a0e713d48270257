// SPDX-License-Identifier: BSD-3-Clause
//
// Keeps a rollback journal (files/undo_journal.hpp) of a file while HDF5 has it open for writing.
//
// HDF5 1.10 writes B-trees, object headers and heaps in place and in no particular order, and the superblock
// last. The file is consistent after each flush, and only then. A process killed in between leaves names of what
// lies above the end of address, or names of heaps that were not written. The journal brings back the state of
// the latest flush.
//
// Only rank 0 writes metadata (hdf5_file.cpp asks for that), so there is one journal. Elements of datasets are
// not kept: below the counters of complete rows they never change, beyond them they are void. A place that a
// dataset has freed may be written again only after the next flush, since the state before it still names it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "files/undo_journal.hpp"
#include "mpi/file_watcher.hpp"

namespace ricochet {

/// Whose file it is, and what its journal must survive.
struct JournalOptions {
    std::string run_id;
    bool survives_power_loss = false;
};

/// On rank 0 alone.
class LiveJournal final : public FileWatcher {
  public:
    /// Begins the journal of a consistent file that is about to be opened for writing. Throws RunError.
    static std::shared_ptr<LiveJournal> watch(const std::string& path, const JournalOptions& options);

    /// Begins the journal anew after a flush. Throws RunError.
    void begin();
    /// Removes the journal of a file that could not be opened. Throws RunError.
    void cancel();
    /// A sentence when HDF5 bypasses this journal: the file was opened, or has grown, and nothing was told.
    std::optional<std::string> find_bypass() const;

    void opened() noexcept override { is_open_ = true; }
    bool may_write(std::uint64_t offset, std::uint64_t length) noexcept override;
    void closed() noexcept override;

    LiveJournal(const std::string& path, const JournalOptions& options);

  private:
    std::string path_;
    PosixFile file_;
    UndoJournal journal_;
    bool is_open_ = false;
    std::uint64_t num_writes_ = 0;
    std::uint64_t first_end_ = 0, end_ = 0;  ///< of HDF5's part: at the opening, at the latest beginning
};

}  // namespace ricochet
