// SPDX-License-Identifier: BSD-3-Clause
//
// When a tether is taut, and that it holds.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "contact/response.hpp"
#include "geometry/contact_time.hpp"
#include "ricochet/contact/rules.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using Long = long double;

struct Pair {
    Motion low, high;
    double length = 1;
};

/// Nearer than the length by a factor in [nearest, farthest], at the later of their times.
Pair random_pair(test::HashRandom& random, double nearest, double farthest) {
    Pair pair;
    pair.length = random.uniform(0.5, 2);
    const Vec3 direction = random.normal_vector(3);
    pair.low.position = {5, 5, 5};
    pair.low.velocity = random.normal_vector(3);
    pair.high.velocity = random.normal_vector(3);
    pair.high.time = random.index(2) == 0 ? 0 : 0.25;
    const double distance = pair.length * random.uniform(nearest, farthest);
    pair.high.position = advanced(advanced(pair.low.position, pair.low.velocity, pair.high.time), direction,
                                  distance / norm(direction));
    pair.high.id = 1;
    return pair;
}

double time_of(const Pair& pair) {
    return tether_time(pair.low, pair.high, pair.length, ImageLengths(test::walled_box({10, 10, 10})));
}

/// Between the two, in extended precision, without a look at the later of their times.
Long distance_at(const Pair& pair, Long time) {
    Long square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto place = [&](const Motion& motion) {
            return motion.position[axis] + motion.velocity[axis] * (time - motion.time);
        };
        const Long difference = place(pair.high) - place(pair.low);
        square += difference * difference;
    }
    return std::sqrt(square);
}

/// When two that begin nearer than the length are as far apart. They get there once.
Long time_by_bisection(const Pair& pair) {
    Long before = pair.high.time, after = before + 1;
    while (distance_at(pair, after) < pair.length) after += 1;
    for (int k = 0; k < 200; ++k) {
        const Long middle = (before + after) / 2;
        (distance_at(pair, middle) < pair.length ? before : after) = middle;
    }
    return before;
}

TEST(TetherTime, IsTheRootByBisection) {
    test::HashRandom random(1);
    for (int k = 0; k < 20'000; ++k) {
        const Pair pair = random_pair(random, 0, 0.99);
        const double scale = pair.length / norm(pair.high.velocity - pair.low.velocity);
        EXPECT_NEAR(static_cast<double>(time_of(pair) - time_by_bisection(pair)), 0, 1e-13 * (1 + scale))
            << k;
    }
}

TEST(TetherTime, IsTheSameInAnyOrder) {
    test::HashRandom random(2);
    for (int k = 0; k < 20'000; ++k) {
        Pair pair = random_pair(random, 0, 1.2);
        const double time = time_of(pair);
        EXPECT_GE(time, pair.high.time);
        std::swap(pair.low, pair.high);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(time_of(pair)), std::bit_cast<std::uint64_t>(time));
    }
}

