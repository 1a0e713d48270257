// SPDX-License-Identifier: BSD-3-Clause
//
// Structures of cells that follow particles, by themselves (tests/support/kinetic_traffic.hpp).
#include "kinetic/cells_crossing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "kinetic/cells_every_move.hpp"
#include "tests/support/kinetic_traffic.hpp"

namespace ricochet::test {
namespace {

template <class Structure>
class KineticCells : public testing::Test {};
using Structures = testing::Types<CellsCrossing, SpatialTreeCrossing, CellsEveryMove>;
TYPED_TEST_SUITE(KineticCells, Structures);

TYPED_TEST(KineticCells, NamesAllWhoAreNear) { expect_all_who_are_near<TypeParam>(); }

TYPED_TEST(KineticCells, GoesOnFromWhatWasSaved) { expect_goes_on_from_what_was_saved<TypeParam>(); }

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

/// How many of those that a sphere may meet lie before it (1), behind it (-1), and beside it (0), along the axis.
std::map<int, int> neighbours_by_side(const CellsEveryMove& cells, const System& system, int axis) {
    const Motion& moving = system.particles.motion[0];
    const double forwards = moving.velocity[axis] > 0 ? 1 : -1;
    std::vector<Slot> found;
    cells.neighbours(0, found);
    std::map<int, int> count;
    for (const Slot slot : found) {
        const double ahead =
            forwards * (system.particles.motion[slot].position[axis] - moving.position[axis]);
        ++count[ahead > 0 ? 1 : ahead < 0 ? -1 : 0];
    }
    return count;
}

/// One sphere flies among others that rest, one in the middle of each cell: it may meet the next one before it only. So
/// it is after it has been turned round.
TEST(CellsEveryMove, NamesNobodyBehind) {
    constexpr int n = 10;
    const std::map<int, int> one_before{{1, 1}};
    for (const int axis : {0, 1, 2}) {
        System system;
        system.box = periodic_box({n, n, n});
        constexpr int middle = n / 2 * (1 + n + n * n);
        const auto site = [](int k) { return Vec3{0.5 + k % n, 0.5 + k / n % n, 0.5 + k / n / n}; };
        add_particle(system, site(middle), {}, 0.1);
        for (int k = 0; k < n * n * n; ++k)
            if (k != middle) add_particle(system, site(k), {}, 0.1);
        Motion& moving = system.particles.motion[0];
        moving.velocity[axis] = 1;
        CellsEveryMove cells(system.box, {});
        TopologicalQueue queue;
        cells.begin({.motion = system.particles.motion,
                     .attributes = system.particles.attributes.lookup(),
                     .domain = {0, n},
                     .end = 5},
                    queue);
        EXPECT_EQ(neighbours_by_side(cells, system, axis), one_before);
        moving.velocity[axis] = -1;
        EXPECT_TRUE(cells.changed(0, 0, queue));
        EXPECT_EQ(neighbours_by_side(cells, system, axis), one_before);
    }
}

/// A blob in a void: the tree's cells have the size of its spacing.
TEST(SpatialTreeCrossing, HasCellsOfTheSpacing) {
    const Box box = periodic_box({1000, 1000, 1000});
    System system;
    HashRandom random(4);
    constexpr int num_particles = 1000;
    for (int k = 0; k < num_particles; ++k)
        add_particle(system, {random.uniform(0, 10), random.uniform(0, 10), random.uniform(0, 10)}, {}, 0.1);
    TopologicalQueue queue;
    const KineticSetting setting{system.particles.motion, system.particles.attributes.lookup(), {0, 1000}};
    SpatialTreeCrossing tree(box, {});
    CellsCrossing grid(box, {});
    tree.begin(setting, queue);
    grid.begin(setting, queue);
    std::vector<Slot> by_tree, by_grid;
    for (Slot slot = 0; slot < num_particles; ++slot) {
        tree.neighbours(slot, by_tree);
        grid.neighbours(slot, by_grid);
    }
    EXPECT_LT(by_tree.size(), num_particles * 200u);
    EXPECT_GT(by_grid.size(), num_particles * 900u);
}

}  // namespace
}  // namespace ricochet::test
