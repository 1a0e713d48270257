// SPDX-License-Identifier: BSD-3-Clause
//
// Studies of searches: that they do what a run does, and notice a method that does something else.
#include "study/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "config/search_rules.hpp"
#include "model/particle_hash.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/run/simulation.hpp"
#include "slabs/work_meter.hpp"
#include "study/study_text.hpp"
#include "study/study_trace.hpp"
#include "tests/support/mpi/good_input.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

const std::string gas =
    "box: {size: [16, 6, 6], boundary: [periodic, reflecting, periodic]}\n"
    "species: [{name: ball, radius: 0.5, mass: 1, count: 150}]\n"
    "dynamics: {type: ballistic, kT: 1}\nrun: {timestep: 0.2, steps: 10}\noutput: {file: none.h5md}\n";

Config with(const std::vector<std::string>& overrides) { return parse_config(gas, "input.yaml", overrides); }

std::vector<StudyMethod> all_searches() {
    std::vector<StudyMethod> methods;
    for (const RegisteredSearch& search : registered_searches) {
        const std::string word(search.word);
        methods.push_back({word, with({"search.method=" + word})});
    }
    return methods;
}

StudyResult study(Exchange& exchange, const std::vector<StudyMethod>& methods, const StudyPlan& plan) {
    Monitor silence;
    const Config& config = methods.front().config;
    return run_study(exchange, make_study_start(exchange, config, silence), methods, plan, silence);
}

std::string error_of(Exchange& exchange, const std::vector<StudyMethod>& methods) {
    try {
        study(exchange, methods, {.num_steps = 10, .steps_per_turn = 3});
    } catch (const RunError& error) {
        return error.what();
    }
    return "no error";
}

TEST(RanksStudy, DoesTheStepsOfARun) {
    MpiRanks world;
    const Config config = with({});
    Monitor silence;
    Recorder nothing;
    Simulation simulation(world, config, silence);
    simulation.run(nothing);
    const StudyResult result = study(world, all_searches(), {.num_steps = 10, .steps_per_turn = 3});
    EXPECT_EQ(result.final_particles, sum_over_ranks(world, fingerprint(simulation.owned())));
    EXPECT_EQ(static_cast<std::int64_t>(result.num_contacts),
              simulation.totals().num_collisions + simulation.totals().num_wall_contacts);
    EXPECT_EQ(result.num_particle_steps, 1500);
}

/// Columns stay apart, however large the numbers are.
TEST(Study, TableHasColumnsApart) {
    StudyResult result;
    result.num_ranks = 1;
    result.num_steps = 3;
    result.num_particle_steps = 30;
    result.num_contacts = 7;
    MethodCost method;
    method.name = "cells_every_move/precheck";
    method.counts.num_pairs = method.counts.num_compared = method.counts.num_candidates = 87'654'321;
    method.counts.num_found = method.counts.num_searches = method.counts.num_enlarged = 87'654'321;
    method.counts.num_topological = 87'654'321;
    method.counts.num_sorted = 1'234;
    method.search_bytes = method.engine_bytes = 87'654'321;
    method.seconds = method.cpu_seconds = {12.345678, 12.345678, 12.345678};
    result.methods.push_back(method);
    const std::string table = study_table(result);
    std::istringstream row(table.substr(table.find("\ncells_every_move") + 1));
    const std::vector<std::string> words{std::istream_iterator<std::string>(row), {}};
    ASSERT_EQ(words.size(), 16u) << table;  // 14 columns, quartiles are three words
    EXPECT_EQ(words[0], "cells_every_move/precheck");
    EXPECT_EQ(words[10], "7.103e+04");  // links
    EXPECT_EQ(words[11], "1.252e+07");  // searches
}

