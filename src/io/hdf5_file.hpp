// SPDX-License-Identifier: BSD-3-Clause
//
// Opening files and groups. A parallel file is closed by close() alone, which is collective; its destructor
// leaves it open, because it runs on the way out of an error, where the other ranks may not follow. What has
// been flushed stays readable, and at the end of an orderly MPI_Finalize HDF5 closes it after all.
//
// The format stays that of HDF5 1.8 (the library's default): newer superblocks carry a mark "open for
// writing", which would make the file of a killed run unreadable without h5clear.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <string>
#include <vector>

#include "io/hdf5_handle.hpp"

namespace ricochet::hdf5 {

/// Stops HDF5 from printing its error stack; done by every function here that opens a file.
void silence_error_printing();

/// A file that all ranks of a communicator write.
class ParallelFile {
  public:
    ParallelFile() = default;
    /// Creates the file; an existing one is an error unless `replace`. Collective.
    ParallelFile(const boost::mpi::communicator& ranks, const std::string& path, bool replace);
    /// Opens an existing file for reading and writing. Collective.
    static ParallelFile reopen(const boost::mpi::communicator& ranks, const std::string& path);
    ParallelFile(const ParallelFile&) = delete;
    ParallelFile& operator=(const ParallelFile&) = delete;
    ParallelFile(ParallelFile&&) = default;
    ParallelFile& operator=(ParallelFile&&) = default;
    ~ParallelFile() { handle_.abandon(); }

    hid_t get() const { return handle_.get(); }
    bool is_open() const { return handle_.is_open(); }
    /// Makes all that was written visible to readers and durable. Collective.
    void flush();
    /// Collective.
    void close();

  private:
    std::string path_;
    Handle handle_;
};

/// Opens a file for reading by this rank alone. Takes no lock: some parallel file systems have none, and what
/// the counters of complete rows cover does not change any more. Throws InputError for a file that leads out
/// of itself (self_contained.hpp).
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
/// Takes a name away; an object that has another one stays. Collective in a parallel file.
void remove_link(hid_t group, const char* name);

}  // namespace ricochet::hdf5
