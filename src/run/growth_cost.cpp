// SPDX-License-Identifier: BSD-3-Clause
#include "run/growth_cost.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "model/size_distribution.hpp"
#include "run/growing_gas.hpp"
#include "run/pressure_goal.hpp"

namespace ricochet {

namespace {

/// Fits to growth of equal particles (note 62 of tests/bench/notes.md).
struct JammingFit {
    double slowest;    ///< the fraction at which slow growth jams
    double loss;       ///< what it loses at the rate 1
    double sharpness;  ///< the power k at the rate 1
    double sharpest;   ///< that of slow growth
};
constexpr JammingFit fit_3d{0.65, 0.15, 5.5, 14}, fit_2d{0.88, 0.2165, 7, 30};
constexpr double power_of_loss = 0.7, power_of_sharpness = -0.2;

const JammingFit& fit_of(int dimension) { return dimension == 2 ? fit_2d : fit_3d; }

/// Where the contact rate counts as that of a jam: 1 - f/f_J.
constexpr double least_gap = 4e-5;
/// Up to here the fluid's law tells the pressure of what grows, beyond that of free volume; they are equal there.
constexpr double densest_fluid_3d = 0.56, densest_fluid_2d = 0.72;
/// Growth that rests and goes on more slowly jams as growth at this rate does, unless it was slower from the first.
constexpr double rate_of_rests = 0.015;

/// Unequal particles jam at least this factor above a fraction that they are to reach.
constexpr double room_of_unequal = 1.02;

/// CPU times on the processor this was measured on (note 62 of tests/bench/notes.md).
constexpr double seconds_per_contact = 1.2e-7, seconds_per_step = 6.5e-8;
/// The factor where all particles come from memory, and the number that the cache holds.
constexpr double factor_of_memory = 1.9, num_in_cache = 60'000;

double power(double x, double exponent) { return fixed::exp(exponent * fixed::log(x)); }

double sharpness(int dimension, double rate) {
    const JammingFit& fit = fit_of(dimension);
    return std::min(fit.sharpness * power(rate, power_of_sharpness), fit.sharpest);
}

/// (Z - 1)/fraction of a fluid in equilibrium.
double excess_pressure(double f, int dimension) {
    const double room = 1 - f;
    return dimension == 2 ? (2 - f) / (room * room) : (4 - 2 * f) / (room * room * room);
}

/// The flux of a gas into a contact surface that moves outwards at the speed `rate`, over that into one at rest. A
/// series, good to 1 % up to the rate 1, where sqrt(kT/m) is 1.
double flux_into_growing(double rate) { return 1 + 0.5 * std::sqrt(fixed::pi) * rate + 0.25 * rate * rate; }

/// The largest diameter over that of a particle of mean volume.
double size_ratio(const Box& box, const Sizes& sizes, std::uint64_t count) {
    const double mean = sizes.volume_fraction * box.volume() / static_cast<double>(count);
    const double ratio = content(sizes.largest, box.dimension) / mean;
    return box.dimension == 2 ? std::sqrt(ratio) : fixed::cube_root(ratio);
}

double jams_at(const Box& box, const Sizes& sizes, double rate) {
    const double equal = jammed_fraction(box.dimension, rate);
    return is_of_one_size(sizes) ? equal : std::max(equal, room_of_unequal * sizes.volume_fraction);
}

/// Growth from a glass to a jam closes gaps by this part in a contact, over the rate.
constexpr double closing_per_contact = 0.42;
/// Contacts per particle in all rests, and the pressure of a glass once it has relaxed.
constexpr double contacts_in_rests = 600, pressure_of_glass = 1'000;

/// Those of rests, and of slow growth from a glass on.
double contacts_after_first_rest(double pressure, double rate) {
    const double factor = std::max(1.0, pressure / pressure_of_glass);
    return contacts_in_rests + fixed::log(factor) / (closing_per_contact * std::min(rate, slowest_rate));
}

/// Denser ones follow the law of free volume.
constexpr double least_gap_of_fluid = 0.1;

double memory_factor(std::uint64_t count) {
    const double beyond = std::max(0.0, 1 - num_in_cache / static_cast<double>(count));
    return 1 + (factor_of_memory - 1) * beyond;
}

}  // namespace

double jammed_fraction(int dimension, double rate) {
    const JammingFit& fit = fit_of(dimension);
    return fit.slowest - fit.loss * power(rate, power_of_loss);
}

double slowest_jammed_fraction(int dimension) { return fit_of(dimension).slowest; }

/// In a fluid by bisection: its pressure rises with the fraction.
double fraction_at_pressure(int dimension, double rate, double pressure) {
    double low = 0, high = dimension == 2 ? densest_fluid_2d : densest_fluid_3d;
    if (1 + high * excess_pressure(high, dimension) < pressure)
        return jammed_fraction(dimension, std::min(rate, rate_of_rests)) * (1 - dimension / pressure);
    for (int k = 0; k < 60; ++k) {
        const double middle = (low + high) / 2;
        (1 + middle * excess_pressure(middle, dimension) < pressure ? low : high) = middle;
    }
    return low;
}

/// Integrals over u = -ln(1 - f/f_J), in which the diverging rate of contacts is smooth.
GrowthCost cost_of_growth(const Box& box, const Sizes& sizes, std::uint64_t count,
                          const GrowthOptions& options) {
    constexpr int num_parts = 128;
    const double rate = options.rate, jammed = jams_at(box, sizes, rate);
    const double k = sharpness(box.dimension, rate);
    const double least = options.until_pressure
                             ? std::min(least_gap_of_fluid, box.dimension / *options.until_pressure)
                             : least_gap;
    const double last_gap = std::max(1 - sizes.volume_fraction / jammed, least);
    const double begin = -fixed::log(1 - options.from / jammed);
    const double width = std::max(0.0, -fixed::log(last_gap) - begin) / num_parts;
    const double per_excess =
        size_ratio(box, sizes, count) * flux_into_growing(rate) * 2 / (std::sqrt(fixed::pi) * rate);
    GrowthCost cost;
    for (int part = 0; part < num_parts; ++part) {
        const double gap = fixed::exp(-(begin + (part + 0.5) * width)), f = jammed * (1 - gap);
        const double df = jammed * gap * width;
        const double contacts =
            per_excess * excess_pressure(f, box.dimension) * df / (1 - power(f / jammed, k));
        cost.contacts_per_particle += contacts;
        cost.num_steps += std::max(contacts, df / f / box.dimension / largest_growth_of_step(rate));
    }
    if (options.until_pressure) {
        const double more = contacts_after_first_rest(*options.until_pressure, rate);
        cost.contacts_per_particle += more;
        cost.num_steps += more;
    }
    const double per_particle =
        seconds_per_contact * cost.contacts_per_particle + seconds_per_step * cost.num_steps;
    Sizes at_first = sizes;
    at_first.excluding_fraction = options.from;
    cost.cpu_seconds = random_seconds(box, at_first, count) +
                       static_cast<double>(count) * memory_factor(count) * per_particle;
    return cost;
}

}  // namespace ricochet
