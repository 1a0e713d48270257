// SPDX-License-Identifier: BSD-3-Clause
//
// One contact by itself, against the laws of mechanics: momentum, energy, restitution, symmetry, walls.
//
// Bounds on the error are in units of rounding (2^-53) of the terms that are added, so that they hold for any
// masses and speeds.
#include "contact/response.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "dynamics/brownian.hpp"
#include "geometry/obstacle.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

constexpr double rounding = 0x1p-53;

/// The masses and the restitution of a pair, in the order of the ids.
struct PairProperties {
    double mass_low = 1;
    double mass_high = 1;
    double restitution = 1;
};

/// Two particles at their contact, with what decides how they part.
struct Encounter {
    Motion low, high;
    PairProperties matter;
    ImageLengths images;

    Vec3 separation() const { return minimum_image(high.position - low.position, images); }
    Vec3 normal() const { return (1 / norm(separation())) * separation(); }
    Vec3 relative_velocity() const { return high.velocity - low.velocity; }
    double reduced_mass() const {
        return matter.mass_low * matter.mass_high / (matter.mass_low + matter.mass_high);
    }
    Vec3 momentum() const { return matter.mass_low * low.velocity + matter.mass_high * high.velocity; }
    double energy() const {
        return 0.5 * (matter.mass_low * dot(low.velocity, low.velocity) +
                      matter.mass_high * dot(high.velocity, high.velocity));
    }
    /// What errors of the momentum are measured by.
    double momentum_scale() const {
        return matter.mass_low * norm(low.velocity) + matter.mass_high * norm(high.velocity);
    }
    double speed_scale() const { return norm(low.velocity) + norm(high.velocity); }
};

ContactOutcome outcome_of(const Encounter& e, double time = 0) {
    const Attributes low{.mass = e.matter.mass_low}, high{.mass = e.matter.mass_high};
    const ContactRule rule = Bounce{e.matter.restitution};
    return outcome_by(rule, PairContact{time, e.low, e.high, low, high, e.images});
}

void go_on(Motion& motion, double time, const std::optional<NewMotion>& after) {
    ASSERT_TRUE(after);
    motion.position = after->position;
    motion.velocity = after->velocity;
    motion.time = time;
}

/// What comes of the contact takes effect.
Impact collide(Encounter& encounter, double time = 0) {
    const ContactOutcome outcome = outcome_of(encounter, time);
    go_on(encounter.low, time, outcome.low);
    go_on(encounter.high, time, outcome.high);
    return outcome.impact;
}

/// Approaching pairs in any direction, some across the faces of the box; masses from 1e-6 to 1e6, every
/// fourth pair with those of Brownian particles, every third pair of discs.
std::vector<Encounter> encounters(double restitution) {
    const Box box = test::periodic_box({10, 12, 14});
    std::vector<Encounter> all;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        test::HashRandom random(seed);
        const int dimension = seed % 3 == 0 ? 2 : 3;
        Encounter e;
        e.images = ImageLengths(box);
        e.matter = {std::pow(10, random.uniform(-6, 6)), std::pow(10, random.uniform(-6, 6)), restitution};
        if (seed % 4 == 0) {
            e.matter.mass_low = effective_mass(1, 1e-3, random.uniform(0.1, 10));
            e.matter.mass_high = effective_mass(1, 1e-3, random.uniform(0.1, 10));
        }
        e.low.id = 3;
        e.high.id = 8;
        e.low.position = {random.uniform(0, 10), random.uniform(0, 12),
                          dimension == 3 ? random.uniform(0, 14) : 0};
        const Vec3 away = random.normal_vector(dimension);
        e.high.position = e.low.position + (1 / norm(away)) * away;
        for (int axis = 0; axis < dimension; ++axis)
            if (e.high.position[axis] >= box.size[axis]) e.high.position[axis] -= box.size[axis];
        e.low.velocity = random.normal_vector(dimension);
        e.high.velocity = random.normal_vector(dimension);
        if (dot(e.relative_velocity(), e.separation()) > 0) std::swap(e.low.velocity, e.high.velocity);
        all.push_back(e);
    }
    return all;
}

constexpr std::array restitutions{0.0, 0.25, 0.7, 1.0};

