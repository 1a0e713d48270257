// SPDX-License-Identifier: BSD-3-Clause
//
// Decays whose products must have room: dense systems of parents that pass everything, and products that bounce off
// each other. Random systems are in decays_differential_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "dynamics/decay_room.hpp"
#include "geometry/overlap_census.hpp"
#include "model/rounding.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

constexpr SpeciesIndex small = 0, wide = 1, parent = 2;

/// Parents anywhere, also in each other and in products.
System parents_among_products(const Box& box, std::size_t num_parents, std::uint64_t seed) {
    System system;
    system.name = "parents in a box of " + std::to_string(box.size.x);
    system.box = box;
    system.dt = 0.005;
    const double mass = 0.5 * system.dt;  // of D = 1
    system.world =
        world_with({{0.3, mass, 1}, {0.5, mass, 1}, {0.4, 2 * mass, 0.5}}, box.dimension, Bounce{});
    make_brownian(*system.world, system.dt, system.dt);
    system.world->decays = {{parent, {small, wide}, 6 / system.dt},
                            {parent, {wide, absent_species}, 2 / system.dt}};
    React bind{.first = small, .products = {parent, absent_species}};
    bind.rate = 5;
    set_pair(*system.world, small, wide, bind, 0);
    for (const SpeciesIndex other : {small, wide, parent}) set_pair(*system.world, parent, other, Pass{}, 1);
    fill_at_random(system, {{0.3, mass, num_parents / 3}, {0.5, mass, num_parents / 4}}, {}, box.size, seed);
    HashRandom random(seed);
    for (std::size_t k = 0; k < num_parents; ++k) {
        const Vec3 x{random.uniform(0.5, box.size.x - 0.5), random.uniform(0.5, box.size.y - 0.5),
                     box.dimension == 3 ? random.uniform(0.5, box.size.z - 0.5) : 0};
        add_particle(system, x, {}, 0.4, 2 * mass);
        system.particles.attributes.edit(system.particles.size() - 1).species = parent;
    }
    return system;
}

SlabRunSettings many_decays(const System& system) {
    SlabRunSettings settings;
    settings.num_steps = 6;
    settings.drive = brownian(brownian_speed(system), system.box.dimension);
    return settings;
}

std::vector<System> dense_systems() {
    return {parents_among_products(periodic_box({14, 8, 8}), 300, 1),
            parents_among_products(walled_box({14, 8, 8}), 300, 2),
            parents_among_products(periodic_box({40, 16, 0}), 160, 3),
            parents_among_products(walled_box({40, 16, 0}, {0}), 160, 4)};
}

/// Pairs that do not pass each other.
std::size_t num_overlaps(const System& system, const Particles& particles) {
    const auto excludes = [&](std::size_t a, std::size_t b, double /*gap*/) {
        return particles.attributes[a].species != parent && particles.attributes[b].species != parent;
    };
    return find_overlaps(system.box, particles, 1e-9, 100, excludes).size();
}

/// Many of the decays have no room. No particle that excludes others overlaps them.
TEST(DecayRoom, KeepsProductsApart) {
    for (const System& system : dense_systems()) {
        SCOPED_TRACE(system.name);
        const SlabRun expected = run_reference(system, many_decays(system));
        EXPECT_GT(expected.num_decays_without_room, 50);
        EXPECT_EQ(num_overlaps(system, expected.particles), 0u);
        std::size_t num_decays = 0;
        for (const Contact& contact : expected.contacts)
            num_decays += contact.effect == ContactEffect::decay ? 1 : 0;
        EXPECT_GT(num_decays, 30u);
    }
}

/// On any number of ranks, with any cuts, whose particles lie beyond the faces of their slabs.
TEST(DecayRoom, IsTheSameOnAnyRanks) {
    for (const System& system : dense_systems()) {
        SCOPED_TRACE(system.name);
        SlabRunSettings settings = many_decays(system);
        const SlabRun expected = run_reference(system, settings);
        for (const int num_ranks : {1, 2, 3, 4, 5, 7}) {
            settings.cuts_of_step = random_cuts(static_cast<std::uint64_t>(num_ranks));
            EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                << num_ranks << " ranks";
        }
    }
}

TEST(DecayRoom, IsTheSameWithAnySearch) {
    const System system = dense_systems().front();
    SlabRunSettings settings = many_decays(system);
    settings.num_steps = 3;
    const SlabRun expected = run_reference(system, settings);
    for (const TestedSearch& search : search_choices) {
        settings.engine.search = search.method;
        settings.engine.loop = search.loop;
        EXPECT_EQ(first_difference(expected, run_on_threads(3, system, settings)), "") << to_string(search);
    }
}

