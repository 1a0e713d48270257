// SPDX-License-Identifier: BSD-3-Clause
#include "placement/lattice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/permutation.hpp"
#include "model/box_fit.hpp"

namespace ricochet {
namespace {

constexpr auto periodic = Boundary::periodic;
constexpr auto reflecting = Boundary::reflecting;

Box cube(double length, Boundary boundary = periodic) {
    return {3, {length, length, length}, {boundary, boundary, boundary}};
}

double nearest_by_all_pairs(const Lattice& lattice, const Box& box) {
    const ImageLengths images(box);
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint64_t a = 0; a < lattice.num_sites(); ++a)
        for (std::uint64_t b = 0; b < a; ++b)
            nearest = std::min(nearest, norm(minimum_image(lattice.site(a) - lattice.site(b), images)));
    return nearest;
}

void expect_inside(const Lattice& lattice, const Box& box, double margin) {
    for (std::uint64_t k = 0; k < lattice.num_sites(); ++k)
        for (int axis = 0; axis < box.dimension; ++axis) {
            const double x = lattice.site(k)[axis];
            EXPECT_GE(x, box.has_walls(axis) ? margin : 0);
            EXPECT_GE(box.size[axis] - x, box.has_walls(axis) ? margin : 0);
            EXPECT_LT(x, box.size[axis]);
        }
}

/// Exactly.
TEST(Lattice, FillsACubeWithALatticeCount) {
    const Lattice sc = Lattice::widest(LatticeKind::sc, cube(8), 0.5, 512);
    EXPECT_EQ(sc.num_sites(), 512u);
    EXPECT_EQ(sc.nearest_distance(), 1.0);
    EXPECT_EQ(nearest_by_all_pairs(sc, cube(8)), 1.0);
    const Lattice fcc = Lattice::widest(LatticeKind::fcc, cube(5), 0.5, 500);
    EXPECT_EQ(fcc.num_sites(), 500u);
    EXPECT_DOUBLE_EQ(fcc.nearest_distance(), std::sqrt(0.5));
}

/// In a box that fits.
TEST(Lattice, HexagonalReachesClosestPacking) {
    const Box box{2, {10, 5 * std::sqrt(3.0), 0}, {periodic, periodic, periodic}};
    const Lattice lattice = Lattice::widest(LatticeKind::hexagonal, box, 0.5, 100);
    EXPECT_EQ(lattice.num_sites(), 100u);
    EXPECT_NEAR(lattice.nearest_distance(), 1.0, 1e-14);
}

/// 18 x 20 x 24 layers, which the widest lattice of 4,400 sites would leave with 80 vacancies.
TEST(Lattice, FillsAllSitesWhereTheCountAllows) {
    const Box box = cube(1);
    const Lattice full = Lattice::widest(LatticeKind::fcc, box, 0.03, 4320);
    EXPECT_EQ(full.num_sites(), 4320u);
    EXPECT_NEAR(full.nearest_distance(), std::sqrt(1 / 400. + 1 / 576.), 1e-12);
    // Spheres too large for that spacing have the wider one.
    const Lattice wide = Lattice::widest(LatticeKind::fcc, box, 0.033, 4320);
    EXPECT_EQ(wide.num_sites(), 4400u);
    EXPECT_GT(wide.nearest_distance(), 2 * 0.033);
    // 5 x 6 x 17 sites would be far too close.
    EXPECT_EQ(Lattice::widest(LatticeKind::sc, cube(8), 0.1, 510).num_sites(), 512u);
}

TEST(Lattice, LeavesVacanciesForOtherCounts) {
    const Lattice sc = Lattice::widest(LatticeKind::sc, cube(8), 0.5, 450);
    EXPECT_GE(sc.num_sites(), 450u);
    EXPECT_LE(sc.num_sites(), 512u);
    EXPECT_GE(sc.nearest_distance(), 1.0);
}

TEST(Lattice, StatesItsNearestDistance) {
    const std::vector<Box> boxes{cube(5),
                                 cube(5, reflecting),
                                 {3, {20, 3, 2}, {periodic, reflecting, periodic}},
                                 {3, {2, 3, 20}, {reflecting, periodic, periodic}},
                                 {2, {7, 5, 0}, {periodic, periodic, periodic}},
                                 {2, {7, 5, 0}, {reflecting, periodic, periodic}},
                                 {2, {5, 40, 0}, {periodic, reflecting, periodic}}};
    for (const Box& box : boxes)
        for (const auto type :
             {LatticeKind::sc, LatticeKind::fcc, LatticeKind::square, LatticeKind::hexagonal}) {
            if (dimension_of(type) != box.dimension) continue;
            for (const std::uint64_t count : {1u, 2u, 3u, 7u, 50u, 201u}) {
                const Lattice lattice = Lattice::widest(type, box, 0.1, count);
                EXPECT_GE(lattice.num_sites(), count);
                const double distance = lattice.nearest_distance();
                const double measured = nearest_by_all_pairs(lattice, box);
                if (std::isfinite(distance))
                    EXPECT_NEAR(measured, distance, 1e-12) << to_string(type) << " of " << count;
                else
                    EXPECT_FALSE(std::isfinite(measured)) << to_string(type) << " of " << count;
                expect_inside(lattice, box, 0.1);
            }
        }
}

/// Into the middle.
TEST(Lattice, PutsOneSiteBetweenWalls) {
    const Lattice lattice = Lattice::widest(LatticeKind::sc, cube(4, reflecting), 1, 1);
    EXPECT_EQ(lattice.site(0), (Vec3{2, 2, 2}));
}

TEST(Confined, HoldsInFloatingPointAtBothWalls) {
    const double radius = 0.1, length = 0.7;
    for (const double x : {0.0, 0.1, 0.3, 0.6, 0.6000000000000001, 0.65}) {
        const double inside = confined(x, radius, length);
        EXPECT_GE(inside - radius, 0);
        EXPECT_GE(length - inside, radius);
    }
    EXPECT_EQ(confined(0.3, radius, length), 0.3);
}

TEST(KeyedPermutation, IsOneToOneAndDependsOnTheKey) {
    for (const std::uint64_t size : {1u, 2u, 3u, 17u, 1000u, 4096u, 5000u}) {
        std::vector<int> hits(size);
        const KeyedPermutation permutation(size, 42);
        for (std::uint64_t k = 0; k < size; ++k) {
            const std::uint64_t image = permutation(k);
            ASSERT_LT(image, size);
            ++hits[image];
        }
        EXPECT_EQ(hits, std::vector<int>(size, 1));
    }
    const KeyedPermutation one(1000, 1), two(1000, 2);
    int equal = 0, fixed = 0;
    for (std::uint64_t k = 0; k < 1000; ++k) {
        equal += one(k) == two(k);
        fixed += one(k) == k;
    }
    EXPECT_LT(equal, 10);
    EXPECT_LT(fixed, 10);
}

/// One layer per site at most, not as many as fit into the length.
TEST(Lattice, IsFoundAtOnceInLongBoxes) {
    for (const double length : {1e6, 1e15, 1e100}) {
        const Lattice lattice = Lattice::widest(LatticeKind::square, {2, {12, length, 1}, {}}, 0.5, 80);
        EXPECT_GE(lattice.num_sites(), 80u);
        EXPECT_GE(lattice.nearest_distance(), 12 / 2.);
    }
}

}  // namespace
}  // namespace ricochet
