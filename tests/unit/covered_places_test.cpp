// SPDX-License-Identifier: BSD-3-Clause
//
// Covered places: what is marked overlaps for certain, and most of what overlaps is marked.
#include "placement/covered_places.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "model/rounding.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/placement_checks.hpp"

namespace ricochet::test {
namespace {

using detail::CoveredPlaces;
using detail::StripRange;

Vec3 point_in(const Box& box, const StripRange& strip, std::uint64_t index) {
    RandomSequence random({7, Stream::placement, 0}, index);
    Vec3 point{strip.low + random.uniform() * strip.thickness, random.uniform() * box.size.y, 0};
    if (box.dimension == 3) point.z = random.uniform() * box.size.z;
    return point;
}

struct Share {
    double marked = 0, overlapping = 0;
};

/// Of 20,000 points in the strip; a marked one that overlaps nothing fails the test.
Share shares_of(const Box& box, const StripRange& strip, const std::vector<Sphere>& spheres, double radius) {
    CoveredPlaces places(box, strip, radius, 400'000);
    for (const Sphere& sphere : spheres) places.cover(sphere);
    const ImageLengths images(box);
    Share share;
    for (std::uint64_t k = 1000; k < 21'000; ++k) {
        const Sphere proposed{point_in(box, strip, k), radius, k};
        bool overlaps = false;
        for (const Sphere& sphere : spheres) overlaps |= overlapping(sphere, proposed, images, 1);
        const bool is_marked = places.contains(proposed.centre);
        EXPECT_TRUE(overlaps || !is_marked) << proposed.centre.x << " " << proposed.centre.y;
        share.marked += is_marked / 20'000.0;
        share.overlapping += overlaps / 20'000.0;
    }
    return share;
}

std::vector<Sphere> spheres_in(const Box& box, double radius, std::uint64_t count) {
    std::vector<Sphere> spheres;
    for (std::uint64_t k = 0; k < count; ++k)
        spheres.push_back({point_in(box, {0, box.size.x}, k), radius, k});
    return spheres;
}

TEST(CoveredPlaces, MarkOnlyWhatOverlaps) {
    const Box slit{3, {9, 8, 7}, {reflecting, periodic, reflecting}};
    for (const Box& box : {cube(8), slit, square(30), square(30, reflecting)}) {
        const std::vector<Sphere> spheres = spheres_in(box, 0.5, 150);
        const Share share = shares_of(box, {0, box.size.x}, spheres, 0.5);
        EXPECT_GT(share.marked, 0.6 * share.overlapping);
        EXPECT_LT(share.marked, share.overlapping);
    }
}

/// Also from spheres beyond the strip and beyond periodic faces, and of another radius.
TEST(CoveredPlaces, MarkAStrip) {
    const Box box = cube(8);
    const std::vector<Sphere> spheres = spheres_in(box, 0.8, 60);
    for (const StripRange& strip : {StripRange{0, 2}, StripRange{2, 2}, StripRange{6, 2}}) {
        const Share share = shares_of(box, strip, spheres, 0.3);
        EXPECT_GT(share.marked, 0.6 * share.overlapping);
    }
}

/// A few bits mark nothing, and say nothing wrong.
TEST(CoveredPlaces, MayBeTooCoarse) {
    CoveredPlaces places(cube(8), {0, 8}, 0.5, 10);
    for (const Sphere& sphere : spheres_in(cube(8), 0.5, 20)) places.cover(sphere);
    for (std::uint64_t k = 0; k < 100; ++k) EXPECT_FALSE(places.contains(point_in(cube(8), {0, 8}, k)));
}

}  // namespace
}  // namespace ricochet::test
