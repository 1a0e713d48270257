// SPDX-License-Identifier: BSD-3-Clause
//
// One writer per output. Rank 0 of a run holds the side file <output>.lock from before anything is opened
// until the process ends, and all ranks agree on whether it was got.
//
// Two locks in one. The kernel's lock on the side file (fcntl, open file description) excludes at once. It
// holds over the network where the file system passes it on, and ends with its process in every case. Where
// locks do not work, or hold on one node only, the text of the side file decides: it says who holds it, and
// is renewed by a thread (lock_holder.hpp). A dead holder is replaced. A run that replaces one without the
// kernel's help waits and looks again: of two that do so at the same time, the last to write wins and the
// other is refused. A holder that finds its side file replaced, as after a long sleep of its node, must
// not write any more: problem() says so.
//
// Disadvantages: two names of one file by hard links are two outputs; clocks of nodes that differ by minutes
// make the renewed time useless where the kernel's lock is, too.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <memory>
#include <optional>
#include <string>

namespace ricochet {

class OutputLock {
  public:
    OutputLock();
    OutputLock(const OutputLock&) = delete;
    OutputLock& operator=(const OutputLock&) = delete;
    OutputLock(OutputLock&&) = delete;
    OutputLock& operator=(OutputLock&&) = delete;
    /// As release().
    ~OutputLock();

    /// Takes the lock of `output`, or of what it leads to by symbolic links. Throws InputError on all ranks
    /// when another run holds it, or the side file cannot be written. Collective.
    void take(const boost::mpi::communicator& ranks, const std::string& output);

    /// A sentence when the lock is not this run's any more. Local; only rank 0 knows.
    std::optional<std::string> problem() const;

    /// Gives the lock up and removes the side file. Local.
    void release() noexcept;

  private:
    class SideFile;
    std::unique_ptr<SideFile> side_file_;
};

/// The lock of this process. It outlives MPI_Finalize, in which HDF5 may still write.
OutputLock& lock_of_this_process();

}  // namespace ricochet
