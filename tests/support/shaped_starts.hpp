// SPDX-License-Identifier: BSD-3-Clause
//
// What tests of starts of shapes share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "geometry/polytope.hpp"
#include "geometry/shape_table.hpp"
#include "placement/placement.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {

inline Species hull_of(const std::vector<Vec3>& points, int dimension, std::uint64_t count) {
    const Polytope hull = centred(*convex_hull(points, dimension));
    Species species = particles_of((1 + 1e-12) * bounding_radius(hull.corners), count);
    species.corners = hull.corners;
    species.content = hull.volume;
    return species;
}

inline Species brick(Vec3 edges, std::uint64_t count) {
    const int dimension = edges.z == 0 ? 2 : 3;
    std::vector<Vec3> points;
    for (int k = 0; k < (dimension == 2 ? 4 : 8); ++k)
        points.push_back({(k & 1) * edges.x, (k >> 1 & 1) * edges.y, (k >> 2 & 1) * edges.z});
    return hull_of(points, dimension, count);
}

inline Species pyramid_of(double base, double height, std::uint64_t count) {
    const double half = base / 2;
    return hull_of({{-half, -half, 0}, {half, -half, 0}, {-half, half, 0}, {half, half, 0}, {0, 0, height}},
                   3, count);
}

inline Particles shapes_placed_on(int num_ranks, const Place& place) {
    Particles result;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        const Particles all = gathered(place(exchange).particles, exchange);
        if (exchange.rank() == 0) result = all;
    });
    return result;
}

/// The least gap of any two, over the sum of the radii of the spheres around them. All pairs.
inline double least_gap_of_shapes(const World& world, const Particles& particles) {
    const ShapeTable shapes(world);
    const ImageLengths images(world.box);
    double least = 1;
    for (std::size_t a = 0; a < particles.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const Attributes of_a = particles.attributes[a], of_b = particles.attributes[b];
            const Vec3 r = minimum_image(particles.motion[b].position - particles.motion[a].position, images);
            const double radii = of_a.radius + of_b.radius;
            const double gap = shapes.has_shape(of_a.species, of_b.species)
                                   ? shapes.gap(r, of_a, of_b).distance
                                   : norm(r) - radii;
            least = std::min(least, gap / radii);
        }
    return least;
}

inline void expect_shapes_within_walls(const World& world, const Particles& particles) {
    const ShapeTable shapes(world);
    for (std::size_t k = 0; k < particles.size(); ++k)
        for (int wall = 0; wall < 2 * world.box.dimension; ++wall) {
            if (!world.box.has_walls(wall / 2)) continue;
            const double x = particles.motion[k].position[wall / 2];
            const double from_wall = wall % 2 == 0 ? x : world.box.size[wall / 2] - x;
            EXPECT_GE(from_wall,
                      shapes.distance_at_wall(particles.attributes[k], static_cast<BodyNumber>(wall)));
        }
}

inline std::string refusal_of_shapes(const Place& place) {
    try {
        shapes_placed_on(1, place);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace ricochet::test
