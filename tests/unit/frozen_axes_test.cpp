// SPDX-License-Identifier: BSD-3-Clause
//
// Particles that do not move along some axes: one contact by itself, decays, first velocities, temperature. Whole steps
// are compared with the reference: a third of the random systems has such particles (support/random_axes.cpp).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>

#include "contact/decay.hpp"
#include "contact/frozen_axes.hpp"
#include "dynamics/ballistic.hpp"
#include "dynamics/brownian.hpp"
#include "dynamics/kicks.hpp"
#include "model/world_facts.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet {
namespace {

using test::HashRandom;

constexpr std::uint32_t x = 1, y = 2, z = 4;

/// Two of radius 0.5 at a distance of 1 along n.
struct Pair {
    Attributes low{.radius = 0.5, .mass = 1}, high{.radius = 0.5, .mass = 3};
    Motion motion_low{.position = {4, 4, 4}, .velocity = {}, .id = 3},
        motion_high{.position = {}, .velocity = {}, .id = 8};
    World world{.species = std::vector<Species>(3)};
    ImageLengths images{test::periodic_box({20, 20, 20})};

    Pair(std::uint32_t frozen_low, std::uint32_t frozen_high, Vec3 n) {
        low.frozen_axes = frozen_low;
        high.frozen_axes = frozen_high;
        motion_high.position = motion_low.position + n;
    }
    /// Of the two, towards each other.
    void fly(Vec3 velocity_low, Vec3 velocity_high) {
        motion_low.velocity = without_axes(velocity_low, low.frozen_axes);
        motion_high.velocity = without_axes(velocity_high, high.frozen_axes);
        if (dot(motion_high.velocity - motion_low.velocity, motion_high.position - motion_low.position) <= 0)
            return;
        motion_low.velocity = Vec3{} - motion_low.velocity;
        motion_high.velocity = Vec3{} - motion_high.velocity;
    }
    template <class Rule>
    ContactOutcome after(const Rule& rule) {
        const ContactRules rules(world);
        PairContact contact{0, motion_low, motion_high, low, high, images, {&rules, 5, 0, 1}};
        return outcome(rule, contact);
    }
    double energy(Vec3 v_low, Vec3 v_high) const {
        return low.mass * dot(v_low, v_low) + high.mass * dot(v_high, v_high);
    }
};

Vec3 random_direction(HashRandom& random) {
    const Vec3 v = random.normal_vector(3);
    return (1 / norm(v)) * v;
}

/// Calls visit(pair, mask of one that both move along, random) for random pairs that approach each other.
template <class Visit>
void for_random_pairs(Visit&& visit) {
    HashRandom random(41);
    for (int k = 0; k < 20'000; ++k) {
        const auto frozen_low = static_cast<std::uint32_t>(random.index(8));
        const auto frozen_high = static_cast<std::uint32_t>(random.index(8));
        if ((frozen_low & frozen_high) == all_axes) continue;
        Pair pair(frozen_low, frozen_high, random_direction(random));
        pair.high.mass = random.log_uniform(1e-6, 1e6);
        pair.fly(random.normal_vector(3), random.normal_vector(3));
        visit(pair);
    }
}

TEST(FrozenAxes, ElasticContactKeepsEnergy) {
    for_random_pairs([](Pair& pair) {
        const ContactOutcome after = pair.after(Bounce{});
        const double before = pair.energy(pair.motion_low.velocity, pair.motion_high.velocity);
        EXPECT_NEAR(pair.energy(after.low->velocity, after.high->velocity), before, 1e-13 * before);
    });
}

bool is_plus_zero(double v) { return v == 0 && !std::signbit(v); }

/// Also the velocities along axes that a partner does not move along, which stay 0 with their sign.
TEST(FrozenAxes, ContactReversesTheNormalVelocity) {
    for_random_pairs([](Pair& pair) {
        for (const double restitution : {1.0, 0.5, 0.0}) {
            const ContactOutcome after = pair.after(Bounce{restitution});
            const Vec3 n = after.impact.normal, u = after.high->velocity - after.low->velocity;
            const double size = norm(pair.motion_low.velocity) + norm(pair.motion_high.velocity) + norm(u);
            EXPECT_NEAR(dot(u, n), restitution * after.impact.speed, 1e-14 * size);
            EXPECT_GE(dot(u, pair.motion_high.position - pair.motion_low.position), 0);
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_TRUE(pair.low.moves_along(axis) || is_plus_zero(after.low->velocity[axis]));
                EXPECT_TRUE(pair.high.moves_along(axis) || is_plus_zero(after.high->velocity[axis]));
            }
        }
    });
}

