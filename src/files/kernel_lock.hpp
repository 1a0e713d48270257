// SPDX-License-Identifier: BSD-3-Clause
//
// Locks of the operating system on open files (fcntl, open file description). They exclude at once, over the
// network where the file system supports it, and end with their process.
//
// A KernelMark is such a lock on a file that HDF5, MPI-IO and readers lock too. It is shared, and covers one byte
// far beyond the end. MPI-IO locks the bytes that it writes, readers lock nothing or lock the whole file to read: a
// mark disturbs neither. Locks of a process (plain fcntl) would not do: they end when MPI-IO or a reader in this
// process closes the file. Nor would flock: readers through HDF5 would be refused.
//
// Disadvantage: a mark does not exclude by itself. Two that set their marks at the same time see each other, and
// both are refused.
#pragma once

#include <optional>
#include <string>

namespace ricochet {

enum class KernelLock { taken, held_by_another, unknown };

/// Tries to lock the whole of an open file. Unknown: the file system has no such locks.
KernelLock take_kernel_lock(int descriptor);

class KernelMark {
  public:
    KernelMark() = default;
    KernelMark(const KernelMark&) = delete;
    KernelMark& operator=(const KernelMark&) = delete;
    KernelMark(KernelMark&&) = delete;
    KernelMark& operator=(KernelMark&&) = delete;
    /// Calls remove().
    ~KernelMark();

    /// Marks the file, in place of one marked before. Unknown also where there is no such file.
    KernelLock set(const std::string& path);
    void remove() noexcept;

  private:
    int descriptor_ = -1;
};

/// Whether another open file has marked the file. False where the file system has no such locks.
bool is_marked(const std::string& path);

}  // namespace ricochet
