// SPDX-License-Identifier: BSD-3-Clause
//
// Contact times of convex bodies against a slower way in other words. All triangles between points of the sum of two
// bodies are in this sum, and its surface is made of some: so a path enters the sum by the first triangle that it hits.
#include "geometry/convex_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/touching_place.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/sanitized.hpp"

namespace ricochet::test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

const std::vector<Vec3> unit_cube{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
const std::vector<Vec3> pyramid{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}};

Vec3 random_vector(HashRandom& random, int dimension, double extent = 1) {
    Vec3 v{random.uniform(-extent, extent), random.uniform(-extent, extent), random.uniform(-extent, extent)};
    if (dimension == 2) v.z = 0;
    return v;
}

Polytope random_polytope(HashRandom& random, int dimension) {
    for (;;) {
        std::vector<Vec3> points;
        const auto count = static_cast<std::size_t>(random.uniform(dimension + 1, dimension + 4));
        for (std::size_t k = 0; k < count; ++k) points.push_back(random_vector(random, dimension));
        if (const auto hull = convex_hull(points, dimension)) return centred(*hull);
    }
}

/// Any of the kinds that users write, or a random one.
Polytope some_polytope(HashRandom& random, int dimension) {
    const double kind = random.uniform(0, 3);
    if (kind < 1 || dimension == 2) return random_polytope(random, dimension);
    return centred(*convex_hull(kind < 2 ? unit_cube : pyramid, 3));
}

/// When a place that starts at 0 with velocity v is in the triangle, or the line between a and b in two dimensions.
double time_to(Vec3 a, Vec3 b, Vec3 c, Vec3 v) {
    const Vec3 normal = cross_product(b - a, c - a);
    const double rate = dot(normal, v);
    if (std::abs(rate) < 1e-14) return infinite;
    const double time = dot(normal, a) / rate;
    const Vec3 place = time * v;
    const double whole = dot(normal, normal), slack = -1e-11 * whole;
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
        if (dot(normal, cross_product(to - from, place - from)) < slack) return infinite;
    return time >= 0 ? time : infinite;
}

/// All differences of a corner of the first and one of the second, which is at r.
std::vector<Vec3> points_of_sum(const Polytope& first, const Polytope& second, Vec3 r) {
    std::vector<Vec3> points;
    for (const Vec3 a : first.corners)
        for (const Vec3 b : second.corners) points.push_back(a - b - r);
    return points;
}

double entry_time(const Polytope& first, const Polytope& second, Vec3 r, Vec3 u) {
    const std::vector<Vec3> points = points_of_sum(first, second, r);
    double earliest = infinite;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size(); ++j) {
            if (first.dimension == 2) {
                const Vec3 above = points[i] + Vec3{0, 0, 1};
                earliest = std::min(earliest, time_to(points[i], points[j], above, u));
                earliest = std::min(earliest, time_to(points[j], points[i], points[j] + Vec3{0, 0, 1}, u));
                continue;
            }
            for (std::size_t k = j + 1; k < points.size(); ++k)
                earliest = std::min(earliest, time_to(points[i], points[j], points[k], u));
        }
    return earliest;
}

double distance_to_line(Vec3 place, Vec3 a, Vec3 b) {
    const Vec3 along = b - a;
    const double part = std::clamp(dot(place - a, along) / dot(along, along), 0.0, 1.0);
    return norm(place - advanced(a, along, part));
}

double distance_to_triangle(Vec3 place, Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 normal = cross_product(b - a, c - a);
    bool is_above = norm(normal) > 1e-9;
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
        is_above = is_above && dot(normal, cross_product(to - from, place - from)) >= 0;
    if (is_above) return std::abs(dot(normal, place - a)) / norm(normal);
    return std::min(
        {distance_to_line(place, a, b), distance_to_line(place, b, c), distance_to_line(place, c, a)});
}

/// Of a place outside.
double distance_to_hull(const Polytope& of, Vec3 place) {
    double least = infinite;
    for (const Vec3 a : of.corners)
        for (const Vec3 b : of.corners) {
            if (of.dimension == 2) least = std::min(least, distance_to_line(place, a, b));
            for (const Vec3 c : of.corners)
                if (of.dimension == 3) least = std::min(least, distance_to_triangle(place, a, b, c));
        }
    return least;
}

