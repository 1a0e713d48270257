// SPDX-License-Identifier: BSD-3-Clause
//
// Generated starts over MPI equal those of a single rank.
#include <gtest/gtest.h>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

class RanksPlacementOf : public testing::TestWithParam<PlacementCase> {};

TEST_P(RanksPlacementOf, EqualsThatOfOneRank) {
    MpiExchange exchange{boost::mpi::communicator()};
    const Particles all = gathered(GetParam().place(exchange).particles, exchange);
    Particles alone;
    run_ranks(1, [&](Exchange& single) { alone = sorted_by_id(GetParam().place(single).particles); });
    EXPECT_TRUE(same_bits(all, alone));
}

INSTANTIATE_TEST_SUITE_P(Starts, RanksPlacementOf, testing::ValuesIn(placement_cases()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace ricochet::test