TEST(Response, KeepsMomentum) {
    for (const double restitution : restitutions)
        for (Encounter e : encounters(restitution)) {
            const Vec3 before = e.momentum();
            double scale = e.momentum_scale();
            collide(e);
            scale += e.momentum_scale();
            EXPECT_LE(norm(e.momentum() - before), 8 * rounding * scale);
        }
}

TEST(Response, KeepsEnergyWhenElastic) {
    for (Encounter e : encounters(1)) {
        const double before = e.energy();
        collide(e);
        EXPECT_NEAR(e.energy(), before, 32 * rounding * before);
    }
}

/// Newton's law: the relative velocity along the normal changes sign and is multiplied by e; across it
/// nothing changes.
TEST(Response, ReboundsByRestitution) {
    for (const double restitution : restitutions)
        for (Encounter e : encounters(restitution)) {
            const Vec3 n = e.normal(), before = e.relative_velocity();
            const double scale = e.speed_scale();
            collide(e);
            const Vec3 after = e.relative_velocity();
            const double bound = 32 * rounding * (scale + e.speed_scale());
            EXPECT_NEAR(dot(after, n), -restitution * dot(before, n), bound);
            EXPECT_LE(norm((after - dot(after, n) * n) - (before - dot(before, n) * n)), bound);
        }
}

/// Half the reduced mass times (1 - e^2) times the square of the speed of approach.
TEST(Response, LosesEnergyByRestitution) {
    for (const double restitution : restitutions)
        for (Encounter e : encounters(restitution)) {
            const double before = e.energy();
            const double approach = dot(e.relative_velocity(), e.normal());
            collide(e);
            const double loss =
                0.5 * e.reduced_mass() * (1 - restitution * restitution) * approach * approach;
            EXPECT_NEAR(before - e.energy(), loss, 64 * rounding * (before + e.energy()));
        }
}

/// As the prediction of contacts decides: a pair that still approached would collide at this instant again.
TEST(Response, NeverLeavesPairsApproaching) {
    for (const double restitution : restitutions)
        for (const double drift : {0.0, 1e3, 1e9})
            for (Encounter e : encounters(restitution)) {
                const Vec3 common = drift * Vec3{0.6, -0.8, 0};
                e.low.velocity = e.low.velocity + common;
                e.high.velocity = e.high.velocity + common;
                collide(e);
                EXPECT_GE(dot(e.separation(), e.relative_velocity()), 0);
            }
}

/// Each partner's new state is the same in every bit when they change places.
TEST(Response, IsTheSameWithPartnersSwapped) {
    for (const double restitution : restitutions)
        for (Encounter e : encounters(restitution)) {
            Encounter swapped = e;
            std::swap(swapped.low, swapped.high);
            std::swap(swapped.matter.mass_low, swapped.matter.mass_high);
            const Impact impact = collide(e), other = collide(swapped);
            EXPECT_EQ(e.low.velocity, swapped.high.velocity);
            EXPECT_EQ(e.high.velocity, swapped.low.velocity);
            EXPECT_EQ(e.low.position, swapped.high.position);
            EXPECT_EQ(impact.normal, -other.normal);
            EXPECT_EQ(impact.speed, other.speed);
            EXPECT_EQ(impact.impulse, other.impulse);
            EXPECT_EQ(impact.distance, other.distance);
        }
}

/// Slow pairs in fast common motion, where the response alone would leave some approaching.
TEST(Response, PartsSwappedPairsWithSameBits) {
    for (Encounter e : encounters(0)) {
        e.low.velocity = e.low.velocity + Vec3{600, -800, 0};
        e.high.velocity = e.high.velocity + Vec3{600, -800, 0};
        Encounter swapped = e;
        std::swap(swapped.low, swapped.high);
        std::swap(swapped.matter.mass_low, swapped.matter.mass_high);
        collide(e);
        collide(swapped);
        EXPECT_EQ(e.low.velocity, swapped.high.velocity);
        EXPECT_EQ(e.high.velocity, swapped.low.velocity);
    }
}