/// When a sphere touches: it may fly as far as the distance without a contact.
double time_of_advance(const Polytope& of, Vec3 r, Vec3 u, double radius) {
    double time = 0;
    for (int k = 0; k < 100'000 && time < 30; ++k) {
        const double gap = distance_to_hull(of, advanced(r, u, time)) - radius;
        if (gap < 1e-12) return time;
        time += gap / norm(u);
    }
    return infinite;
}

}  // namespace

TEST(Polytopes, HaveWhatTheirHullHas) {
    std::vector<Vec3> points = unit_cube;
    points.insert(points.begin() + 3, {{0.5, 0.5, 0.5}, {0.5, 0.5, 0}, {0.5, 0, 0}});
    const Polytope cube = convex_hull(points, 3).value();
    EXPECT_EQ(cube.corners, unit_cube);
    EXPECT_EQ(cube.faces.size(), 6u);
    EXPECT_EQ(cube.edges.size(), 12u);
    EXPECT_DOUBLE_EQ(cube.volume, 1);
    EXPECT_EQ(cube.centre, (Vec3{0.5, 0.5, 0.5}));
    const Polytope tip = convex_hull(pyramid, 3).value();
    EXPECT_EQ(tip.edges.size(), 8u);
    EXPECT_NEAR(tip.volume, 1.0 / 3, 1e-15);
    EXPECT_NEAR(tip.centre.z, 0.25, 1e-15);
    const Polytope triangle = convex_hull({{0, 0, 0}, {2, 0, 0}, {1, 0.1, 0}, {0, 1, 0}}, 2).value();
    EXPECT_EQ(triangle.corners.size(), 3u);
    EXPECT_DOUBLE_EQ(triangle.volume, 1);
    EXPECT_NEAR(triangle.centre.x, 2.0 / 3, 1e-15);
    HashRandom random(3);
    for (int k = 0; k < 300; ++k) {
        const Polytope any = random_polytope(random, 3);
        EXPECT_EQ(any.corners.size() + any.faces.size(), any.edges.size() + 2);
        for (const Polytope::Face& face : any.faces)
            for (const Vec3 corner : any.corners) EXPECT_LE(face.plane.above(corner), 0);
    }
}

TEST(Polytopes, AreNotFlat) {
    EXPECT_FALSE(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}}, 3));
    EXPECT_FALSE(convex_hull({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}}, 3));
    EXPECT_FALSE(convex_hull({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, 3));
    EXPECT_FALSE(convex_hull({{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, 2));
    EXPECT_FALSE(convex_hull({}, 3));
}

TEST(ConvexHull, LeavesOutRepeats) {
    for (const double apart : {0.0, 1e-12, 1e-10, 1e-9}) {
        std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {apart, 0, 0}, {0, 1, 0}};
        const auto hull = convex_hull(points, 3);
        ASSERT_TRUE(hull) << apart;
        EXPECT_EQ(hull->corners.size(), 4u) << apart;
        EXPECT_NEAR(hull->volume, 1. / 6, 1e-15) << apart;
        const auto flat = convex_hull({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 1 - apart, 0}}, 2);
        ASSERT_TRUE(flat) << apart;
        EXPECT_NEAR(flat->volume, 1, 1e-15) << apart;
    }
    EXPECT_FALSE(convex_hull(std::vector<Vec3>(8, Vec3{1, 2, 3}), 3));
}

/// The ends of a needle are too small to have a direction.
TEST(ConvexHull, IsClosedOrNone) {
    for (const double width : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
        std::vector<Vec3> needle, plate;
        for (const Vec3 corner : unit_cube) {
            needle.push_back({corner.x, width * corner.y, width * corner.z});
            plate.push_back({corner.x, corner.y, width * corner.z});
        }
        const auto of_needle = convex_hull(needle, 3), of_plate = convex_hull(plate, 3);
        EXPECT_EQ(of_needle.has_value(), width > 3.5e-5) << width;
        if (of_needle) {
            EXPECT_NEAR(of_needle->volume / (width * width), 1, 1e-9) << width;
        }
        ASSERT_TRUE(of_plate) << width;
        EXPECT_NEAR(of_plate->volume / width, 1, 1e-9) << width;
    }
}

/// A side of one is tilted by a little against that of the other.
TEST(ConvexPairs, SeeFacesThatAreNearlyParallel) {
    for (const double tilt : {1e-3, 1e-5, 1e-6, 1e-8}) {
        const Polytope below = *convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1 + tilt, 0}}, 2);
        const Polytope above = *convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, 2);
        const SharpPair pair(below, above);
        // The lower right corner of what falls meets the slope.
        const ConvexTouch touch = pair.first_touch({-0.5, 2, 0}, {0, -1, 0});
        EXPECT_NEAR(2 - touch.time, 1 + 0.5 * tilt, 1e-15) << tilt;
    }
}

