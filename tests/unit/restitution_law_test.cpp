// SPDX-License-Identifier: BSD-3-Clause
//
// Restitution by the speed of approach: its values against extended precision, and what comes of contacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "contact/response.hpp"
#include "model/restitution.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using test::HashRandom;

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Ice, with metres and seconds.
constexpr RestitutionLaw of_ice{0.32, 0.234, 0.01};

RestitutionLaw random_law(HashRandom& random) {
    return {random.log_uniform(0.01, 10), random.is_one_in(8) ? 1 : random.uniform(0.01, 1),
            random.log_uniform(1e-6, 1e6)};
}

TEST(RestitutionLaw, HasTheValueOfThePower) {
    HashRandom random(1);
    double largest = 0;
    int num_below = 0;
    for (int k = 0; k < 200'000; ++k) {
        const RestitutionLaw law = random_law(random);
        const double speed = law.speed * random.log_uniform(1e-2, 1e2);
        const long double power = std::pow(static_cast<long double>(speed) / law.speed, -law.exponent);
        const long double exact = std::min(1.0L, law.value * power);
        largest = std::max(largest, static_cast<double>(std::abs(value_at(law, speed) / exact - 1)));
        num_below += exact < 1 ? 1 : 0;
    }
    std::printf("largest relative error %.2g; %d values below 1\n", largest, num_below);
    EXPECT_LE(largest, 1.5e-15);
    EXPECT_GE(num_below, 100'000);
}

TEST(RestitutionLaw, OfIceIsThatOfTheMeasurements) {
    EXPECT_NEAR(value_at(of_ice, 0.01), 0.32, 1e-15);
    EXPECT_NEAR(value_at(of_ice, 0.001), 0.32 * std::pow(10, 0.234), 1e-15);
    EXPECT_NEAR(elastic_speed(of_ice), 0.01 * std::pow(0.32, 1 / 0.234), 1e-18);
}

TEST(RestitutionLaw, IsOneForSlowContacts) {
    HashRandom random(2);
    for (int k = 0; k < 20'000; ++k) {
        const RestitutionLaw law = random_law(random);
        const double elastic = elastic_speed(law);
        EXPECT_EQ(value_at(law, elastic * (1 - 1e-9)), 1);
        EXPECT_LT(value_at(law, elastic * (1 + 1e-9)), 1);
        EXPECT_EQ(value_at(law, elastic * random.log_uniform(1e-12, 1)), 1);
    }
    for (const double none : {0.0, -0.0, -1e-300, -1.0, -infinity, 1e-300})
        EXPECT_EQ(value_at(of_ice, none), 1);
    EXPECT_EQ(value_at(of_ice, infinity), 0);
}

/// But for the last bits. What arrives faster is kept less of, and leaves no slower.
TEST(RestitutionLaw, FallsWithSpeed) {
    HashRandom random(3);
    constexpr double bits = 4e-15;
    for (int k = 0; k < 20'000; ++k) {
        const RestitutionLaw law = random_law(random);
        const double slow = law.speed * random.log_uniform(1e-6, 1e6);
        const double fast = slow * (1 + random.log_uniform(1e-12, 100));
        EXPECT_LE(value_at(law, fast), value_at(law, slow) * (1 + bits));
        EXPECT_GE(fast * value_at(law, fast), slow * value_at(law, slow) * (1 - bits));
    }
}

TEST(RestitutionLaw, ConstantsAreReturned) {
    for (const double constant : {0.0, 0.1, 0.7, 1.0})
        for (const double speed : {-1.0, 0.0, 1e-300, 1.0, 1e300}) {
            EXPECT_EQ(value_at(constant, speed), constant);
            EXPECT_EQ(elastic_speed(constant), 0);
        }
    EXPECT_TRUE(RestitutionLaw().is_elastic());
    EXPECT_TRUE(RestitutionLaw(1).is_elastic());
    EXPECT_FALSE(RestitutionLaw(0.5).is_elastic());
    EXPECT_FALSE(RestitutionLaw(1, 0.5, 1).is_elastic());
    EXPECT_FALSE(of_ice.is_constant());
}

// --- contacts ----------------------------------------------------------------------------------------------

bool operator==(const NewMotion& a, const NewMotion& b) {
    return a.position == b.position && a.velocity == b.velocity;
}

/// The bits of a bounce with the constant that belongs to its speed.
template <class Contacting>
void expect_value_at_speed(const RestitutionLaw& law, Contacting contact) {
    const ContactOutcome by_law = outcome_by(Bounce{law}, contact);
    const double speed = by_law.impact.speed, value = value_at(law, speed);
    const ContactOutcome by_value = outcome_by(Bounce{value}, contact);
    EXPECT_EQ(by_law.impact.impulse, by_value.impact.impulse);
    EXPECT_EQ(by_law.impact.speed, by_value.impact.speed);
    EXPECT_TRUE(*by_law.low == *by_value.low);
    ASSERT_EQ(by_law.high.has_value(), by_value.high.has_value());
    EXPECT_TRUE(!by_law.high || *by_law.high == *by_value.high);
    contact.is_elastic = true;
    EXPECT_TRUE(*outcome_by(Bounce{law}, contact).low == *outcome_by(Bounce{}, contact).low);
}

TEST(RestitutionLaw, DecidesAtItsSpeed) {
    HashRandom random(4);
    const ImageLengths images(test::periodic_box({100, 100, 100}));
    for (int k = 0; k < 20'000; ++k) {
        const RestitutionLaw law = random_law(random);
        const double size = law.speed * random.log_uniform(1e-3, 1e3);
        Vec3 n = random.normal_vector(3);
        n = (1 / norm(n)) * n;
        const Motion low{.position = {50, 50, 50}, .velocity = size * random.normal_vector(3), .id = 1};
        Motion high{.position = low.position + n, .velocity = size * random.normal_vector(3), .id = 2};
        if (dot(high.velocity - low.velocity, n) > 0)
            high.velocity = low.velocity + (low.velocity - high.velocity);
        const bool is_free = random.is_one_in(2);
        const Attributes of_low{.mass = random.log_uniform(0.01, 100), .frozen_axes = is_free ? 0u : 1u};
        const Attributes of_high{.mass = random.log_uniform(0.01, 100), .frozen_axes = is_free ? 0u : 6u};
        expect_value_at_speed(law, PairContact{0, low, high, of_low, of_high, images});
    }
}

TEST(RestitutionLaw, DecidesAtObstacles) {
    HashRandom random(5);
    for (int k = 0; k < 20'000; ++k) {
        const RestitutionLaw law = random_law(random);
        const double size = law.speed * random.log_uniform(1e-3, 1e3);
        Vec3 n{0, 0, 1};
        if (!random.is_one_in(4)) n = random.normal_vector(3);
        n = (1 / norm(n)) * n;
        Motion motion{.position = {50, 50, 50}, .velocity = size * random.normal_vector(3), .id = 1};
        Attributes attributes;
        attributes.frozen_axes = random.is_one_in(3) ? 1 : 0;
        if (attributes.frozen_axes != 0) motion.velocity.x = 0;
        const Vec3 surface = size * random.normal_vector(3);
        const bool moves = attributes.frozen_axes == 0 && random.is_one_in(2);
        const double approach = dot(motion.velocity - (moves ? surface : Vec3{}), n);
        if (approach < 0) motion.velocity = advanced(motion.velocity, n, -2 * approach);
        ObstacleContact at{0, motion, attributes, n};
        at.is_hollow = random.is_one_in(2);
        if (moves) at.moving = MovingSurface{surface, 1e-9 * size};
        expect_value_at_speed(law, at);
    }
}

TEST(ContactRules, CollapseWhereSlowOnesLoseEnergy) {
    World world = test::world_with({{}, {}}, 3, Bounce{});
    EXPECT_FALSE(ContactRules(world).have_losses());
    EXPECT_FALSE(ContactRules(world).may_collapse());
    test::set_pair(world, 0, 1, Bounce{of_ice});
    EXPECT_TRUE(ContactRules(world).have_losses());
    EXPECT_FALSE(ContactRules(world).may_collapse());
    test::set_wall(world, 1, Bounce{0.5});
    EXPECT_TRUE(ContactRules(world).may_collapse());
}

}  // namespace
}  // namespace ricochet
