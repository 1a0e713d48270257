// SPDX-License-Identifier: BSD-3-Clause
//
// Who holds an output: the text of a lock's side file, and the rules by which a holder counts as dead. A
// process of this kernel is looked up by its id and start time, which no later process has. A process of
// another kernel renews its text every `renewal_seconds`. It counts as dead when it has not done so for
// `patience_minutes`, or when Slurm has started the same job again, which it does only after its end.
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
    /// Of a text that to_text made; none for any other.
    static std::optional<LockHolder> from_text(const std::string& text);
    /// Lines, always of the same total length.
    std::string to_text() const;
    /// "process 1234 on host n1, Slurm job 55, 3 s ago", for messages.
    std::string describe(double now) const;
};

/// Whether the holder is dead for certain, or has been silent for too long, as seen by `self` at `now`.
/// has_kernel_lock: this process has got the operating system's lock on the side file, which a living holder
/// on the same kernel would have kept.
bool is_dead(const LockHolder& holder, const LockHolder& self, bool has_kernel_lock, double now);

/// Seconds since 1970.
double seconds_since_1970();

}  // namespace ricochet
