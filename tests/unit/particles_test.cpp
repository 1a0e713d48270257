// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/core/particles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ricochet/core/random.hpp"

namespace ricochet {
namespace {

Particles numbered(std::size_t count) {
    Particles particles;
    for (std::size_t k = 0; k < count; ++k) {
        Motion motion;
        motion.id = k;
        Attributes attributes;
        attributes.radius = static_cast<double>(k);
        Track track;
        track.image[0] = static_cast<std::int64_t>(k);
        particles.push_back(motion, attributes, track);
    }
    return particles;
}

void expect_reordered(const std::vector<std::uint32_t>& order) {
    Particles particles = numbered(order.size());
    particles.reorder(order);
    for (std::size_t k = 0; k < order.size(); ++k) {
        EXPECT_EQ(particles.motion[k].id, order[k]);
        EXPECT_EQ(particles.attributes[k].radius, order[k]);
        EXPECT_EQ(particles.track[k].image[0], order[k]);
    }
}

TEST(Particles, AreReorderedByAnyPermutation) {
    expect_reordered({});
    expect_reordered({0});
    std::vector<std::uint32_t> order{0, 1, 2, 3};
    do expect_reordered(order);
    while (std::next_permutation(order.begin(), order.end()));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        order.resize(25 * (seed + 1));
        std::iota(order.begin(), order.end(), 0u);
        RandomSequence random({.seed = seed, .stream = Stream::placement}, 0);
        for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
        expect_reordered(order);
    }
}

}  // namespace
}  // namespace ricochet
