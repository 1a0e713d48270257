// SPDX-License-Identifier: BSD-3-Clause
//
// A rank's part in the communication does not grow with the number of ranks.
#include "tests/support/traffic.hpp"

#include <gtest/gtest.h>

#include "tests/support/thread_exchange.hpp"
#include "tests/support/traffic_checks.hpp"

namespace ricochet::test {
namespace {

TrafficPerStep traffic_on(int num_ranks) {
    const System system = row_of_boxes(num_ranks);
    TrafficPerStep result;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        const TrafficPerStep traffic = count_traffic(exchange, system);
        if (exchange.rank() == 0) result = traffic;
    });
    return result;
}

TEST(Traffic, IsTheSamePerRankOnAnyNumberOfRanks) {
    const double bytes_on_four = traffic_on(4).num_bytes;
    EXPECT_GT(bytes_on_four, 80 * 50);  // more than fifty copies
    for (const int num_ranks : {2, 8, 16, 64}) {
        SCOPED_TRACE(num_ranks);
        const TrafficPerStep traffic = traffic_on(num_ranks);
        expect_only_neighbours_and_flags(traffic, num_ranks);
        EXPECT_NEAR(traffic.num_bytes / bytes_on_four, 1, 0.1);
        EXPECT_LT(traffic.most_bytes / bytes_on_four, 1.35);
    }
}

}  // namespace
}  // namespace ricochet::test
