// SPDX-License-Identifier: BSD-3-Clause
//
// Broken preconditions of each room. The checks of inner loops need a build that has heavy ones (preset asan or
// debug).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "core/block_store.hpp"
#include "core/hash.hpp"
#include "core/permutation.hpp"
#include "dynamics/ballistic.hpp"
#include "dynamics/brownian.hpp"
#include "dynamics/normal.hpp"
#include "engine/coverage.hpp"
#include "engine/local_motion.hpp"
#include "engine/neighbour_lists.hpp"
#include "engine/partner.hpp"
#include "engine/window_schedule.hpp"
#include "geometry/obstacle.hpp"
#include "geometry/sphere_grid.hpp"
#include "model/box_fit.hpp"
#include "model/reorder.hpp"
#include "model/size_distribution.hpp"
#include "observe/observables.hpp"
#include "parallel/cuts.hpp"
#include "parallel/slabs.hpp"
#include "placement/lattice.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/random.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/kinetic/engine_choice.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/bounding_spheres.hpp"
#include "search/candidate_pairs.hpp"
#include "tests/support/systems.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::periodic_box;
using test::run_ranks;

const Box box = periodic_box({10, 10, 10});

TEST(Preconditions, OfCore) {
    const std::vector<std::byte> bytes(12);
    EXPECT_THROW(sequence_sum(0, 0, bytes, 8), std::logic_error);
    EXPECT_THROW(KeyedPermutation((std::uint64_t{1} << 62) + 1, 0), std::logic_error);
}

TEST(Preconditions, OfModel) {
    EXPECT_THROW(ImageLengths(Box{.dimension = 4}), std::logic_error);
    EXPECT_THROW(ImageLengths(periodic_box({10, -10, 10})), std::logic_error);
    EXPECT_THROW(confined(5, 6, 10), std::logic_error);
    EXPECT_THROW(sample_radius({.median = 0, .sigma = 1, .minimum = 1, .maximum = 2}, 1, 0),
                 std::logic_error);
    EXPECT_THROW(mean_content(LogNormalRadius{.median = 1, .sigma = 1, .minimum = 2, .maximum = 1}, 3),
                 std::logic_error);
    Particles two;
    two.resize(2);
    EXPECT_THROW(reorder(two, std::vector<std::uint32_t>{2, 1, 0}), std::logic_error);
}

TEST(Preconditions, OfGeometry) { EXPECT_THROW(SphereGrid(box, 0, 1), std::logic_error); }

TEST(Preconditions, OfSearch) {
    std::vector<BoundingSphere> spheres;
    for (const RegisteredSearch& search : registered_searches) {
        if (search.make == nullptr)
            EXPECT_THROW(make_search(search_named(search.word), box), std::logic_error) << search.word;
        else
            EXPECT_THROW(search.make(box, {})->build(spheres, {0, 0}), std::logic_error) << search.word;
    }
    const auto unknown = static_cast<SearchMethod>(registered_searches.size() + 1);
    EXPECT_THROW(to_string(unknown), std::logic_error);
    EXPECT_THROW(make_search(unknown, box), std::logic_error);
    EXPECT_THROW(measure_paths(box, {}, 1, 0, 0, spheres), std::logic_error);
}

World plain_world(const Box& of) {
    World world = test::plain_world();
    world.box = of;
    return world;
}

TEST(Preconditions, OfEngine) {
    const EngineOptions impossible{.search = search_named("cells_crossing"), .loop = SearchLoop::windows};
    const World world = plain_world(box);
    EXPECT_THROW(make_step_engine(world, ContactRules(world), impossible), std::logic_error);
    const auto engine = make_step_engine(world, ContactRules(world), EngineOptions());
    Particles none;
    EXPECT_THROW(engine->begin_step(none, 1, {}, {{0, 1}}, {}), std::logic_error);
    EXPECT_THROW(engine->begin_step(none, 0, {}, {{1, 0}}, {}), std::logic_error);
    Particles two;
    two.resize(2);
    Coverage slab;
    slab.is_whole_box = false;
    EXPECT_THROW(engine->begin_step(two, 2, {}, {{0, 1}}, slab), std::logic_error);
}

/// What may be called when: begin_step, plan_windows, windows one after the other, end_step.
TEST(Preconditions, OfTheOrderOfAStep) {
    const World world = plain_world(box);
    const auto engine = make_step_engine(world, ContactRules(world), EngineOptions());
    Particles none;
    const auto begin = [&] { engine->begin_step(none, 0, {}, {{0, 1}}, {}); };
    ContactList contacts;
    EXPECT_THROW(engine->plan_windows(2), std::logic_error);
    EXPECT_THROW(engine->next_window(), std::logic_error);
    EXPECT_THROW(engine->end_step(), std::logic_error);
    EXPECT_THROW(engine->abandon_step(), std::logic_error);
    begin();
    EXPECT_THROW(begin(), std::logic_error);
    EXPECT_THROW(engine->next_window(), std::logic_error);
    engine->plan_windows(2);
    EXPECT_THROW(engine->plan_windows(2), std::logic_error);
    StepWindow& window = *engine->next_window();
    EXPECT_THROW(engine->next_window(), std::logic_error);
    EXPECT_THROW(engine->end_step(), std::logic_error);
    window.commit(contacts);
    EXPECT_THROW(window.resolve(), std::logic_error);
    EXPECT_THROW(window.halve(), std::logic_error);
    EXPECT_THROW(window.commit(contacts), std::logic_error);
    EXPECT_THROW(window.set_remote_events({}), std::logic_error);
    EXPECT_THROW(engine->spatial_order(), std::logic_error);
    EXPECT_THROW(engine->end_step(), std::logic_error);  // a window is left
    engine->next_window()->commit(contacts);
    EXPECT_EQ(engine->next_window(), nullptr);
    engine->end_step();
    EXPECT_TRUE(engine->spatial_order().empty());
    begin();
    engine->abandon_step();
    begin();
}

