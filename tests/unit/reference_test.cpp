// SPDX-License-Identifier: BSD-3-Clause
//
// The reference simulator checked by mechanics alone: worked examples, exact impulses, rows of bounding
// spheres, ties, walls, wrapping, time reversal; and its two forms against each other. What passes here may
// check engines.
#include "tests/support/reference.hpp"
#include "tests/support/scenario.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tests/support/hash_random.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

StepResult run_step(System& system) {
    return reference_step_by_lists(system.box, system.particles, rules_of(system), {.dt = system.dt});
}

const Motion& motion_of(const System& system, ParticleId id) {
    return *std::find_if(system.particles.motion.begin(), system.particles.motion.end(),
                         [&](const Motion& motion) { return motion.id == id; });
}

double ulp(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()) - x; }

std::vector<System> all_systems() {
    std::vector<System> systems = random_systems();
    for (System& system : degenerate_systems()) systems.push_back(std::move(system));
    return systems;
}

/// The worked example of Johnson & Whalley 2002, section 3.3, moved by an offset, with the given ids.
System worked_example(Vec3 offset, ParticleId id_a, ParticleId id_b) {
    System system;
    system.box = periodic_box({8, 8, 8});
    system.dt = 1;
    const auto place = [&](Vec3 x, Vec3 v) {
        for (int axis = 0; axis < 3; ++axis) x[axis] = std::fmod(x[axis] + offset[axis] + 8, 8.0);
        add_particle(system, x, v, 0.2);
    };
    place({0, 0, 0}, {1, 1, 0});
    place({1, 0, 0}, {-1, 1, 0});
    system.particles.motion[0].id = id_a;
    system.particles.motion[1].id = id_b;
    return system;
}

TEST(Reference, FindsTheWorkedExampleOfTwoSpheres) {
    System system = worked_example({}, 0, 1);
    const StepResult result = run_step(system);
    ASSERT_EQ(result.contacts.size(), 1u);
    EXPECT_NEAR(result.contacts[0].key.time, 0.3, 2 * ulp(0.3));
    EXPECT_EQ(result.contacts[0].normal, (Vec3{1, 0, 0}));
    EXPECT_NEAR(result.contacts[0].distance, 0.4, 2 * ulp(0.4));

    // The last touch is the first one of the motion run backwards from t = 1.
    System backwards = worked_example({}, 0, 1);
    for (Motion& motion : backwards.particles.motion) {
        motion.position = motion.position + motion.velocity;
        motion.velocity = -motion.velocity;
    }
    EXPECT_NEAR(1 - run_step(backwards).contacts.at(0).key.time, 0.7, 2 * ulp(0.7));
}

/// And with the partners swapped.
TEST(Reference, GivesOneTimeThroughEveryFace) {
    System original = worked_example({}, 0, 1);
    const double time = run_step(original).contacts.at(0).key.time;
    for (const Vec3 offset : {Vec3{0, 0, 0}, Vec3{-0.5, 0, 0}, Vec3{0, -0.25, 0}, Vec3{-0.75, -0.5, 7.5}})
        for (const ParticleId id_a : {ParticleId{0}, ParticleId{9}}) {
            System moved = worked_example(offset, id_a, 5);
            const StepResult result = run_step(moved);
            ASSERT_EQ(result.contacts.size(), 1u);
            EXPECT_EQ(result.contacts[0].key.time, time);
        }
}

TEST(Reference, ExchangesHeadOnMomentumExactly) {
    System system = Scenario("head-on")
                        .periodic({16, 16, 16})
                        .timestep(4)
                        .sphere({2, 8, 8}, {1, 0, 0}, 0.5, 1)
                        .sphere({4, 8, 8}, {}, 0.5, 3)
                        .system();
    const StepResult result = run_step(system);
    ASSERT_EQ(result.contacts.size(), 1u);
    EXPECT_EQ(system.particles.motion[0].velocity, (Vec3{-0.5, 0, 0}));
    EXPECT_EQ(system.particles.motion[1].velocity, (Vec3{0.5, 0, 0}));
    EXPECT_EQ(result.contacts[0].key, (ContactKey{1, 0, 0, 1}));
    EXPECT_EQ(result.contacts[0].point, (Vec3{3.5, 8, 8}));
    EXPECT_EQ(result.contacts[0].impulse, 1.5);
    EXPECT_EQ(result.contacts[0].speed, 1);
}

