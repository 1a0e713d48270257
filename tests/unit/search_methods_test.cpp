// SPDX-License-Identifier: BSD-3-Clause
//
// Searches against the definition, each with any of its options: anywhere in a box, on lattices, as slots come to mean
// other particles. And the boxes, leaves and cells that they make.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "search/boxes.hpp"
#include "search/octree.hpp"
#include "search/spatial_tree.hpp"
#include "tests/support/search_definition.hpp"
#include "tests/support/searches.hpp"

namespace ricochet::test {
namespace {

class SearchMethods : public testing::TestWithParam<SearchMethod> {};
INSTANTIATE_TEST_SUITE_P(All, SearchMethods, testing::ValuesIn(step_searches),
                         [](const auto& search) { return std::string(to_string(search.param)); });

Make maker_of(SearchMethod method) { return registered_searches[static_cast<std::size_t>(method) - 1].make; }

TEST_P(SearchMethods, NameEachPairOnceAnywhere) {
    if (GetParam() == search_named("cells") || GetParam() == search_named("slices"))
        return;  // search_test.cpp
    expect_definition(maker_of(GetParam()), {}, 100);
}

/// Simple cubic, spheres that touch or overlap their neighbours; midpoints on the faces of cells, boxes and leaves.
TEST_P(SearchMethods, NameEachPairOfALattice) {
    for (const double reach : {0.5, 0.51, 0.75, 1.0}) {
        Spheres spheres;
        for (int x = 0; x < 4; ++x)
            for (int y = 0; y < 4; ++y)
                for (int z = 0; z < 4; ++z)
                    spheres.push_back(bounding_sphere({1.0 * x, 1.0 * y, 1.0 * z}, reach));
        for (const Box& box : {periodic_box({4, 4, 4}), walled_box({4, 4, 4})}) {
            const auto search = maker_of(GetParam())(box, {});
            expect_each_pair_once(*search, box, spheres, {0, 4});
        }
    }
}

/// Slots mean other particles in every build, of which there are sometimes more or fewer.
TEST_P(SearchMethods, TrustNothingThatIsKept) {
    const Box box = periodic_box({12, 7, 9});
    const auto search = maker_of(GetParam())(box, {});
    HashRandom numbers(7);
    for (const std::size_t count : {100, 100, 100, 99, 101, 0, 5, 100, 1, 100}) {
        Spheres spheres = random_spheres(box, count, 0.3, 1.5, {0, 12}, numbers);
        expect_each_pair_once(*search, box, spheres, {0, 12});
    }
}

TEST(Boxes, NameEachPairOnceInAnyNumber) {
    for (const std::uint64_t num_boxes : {1, 2, 3, 5, 16})
        expect_definition(make_boxes, {.num_boxes = num_boxes}, 200);
}

TEST(Boxes, AreAsManyAsAskedFor) {
    const Box box = periodic_box({12, 7, 9});
    HashRandom numbers(8);
    Spheres spheres = random_spheres(box, 100, 0.3, 0.3, {0, 12}, numbers);
    Boxes search(box, {.num_boxes = 6});
    search.build(spheres, {0, 12});
    for (const std::size_t axis : {0, 1, 2}) EXPECT_EQ(search.num_boxes(axis), 6);
    EXPECT_EQ(search.num_buckets(), 216u);
    EXPECT_GT(search.num_entries(), spheres.size());  // some lie across faces
    search.build(spheres, {0, 4});
    EXPECT_EQ(search.num_buckets(), 5u * 36);  // two, one at each face, and one for what lies outside
    Boxes fine(box, {.num_boxes = 200});
    fine.build(spheres, {0, 12});
    EXPECT_LT(fine.num_entries(), 65 * spheres.size());
    EXPECT_LT(fine.num_boxes(0), 200);
}

TEST(Boxes, FollowTheDensity) {
    HashRandom numbers(9);
    const Box dilute = periodic_box({100, 100, 100});
    Spheres spheres = random_spheres(dilute, 1000, 0.5, 0.5, {0, 100}, numbers);
    Boxes search(dilute, {});
    search.build(spheres, {0, 100});
    EXPECT_EQ(search.num_boxes(0), 7);  // of two particles: 12.6 wide
    for (BoundingSphere& sphere : spheres) sphere.reach *= 20;
    search.build(spheres, {0, 100});
    EXPECT_EQ(search.num_boxes(0), 3);  // of three reaches
}

TEST(Octree, NamesEachPairOnceWithAnyLeaves) {
    for (const SearchOptions& options :
         {SearchOptions{.octree_max_count = 1}, SearchOptions{.octree_max_count = 40},
          SearchOptions{.octree_max_count = 1, .octree_depth = 2}})
        expect_definition(make_octree, options, 300);
}

/// Few in a leaf, unless it is as deep as it may be.
TEST(Octree, LeavesHoldAtMostMaxCount) {
    HashRandom numbers(10);
    for (const Box& box :
         {periodic_box({64, 64, 64}), periodic_box({64, 64, 0}), walled_box({640, 64, 64})}) {
        Spheres spheres = random_spheres(box, 2000, 0.05, 0.05, {0, box.size.x}, numbers);
        for (const std::uint64_t max_count : {1, 4, 30}) {
            Octree search(box, {.octree_max_count = max_count});
            search.build(spheres, {0, box.size.x});
            std::size_t most = 0, entries = 0;
            for (std::size_t leaf = 0; leaf < search.num_buckets(); ++leaf) {
                entries += search.num_entries(leaf);
                if (search.reason(leaf) == Octree::LeafReason::few)
                    most = std::max(most, search.num_entries(leaf));
                EXPECT_NE(search.reason(leaf), Octree::LeafReason::deepest);
                if (max_count > 8) {  // several may lie at one integer point
                    EXPECT_EQ(search.reason(leaf), Octree::LeafReason::few);
                }
            }
            EXPECT_EQ(most, max_count);
            EXPECT_GE(entries, spheres.size());
            EXPECT_GT(search.num_buckets() * max_count, spheres.size());
        }
    }
}

TEST(Octree, IsAsDeepAsItMayBe) {
    const Box box = periodic_box({64, 64, 64}), flat = periodic_box({64, 64, 0});
    HashRandom numbers(11);
    Spheres spheres = random_spheres(box, 3000, 0.05, 0.05, {0, 64}, numbers);
    for (const auto& [depth, num_leaves] : {std::pair{0u, 1u}, {1u, 8u}, {2u, 64u}}) {
        Octree search(box, {.octree_max_count = 1, .octree_depth = depth});
        search.build(spheres, {0, 64});
        EXPECT_EQ(search.num_buckets(), num_leaves);
        EXPECT_EQ(search.reason(0), Octree::LeafReason::deepest);
    }
    Octree quadtree(flat, {.octree_max_count = 1, .octree_depth = 2});
    quadtree.build(spheres, {0, 64});
    EXPECT_EQ(quadtree.num_buckets(), 16u);
}

/// Spheres as large as the box would be entered in all parts.
TEST(Octree, IsNotDividedInVain) {
    const Box box = periodic_box({10, 10, 10});
    HashRandom numbers(12);
    Spheres spheres = random_spheres(box, 300, 4, 4, {0, 10}, numbers);
    Octree search(box, {});
    search.build(spheres, {0, 10});
    EXPECT_EQ(search.num_buckets(), 1u);
    EXPECT_EQ(search.reason(0), Octree::LeafReason::useless);
}

/// A blob needs the cells of the blob, in whatever box.
TEST(SpatialTree, HasOccupiedCellsOnly) {
    HashRandom numbers(13);
    const Box own = periodic_box({10, 10, 10});
    Spheres spheres = random_spheres(own, 1000, 0.6, 0.6, {0, 10}, numbers);
    SpatialTree compact(own), lost(periodic_box({2000, 2000, 2000}));
    compact.build(spheres, {0, 10});
    EXPECT_LE(compact.num_cells(), 512u);  // 8 on a side
    EXPECT_GT(compact.num_cells(), 300u);
    lost.build(spheres, {0, 2000});
    EXPECT_LE(lost.num_cells(), 1000u);
    EXPECT_GT(lost.num_cells(), 300u);
}

}  // namespace
}  // namespace ricochet::test
