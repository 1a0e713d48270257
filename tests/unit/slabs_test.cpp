// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "geometry/path.hpp"
#include "parallel/slabs.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

Box box_of(double length, Boundary boundary = Boundary::periodic) {
    Box box;
    box.size = {length, 5, 5};
    box.boundary = {boundary, boundary, boundary};
    return box;
}

SlabDecomposition cut(const SliceGrid& grid, std::vector<std::int64_t> cuts) { return {grid, cuts}; }

/// Each is at least as thick as the largest radius.
TEST(SliceGrid, SlicesFillTheBox) {
    for (const double radius : {0.1, 0.3, 0.5, 0.77, 3.0, 50.0}) {
        const SliceGrid grid(box_of(10), radius);
        EXPECT_EQ(grid.faces().front(), 0);
        EXPECT_EQ(grid.faces().back(), 10);
        for (std::size_t i = 0; i + 1 < grid.faces().size(); ++i) {
            const double width = grid.faces()[i + 1] - grid.faces()[i];
            EXPECT_NEAR(width, grid.width(), 1e-14);
            if (grid.num_slices() > 1) {
                EXPECT_GE(width, radius - 1e-14);
            }
        }
    }
}

TEST(SliceGrid, HasALimitedNumberOfSlicesInAHugeBox) {
    const SliceGrid grid(box_of(1e12), 0.5);
    EXPECT_EQ(grid.num_slices(), SliceGrid::max_num_slices);
    EXPECT_EQ(grid.faces().back(), 1e12);
}

TEST(SliceGrid, RefusesWhatIsNoLength) {
    EXPECT_THROW(SliceGrid(box_of(10), 0), InputError);
    EXPECT_THROW(SliceGrid(box_of(std::numeric_limits<double>::quiet_NaN()), 1), InputError);
    EXPECT_THROW(SliceGrid(box_of(10), std::numeric_limits<double>::infinity()), InputError);
}

/// For any rank count.
TEST(SlabDecomposition, EachSliceHasOneSlab) {
    const SliceGrid grid(box_of(10.3), 0.5);
    for (int ranks = 1; ranks <= grid.num_slices(); ++ranks) {
        const auto slabs = SlabDecomposition::even(grid, ranks);
        ASSERT_EQ(slabs.num_slabs(), ranks);
        EXPECT_EQ(slabs.low(0), 0);
        EXPECT_EQ(slabs.high(ranks - 1), 10.3);
        for (int r = 0; r + 1 < ranks; ++r) EXPECT_EQ(slabs.high(r), slabs.low(r + 1));
        EXPECT_GE(slabs.smallest_width(), grid.width() * (1 - 1e-14));
    }
    EXPECT_THROW(SlabDecomposition::even(grid, static_cast<int>(grid.num_slices()) + 1), InputError);
}

TEST(SlabDecomposition, OwnerIsHalfOpenAtEveryFace) {
    const SliceGrid grid(box_of(7.7), 0.1);
    for (const int ranks : {1, 2, 3, 5, 7, 76}) {
        const auto slabs = SlabDecomposition::even(grid, ranks);
        for (int r = 0; r < ranks; ++r) {
            EXPECT_EQ(slabs.owner(slabs.low(r)), r);
            EXPECT_EQ(slabs.owner(std::nextafter(slabs.low(r), 100.0)), r);
            EXPECT_EQ(slabs.owner(std::nextafter(slabs.high(r), 0.0)), r);
        }
    }
}

/// Those of every slice.
TEST(SlabDecomposition, OwnerAgreesWithFaces) {
    const SliceGrid grid(box_of(1.0), 1.0 / 97);
    const auto slabs = cut(grid, {0, 1, 2, 50, 96, 97});
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int k = 0; k < 20000; ++k) {
        const double x =
            k < 97 ? grid.faces()[static_cast<std::size_t>(k)] : uniform(random);  // faces and anything else
        const int owner = slabs.owner(x);
        EXPECT_LE(slabs.low(owner), x);
        EXPECT_LT(x, slabs.high(owner));
    }
}