TEST(Reference, ObeysTheObliqueImpulseLaw) {
    HashRandom random(5);
    for (int k = 0; k < 200; ++k) {
        const double restitution = k % 2 == 0 ? 1 : random.uniform();
        const double m1 = random.uniform(0.1, 5), m2 = random.uniform(0.1, 5);
        const Vec3 v1 = random.normal_vector(3);
        const Vec3 towards = {random.uniform(-.5, .5), random.uniform(-.5, .5), random.uniform(-.5, .5)};
        System system = Scenario("oblique")
                            .periodic({32, 32, 32})
                            .timestep(2)
                            .restitution(Restitution(restitution))
                            .sphere({16, 16, 16}, v1, 0.5, m1)
                            .sphere({16 + 2.0, 16, 16}, v1 - Vec3{2, 0, 0} + towards, 0.75, m2)
                            .system();
        const Vec3 v2 = system.particles.motion[1].velocity;
        const Totals before = totals(system.particles);
        const StepResult result = run_step(system);
        if (result.contacts.empty()) continue;
        const Totals after = totals(system.particles);
        const Vec3 n = result.contacts[0].normal;
        const Vec3 expected = v1 - ((1 + restitution) * m2 / (m1 + m2) * dot(v1 - v2, n)) * n;
        const Vec3 got1 = system.particles.motion[0].velocity, got2 = system.particles.motion[1].velocity;
        EXPECT_LT(norm(got1 - expected), 4e-15);
        EXPECT_LT(norm(after.momentum - before.momentum), 1e-15 * before.mass_velocity);
        EXPECT_NEAR(dot(got2 - got1, n), -restitution * dot(v2 - v1, n), 4e-15);
        if (restitution == 1) {
            EXPECT_NEAR(after.energy, before.energy, 1e-15 * before.energy);
        }
    }
}

/// Runs a cradle along the axis until the impulse has gone through; checks that exactly the last bounding
/// sphere moves.
void expect_handed_on(int axis, double gap) {
    System system = newtons_cradle(axis, 5, gap, 2);
    std::vector<ParticleId> row;  // ids along the row
    for (const Motion& motion : system.particles.motion) row.push_back(motion.id);
    const StepResult result = run_step(system);
    ASSERT_EQ(result.contacts.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
        const ContactKey& key = result.contacts[k].key;
        EXPECT_EQ(key.time, static_cast<double>(k + 1) * gap / 2);
        EXPECT_EQ(key.generation, gap > 0 ? 0 : k);
        EXPECT_EQ(key.low, std::min(row[k], row[k + 1]));
        EXPECT_EQ(key.high, std::max(row[k], row[k + 1]));
    }
    Vec3 v;
    v[axis] = 2;
    for (std::size_t k = 0; k < 5; ++k)
        EXPECT_EQ(motion_of(system, row[k]).velocity, (k == 4 ? v : Vec3{0, 0, 0}));
}

/// Exactly.
TEST(Reference, PassesTheImpulseOfACradle) {
    for (int axis : {0, 1, 2})
        for (double gap : {0.0, 0.0625, 0.125, 0.25}) expect_handed_on(axis, gap);
}

/// And the order of contacts.
TEST(Reference, KeepsEnergyInTouchingClusters) {
    for (int n : {3, 4, 5, 6}) {
        System system = touching_cluster(n, 100 + static_cast<std::uint64_t>(n));
        const Totals before = totals(system.particles);
        std::uint64_t largest_generation = 0;
        std::size_t num_contacts = 0;
        for (int step = 0; step < 4; ++step) {
            const StepResult result = run_step(system);
            ASSERT_FALSE(result.exhausted);
            num_contacts += result.contacts.size();
            for (std::size_t k = 0; k < result.contacts.size(); ++k) {
                largest_generation = std::max(largest_generation, result.contacts[k].key.generation);
                if (k > 0) {
                    EXPECT_LT(result.contacts[k - 1].key, result.contacts[k].key);
                }
            }
        }
        const Totals after = totals(system.particles);
        EXPECT_GE(num_contacts, system.particles.size() / 2);
        EXPECT_LT(largest_generation, num_contacts);
        EXPECT_NEAR(after.energy, before.energy, 1e-14 * before.energy);
        EXPECT_LT(norm(after.momentum - before.momentum), 1e-14 * before.mass_velocity);
        EXPECT_EQ(census_of_overlaps(system.box, system.particles, 1e-13).num_overlaps, 0u);
    }
}

/// In any order of ids.
TEST(Reference, EndsForTouchingClusters) {
    // A response that can leave a pair approaching by rounding never ends 2 of these 300 (n = 4).
    for (int n : {3, 4, 5})
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            System system = touching_cluster(n, seed);
            const StepSettings settings{.dt = system.dt, .contact_cap = 1000};
            for (int step = 0; step < 4; ++step)
                ASSERT_FALSE(reference_step_by_lists(system.box, system.particles, rules_of(system), settings)
                                 .exhausted)
                    << n << " " << seed;
        }
}

