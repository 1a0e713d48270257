// SPDX-License-Identifier: BSD-3-Clause
//
// The engine against the reference where particles become tethered: every search, 1 to 40 sub-windows, halved windows,
// several intervals of the search; and any number of ranks, with tethers that break. In every bit.
//
// RICOCHET_TETHER_FUZZ=FIRST:COUNT runs other seeds on ranks, for as long as one likes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tests/support/differential.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/sanitized.hpp"

namespace ricochet::test {
namespace {

// --- tallies -------------------------------------------------------------------------------------------------

/// How often contacts were of which kind, so that no test can pass for want of tethers.
struct Tally {
    int sticks = 0, holds = 0, touches = 0, parts = 0, suspended = 0, decays = 0, errors = 0, runs = 0;

    std::string text() const {
        return std::to_string(sticks) + " sticks, " + std::to_string(holds) + " holds, " +
               std::to_string(touches) + " bounces of tethered pairs, " + std::to_string(parts) + " parts, " +
               std::to_string(suspended) + " suspended reactions, " + std::to_string(decays) + " decays, " +
               std::to_string(errors) + " errors in " + std::to_string(runs) + " runs";
    }
};

using Lists = std::map<ParticleId, Tethers>;

Lists lists_of(const Particles& particles) {
    Lists lists;
    for (std::size_t k = 0; k < particles.size() && particles.track.keeps_tethers(); ++k)
        lists[particles.motion[k].id] = particles.track.tethers()[k];
    return lists;
}

void forget(Tethers& tethers, ParticleId partner) {
    for (std::uint32_t k = 0; k < tethers.size(); ++k)
        if (tethers.partner(k) == partner) return tethers.remove(k);
}

/// Whether the rule would certainly have reacted.
bool always_reacts(const ContactRule& rule) {
    const React* const react = std::get_if<React>(&rule);
    return react != nullptr && react->is_certain();
}

/// Counts one record, with the lists as they are before it.
void count(const ContactRules& rules, const Contact& record, Lists& lists, Tally& tally) {
    const ParticleId low = record.key.low, high = record.key.high;
    if (record.effect == ContactEffect::decay) ++tally.decays;
    if (record.effect == ContactEffect::hold) ++tally.holds;
    if (record.effect == ContactEffect::part) {
        ++tally.parts;
        forget(lists[low], high);
        forget(lists[high], low);
    }
    if (record.effect == ContactEffect::stick) {
        ++tally.sticks;
        lists[low].add(high, record.species_high);
        lists[high].add(low, record.species_low);
    }
    if (record.effect != ContactEffect::bounce) return;
    const bool is_at_wall = high >= first_obstacle_id;
    if (!is_at_wall && lists[low].holds(high)) ++tally.touches;
    if (always_reacts(is_at_wall ? rules.at_body(record.species_low, record.body)
                                 : rules.pair(record.species_low, record.species_high)))
        ++tally.suspended;
}

// --- one slab ------------------------------------------------------------------------------------------------

SolvedSystem solve_ballistic(std::uint64_t seed) { return solve(arbitrary_tether_system(seed)); }
SolvedSystem solve_brownian(std::uint64_t seed) { return solve_driven(arbitrary_tethered_rate_system(seed)); }

const std::vector<SolvedSystem>& ballistic_systems() {
    static const auto all = solve_seeds(fewer_if_sanitized(80u), solve_ballistic);
    return all;
}

const std::vector<SolvedSystem>& brownian_systems() {
    static const auto all = solve_seeds(fewer_if_sanitized(100u), solve_brownian);
    return all;
}

class TethersDifferential : public SearchDifferential {
  protected:
    void expect_bits_of_all(const WindowsInTurn& windows,
                            std::initializer_list<std::uint64_t> intervals = {0}) {
        for (const auto* const systems : {&ballistic_systems(), &brownian_systems()})
            expect_bits(*systems, windows, intervals);
    }
};

TEST_P(TethersDifferential, HoldsWithAnyWindows) { expect_bits_of_all(any_windows); }

TEST_P(TethersDifferential, HoldsWithHalvedWindows) { expect_bits_of_all(halved_windows); }

/// The intervals are those of the search.
TEST_P(TethersDifferential, HoldsWithAnyIntervals) { expect_bits_of_all(windows_in_intervals, {2, 7}); }

INSTANTIATE_TEST_SUITE_P(Searches, TethersDifferential, testing::ValuesIn(searches), name_of_search);

Tally tally_of(const std::vector<SolvedSystem>& systems) {
    Tally tally;
    for (const SolvedSystem& solved : systems) {
        Lists lists = lists_of(solved.system.particles);
        for (std::size_t step = 0; step < solved.steps.size(); ++step) {
            tally.errors += solved.steps[step].exhausted ? 1 : 0;
            ++tally.runs;
            for (const Contact& record : solved.steps[step].contacts)
                count(rules_of(solved.system), record, lists, tally);
        }
    }
    return tally;
}

TEST(TetheredSystems, HaveManyTethers) {
    const Tally of_ballistic = tally_of(ballistic_systems()), of_brownian = tally_of(brownian_systems());
    SCOPED_TRACE("ballistic: " + of_ballistic.text() + "; Brownian: " + of_brownian.text());
    EXPECT_GT(of_ballistic.sticks, 300);
    EXPECT_GT(of_ballistic.holds, 800);
    EXPECT_GT(of_ballistic.touches, 1500);
    EXPECT_GT(of_ballistic.suspended, 500);
    EXPECT_GT(of_brownian.sticks, 200);
    EXPECT_GT(of_brownian.holds, 1500);
    EXPECT_GT(of_brownian.touches, 1500);
    EXPECT_GT(of_brownian.suspended, 5);
}

TEST(TetheredSystems, HaveListsOfBoth) {
    for (const auto* const systems : {&ballistic_systems(), &brownian_systems()})
        for (const SolvedSystem& solved : *systems) {
            EXPECT_EQ(what_is_wrong_with_tethers(solved.system.particles), "") << solved.system.name;
            for (const Particles& particles : solved.states)
                EXPECT_EQ(what_is_wrong_with_tethers(particles), "") << solved.system.name;
        }
}

TEST(LongTethersDifferential, HoldsForThousands) {
    for (const auto& solve_seed : {solve_ballistic, solve_brownian}) expect_bits_of_thousands(solve_seed);
}

// --- ranks ---------------------------------------------------------------------------------------------------

SlabRunSettings settings_for(const System& system, std::uint64_t seed) {
    SlabRunSettings settings = random_slab_settings(system, seed);
    settings.engine.contact_cap = 300;
    return settings;
}

void expect_reference(const System& system, std::uint64_t seed) {
    expect_reference_on_ranks(system, settings_for(system, seed));
}

TEST(TethersOnSlabs, HaveReferenceBits) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) expect_reference(arbitrary_tether_system(seed), seed);
}