TEST(SlabDecomposition, WrappedCoordinateHasOwner) {
    const double length = 10;
    const SliceGrid grid(box_of(length), 0.5);
    const auto slabs = SlabDecomposition::even(grid, 3);
    EXPECT_EQ(slabs.owner(wrapped(-1e-17, length)), 0);  // -1e-17 + L rounds to L, which is 0
    EXPECT_EQ(slabs.owner(wrapped(-1e-15, length)), 2);
    EXPECT_EQ(slabs.owner(wrapped(length, length)), 0);
    EXPECT_EQ(slabs.owner(wrapped(std::nextafter(length, 0.0), length)), 2);
}

TEST(SlabDecomposition, UpperWallIsTheLastSlabs) {
    const SliceGrid grid(box_of(10, Boundary::reflecting), 0.5);
    EXPECT_EQ(SlabDecomposition::even(grid, 4).owner(10.0), 3);
    EXPECT_EQ(SlabDecomposition::even(grid, 1).owner(10.0), 0);
}

TEST(SlabDecomposition, NeighboursAreListedOnceEach) {
    const SliceGrid grid(box_of(10), 0.1);
    using List = std::vector<int>;
    EXPECT_EQ(SlabDecomposition::even(grid, 1).neighbours(0, 1.0), List{});
    EXPECT_EQ(SlabDecomposition::even(grid, 2).neighbours(0, 1.0), List{1});
    EXPECT_EQ(SlabDecomposition::even(grid, 2).neighbours(1, 1.0), List{0});
    EXPECT_EQ(SlabDecomposition::even(grid, 3).neighbours(0, 1.0), (List{1, 2}));
    EXPECT_EQ(SlabDecomposition::even(grid, 5).neighbours(0, 1.0), (List{1, 4}));
    EXPECT_EQ(SlabDecomposition::even(grid, 5).neighbours(4, 1.0), (List{0, 3}));
    EXPECT_EQ(SlabDecomposition::even(grid, 5).neighbours(2, 2.5), (List{0, 1, 3, 4}));
    EXPECT_EQ(SlabDecomposition::even(grid, 5).neighbours(2, 100), (List{0, 1, 3, 4}));
}

/// Slabs at a wall have none beyond it.
TEST(SlabDecomposition, WallsHaveNoNeighbour) {
    const SliceGrid grid(box_of(10, Boundary::reflecting), 0.1);
    using List = std::vector<int>;
    EXPECT_EQ(SlabDecomposition::even(grid, 2).neighbours(0, 1.0), List{1});
    EXPECT_EQ(SlabDecomposition::even(grid, 5).neighbours(0, 1.0), List{1});
    EXPECT_EQ(SlabDecomposition::even(grid, 5).neighbours(4, 1.0), List{3});
    EXPECT_EQ(SlabDecomposition::even(grid, 5).neighbours(4, 2.5), (List{2, 3}));
}

/// For uneven cuts.
TEST(SlabDecomposition, NeighboursAreMutual) {
    for (const Boundary boundary : {Boundary::periodic, Boundary::reflecting}) {
        const SliceGrid grid(box_of(13.7, boundary), 0.1);
        const auto slabs = cut(grid, {0, 1, 2, 40, 41, 99, 100, grid.num_slices()});
        for (const double reach : {0.0, 0.1, 0.2, 0.35, 1.0, 4.0, 6.0, 20.0})
            for (int one = 0; one < 7; ++one)
                for (int other = 0; other < 7; ++other) {
                    const auto of_one = slabs.neighbours(one, reach),
                               of_other = slabs.neighbours(other, reach);
                    EXPECT_EQ(std::count(of_one.begin(), of_one.end(), other),
                              std::count(of_other.begin(), of_other.end(), one));
                }
    }
}

TEST(SlabDecomposition, DistanceIsTheShorterWay) {
    const SliceGrid grid(box_of(10), 0.5);
    const auto slabs = SlabDecomposition::even(grid, 4);  // faces 0, 2.5, 5, 7.5, 10
    EXPECT_EQ(slabs.distance(1.0, 0), 0);
    EXPECT_EQ(slabs.distance(1.0, 1), 1.5);
    EXPECT_EQ(slabs.distance(1.0, 3), 1.0);
    EXPECT_EQ(slabs.distance(1.0, 2), 3.5);
    EXPECT_EQ(slabs.distance(9.5, 0), 0.5);
    EXPECT_EQ(slabs.distance(2.5, 0), 0);  // on the face: owned by the next slab, at no distance
    const SliceGrid walled(box_of(10, Boundary::reflecting), 0.5);
    EXPECT_EQ(SlabDecomposition::even(walled, 4).distance(1.0, 3), 6.5);
}

