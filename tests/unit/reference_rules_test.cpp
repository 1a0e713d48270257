// SPDX-License-Identifier: BSD-3-Clause
//
// The reference's rules of contacts judged by themselves: worked examples, conservation, chance, overlapping
// products. rule_systems_test.cpp has what holds for every system.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/support/observe.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/rule_runs.hpp"
#include "tests/support/scenario.hpp"

namespace ricochet::test {
namespace {

/// Two spheres that meet at time 1/2, of species 0 and 1 with ids in this order.
System head_on(const ContactRule& rule, double mass_0 = 1, double mass_1 = 1) {
    System system = Scenario("head-on")
                        .periodic({32, 32, 32})
                        .timestep(1)
                        .sphere({14, 16, 16}, {2, 0, 0}, 0.5, mass_0, 0)
                        .sphere({16, 16, 16}, {0, 0.5, 0}, 0.5, mass_1, 1)
                        .system();
    system.world = world_with({{0.5, mass_0}, {0.5, mass_1}, {0.25, 4}}, 3, Bounce{});
    set_pair(*system.world, 0, 1, rule, 9);
    return system;
}

// --- single contacts -----------------------------------------------------------------------------------------

/// It is logged where one enters the other.
TEST(ReferenceRules, PassChangesNothing) {
    System system = head_on(Pass{});
    system.dt = 0.25;
    std::vector<Contact> contacts;
    for (std::uint64_t step = 0; step < 8; ++step)
        for (const Contact& contact : run_step(system, step).contacts) contacts.push_back(contact);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].effect, ContactEffect::pass);
    EXPECT_EQ(contacts[0].impulse, 0);
    EXPECT_GT(contacts[0].speed, 0);
    EXPECT_NEAR(contacts[0].distance, 1, 1e-15);
    EXPECT_EQ(contacts[0].rule, 9u);
    EXPECT_EQ(system.particles.motion[0].velocity, (Vec3{2, 0, 0}));
    EXPECT_NEAR(system.particles.motion[0].position.x, 18, 1e-14);
}

/// It has the momentum of both, at their centre of mass.
TEST(ReferenceRules, OneProductIsInTheMiddle) {
    for (const bool low_is_first : {true, false}) {
        System system = head_on(React{low_is_first ? 0u : 1u, only(2)}, 1, 3);
        const StepResult result = run_step(system);
        ASSERT_EQ(result.contacts.size(), 1u);
        ASSERT_EQ(system.particles.size(), 1u);
        EXPECT_EQ(system.particles.motion[0].id, low_is_first ? 0u : 1u);
        EXPECT_EQ(system.particles.attributes[0].species, 2u);
        EXPECT_EQ(system.particles.attributes[0].radius, 0.25);
        EXPECT_EQ(system.particles.attributes[0].mass, 4);
        EXPECT_EQ(system.particles.motion[0].velocity, (Vec3{0.5, 0.375, 0}));
        const Contact& contact = result.contacts[0];
        EXPECT_EQ(contact.product_low, low_is_first ? 2 : absent_species);
        EXPECT_EQ(contact.product_high, low_is_first ? absent_species : 2);
        const Vec3 centre = 0.25 * Vec3{14, 16, 16} + 0.75 * Vec3{16, 16, 16};
        EXPECT_LT(norm(system.particles.motion[0].position - centre - Vec3{0.5, 0.375, 0}), 1e-14);
    }
}

TEST(ReferenceRules, TwoProductsPartAsFromABounce) {
    System reacting = head_on(React{1, {2, 1}}, 1, 3), bouncing = head_on(Bounce{}, 1, 3);
    const StepResult result = run_step(reacting), expected = run_step(bouncing);
    ASSERT_EQ(result.contacts.size(), 1u);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(reacting.particles.motion[k].velocity, bouncing.particles.motion[k].velocity);
        EXPECT_EQ(reacting.particles.motion[k].position, bouncing.particles.motion[k].position);
    }
    EXPECT_EQ(result.contacts[0].impulse, expected.contacts[0].impulse);
    EXPECT_EQ(reacting.particles.attributes[0].species, 1u);
    EXPECT_EQ(reacting.particles.attributes[1].species, 2u);
}

