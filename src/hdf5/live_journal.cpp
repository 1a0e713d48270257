// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/live_journal.hpp"

#include "hdf5/superblock.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

std::shared_ptr<LiveJournal> LiveJournal::watch(const std::string& path, const JournalOptions& options) {
    auto journal = std::make_shared<LiveJournal>(path, options);
    journal->begin();
    watch_next_opened(path, journal);
    return journal;
}

LiveJournal::LiveJournal(const std::string& path, const JournalOptions& options)
    : path_(path),
      file_(PosixFile::open_for_reading(path)),
      journal_(path, options.run_id, options.survives_power_loss) {}

void LiveJournal::begin() {
    end_ = end_of_content(file_);
    if (!is_open_) first_end_ = end_;
    journal_.begin(end_);
}

void LiveJournal::cancel() {
    forget_unopened(*this);
    journal_.remove();
}

std::optional<std::string> LiveJournal::find_bypass() const {
    const bool has_grown = end_ != first_end_;
    if (is_open_ && (num_writes_ > 0 || !has_grown)) return std::nullopt;
    return path_ +
           ": HDF5 writes it past this program, which cannot keep what a kill would damage: a profiler or "
           "another "
           "preloaded library has taken the place of MPI_File_write_at, or MPI is linked as a static "
           "library; run "
           "without it";
}

bool LiveJournal::may_write(std::uint64_t offset, std::uint64_t length) noexcept {
    ++num_writes_;
    try {
        journal_.keep(offset, length);
        return true;
    } catch (const RunError&) {
        return false;
    }
}

void LiveJournal::closed() noexcept {
    try {
        journal_.remove();
    } catch (const RunError&) {
        // It holds the state of the latest flush, and nothing is wrong with going on from there.
    }
}

}  // namespace ricochet
