// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/window_count.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace ricochet {
namespace {

/// This many particles without contacts are added where contacts per particle are estimated: a rank with a few
/// particles does not know their density.
constexpr double few_particles = 32;

/// In a sub-window the busiest particle has at most this many times the contacts of a mean one (note 53 of
/// tests/bench/notes.md).
constexpr double most_of_busiest = 160;

}  // namespace

double adapted_to_ranks(double contacts_per_window, int num_ranks) {
    return num_ranks == 1 ? contacts_per_window : 1.4 * contacts_per_window;
}

void WindowCount::note(const ContactForecast& forecast, std::size_t num_owned) {
    const double contact_rate = 2 * static_cast<double>(forecast.num_contacts) /
                                ((static_cast<double>(num_owned) + few_particles) * forecast.time);
    const double rate_of_busiest = static_cast<double>(forecast.num_of_busiest) / forecast.time;
    wished_rate_ = std::max(contact_rate, rate_of_busiest / most_of_busiest) / contacts_per_window_;
}

std::uint64_t WindowCount::in_step(Exchange& exchange, double dt, double agreed_rate) const {
    if (fixed_ > 0) return fixed_;
    double rate = agreed_rate;
    if (rate < 0) {
        rate = wished_rate_;
        exchange.max(std::span(&rate, 1));
    }
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(rate * dt)));
}

}  // namespace ricochet
