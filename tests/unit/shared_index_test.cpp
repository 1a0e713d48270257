// SPDX-License-Identifier: BSD-3-Clause
#include "engine/shared_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ricochet {
namespace {

std::vector<Motion> motions_with(const std::vector<ParticleId>& ids) {
    std::vector<Motion> motions(ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) motions[k].id = ids[k];
    return motions;
}

TEST(SharedIndex, BeforeItIsBuiltNobodyIsNamed) {
    const SharedIndex index;
    for (const ParticleId id : {0, 1, 7}) EXPECT_EQ(index.slot_of(id), std::nullopt);
}

/// And nothing else.
TEST(SharedIndex, NamesThoseThatOthersHave) {
    const std::vector<Motion> motions = motions_with({5, 0, 9, 3});
    Holders holders;
    holders.reset(4);
    holders.set(1, 1);
    holders.set(2, 4);
    SharedIndex index;
    index.build(motions, holders);
    EXPECT_EQ(index.slot_of(0), 1u);
    EXPECT_EQ(index.slot_of(9), 2u);
    EXPECT_EQ(index.slot_of(5), std::nullopt);
    EXPECT_EQ(index.slot_of(3), std::nullopt);
    EXPECT_EQ(index.slot_of(1), std::nullopt);
}

/// Ids that differ in their highest or lowest bits only fall on few places of a table that hashes badly, and
/// ids on the same place must still be told apart.
TEST(SharedIndex, ManyIdsOfAnyKindAreFound) {
    std::mt19937_64 random(3);
    for (const unsigned shift : {0u, 20u, 40u})
        for (const std::size_t size : {1u, 2u, 100u, 3000u}) {
            std::vector<ParticleId> ids;
            for (std::size_t k = 0; k < size; ++k) ids.push_back((2 * k + 1) << shift);
            std::shuffle(ids.begin(), ids.end(), random);
            Holders holders;
            holders.reset(size);
            std::vector<bool> is_shared(size);
            for (std::size_t k = 0; k < size; ++k) {
                is_shared[k] = random() % 2 == 0;
                if (is_shared[k]) holders.set(static_cast<Slot>(k), 1);
            }
            SharedIndex index;
            const std::vector<Motion> motions = motions_with(ids);
            index.build(motions, holders);
            for (std::size_t k = 0; k < size; ++k) {
                ASSERT_EQ(index.slot_of(ids[k]),
                          is_shared[k] ? std::optional(static_cast<Slot>(k)) : std::nullopt)
                    << ids[k];
                ASSERT_EQ(index.slot_of(ids[k] + (ParticleId{1} << shift)), std::nullopt);
            }
        }
}

TEST(SharedIndex, WhatItNamedBeforeIsForgotten) {
    Holders holders;
    holders.reset(2);
    holders.set(0, 1);
    holders.set(1, 1);
    SharedIndex index;
    const std::vector<Motion> before = motions_with({4, 8}), after = motions_with({8});
    index.build(before, holders);
    holders.reset(1);
    holders.set(0, 1);
    index.build(after, holders);
    EXPECT_EQ(index.slot_of(8), 0u);
    EXPECT_EQ(index.slot_of(4), std::nullopt);
}

}  // namespace
}  // namespace ricochet
