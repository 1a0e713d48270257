// SPDX-License-Identifier: BSD-3-Clause
//
// Random words in vectors are those of the definition.
#include "core/random_batch.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace ricochet::test {
namespace {

TEST(RandomBatch, HasTheWordsOfTheDefinition) {
    RandomBatch batch;
    for (std::size_t k = 0; k < RandomBatch::capacity; ++k) {
        batch.ids[k] = k * 0x9e3779b97f4a7c15u;
        batch.steps[k] = k % 3 == 0 ? k : max_random_step - 1 - k;
    }
    for (const std::uint64_t seed : {std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{0x123456789abcdef0}})
        for (const unsigned block : {0u, 1u, 255u}) {
            batch.draw(seed, Stream::placement, block);
            for (std::size_t k = 0; k < RandomBatch::capacity; ++k)
                EXPECT_EQ((RandomWords{batch.first[k], batch.second[k]}),
                          random_words({seed, Stream::placement, batch.steps[k]}, batch.ids[k], block));
        }
}

}  // namespace
}  // namespace ricochet::test