/// The normal is nearly across the only free axis, so that rounding may place the two either way along it.
TEST(FrozenAxes, PartnersThatPartOnlyGraze) {
    for (const double away : {1.0, -1.0}) {
        Pair pair(x | y, x | y, {1, 0, away * 0x1p-50});
        pair.motion_high.velocity = {0, 0, away * 0.75};
        for (const double restitution : {1.0, 0.5, 0.0}) {
            const ContactOutcome after = pair.after(Bounce{restitution});
            EXPECT_EQ(after.low->velocity, pair.motion_low.velocity);
            EXPECT_EQ(after.high->velocity, pair.motion_high.velocity);
            EXPECT_EQ(after.impact.impulse, 0);
        }
    }
}

/// J n changes the momentum of each partner along the axes that it moves along.
TEST(FrozenAxes, ImpulseActsAlongFreeAxes) {
    for_random_pairs([](Pair& pair) {
        const ContactOutcome after = pair.after(Bounce{0.7});
        const Vec3 impulse = after.impact.impulse * after.impact.normal;
        const Vec3 of_high = pair.high.mass * (after.high->velocity - pair.motion_high.velocity);
        const Vec3 of_low = pair.low.mass * (after.low->velocity - pair.motion_low.velocity);
        const double size = norm(impulse) + pair.energy(pair.motion_low.velocity, pair.motion_high.velocity);
        EXPECT_LT(norm(of_high - without_axes(impulse, pair.high.frozen_axes)), 1e-12 * size);
        EXPECT_LT(norm(of_low + without_axes(impulse, pair.low.frozen_axes)), 1e-12 * size);
    });
}

/// The formulas for free particles are those of particles without frozen axes.
TEST(FrozenAxes, OfNoneAgreeWithBounces) {
    for_random_pairs([](Pair& pair) {
        pair.low.frozen_axes = pair.high.frozen_axes = 0;
        pair.fly(pair.motion_low.velocity, pair.motion_high.velocity);
        const ContactRules rules(pair.world);
        const PairContact contact{0,         pair.motion_low, pair.motion_high, pair.low,
                                  pair.high, pair.images,     {&rules, 0, 0, 1}};
        const ContactOutcome plain = outcome(Bounce{0.6}, contact),
                             other = rebounded_on_axes(contact, 0.6, false);
        const double size = norm(plain.low->velocity) + norm(plain.high->velocity);
        EXPECT_LT(norm(plain.low->velocity - other.low->velocity), 1e-14 * size);
        EXPECT_LT(norm(plain.high->velocity - other.high->velocity), 1e-14 * size);
        EXPECT_NEAR(plain.impact.impulse, other.impact.impulse, 1e-13 * (1 + plain.impact.impulse));
    });
}

TEST(FrozenAxes, RestingPartnerIsAWall) {
    Pair pair(all_axes, 0, {1, 0, 0});
    pair.fly({}, {-2, 0.5, 0.25});
    const ContactOutcome after = pair.after(Bounce{});
    EXPECT_EQ(after.high->velocity, (Vec3{2, 0.5, 0.25}));
    EXPECT_EQ(after.low->velocity, Vec3{});
    EXPECT_EQ(after.impact.impulse, 12);
}

