// SPDX-License-Identifier: BSD-3-Clause
#include "run/pressure_goal.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

namespace {

constexpr std::uint64_t most_rests = 100;
/// Contacts per particle over the slowest rate: growth of a fluid to a jam, and from there by each factor e of the
/// pressure. Growth that never rests takes a tenth of them.
constexpr double most_contacts_of_fluid = 100, most_contacts_per_factor = 20;
/// The most that radii change at once: where a fluid is not dense, the law of free volume is far off.
constexpr double most_change_of_radii = 0.1;

}  // namespace

PressureGoal::PressureGoal(double pressure, double rate)
    : pressure_(pressure),
      rate_(rate),
      slowest_(std::min(rate, slowest_rate)),
      most_contacts_((most_contacts_of_fluid + most_contacts_per_factor * fixed::log(pressure)) / slowest_) {
    RICOCHET_CHECK(pressure > 1 && rate > 0);
}

double PressureGoal::change_after(double pressure_at_rest) {
    ++num_rests_;
    rate_ = std::max(rate_ / 2, slowest_);
    if (std::abs(pressure_at_rest - pressure_) <= pressure_tolerance * pressure_) return 0;
    return std::clamp(1 / pressure_at_rest - 1 / pressure_, -most_change_of_radii, most_change_of_radii);
}

bool PressureGoal::gives_up(double contacts_per_particle) const {
    return num_rests_ >= most_rests || contacts_per_particle > most_contacts_;
}

}  // namespace ricochet
