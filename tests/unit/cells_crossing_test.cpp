// SPDX-License-Identifier: BSD-3-Clause
//
// Cells that particles cross, by themselves (tests/support/kinetic_traffic.hpp).
#include "search/cells_crossing.hpp"

#include <gtest/gtest.h>

#include "tests/support/kinetic_traffic.hpp"

namespace ricochet::test {
namespace {

TEST(CellsCrossing, NamesAllWhoAreNear) { expect_all_who_are_near<CellsCrossing>(); }

TEST(CellsCrossing, GoesOnFromWhatWasSaved) { expect_goes_on_from_what_was_saved<CellsCrossing>(); }

/// Where the largest contact distance outgrows the cells, they say so, and hold it when they are built anew.
TEST(CellsCrossing, SayWhenTheyAreTooNarrow) {
    Traffic<CellsCrossing> traffic(scenes()[1], 3);
    Attributes& grown = traffic.particles().attributes.edit(7);
    grown.radius = 4;
    EXPECT_FALSE(traffic.structure().changed(7, 0, traffic.queue()));
    traffic.begin(0, true);
    EXPECT_TRUE(traffic.structure().changed(7, 0, traffic.queue()));
    for (int k = 0; k <= 20; ++k) {
        traffic.run_until(0.1 * k);
        traffic.expect_all_near_are_neighbours(0.1 * k);
    }
}

}  // namespace
}  // namespace ricochet::test
