// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/model/vec3.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

TEST(Vec3, DotIsFusedInTheWrittenOrder) {
    // (1 + e)(1 - e) = 1 - e^2 rounds to 1: only the fused form keeps the e^2 that the y term leaves behind.
    const double e = 0x1p-30;
    EXPECT_EQ(dot({-1, 1 + e, 0}, {1, 1 - e, 0}), -e * e);
}

TEST(Vec3, AdvancedRoundsOncePerComponent) {
    const double e = 0x1p-30;
    EXPECT_EQ(advanced({-1, 0, 0}, {1 + e, 0, 0}, 1 - e).x, -e * e);
}

TEST(Vec3, WrittenProductsAndSumsAreNotContracted) {
    const double e = 0x1p-30;
    volatile double a = 1 + e, b = 1 - e;
    const double product = a * b;
    EXPECT_EQ(product - 1.0, 0.0);
    EXPECT_EQ(a * b - 1.0, 0.0);
}

TEST(Vec3, IndexNamesTheAxes) {
    Vec3 a{1, 2, 3};
    a[1] = 5;
    EXPECT_EQ(a, (Vec3{1, 5, 3}));
    EXPECT_EQ(a[0] + a[1] + a[2], 9);
}

TEST(Vec3, NormOfDiscVectorsIgnoresZ) { EXPECT_EQ(norm({3, 4, 0}), 5); }

}  // namespace
}  // namespace ricochet
