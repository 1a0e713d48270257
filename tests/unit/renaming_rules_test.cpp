// SPDX-License-Identifier: BSD-3-Clause
//
// Rules that only rename, in systems whose species have equal matter: particles move as without rules.
//
// Ballistic: in every bit, with any probability, on any number of ranks.
//
// Brownian at rates: to rounding. Partners whose paths do not touch may react too: then they go on along their paths,
// which are computed anew from there. The bounces have the same partners and times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/rule_systems.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {
namespace {

constexpr double at_once = std::numeric_limits<double>::infinity();

// --- systems -------------------------------------------------------------------------------------------------

/// Spheres or discs of diameter 1 that fill a quarter of the box. Their species are 0, 1 and 2.
System gas(int dimension, bool has_walls, std::uint64_t seed) {
    System system;
    system.name = std::to_string(dimension) + "D" + (has_walls ? ", walls" : "");
    const Vec3 size = dimension == 3 ? Vec3{20, 8, 8} : Vec3{32, 12, 0};
    system.box = has_walls ? walled_box(size, {0, 1}) : periodic_box(size);
    fill_at_random(system, {{0.5, 1, dimension == 3 ? 560u : 120u}}, {}, size, seed);
    thermalise(system, 1, seed);
    system.dt = 0.25;
    HashRandom random(seed);
    for (std::size_t k = 0; k < system.particles.size(); ++k)
        system.particles.attributes.edit(k).species = static_cast<SpeciesIndex>(random.index(3));
    return system;
}

/// Reactions that give names only, for all pairs and walls.
World renames(const System& system, double probability, double rate = at_once) {
    const Attributes matter = system.particles.attributes[0];
    const Matter all{matter.radius, matter.mass, matter.diffusion};
    World world = world_with({all, all, all}, system.box.dimension, Bounce{});
    const auto set = [&](SpeciesIndex a, SpeciesIndex b, std::array<SpeciesIndex, 2> products) {
        set_pair(world, a, b, React{a, products, probability, 1, rate}, a + b);
    };
    set(0, 0, {1, 2});
    set(0, 1, {1, 0});
    set(0, 2, {1, 1});
    set(1, 1, {1, 2});
    set(2, 1, {0, 0});
    set(2, 2, {2, 0});
    for (SpeciesIndex a = 0; a < 3; ++a)
        set_wall(world, a, React{a, {(a + 1) % 3, absent_species}, probability, 1, rate}, 9);
    world.seed = 5;
    return world;
}

/// All are of one species, and all contacts those of spheres that bounce.
SlabRun without_names(SlabRun run) {
    for (std::size_t k = 0; k < run.particles.size(); ++k) run.particles.attributes.edit(k).species = 0;
    for (Contact& contact : run.contacts) {
        contact.species_low = contact.product_low = 0;
        if (contact.species_high != wall_species) contact.species_high = contact.product_high = 0;
        contact.rule = no_rule;
        contact.effect = ContactEffect::bounce;
    }
    return run;
}

std::size_t count_reactions(const SlabRun& run) {
    return static_cast<std::size_t>(
        std::count_if(run.contacts.begin(), run.contacts.end(),
                      [](const Contact& c) { return c.effect == ContactEffect::react; }));
}

/// Compares runs on 1 to 5 ranks with that without rules. `least_share`, `most_share`: of contacts that react.
void expect_same_bits(const System& plain, const World& world, SlabRunSettings settings, double least_share,
                      double most_share) {
    System system = plain;
    system.world = world;
    settings.cuts_of_step = random_cuts(3);
    const SlabRun expected = without_names(run_on_threads(1, plain, settings));
    EXPECT_GT(expected.contacts.size(), 3 * plain.particles.size() / 2) << plain.name;
    for (const int num_ranks : {1, 2, 3, 5}) {
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        const double share =
            static_cast<double>(count_reactions(run)) / static_cast<double>(run.contacts.size());
        EXPECT_GE(share, least_share) << plain.name;
        EXPECT_LE(share, most_share) << plain.name;
        EXPECT_EQ(first_difference(expected, without_names(run)), "")
            << plain.name << ", " << num_ranks << " ranks";
    }
}

std::vector<System> gases() { return {gas(2, false, 1), gas(2, true, 2), gas(3, false, 3), gas(3, true, 4)}; }

// --- ballistic -----------------------------------------------------------------------------------------------

/// With reactions for certain, by chance, and never.
TEST(RenamingRules, LeaveBallisticMotionsInEveryBit) {
    SlabRunSettings settings;
    settings.num_steps = 12;
    for (const System& system : gases()) {
        expect_same_bits(system, renames(system, 1), settings, 1, 1);
        expect_same_bits(system, renames(system, 0.3), settings, 0.2, 0.4);
        expect_same_bits(system, renames(system, 0), settings, 0, 0);
    }
}

// --- Brownian ------------------------------------------------------------------------------------------------

/// Steps of s/R = 0.2 for a pair of them.
System brownian_gas(System system) {
    system.dt = 0.01;
    system.particles.attributes.change_all([&](Attributes& a) {
        a.diffusion = 1;
        a.mass = 0.5 * system.dt;
    });
    return system;
}

World brownian_renames(const System& system, double probability, double rate, bool has_rates) {
    World world = renames(system, probability, rate);
    make_brownian(world, system.dt, system.dt);
    world.has_rates = has_rates;
    return world;
}

SlabRunSettings brownian_settings(const System& system) {
    SlabRunSettings settings;
    settings.num_steps = system.box.dimension == 2 ? 40 : 20;
    settings.drive = brownian(1, system.box.dimension);
    return settings;
}

/// Contacts at which velocities change.
std::vector<Contact> bounces_of(const SlabRun& run) {
    std::vector<Contact> bounces = run.contacts;
    std::erase_if(bounces, [](const Contact& contact) { return contact.impulse == 0; });
    return bounces;
}

/// Those of the contacts that happen at a distance, of pairs.
std::size_t count_misses(const SlabRun& run) {
    return static_cast<std::size_t>(std::count_if(
        run.contacts.begin(), run.contacts.end(),
        [](const Contact& c) { return c.species_high != wall_species && c.distance > 1 + 1e-6; }));
}

void expect_same_bounces(const SlabRun& expected, const SlabRun& actual, double tolerance) {
    const std::vector<Contact> of_plain = bounces_of(expected), bounces = bounces_of(actual);
    ASSERT_EQ(bounces.size(), of_plain.size());
    for (std::size_t k = 0; k < bounces.size(); ++k) {
        EXPECT_EQ(bounces[k].key.low, of_plain[k].key.low);
        EXPECT_EQ(bounces[k].key.high, of_plain[k].key.high);
        EXPECT_NEAR(bounces[k].key.time, of_plain[k].key.time, tolerance);
    }
}

void expect_same_motions(const System& system, const SlabRun& expected, const SlabRun& actual,
                         double tolerance) {
    ASSERT_EQ(expected.particles.size(), actual.particles.size());
    EXPECT_LT(largest_displacement(system.box, expected.particles, actual.particles), tolerance);
    double difference = 0, speed = 0;
    for (std::size_t k = 0; k < expected.particles.size(); ++k) {
        const Vec3 v = expected.particles.motion[k].velocity;
        difference = std::max(difference, norm(actual.particles.motion[k].velocity - v));
        speed = std::max(speed, norm(v));
    }
    EXPECT_LT(difference, tolerance * speed);
}

/// Also at walls. Misses: of which there would be none if only contacts reacted.
TEST(RenamingRules, LeaveBrownianMotionsAtRates) {
    constexpr double tolerance = 1e-9;
    for (const System& start : gases()) {
        const System plain = brownian_gas(start);
        const SlabRunSettings settings = brownian_settings(plain);
        const SlabRun expected = run_on_threads(1, plain, settings);
        EXPECT_GT(expected.contacts.size(), 3 * plain.particles.size()) << plain.name;
        for (const double rate : {at_once, 4 * std::numbers::pi * 2}) {
            System system = plain;
            system.world = brownian_renames(plain, 1, rate, true);
            const SlabRun run = run_on_threads(3, system, settings);
            SCOPED_TRACE(plain.name + ", rate " + std::to_string(rate));
            EXPECT_GT(count_misses(run), bounces_of(run).size() / 20);
            EXPECT_GT(count_reactions(run), count_misses(run) + bounces_of(run).size() / 20);
            expect_same_bounces(expected, run, tolerance * plain.dt);
            expect_same_motions(plain, expected, run, tolerance);
        }
    }
}

/// At a rate of 0, and where contacts alone may react, with any probability.
TEST(RenamingRules, LeaveBrownianMotionsInEveryBit) {
    for (const System& start : gases()) {
        const System system = brownian_gas(start);
        const SlabRunSettings settings = brownian_settings(system);
        expect_same_bits(system, brownian_renames(system, 1, 0, true), settings, 0, 0);
        expect_same_bits(system, brownian_renames(system, 0, at_once, false), settings, 0, 0);
        expect_same_bits(system, brownian_renames(system, 0.3, at_once, false), settings, 0.2, 0.4);
        expect_same_bits(system, brownian_renames(system, 1, at_once, false), settings, 1, 1);
    }
}

}  // namespace
}  // namespace ricochet::test
