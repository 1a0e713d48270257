// SPDX-License-Identifier: BSD-3-Clause
//
// All search methods against the all-pairs reference, in all scenes: the same contacts in the same order, and the same
// states, in every bit. With 1 to 40 sub-windows, on 1, 2, 3 and 5 ranks, with random cuts, and with another method on
// each rank. No contact is lost on the way: no step is done by a reserve, and triangulations are such.
//
// All methods run at each seed, on other numbers of ranks in turns: after four seeds each has had all. `delaunay` in
// space costs as much as all others together, since it takes copies of few spheres. So at four seeds in five it goes
// the first eighth of the steps only. In the long form one method in five runs at a seed; RICOCHET_METHODS=FIRST:COUNT
// names other seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "tests/support/hash_random.hpp"
#include "tests/support/method_scenes.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/seed_range.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {
namespace {

constexpr SearchMethod delaunay = search_named("delaunay");

/// The number of steps until there have been this many contacts.
int steps_until(std::size_t num_contacts, const System& system) {
    constexpr int most_steps = 40'000;
    SlabRunSettings settings;
    for (settings.num_steps = 8; settings.num_steps < most_steps; settings.num_steps *= 2) {
        const SlabRun run = run_on_threads(1, system, settings);
        EXPECT_EQ(run.error, "") << system.name;
        if (!run.error.empty() || run.contacts.size() < num_contacts) continue;
        const auto enough = std::find_if(run.contacts_until_step.begin(), run.contacts_until_step.end(),
                                         [&](std::size_t until) { return until >= num_contacts; });
        return static_cast<int>(enough - run.contacts_until_step.begin()) + 1;
    }
    ADD_FAILURE() << system.name << " has fewer contacts";
    return 0;
}

/// Cuts and windows at random.
SlabRunSettings random_settings(int num_steps, HashRandom& random) {
    constexpr std::array<std::uint64_t, 7> windows{1, 2, 3, 5, 11, 40, 0};
    SlabRunSettings settings;
    settings.num_steps = num_steps;
    settings.slabs.num_windows = windows[random.index(windows.size())];
    if (random.uniform() < 0.5) settings.cuts_of_step = random_cuts(random.bits());
    return settings;
}

/// The wanted number of ranks, or as many as the box has slices for.
int ranks_for(const System& system, int wanted) {
    return std::min(wanted, static_cast<int>(slice_grid_of(system).num_slices()));
}

/// In nearly all steps: a slab may hold too few for one.
void expect_triangulations(const SlabRun& run, int num_ranks, const SlabRunSettings& settings,
                           const std::string& where) {
    const StepStatistics& counts = run.statistics.engine;
    const auto num_steps = static_cast<std::uint64_t>(settings.num_steps * num_ranks);
    EXPECT_LE(counts.num_on_cells, 1 + num_steps / 20) << where;
    EXPECT_GT(counts.num_first_certificates, 0u) << where;
}

void expect_same(const SlabRun& expected, const System& system, int num_ranks,
                 const SlabRunSettings& settings, const std::string& who) {
    const SlabRun run = run_on_threads(num_ranks, system, settings);
    const std::string where = system.name + ", " + who + " on " + std::to_string(num_ranks) + " ranks, " +
                              std::to_string(settings.slabs.num_windows) + " windows";
    ASSERT_EQ(first_difference(expected, run), "") << where;
    ASSERT_EQ(run.statistics.engine.num_replaced, 0u) << where;
    if (settings.engine.search == delaunay) expect_triangulations(run, num_ranks, settings, where);
}

/// Which seeds and how many contacts, and that one in `num_turns` methods runs at a seed.
struct Extent {
    SeedRange seeds;
    std::size_t num_contacts;
    std::uint64_t num_turns;
};

/// Expects the same of one method, on a rank count whose turn it is.
void expect_same_by(std::size_t number, const SlabRun& expected, const System& system,
                    const SlabRunSettings& random, std::uint64_t seed, const Extent& extent) {
    constexpr std::array rank_counts{1, 2, 3, 5};
    constexpr std::uint64_t all_steps_every = 5;
    const TestedSearch& search = searches[number];
    SlabRunSettings settings = random;
    settings.engine.search = search.method;
    settings.engine.loop = search.loop;
    const int wanted = rank_counts[(number + seed / extent.num_turns) % rank_counts.size()];
    const int num_ranks = ranks_for(system, wanted);
    const bool is_cut_short = extent.num_turns == 1 && search.method == delaunay &&
                              system.box.dimension == 3 && seed % all_steps_every != 0;
    if (!is_cut_short) return expect_same(expected, system, num_ranks, settings, to_string(search));
    settings.num_steps = (settings.num_steps + 7) / 8;
    expect_same(run_reference(system, settings), system, num_ranks, settings, to_string(search));
}

void expect_same_by_all_methods(const System& system, std::uint64_t seed, const Extent& extent) {
    const int num_steps = steps_until(extent.num_contacts, system);
    SlabRunSettings plain;
    plain.num_steps = num_steps;
    const SlabRun expected = run_reference(system, plain);
    ASSERT_GE(expected.contacts.size(), extent.num_contacts) << system.name;
    HashRandom random(seed);
    for (std::size_t k = seed % extent.num_turns; k < searches.size(); k += extent.num_turns) {
        expect_same_by(k, expected, system, random_settings(num_steps, random), seed, extent);
        if (testing::Test::HasFatalFailure()) return;
    }
    SlabRunSettings settings = random_settings(num_steps, random);
    settings.search_by_rank.assign(searches.begin(), searches.end());
    random.shuffle(settings.search_by_rank);
    const int num_ranks = ranks_for(system, seed % 2 == 0 ? 5 : 3);
    expect_same(expected, system, num_ranks, settings, "a method of its own on each");
}

void expect_same_in(std::string_view scene, const Extent& extent) {
    for (std::uint64_t seed = extent.seeds.first;
         seed < extent.seeds.end() && !testing::Test::HasFatalFailure(); ++seed)
        for (const int dimension : {2, 3})
            expect_same_by_all_methods(method_scene(scene, dimension, extent.num_contacts, seed), seed,
                                       extent);
}

class MethodsDifferential : public testing::TestWithParam<std::string_view> {};
TEST_P(MethodsDifferential, HaveReferenceBits) {
    expect_same_in(GetParam(), {seeds_of("RICOCHET_METHODS", {0, 4}), 500, 1});
}

class LongMethodsDifferential : public testing::TestWithParam<std::string_view> {};
TEST_P(LongMethodsDifferential, HaveReferenceBits) {
    expect_same_in(GetParam(), {seeds_of("RICOCHET_METHODS", {0, 100}), 5000, 5});
}

const auto name_of_scene = [](const auto& scene) { return std::string(scene.param); };
INSTANTIATE_TEST_SUITE_P(All, MethodsDifferential, testing::ValuesIn(method_scenes), name_of_scene);
INSTANTIATE_TEST_SUITE_P(All, LongMethodsDifferential, testing::ValuesIn(method_scenes), name_of_scene);

}  // namespace
}  // namespace ricochet::test
