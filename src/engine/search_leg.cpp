// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/engine/search_leg.hpp"

#include <algorithm>
#include <numbers>

namespace ricochet {
namespace {

/// Others within a ball's width of a particle.
double num_neighbours(const LegQuestion& of, double leg) {
    const double width = 2 * of.radius + of.speed * leg + 2 * spare_reach(of, leg);
    return of.density * width * width * std::numbers::pi * (of.is_flat ? 1 : 4 * width / 3);
}

/// Nanoseconds per particle and time of the model in the head comment, but for what no leg changes.
constexpr double sorting = 16, pair = 5, bend = 40;
double cost(const LegQuestion& of, double leg) {
    const double neighbours = num_neighbours(of, leg);
    const double path_in_diameters = of.speed * leg / (2 * of.radius);
    return (sorting + pair * neighbours) / leg + bend * of.contact_rate * neighbours * path_in_diameters;
}

}  // namespace

double spare_reach(const LegQuestion& of, double leg) {
    constexpr double most_in_radii = 0.3, per_contact = 5;
    return std::min(std::min(1.0, per_contact * of.contact_rate * leg) * of.speed * leg,
                    most_in_radii * of.radius);
}

double best_leg(const LegQuestion& of) {
    if (!(of.rest > 0 && of.radius > 0)) return of.rest;
    constexpr double least_gain = 0.02;
    double best = of.rest;
    double least_cost = (1 - least_gain) * cost(of, of.rest);
    for (double count = 2; sorting * count < least_cost * of.rest; count += std::max(1.0, 0.05 * count)) {
        const double leg = of.rest / count;
        if (const double needed = cost(of, leg); needed < least_cost) {
            least_cost = needed;
            best = leg;
        }
    }
    return best;
}

}  // namespace ricochet