/// Where the normal is nearly across the axis along which the two move, or as far across as numbers go.
TEST(FrozenAxes, NearlyAcrossNothingIsLost) {
    for (const double small : {1e-3, 1e-8, 1e-16, 1e-100, 1e-200, 5e-324}) {
        Pair pair(y | z, y | z, {small, 1, 0});
        pair.motion_low.position = {};
        pair.motion_high.position = {small, 1, 0};
        pair.fly({1, 0, 0}, {-1, 0, 0});
        const ContactOutcome after = pair.after(Bounce{});
        EXPECT_NEAR(after.low->velocity.x, -2, 1e-14) << small;
        EXPECT_NEAR(after.high->velocity.x, 0, 1e-14) << small;
        EXPECT_TRUE(std::isfinite(after.impact.impulse)) << small;
    }
}

TEST(FrozenAxes, TetherTurnsBack) {
    for_random_pairs([](Pair& pair) {
        pair.motion_low.velocity = Vec3{} - pair.motion_low.velocity;
        pair.motion_high.velocity = Vec3{} - pair.motion_high.velocity;
        const ContactRules rules(pair.world);
        const ContactOutcome after =
            held({0, pair.motion_low, pair.motion_high, pair.low, pair.high, pair.images, {&rules, 0, 0, 1}});
        const double before = pair.energy(pair.motion_low.velocity, pair.motion_high.velocity);
        EXPECT_NEAR(pair.energy(after.low->velocity, after.high->velocity), before, 1e-12 * before);
        EXPECT_LE(dot(after.high->velocity - after.low->velocity,
                      pair.motion_high.position - pair.motion_low.position),
                  0);
    });
}

// --- products --------------------------------------------------------------------------------------------------

World world_of_three(std::uint32_t frozen_of_product) {
    World world = test::world_with({{0.5, 1}, {0.5, 3}, {0.75, 4}}, 3, Bounce{});
    world.species[2].frozen_axes = frozen_of_product;
    world.thermal_energy = 2;
    return world;
}

/// One product of a free particle and a resting one is where that was.
TEST(FrozenAxes, ProductWithARestingOneStays) {
    for (const SpeciesIndex first : {0u, 1u}) {
        Pair pair(0, all_axes, {0.6, 0, 0.8});
        pair.high.species = 1;
        pair.world = world_of_three(all_axes);
        pair.fly({1, 2, 3}, {});
        const ContactOutcome after = pair.after(React{.first = first, .products = {2, absent_species}});
        const NewMotion& motion = first == 0 ? *after.low : *after.high;
        const Attributes& product = first == 0 ? after.matter->low : after.matter->high;
        EXPECT_TRUE(product.rests());
        EXPECT_EQ(motion.velocity, Vec3{});
        EXPECT_LT(norm(motion.position - pair.motion_high.position), 1e-15);
        EXPECT_TRUE(first == 0 || motion.position == pair.motion_high.position);
        EXPECT_NEAR(after.impact.impulse, after.impact.speed, 1e-15);  // mass 1 is stopped along n
    }
}

TEST(FrozenAxes, BindingStopsAPartner) {
    Pair pair(0, all_axes, {1, 0, 0});
    pair.high.species = 1;
    pair.world = world_of_three(all_axes);
    pair.fly({2, 1, 0}, {});
    const ContactOutcome after = pair.after(React{.first = 0, .products = {2, 1}});
    EXPECT_EQ(after.low->velocity, Vec3{});
    EXPECT_EQ(after.matter->low.frozen_axes, all_axes);
    EXPECT_EQ(after.impact.impulse, 2);  // of the momentum along the normal
    EXPECT_EQ(after.matter->high, pair.high);
}

TEST(FrozenAxes, BindingAtAWallStopsAlongFrozenAxes) {
    World world = world_of_three(z);
    const ContactRules rules(world);
    const Motion motion{.position = {5, 5, 0.5}, .velocity = {1, 2, -3}, .id = 4};
    const Attributes attributes{.radius = 0.5, .mass = 2};
    const ObstacleContact contact{
        0, motion, attributes, {0, 0, -1}, first_obstacle_id + 4, {&rules, 0, 0, 1}};
    const ContactOutcome after = outcome(React{.products = {2, absent_species}}, contact);
    EXPECT_EQ(after.low->velocity, (Vec3{1, 2, 0}));
    EXPECT_EQ(after.impact.impulse, 6);
    EXPECT_EQ(after.impact.speed, 3);
}

