// SPDX-License-Identifier: BSD-3-Clause
//
// The traffic of a step through MPI; tests/unit/traffic_test.cpp compares numbers of ranks.
#include "tests/support/traffic.hpp"

#include <gtest/gtest.h>

#include <boost/mpi/communicator.hpp>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/traffic_checks.hpp"

namespace ricochet {
namespace {

TEST(RanksTraffic, IsToNeighboursAndOneFlagPerRound) {
    MpiExchange exchange{boost::mpi::communicator()};
    const test::System system = test::row_of_boxes(exchange.size());
    const test::TrafficPerStep traffic = test::count_traffic(exchange, system);
    test::expect_only_neighbours_and_flags(traffic, exchange.size());
    const double expected = exchange.size() > 1 ? 8'400 : 0;
    EXPECT_NEAR(traffic.num_bytes, expected, 0.25 * expected);
}

}  // namespace
}  // namespace ricochet
