// SPDX-License-Identifier: BSD-3-Clause
//
// All search methods against the all-pairs reference, in all scenes: the same contacts in the same order, and the same
// states, in every bit. With 1 to 40 sub-windows, on 1, 2, 3 and 5 ranks, with random cuts, and with another method on
// each rank.
//
// Of the methods one in five runs in turn in a system, so that all have run in a scene after five seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "tests/support/hash_random.hpp"
#include "tests/support/method_scenes.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {
namespace {

/// The steps that it takes until there have been so many contacts.
int steps_until(std::size_t num_contacts, const System& system) {
    constexpr int most_steps = 4000;
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

/// Ranks, cuts and windows at random.
SlabRunSettings random_settings(int num_steps, HashRandom& random) {
    constexpr std::array<std::uint64_t, 7> windows{1, 2, 3, 5, 11, 40, 0};
    SlabRunSettings settings;
    settings.num_steps = num_steps;
    settings.slabs.num_windows = windows[random.index(windows.size())];
    if (random.uniform() < 0.5) settings.cuts_of_step = random_cuts(random.bits());
    return settings;
}

int random_ranks(int fewest, const System& system, HashRandom& random) {
    constexpr std::array ranks{1, 2, 3, 5};
    const int num_ranks = std::max(fewest, ranks[random.index(ranks.size())]);
    return std::min(num_ranks, static_cast<int>(slice_grid_of(system).num_slices()));
}

void expect_same_by_all_methods(const System& system, std::size_t num_contacts, std::uint64_t seed) {
    const int num_steps = steps_until(num_contacts, system);
    SlabRunSettings plain;
    plain.num_steps = num_steps;
    const SlabRun expected = run_reference(system, plain);
    ASSERT_GE(expected.contacts.size(), num_contacts) << system.name;
    HashRandom random(seed);
    for (std::size_t k = seed % 5; k < searches.size(); k += 5) {
        const TestedSearch& search = searches[k];
        SlabRunSettings settings = random_settings(num_steps, random);
        settings.engine.search = search.method;
        settings.engine.loop = search.loop;
        const int num_ranks = random_ranks(1, system, random);
        ASSERT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
            << system.name << ", " << to_string(search) << " on " << num_ranks << " ranks, "
            << settings.slabs.num_windows << " windows";
    }
    SlabRunSettings settings = random_settings(num_steps, random);
    settings.search_by_rank.assign(searches.begin(), searches.end());
    random.shuffle(settings.search_by_rank);
    const int num_ranks = random_ranks(3, system, random);
    ASSERT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
        << system.name << ", a method of its own on each of " << num_ranks << " ranks";
}

void expect_same_in(std::string_view scene, std::uint64_t num_seeds, std::size_t num_contacts) {
    for (std::uint64_t seed = 0; seed < num_seeds && !testing::Test::HasFatalFailure(); ++seed)
        for (const int dimension : {2, 3})
            expect_same_by_all_methods(method_scene(scene, dimension, num_contacts, seed), num_contacts,
                                       seed);
}

class MethodsDifferential : public testing::TestWithParam<std::string_view> {};
TEST_P(MethodsDifferential, HaveReferenceBits) { expect_same_in(GetParam(), 5, 500); }

class LongMethodsDifferential : public testing::TestWithParam<std::string_view> {};
TEST_P(LongMethodsDifferential, HaveReferenceBits) { expect_same_in(GetParam(), 100, 5000); }

const auto name_of_scene = [](const auto& scene) { return std::string(scene.param); };
INSTANTIATE_TEST_SUITE_P(All, MethodsDifferential, testing::ValuesIn(method_scenes), name_of_scene);
INSTANTIATE_TEST_SUITE_P(All, LongMethodsDifferential, testing::ValuesIn(method_scenes), name_of_scene);

}  // namespace
}  // namespace ricochet::test
