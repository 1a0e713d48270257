// SPDX-License-Identifier: BSD-3-Clause
//
// Heavy checks, on whatever the build is.
#undef RICOCHET_HEAVY_CHECKS
#define RICOCHET_HEAVY_CHECKS 1
#include <gtest/gtest.h>

#include <stdexcept>

#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

TEST(Check, HeavyOnesAreEvaluatedWhenOn) {
    int num_calls = 0;
    EXPECT_THROW(RICOCHET_DCHECK_EQ(++num_calls, 7), std::logic_error);
    EXPECT_THROW(RICOCHET_DCHECK(++num_calls == 7), std::logic_error);
    EXPECT_THROW(RICOCHET_DCHECK_NE(1, 1), std::logic_error);
    EXPECT_THROW(RICOCHET_DCHECK_LT(1, 1), std::logic_error);
    EXPECT_THROW(RICOCHET_DCHECK_LE(2, 1), std::logic_error);
    EXPECT_THROW(RICOCHET_DCHECK_GT(1, 1), std::logic_error);
    EXPECT_THROW(RICOCHET_DCHECK_GE(1, 2), std::logic_error);
    EXPECT_EQ(num_calls, 2);
}

}  // namespace
}  // namespace ricochet
