// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

namespace ricochet {

/// Adds the wall time of its scope to a counter.
class ScopedSeconds {
  public:
    explicit ScopedSeconds(double& counter) : counter_(counter) {}
    ~ScopedSeconds() {
        counter_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    ScopedSeconds(const ScopedSeconds&) = delete;
    ScopedSeconds& operator=(const ScopedSeconds&) = delete;
    ScopedSeconds(ScopedSeconds&&) = delete;
    ScopedSeconds& operator=(ScopedSeconds&&) = delete;

  private:
    double& counter_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace ricochet