TEST(ReferenceRules, ACatalystStaysAsItIs) {
    System system = head_on(React{0, {0, 2}}, 7, 3);
    system.particles.attributes.edit(0).radius = 0.625;  // other than its species has it
    const Attributes before = system.particles.attributes[0];
    ASSERT_EQ(run_step(system).contacts.size(), 1u);
    EXPECT_EQ(system.particles.attributes[0], before);
    EXPECT_EQ(system.particles.attributes[1].species, 2u);
}

/// Volume (2D: area), mass and momentum.
TEST(ReferenceRules, CoalescenceConservesSums) {
    for (int dimension : {2, 3})
        for (const double mass : {0.5, 1.0, 2.0}) {
            System system = head_on(Coalesce{}, mass, 1);
            system.box = periodic_box({32, 32, dimension == 2 ? 0 : 32.0});
            if (dimension == 2)
                for (Motion& motion : system.particles.motion) motion.position.z = 0;
            system.world->box.dimension = dimension;
            system.particles.attributes.edit(1).radius = 0.25;
            const double content = volume(system.particles, dimension);
            const Totals before = totals(system.particles);
            ASSERT_EQ(run_step(system).contacts.size(), 1u);
            ASSERT_EQ(system.particles.size(), 1u);
            EXPECT_EQ(system.particles.motion[0].id, mass < 1 ? 1u : 0u);
            EXPECT_EQ(system.particles.attributes[0].species, mass < 1 ? 1u : 0u);
            EXPECT_EQ(system.particles.attributes[0].mass, mass + 1);
            EXPECT_NEAR(volume(system.particles, dimension), content, 1e-15 * content);
            EXPECT_LT(norm(totals(system.particles).momentum - before.momentum), 1e-15);
        }
}

TEST(ReferenceRules, BrownianMassesFollowDiffusion) {
    System system = head_on(Coalesce{});
    Species species;
    species.radius = 0.5;
    species.stokes_einstein = StokesEinstein{0.5, 2};
    system.world->species = {species, species};
    make_brownian(*system.world, 0.125, system.dt);
    system.world->has_rates = false;
    run_step(system);
    const Attributes& sum = system.particles.attributes[0];
    EXPECT_NEAR(sum.diffusion * sum.radius, 2 / (6 * M_PI * 0.5), 1e-15);
    EXPECT_NEAR(sum.mass, 0.125 / (2 * sum.diffusion), 1e-15);
}

TEST(ReferenceRules, WallsLetReactAndEnd) {
    for (const SpeciesIndex product : {SpeciesIndex{1}, absent_species}) {
        System system = Scenario("to the wall")
                            .walled({8, 8, 8})
                            .timestep(1)
                            .sphere({6.5, 4, 4}, {2, 0, 0}, 0.5, 3)
                            .system();
        system.world = world_with({{0.5, 3}, {0.25, 1}}, 3, Bounce{});
        set_wall_face(*system.world, 0, 1, React{0, only(product)}, 4);
        const StepResult result = run_step(system);
        ASSERT_EQ(result.contacts.size(), 1u);
        const Contact& contact = result.contacts[0];
        EXPECT_EQ(contact.effect, ContactEffect::react);
        EXPECT_EQ(contact.rule, 4u);
        EXPECT_EQ(contact.product_low, product);
        EXPECT_EQ(contact.product_high, wall_species);
        EXPECT_EQ(contact.impulse, product == absent_species ? 6 : 12);
        EXPECT_EQ(system.particles.size(), product == absent_species ? 0u : 1u);
    }
}

// --- many contacts -------------------------------------------------------------------------------------------

System gas_with(const ContactRule& rule, std::uint64_t seed, double probability_of_one = 0.5) {
    System system = equal_gas(3, 200, 0.15, seed);
    system.dt = 0.05;
    system.world = world_with({{}, {}, {0.4, 2}}, 3, Bounce{});
    set_pair(*system.world, 0, 1, rule, 1);
    system.world->seed = seed;
    HashRandom random(seed);
    for (std::size_t k = 0; k < system.particles.size(); ++k)
        system.particles.attributes.edit(k).species = random.uniform() < probability_of_one ? 1 : 0;
    return system;
}

