// SPDX-License-Identifier: BSD-3-Clause
//
// What the operating system counts for this process: CPU time, peak memory, instructions.
#pragma once

#include <cstdint>
#include <optional>

namespace ricochet::bench {

/// Seconds of CPU time, user and system, all threads, since the process began.
double cpu_seconds();

/// Resident memory in bytes, now and at its largest.
double resident_bytes();
double peak_resident_bytes();

/// Counts the instructions that this process retires in user mode between construction and count(). Without
/// hardware counters, as in most virtual machines, there is nothing to count.
class InstructionCounter {
  public:
    InstructionCounter();
    ~InstructionCounter();
    InstructionCounter(const InstructionCounter&) = delete;
    InstructionCounter& operator=(const InstructionCounter&) = delete;
    InstructionCounter(InstructionCounter&&) = delete;
    InstructionCounter& operator=(InstructionCounter&&) = delete;

    /// Since construction; none without counters.
    std::optional<std::uint64_t> count() const;

  private:
    int file_ = -1;
};

}  // namespace ricochet::bench