TEST(TethersOnSlabs, HaveReferenceBitsAtRates) {
    for (std::uint64_t seed = 0; seed < 6; ++seed)
        expect_reference(arbitrary_tethered_rate_system(seed), seed);
}

/// Pairs in a row that fly along the ends of their tethers, and drift.
System circling_pairs(std::uint64_t seed) {
    HashRandom random(seed);
    System system = empty_system("circling pairs " + std::to_string(seed), periodic_box({42, 6, 6}), 0.5);
    system.particles.track.keep_tethers();
    constexpr double length = 1.5;
    for (std::uint64_t pair = 0; pair < 14; ++pair) {
        const Vec3 centre = {3 * static_cast<double>(pair) + 1.5, random.uniform(1, 5), random.uniform(1, 5)};
        const Vec3 any = random.normal_vector(3), drift = 0.2 * random.normal_vector(3);
        const Vec3 n = (1 / norm(any)) * any, other = random.normal_vector(3);
        const Vec3 across = advanced(other, n, -dot(other, n));
        const double sine = pair % 2 == 0 ? 0 : std::ldexp(random.uniform(), -static_cast<int>(pair) * 2);
        add_particle(system, advanced(centre, n, -0.5 * length), drift);
        add_particle(system, advanced(centre, n, 0.5 * length),
                     advanced(drift + 0.1 * across, n, 0.1 * sine));
        for (const std::uint64_t k : {2 * pair, 2 * pair + 1})
            system.particles.track.tethers()[k].add(k ^ 1, 0);
    }
    Stick rule;
    rule.length = length;
    system.world = plain_world();
    system.world->pair_rule = rule;
    return system;
}

TEST(TethersOnSlabs, HaveReferenceBitsAsTheyCircle) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const System system = circling_pairs(seed);
        const SlabRunSettings settings = settings_for(system, seed);
        EXPECT_GT(run_reference_to_error(system, settings).contacts.size(), 1000u);
        expect_reference(system, seed);
    }
}

/// After each step: a run of as many steps ends there.
TEST(TethersOnSlabs, HaveListsOfBothAfterEachStep) {
    for (std::uint64_t seed = 100; seed < 110; ++seed) {
        const System system =
            seed % 2 == 0 ? arbitrary_tether_system(seed) : arbitrary_tethered_rate_system(seed);
        SlabRunSettings settings = settings_for(system, seed);
        const auto most = static_cast<int>(std::min<std::int64_t>(4, slice_grid_of(system).num_slices()));
        for (settings.num_steps = 1; settings.num_steps <= system.num_steps; ++settings.num_steps) {
            const SlabRun run = run_on_threads(most, system, settings);
            EXPECT_EQ(what_is_wrong_with_tethers(run.particles), "") << system.name;
        }
    }
}

void count(const FuzzCase& fuzz, const SlabRun& expected, Tally& tally) {
    Lists lists = lists_of(fuzz.system.particles);
    for (const Contact& record : expected.contacts) count(rules_of(fuzz.system), record, lists, tally);
    ++tally.runs;
    tally.errors += expected.error.empty() ? 0 : 1;
}

/// The systems are random, with tethers.
TEST(TetherFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_TETHER_FUZZ", {0, 300});
    Tally tally;
    expect_reference_of_seeds(tether_fuzz_case, seeds, [&](const FuzzCase& fuzz, const SlabRun& expected) {
        count(fuzz, expected, tally);
    });
    std::printf("%s\n", tally.text().c_str());
    if (seeds.count < 300) return;
    EXPECT_GT(tally.sticks, 500);
    EXPECT_GT(tally.holds, 2000);
    EXPECT_GT(tally.touches, 2000);
    EXPECT_GT(tally.parts, 200);
    EXPECT_GT(tally.suspended, 30);
    EXPECT_GT(tally.decays, 50);
}

/// The systems are random, with tethers.
TEST(LongTetherFuzz, ReferenceBitsOnAnyRanks) { expect_reference_of_seeds(tether_fuzz_case, long_seeds); }

}  // namespace
}  // namespace ricochet::test
