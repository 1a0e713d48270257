// SPDX-License-Identifier: BSD-3-Clause
//
// Mutual gravity through MPI; tests/unit/gravity_on_ranks_test.cpp compares numbers of ranks.
#include <gtest/gtest.h>

#include <boost/mpi/communicator.hpp>
#include <vector>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/gravity_systems.hpp"

namespace ricochet {
namespace {

TEST(RanksGravity, HasTheBitsOfOne) {
    MpiExchange exchange{boost::mpi::communicator()};
    for (const test::GravitySystem& system : test::gravity_systems(3000)) {
        const std::vector<GravityField> expected = test::fields_of(system);
        std::vector<GravitySource> owned;
        std::vector<GravityField> expected_here;
        for (std::size_t k = 0; k < system.sources.size(); ++k) {
            if (static_cast<int>(k) % exchange.size() != exchange.rank()) continue;
            owned.push_back(system.sources[k]);
            expected_here.push_back(expected[k]);
        }
        EXPECT_TRUE(test::equal_fields(test::fields_of(exchange, system, owned), expected_here))
            << system.name;
    }
}

}  // namespace
}  // namespace ricochet