/// After its contact.
TEST(Reference, LeavesNoPairApproaching) {
    HashRandom random(77);
    for (int k = 0; k < 2000; ++k) {
        const double restitution = k % 4 == 0 ? 1 : k % 4 == 1 ? 1e-12 : 0;
        Scenario pair("touching pair");
        pair.periodic({32, 32, 32}).timestep(2).restitution(Restitution(restitution));
        const Vec3 v = random.normal_vector(3);
        const double slow = k % 3 == 0 ? 1e-16 : 1;
        pair.sphere({16, 16, 16}, v, 0.5, random.uniform(0.1, 2));
        pair.sphere({17, 16, 16 + random.uniform() * 1e-8},
                    v + slow * (random.normal_vector(3) - Vec3{2, 0, 0}), 0.5, random.uniform(0.1, 2));
        System system = pair.system();
        EXPECT_LE(run_step(system).contacts.size(), 1u);
    }
}

TEST(Reference, IsNotCausalWithoutGenerations) {
    // Without them a contact can have a smaller key than the contact at the same instant that caused it.
    bool every_list_is_ordered = true;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        System system = touching_cluster(4, seed);
        for (int step = 0; step < 4; ++step) {
            const auto contacts = reference_step_by_lists(system.box, system.particles, rules_of(system),
                                                          {.dt = system.dt, .count_generations = false})
                                      .contacts;
            every_list_is_ordered &= std::is_sorted(
                contacts.begin(), contacts.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
        }
    }
    EXPECT_FALSE(every_list_is_ordered);
}

TEST(Reference, StopsAJammedLatticeAtTheContactCap) {
    const StepSettings settings{.dt = 0.05, .contact_cap = 200};
    System by_lists = jammed_lattice(3, 7), by_scan = by_lists;
    const StepResult lists =
        reference_step_by_lists(by_lists.box, by_lists.particles, rules_of(by_lists), settings);
    const StepResult scan = reference_step(by_scan.box, by_scan.particles, rules_of(by_scan), settings);
    ASSERT_TRUE(lists.exhausted && scan.exhausted);
    EXPECT_EQ(*lists.exhausted, *scan.exhausted);
    EXPECT_EQ(first_difference(scan.contacts, lists.contacts), "");
    std::map<ParticleId, int> count;
    for (const Contact& contact : lists.contacts) {
        ++count[contact.key.low];
        ++count[contact.key.high];
    }
    EXPECT_EQ(count[lists.exhausted->id], 200);
    for (const auto& [id, contacts] : count) EXPECT_LE(contacts, 200);
}

TEST(Reference, ReflectsFromWallsAndCornersExactly) {
    System system = Scenario("into an edge")
                        .walled({8, 8, 8})
                        .timestep(1)
                        .sphere({1.5, 1.5, 2}, {-2, -2, 0.5}, 0.5, 2)
                        .system();
    const StepResult result = run_step(system);
    ASSERT_EQ(result.contacts.size(), 2u);
    EXPECT_EQ(result.contacts[0].key, (ContactKey{0.5, 0, 0, first_obstacle_id + 0}));
    EXPECT_EQ(result.contacts[1].key, (ContactKey{0.5, 1, 0, first_obstacle_id + 2}));
    EXPECT_EQ(result.contacts[0].point, (Vec3{0, 0.5, 2.25}));
    EXPECT_EQ(result.contacts[1].normal, (Vec3{0, -1, 0}));
    EXPECT_EQ(result.contacts[0].impulse, 8);
    EXPECT_EQ(result.contacts[0].distance, 0.5);
    EXPECT_EQ(result.contacts[0].species_high, wall_species);
    EXPECT_EQ(system.particles.motion[0].position, (Vec3{1.5, 1.5, 2.5}));
    EXPECT_EQ(system.particles.motion[0].velocity, (Vec3{2, 2, 0.5}));
}

/// Restitution depends on the pair of species.
TEST(Reference, UsesTheRestitutionOfThePair) {
    System system = Scenario("two species")
                        .walled({16, 8, 8})
                        .timestep(1)
                        .restitution(Restitution(1).set(1, 0, 0.5).set(wall_species, 1, 0.25))
                        .sphere({4, 4, 4}, {2, 0, 0})
                        .sphere({5.5, 4, 4}, {}, 0.5, 1, 1)
                        .sphere({15, 4, 4}, {4, 0, 0}, 0.5, 1, 1)
                        .system();
    ASSERT_EQ(run_step(system).contacts.size(), 2u);
    EXPECT_EQ(system.particles.motion[0].velocity.x, 0.5);
    EXPECT_EQ(system.particles.motion[1].velocity.x, 1.5);
    EXPECT_EQ(system.particles.motion[2].velocity.x, -1);
}