TEST(RanksStudy, CountsWhatEachMethodDoes) {
    MpiRanks world;
    const StudyResult result = study(world, all_searches(), {.num_steps = 8});
    ASSERT_EQ(result.methods.size(), registered_searches.size());
    EXPECT_GT(result.num_pair_contacts, 100u);
    EXPECT_GT(result.num_contacts, result.num_pair_contacts);
    for (const MethodCost& method : result.methods) {
        for (const std::uint64_t number :
             {method.num_candidates(), method.num_exact_tests(), method.num_searches()})
            EXPECT_GT(number, 0u) << method.name;
        for (const double number : {method.seconds.lower, method.cpu_seconds.lower, method.engine_bytes})
            EXPECT_GT(number, 0) << method.name;
        const bool is_for_steps =
            has_step_search(search_named(method.name));  // else it has no bounding spheres
        for (const std::uint64_t number :
             {method.counts.num_pairs, method.counts.num_sorted, method.counts.num_enlarged})
            EXPECT_EQ(number > 0, is_for_steps) << method.name;
        EXPECT_GE(method.num_candidates(), method.counts.num_pairs) << method.name;
        EXPECT_GE(method.num_exact_tests(), method.counts.num_pairs) << method.name;
        for (const Quartiles& times : {method.seconds, method.cpu_seconds}) {
            EXPECT_LE(times.lower, times.median) << method.name;
            EXPECT_GE(times.upper, times.median) << method.name;
        }
    }
}

TEST(RanksStudy, CountsEventsOfStructuresByKind) {
    MpiRanks world;
    const std::vector<StudyMethod> methods{
        {"cells", with({"search.method=cells"})},
        {"cells_crossing", with({"search.method=cells_crossing"})},
        {"sweep", with({"search.method=sweep_and_prune", "search.loop=queue"})},
        {"delaunay", with({"search.method=delaunay"})},
        {"time_bounds", with({"search.method=time_bounds"})}};
    const StudyResult result = study(world, methods, {.num_steps = 20});
    for (const MethodCost& method : result.methods) {
        const StepStatistics& counts = method.counts;
        const bool is_of_bounds = method.name == "time_bounds", is_of_cells = method.name[0] == 'c';
        const std::uint64_t of_bounds = counts.num_resets + counts.num_entered + counts.num_left +
                                        counts.num_bound_pairs + counts.num_bound_walls;
        EXPECT_EQ(of_bounds, is_of_bounds ? counts.num_topological : 0) << method.name;
        EXPECT_EQ(counts.num_topological == 0, method.name == "cells") << method.name;
        EXPECT_EQ(counts.num_certificates == 0, is_of_cells) << method.name;
        EXPECT_EQ(counts.num_first_certificates == 0, is_of_cells) << method.name;
        EXPECT_EQ(counts.num_changed_certificates == 0, is_of_cells) << method.name;
        EXPECT_EQ(counts.num_changed_certificates == counts.num_certificates, is_of_cells) << method.name;
        if (!is_of_bounds) continue;
        EXPECT_GT(counts.num_entered, 0u);
        EXPECT_GT(counts.num_left, 0u);
        EXPECT_GT(counts.num_bound_pairs, 0u);
        EXPECT_GT(counts.num_bound_walls, 0u);
    }
}

/// The time of all ranks together is most of what their threads use in the study; the rest are its start and its
/// comparisons.
TEST(RanksStudy, AddsTheCpuTimeOfAllRanks) {
    MpiRanks world;
    const std::vector<StudyMethod> methods{{"cells", with({"search.method=cells"})},
                                           {"all_pairs", with({"search.method=all_pairs"})}};
    constexpr std::uint64_t num_steps = 300;
    const double began = thread_cpu_seconds();
    const StudyResult result = study(world, methods, {.num_steps = num_steps, .steps_per_turn = num_steps});
    constexpr double nanosecond = 1e-9;
    std::array<std::int64_t, 1> all{std::llround((thread_cpu_seconds() - began) / nanosecond)};
    world.sum(all);
    double found = 0;
    for (const MethodCost& method : result.methods) found += num_steps * method.cpu_seconds.median;
    EXPECT_LE(found, nanosecond * static_cast<double>(all[0]));
    EXPECT_GE(found, 0.7 * nanosecond * static_cast<double>(all[0]));
}