/// Where the slab lies above.
TEST(SlabDecomposition, DistanceDownGoesRound) {
    const SliceGrid grid(box_of(10), 0.5);
    const auto slabs = SlabDecomposition::even(grid, 4);  // faces 0, 2.5, 5, 7.5, 10
    EXPECT_EQ(slabs.distance_down(1.0, 0), 0);
    EXPECT_EQ(slabs.distance_down(3.0, 0), 0.5);
    EXPECT_EQ(slabs.distance_down(1.0, 3), 1.0);
    EXPECT_EQ(slabs.distance_down(1.0, 1), 6.0);
    EXPECT_EQ(slabs.distance_down(9.5, 0), 7.0);
    EXPECT_EQ(slabs.distance_down(10, 3), 0);
    const SliceGrid walled(box_of(10, Boundary::reflecting), 0.5);
    const auto between_walls = SlabDecomposition::even(walled, 4);
    EXPECT_EQ(between_walls.distance_down(8.0, 0), 5.5);
    EXPECT_EQ(between_walls.distance_down(1.0, 3), std::numeric_limits<double>::infinity());
}

/// A particle within reach of a slab is its neighbour's.
TEST(SlabDecomposition, ReachIsWithinNeighbours) {
    const SliceGrid grid(box_of(9.9), 0.1);
    const auto slabs = cut(grid, {0, 3, 4, 50, 77, 99});
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0, 9.9);
    for (int k = 0; k < 5000; ++k) {
        const double x = uniform(random), reach = uniform(random) / 3;
        const auto neighbours = slabs.neighbours(slabs.owner(x), reach);
        for (int slab = 0; slab < 5; ++slab) {
            if (slab == slabs.owner(x) || slabs.distance(x, slab) > reach) continue;
            EXPECT_TRUE(std::count(neighbours.begin(), neighbours.end(), slab)) << x << " " << slab;
        }
    }
}

/// The message names the largest rank count.
TEST(SlabWidths, ThinSlabsAreRefused) {
    const SliceGrid grid(box_of(10), 0.5);  // 20 slices of 0.5
    EXPECT_NO_THROW(check_slab_widths(grid, SlabDecomposition::even(grid, 1), 30.0));
    EXPECT_NO_THROW(check_slab_widths(grid, SlabDecomposition::even(grid, 2), 30.0));
    EXPECT_NO_THROW(check_slab_widths(grid, SlabDecomposition::even(grid, 5), 2.0));
    EXPECT_EQ(largest_rank_count(grid, 2.0), 5);
    EXPECT_EQ(largest_rank_count(grid, 2.1), 4);
    EXPECT_EQ(largest_rank_count(grid, 30), 2);
    try {
        check_slab_widths(grid, SlabDecomposition::even(grid, 6), 2.0);
        FAIL() << "six slabs of 1.5 were accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("use at most 5 ranks"), std::string::npos) << error.what();
    }
}

/// And one more is not.
TEST(SlabWidths, LargestRankCountIsAccepted) {
    for (const double length : {10.0, 33.3, 100.1})
        for (const double halo : {0.7, 1.0, 2.3, 4.9}) {
            const SliceGrid grid(box_of(length), 0.5);
            const int ranks = largest_rank_count(grid, halo);
            EXPECT_NO_THROW(check_slab_widths(grid, SlabDecomposition::even(grid, ranks), halo));
            if (ranks == grid.num_slices()) continue;
            EXPECT_THROW(check_slab_widths(grid, SlabDecomposition::even(grid, ranks + 1), halo), InputError);
        }
}

/// However many slices a halo has: a box that is long for its halo takes no longer than its slices do.
TEST(SlabWidths, LargestRankCountOfLongBoxes) {
    const SliceGrid grid(box_of(1000), 1e-3);
    for (const double halo : {1.0005e-3, 2.5e-3, 1.0})
        EXPECT_EQ(largest_rank_count(grid, halo), static_cast<int>(1'000'000 / std::ceil(halo / 1e-3)));
}

}  // namespace
}  // namespace ricochet
