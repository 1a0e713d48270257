// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/step_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

double shortest_periodic_edge(const Box& box) {
    double shortest = no_limit;
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.is_periodic(axis)) shortest = std::min(shortest, box.size[axis]);
    return shortest;
}

bool has_nearest_image(const Box& box, Vec3 extents, int axis) {
    return !box.is_periodic(axis) || 0.5 * box.size[axis] > extents[axis];
}

double sum_of_two_largest(Exchange& exchange, const std::array<double, 2>& mine) {
    auto all = all_gather_records<double>(exchange, mine);
    std::partial_sort(all.begin(), all.begin() + 2, all.end(), std::greater<>());
    return all[0] + all[1];
}

/// The sum of the two largest radii among all ranks' particles. Collective.
double two_largest_radii(Exchange& exchange, const Particles& owned) {
    std::array<double, 2> mine{};
    for (std::size_t k = 0; k < owned.size(); ++k) {
        const double radius = owned.attributes[k].radius;
        mine[1] = std::max(mine[1], std::min(mine[0], radius));
        mine[0] = std::max(mine[0], radius);
    }
    return sum_of_two_largest(exchange, mine);
}

std::string half_length(const Box& box, int axis) {
    return "half of its length along " + std::string(1, "xyz"[axis]) + " is " +
           text_of(0.5 * box.size[axis]) + ", but must exceed the radii ";
}

std::string too_small_box(const Box& box, int axis) {
    return "the box is too small for its own periodic images: " + half_length(box, axis);
}

bool is_larger(const LargestProduct& a, const LargestProduct& b) {
    return a.radius != b.radius ? a.radius > b.radius : a.id < b.id;
}

LargestProduct largest_of_ranks(Exchange& exchange, const LargestProduct& own) {
    const auto all = all_gather_records<LargestProduct>(exchange, std::span(&own, 1));
    return *std::min_element(all.begin(), all.end(), is_larger);
}

}  // namespace

bool has_nearest_images(const Box& box, Vec3 extents) {
    for (int axis = 0; axis < box.dimension; ++axis)
        if (!has_nearest_image(box, extents, axis)) return false;
    return true;
}

void require_nearest_images(Exchange& exchange, const Particles& owned, const Box& box, Vec3 extents) {
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (has_nearest_image(box, extents, axis)) continue;
        const double radii = two_largest_radii(exchange, owned);
        if (!has_nearest_image(box, {radii, radii, radii}, axis))
            throw RunError(too_small_box(box, axis) + "of any two particles, " + text_of(radii) +
                           ": use a larger box or smaller particles");
        throw RunError(too_small_box(box, axis) + "and displacements in one step of any two particles, " +
                       text_of(extents[axis]) + ": use a larger box or a smaller timestep");
    }
}

LargestProduct largest_product(const Particles& particles, std::size_t num_owned, std::uint64_t step) {
    LargestProduct largest{.step = step};
    for (std::size_t k = 0; k < num_owned; ++k) {
        const Attributes& attributes = particles.attributes[k];
        if (is_absent(attributes)) continue;
        const LargestProduct own{step, attributes.radius, particles.motion[k].id, attributes.species};
        if (is_larger(own, largest)) largest = own;
    }
    return largest;
}

// A shorter timestep helps only where two of the largest would fit if they rested.
void require_nearest_images(Exchange& exchange, const LargestProduct& own, const Box& box, Vec3 extents,
                            const std::function<std::string(SpeciesIndex)>& name_of) {
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (has_nearest_image(box, extents, axis)) continue;
        const LargestProduct largest = largest_of_ranks(exchange, own);
        const double radii = 2 * largest.radius;
        const bool would_fit = has_nearest_image(box, {radii, radii, radii}, axis);
        throw RunError("step " + std::to_string(largest.step) +
                       (would_fit ? ": particles and their displacements" : ": particles") +
                       " have outgrown the box. The largest is particle " + std::to_string(largest.id) +
                       " of species " + name_of(largest.species) + ", of radius " + text_of(largest.radius) +
                       ". Of the box, " + half_length(box, axis) +
                       "and displacements in one step of any two particles, " + text_of(extents[axis]) +
                       ": use a larger box, fewer or smaller particles, or fewer steps" +
                       (would_fit ? "; a smaller timestep may help" : ""));
    }
}

StepLimits agree_on_limits(Exchange& exchange, const PathBounds& local, const Box& box, bool wants_any_to_any,
                           double window_rate) {
    std::array<double, 6> largest{local.max_displacement,       local.max_radius, local.largest_extent,
                                  wants_any_to_any ? 1.0 : 0.0, window_rate,      local.max_reach};
    exchange.max(largest);
    const double reach = largest[5], extent = largest[2] + reach;
    StepLimits limits{largest[0], largest[1], reach, extent, 2 * extent, largest[3] > 0, largest[4]};
    constexpr double most_box_lengths = 1e5;  // as many contacts with walls, or parts of a step
    const double longest = std::max({box.size.x, box.size.y, box.size.z});
    if (std::isfinite(limits.max_displacement) && limits.max_displacement > most_box_lengths * longest)
        throw RunError("a particle would fly " + text_of(limits.max_displacement / longest) +
                       " box lengths in one step, expected at most " + text_of(most_box_lengths) +
                       ": use a smaller run.timestep");
    if (!std::isfinite(limits.max_displacement))
        throw RunError(
            "a particle would travel infinitely far in one step: its velocity is not a finite number");
    // Nearly always twice the largest extent fits, and the second largest need not be known.
    if (0.5 * shortest_periodic_edge(box) <= limits.two_largest_extents)
        limits.two_largest_extents =
            sum_of_two_largest(exchange, {local.largest_extent, local.second_extent}) + 2 * reach;
    return limits;
}

}  // namespace ricochet