/// A row of equal spheres at rest passes a velocity on without a rounding error, along any axis.
TEST(Response, HandsAVelocityOnExactly) {
    for (int axis = 0; axis < 3; ++axis) {
        Encounter e;
        e.high.position[axis] = 1;
        e.low.velocity[axis] = 0.1;
        collide(e);
        Vec3 handed_on;
        handed_on[axis] = 0.1;
        EXPECT_EQ(e.low.velocity, Vec3{});
        EXPECT_EQ(e.high.velocity, handed_on);
    }
}

TEST(Response, CollidesAcrossAPeriodicFace) {
    Encounter e;
    e.images = ImageLengths(test::periodic_box({10, 10, 10}));
    e.low.position = {9.5, 2, 2};
    e.high.position = {0.5, 2, 2};
    e.low.velocity = {1, 0, 0};
    const Impact impact = collide(e);
    EXPECT_EQ(impact.normal, (Vec3{1, 0, 0}));
    EXPECT_EQ(impact.distance, 1);
    EXPECT_EQ(e.high.velocity, (Vec3{1, 0, 0}));
}

TEST(Response, FliesBothToTheContact) {
    Encounter e;
    e.low = {.position = {0, 0, 0}, .velocity = {1, 0, 0}, .time = 0, .id = 1};
    e.high = {.position = {4, 0, 0}, .velocity = {-1, 0, 0}, .time = 0.5, .id = 2};
    const Impact impact = collide(e, 1.75);
    EXPECT_EQ(e.low.position, (Vec3{1.75, 0, 0}));
    EXPECT_EQ(e.high.position, (Vec3{2.75, 0, 0}));
    EXPECT_EQ(e.low.time, 1.75);
    EXPECT_EQ(e.high.time, 1.75);
    EXPECT_EQ(impact.distance, 1);
}

TEST(Response, ReportsTheImpulseItGives) {
    for (const double restitution : restitutions)
        for (Encounter e : encounters(restitution)) {
            const Encounter before = e;
            const Impact impact = collide(e);
            const Vec3 given = before.matter.mass_high * (e.high.velocity - before.high.velocity);
            const double scale = before.momentum_scale() + e.momentum_scale();
            EXPECT_GT(impact.impulse, 0);
            EXPECT_LE(norm(given - impact.impulse * impact.normal), 32 * rounding * scale);
            EXPECT_NEAR(impact.speed, -dot(before.relative_velocity(), before.normal()),
                        16 * rounding * before.speed_scale());
            EXPECT_NEAR(impact.distance, 1, 64 * rounding);
        }
}

/// The outcome is a value: no particle has changed when it is known, and it is the same whenever it is asked for.
TEST(Response, ChangesNobodyByItself) {
    for (const Encounter& e : encounters(0.7)) {
        const Encounter before = e;
        const ContactOutcome first = outcome_of(e, 0.25), second = outcome_of(e, 0.25);
        EXPECT_EQ(e.low.position, before.low.position);
        EXPECT_EQ(e.low.velocity, before.low.velocity);
        EXPECT_EQ(e.low.time, before.low.time);
        EXPECT_EQ(e.high.velocity, before.high.velocity);
        ASSERT_TRUE(first.low && first.high && second.low && second.high);
        EXPECT_NE(first.low->velocity, e.low.velocity);
        EXPECT_EQ(first.low->velocity, second.low->velocity);
        EXPECT_EQ(first.high->velocity, second.high->velocity);
    }
}

TEST(ContactRules, HoldARuleForEachPairAndWall) {
    World world = test::world_with({{}, {}, {}}, 3, Bounce{0.5});
    test::set_pair(world, 2, 0, Bounce{0.5}, 7);
    test::set_pair(world, 2, 0, Bounce{0.25}, 3);
    test::set_wall(world, 1, Bounce{0.75});
    test::set_wall_face(world, 1, 4, Bounce{0.125}, 8);
    const ContactRules rules(world);
    const ContactRule common = Bounce{0.5};
    EXPECT_EQ(rules.pair(0, 2), ContactRule(Bounce{0.25}));
    EXPECT_EQ(rules.pair(2, 0), ContactRule(Bounce{0.25}));
    EXPECT_EQ(rules.pair(0, 1), common);
    EXPECT_EQ(rules.pair(2, 2), common);
    EXPECT_EQ(rules.pair_number(0, 2), 3u);  // the later of two
    EXPECT_EQ(rules.pair_number(0, 1), no_rule);
    EXPECT_EQ(rules.at_body(1, 0), ContactRule(Bounce{0.75}));
    EXPECT_EQ(rules.at_body(1, 4), ContactRule(Bounce{0.125}));
    EXPECT_EQ(rules.body_rule_number(1, 4), 8u);
    EXPECT_EQ(rules.at_body(0, 0), common);
    EXPECT_EQ(ContactRules(test::plain_world()).pair(0, 0), ContactRule(Bounce{1}));
}