TEST(RanksStudy, KeepsToDecaysAndReactions) {
    MpiRanks world;
    const std::string text =
        gas +
        "contacts: {pairs: [{between: [ball, ball], react: {to: [ball], probability: 0.1}}]}\n"
        "decays: [{from: ball, to: [ball, ball], rate: 0.1}]\n";
    std::vector<StudyMethod> methods = all_searches();
    const Config config = parse_config(text, "input.yaml");
    std::erase_if(methods, [&config](const StudyMethod& method) {
        return !find_search_problem(config, method.config.search).empty();
    });
    EXPECT_GT(methods.size(), all_searches().size() / 2);
    for (StudyMethod& method : methods) {
        const std::vector<std::string> overrides{"search.method=" + method.name};
        method.config = parse_config(text, "input.yaml", overrides);
    }
    const StudyResult result = study(world, methods, {.num_steps = 6, .steps_per_turn = 2});
    EXPECT_NE(result.num_particle_steps, 6 * 150);
}

TEST(RanksStudy, NoticesAMethodThatDiffers) {
    MpiRanks world;
    std::vector<StudyMethod> methods = all_searches();
    methods[1].config = with({"contacts.restitution=0.999"});
    methods[1].name = "lossy";
    const std::string error = error_of(world, methods);
    EXPECT_THAT(error, HasSubstr("step 0: cells and lossy differ: the first contact"));
    EXPECT_THAT(error, HasSubstr("both have it, with different values"));
}

/// The state differs though no contact does: in a box so dilute that there are none.
TEST(RanksStudy, NoticesParticlesThatDiffer) {
    MpiRanks world;
    const std::vector<std::string> alone{"species.0.count=1", "box.boundary=periodic"};
    std::vector<StudyMethod> methods{{"short", with(alone)}, {"long", with(alone)}};
    methods[1].config.run.timestep *= 1.5;
    EXPECT_THAT(error_of(world, methods),
                HasSubstr("step 2: short and long differ: their contacts are the same, but not particle 0"));
}

Contact contact(double time, ParticleId low, ParticleId high) {
    Contact c;
    c.key = {time, 0, low, high};
    c.speed = 1;
    return c;
}

/// What this rank has of contacts that are dealt out in turn, beginning with rank `first`.
StudyTrace dealt(const Exchange& exchange, const std::vector<Contact>& contacts, int first) {
    std::vector<Contact> mine;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if ((static_cast<int>(k) + first) % exchange.size() == exchange.rank()) mine.push_back(contacts[k]);
    }
    StudyTrace trace;
    trace.begin_turn(4);
    trace.contacts(4, {});
    trace.contacts(5, mine);
    return trace;
}

const std::vector<Contact> some_contacts{contact(0.3, 1, 2), contact(0.1, 3, 7), contact(0.2, 2, 9),
                                         contact(0.2, 4, 5)};

TEST(RanksStudyTrace, DoesNotDependOnRanksOrOrder) {
    MpiRanks world;
    std::vector<Contact> turned = some_contacts;
    std::reverse(turned.begin(), turned.end());
    EXPECT_FALSE(find_difference(world, dealt(world, some_contacts, 0), dealt(world, turned, 1)));
}

TEST(RanksStudyTrace, NamesTheFirstMissingContact) {
    MpiRanks world;
    std::vector<Contact> fewer(some_contacts.begin() + 1, some_contacts.end() - 1);
    const auto found = find_difference(world, dealt(world, some_contacts, 0), dealt(world, fewer, 1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->step, 5u);
    EXPECT_EQ(found->key, some_contacts[3].key);
    EXPECT_TRUE(found->is_in_first);
    EXPECT_FALSE(found->is_in_second);
}

TEST(RanksStudyTrace, NoticesAnyMember) {
    MpiRanks world;
    const auto notices = [&](auto change) {
        std::vector<Contact> changed = some_contacts;
        change(changed[2]);
        const auto found = find_difference(world, dealt(world, some_contacts, 0), dealt(world, changed, 0));
        return found && found->key == some_contacts[2].key && found->is_in_first && found->is_in_second;
    };
    EXPECT_TRUE(notices([](Contact& c) { c.point.x = 1e-300; }));
    EXPECT_TRUE(notices([](Contact& c) { c.distance = 1; }));
    EXPECT_TRUE(notices([](Contact& c) { c.rule = 3; }));
    EXPECT_TRUE(notices([](Contact& c) { c.effect = ContactEffect::stick; }));
}

TEST(RanksStudyTrace, CountsRepeatedContacts) {
    MpiRanks world;
    std::vector<Contact> twice = some_contacts;
    twice.push_back(some_contacts[1]);
    const auto found = find_difference(world, dealt(world, some_contacts, 0), dealt(world, twice, 0));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->key, some_contacts[1].key);
}

