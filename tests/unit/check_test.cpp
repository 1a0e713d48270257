// SPDX-License-Identifier: BSD-3-Clause
//
// The checks themselves, with heavy ones off; check_heavy_test.cpp has them on.
#undef RICOCHET_HEAVY_CHECKS
#define RICOCHET_HEAVY_CHECKS 0
#include "ricochet/core/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "tests/support/message_of.hpp"

namespace ricochet {
namespace {

/// The message of the check that fails in `call`; "" when none does.
template <class Call>
std::string failure(const Call& call) {
    return test::message_of<std::logic_error>(call);
}

TEST(Check, SaysPlaceExpressionAndBothValues) {
    const int rank = 4, num_ranks = 3;
    const int line = __LINE__ + 1;
    const std::string message = failure([&] { RICOCHET_CHECK_LT(rank, num_ranks); });
    EXPECT_EQ(message, "unit/check_test.cpp:" + std::to_string(line) +
                           ": check failed: rank < num_ranks (4 against 3)");
}

TEST(Check, SaysTheExpressionOfACondition) {
    const bool is_sorted = false;
    EXPECT_THAT(failure([&] { RICOCHET_CHECK(is_sorted); }), testing::EndsWith(": check failed: is_sorted"));
    EXPECT_EQ(failure([&] { RICOCHET_CHECK(!is_sorted); }), "");
}

/// Doubles with all their digits: 0.1 + 0.2 and 0.3 must not look the same.
TEST(Check, PrintsOperandsOfEveryKind) {
    enum class Kind : std::uint8_t { a = 7, b = 9 };
    const std::string name = "cells";
    EXPECT_THAT(failure([] { RICOCHET_CHECK_EQ(0.1 + 0.2, 0.3); }),
                testing::EndsWith("(0.30000000000000004 against 0.3)"));
    EXPECT_THAT(failure([&] { RICOCHET_CHECK_EQ(name, "slices"); }),
                testing::EndsWith("(\"cells\" against \"slices\")"));
    EXPECT_THAT(failure([] { RICOCHET_CHECK_EQ(Kind::a, Kind::b); }), testing::EndsWith("(7 against 9)"));
    EXPECT_THAT(failure([] { RICOCHET_CHECK_NE(true, true); }), testing::EndsWith("(1 against 1)"));
}

TEST(Check, ComparesWithEveryRelation) {
    EXPECT_EQ(failure([] {
                  RICOCHET_CHECK_EQ(2, 2);
                  RICOCHET_CHECK_NE(2, 3);
                  RICOCHET_CHECK_LT(2, 3);
                  RICOCHET_CHECK_LE(2, 2);
                  RICOCHET_CHECK_GT(3, 2);
                  RICOCHET_CHECK_GE(2, 2);
              }),
              "");
    EXPECT_THROW(RICOCHET_CHECK_EQ(2, 3), std::logic_error);
    EXPECT_THROW(RICOCHET_CHECK_NE(2, 2), std::logic_error);
    EXPECT_THROW(RICOCHET_CHECK_LT(2, 2), std::logic_error);
    EXPECT_THROW(RICOCHET_CHECK_LE(3, 2), std::logic_error);
    EXPECT_THROW(RICOCHET_CHECK_GT(2, 2), std::logic_error);
    EXPECT_THROW(RICOCHET_CHECK_GE(2, 3), std::logic_error);
}

TEST(Check, ComparesIntegersOfAnySignByValue) {
    EXPECT_THAT(failure([] { RICOCHET_CHECK_GE(-1, 0u); }), testing::EndsWith("(-1 against 0)"));
    EXPECT_EQ(failure([] { RICOCHET_CHECK_LT(std::int64_t{-1}, std::uint64_t{0}); }), "");
}

TEST(Check, FailsForNan) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(RICOCHET_CHECK_LE(nan, 1.0), std::logic_error);
    EXPECT_THROW(RICOCHET_CHECK_GT(nan, 1.0), std::logic_error);
    EXPECT_THROW(RICOCHET_CHECK_EQ(nan, nan), std::logic_error);
}

TEST(Check, EvaluatesEachOperandOnce) {
    int num_calls = 0;
    RICOCHET_CHECK_EQ(++num_calls, 1);
    EXPECT_EQ(num_calls, 1);
}

TEST(Check, HeavyOnesAreNotEvaluatedWhenOff) {
    int num_calls = 0;
    RICOCHET_DCHECK_EQ(++num_calls, 7);
    RICOCHET_DCHECK(++num_calls == 7);
    EXPECT_EQ(num_calls, 0);
}

}  // namespace
}  // namespace ricochet