/// All that meet in the gas coalesce.
TEST(ReferenceRules, CoalescingGasConservesSums) {
    System system = gas_with(Coalesce{}, 3);
    set_pair(*system.world, 0, 0, Coalesce{});
    set_pair(*system.world, 1, 1, Coalesce{});
    const double content = volume(system.particles, 3);
    const Totals before = totals(system.particles);
    std::size_t num_contacts = 0;
    for (std::uint64_t step = 0; step < 10; ++step) num_contacts += run_step(system, step).contacts.size();
    const Totals after = totals(system.particles);
    EXPECT_GT(num_contacts, 50u);
    EXPECT_EQ(system.particles.size(), 200 - num_contacts);
    EXPECT_NEAR(volume(system.particles, 3), content, 1e-13 * content);
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-13 * before.mass_velocity);
    EXPECT_LT(after.energy, before.energy);
}

/// Masses do not change here.
TEST(ReferenceRules, ReactionsConserveMomentum) {
    System system = gas_with(React{0, {1, 1}, 0.5}, 4);
    const Totals before = totals(system.particles);
    for (std::uint64_t step = 0; step < 10; ++step) run_step(system, step);
    const Totals after = totals(system.particles);
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-13 * before.mass_velocity);
    EXPECT_NEAR(after.energy, before.energy, 1e-13 * before.energy);
    const AttributeList& all = system.particles.attributes;
    EXPECT_GT(std::count_if(all.begin(), all.end(), [](const Attributes& a) { return a.species == 1; }), 120);
}

/// Two alike leave one when they meet.
TEST(ReferenceRules, OneOfTwoAlikeIsLeft) {
    System system = gas_with(React{0, only(0)}, 5, 0);
    set_pair(*system.world, 0, 0, React{0, only(0)}, 2);
    std::size_t num_contacts = 0;
    for (std::uint64_t step = 0; step < 10; ++step)
        for (const Contact& contact : run_step(system, step).contacts) {
            ++num_contacts;
            EXPECT_EQ(contact.product_low, 0u);
            EXPECT_EQ(contact.product_high, absent_species);
        }
    EXPECT_GT(num_contacts, 50u);
    EXPECT_EQ(system.particles.size(), 200 - num_contacts);
}

TEST(ReferenceRules, ReactsAsOftenAsItShould) {
    for (const double probability : {0.02, 0.3, 0.9}) {
        double num_reactions = 0, num_contacts = 0;
        System system = gas_with(React{0, {0, 1}, probability}, 6);
        for (std::uint64_t step = 0; step < 120; ++step)
            for (const Contact& contact : run_step(system, step).contacts) {
                if (contact.rule != 1) continue;
                ++num_contacts;
                num_reactions += contact.effect == ContactEffect::react ? 1 : 0;
            }
        EXPECT_GT(num_contacts, 500);
        const double deviation = std::sqrt(num_contacts * probability * (1 - probability));
        EXPECT_NEAR(num_reactions, num_contacts * probability, 4 * deviation);
    }
}

/// Seed, step and begin of a part.
TEST(ReferenceRules, ChanceDependsOnStepAndPart) {
    const auto pattern = [](std::uint64_t seed, std::uint64_t step, double begin) {
        System system = gas_with(React{0, {0, 1}, 0.5}, 6);
        system.world->seed = seed;
        std::vector<ContactEffect> effects;
        const StepSettings settings{.dt = begin + 2, .begin = begin, .step = step};
        for (const Contact& contact :
             reference_step_by_lists(system.box, system.particles, ContactRules(*system.world), settings)
                 .contacts)
            if (effects.size() < 40) effects.push_back(contact.effect);
        return effects;
    };
    const auto plain = pattern(1, 0, 0);
    EXPECT_EQ(pattern(1, 0, 0), plain);
    EXPECT_NE(pattern(2, 0, 0), plain);
    EXPECT_NE(pattern(1, 1, 0), plain);
    EXPECT_NE(pattern(1, 0, 0.5), plain);
}

