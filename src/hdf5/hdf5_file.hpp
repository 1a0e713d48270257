// SPDX-License-Identifier: BSD-3-Clause
//
// Opens files and groups. A parallel file is closed by close() alone, which is collective. Its destructor
// leaves the file open, because it also runs after an error, where the other ranks may not follow. Flushed
// content stays readable, and an orderly MPI_Finalize closes the file after all.
//
// The format is that of HDF5 1.8, the library's default. Newer superblocks carry a mark "open for writing".
// The mark would make the file of a killed run unreadable without h5clear.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hdf5/hdf5_handle.hpp"
#include "hdf5/live_journal.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet::hdf5 {

/// Stops HDF5 from printing its error stack; done by every function here that opens a file.
void silence_error_printing();

/// Where what was written is safe: from kills of the program, or also from loss of power.
enum class FlushTo { system, disk };

/// A file that all ranks of an exchange write, which must stand on MPI.
class ParallelFile {
  public:
    ParallelFile() = default;
    /// Creates the file; an existing one is an error unless `replace`. Collective.
    /// Requires: the ranks are MPI processes.
    ParallelFile(const Exchange& exchange, const std::string& path, bool replace);
    /// Opens an existing file for reading and writing, with a journal that a kill leaves (live_journal.hpp).
    /// Throws RunError on all ranks when there is a journal already. Collective.
    static ParallelFile reopen(Exchange& exchange, const std::string& path, const JournalOptions& options);
    ParallelFile(const ParallelFile&) = delete;
    ParallelFile& operator=(const ParallelFile&) = delete;
    ParallelFile(ParallelFile&&) = default;
    ParallelFile& operator=(ParallelFile&&) = default;
    ~ParallelFile() { handle_.abandon(); }

    hid_t get() const { return handle_.get(); }
    bool is_open() const { return handle_.is_open(); }
    /// Makes all that was written visible to readers, and safe. The journal then begins anew. Throws RunError
    /// on all ranks when it cannot. Collective; with the same argument on all ranks.
    void flush(FlushTo place = FlushTo::disk);
    /// The journal is then removed. Collective.
    void close();

  private:
    void require_journal();

    Exchange* exchange_ = nullptr;  ///< with a journal
    std::string path_;
    std::shared_ptr<LiveJournal> journal_;  ///< on rank 0
    Handle handle_;
};

/// Opens a file for reading by this rank alone. Takes no lock: some parallel file systems have none, and rows
/// below the counters of complete rows no longer change. Throws InputError for a file that refers to other
/// files (self_contained.hpp).
Handle open_for_reading(const std::string& path);

Handle create_group(hid_t parent, const char* name);
Handle open_group(hid_t parent, const char* name);
/// Whether there is a group or dataset at this path below `parent`.
bool has_object(hid_t parent, const std::string& path);
bool is_group(hid_t parent, const std::string& path);
/// The names of the links in a group, in alphabetical order.
std::vector<std::string> link_names(hid_t group);
/// Gives an open object one more name (a hard link) in a group.
void link_object(hid_t object, hid_t group, const char* name);
/// Removes a name. An object that has another name stays. Collective in a parallel file.
void remove_link(hid_t group, const char* name);

}  // namespace ricochet::hdf5