/// At once if they part; else where they are as far apart as now.
TEST(TetherTime, TurnsBackThoseBeyondTheLength) {
    test::HashRandom random(3);
    int num_parting = 0;
    for (int k = 0; k < 20'000; ++k) {
        const Pair pair = random_pair(random, 1 + 1e-9, 1.5);
        const double time = time_of(pair), begin = pair.high.time;
        const Long distance = distance_at(pair, begin);
        if (distance_at(pair, begin + 1e-6L) > distance) {
            ++num_parting;
            EXPECT_EQ(time, begin);
        } else {
            EXPECT_GT(time, begin);
            EXPECT_NEAR(static_cast<double>(distance_at(pair, time) / distance), 1, 1e-13) << k;
        }
    }
    EXPECT_GT(num_parting, 5000);
    EXPECT_LT(num_parting, 15'000);
}

TEST(TetherTime, OfPartnersThatFlyAlikeIsNever) {
    test::HashRandom random(4);
    for (const double factor : {0.0, 0.5, 1.0, 1.5}) {
        Pair pair = random_pair(random, factor, factor);
        pair.high.velocity = pair.low.velocity;
        EXPECT_EQ(time_of(pair), never);
    }
}

TEST(TetherTime, IsOfTheNearestImage) {
    Pair pair;
    pair.low.position = {0.25, 5, 5};
    pair.high.position = {9.75, 5, 5};
    pair.high.velocity = {-1, 0, 0};
    EXPECT_EQ(tether_time(pair.low, pair.high, 1, ImageLengths(test::periodic_box({10, 10, 10}))), 0.5);
}

// --- how it holds --------------------------------------------------------------------------------------------

/// Slow pairs in fast common motion, where the response alone would leave some parting.
TEST(TetherHolds, AndLeavesNoPairParting) {
    const ImageLengths images(test::periodic_box({10, 10, 10}));
    test::HashRandom random(5);
    int num_at_rest = 0;
    for (int k = 0; k < 20'000; ++k) {
        Motion low, high;
        low.position = {2, 2, 2};
        high.position = low.position + random.normal_vector(3);
        high.id = 1;
        const Vec3 r = high.position - low.position;
        low.velocity = 100 * random.normal_vector(3);
        high.velocity = advanced(low.velocity, r, std::ldexp(random.uniform(), -40 - 2 * (k % 8)));
        if (!(dot(r, high.velocity - low.velocity) > 0)) continue;
        const Attributes light{.mass = random.uniform(0.1, 1)}, heavy{.mass = random.uniform(1, 1000)};
        PairContact contact{0, low, high, light, heavy, images};
        contact.tether = TetherState::taut;
        const ContactOutcome held = outcome(Stick{.restitution = 0.3}, contact);
        const Vec3 after = held.high->velocity - held.low->velocity;
        EXPECT_LE(dot(r, after), 0);
        EXPECT_EQ(held.effect, ContactEffect::hold);
        EXPECT_LT(held.impact.impulse, 0);
        EXPECT_LT(held.impact.speed, 0);
        EXPECT_FALSE(held.matter);
        if (norm(after) < 1e-12) ++num_at_rest;
    }
    EXPECT_GT(num_at_rest, 100);
}

/// Those that fly along the end of their tether turn inwards. Their momentum and energy stay.
TEST(TetherHolds, WhatCircles) {
    const ImageLengths images(test::periodic_box({10, 10, 10}));
    test::HashRandom random(6);
    for (int k = 0; k < 20'000; ++k) {
        const double sine = k % 10 == 0 ? 0 : std::ldexp(random.uniform(0.5, 1), -(k % 60));
        Motion low, high;
        low.position = {2, 2, 2};
        low.velocity = random.normal_vector(3);
        high.position = low.position + random.normal_vector(3);
        high.id = 1;
        const Vec3 r = high.position - low.position, any = random.normal_vector(3);
        const Vec3 n = (1 / norm(r)) * r, across = advanced(any, n, -dot(any, n));
        const double speed = norm(across) / std::sqrt(1 - std::min(0.99, sine * sine));
        high.velocity = advanced(low.velocity + across, n, sine * speed);
        const double m_low = random.uniform(0.1, 1), m_high = random.uniform(0.1, 10);
        PairContact contact{0, low, high, {.mass = m_low}, {.mass = m_high}, images};
        contact.tether = TetherState::taut;
        const ContactOutcome held = outcome(Stick{}, contact);
        const Vec3 before = high.velocity - low.velocity, after = held.high->velocity - held.low->velocity;
        const double outward = dot(before, n), inward = -dot(after, n);
        EXPECT_NEAR(inward, std::max(outward, norm(before) / 4096), 1e-14);
        EXPECT_NEAR(norm(after), norm(before), 1e-14);
        EXPECT_NEAR(held.impact.speed, -outward, 1e-14);
        EXPECT_NEAR(held.impact.impulse, -(outward + inward) * m_low * m_high / (m_low + m_high), 1e-14);
        const auto momentum = [&](Vec3 of_low, Vec3 of_high) { return m_low * of_low + m_high * of_high; };
        EXPECT_LT(
            norm(momentum(low.velocity, high.velocity) - momentum(held.low->velocity, held.high->velocity)),
            1e-13);
    }
}

// --- in the engine -------------------------------------------------------------------------------------------

/// Two that are tethered, in an open box.
test::System tethered_pair(double length, double restitution, std::uint64_t seed) {
    test::HashRandom random(seed);
    test::System system;
    system.box = test::periodic_box({40, 40, 40});
    const Vec3 direction = random.normal_vector(3);
    const double distance = random.uniform(1, length);
    test::add_particle(system, {20, 20, 20}, random.normal_vector(3), 0.25, 1);
    test::add_particle(system, advanced({20, 20, 20}, direction, distance / norm(direction)),
                       random.normal_vector(3), 0.75, random.uniform(0.1, 10));
    system.particles.track.keep_tethers();
    system.particles.track.tethers()[0].add(1, 0);
    system.particles.track.tethers()[1].add(0, 0);
    Stick rule;
    rule.length = length;
    rule.restitution = restitution;
    system.world = test::plain_world();
    system.world->pair_rule = rule;
    system.dt = 2;
    return system;
}

struct Held {
    std::size_t num_holds = 0, num_touches = 0;
};

/// No contact is nearer than touch or farther than the length; energy is kept where nothing is lost.
Held expect_held(test::System system, double length, bool is_elastic, int num_steps) {
    const auto engine = test::engine_for(system, {.contact_cap = 1'000'000});
    const double energy = test::totals(system.particles).energy;
    Held held;
    for (int step = 0; step < num_steps; ++step) {
        const test::StepResult result =
            test::engine_step(*engine, system.particles, system.dt, {1}, static_cast<std::uint64_t>(step));
        EXPECT_FALSE(result.exhausted);
        for (const Contact& contact : result.contacts) {
            const bool is_hold = contact.effect == ContactEffect::hold;
            ++(is_hold ? held.num_holds : held.num_touches);
            EXPECT_NEAR(contact.distance, is_hold ? length : 1, 1e-12 * length);
            EXPECT_EQ(contact.impulse < 0, is_hold);
            EXPECT_TRUE(is_hold ? contact.speed <= 0 : contact.speed >= 0);
        }
    }
    if (is_elastic) {
        const auto num_contacts = static_cast<double>(held.num_holds + held.num_touches);
        EXPECT_NEAR(test::totals(system.particles).energy / energy, 1, 1e-14 + 1e-15 * num_contacts);
    }
    return held;
}

TEST(TetherHolds, OverManyBounces) {
    for (const double length : {1.02, 1.5, 2.0}) {
        Held all;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Held held = expect_held(tethered_pair(length, 1, seed), length, true, 500);
            all.num_holds += held.num_holds;
            all.num_touches += held.num_touches;
        }
        EXPECT_GT(all.num_holds, 5000u) << length;
        EXPECT_GT(all.num_touches, 500u) << length;
    }
}

/// One that flies exactly along the end of its tether goes round its partner in as many chords as their sine says.
TEST(TetherHolds, OneThatCirclesForLong) {
    constexpr double length = 1.5, speed = 0.25;
    test::System system = tethered_pair(length, 1, 0);
    system.particles.motion[0].velocity = {};
    system.particles.motion[1].position = {20, 20 + length, 20};
    system.particles.motion[1].velocity = {speed, 0, 0};
    const double chord = 2 * length / 4096 / speed;
    const Held held = expect_held(system, length, true, 20);
    EXPECT_EQ(held.num_touches, 0u);
    EXPECT_NEAR(static_cast<double>(held.num_holds), 20 * system.dt / chord, 0.01 * 20 * system.dt / chord);
}

/// Partners that lose energy at contacts come to move around each other.
TEST(TetherHolds, WhatLosesEnergyAtContacts) {
    for (const double restitution : {0.0, 0.5}) {
        std::size_t num_holds = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed)
            num_holds += expect_held(tethered_pair(1.5, restitution, seed), 1.5, false, 200).num_holds;
        EXPECT_GT(num_holds, 1000u);
    }
}

}  // namespace
}  // namespace ricochet