// --- overlapping products ------------------------------------------------------------------------------------

TEST(ReferenceRules, LetsTheWedgedPassAndEnds) {
    std::size_t num_let_pass = 0;
    for (const System& system : rule_degenerate_systems()) {
        if (system.name.find("wedged") == std::string::npos) continue;
        std::size_t num_of_system = 0;
        System run = system;
        for (std::uint64_t step = 0; step < 3; ++step) {
            const StepResult result = run_step(run, step);
            EXPECT_FALSE(result.exhausted) << system.name;
            for (const Contact& contact : result.contacts) {
                if (contact.effect != ContactEffect::let_pass) continue;
                ++num_of_system;
                EXPECT_GE(contact.key.generation, 64u);
                EXPECT_EQ(contact.impulse, 0);
                EXPECT_GT(contact.speed, 0);
                EXPECT_EQ(contact.product_low, contact.species_low);
                EXPECT_EQ(contact.product_high, contact.species_high);
            }
        }
        EXPECT_GT(num_of_system, 0u) << system.name;
        num_let_pass += num_of_system;
    }
    EXPECT_GE(num_let_pass, 5u);
}

/// What is wider than a slit between walls bounces at one instant until it stops, and then moves along the slit. It
/// keeps all of its other velocity.
TEST(ReferenceRules, HoldsWhatIsCaughtAndEnds) {
    std::size_t num_held = 0;
    for (const System& system : rule_degenerate_systems()) {
        if (system.name.find("slit") == std::string::npos) continue;
        System run = system;
        const int across = system.box.dimension - 1;
        for (std::uint64_t step = 0; step < 8; ++step) {
            const StepResult result = run_step(run, step);
            EXPECT_FALSE(result.exhausted) << system.name;
            for (const Contact& contact : result.contacts) {
                EXPECT_NE(contact.effect, ContactEffect::let_pass);
                if (contact.key.generation < 8) continue;
                ++num_held;
                EXPECT_EQ(contact.effect, ContactEffect::bounce);
                EXPECT_GT(contact.speed, 0);
            }
            for (const Motion& motion : run.particles.motion) {
                EXPECT_GE(motion.position[across], 0);
                EXPECT_LE(motion.position[across], system.box.size[across]);
                EXPECT_NE(motion.velocity.x, 0);
            }
        }
    }
    EXPECT_GE(num_held, 2u);
}

/// What overlaps reacts whether it parts or not; what bounces and parts does not touch.
TEST(ReferenceRules, OverlappingReactAlsoParting) {
    for (const ContactRule& rule :
         {ContactRule{React{0, nothing}}, ContactRule{Coalesce{}}, ContactRule{Pass{}}, ContactRule{Bounce{}},
          ContactRule{React{0, nothing, 0.99}}}) {
        System system = head_on(rule);
        system.particles.motion[0].position.x = 15.25;
        system.particles.motion[0].velocity.x = -2;
        const std::vector<Contact> contacts = run_step(system).contacts;
        const bool is_certain =
            std::holds_alternative<Coalesce>(rule) || rule == ContactRule{React{0, nothing}};
        ASSERT_EQ(contacts.size(), is_certain ? 1u : 0u);
        if (!is_certain) continue;
        EXPECT_LT(contacts[0].speed, 0);
    }
}

TEST(ReferenceRules, FollowsAChainAtOneInstant) {
    for (const System& system : rule_degenerate_systems()) {
        const bool is_chain = system.name.find("one instant") != std::string::npos ||
                              system.name.find("hops") != std::string::npos;
        if (!is_chain) continue;
        System run = system;
        const std::vector<Contact> contacts = run_step(run).contacts;
        EXPECT_GE(contacts.size(), 110u);
        EXPECT_EQ(contacts.back().key.time, 0) << system.name;
        EXPECT_EQ(contacts.back().key.generation, contacts.size() - 1);
    }
}

}  // namespace
}  // namespace ricochet::test
