// SPDX-License-Identifier: BSD-3-Clause
//
// Runs that prevent inelastic collapse against the reference, in every bit; and a run that goes on with other ranks
// against one in a single part. All other fuzzers have such runs too; here contacts are many, and lose energy.
// RICOCHET_COLLAPSE_FUZZ=FIRST:COUNT runs other seeds, for as long as one likes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/support/differential.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

/// Of two kinds in turn: only bounces, and any rules.
FuzzCase collapse_fuzz_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x6c6f737379);
    FuzzCase fuzz;
    fuzz.system = seed % 2 == 0 ? arbitrary_system(random.bits()) : arbitrary_rule_system(random.bits());
    World world = world_of(fuzz.system);
    if (std::holds_alternative<Bounce>(world.pair_rule)) world.pair_rule = Bounce{random.uniform(0, 1)};
    if (std::holds_alternative<Bounce>(world.wall_rule)) world.wall_rule = Bounce{random.uniform(0, 1)};
    world.collapse_duration = random.log_uniform(0.02, 5) * fuzz.system.dt;
    fuzz.system.world = world;
    fuzz.settings = random_slab_settings(fuzz.system, random.bits());
    fuzz.settings.num_steps = 8;
    fuzz.settings.engine.contact_cap = 500;  // without `collapse` some rattle up to any
    const TestedSearch& search = search_choices[random.index(search_choices.size())];
    fuzz.settings.engine.search = search.method;
    fuzz.settings.engine.loop = search.loop;
    const auto num_slices = static_cast<std::uint64_t>(slice_grid_of(fuzz.system).num_slices());
    fuzz.num_ranks = static_cast<int>(1 + random.index(std::min<std::uint64_t>(7, num_slices)));
    fuzz.what = "collapse fuzz case, " + to_string(search) + ", " + std::to_string(fuzz.num_ranks) + " ranks";
    return fuzz;
}

/// Energy that contacts take, by which one sees whether they were elastic.
double energy_of(const SlabRun& run) {
    double sum = 0;
    for (std::size_t k = 0; k < run.particles.size(); ++k) {
        const Vec3 v = run.particles.motion[k].velocity;
        sum += 0.5 * run.particles.attributes[k].mass * dot(v, v);
    }
    return sum;
}

/// Whether the system without a duration loses another energy.
bool is_changed_by_duration(const FuzzCase& fuzz, const SlabRun& run) {
    FuzzCase without = fuzz;
    without.system.world->collapse_duration = 0;
    const SlabRun other = run_on_threads(1, without.system, without.settings);
    return other.error.empty() && run.error.empty() && energy_of(run) != energy_of(other);
}

TEST(CollapseFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_COLLAPSE_FUZZ", {0, 200});
    std::uint64_t num_changed = 0;
    expect_reference_of_seeds(collapse_fuzz_case, seeds, [&](const FuzzCase& fuzz, const SlabRun& run) {
        num_changed += is_changed_by_duration(fuzz, run) ? 1 : 0;
    });
    std::printf("durations change %d of %d runs\n", static_cast<int>(num_changed),
                static_cast<int>(seeds.end() - seeds.first));
    if (seeds.first > 0) return;
    EXPECT_GE(num_changed, 60u);
}

/// Stops after some steps, and goes on with what the particles keep. `forgets`: without the times of their contacts.
SlabRun run_in_two_parts(const FuzzCase& fuzz, std::uint64_t seed, bool forgets = false) {
    HashRandom random(seed ^ 0x74776f);
    const auto some_ranks = [&random](const System& of) {  // they may have grown in the first part
        const std::int64_t most = std::min<std::int64_t>(7, slice_grid_of(of).num_slices());
        return static_cast<int>(1 + random.index(static_cast<std::uint64_t>(most)));
    };
    const int whole = fuzz.settings.num_steps;
    SlabRunSettings settings = fuzz.settings;
    settings.num_steps = 1 + static_cast<int>(random.index(static_cast<std::uint64_t>(whole - 1)));
    System system = fuzz.system;
    const SlabRun first = run_on_threads(some_ranks(system), system, settings);
    if (!first.error.empty()) return first;
    system.particles = first.particles;
    if (forgets) std::ranges::fill(system.particles.track.latest_contacts(), no_contact_yet);
    settings.first_step = settings.num_steps;
    settings.num_steps = whole;
    return run_on_threads(some_ranks(system), system, settings);
}

TEST(CollapseFuzz, GoesOnWithOtherRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_COLLAPSE_FUZZ", {0, 100});
    int num_compared = 0, num_in_need = 0;
    for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
        const FuzzCase fuzz = collapse_fuzz_case(seed);
        const SlabRun whole = run_on_threads(fuzz.num_ranks, fuzz.system, fuzz.settings);
        const SlabRun in_parts = run_in_two_parts(fuzz, seed);
        EXPECT_EQ(whole.error, in_parts.error) << "seed " << seed << ": " << fuzz.what;
        if (!whole.error.empty()) continue;
        EXPECT_EQ(first_difference(whole.particles, in_parts.particles), "")
            << "seed " << seed << ": " << fuzz.what;
        ++num_compared;
        const SlabRun forgetful = run_in_two_parts(fuzz, seed, true);
        num_in_need += energy_of(whole) != energy_of(forgetful) ? 1 : 0;
    }
    std::printf("%d runs in two parts, of which %d need the times of contacts\n", num_compared, num_in_need);
    if (seeds.first > 0) return;
    EXPECT_GE(num_compared, 50);
    EXPECT_GE(num_in_need, 15);
}

}  // namespace
}  // namespace ricochet::test
