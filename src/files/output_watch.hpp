// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the file that a run has open is still the one under its name. Another file may be moved to the
// name, or copied into the file. A run that then reserves or cuts off by name would damage that file. So rank
// 0 checks device, inode, length and the run id in the file before every output.
//
// Disadvantage: a copy of the run's own file, of the same length, is not recognised when it is copied back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ricochet {

/// Whether the id of a run is in the first 64 MiB of a file, where a result has it. Throws RunError when the file
/// cannot be read.
bool contains_run_id(const std::string& path, const std::string& run_id);

class OutputWatch {
  public:
    OutputWatch() = default;
    /// Watches an existing file. `run_id` is the id in the file, searched for in its first 64 MiB; empty
    /// where there is none. Throws RunError when the file cannot be read. Not collective, for rank 0.
    OutputWatch(std::string path, std::string run_id);

    /// Records the present length, below which the file must not fall. Where the file is gone, problem() says
    /// so.
    void remember_length();

    /// A sentence when the file is gone or replaced; none before there is a file. Costs one open and one
    /// read.
    std::optional<std::string> problem() const;

  private:
    bool is_same() const;

    std::string path_, run_id_;
    std::optional<std::uint64_t> place_of_id_;
    std::uint64_t device_ = 0, inode_ = 0, length_ = 0;
};

}  // namespace ricochet
