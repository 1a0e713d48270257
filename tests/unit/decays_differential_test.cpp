// SPDX-License-Identifier: BSD-3-Clause
//
// Runs in which particles decay, and react and coalesce or only bounce, on any number of ranks, against the reference:
// in every bit. Where parents pass all species, products must have room.
//
// RICOCHET_DECAY_FUZZ=FIRST:COUNT runs other seeds, for as long as one likes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "ricochet/kinetic/engine_choice.hpp"
#include "tests/support/differential.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

struct Tally {
    int decays = 0, births = 0, given_back = 0, without_room = 0, let_pass = 0, let_pass_alone = 0,
        errors = 0;
};

/// Whether contacts have rules that do more than bounce.
bool have_rules(const FuzzCase& fuzz) {
    World world = *fuzz.system.world;
    world.decays.clear();
    return ContactRules(world).change_matter();
}

void count(const FuzzCase& fuzz, const SlabRun& run, Tally& tally) {
    ParticleId first_new = 0;
    for (const Motion& motion : fuzz.system.particles.motion) first_new = std::max(first_new, motion.id + 1);
    tally.without_room += run.num_decays_without_room;
    tally.errors += run.error.empty() ? 0 : 1;
    for (const Contact& record : run.contacts) {
        if (record.effect == ContactEffect::let_pass)
            ++(have_rules(fuzz) ? tally.let_pass : tally.let_pass_alone);
        if (record.effect != ContactEffect::decay) continue;
        ++tally.decays;
        if (record.key.high == no_id) continue;
        ++tally.births;
        const ParticleId newborn = record.species_low == absent_species ? record.key.low : record.key.high;
        if (newborn < first_new) ++tally.given_back;
    }
}

/// The systems and their decays are random, with random rules or rates, or without.
TEST(DecayFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_DECAY_FUZZ", {0, 300});
    Tally tally;
    expect_reference_of_seeds(decay_fuzz_case, seeds, [&](const FuzzCase& fuzz, const SlabRun& expected) {
        count(fuzz, expected, tally);
    });
    std::printf(
        "%d decays, %d births, %d ids given back, %d without room, %d let pass with rules, %d without, %d "
        "errors\n",
        tally.decays, tally.births, tally.given_back, tally.without_room, tally.let_pass,
        tally.let_pass_alone, tally.errors);
    if (seeds.count < 300) return;
    EXPECT_GT(tally.decays, 1000);
    EXPECT_GT(tally.births, 500);
    EXPECT_GT(tally.given_back, 10);
    EXPECT_GT(tally.without_room, 100);
    EXPECT_GT(tally.let_pass_alone, 10);
}

/// The systems and their decays are random, with random rules or rates, or without.
TEST(LongDecayFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(decay_fuzz_case, long_seeds); }

// --- products without room -------------------------------------------------------------------------------------

/// Discs that only bounce: heavy ones, and small light ones, which become wide ones in the first step.
System decaying_discs(std::string name, const Box& box) {
    System system = system_of(std::move(name), box, 0.05, {{1, 1e14}, {0.25, 1}, {0.5, 1}});
    system.world->decays = {{1, only(2), 100}};
    return system;
}

/// A product between two heavy discs, or between one and a wall, whose gap is 0.6 and its diameter 1. Also across the
/// periodic face.
std::vector<System> wedges() {
    std::vector<System> systems;
    for (const double x : {0.0, 10.0, 27.6}) {
        System between = decaying_discs("between two, at " + std::to_string(x), periodic_box({30, 20, 0}));
        add_of_species(between, 0, {x, 10, 0});
        add_of_species(between, 0, {std::fmod(x + 2.6, 30), 10, 0});
        add_of_species(between, 1, {std::fmod(x + 1.3, 30), 10, 0}, {0.3, 0, 0});
        systems.push_back(std::move(between));
    }
    for (const double side : {1.0, -1.0}) {
        System at_wall = decaying_discs("at a wall", walled_box({30, 20, 0}, {0}));
        const double wall = side > 0 ? 0 : 30;
        add_of_species(at_wall, 0, {wall + 1.6 * side, 10, 0});
        add_of_species(at_wall, 1, {wall + 0.3 * side, 10, 0}, {0.3 * side, 0, 0});
        systems.push_back(std::move(at_wall));
    }
    return systems;
}

/// Steps in the first of which the small ones decay.
SlabRunSettings wedging() {
    SlabRunSettings settings;
    settings.num_steps = 10;
    settings.engine.contact_cap = 10'000;
    return settings;
}

/// It is let pass, where without decays it would bounce until the contact cap ends the run.
TEST(WedgedByDecay, EndsNoRun) {
    for (const System& system : wedges()) {
        SCOPED_TRACE(system.name);
        SlabRunSettings settings = wedging();
        settings.cuts_of_step = random_cuts(7);
        const SlabRun expected = run_reference(system, settings);
        EXPECT_GT(std::count_if(expected.contacts.begin(), expected.contacts.end(),
                                [](const Contact& c) { return c.effect == ContactEffect::let_pass; }),
                  0);
        expect_bits_on_ranks(expected, system, settings, {1, 2, 3, 5, 7});
    }
}

/// Teeth: rules that know nothing of decays end it.
TEST(WedgedByDecay, EndsRunsOfRulesAlone) {
    const System system = wedges().front();
    World without = *system.world;
    without.decays.clear();
    SlabRunSettings settings = wedging();
    settings.engine_of_rank = [&](int) {
        return make_step_engine(world_of(system), ContactRules(without), settings.engine);
    };
    EXPECT_NE(run_on_threads(2, system, settings).error, "");
}

}  // namespace
}  // namespace ricochet::test