/// On both, as far as they are not thin.
TEST(ConvexPairs, TouchInAPlaceOfBoth) {
    HashRandom random(11);
    std::size_t num_faces = 0;
    for (int k = 0; k < fewer_if_sanitized(8000); ++k) {
        const int dimension = k % 4 == 0 ? 2 : 3;
        Polytope first = some_polytope(random, dimension), second = some_polytope(random, dimension);
        if (first.corners.size() * second.corners.size() > 70) continue;
        const Vec3 r = random_vector(random, dimension, 4);
        const SharpPair pair(first, second);
        if (pair.gap(r).distance < 0.01) continue;
        Vec3 u = random_vector(random, dimension, 0.8) - r;
        if (k % 3 == 0) u = {k % 2 == 0 ? u.x : 0, k % 2 == 0 ? 0 : u.y, 0};
        const ConvexTouch touch = pair.first_touch(r, u);
        if (!(touch.time < infinite)) continue;
        const Vec3 apart = advanced(r, u, touch.time), back = Vec3{} - touch.normal;
        const auto of_first = farthest_corners(first, touch.normal, {});
        const auto of_second = farthest_corners(second, back, apart);
        const Vec3 place = common_place(of_first, of_second, touch.normal);
        num_faces += of_first.size() > 2 && of_second.size() > 2 ? 1 : 0;
        EXPECT_LT(distance_to_hull(first, place), 1e-8) << k;
        EXPECT_LT(distance_to_hull(second, place - apart), 1e-8) << k;
    }
    EXPECT_GE(num_faces, static_cast<std::size_t>(fewer_if_sanitized(300)));
}

TEST(ConvexPairs, TouchWhenTheSumIsEntered) {
    HashRandom random(5);
    std::size_t num_touching = 0;
    for (int k = 0; k < fewer_if_sanitized(4000); ++k) {
        const int dimension = k % 4 == 0 ? 2 : 3;
        const Polytope first = some_polytope(random, dimension), second = some_polytope(random, dimension);
        if (first.corners.size() * second.corners.size() > 30 && k % 16 != 1) continue;
        const SharpPair pair(first, second);
        const Vec3 r = random_vector(random, dimension, 4);
        if (pair.gap(r).distance < 0.01) continue;
        const Vec3 aim = random_vector(random, dimension, 0.8) - r;
        const Vec3 u = random.uniform(0.3, 3) * aim;
        const ConvexTouch touch = pair.first_touch(r, u);
        const double expected = entry_time(first, second, r, u);
        if (expected == infinite) {
            EXPECT_EQ(touch.time, infinite) << k;
            continue;
        }
        ++num_touching;
        EXPECT_NEAR(touch.time, expected, 1e-10) << k;
        EXPECT_NEAR(pair.gap(advanced(r, u, touch.time)).distance, 0, 1e-14) << k;
        EXPECT_LT(dot(touch.normal, u), 0);
        const ConvexTouch exchanged = SharpPair(first, second).reversed().first_touch(Vec3{} - r, Vec3{} - u);
        EXPECT_EQ(exchanged.time, touch.time);
        EXPECT_EQ(exchanged.normal, Vec3{} - touch.normal);
    }
    EXPECT_GE(num_touching, static_cast<std::size_t>(fewer_if_sanitized(1000)));
}

TEST(ConvexPairs, SpheresTouchAtTheirRadius) {
    HashRandom random(7);
    std::size_t num_touching = 0;
    for (int k = 0; k < fewer_if_sanitized(4000); ++k) {
        const int dimension = k % 4 == 0 ? 2 : 3;
        const Polytope of = some_polytope(random, dimension);
        const RoundedPair pair(of);
        const double radius = random.log_uniform(0.01, 2);
        const Vec3 r = random_vector(random, dimension, 5);
        if (pair.gap(r).distance < radius + 0.01) continue;
        const Vec3 aim = random_vector(random, dimension, 0.8 + radius) - r;
        const Vec3 u = random.uniform(0.3, 3) * aim;
        const ConvexTouch touch = pair.first_touch(r, u, radius);
        const double expected = time_of_advance(of, r, u, radius);
        if (expected == infinite) {
            EXPECT_EQ(touch.time, infinite) << k;
            continue;
        }
        ++num_touching;
        const double sine = std::abs(dot(touch.normal, u)) / norm(u);
        EXPECT_NEAR(touch.time, expected, 1e-10 / std::max(sine, 0.01)) << k;
        const Vec3 place = advanced(r, u, touch.time);
        EXPECT_NEAR(distance_to_hull(of, place), radius, 1e-12) << k;
        EXPECT_NEAR(distance_to_hull(of, advanced(place, touch.normal, 0.1)), radius + 0.1, 1e-9) << k;
    }
    EXPECT_GE(num_touching, static_cast<std::size_t>(fewer_if_sanitized(1500)));
}

