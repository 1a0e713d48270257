// SPDX-License-Identifier: BSD-3-Clause
//
// Tells what a library writes to a file through MPI-IO, just before it is written, and lets it leave out syncs.
//
// MPI's profiling interface makes this possible without the library's help. Each MPI function has a second name,
// PMPI_..., and a program may define the first one. The source defines the functions that open, write, sync and close
// files, and passes their work on. Files without a watcher cost one comparison per call.
//
// Only writes of one rank at a known offset are reported. Collective writes go through a file view, where offsets
// have another meaning. HDF5 uses views for elements of datasets, and never for metadata.
//
// Disadvantage: a tool that defines the same functions, or MPI as a static library, may bypass these. The
// watcher is then called for nothing, which its owner must notice. Main thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace ricochet {

class FileWatcher {
  public:
    FileWatcher() = default;
    FileWatcher(const FileWatcher&) = delete;
    FileWatcher& operator=(const FileWatcher&) = delete;
    FileWatcher(FileWatcher&&) = delete;
    FileWatcher& operator=(FileWatcher&&) = delete;
    virtual ~FileWatcher() = default;

    /// The file has been opened, and is watched from now on.
    virtual void opened() noexcept = 0;
    /// This rank is about to write. When this returns false, with the reason in errno, nothing is written and the
    /// call fails.
    virtual bool may_write(std::uint64_t offset, std::uint64_t length) noexcept = 0;
    /// The file has been closed, without an error.
    virtual void closed() noexcept = 0;
};

/// Watches the next file that this rank opens by MPI-IO under the name `path`, until it is closed. That may be
/// as late as in MPI_Finalize. Not collective.
void watch_next_opened(const std::string& path, std::shared_ptr<FileWatcher> watcher);

/// Forgets a watcher whose file was not opened. Not collective.
void forget_unopened(const FileWatcher& watcher);

/// While one exists, MPI_File_sync leaves all that was written to the system, which keeps it when the program is
/// killed. To be made on all ranks of a file. Where the function is bypassed, files are synced.
class SyncsLeftOut {
  public:
    SyncsLeftOut();
    SyncsLeftOut(const SyncsLeftOut&) = delete;
    SyncsLeftOut& operator=(const SyncsLeftOut&) = delete;
    SyncsLeftOut(SyncsLeftOut&&) = delete;
    SyncsLeftOut& operator=(SyncsLeftOut&&) = delete;
    ~SyncsLeftOut();
};

}  // namespace ricochet