/// Two points at one place have no normal. What must be conserved is, and they part.
TEST(Response, PartsCoincidentCentres) {
    Encounter e;
    e.matter = {1, 3, 1};
    e.low.velocity = {2, 1, 0};
    e.high.velocity = {-1, 0, 1};
    const Vec3 momentum = e.momentum();
    const double energy = e.energy();
    collide(e);
    EXPECT_LE(norm(e.momentum() - momentum), 8 * rounding * e.momentum_scale());
    EXPECT_NEAR(e.energy(), energy, 8 * rounding * energy);
    EXPECT_GT(e.high.velocity.x, e.low.velocity.x);
}

/// Only the component across the wall changes: its sign, and by the restitution.
TEST(ObstacleResponse, OfWallsReflectsAtEveryFace) {
    for (const double restitution : restitutions)
        for (int face = 0; face < 6; ++face) {
            const int axis = face / 2;
            const double outward = face % 2 == 1 ? 1 : -1;
            Motion motion{.position = {5, 6, 7}, .velocity = {0.25, -0.5, 0.75}, .time = 0.5, .id = 1};
            motion.velocity[axis] = 2 * outward;
            const Vec3 position = position_at(motion, 1.5);
            Vec3 velocity = motion.velocity;
            velocity[axis] = -restitution * 2 * outward;
            Attributes attributes;
            attributes.radius = 0.3;
            attributes.mass = 4;
            const ContactRule rule = Bounce{restitution};
            const Vec3 into = surface_at(position, wall_at(test::walled_box({10, 10, 10}), face)).normal;
            const auto [impact, low, high, effect, matter] =
                outcome_by(rule, ObstacleContact{1.5, motion, attributes, into});
            ASSERT_TRUE(low);
            EXPECT_FALSE(high);
            EXPECT_EQ(effect, ContactEffect::bounce);
            EXPECT_FALSE(matter);
            EXPECT_EQ(low->position, position);
            EXPECT_EQ(low->velocity, velocity);
            Vec3 normal;
            normal[axis] = outward;
            EXPECT_EQ(impact.normal, normal);
            EXPECT_EQ(impact.distance, 0.3);
            EXPECT_EQ(impact.speed, 2);
            EXPECT_EQ(impact.impulse, 4 * (1 + restitution) * 2);
        }
}

/// The normal velocity is reversed, times the restitution; the rest stays; and the particle approaches no more.
TEST(ObstacleResponse, ReflectsAtSlantingSurfaces) {
    test::HashRandom random(7);
    for (const double restitution : restitutions)
        for (int k = 0; k < 1000; ++k) {
            const auto component = [&random] { return random.uniform(-1, 1); };
            const Vec3 along{component(), component(), component()};
            const Vec3 normal = (1 / norm(along)) * along;
            Motion motion{.position = {5, 6, 7}, .velocity = {component(), component(), component()}};
            const double approach = dot(motion.velocity, normal);
            if (!(approach > 0)) motion.velocity = -1 * motion.velocity;
            const Attributes attributes;
            const ContactRule rule = Bounce{restitution};
            const auto [impact, low, high, effect, matter] =
                outcome_by(rule, ObstacleContact{0.5, motion, attributes, normal});
            ASSERT_TRUE(low);
            EXPECT_FALSE(high);
            EXPECT_EQ(effect, ContactEffect::bounce);
            EXPECT_FALSE(matter);
            EXPECT_EQ(impact.speed, std::abs(approach));
            const Vec3 change = low->velocity - motion.velocity;
            const Vec3 expected = -(1 + restitution) * impact.speed * normal;
            EXPECT_LE(norm(change - expected), 64 * rounding * norm(motion.velocity));
            EXPECT_LE(dot(low->velocity, normal), 0);
        }
}

}  // namespace
}  // namespace ricochet
