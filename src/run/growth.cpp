// SPDX-License-Identifier: BSD-3-Clause
#include "run/growth.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math.hpp"
#include "placement/random_placement.hpp"
#include "run/growing_gas.hpp"
#include "run/pressure_goal.hpp"

namespace ricochet {

namespace {

/// Contacts per particle in the time of a flight over the largest diameter, where particles count as jammed.
constexpr double jammed_rate = 3e5;
/// Radii at the end, over those of the population.
constexpr double final_scale = 1 + 0x1p-30;

/// Contacts over which the pressure of a growing gas is measured.
constexpr double contacts_of_growth = 1'000;
/// Contacts per particle in a rest before the pressure is measured, and at least those in which it is. The least number
/// of these in all is for a standard error of about half a percent.
constexpr double contacts_to_relax = 100, contacts_of_rest = 20, contacts_to_measure = 50'000;
constexpr std::uint64_t most_steps_of_rest = 1'000'000;
/// Rounding errors of places, in units of 2^-53 of the box, that radii keep off each other at the end.
constexpr double slack_of_places = 16;
/// The part of a gap that this slack may be.
constexpr double most_of_gap = 0.05;

/// The slack as a part of the smallest radius.
double slack_of_radii(const Box& box, double smallest_radius) {
    return slack_of_places * 0x1p-53 * std::max({box.size.x, box.size.y, box.size.z}) / (2 * smallest_radius);
}

void offer_end(Exchange& exchange, double part_done, std::uint64_t count) {
    const double done = std::clamp(part_done, 0.0, 1.0) * static_cast<double>(count);
    exchange.offer_end_of_start({static_cast<std::uint64_t>(done), count});
}

/// A gas on its way to a pressure.
class GrowthToPressure {
  public:
    GrowthToPressure(double pressure, const GrowthSchedule& schedule, GrowingGas& gas, std::uint64_t count,
                     Exchange& exchange)
        : pressure_(pressure),
          most_scale_(schedule.most_scale),
          goal_(pressure, schedule.rate),
          gas_(gas),
          count_(count),
          exchange_(exchange) {}

    /// Returns whether it has been reached. Collective, as are those that it calls.
    bool run() {
        grow(most_scale_ / gas_.scale() - 1);
        while (!is_over_) {
            const double change = goal_.change_after(latest_ = pressure_at_rest());
            if (is_over_) break;
            if (change == 0) return true;
            if (change < 0)
                gas_.enlarge(1 + change);
            else
                grow(change);
            is_over_ = is_over_ || goal_.gives_up(gas_.contacts_per_particle());
        }
        return false;
    }
    double pressure() const { return latest_; }

  private:
    /// By this part of the radii, unless the pressure comes before.
    void grow(double part) {
        const double end = std::min(gas_.scale() * (1 + part), most_scale_);
        gas_.begin_stretch();
        bool is_done = false;
        while (!is_done && !is_over_) {
            is_done = gas_.step(goal_.rate(), end / gas_.scale() - 1);
            if (gas_.contacts_of_stretch() >= contacts_of_growth) {
                latest_ = gas_.pressure();
                is_done = is_done || goal_.ends_growth(latest_);
                gas_.begin_stretch();
            }
            tell_progress();
            is_over_ = goal_.gives_up(gas_.contacts_per_particle()) || gas_.scale() >= most_scale_;
        }
    }

    double pressure_at_rest() {
        rest(contacts_to_relax);
        gas_.begin_stretch();
        rest(std::max(contacts_of_rest, 2 * contacts_to_measure / static_cast<double>(count_)));
        return gas_.pressure();
    }

    /// Few particles may never meet.
    void rest(double contacts_per_particle) {
        const double end = gas_.contacts_per_particle() + contacts_per_particle;
        const std::uint64_t last = gas_.num_steps() + most_steps_of_rest;
        while (gas_.contacts_per_particle() < end && !is_over_) {
            gas_.step(0, 1);
            tell_progress();
            is_over_ = gas_.num_steps() >= last;
        }
    }

    void tell_progress() {
        offer_end(exchange_, fixed::log(std::max(1.0, latest_)) / fixed::log(pressure_), count_);
    }

    double pressure_, most_scale_;
    PressureGoal goal_;
    GrowingGas& gas_;
    std::uint64_t count_;
    Exchange& exchange_;
    double latest_ = 1;
    bool is_over_ = false;
};

void tell_of(const GrowingGas& gas, GrownPlacement& result) {
    result.scale = gas.scale();
    result.num_steps = gas.num_steps();
    result.contacts_per_particle = gas.contacts_per_particle();
}

GasSizes sizes_of(const GrowthSchedule& schedule) {
    return {schedule.first_scale, schedule.most_scale, schedule.largest_radius};
}

}  // namespace

GrownPlacement place_by_growth(const Box& box, const Population& population, const GrowthSchedule& schedule,
                               Exchange& exchange) {
    GrownPlacement result;
    RandomPlacement start = place_randomly(box, population.scaled(schedule.first_scale), exchange);
    if (!start.is_complete) return result;
    GrowingGas gas(box, population, sizes_of(schedule), exchange, std::move(start.particles));
    while (!result.is_complete && gas.contacts_per_flight() <= jammed_rate) {
        result.is_complete = gas.step(schedule.rate, final_scale / gas.scale() - 1) && gas.scale() >= 1;
        offer_end(exchange, (gas.scale() - schedule.first_scale) / (1 - schedule.first_scale),
                  population.size());
    }
    tell_of(gas, result);
    if (!result.is_complete) return result;
    result.scale = 1;
    result.particles = at_their_places(gas.owned(), population);
    return result;
}

double finest_pressure(const Box& box, double smallest_radius) {
    return most_of_gap / slack_of_radii(box, smallest_radius);
}

GrownPlacement place_by_growth_to(double pressure, const Box& box, const Population& population,
                                  const GrowthSchedule& schedule, double smallest_radius,
                                  Exchange& exchange) {
    GrownPlacement result;
    RandomPlacement start = place_randomly(box, population.scaled(schedule.first_scale), exchange);
    if (!start.is_complete) return result;
    GrowingGas gas(box, population, sizes_of(schedule), exchange, std::move(start.particles));
    GrowthToPressure growth(pressure, schedule, gas, population.size(), exchange);
    result.is_complete = growth.run();
    result.pressure = growth.pressure();
    tell_of(gas, result);
    result.scale *= 1 - slack_of_radii(box, smallest_radius);
    if (result.is_complete) result.particles = at_their_places(gas.owned(), population);
    return result;
}

}  // namespace ricochet
