// SPDX-License-Identifier: BSD-3-Clause
//
// The paths that FaceWatch dismisses without a look must be such that adding them would change nothing.
#include "engine/face_watch.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/hash_random.hpp"

namespace ricochet {
namespace {

constexpr NeighbourMask no_neighbour = 0, first = 1, second = 2;

/// A slab [10, 20) with two neighbours; straight paths stay this far from the faces.
Coverage slab(double lower, double upper, double depth) {
    Coverage coverage{
        .is_whole_box = false, .lower = lower, .upper = upper, .halo_width = 3, .straight = PathReach(2)};
    coverage.straight.include({-depth, -depth}, no_neighbour);
    return coverage;
}

TEST(FaceWatch, DismissesWhatReachesNoFarther) {
    FaceWatch watch;
    watch.start(slab(10, 20, 2));
    EXPECT_TRUE(watch.stays_deep(15, 3));
    EXPECT_TRUE(watch.stays_deep(12.5, 0.5));
    EXPECT_FALSE(watch.stays_deep(12.5, 0.75));
    EXPECT_FALSE(watch.stays_deep(17.5, 0.75));
    EXPECT_FALSE(watch.stays_deep(25, 0.5));  // across the edge of the box
    watch.include({-0.5, -6}, no_neighbour);
    EXPECT_TRUE(watch.stays_deep(12.5, 2));
    EXPECT_FALSE(watch.stays_deep(12.5, 2.25));
    EXPECT_FALSE(watch.stays_deep(17.5, 0.75));
}

/// A path that every neighbour has a copy of asks for nothing below; above, copies are of no use.
TEST(FaceWatch, AsksBelowForThoseWithoutCopiesOnly) {
    FaceWatch watch;
    watch.start(slab(10, 20, 2));
    watch.include({1, -6}, first | second);
    EXPECT_EQ(watch.reach().of_owned().lower, 1);
    EXPECT_EQ(watch.reach().unsent_below(0), -2);
    EXPECT_FALSE(watch.stays_deep(12.5, 0.75));
    watch.include({1, -6}, first);
    EXPECT_EQ(watch.reach().unsent_below(0), -2);
    EXPECT_EQ(watch.reach().unsent_below(1), 1);
    EXPECT_FALSE(watch.stays_deep(12.5, 0.75));
}

TEST(FaceWatch, OfTheLowestSlabWatchesTheUpperFace) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    FaceWatch watch;
    watch.start(slab(-infinity, 20, 2));
    EXPECT_TRUE(watch.stays_deep(0.1, 3));
    EXPECT_FALSE(watch.stays_deep(17.5, 0.75));
}

/// At random: adding what is dismissed changes nothing.
TEST(FaceWatch, DismissesNothingThatMatters) {
    test::HashRandom random(5);
    FaceWatch watch;
    watch.start(slab(10, 20, 4));
    int num_dismissed = 0;
    for (int k = 0; k < 2000; ++k) {
        const double x = random.uniform(10, 20), most = random.uniform(0, 5);
        const FaceReach path{10 - (x - most), x + most - 20};
        const PathReach before = watch.reach();
        const bool is_dismissed = watch.stays_deep(x, most);
        watch.include(path, static_cast<NeighbourMask>(random.index(4)));
        if (!is_dismissed) continue;
        ++num_dismissed;
        EXPECT_EQ(watch.reach().of_owned(), before.of_owned());
        for (std::size_t n = 0; n < 2; ++n) EXPECT_EQ(watch.reach().bounds_for(n), before.bounds_for(n));
    }
    EXPECT_GT(num_dismissed, 100);
}

}  // namespace
}  // namespace ricochet
