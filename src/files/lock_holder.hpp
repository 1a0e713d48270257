// SPDX-License-Identifier: BSD-3-Clause
//
// The holder of an output: the text in the side file of a lock, and the rules by which a holder counts as
// dead.
//
// A process of this kernel is identified by its id and start time, which no later process shares. A process
// of another kernel renews its text every `renewal_seconds`. It counts as dead when it has not done so for
// `patience_minutes`. It also counts as dead when Slurm has started the same job again, which happens only
// after its end. So does one of this host that has not renewed its text since this host was started.
//
// All times are those of the file system (file_clock.hpp), since clocks of hosts differ.
#pragma once

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
    double since = 0;           ///< when it took the lock; 0 where its version did not say so
    double renewed = 0;         ///< seconds since 1970, on the clock of the file system

    /// This process, with a new token. It has renewed nothing yet.
    static LockHolder self();
    /// The holder in a text made by to_text; none for any other text.
    static std::optional<LockHolder> from_text(const std::string& text);
    /// The text: lines, always of the same total length.
    std::string to_text() const;
    /// "process 1234 on host n1, Slurm job 55, 3 s ago", for messages.
    std::string describe(double now) const;
};

/// What is known of a holder apart from its text.
struct LockEvidence {
    bool has_kernel_lock = false;   ///< this process has got the operating system's lock on the side file
    double now = 0;                 ///< seconds since 1970, on the clock of the file system
    double seconds_since_boot = 0;  ///< of this host
};

/// Whether the holder has certainly ended, as seen by `self`.
bool has_ended(const LockHolder& holder, const LockHolder& self);

/// Whether the holder has ended, or has been silent for too long. A living holder on this kernel would have the
/// operating system's lock. Requires: no other process has that lock.
bool is_dead(const LockHolder& holder, const LockHolder& self, const LockEvidence& evidence);

/// Whether a process can have written this time of renewal at `now`. A text may be damaged, or of an earlier version,
/// which wrote the time of its host.
bool is_plausible_renewal(double renewed, double now);

/// Seconds since this host was started; infinite where that is unknown.
double seconds_since_boot();

}  // namespace ricochet
