// SPDX-License-Identifier: BSD-3-Clause
//
// The tree: its cells, its accuracy, and its bits.
#include "gravity/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/gravity_systems.hpp"

namespace ricochet {
namespace {

using test::equal_fields;
using test::errors_of;
using test::FieldErrors;
using test::fields_of;
using test::gravity_systems;
using test::GravitySystem;
using test::HashRandom;
using test::tiny_heaps;
using test::uniform_sources;
using test::walled_box;

const std::vector<Vec3> box_alone(1);

struct BuiltTree {
    CellKeys cell_keys;
    std::vector<CellKey> keys;
    GravityTree tree;
};

BuiltTree tree_of(const GravitySystem& system, const Opening& opening) {
    BuiltTree built{CellKeys(system.box), {}, {}};
    std::vector<std::pair<SourceOrder, PointMass>> order;
    for (const auto& source : system.sources)
        order.push_back(
            {{built.cell_keys.key_of(source.position), source.id}, {source.position, source.mass}});
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [place, point] : order) {
        built.keys.push_back(place.key);
        built.tree.points.push_back(point);
    }
    built.tree.num_targets = static_cast<std::uint32_t>(order.size());
    TreeBuilder(built.cell_keys, opening, built.keys, built.tree).add_cell(0, order.size());
    return built;
}

/// The particles of a cell.
PointRange range_of(const GravityTree& tree, std::uint32_t cell) {
    PointRange range{not_here, 0};
    for (std::uint32_t k = cell; k < tree.cells[cell].next; ++k) {
        if (tree.cells[k].count == 0) continue;
        range.first = std::min(range.first, tree.cells[k].first);
        range.count += tree.cells[k].count;
    }
    return range;
}

TEST(CellKeys, NumberOctantsFromTheRoot) {
    const CellKeys keys(walled_box({8, 8, 8}));
    EXPECT_EQ(keys.key_of({0, 0, 0}), 0u);
    EXPECT_EQ(keys.key_of({4, 0, 0}), std::uint64_t{1} << 60);
    EXPECT_EQ(keys.key_of({0, 4, 0}), std::uint64_t{2} << 60);
    EXPECT_EQ(keys.key_of({0, 0, 4}), std::uint64_t{4} << 60);
    EXPECT_EQ(keys.key_of({8, 9, 8}), (std::uint64_t{1} << 63) - 1);
    EXPECT_EQ(keys.key_of({-1, -1e-300, 0}), 0u);
    const CellKeys flat(walled_box({8, 4, 0}));
    EXPECT_EQ(flat.key_of({4, 0, 0}), std::uint64_t{1} << 60);
    EXPECT_EQ(flat.key_of({0, 4, 0}), std::uint64_t{2} << 60);
    EXPECT_EQ(flat.key_of({8, 8, 0}), (std::uint64_t{1} << 62) - 1);
}

TEST(CellKeys, AgreeWithHalvingTheBox) {
    HashRandom random(3);
    for (const int dimension : {2, 3}) {
        const CellKeys keys(walled_box({16, 16, dimension == 3 ? 16.0 : 0.0}));
        for (int sample = 0; sample < 1000; ++sample) {
            const Vec3 place{random.uniform(0, 16), random.uniform(0, 16),
                             dimension == 3 ? random.uniform(0, 16) : 0};
            CellKey key = 0;
            Vec3 low;
            double edge = 16;
            for (int level = 0; level < keys.num_levels(); ++level) {
                edge /= 2;
                for (int axis = dimension - 1; axis >= 0; --axis) {
                    const bool is_high = place[axis] >= low[axis] + edge;
                    if (is_high) low[axis] += edge;
                    key = 2 * key + (is_high ? 1 : 0);
                }
            }
            ASSERT_EQ(keys.key_of(place), key);
        }
    }
}

TEST(CellKeys, CommonCells) {
    const CellKeys keys(walled_box({1, 1, 1}));
    const CellKey a = 0123ull << 54, b = 0127ull << 54;  // octal: the third digits differ
    EXPECT_EQ(keys.common_level(a, b), 2);
    EXPECT_EQ(keys.common_level(a, a), 21);
    EXPECT_EQ(keys.common_level(0, (std::uint64_t{1} << 63) - 1), 0);
    EXPECT_EQ(keys.first_key(a, 2), 0120ull << 54);
    EXPECT_EQ(keys.last_key(a, 2), (0130ull << 54) - 1);
    EXPECT_EQ(keys.first_key(b, 0), 0u);
    EXPECT_EQ(keys.last_key(b, 0), (std::uint64_t{1} << 63) - 1);
    EXPECT_EQ(keys.last_key(b, 21), b);
}

TEST(GravityTree, MomentsAreThoseOfTheParticles) {
    for (const GravitySystem& system : gravity_systems(3000)) {
        const GravityTree tree = tree_of(system, Opening(0.8)).tree;
        EXPECT_EQ(range_of(tree, 0).count, 3000u);
        for (std::uint32_t cell = 0; cell < tree.cells.size(); ++cell) {
            const PointRange range = range_of(tree, cell);
            const auto points = std::span<const PointMass>(tree.points).subspan(range.first, range.count);
            const Moments exact = moments_of(points), moments = tree.moments[cell];
            const double size = std::sqrt(squared_reach(exact.centre, tree.bounds[cell])) + 1e-12;
            EXPECT_NEAR(moments.mass, exact.mass, 1e-12 * exact.mass);
            EXPECT_LE(norm(moments.centre - exact.centre), 1e-12 * system.box.size.x);
            const double scale = exact.mass * size * size;
            EXPECT_NEAR(moments.xy, exact.xy, 1e-8 * scale);
            EXPECT_NEAR(moments.zz, exact.zz, 1e-8 * scale);
            EXPECT_NEAR(moments.trace, exact.trace, 1e-8 * scale);
            const Bounds bounds = bounds_of(points);
            EXPECT_EQ(tree.bounds[cell].low, bounds.low);
            EXPECT_EQ(tree.bounds[cell].high, bounds.high);
        }
    }
}

TEST(GravityTree, DividesCellsOfMoreThan32) {
    for (const GravitySystem& system : gravity_systems(5000)) {
        const BuiltTree built = tree_of(system, Opening(0.8));
        const GravityTree& tree = built.tree;
        for (std::uint32_t cell = 0; cell < tree.cells.size(); ++cell) {
            const PointRange range = range_of(tree, cell);
            const CellKey low = built.keys[range.first], high = built.keys[range.first + range.count - 1];
            const bool is_leaf = tree.cells[cell].count > 0;
            EXPECT_EQ(is_leaf, range.count <= 32 || low == high) << system.name;
            if (is_leaf) continue;
            EXPECT_LT(tree.cells[cell + 1].next, tree.cells[cell].next) << "a cell with one child";
            const int level = built.cell_keys.common_level(low, high);
            std::uint32_t child = cell + 1;
            for (CellKey last = 0; child < tree.cells[cell].next; child = tree.cells[child].next) {
                const CellKey first =
                    built.cell_keys.first_key(built.keys[range_of(tree, child).first], level + 1);
                EXPECT_TRUE(child == cell + 1 || first > last);
                last = built.cell_keys.last_key(first, level + 1);
            }
        }
    }
}

/// With cells that consist of one mass, and laws that see masses only, each target has all others once.
TEST(GravityTree, EachLeafHasAllOthersOnce) {
    for (const GravitySystem& system : gravity_systems(4000))
        for (const double opening : {0.3, 0.8, 5.0}) {
            const GravityTree tree = tree_of(system, Opening(opening)).tree;
            double total = 0;
            for (const PointMass& point : tree.points) total += point.mass;
            // Far away, softened beyond all distances: a potential of -mass/e.
            TreeWalk walk(tree, {GravityForm::inverse_square, 1e24, true}, box_alone);
            for (std::uint32_t cell = 0; cell < tree.cells.size(); ++cell) {
                if (!tree.is_target_leaf(cell)) continue;
                walk.for_each_batch(cell, [&](std::uint32_t first, const TargetBatch& batch) {
                    for (std::size_t k = 0; k < batch.count; ++k)
                        ASSERT_NEAR(-1e12 * batch.potential[k], total - tree.points[first + k].mass,
                                    1e-9 * total);
                });
            }
        }
}

// V20 is about cubes and spheres. Where a system is flat or long, forces nearly cancel at more places. One of the heaps
// lies in the corner of a cell whose mass is at the other end.
TEST(GravityTree, ErrorsAreSmall) {
    for (const GravitySystem& system : gravity_systems(5000)) {
        const bool is_flat = system.name == "flat disc" || system.name == "long box";
        const bool has_heaps = system.name == "tiny heaps";
        const auto exact = fields_of(system, GravityMethod::direct);
        const FieldErrors errors = errors_of(fields_of(system), exact);
        EXPECT_LE(errors.median, 5e-3) << system.name;
        EXPECT_LE(errors.of_99_percent, has_heaps ? 0.1 : is_flat ? 0.05 : 1.8e-2) << system.name;
        EXPECT_LE(errors.of_potential, 5e-3) << system.name;
        const FieldErrors none = errors_of(fields_of(system, GravityMethod::tree, 1e-3), exact);
        EXPECT_LT(none.of_99_percent, 1e-11) << system.name;
        if (has_heaps) continue;  // most particles are in leaves as large as a heap
        EXPECT_GT(errors.median, 1e-6) << system.name << ": the tree opens all cells";
        const FieldErrors narrow = errors_of(fields_of(system, GravityMethod::tree, 0.3), exact);
        EXPECT_LT(narrow.median, errors.median / 5) << system.name;
    }
}

TEST(GravityTree, ShuffledParticlesHaveTheSameBits) {
    HashRandom random(6);
    std::vector<GravitySystem> systems = gravity_systems(3000);
    systems.push_back(uniform_sources({1, 1, 1}, 100));
    systems.back().name = "all at one place";
    for (GravitySource& source : systems.back().sources) source.position = {0.3, 0.3, 0.3};
    for (const GravitySystem& system : test::periodic_gravity_systems(800)) systems.push_back(system);
    for (const GravitySystem& system : systems)
        for (const GravityMethod method : {GravityMethod::tree, GravityMethod::direct}) {
            const auto expected = fields_of(system, method);
            std::vector<std::size_t> order(system.sources.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            random.shuffle(order);
            GravitySystem shuffled = system;
            for (std::size_t k = 0; k < order.size(); ++k) shuffled.sources[k] = system.sources[order[k]];
            std::vector<GravityField> fields(order.size());
            const auto found = fields_of(shuffled, method);
            for (std::size_t k = 0; k < order.size(); ++k) fields[order[k]] = found[k];
            EXPECT_TRUE(equal_fields(fields, expected)) << system.name;
        }
}

/// Teeth of the test above: other ids are another order of sums.
TEST(GravityTree, IdsOrderTheSums) {
    GravitySystem system = tiny_heaps(1000);
    const auto expected = fields_of(system);
    for (GravitySource& source : system.sources) source.id = 2000000 - source.id;
    const auto fields = fields_of(system);
    EXPECT_FALSE(equal_fields(fields, expected));
    EXPECT_LT(errors_of(fields, expected).largest, 1e-9);
}

/// Forces of a tree are not quite opposite: the sum of all, over the sum of their magnitudes.
TEST(GravityTree, NetForceIsSmall) {
    for (const GravitySystem& system : gravity_systems(5000)) {
        const auto net = [&](GravityMethod method) {
            Vec3 sum;
            double magnitudes = 0;
            const auto fields = fields_of(system, method);
            for (std::size_t k = 0; k < fields.size(); ++k) {
                sum = sum + system.sources[k].mass * fields[k].acceleration;
                magnitudes += system.sources[k].mass * norm(fields[k].acceleration);
            }
            return norm(sum) / magnitudes;
        };
        EXPECT_LT(net(GravityMethod::tree), 5e-4) << system.name;
        EXPECT_LT(net(GravityMethod::direct), 1e-13) << system.name;
    }
}

// V20 as it stands there.
TEST(LongGravityTree, HundredThousandUniform) {
    const GravitySystem system = uniform_sources({1, 1, 1}, 100000);
    const FieldErrors errors = errors_of(fields_of(system), fields_of(system, GravityMethod::direct));
    EXPECT_LE(errors.median, 5e-3);
    EXPECT_LE(errors.of_99_percent, 1.8e-2);
}

}  // namespace
}  // namespace ricochet
