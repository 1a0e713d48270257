// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/model/box.hpp"

#include <gtest/gtest.h>

#include <random>

#include "geometry/path.hpp"

namespace ricochet {
namespace {

TEST(MinimumImage, IsOddInEveryBit) {
    const ImageLengths images(Box{3, {7.3, 1.1, 31.7}});
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> anywhere(-40, 40);
    for (int trial = 0; trial < 100000; ++trial) {
        const Vec3 r{anywhere(generator), anywhere(generator), anywhere(generator)};
        ASSERT_EQ(minimum_image(-r, images), -minimum_image(r, images));
    }
}

TEST(MinimumImage, IsOddAtExactTies) {
    const ImageLengths images(Box{3, {8, 8, 8}});
    for (const double half : {4.0, 12.0, 20.0}) {
        const Vec3 r{half, -half, half};
        EXPECT_EQ(minimum_image(-r, images), -minimum_image(r, images)) << half;
    }
}

TEST(MinimumImage, LiesWithinHalfABox) {
    const ImageLengths images(Box{3, {7.3, 7.3, 7.3}});
    std::mt19937_64 generator(2);
    std::uniform_real_distribution<double> anywhere(-7.3, 7.3);
    for (int trial = 0; trial < 100000; ++trial) {
        const Vec3 near =
            minimum_image({anywhere(generator), anywhere(generator), anywhere(generator)}, images);
        for (int axis = 0; axis < 3; ++axis) ASSERT_LE(std::abs(near[axis]), 0.5 * 7.3 * (1 + 0x1p-50));
    }
}

TEST(MinimumImage, LeavesWallAxesAlone) {
    const Box box{3, {8, 8, 8}, {Boundary::periodic, Boundary::reflecting, Boundary::periodic}};
    EXPECT_EQ(minimum_image({7, 7, 7}, ImageLengths(box)), (Vec3{-1, 7, -1}));
}

TEST(MinimumImage, LeavesZOfDiscsAlone) {
    EXPECT_EQ(minimum_image({7, -7, 0}, ImageLengths(Box{2, {8, 8, 0}})), (Vec3{-1, 1, 0}));
}

TEST(Wrapped, StaysBelowTheBoxLength) {
    EXPECT_EQ(wrapped(-1e-17, 10.0), 0.0);
    EXPECT_EQ(wrapped(10.0, 10.0), 0.0);
    EXPECT_EQ(wrapped(-2.0, 10.0), 8.0);
    EXPECT_EQ(wrapped(12.0, 10.0), 2.0);
    EXPECT_EQ(wrapped(-22.0, 10.0), 8.0);
    EXPECT_EQ(wrapped(35.0, 10.0), 5.0);
}

TEST(PathMidpoint, IsWrappedOrProjected) {
    const Box box{2, {10, 10, 0}, {Boundary::periodic, Boundary::reflecting, Boundary::periodic}};
    const Motion motion{.position = {9, 9, 0}, .velocity = {4, 4, 0}};
    EXPECT_EQ(PathMidpoint(box, 1.0)(motion), (Vec3{1, 10, 0}));
}

TEST(Box, VolumeOfDiscsIsAnArea) {
    EXPECT_EQ((Box{2, {3, 4, 0}}).volume(), 12);
    EXPECT_EQ((Box{3, {3, 4, 5}}).volume(), 60);
}

}  // namespace
}  // namespace ricochet
