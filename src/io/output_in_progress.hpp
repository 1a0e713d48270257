// SPDX-License-Identifier: BSD-3-Clause
//
// What is being written, so that a failed write can be reported at the moment it happens.
//
// Why at that moment: a write may fail on one rank alone, behind every check of free space (a quota, a server
// that answers EIO). MPI-IO then returns an error to HDF5 on that rank, which leaves the collective operation
// while the others go on with it: HDF5 waits on both sides, crashes, or loses the error and its cause. So an
// error handler of MPI-IO sees the failure first, while errno still has the cause, and ends the program from
// inside the failed call. No rank goes on with a file of which another rank could not write its part.
//
// Disadvantage: a failed call of MPI-IO can no longer be survived. Nothing in the program tries to.
#pragma once

#include <cstdint>
#include <string>

#include "ricochet/io/hdf5_error.hpp"

namespace ricochet {

/// While it lives, this rank writes to `path`. They may be nested, the innermost counts. Main thread only.
class OutputInProgress {
  public:
    /// Of `num_bytes`; 0 where that is not known. Inside one of the same file 0 stands for what that knows.
    explicit OutputInProgress(std::string path, std::uint64_t num_bytes = 0);
    OutputInProgress(const OutputInProgress&) = delete;
    OutputInProgress& operator=(const OutputInProgress&) = delete;
    OutputInProgress(OutputInProgress&&) = delete;
    OutputInProgress& operator=(OutputInProgress&&) = delete;
    ~OutputInProgress();

    const std::string& path() const { return path_; }
    /// "; this output needs <n> bytes and the disk has <m> bytes left; ...". Local.
    std::string describe_need() const;

  private:
    std::string path_;
    std::uint64_t num_bytes_;
    const OutputInProgress* outer_;
};

/// Runs `work`, which writes `num_bytes` to the file; an Hdf5Error of it tells so.
template <class Work>
void write_within(const std::string& path, std::uint64_t num_bytes, const Work& work) {
    const OutputInProgress output(path, num_bytes);
    try {
        work();
    } catch (const Hdf5Error& error) {
        throw Hdf5Error(error.what() + output.describe_need());
    }
}

}  // namespace ricochet
