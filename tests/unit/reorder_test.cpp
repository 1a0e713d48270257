// SPDX-License-Identifier: BSD-3-Clause
#include "model/reorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "model/particle_memory.hpp"
#include "tests/support/hash_random.hpp"

namespace ricochet {
namespace {

using Order = std::vector<std::uint32_t>;

/// Each with its number in all that it has; radii and images of as many values as asked for.
Particles numbered(std::size_t count, std::size_t num_radii, std::int64_t num_images) {
    Particles particles;
    for (std::size_t k = 0; k < count; ++k) {
        Motion motion;
        motion.id = k;
        Attributes attributes;
        attributes.radius = static_cast<double>(k % num_radii);
        Track track;
        track.origin.y = static_cast<double>(k);
        track.image[2] = static_cast<std::int64_t>(k) % num_images;
        particles.push_back(motion, attributes, track);
    }
    return particles;
}

/// The same, each with a tether to the next and a time of its latest contact.
Particles tethered(Particles particles) {
    particles.track.keep_tethers();
    particles.track.keep_latest_contacts();
    for (std::size_t k = 0; k < particles.size(); ++k)
        particles.track.tethers()[k].add(particles.motion[k].id + 1, 0);
    std::iota(particles.track.latest_contacts().begin(), particles.track.latest_contacts().end(), -0.5);
    return particles;
}

void expect_order(const Particles& particles, const Order& order, std::size_t num_radii,
                  std::int64_t num_images) {
    ASSERT_EQ(particles.size(), order.size());
    ASSERT_EQ(particles.attributes.size(), order.size());
    ASSERT_EQ(particles.track.size(), order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        EXPECT_EQ(particles.motion[k].id, order[k]);
        EXPECT_EQ(particles.attributes[k].radius, order[k] % num_radii);
        EXPECT_EQ(particles.track[k].origin.y, order[k]);
        EXPECT_EQ(particles.track[k].image[2], order[k] % num_images);
        if (!particles.track.keeps_tethers()) continue;
        EXPECT_EQ(particles.track.tethers()[k].size(), 1u);
        EXPECT_TRUE(particles.track.tethers()[k].holds(order[k] + 1));
        EXPECT_EQ(particles.track.latest_contacts()[k], order[k] - 0.5);
    }
}

/// In a pass, in cycles, and as reorder() chooses; with attributes of one kind, of a few and of each.
void expect_reordered(const Order& order) {
    for (const std::size_t num_radii : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
        for (const std::int64_t num_images : {2, 1000}) {
            const Particles plain = numbered(order.size(), num_radii, num_images);
            const Particles particles = num_images == 2 ? plain : tethered(plain);
            Particles chosen = particles;
            reorder(chosen, order);
            expect_order(chosen, order, num_radii, num_images);
            EXPECT_EQ(chosen.attributes.is_shared(), particles.attributes.is_shared());
            if (order.empty()) continue;

            Particles by_pass = particles, by_cycles = particles;
            Order of_pass = order, of_cycles = order;
            detail::reorder_in_a_pass(by_pass, of_pass, detail::PassPlan(order));
            expect_order(by_pass, order, num_radii, num_images);
            EXPECT_EQ(by_pass.attributes.records().size(), particles.attributes.records().size());
            detail::reorder_in_cycles(by_cycles, of_cycles);
            expect_order(by_cycles, order, num_radii, num_images);
        }
    }
}

/// 0 ... count-1, shuffled among `width` neighbours at a time.
Order shuffled(std::size_t count, std::size_t width, std::uint64_t seed) {
    Order order(count);
    std::iota(order.begin(), order.end(), 0u);
    test::HashRandom random(seed);
    for (std::size_t k = count; k > 1; --k)
        std::swap(order[k - 1], order[k - 1 - random.index(std::min(width, k))]);
    return order;
}

TEST(Reorder, BringsParticlesIntoAnyOrder) {
    expect_reordered({});
    expect_reordered({0});
    Order order{0, 1, 2, 3};
    do expect_reordered(order);
    while (std::next_permutation(order.begin(), order.end()));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::size_t count = 25 * (seed + 1);
        expect_reordered(shuffled(count, count, seed));
        expect_reordered(shuffled(count, 5, seed));
    }
}

TEST(Reorder, SetsFewAsideInNearlyRightOrders) {
    EXPECT_EQ(detail::PassPlan(Order{0, 1, 2, 3}).most_set_aside(), 0u);
    EXPECT_EQ(detail::PassPlan(Order{1, 2, 3, 0}).most_set_aside(), 1u);
    // One of two neighbours makes room before the other takes it.
    EXPECT_EQ(detail::PassPlan(Order{3, 0, 1, 2}).most_set_aside(), 2u);
    EXPECT_EQ(detail::PassPlan(Order{2, 3, 0, 1}).most_set_aside(), 2u);
    EXPECT_LT(detail::PassPlan(shuffled(100'000, 50, 1)).most_set_aside(), 50u);
    const std::size_t of_random = detail::PassPlan(shuffled(100'000, 100'000, 1)).most_set_aside();
    EXPECT_GT(of_random, 24'000u);
    EXPECT_LT(of_random, 26'000u);
}

TEST(Reorder, TakesNoMemoryForTheParticles) {
    const Order order = shuffled(100'000, 50, 1);
    for (const std::size_t num_radii : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
        Particles roomy;
        reserve_with_spare(roomy, order.size());
        const Particles particles = numbered(order.size(), num_radii, 2);
        for (std::size_t k = 0; k < particles.size(); ++k) roomy.append(particles, k);
        Particles full = particles;
        for (Particles* each : {&roomy, &full}) {
            const std::size_t capacity = each->capacity();
            const Motion* const motions = each->motion.data();
            reorder(*each, order);
            EXPECT_EQ(each->motion.data(), motions);
            EXPECT_EQ(each->capacity(), capacity);
        }
        expect_order(roomy, order, num_radii, 2);
        expect_order(full, order, num_radii, 2);
    }
}

}  // namespace
}  // namespace ricochet
