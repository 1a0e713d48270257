// SPDX-License-Identifier: BSD-3-Clause
//
// Records what is being written, so that a failed write is reported at the moment it happens.
//
// A write may fail on one rank alone, after every check of free space: a quota, or a server that answers EIO.
// MPI-IO then returns an error to HDF5 on that rank. HDF5 leaves the collective operation there, while the
// other ranks continue it. It then waits on both sides, crashes, or loses the error and its cause.
//
// So an error handler of MPI-IO gets the failure first, while errno still has the cause. It ends the program
// from inside the failed call. No rank continues with a file of which another rank could not write its part.
//
// Disadvantage: a failed call of MPI-IO always ends the program.
#pragma once

#include <cstdint>
#include <string>

#include "ricochet/core/error.hpp"

namespace ricochet {

/// During its lifetime this rank writes to `path`. Objects may be nested; the innermost counts. Main thread
/// only.
class OutputInProgress {
  public:
    /// A write of `num_bytes`; 0 where that is unknown. Inside another one for the same file, 0 means the
    /// number known there.
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

/// Runs `work`, which writes `num_bytes` to the file, and adds this to the text of an Hdf5Error.
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
