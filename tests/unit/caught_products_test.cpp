// SPDX-License-Identifier: BSD-3-Clause
// Products caught in gaps that are narrower than themselves, and in round bodies that they outgrow.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/differential.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/sanitized.hpp"

namespace ricochet::test {
namespace {

struct NarrowGap {
    std::string name;
    std::vector<Body> bodies;
    double low, high;  ///< along x
};

std::vector<NarrowGap> narrow_gaps() {
    const BodyBox left{{1, 0.5, 0.5}, {2, 3.5, 3.5}}, right{{2.45, 0.5, 0.5}, {3.3, 3.5, 3.5}};
    return {{"membrane", {{"membrane", BodyBox{{2, 0.5, 0.5}, {2.45, 3.5, 3.5}}, BodySide::both}}, 2, 2.45},
            {"two boxes", {{"left", left}, {"right", right}}, 2, 2.45},
            {"wall and box", {{"box", BodyBox{{0.45, 0.5, 0.5}, {2, 3.5, 3.5}}}}, 0, 0.45},
            {"plane and box",
             {{"plane", BodyPlane{{2, 0, 0}, {1, 0, 0}}, BodySide::both}, {"right", right}},
             2,
             2.45},
            {"box and ball", {{"left", left}, {"ball", BodySphere{{3.45, 2, 2}, 1}}}, 2, 2.45}};
}

/// Wider than the gap, in a run whose rules change matter.
System caught_system(const NarrowGap& gap, HashRandom& random) {
    System system = system_of("caught in " + gap.name, walled_box({4, 4, 4}), random.log_uniform(0.003, 0.1),
                              {{0.3, 2}, {0.05, 1}}, Bounce{}, 3);
    set_pair(*system.world, 1, 1, React{1, only(0)});
    system.world->bodies = gap.bodies;
    const double width = gap.high - gap.low;
    const bool is_at_ball = gap.name == "box and ball";
    const double aside = is_at_ball ? 0 : 0.3;
    const Vec3 place{gap.low + random.uniform(0.05, 0.95) * width, 2 + random.uniform(-aside, aside),
                     2 + random.uniform(-aside, aside)};
    Vec3 velocity = random.normal_vector(3);
    if (is_at_ball) velocity = {velocity.x, 0, 0};
    add_of_species(system, 0, place, velocity);
    return system;
}

/// It stops across the gap, moves on along it, and its centre stays there.
TEST(CaughtProducts, StayInGapsAndMoveAlongThem) {
    HashRandom random(29);
    std::size_t num_held = 0;
    for (const NarrowGap& gap : narrow_gaps())
        for (int k = 0; k < fewer_if_sanitized(60); ++k) {
            const System system = caught_system(gap, random);
            const SolvedSystem solved = solve(system);
            expect_bits_of_searches(solved, few_windows, static_cast<std::size_t>(k));
            ASSERT_EQ(solved.steps.size(), static_cast<std::size_t>(system.num_steps));
            for (const StepResult& step : solved.steps) {
                EXPECT_FALSE(step.exhausted) << system.name;
                EXPECT_LE(step.contacts.size(), 20u) << system.name;
                for (const Contact& contact : step.contacts) {
                    EXPECT_EQ(contact.effect, ContactEffect::bounce) << system.name;
                    num_held += contact.key.generation >= 8 ? 1 : 0;
                }
            }
            const Motion& before = system.particles.motion[0];
            const Motion& after = solved.states.back().motion[0];
            EXPECT_GT(after.position.x, gap.low) << system.name;
            EXPECT_LT(after.position.x, gap.high) << system.name;
            EXPECT_EQ(std::abs(after.velocity.y), std::abs(before.velocity.y)) << system.name;
            EXPECT_EQ(std::abs(after.velocity.z), std::abs(before.velocity.z)) << system.name;
        }
    EXPECT_GE(num_held, static_cast<std::size_t>(fewer_if_sanitized(60)));
}

/// Each hit by a neighbour costs few contacts, until what is hit has stopped across the gap again.
TEST(CaughtProducts, StaySeveralInOneGap) {
    HashRandom random(37);
    std::size_t num_of_pairs = 0;
    for (int k = 0; k < fewer_if_sanitized(60); ++k) {
        System system = system_of("several in one gap", walled_box({12, 4, 0}), random.log_uniform(0.01, 0.3),
                                  {{0.4, 2}, {0.05, 1}}, Bounce{}, 3);
        set_pair(*system.world, 1, 1, React{1, only(0)});
        system.world->bodies = {{"gap", BodyBox{{0.5, 1.9, 0}, {11.5, 2.1, 0}}, BodySide::both}};
        for (int i = 0; i < 8; ++i)
            add_of_species(system, 0,
                           {1.7 + 1.2 * i + random.uniform(-0.1, 0.1), random.uniform(1.91, 2.09), 0},
                           5 * random.normal_vector(2));
        const SolvedSystem solved = solve(system);
        expect_bits_of_searches(solved, few_windows, static_cast<std::size_t>(k));
        for (const StepResult& step : solved.steps) {
            EXPECT_FALSE(step.exhausted) << k;
            for (const Contact& contact : step.contacts) {
                num_of_pairs += contact.species_high != wall_species ? 1 : 0;
                EXPECT_LE(contact.key.generation, 30u) << k;
            }
        }
        for (const Motion& after : solved.states.back().motion)
            EXPECT_LT(std::abs(after.position.y - 2), 0.1) << k;
    }
    EXPECT_GE(num_of_pairs, static_cast<std::size_t>(fewer_if_sanitized(60) / 2));
}

/// At the mouth of a gap the two surfaces are edges, which are not parallel.
TEST(CaughtProducts, StopAtTheMouthOfAGap) {
    HashRandom random(31);
    std::size_t num_held = 0;
    for (int k = 0; k < fewer_if_sanitized(200); ++k) {
        System system = system_of("mouth", walled_box({8, 8, 0}), 0.1, {{0.3, 2}, {0.05, 1}}, Bounce{}, 2);
        set_pair(*system.world, 1, 1, React{1, only(0)});
        const double width = 0.6 * random.uniform(0.7, 0.9999);
        system.world->bodies = {{"left", BodyBox{{2, 2, 0}, {4, 4, 0}}},
                                {"right", BodyBox{{4 + width, 2, 0}, {6, 4, 0}}}};
        const Vec3 mouth{4 + 0.5 * width, 4, 0};
        add_of_species(system, 0,
                       mouth + Vec3{random.uniform(-0.01, 0.01), random.log_uniform(1e-9, 0.05), 0},
                       {random.uniform(-1, 1), random.uniform(-0.1, 0), 0});
        const SolvedSystem solved = solve(system);
        expect_bits_of_searches(solved, few_windows, static_cast<std::size_t>(k));
        for (const StepResult& step : solved.steps) {
            EXPECT_FALSE(step.exhausted) << k;
            EXPECT_LE(step.contacts.size(), 30u) << k;
            for (const Contact& contact : step.contacts) num_held += contact.key.generation >= 16 ? 1 : 0;
        }
    }
    EXPECT_GE(num_held, static_cast<std::size_t>(fewer_if_sanitized(200) / 2));
}

std::vector<Body> round_bodies() {
    std::vector<Body> bodies;
    for (const BodySide side : {BodySide::both, BodySide::inside}) {
        bodies.push_back({"ball", BodySphere{{2, 2, 2}, 0.3}, side});
        bodies.push_back({"capsule", BodyCapsule{{1.5, 2, 2}, {2.5, 2.1, 2}, 0.3}, side});
        bodies.push_back({"cylinder", BodyCylinder{{2, 2, 2}, {0, 1, 0}, 0.3}, side});
    }
    return bodies;
}

/// Two that become one of this radius within a round body.
System outgrowing_system(const Body& body, double wide) {
    System system = system_of("outgrows", walled_box({4, 4, 4}), 0.2, {{0.05, 1}, {wide, 2}}, Bounce{}, 2);
    set_pair(*system.world, 0, 0, React{0, only(1)});
    system.world->bodies = {body};
    add_of_species(system, 0, {1.9, 2, 2}, {1, 0, 0});
    add_of_species(system, 0, {2.1, 2, 2}, {-1, 0, 0});
    return system;
}

/// No sphere would find a place there: the run ends with a sentence, the same on all ranks.
TEST(CaughtProducts, EndTheRunWhereTheyOutgrowABody) {
    for (const Body& body : round_bodies())
        for (const double wide : {0.25, 0.3, 0.45, 0.7}) {
            const System system = outgrowing_system(body, wide);
            const SolvedSystem solved = solve(system);
            EXPECT_EQ(solved.steps.back().exhausted.has_value(), wide >= 0.3) << body.name << wide;
            expect_bits_of_searches(solved);
            SlabRunSettings settings;
            settings.num_steps = 2;
            for (const int num_ranks : {1, 2, 3}) {
                const std::string error = run_on_threads(num_ranks, system, settings).error;
                EXPECT_EQ(error.find("has outgrown the inside of body " + body.name + ": its radius: got ") !=
                              std::string::npos,
                          wide >= 0.3)
                    << error;
            }
        }
}

TEST(CaughtProducts, DoNotOutgrowWhatTheyMayPass) {
    System system = outgrowing_system(round_bodies().front(), 0.45);
    system.world->rules.push_back({1, wall_species, Pass{}, 1, {static_cast<BodyNumber>(first_body)}});
    const SolvedSystem solved = solve(system);
    EXPECT_FALSE(solved.steps.back().exhausted);
    expect_bits_of_searches(solved);
}

}  // namespace
}  // namespace ricochet::test