TEST(StudyQuartiles, LeaveTheFirstTurnOut) {
    const Quartiles several = quartiles_of_turns({100, 1, 5, 3, 2, 4}), single = quartiles_of_turns({7});
    EXPECT_EQ(several.lower, 2);
    EXPECT_EQ(several.median, 3);
    EXPECT_EQ(several.upper, 4);
    EXPECT_EQ(single.median, 7);
}

TEST(StudyQuantile, IsBetweenNeighbours) {
    EXPECT_EQ(quantile({}, 0.5), 0);
    EXPECT_EQ(quantile({3}, 0.25), 3);
    EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
    EXPECT_EQ(quantile({5, 1, 3, 2, 4}, 0.75), 4);
}

// --- detection after each step -------------------------------------------------------------------------------

AfterStepCounts counts_after_steps(const std::string& text, const std::string& name,
                                   std::uint64_t num_steps) {
    MpiRanks world;
    Monitor silence;
    const Config config = parse_config(text, name);
    const StudyPlan plan{.num_steps = num_steps, .steps_per_turn = 2, .looks_after_steps = true};
    return run_study(world, make_study_start(world, config, silence), {{"auto", config}}, plan, silence)
        .after_steps.value();
}

/// Two pairs overlap at the end of the step; one has gone through, and one has grazed.
TEST(RanksStudy, LooksAfterSteps) {
    MpiRanks world;
    const TemporaryFolder folder(world);
    if (world.rank() == 0)
        std::ofstream(folder.file("start.csv")) << "id,x,y,z,vx,vy,vz\n"
                                                   "0,2,2,2,1,0,0\n1,3.05,2,2,0,0,0\n"
                                                   "2,8,2,2,60,0,0\n3,12,2,2,0,0,0\n"
                                                   "4,20,2,2,0,0,0\n5,19.5,2.99,2,10,0,0\n"
                                                   "6,30,4,4,0,0,0\n7,30,4,2,0,0,15\n";
    const AfterStepCounts counts = counts_after_steps(
        "box: {size: [80, 8, 8], boundary: reflecting}\nspecies: [{name: a, radius: 0.5, mass: 1}]\n"
        "placement: {method: file, path: start.csv}\ndynamics: {type: ballistic}\n"
        "run: {timestep: 0.1, steps: 1}\n",
        folder.file("input.yaml"), 1);
    EXPECT_EQ(counts.num_touching, 4u);
    EXPECT_EQ(counts.num_overlapping, 2u);
}

/// The shorter the step, the fewer are missed; the same on any ranks.
TEST(RanksStudy, LooksAfterShortSteps) {
    double missed_before = 1;
    for (const double timestep : {0.4, 0.1, 0.01}) {
        const auto num_steps = static_cast<std::uint64_t>(4 / timestep);
        const AfterStepCounts counts =
            counts_after_steps(changed(changed(gas, "[16, 6, 6]", "[28, 6, 6]"), "timestep: 0.2",
                                       "timestep: " + std::to_string(timestep)),
                               "input.yaml", num_steps);
        ASSERT_GT(counts.num_touching, 50u);
        const double missed =
            1 - static_cast<double>(counts.num_overlapping) / static_cast<double>(counts.num_touching);
        std::printf("timestep %g: %.3f missed\n", timestep, missed);
        EXPECT_LT(missed, missed_before);
        missed_before = missed;
    }
    EXPECT_LT(missed_before, 0.2);
}

TEST(RanksStudy, LooksAtNoEndsUnasked) {
    MpiRanks world;
    EXPECT_FALSE(study(world, {{"auto", with({})}}, {.num_steps = 2}).after_steps.has_value());
}

}  // namespace
}  // namespace ricochet::test
