// SPDX-License-Identifier: BSD-3-Clause
//
// The holder of an output: the text in the side file of a lock, and the rules by which a holder counts as
// dead.
//
// A process of this kernel is identified by its id and start time, which no later process shares. A process
// of another kernel renews its text every `renewal_seconds`. It counts as dead when it has not done so for
// `patience_minutes`. It also counts as dead when Slurm has started the same job again, which happens only
// after its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ricochet {

inline constexpr double renewal_seconds = 15;
inline constexpr double patience_minutes = 5;

struct LockHolder {
    std::string host;
    std::string kernel;         ///< id of this boot of it
    std::string process_space;  ///< in which `process` has a meaning
    std::string process;        ///< id and start time
    std::string job;            ///< of a batch system; empty outside of one
    std::string job_start;      ///< which start of that job
    std::string token;          ///< random: this holder and no other
    double renewed = 0;         ///< seconds since 1970, on the clock of its host

    /// This process, with a new token.
    static LockHolder self();
    /// The holder in a text made by to_text; none for any other text.
    static std::optional<LockHolder> from_text(const std::string& text);
    /// The text: lines, always of the same total length.
    std::string to_text() const;
    /// "process 1234 on host n1, Slurm job 55, 3 s ago", for messages.
    std::string describe(double now) const;
};

/// Whether the holder is certainly dead, or has been silent for too long, as seen by `self` at `now`. With
/// has_kernel_lock this process has got the operating system's lock on the side file. A living holder on the
/// same kernel would still have that lock.
bool is_dead(const LockHolder& holder, const LockHolder& self, bool has_kernel_lock, double now);

/// Seconds since 1970.
double seconds_since_1970();

}  // namespace ricochet
