// SPDX-License-Identifier: BSD-3-Clause
//
// The overlap census against all pairs, on random and on degenerate sets.
#include "geometry/overlap_census.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "geometry/sphere_cells.hpp"
#include "geometry/sphere_grid.hpp"

namespace ricochet {
namespace {

void add(Particles& particles, Vec3 position, double radius) {
    Motion motion;
    motion.position = position;
    motion.id = particles.size();
    Attributes attributes;
    attributes.radius = radius;
    particles.push_back(motion, attributes, {});
}

std::vector<OverlappingPair> all_pairs(const Box& box, const Particles& particles, double tolerance) {
    const ImageLengths images(box);
    std::vector<OverlappingPair> result;
    for (std::size_t a = 0; a < particles.size(); ++a)
        for (std::size_t b = a + 1; b < particles.size(); ++b) {
            const double sum = particles.attributes[a].radius + particles.attributes[b].radius;
            const Vec3 r = minimum_image(particles.motion[b].position - particles.motion[a].position, images);
            const double limit = sum * (1 - tolerance);
            if (dot(r, r) < limit * limit) result.push_back({a, b, norm(r) - sum});
        }
    return result;
}

struct Case {
    const char* name;
    Box box;
    std::size_t count;
    double smallest, largest;  // radii, drawn uniformly in the logarithm
};

class OverlapCensusOn : public testing::TestWithParam<Case> {};

TEST_P(OverlapCensusOn, MatchesAllPairs) {
    const Case& c = GetParam();
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    Particles particles;
    for (std::size_t k = 0; k < c.count; ++k) {
        const Vec3 x{uniform(generator) * c.box.size.x, uniform(generator) * c.box.size.y,
                     uniform(generator) * c.box.size.z};
        add(particles, x, c.smallest * std::pow(c.largest / c.smallest, uniform(generator)));
    }
    const std::vector<OverlappingPair> expected = all_pairs(c.box, particles, 0.01);
    EXPECT_GT(expected.size(), 10u);
    const std::vector<OverlappingPair> found = find_overlaps(c.box, particles, 0.01, expected.size() + 1);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].first, expected[k].first);
        EXPECT_EQ(found[k].second, expected[k].second);
        EXPECT_NEAR(found[k].gap, expected[k].gap, 1e-12);
    }
    EXPECT_EQ(count_overlaps(c.box, particles, 0.01), expected.size());
}

constexpr auto periodic = Boundary::periodic;
constexpr auto reflecting = Boundary::reflecting;

INSTANTIATE_TEST_SUITE_P(
    Boxes, OverlapCensusOn,
    testing::Values(
        Case{"cube", {3, {10, 10, 10}, {periodic, periodic, periodic}}, 800, 0.3, 0.5},
        Case{"walls", {3, {10, 8, 6}, {reflecting, periodic, reflecting}}, 800, 0.2, 0.5},
        Case{"one_to_ten", {3, {10, 10, 10}, {periodic, periodic, periodic}}, 1500, 0.1, 1.0},
        Case{"one_to_thousand", {3, {10, 10, 10}, {periodic, periodic, periodic}}, 1500, 0.002, 2.0},
        Case{"discs", {2, {30, 20, 0}, {periodic, reflecting, periodic}}, 900, 0.2, 0.5},
        Case{"thin_slab", {3, {2.2, 40, 40}, {periodic, periodic, periodic}}, 900, 0.3, 0.5},
        Case{"one_cell", {3, {2.1, 2.1, 2.1}, {periodic, periodic, periodic}}, 60, 0.3, 0.5}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(OverlapCensus, SeesAcrossPeriodicFacesOnly) {
    Box box{3, {10, 10, 10}, {periodic, reflecting, periodic}};
    Particles particles;
    add(particles, {0.1, 5, 5}, 0.5);
    add(particles, {9.9, 5, 5}, 0.5);
    add(particles, {5, 0.5, 5}, 0.5);
    add(particles, {5, 9.9, 5}, 0.5);
    const std::vector<OverlappingPair> found = find_overlaps(box, particles, 0, 10);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].first, 0u);
    EXPECT_EQ(found[0].second, 1u);
    EXPECT_NEAR(found[0].gap, -0.8, 1e-12);
}