/// Along axes on which a partner rested, and only there: with the variance kT/m.
TEST(FrozenAxes, ReleasedProductsAreThermal) {
    Vec3 sum, squares;
    constexpr int number = 20'000;
    for (int k = 0; k < number; ++k) {
        Pair pair(0, y | z, {1, 0, 0});
        pair.high.species = 1;
        pair.motion_low.id = static_cast<ParticleId>(2 * k);
        pair.motion_high.id = static_cast<ParticleId>(2 * k + 1);
        pair.world = world_of_three(0);
        pair.fly({1, 0, 0}, {});
        const Vec3 v = pair.after(React{.first = 1, .products = {2, 0}}).high->velocity;
        EXPECT_EQ(v.x, 0.5);  // 2 m_low / (m_low + m_high) of the other's
        sum = sum + v;
        squares = squares + Vec3{v.x * v.x, v.y * v.y, v.z * v.z};
    }
    const double expected = 2.0 / 4;
    for (const int axis : {1, 2}) {
        EXPECT_NEAR(sum[axis] / number, 0, 4 * std::sqrt(expected / number));
        EXPECT_NEAR(squares[axis] / number / expected, 1, 4 * std::sqrt(2.0 / number));
    }
}

/// Whatever it weighs.
TEST(FrozenAxes, RestingDropTakesUpOthers) {
    Pair pair(0, all_axes, {1, 0, 0});
    pair.low.mass = 100;
    pair.fly({1, 0, 0}, {});
    const ContactOutcome after = pair.after(Coalesce{});
    EXPECT_TRUE(is_absent(after.matter->low));
    EXPECT_TRUE(after.matter->high.rests());
    EXPECT_EQ(after.high->position, pair.motion_high.position);
    EXPECT_EQ(after.high->velocity, Vec3{});
}

/// A receptor beside a wall keeps its place, and its ligand is put on the side that is free.
TEST(FrozenAxes, DecayLeavesTheRestingProduct) {
    World world = world_of_three(all_axes);
    world.species[1].frozen_axes = all_axes;
    world.box = test::walled_box({9, 9, 9});
    world.decays = {{2, {0, 1}, 1}};
    world.timestep = 0.1;
    const DecayRules rules(world);
    const Attributes parent{.radius = 0.75, .mass = 4, .species = 2, .frozen_axes = all_axes};
    bool moves = false;
    for (ParticleId id = 0; id < 200; ++id) {
        const Motion motion{.position = {0.5, 4, 8.4}, .velocity = {}, .id = id};
        const auto products = rules.products_of(0, motion, parent, {3});
        EXPECT_EQ(products.position_second, motion.position);
        EXPECT_NEAR(norm(products.position_first - products.position_second), 1, 1e-14);
        EXPECT_GE(products.position_first.x, 0.5);
        EXPECT_LE(products.position_first.z, 8.5);
        EXPECT_EQ(products.velocity_second, Vec3{});
        moves = moves || products.velocity_first != Vec3{};
        EXPECT_LT(norm(products.position_second - products.position_first - products.direction), 1e-14);
    }
    EXPECT_TRUE(moves);
}

// --- velocities, temperature -----------------------------------------------------------------------------------

