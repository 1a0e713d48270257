// SPDX-License-Identifier: BSD-3-Clause
#include "search/search_interval.hpp"

#include <algorithm>
#include <numbers>

namespace ricochet {
namespace {

/// Mean number of other particles within the width of a bounding sphere.
double num_neighbours(const IntervalConditions& of, double interval) {
    const double width = 2 * of.radius + of.speed * interval + 2 * spare_reach(of, interval);
    return of.density * width * width * std::numbers::pi * (of.is_flat ? 1 : 4 * width / 3);
}

/// Nanoseconds per particle and time of the model in the head comment, without what no interval changes.
constexpr double sorting = 16, pair = 5, bend = 40;
double cost(const IntervalConditions& of, double interval) {
    const double neighbours = num_neighbours(of, interval);
    const double path_in_diameters = of.speed * interval / (2 * of.radius);
    return (sorting + pair * neighbours) / interval + bend * of.contact_rate * neighbours * path_in_diameters;
}

}  // namespace

double spare_reach(const IntervalConditions& of, double interval) {
    constexpr double most_in_radii = 0.3, per_contact = 5;
    return std::min(std::min(1.0, per_contact * of.contact_rate * interval) * of.speed * interval,
                    most_in_radii * of.radius);
}

double best_interval(const IntervalConditions& of) {
    if (!(of.rest > 0 && of.radius > 0)) return of.rest;
    constexpr double least_gain = 0.02;
    double best = of.rest;
    double least_cost = (1 - least_gain) * cost(of, of.rest);
    for (double count = 2; sorting * count < least_cost * of.rest; count += std::max(1.0, 0.05 * count)) {
        const double interval = of.rest / count;
        if (const double needed = cost(of, interval); needed < least_cost) {
            least_cost = needed;
            best = interval;
        }
    }
    return best;
}

}  // namespace ricochet
