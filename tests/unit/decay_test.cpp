// SPDX-License-Identifier: BSD-3-Clause
//
// Decays by themselves: how often, by which channel, where the products are, which ids they get. Whole runs with
// decays are compared with the reference (decays_differential_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/decays.hpp"
#include "parallel/global_places.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::nothing;

/// Species 0 decays into 1 and 2, of radius 0.3 and 0.5, and mass 1 and 4.
World world_in(const Box& box, std::vector<DecayChannel> channels) {
    World world = test::world_with({{1, 6}, {0.3, 1}, {0.5, 4}}, box.dimension, Bounce{});
    world.box = box;
    world.decays = std::move(channels);
    world.timestep = 0.1;
    return world;
}
DecayRules rules_in(const Box& box, std::vector<DecayChannel> channels) {
    return DecayRules(world_in(box, std::move(channels)));
}

Attributes parent() { return {.radius = 1, .mass = 6, .species = 0}; }

void expect_share(std::size_t count, std::size_t all, double share) {
    const auto n = static_cast<double>(all);
    EXPECT_NEAR(static_cast<double>(count) / n, share, 4.5 * std::sqrt(share * (1 - share) / n));
}

TEST(Decay, ChannelsCompete) {
    const DecayRules rules =
        rules_in(test::periodic_box({9, 9, 9}), {{0, {1, 2}, 1}, {1, nothing, 2}, {0, nothing, 3}});
    std::array<std::size_t, 3> counts{};
    constexpr std::size_t num_tries = 200'000;
    for (std::size_t k = 0; k < num_tries; ++k)
        if (const auto channel = rules.channel_of(0, k % 1000, {k / 2000, k / 1000 % 2 == 1}))
            ++counts[*channel];
    const double decaying = 1 - std::exp(-0.2);
    expect_share(counts[0], num_tries, decaying / 4);
    EXPECT_EQ(counts[1], 0u);
    expect_share(counts[2], num_tries, decaying * 3 / 4);
    EXPECT_FALSE(rules.channel_of(2, 0, {0}).has_value());
}

/// Long steps leave no particle, and no particle decays without a rate.
TEST(Decay, HappensForCertainOrNever) {
    const Box box = test::periodic_box({9, 9, 9});
    const DecayRules at_once = rules_in(box, {{0, nothing, 1e3}}), never = rules_in(box, {{0, nothing, 0}});
    for (ParticleId id = 0; id < 1000; ++id) {
        EXPECT_TRUE(at_once.channel_of(0, id, {5}).has_value());
        EXPECT_FALSE(never.channel_of(0, id, {5}).has_value());
    }
}

/// About their centre of mass, in all directions alike.
TEST(Decay, ProductsTouch) {
    for (const int dimension : {2, 3}) {
        const Box box = test::periodic_box({9, 9, dimension == 3 ? 9.0 : 0});
        const DecayRules rules = rules_in(box, {{0, {1, 2}, 1}});
        Vec3 sum, squares;
        constexpr int num_tries = 20'000;
        for (ParticleId id = 0; id < num_tries; ++id) {
            const Motion motion{
                .position = {4, 5, dimension == 3 ? 6.0 : 0}, .velocity = {1, 2, 0}, .time = 0, .id = id};
            const auto products = rules.products_of(0, motion, parent(), {3});
            const Vec3 r = products.position_second - products.position_first;
            EXPECT_NEAR(norm(r), 0.8, 4e-15);
            EXPECT_NEAR(dot(r, products.direction), 0.8, 4e-15);
            const Vec3 centre = 0.2 * products.position_first + 0.8 * products.position_second;
            EXPECT_NEAR(norm(centre - motion.position), 0, 4e-15);
            sum = sum + products.direction;
            for (int axis = 0; axis < 3; ++axis)
                squares[axis] += products.direction[axis] * products.direction[axis];
        }
        for (int axis = 0; axis < dimension; ++axis) {
            EXPECT_NEAR(sum[axis] / num_tries, 0, 0.03);
            EXPECT_NEAR(squares[axis] / num_tries, 1.0 / dimension, 0.02);
        }
    }
}

/// Both are moved, and still touch.
TEST(Decay, ProductsStayBetweenWalls) {
    const Box box = test::walled_box({4, 4, 4});
    const DecayRules rules = rules_in(box, {{0, {1, 2}, 1}, {1, {2, absent_species}, 1}});
    for (ParticleId id = 0; id < 2000; ++id) {
        const Motion motion{.position = {0.3, 3.7, 2}, .velocity = {}, .time = 0, .id = id};
        const auto products = rules.products_of(0, motion, parent(), {3});
        EXPECT_NEAR(norm(products.position_second - products.position_first), 0.8, 4e-15);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GE(products.position_first[axis], 0.3 - 1e-15);
            EXPECT_LE(products.position_first[axis], 3.7 + 1e-15);
            EXPECT_GE(products.position_second[axis], 0.5 - 1e-15);
            EXPECT_LE(products.position_second[axis], 3.5 + 1e-15);
        }
    }
    const Motion at_wall{.position = {0.3, 2, 3.7}, .velocity = {}, .time = 0, .id = 1};
    const Attributes small{.radius = 0.3, .mass = 1, .species = 1};
    EXPECT_EQ(rules.products_of(1, at_wall, small, {3}).position_first, (Vec3{0.5, 2, 3.5}));
}

TEST(Decay, EndsWhenIdsAreUsedUp) {
    const Box box = test::periodic_box({9, 9, 9});
    test::run_ranks(2, [&](Exchange& exchange) {
        Decays decays(exchange, world_in(box, {{0, {1, 2}, 1e3}}));
        Particles particles;
        const ParticleId id = first_obstacle_id - 2 + static_cast<ParticleId>(exchange.rank());
        particles.push_back({.position = {1, 1, 1}, .velocity = {}, .time = 0, .id = id}, parent(), {});
        decays.start(particles);
        const std::string message = test::message_of<RunError>([&] { decays.decay({7}, particles); });
        EXPECT_NE(message.find("step 7: there are no ids left for 2 new particles"), std::string::npos)
            << message;
    });
}

/// However they are spread over the ranks.
TEST(GlobalPlaces, AreThoseOfAllKeysInOrder) {
    for (const int num_ranks : {1, 2, 3, 7})
        for (const std::size_t num_keys : {0, 1, 5, 400}) {
            test::HashRandom random(num_keys);
            std::vector<std::uint64_t> keys(num_keys);
            for (std::uint64_t& key : keys) key = random.bits();
            test::run_ranks(num_ranks, [&](Exchange& exchange) {
                std::vector<std::uint64_t> mine;
                for (const std::uint64_t key : keys)
                    if (static_cast<int>(key % 11 % static_cast<std::uint64_t>(num_ranks)) == exchange.rank())
                        mine.push_back(key);
                const std::vector<std::uint64_t> places = places_in_order(exchange, mine);
                ASSERT_EQ(places.size(), mine.size());
                for (std::size_t k = 0; k < mine.size(); ++k)
                    EXPECT_EQ(places[k],
                              static_cast<std::uint64_t>(std::count_if(
                                  keys.begin(), keys.end(), [&](auto key) { return key < mine[k]; })));
            });
        }
}

}  // namespace
}  // namespace ricochet
