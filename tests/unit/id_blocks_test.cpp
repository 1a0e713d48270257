// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/id_blocks.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

TEST(IdBlocks, CutTheIdsEvenly) {
    for (const std::uint64_t total : {0u, 1u, 5u, 12u, 13u, 1000u})
        for (const int num_ranks : {1, 2, 3, 7}) {
            const IdBlocks blocks(total, num_ranks);
            EXPECT_EQ(blocks.first(0), 0u);
            EXPECT_EQ(blocks.last(num_ranks - 1), total);
            for (int rank = 0; rank < num_ranks; ++rank) {
                EXPECT_LE(blocks.count(rank), total / static_cast<std::uint64_t>(num_ranks) + 1);
                for (std::uint64_t id = blocks.first(rank); id < blocks.last(rank); ++id)
                    EXPECT_EQ(blocks.rank_of(id), rank);
            }
        }
}

}  // namespace
}  // namespace ricochet
