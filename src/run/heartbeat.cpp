// SPDX-License-Identifier: BSD-3-Clause
#include "run/heartbeat.hpp"

#include <algorithm>
#include <span>

namespace ricochet {

void Heartbeat::beat(std::uint64_t steps_done) {
    const Clock::time_point now = Clock::now();
    double seconds = std::chrono::duration<double>(now - previous_time_).count();
    exchange_.max(std::span(&seconds, 1));
    const auto steps = static_cast<double>(std::max<std::uint64_t>(steps_done - previous_, 1));
    const double wanted = steps * interval_ / std::max(seconds, 1e-9);
    next_ = steps_done + static_cast<std::uint64_t>(std::clamp(wanted, 1.0, 2 * steps));
    seconds_ += seconds;
    previous_ = steps_done;
    previous_time_ = now;
}

void Heartbeat::restart(std::uint64_t steps_done) {
    seconds_ = 0;
    previous_ = steps_done;
    next_ = steps_done + 1;
    previous_time_ = Clock::now();
}

}  // namespace ricochet