/// Teeth: parents that pass all but their own kind ask for no room, and products overlap.
TEST(DecayRoom, IsAskedForByWhatPassesAll) {
    System system = dense_systems().front();
    set_pair(*system.world, parent, parent, Bounce{});
    const SlabRunSettings settings = many_decays(system);
    EXPECT_EQ(run_reference(system, settings).num_decays_without_room, 0);
    SlabRunSettings one_step = settings;
    one_step.num_steps = 1;
    EXPECT_GT(num_overlaps(system, run_on_threads(2, system, one_step).particles), 20u);
}

// --- one question --------------------------------------------------------------------------------------------

/// The answers of ranks that have particles of the box wherever they are.
std::vector<bool> occupied_on(Exchange& exchange, const std::vector<WantedPlace>& places,
                              const std::vector<Motion>& particles, const ContactRules& rules,
                              const Box& box) {
    Particles owned;
    for (const Motion& motion : particles)
        if (static_cast<int>(motion.id) % exchange.size() == exchange.rank())
            owned.push_back(motion, {.radius = 0.5, .species = wide}, {});
    std::vector<WantedPlace> mine;
    for (const WantedPlace& place : places)
        if (static_cast<int>(place.sphere.id) % exchange.size() == exchange.rank()) mine.push_back(place);
    return find_occupied(exchange, box, rules, mine, owned);
}

/// Across the periodic face, of the lower id, and of one that does not ask.
TEST(DecayRoom, IsTakenByPeersAndParticles) {
    const Box box = periodic_box({10, 6, 6});
    const ContactRules rules = rules_of(parents_among_products(periodic_box({14, 8, 8}), 3, 1));
    const auto place = [](double x, ParticleId id, bool asks) {
        return WantedPlace{{{x, 3, 3}, 0.5, id}, wide, asks};
    };
    const std::vector<WantedPlace> places{place(9.8, 10, true),  place(0.7, 11, true), place(4, 12, true),
                                          place(4.8, 13, false), place(2.2, 14, true), place(6.5, 15, true)};
    const Motion particle{.position = {7.2, 3, 3}, .velocity = {}, .time = 0, .id = 15};
    const std::vector<bool> expected{false, true, true, false, false, false};  // 15 is in its own way only
    for (const int num_ranks : {1, 2, 3, 6})
        run_ranks(num_ranks, [&](Exchange& exchange) {
            const std::vector<bool> found = occupied_on(exchange, places, {particle}, rules, box);
            std::size_t next = 0;
            for (std::size_t k = 0; k < places.size(); ++k) {
                if (static_cast<int>(places[k].sphere.id) % num_ranks != exchange.rank()) continue;
                EXPECT_EQ(found.at(next++), expected[k]) << "place " << k << ", " << num_ranks << " ranks";
            }
        });
}

/// Receptors that rest in a membrane: what goes on in their place does so. What they release appears on the side of
/// their centre.
TEST(DecayRoom, IsNotAskedForByWhatRestsInASurface) {
    constexpr SpeciesIndex ligand = 0, receptor = 1, bound = 2;
    for (const double outwards : {-0.01, 0.01})
        for (const SpeciesIndex released : {ligand, absent_species}) {
            System system =
                system_of("receptors", walled_box({8, 8, 8}), 0.01, {{0.2, 1}, {0.3, 1}, {0.3, 1}});
            World& world = *system.world;
            world.bodies = {{"membrane", BodySphere{{4, 4, 4}, 2}, BodySide::both}};
            world.species[receptor].frozen_axes = world.species[bound].frozen_axes = 7;
            world.decays = {{bound, {receptor, released}, 10 / system.dt}};
            HashRandom random(5);
            for (int k = 0; k < 10; ++k) {
                const double angle = 0.6 * k, height = random.uniform(-0.8, 0.8),
                             flat = std::sqrt(1 - height * height);
                const Vec3 direction{flat * std::cos(angle), flat * std::sin(angle), height};
                add_of_species(system, bound, Vec3{4, 4, 4} + (2 + outwards) * direction);
                system.particles.attributes.edit(system.particles.size() - 1).frozen_axes = 7;
            }
            SlabRunSettings settings;
            settings.num_steps = 20;
            const SlabRun expected = run_reference(system, settings);
            for (const int ranks : {1, 3})
                EXPECT_EQ(first_difference(expected, run_on_threads(ranks, system, settings)), "");
            std::size_t num_receptors = 0, num_ligands = 0;
            for (std::size_t k = 0; k < expected.particles.size(); ++k) {
                const SpeciesIndex species = expected.particles.attributes[k].species;
                num_receptors += species == receptor;
                if (species != ligand) continue;
                ++num_ligands;
                EXPECT_EQ(norm(expected.particles.motion[k].position - Vec3{4, 4, 4}) > 2, outwards > 0);
            }
            EXPECT_GE(num_receptors, 9u);
            EXPECT_EQ(num_ligands, released == ligand ? num_receptors : 0);
        }
}

}  // namespace
}  // namespace ricochet::test
