// SPDX-License-Identifier: BSD-3-Clause
//
// One writer per output. Rank 0 of a run holds the side file <output>.lock, from before anything is opened
// until the process ends. All ranks agree on whether the lock was obtained.
//
// There are three locks in one. The kernel's lock on the side file (kernel_lock.hpp) excludes at once. Its
// holder is alive, whatever the text says.
//
// The text of the side file decides where kernel locks fail, or hold on one node only. It names the holder,
// and a thread renews it (lock_holder.hpp). A dead holder is replaced. Without a kernel lock, a run that
// replaces a holder waits and reads the file again. If two runs do so at the same time, the last to write
// wins and the other is refused. A holder whose side file was replaced, as after a long sleep of its node,
// must stop writing; problem() says so.
//
// The kernel's mark on the output itself keeps others out where a user has removed the side file, which the
// thread then restores.
//
// Disadvantages: two hard links to one file are two outputs, until one of them is marked. Where the kernel's lock
// does not work either and files get the time of the host that writes, clocks of nodes must agree to minutes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

class OutputLock {
  public:
    OutputLock();
    OutputLock(const OutputLock&) = delete;
    OutputLock& operator=(const OutputLock&) = delete;
    OutputLock(OutputLock&&) = delete;
    OutputLock& operator=(OutputLock&&) = delete;
    /// Calls release().
    ~OutputLock();

    /// Takes the lock of `output`, or of the file that it links to. Throws InputError on all ranks when
    /// another run holds it, or when the side file cannot be written. Collective.
    void take(Exchange& exchange, const std::string& output);

    /// Marks the output once it exists; take() marks one that is there. Throws RunError on all ranks when another
    /// run has marked it. Collective.
    void mark_output(Exchange& exchange);

    /// A sentence when this run has lost the lock; empty otherwise. Local; only rank 0 knows.
    std::optional<std::string> problem() const;

    /// Releases the lock and removes the side file. Local.
    void release() noexcept;

  private:
    class SideFile;
    std::unique_ptr<SideFile> side_file_;
};

/// The lock of this process. It outlives MPI_Finalize, in which HDF5 may still write.
OutputLock& lock_of_this_process();

}  // namespace ricochet
