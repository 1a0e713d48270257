// SPDX-License-Identifier: BSD-3-Clause
//
// Generated starts over MPI equal those of a single rank.
#include <gtest/gtest.h>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/shaped_starts.hpp"
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
INSTANTIATE_TEST_SUITE_P(StartsOfShapes, RanksPlacementOf,
                         testing::Values(random_case("dense_shapes",
                                                     {3, {8, 9, 8}, {periodic, reflecting, periodic}},
                                                     {brick({0.9, 0.9, 0.9}, 180), particles_of(0.5, 120),
                                                      pyramid_of(0.8, 0.9, 180)})),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace ricochet::test