/// Into the half-open box.
TEST(Reference, WrapsAndCountsImages) {
    System system = Scenario("onto the faces")
                        .periodic({16, 16, 16})
                        .timestep(1)
                        .sphere({0, 15, 8}, {-1e-17, 1, 0})    // -1e-17 + 16 rounds to 16, which is 0 again
                        .sphere({1, 4, 0.5}, {-1.5, 0, -0.5})  // one image down; exactly onto 0
                        .system();
    EXPECT_TRUE(run_step(system).contacts.empty());
    EXPECT_EQ(system.particles.motion[0].position, (Vec3{0, 0, 8}));
    EXPECT_EQ(system.particles.track[0].image, (std::array<std::int64_t, 3>{0, 1, 0}));
    EXPECT_EQ(system.particles.motion[1].position, (Vec3{15.5, 4, 0}));
    EXPECT_EQ(system.particles.track[1].image, (std::array<std::int64_t, 3>{-1, 0, 0}));
}

TEST(Reference, MissesNothingAtSixDiametersPerStep) {
    for (const double offset : {0.0, 0.3, 0.9, 0.9999, 1.0}) {
        System system = Scenario("fast and head-on")
                            .periodic({32, 32, 32})
                            .timestep(1)
                            .sphere({13, 16, 16}, {6, 0, 0})
                            .sphere({19, 16 + offset, 16}, {-6, 0, 0})
                            .system();
        const std::vector<Contact> contacts = run_step(system).contacts;
        const double expected = (6 - std::sqrt(1 - offset * offset)) / 12;
        ASSERT_EQ(contacts.size(), 1u) << offset;
        EXPECT_NEAR(contacts[0].key.time, expected, 1e-9);
    }
}

TEST(Reference, TracesAnElasticGasBackToItsStart) {
    System system = equal_gas(3, 500, 0.2, 16);
    system.dt = 0.02;
    const Particles start = system.particles;
    const auto run = [&](int num_steps) {
        std::size_t num_contacts = 0;
        for (int step = 0; step < num_steps; ++step) num_contacts += run_step(system).contacts.size();
        return num_contacts;
    };
    const std::size_t forward = run(53);  // 5 collisions per particle at 4.76 per time
    reverse_velocities(system.particles);
    EXPECT_EQ(run(53), forward);
    EXPECT_GT(forward, 1000u);
    EXPECT_LT(largest_displacement(system.box, start, system.particles), 1e-11);
}

TEST(Reference, HasTwoFormsThatAgreeInEveryBit) {
    for (const System& system : all_systems()) {
        SCOPED_TRACE(system.name);
        Particles by_scan = system.particles, by_lists = system.particles;
        const StepSettings settings{.dt = system.dt, .contact_cap = 3000};
        for (int step = 0; step < 2; ++step) {
            const StepResult lists =
                reference_step_by_lists(system.box, by_lists, rules_of(system), settings);
            if (lists.contacts.size() * system.particles.size() > 40'000) break;  // a minute of scans
            const StepResult scan = reference_step(system.box, by_scan, rules_of(system), settings);
            ASSERT_EQ(first_difference(scan.contacts, lists.contacts), "");
            ASSERT_EQ(first_difference(by_scan, by_lists), "");
            if (lists.exhausted) break;
        }
    }
}

/// In boxes with unique images.
TEST(TestSystems, StartWithoutOverlap) {
    for (const System& system : all_systems()) {
        SCOPED_TRACE(system.name);
        EXPECT_NO_THROW(require_unique_images(system));
        const bool overlaps_on_purpose = system.name.find("position") != std::string::npos ||
                                         system.name.find("overlapping") != std::string::npos ||
                                         system.name == "contacts through faces, edges and corners";
        if (!overlaps_on_purpose) {
            EXPECT_EQ(census_of_overlaps(system.box, system.particles, 1e-14).num_overlaps, 0u);
        }
        for (std::size_t i = 0; i < system.particles.size(); ++i)
            for (int axis = 0; axis < system.box.dimension; ++axis) {
                const double x = system.particles.motion[i].position[axis];
                const double margin = system.box.has_walls(axis) ? system.particles.attributes[i].radius : 0;
                EXPECT_GE(x, margin);
                EXPECT_LE(x, system.box.size[axis] - margin);
            }
    }
}

}  // namespace
}  // namespace ricochet::test
