// SPDX-License-Identifier: BSD-3-Clause
//
// How much each search compares, and that cells compare few: as sizes and densities change, with giants among small
// spheres, and with fast ones.
//
// Source of the last: C. G. Johnson and J. L. Whalley, "Detecting collisions in sets of moving particles", section 5.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/block_store.hpp"
#include "ricochet/core/random.hpp"
#include "search/candidate_pairs.hpp"
#include "search/cells.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t num_spheres = 600;
constexpr std::uint64_t num_pairs = num_spheres * (num_spheres - 1) / 2;

/// Spheres of equal reach, anywhere in the part of the box from its corner.
std::vector<BoundingSphere> scattered(Vec3 part, double reach, std::uint64_t count = num_spheres) {
    std::vector<BoundingSphere> spheres;
    for (std::uint64_t k = 0; k < count; ++k) {
        RandomSequence random({.seed = 3, .stream = Stream::placement}, k);
        const Vec3 u{random.uniform(), random.uniform(), random.uniform()};
        spheres.push_back(bounding_sphere({u.x * part.x, u.y * part.y, u.z * part.z}, reach));
    }
    return spheres;
}

/// Spheres compared by one search of all.
std::uint64_t compared(BroadPhase& search, const Box& box, std::vector<BoundingSphere>& spheres) {
    BlockStore store;
    CandidatePairs pairs(store);
    const std::uint64_t before = search.num_compared();
    search.build(spheres, {0, box.size.x});
    search.collect_pairs(pairs);
    return search.num_compared() - before;
}
/// The same, of cells that have seen nothing else.
std::uint64_t compared_anew(const Box& box, std::vector<BoundingSphere>& spheres) {
    Cells cells(box, true);
    compared(cells, box, spheres);  // the second is tuned
    return compared(cells, box, spheres);
}
/// Spheres compared as a path of this length bends out of the slot's sphere.
std::uint64_t compared_after_bend(BroadPhase& search, const std::vector<BoundingSphere>& spheres, Slot slot,
                                  double length) {
    const std::uint64_t before = search.num_compared();
    const Vec3 start = spheres[slot].midpoint();
    std::vector<Slot> found;
    search.enlarge(slot, {start, start + Vec3{length, 0, 0}}, 0.5, found);
    return search.num_compared() - before;
}

class SearchCounts : public testing::TestWithParam<SearchMethod> {};
INSTANTIATE_TEST_SUITE_P(All, SearchCounts, testing::ValuesIn(test::step_searches),
                         [](const auto& search) { return std::string(to_string(search.param)); });

TEST_P(SearchCounts, ComparesFewInADiluteGas) {
    const Box box = test::periodic_box({40, 40, 40});
    const auto search = make_search(GetParam(), box, {.is_study = true});
    std::vector<BoundingSphere> spheres = scattered(box.size, 0.7);
    BlockStore store;
    CandidatePairs pairs(store);
    EXPECT_EQ(search->num_compared(), 0u);
    for (std::uint64_t step = 1; step <= 2; ++step) {
        search->build(spheres, {0, box.size.x});
        pairs.clear();
        const std::uint64_t before = search->num_compared();
        search->collect_pairs(pairs);
        const std::uint64_t num_compared = search->num_compared() - before;
        EXPECT_GE(num_compared, pairs.size());
        if (GetParam() == search_named("all_pairs"))
            EXPECT_EQ(num_compared, num_pairs);
        else
            EXPECT_LT(num_compared, num_pairs / 4);
    }
    EXPECT_GE(search->memory_bytes(), num_spheres * sizeof(Slot));
}

TEST_P(SearchCounts, ComparesAllWhereAllOverlap) {
    const Box box = test::periodic_box({2, 2, 2});
    const auto search = make_search(GetParam(), box, {.is_study = true});
    std::vector<BoundingSphere> spheres = scattered(box.size, 3);
    BlockStore store;
    CandidatePairs pairs(store);
    search->build(spheres, {0, box.size.x});
    search->collect_pairs(pairs);
    EXPECT_EQ(pairs.size(), num_pairs);
    EXPECT_GE(search->num_compared(), num_pairs);
}