TEST(ConvexPairs, DistancesAreThoseOfTheHull) {
    HashRandom random(9);
    for (int k = 0; k < fewer_if_sanitized(2000); ++k) {
        const int dimension = k % 4 == 0 ? 2 : 3;
        const Polytope of = some_polytope(random, dimension);
        const Vec3 place = random_vector(random, dimension, 3);
        const double distance = RoundedPair(of).gap(place).distance;
        if (distance >= 0) {
            EXPECT_NEAR(distance, distance_to_hull(of, place), 1e-13) << k;
        } else {
            for (const Polytope::Face& face : of.faces) EXPECT_LE(face.plane.above(place), distance);
        }
    }
}

/// Aligned cubes that meet edge on edge bounce along the lowest axis, and then part along it.
TEST(ConvexPairs, TiesGoToTheFirstPlane) {
    const Polytope cube = centred(*convex_hull(unit_cube, 3));
    const SharpPair pair(cube, cube);
    EXPECT_EQ(pair.planes().size(), 6u);
    const Vec3 r{2, -2, 0.25};
    Vec3 u{-1, 1, 0.125};
    const ConvexTouch touch = pair.first_touch(r, u);
    EXPECT_EQ(touch.time, 1);
    const Vec3 place = advanced(r, u, 1);
    u = advanced(u, touch.normal, -2 * dot(touch.normal, u));
    EXPECT_EQ(std::abs(touch.normal.x) + std::abs(touch.normal.y), 1);
    EXPECT_EQ(pair.first_touch(place, u).time, infinite);
}

/// Two that overlap touch at once while they approach along the plane of least depth, and not while they part.
TEST(ConvexPairs, LeastDepthDecidesInside) {
    const Polytope cube = centred(*convex_hull(unit_cube, 3));
    const SharpPair pair(cube, cube);
    const Vec3 r{0.75, 0.999, 0.5};
    EXPECT_EQ(pair.first_touch(r, {1, -1, 0}).time, 0);
    EXPECT_EQ(pair.first_touch(r, {1, -1, 0}).normal, (Vec3{0, 1, 0}));
    EXPECT_EQ(pair.first_touch(r, {-1, 1, 0}).time, infinite);
    const RoundedPair rounded(cube);
    EXPECT_EQ(rounded.first_touch({0.75, 0.5, 0}, {-1, 0, 0}, 0.5).time, 0);
    EXPECT_EQ(rounded.first_touch({0.75, 0.5, 0}, {1, 0, 0}, 0.5).time, infinite);
}

/// A cube that slides along a row of cubes is not stopped by edges that rounding puts into its way.
TEST(ConvexPairs, WhatOnlyGrazesDoesNotTouch) {
    const Polytope cube = centred(*convex_hull({{0, 0, 0},
                                                {0.1, 0, 0},
                                                {0, 0.1, 0},
                                                {0.1, 0.1, 0},
                                                {0, 0, 0.1},
                                                {0.1, 0, 0.1},
                                                {0, 0.1, 0.1},
                                                {0.1, 0.1, 0.1}},
                                               3));
    const SharpPair pair(cube, cube);
    const Vec3 r{0.5, 0.3 - 0.2, 0.01};  // 0.3 - 0.2 < 0.1
    ASSERT_LT(r.y, 0.1);
    EXPECT_EQ(pair.first_touch(r, {-1, 0, 0}).time, infinite);
    EXPECT_EQ(pair.first_touch(r, {-1, 1e-9, 0}).time, infinite);
    EXPECT_LT(pair.first_touch({0.5, 0.0999, 0.01}, {-1, 0, 0}).time, 1);
}

}  // namespace ricochet::test
