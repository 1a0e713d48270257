// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/step_part.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ricochet {
namespace {

TEST(StepPart, IsTheWholeStepAtFirst) {
    const StepPart part;
    EXPECT_TRUE(part.is_whole());
    EXPECT_FALSE(part.is_past_end());
    EXPECT_EQ(part.span_of(0.3), (TimeSpan{0, 0.3}));
    EXPECT_TRUE(part.next().is_past_end());
}

/// The parts that are done when some are too long.
template <class IsTooLong>
std::vector<TimeSpan> parts_of(double dt, IsTooLong is_too_long) {
    std::vector<TimeSpan> parts;
    for (StepPart part; !part.is_past_end();) {
        const TimeSpan span = part.span_of(dt);
        if (is_too_long(span)) {
            part = part.halved();
        } else {
            parts.push_back(span);
            part = part.next();
        }
    }
    return parts;
}

TEST(StepPart, ComesAfterTheOtherAndCoversTheStep) {
    const double dt = 0.7;
    const auto parts = parts_of(dt, [](TimeSpan span) { return span.length() > 0.1; });
    ASSERT_EQ(parts.size(), 8u);
    EXPECT_EQ(parts.front().begin, 0);
    EXPECT_EQ(parts.back().end, dt);
    for (std::size_t k = 1; k < parts.size(); ++k) EXPECT_EQ(parts[k].begin, parts[k - 1].end);
}

TEST(StepPart, IsHalvedOnlyWhereItIsTooLong) {
    const auto parts = parts_of(1, [](TimeSpan span) { return span.begin < 0.3 && span.length() > 0.25; });
    EXPECT_EQ(parts, (std::vector<TimeSpan>{{0, 0.25}, {0.25, 0.5}, {0.5, 1}}));
}

TEST(StepPart, IsLastWhereNoneFollows) {
    int num_last = 0;
    for (StepPart part = StepPart{}.halved().halved(); !part.is_past_end(); part = part.next()) {
        EXPECT_EQ(part.is_last(), part.next().is_past_end());
        num_last += part.is_last() ? 1 : 0;
    }
    EXPECT_EQ(num_last, 1);
    EXPECT_TRUE(StepPart{}.is_last());
}

TEST(StepPart, EndsSomewhere) {
    StepPart part;
    while (part.can_be_halved()) part = part.halved();
    EXPECT_GT(part.span_of(1).length(), 0);
}

}  // namespace
}  // namespace ricochet