TEST(Preconditions, OfDynamics) {
    EXPECT_THROW(initial_velocity(InitialVelocities::maxwell, 1, 0, 3, 1, 0), std::logic_error);
    Particles none;
    EXPECT_THROW(drive_brownian(none, 3, 0, 1, 0), std::logic_error);
    const std::vector<ParticleId> ids(4);
    std::vector<double> four(4), three(3);
    EXPECT_THROW(standard_normals3({}, ids, four, three, {}), std::logic_error);
    EXPECT_THROW(standard_normals3({}, ids, four, four, three), std::logic_error);
}

TEST(Preconditions, OfObserve) {
    ObservableSums one(1), two(2);
    EXPECT_THROW(one.merge_contacts(two), std::logic_error);
    EXPECT_THROW(two.assign(one.integers()), std::logic_error);
    World of_two = plain_world(box);
    of_two.species.resize(2);
    ObservableSeries series(plain_world(box));
    EXPECT_THROW(series.restore(ObservableSeries(of_two).state()), std::logic_error);
    EXPECT_THROW(series.evaluate(two, 1), std::logic_error);
    EXPECT_THROW(series.evaluate(one, -1), std::logic_error);
}

TEST(Preconditions, OfParallel) {
    const SliceGrid grid(box, 1);
    for (const Cuts& cuts : {Cuts{}, Cuts{0}, Cuts{1, 10}, Cuts{0, 9}, Cuts{0, 5, 5, 10}})
        EXPECT_THROW(SlabDecomposition(grid, cuts), std::logic_error);
    EXPECT_THROW(CostProfile(grid, {}, -1), std::logic_error);
    EXPECT_THROW(with_thickness({}, 1), std::logic_error);
    const auto one_message_of_two = [](Exchange& exchange) { exchange.all_to_all({1, Bytes{}}); };
    EXPECT_THROW(run_ranks(2, one_message_of_two), std::logic_error);
}

TEST(Preconditions, OfPlacement) {
    EXPECT_THROW(Lattice::widest(LatticeKind::square, box, 0, 8), std::logic_error);
    EXPECT_THROW(Lattice::widest(LatticeKind::sc, box, 0, 0), std::logic_error);
}

/// In loops over particles and pairs.
TEST(Preconditions, OfInnerLoops) {
    if (!detail::has_heavy_checks) GTEST_SKIP() << "this build has no heavy checks";
    BlockStore store;
    BlockVector<int> numbers(store);
    CandidatePairs pairs(store);
    EXPECT_THROW(numbers[0], std::logic_error);
    EXPECT_THROW(numbers.shrink(1), std::logic_error);
    EXPECT_THROW(pairs.keep(1), std::logic_error);
    EXPECT_THROW(random_words({.step = max_random_step}, 0), std::logic_error);
    EXPECT_THROW(bounded_from(1, 0), std::logic_error);
    EXPECT_THROW(KeyedPermutation(3, 0)(3), std::logic_error);
    EXPECT_THROW(AttributeList()[0], std::logic_error);
    EXPECT_THROW(TrackList().origin(0), std::logic_error);
    LocalMotion local(false, false, true, store);
    EXPECT_THROW(local.motion(0), std::logic_error);
    EXPECT_THROW(local.status(0), std::logic_error);
    WindowSchedule schedule(store);
    BlockVector<InitialPrediction> predictions(store);
    schedule.plan({0, 1}, 2, predictions);
    EXPECT_THROW(schedule.file(WaitingContact{.time = 1}), std::logic_error);
    EXPECT_THROW(NeighbourLists(store).built(0), std::logic_error);
    EXPECT_THROW(Partner::obstacle(Partner::most_obstacles), std::logic_error);
    EXPECT_THROW(Partner::of_remote_event().slot(), std::logic_error);
    EXPECT_THROW(Partner::particle(0).obstacle_index(), std::logic_error);
    EXPECT_THROW(bounding_sphere({}, -1), std::logic_error);
    EXPECT_THROW(SphereGrid(box, 1, 1).cell_of({-1, 0, 0}), std::logic_error);
    EXPECT_THROW(size_class(2, 1), std::logic_error);
    Particles two;
    two.resize(2);
    EXPECT_THROW(reorder(two, std::vector<std::uint32_t>{0, 0}), std::logic_error);
}

}  // namespace
}  // namespace ricochet
