// SPDX-License-Identifier: BSD-3-Clause
//
// What must hold of the traffic of every step, on any number of ranks; run with threads in the unit tests and
// with MPI in the MPI tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/traffic.hpp"

namespace ricochet::test {

/// Messages: migration and halo, and the events of each round, to each neighbour. Collectives: the reduction
/// at the start of the step, and a flag per round. A step that is done again has one reduction and one halo
/// more. Rounds: hardly more than sub-windows.
inline void expect_only_neighbours_and_flags(const TrafficPerStep& traffic, int num_ranks) {
    constexpr double rounding = 1e-6;
    const int num_neighbours = std::min(num_ranks - 1, 2);
    EXPECT_NEAR(traffic.num_messages, num_neighbours * (2 + traffic.num_rounds + traffic.num_redone),
                rounding);
    EXPECT_NEAR(traffic.most_messages, traffic.num_messages, rounding);
    EXPECT_NEAR(traffic.num_collectives, 1 + traffic.num_rounds + traffic.num_redone, rounding);
    EXPECT_NEAR(traffic.most_collectives, traffic.num_collectives, rounding);
    EXPECT_LE(traffic.num_rounds, 1.5 * traffic.num_windows);
}

}  // namespace ricochet::test