TEST_P(SearchCounts, CountsWhatAnEnlargedSphereMeets) {
    const Box box = test::periodic_box({40, 40, 40});
    const auto search = make_search(GetParam(), box, {.is_study = true});
    std::vector<BoundingSphere> spheres = scattered(box.size, 0.7);
    search->build(spheres, {0, box.size.x});
    const std::uint64_t num_compared = compared_after_bend(*search, spheres, 0, 8);
    EXPECT_GE(num_compared, 10u);
    EXPECT_LE(num_compared, 2 * num_spheres);
}

const Box wide = test::periodic_box({40, 40, 40});
constexpr std::uint64_t many = 4000;

/// At the same volume fraction.
TEST(CellWork, FollowsSpheresThatDivideAndMerge) {
    Cells cells(wide, true);
    std::vector<std::uint64_t> counts;
    for (std::uint64_t count = many / 16; count < many; count = count * 10 / 9) counts.push_back(count);
    counts.insert(counts.end(), counts.rbegin(), counts.rend());
    for (const std::uint64_t count : counts) {
        const double reach = 0.4 * std::cbrt(static_cast<double>(many) / static_cast<double>(count));
        std::vector<BoundingSphere> spheres = scattered(wide.size, reach, count);
        const auto anew = static_cast<double>(compared_anew(wide, spheres));
        EXPECT_LE(static_cast<double>(compared(cells, wide, spheres)), 1.2 * anew) << count;
        EXPECT_LT(anew, 12.0 * static_cast<double>(count)) << count;
    }
}

/// A gas that contracts to a blob, which fills a thousandth of the box.
TEST(CellWork, FollowsAGasThatContracts) {
    const Box box = test::periodic_box({120, 120, 120});
    const Vec3 blob{12, 12, 12};
    Cells cells(box, true);
    std::vector<BoundingSphere> spheres;
    for (double part = 10; part > 1; part *= 0.97) {
        spheres = scattered(part * blob, 0.6, 2000);
        compared(cells, box, spheres);
    }
    spheres = scattered(blob, 0.6, 2000);
    constexpr int builds_to_measure = 16;
    for (int k = 0; k < builds_to_measure; ++k) compared(cells, box, spheres);
    const auto alone = static_cast<double>(compared_anew(test::periodic_box(1.1 * blob), spheres));
    EXPECT_LE(static_cast<double>(compared(cells, box, spheres)), 1.5 * alone);
}

TEST(CellWork, KeepsGiantsApart) {
    std::vector<BoundingSphere> spheres = scattered(wide.size, 0.55, many);
    const std::uint64_t alone = compared_anew(wide, spheres);
    constexpr std::uint64_t num_giants = 4;
    for (const BoundingSphere& giant : scattered(wide.size, 8, num_giants)) spheres.push_back(giant);
    // The cube about each has an eighth of all spheres.
    EXPECT_LE(compared_anew(wide, spheres), alone + alone / 10 + num_giants * many / 4);
}

TEST(CellWork, KeepsFastOnesApart) {
    const auto compared_by_others = [](bool is_with_fast_one) {
        std::vector<BoundingSphere> spheres = scattered(wide.size, 0.55, many);
        Cells cells(wide, true);
        compared(cells, wide, spheres);
        if (is_with_fast_one) {
            EXPECT_GT(compared_after_bend(cells, spheres, 0, 12), many / 8);
        }
        std::uint64_t sum = 0;
        for (Slot slot = 1; slot <= 100; ++slot) sum += compared_after_bend(cells, spheres, slot, 0.2);
        return sum;
    };
    EXPECT_LE(compared_by_others(true), compared_by_others(false) + 100);  // each looks at the fast one
}

}  // namespace
}  // namespace ricochet