TEST(OverlapCensus, LetsTouchingSpheresPass) {
    const Box box{3, {32, 32, 32}, {periodic, periodic, periodic}};
    Particles particles;
    for (int k = 0; k < 32; ++k) add(particles, {k + 0.5, 0.5, 31.5}, 0.5);
    EXPECT_EQ(count_overlaps(box, particles), 0u);
}

/// When everything is in one place.
TEST(OverlapCensus, StopsAtTheLimit) {
    const Box box{3, {100, 100, 100}, {periodic, periodic, periodic}};
    Particles particles;
    for (int k = 0; k < 100000; ++k) add(particles, {50, 50, 50}, 0.5);
    EXPECT_EQ(find_overlaps(box, particles, 0, 1000).size(), 1000u);
}

TEST(OverlapCensus, FindsNothingAmongNothing) { EXPECT_EQ(count_overlaps(Box{}, Particles{}), 0u); }

/// By digits where cells are few, by comparisons where they are many.
TEST(SphereCells, SortsByCellThenPlace) {
    std::mt19937_64 generator(3);
    for (const std::uint64_t cells_per_axis : {2u, 100u, 1u << 20})
        for (const std::size_t size : {0u, 1u, 100u, 5000u}) {
            std::uniform_int_distribution<std::uint64_t> index(0, cells_per_axis - 1);
            std::vector<CellEntry> entries;
            for (std::size_t k = 0; k < size; ++k)
                entries.emplace_back(SphereCells::cell(index(generator), index(generator), index(generator)),
                                     static_cast<std::uint32_t>(k));
            std::vector<CellEntry> expected = entries;
            std::sort(expected.begin(), expected.end());
            sort_entries(entries);
            EXPECT_EQ(entries, expected) << cells_per_axis << " cells, " << size << " entries";
        }
}

/// More than a hundred times as many as there are cells around one, in two clusters.
TEST(OverlapCensus, FindsPairsInCrowdedCells) {
    const Box box{3, {1e6, 1e6, 1e6}, {periodic, periodic, periodic}};
    Particles particles;
    for (int k = 0; k < 3000; ++k) add(particles, {k % 2 == 0 ? 0.25 + 3 * k : 5e5, 1, 1}, 0.5);
    // Those of the line are 6 apart; the others lie in one place.
    EXPECT_EQ(count_overlaps(box, particles), 1500u * 1499u / 2);
}

TEST(SphereGrid, VisitsOnceWhenReachSpansTheBox) {
    const Box box{3, {10, 10, 10}, {periodic, periodic, periodic}};
    SphereGrid grid(box, 1.0, 0);  // also: grows by rehashing
    for (std::uint64_t k = 0; k < 1000; ++k) {
        const auto x = static_cast<double>(k % 10), y = static_cast<double>(k / 10 % 10);
        grid.insert({{x, y, static_cast<double>(k / 100)}, 0.5, k});
    }
    std::vector<int> visits(1000);
    grid.any_near({0, 0, 0}, 30, [&](const Sphere& s) {
        ++visits[s.id];
        return false;
    });
    EXPECT_EQ(visits, std::vector<int>(1000, 1));
}

TEST(SizeClasses, HoldRadiiWithinAFactorOfTwo) {
    EXPECT_EQ(size_class(1.0, 1.0), 0);
    EXPECT_EQ(size_class(0.5000001, 1.0), 0);
    EXPECT_EQ(size_class(0.5, 1.0), 1);
    EXPECT_EQ(size_class(0.1, 1.0), 3);
    EXPECT_EQ(size_class(1e-30, 1.0), num_size_classes - 1);
    EXPECT_EQ(class_top(3, 1.0), 0.125);
}

}  // namespace
}  // namespace ricochet
