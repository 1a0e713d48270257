// SPDX-License-Identifier: BSD-3-Clause
//
// The clock of a file system: the times that it gives to files. All hosts that write to a network file system
// share it, while their own clocks may differ by minutes.
//
// Disadvantage: some file systems (Lustre) take the clock of the host that writes.
#pragma once

#include <chrono>
#include <string>

namespace ricochet {

class FileClock {
  public:
    /// Reads the clock from a file that it creates beside `path` and removes again. The host's clock stands in
    /// where no file can be created.
    explicit FileClock(const std::string& path);

    /// Seconds since 1970.
    double now() const;

    /// Reads the clock again, from an open file that has just been written.
    void read_again(int descriptor);

  private:
    void set(double time);

    double time_ = 0;  ///< of the last reading
    std::chrono::steady_clock::time_point read_at_;
};

/// When a file was last written, in seconds since 1970 on the clock of its file system; 0 where it cannot be
/// looked at.
double time_of_last_write(int descriptor);
double time_of_last_write(const std::string& path);

}  // namespace ricochet
