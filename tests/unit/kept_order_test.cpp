// SPDX-License-Identifier: BSD-3-Clause
//
// What searches keep from step to step, and the few large spheres that they keep apart.
#include "search/kept_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "search/reach_bound.hpp"
#include "search/sorted_slices.hpp"
#include "search/sweep_and_prune.hpp"
#include "tests/support/search_definition.hpp"

namespace ricochet::test {
namespace {

TEST(KeptOrder, SortsAnyKeys) {
    HashRandom numbers(14);
    KeptOrder order;
    const auto expect_sorted = [&](const std::vector<std::uint32_t>& keys) {
        std::vector<KeptOrder::Item> expected;
        for (std::uint32_t label = 0; label < keys.size(); ++label)
            expected.push_back(KeptOrder::Item{keys[label]} << 32 | label);
        std::sort(expected.begin(), expected.end());
        const auto sorted = order.sort(keys);
        EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end()));
    };
    std::vector<std::uint32_t> keys(2000);
    const auto draw = [&](double range) { return static_cast<std::uint32_t>(range * numbers.uniform()); };
    for (std::uint32_t& key : keys) key = draw(0x1p32);
    expect_sorted(keys);
    const std::size_t num_before = order.num_full_sorts();
    for (int step = 0; step < 50; ++step) {  // a few go round the ring in each
        for (std::uint32_t& key : keys) key += draw(0x1p24);
        expect_sorted(keys);
    }
    EXPECT_EQ(order.num_full_sorts(), num_before);
    for (std::uint32_t& key : keys) key = draw(10);  // many are equal
    expect_sorted(keys);
    std::sort(keys.begin(), keys.end());
    const std::size_t num_then = order.num_full_sorts();
    expect_sorted(keys);  // labels have been sorted
    EXPECT_EQ(order.num_full_sorts(), num_then);
    EXPECT_GT(num_then, num_before);
    keys.resize(1500);
    expect_sorted(keys);
    keys.clear();
    expect_sorted(keys);
}

/// While particles move little, also round the box.
template <class Search>
void expect_pairs_while_moving(Search& search, const Box& box) {
    HashRandom numbers(15);
    Spheres spheres = random_spheres(box, 400, 0.3, 0.8, {0, box.size.x}, numbers);
    for (int step = 0; step < 12; ++step) {
        expect_each_pair_once(search, box, spheres, {0, box.size.x});
        for (BoundingSphere& sphere : spheres) {
            const Vec3 moved{into_box(static_cast<double>(sphere.x) + 0.2 * numbers.uniform(), box.size.x),
                             into_box(static_cast<double>(sphere.y) + 0.1 * numbers.uniform(), box.size.y),
                             0};
            sphere = bounding_sphere({moved.x, moved.y, static_cast<double>(sphere.z)},
                                     0.3 + 0.4 * numbers.uniform());
        }
    }
}

TEST(SortedSlices, KeepTheirOrder) {
    const Box box = periodic_box({40, 7, 9});
    SortedSlices search(box);
    expect_pairs_while_moving(search, box);
    EXPECT_EQ(search.num_full_sorts(), 1u);
}

TEST(SweepAndPrune, KeepsItsOrders) {
    const Box box = periodic_box({20, 7, 9});
    SweepAndPrune search(box);
    expect_pairs_while_moving(search, box);
}

TEST(SweepAndPrune, SweepsWhereFewestOverlap) {
    for (const auto& [size, axis] : {std::pair{Vec3{50, 5, 5}, 0u}, {{5, 50, 5}, 1u}, {{5, 5, 50}, 2u}}) {
        const Box box = periodic_box(size);
        HashRandom numbers(16);
        Spheres spheres = random_spheres(box, 200, 0.3, 0.5, {0, size.x}, numbers);
        SweepAndPrune search(box);
        search.build(spheres, {0, size.x});
        EXPECT_EQ(search.sweep_axis(), axis);
    }
}

TEST(ReachBound, KeepsAFewLargeOnesApart) {
    Spheres spheres(1000, bounding_sphere({1, 1, 1}, 0.5));
    ReachBound reaches;
    reaches.choose(spheres, 1, 3);
    EXPECT_TRUE(reaches.above().empty());
    EXPECT_NEAR(reaches.bound(), 0.5, 1e-6);
    spheres[7].reach = 40;
    reaches.choose(spheres, 1, 3);
    EXPECT_EQ(reaches.above().size(), 1u);
    EXPECT_TRUE(reaches.is_above(7));
    EXPECT_NEAR(reaches.bound(), 0.5, 1e-6);
    reaches.note_enlarged(8, 0.55);
    EXPECT_EQ(reaches.bound(), 0.55);
    EXPECT_EQ(reaches.above().size(), 1u);
    reaches.note_enlarged(9, 3);
    EXPECT_EQ(reaches.bound(), 0.55);
    EXPECT_TRUE(reaches.is_above(9));
    for (Slot slot = 100; slot < 200; ++slot) reaches.note_enlarged(slot, 3);
    EXPECT_EQ(reaches.bound(), 3);  // too many for a list
}

}  // namespace
}  // namespace ricochet::test