TEST(FrozenAxes, FirstVelocitiesAreAlongFreeAxes) {
    for (const InitialVelocities kind : {InitialVelocities::maxwell, InitialVelocities::equal_speed}) {
        const auto velocity = [&](std::uint32_t frozen) {
            return initial_velocity(kind, 2, 3, 3, 1, 7, frozen);
        };
        EXPECT_EQ(velocity(all_axes), Vec3{});
        EXPECT_EQ(velocity(x | z).x, 0);
        EXPECT_EQ(velocity(x | z).z, 0);
    }
    const auto maxwell = InitialVelocities::maxwell, equal = InitialVelocities::equal_speed;
    EXPECT_EQ(initial_velocity(maxwell, 2, 3, 3, 1, 7, y),
              without_axes(initial_velocity(maxwell, 2, 3, 3, 1, 7), y));
    EXPECT_NEAR(norm(initial_velocity(equal, 2, 3, 3, 1, 7, y)), std::sqrt(2 * 2.0 / 3), 1e-15);
    EXPECT_NEAR(norm(initial_velocity(equal, 2, 3, 2, 1, 7, y)), std::sqrt(2.0 / 3), 1e-15);
}

Particles some_particles(std::uint32_t frozen) {
    Particles particles;
    for (ParticleId id = 0; id < 40; ++id)
        particles.push_back({.position = {1, 2, 3}, .velocity = {}, .id = id},
                            {.radius = 0.5,
                             .mass = 1,
                             .diffusion = 2,
                             .species = static_cast<SpeciesIndex>(id % 2),
                             .frozen_axes = id % 2 == 1 ? frozen : 0},
                            {});
    return particles;
}

/// Without another random number for any particle.
TEST(FrozenAxes, BrownianStepsAreAlongFreeAxes) {
    Particles some = some_particles(y), all = some_particles(0);
    drive_brownian(some, 3, 0.1, 4, 9);
    drive_brownian(all, 3, 0.1, 4, 9);
    for (std::size_t k = 0; k < some.size(); ++k)
        EXPECT_EQ(some.motion[k].velocity,
                  without_axes(all.motion[k].velocity, some.attributes[k].frozen_axes));
}

TEST(FrozenAxes, KicksAreAlongFreeAxes) {
    const Kicks kicks{.least_acceleration = 1, .most_acceleration = 2, .interval = 0.1, .seed = 3};
    const RandomAccelerations random(3, kicks, 10, 2);
    const VelocityField field(test::periodic_box({9, 9, 9}), kicks, 10, 4);
    for (const Drive* drive : {static_cast<const Drive*>(&random), static_cast<const Drive*>(&field)}) {
        Particles particles = some_particles(all_axes);
        drive->before_drift(particles, {0, true});
        for (std::size_t k = 0; k < particles.size(); ++k)
            EXPECT_EQ(particles.motion[k].velocity == Vec3{}, particles.attributes[k].rests()) << k;
    }
}

TEST(FrozenAxes, DegreesOfFreedomAreFreeAxes) {
    const Box box = test::walled_box({9, 9, 9}, {0});
    std::array<Species, 2> species;
    const std::array<std::uint64_t, 2> numbers{10, 5};
    EXPECT_EQ(ballistic_freedom(box, species, numbers).degrees, 43);
    species[1].frozen_axes = z;
    EXPECT_EQ(ballistic_freedom(box, species, numbers).degrees, 39);
    EXPECT_EQ(ballistic_freedom(box, species, numbers).is_relative, (std::array{false, true, false}));
    species[1].frozen_axes = all_axes;
    EXPECT_EQ(ballistic_freedom(box, species, numbers).degrees, 30);
    EXPECT_EQ(degrees_of_freedom(test::periodic_box({9, 9, 0}), species, numbers), 20);
}

TEST(FrozenAxes, HaveWords) {
    const Box flat = test::periodic_box({9, 9, 0}), box = test::periodic_box({9, 9, 9});
    for (const std::uint32_t frozen : {0u, x, y, x | z, y | z, all_axes}) {
        Species species;
        species.frozen_axes = frozen;
        EXPECT_EQ(axes_without(axes_in_words(box, species), 3), frozen);
        EXPECT_TRUE((frozen & z) != 0 || axes_without(axes_in_words(flat, species), 2) == frozen);
    }
    Species resting;
    resting.frozen_axes = all_axes;
    EXPECT_EQ(axes_in_words(flat, resting), "none");
    EXPECT_EQ(axes_in_words(box, Species{}), "x y z");
}

}  // namespace
}  // namespace ricochet
