// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the file that a run has open is still the one under its name. Another file may be moved to the
// name, or copied into the file: what a run then reserved or cut off by name would be another's. So before
// every output rank 0 looks at device, inode and length, and at the run id where it stands in the file.
//
// Disadvantage: a copy of the run's own file of the same length, copied back, is not recognised.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ricochet {

class OutputWatch {
  public:
    OutputWatch() = default;
    /// Of an existing file; `run_id` as it stands in it, empty where there is none. Looks for it in the first
    /// 64 MiB. Throws RunError when the file cannot be read. Not collective, for rank 0.
    OutputWatch(std::string path, std::string run_id);

    /// The file never gets shorter than it is now. Where it is gone, problem() says so.
    void remember_length();

    /// A sentence when the file is gone or another one; none before there is a file. One open and one read.
    std::optional<std::string> problem() const;

  private:
    bool is_same() const;

    std::string path_, run_id_;
    std::optional<std::uint64_t> place_of_id_;
    std::uint64_t device_ = 0, inode_ = 0, length_ = 0;
};

}  // namespace ricochet
