// SPDX-License-Identifier: BSD-3-Clause
//
// Structures that are made to lose contacts: the engine with one queue of events finds out, does the step again with a
// reserve, counts that, and gives the reference's bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geometry/path.hpp"
#include "kinetic/all_slots.hpp"
#include "kinetic/cells_crossing.hpp"
#include "kinetic/queue_engine.hpp"
#include "ricochet/search/search_method.hpp"
#include "tests/support/scenario.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {
namespace {

template <class Structure>
std::unique_ptr<StepEngine> engine_with(const System& system, SearchLoop loop = SearchLoop::queue) {
    const World world = world_of(system);
    const EngineOptions options{.search = search_named("all_pairs"), .loop = loop};
    return std::make_unique<QueueEngine>(world, rules_of(system), options,
                                         std::make_unique<Structure>(world.box, options),
                                         std::make_unique<CellsCrossing>(world.box, options));
}

// --- in a gas ----------------------------------------------------------------------------------------------

/// Overlooks one pair in eight until the middle of the step. Then it names all.
class Late : public AllSlots {
  public:
    using AllSlots::AllSlots;
    void begin(const KineticSetting& setting, TopologicalQueue& queue) override {
        AllSlots::begin(setting, queue);
        for (Slot slot = 0; slot < setting.motion.size(); ++slot)
            queue.push({0.5 * (setting.now + setting.end), slot, 0});
    }
    void neighbours(Slot slot, std::vector<Slot>& found) const override {
        AllSlots::neighbours(slot, found);
        std::erase_if(found, [slot](Slot other) { return (slot + other) % 8 == 0; });
    }
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue&,
                                std::vector<Slot>& found) override {
        AllSlots::neighbours(event.name, found);
        return event.name;
    }
};

/// Overlooks one pair in eight for good.
class Forgetful : public AllSlots {
  public:
    using AllSlots::AllSlots;
    void neighbours(Slot slot, std::vector<Slot>& found) const override {
        AllSlots::neighbours(slot, found);
        std::erase_if(found, [slot](Slot other) { return (slot + other) % 8 == 0; });
    }
};

/// A pair that is seen too late is no lost contact: the step is done again with a reserve, and only that step.
TEST(QueueEngine, ReplacesWhatLosesContacts) {
    System system = equal_gas(3, 300, 0.3, 2);
    system.dt = 0.05;
    const auto reference = engine_for(system, {}), engine = engine_with<Late>(system);
    Particles expected = system.particles, particles = system.particles;
    std::uint64_t num_replaced = 0;
    for (int step = 0; step < 6; ++step) {
        const StepResult right = engine_step(*reference, expected, system.dt, {3});
        const StepResult result = engine_step(*engine, particles, system.dt, {3});
        ASSERT_GT(right.contacts.size(), 20u);
        EXPECT_EQ(first_difference(right.contacts, result.contacts), "");
        EXPECT_EQ(first_difference(expected, particles), "");
        num_replaced += engine->statistics().num_replaced;
    }
    EXPECT_GT(num_replaced, 0u);
}

/// On one rank only, in any windows.
TEST(QueueEngine, ReplacesWhatLosesContactsOnARank) {
    System system = equal_gas(3, 600, 0.2, 4);
    system.dt = 0.06;
    SlabRunSettings settings;
    settings.num_steps = 3;
    const SlabRun expected = run_on_threads(1, system, settings);
    for (const int num_ranks : {1, 2, 3, 5})
        for (const std::uint64_t num_windows : {1, 2, 7, 30}) {
            const int broken = static_cast<int>(num_windows) % num_ranks;
            settings.slabs.num_windows = num_windows;
            settings.engine_of_rank = [&](int rank) {
                return rank == broken ? engine_with<Late>(system) : engine_with<AllSlots>(system);
            };
            const SlabRun run = run_on_threads(num_ranks, system, settings);
            EXPECT_EQ(first_difference(expected, run), "")
                << num_windows << " windows on " << num_ranks << " ranks";
            EXPECT_GE(run.statistics.engine.num_replaced, 1u);
            EXPECT_LE(run.statistics.engine.num_replaced, 3u);
        }
}

/// Pairs that are never named show by their overlap at the end of the step. On one rank only, in any windows and loops.
TEST(QueueEngine, ReplacesWhatNeverNamesAPair) {
    System system = equal_gas(3, 600, 0.2, 5);
    system.dt = 0.06;
    SlabRunSettings settings;
    settings.num_steps = 2;
    const SlabRun expected = run_on_threads(1, system, settings);
    for (const int num_ranks : {1, 2, 3, 5})
        for (const auto& [num_windows, loop] :
             {std::pair(1, SearchLoop::queue), std::pair(7, SearchLoop::queue),
              std::pair(2, SearchLoop::restart)}) {
            const int forgetful = num_windows % num_ranks;
            settings.slabs.num_windows = static_cast<std::uint64_t>(num_windows);
            settings.engine_of_rank = [&](int rank) {
                return rank == forgetful ? engine_with<Forgetful>(system, loop)
                                         : engine_with<AllSlots>(system, loop);
            };
            const SlabRun run = run_on_threads(num_ranks, system, settings);
            EXPECT_EQ(first_difference(expected, run), "")
                << num_windows << " windows on " << num_ranks << " ranks";
            EXPECT_EQ(run.statistics.engine.num_replaced, 2u) << num_ranks;
        }
}

// --- of one pair -------------------------------------------------------------------------------------------

constexpr double seen_at = 0.7;

enum class Names {
    by_event,     ///< all that the first slot has overlooked
    to_who_asks,  ///< nothing by itself
    never,        ///< not in this step
};

/// Overlooks the two first slots for each other until the time `seen_at`, or until some slot has changed.
template <Names names>
class Blind : public AllSlots {
  public:
    using AllSlots::AllSlots;
    void begin(const KineticSetting& setting, TopologicalQueue& queue) override {
        AllSlots::begin(setting, queue);
        is_blind_ = true;
        if (names == Names::by_event) queue.push({seen_at, 0, 0});
    }
    void neighbours(Slot slot, std::vector<Slot>& found) const override {
        AllSlots::neighbours(slot, found);
        if (is_blind_) std::erase_if(found, [slot](Slot other) { return slot + other == 1; });
    }
    std::optional<Slot> process(const TopologicalEvent&, TopologicalQueue&,
                                std::vector<Slot>& found) override {
        is_blind_ = false;
        AllSlots::neighbours(0, found);
        return 0;
    }
    bool changed(Slot, double, TopologicalQueue&) override {
        if (names == Names::to_who_asks) is_blind_ = false;
        return true;
    }
    void save() override { saved_is_blind_ = is_blind_; }
    void restore() override { is_blind_ = saved_is_blind_; }

  private:
    bool is_blind_ = true, saved_is_blind_ = true;
};

/// Two discs touch at 0.3.
System approach() {
    return Scenario("approach")
        .walled({32, 16, 0})
        .timestep(1)
        .sphere({10, 8, 0})
        .sphere({11.3, 8, 0}, {-1, 0, 0})
        .system();
}

/// They touch at 0.3, and would have flown through each other by 0.64.
System quick_approach() {
    return Scenario("quick approach")
        .walled({32, 16, 0})
        .timestep(1)
        .sphere({10, 8, 0})
        .sphere({12.8, 8, 0}, {-6, 0, 0})
        .system();
}

/// A disc falls past one at rest that it should touch, and the wall below sends it back, away from that one.
System bounce_off_a_wall() {
    return Scenario("bounce off a wall")
        .walled({32, 16, 0})
        .timestep(1)
        .sphere({10, 0.5, 0})
        .sphere({10.6, 1.6, 0}, {0, -2.5, 0}, 0.6)
        .system();
}

/// Though one of the two has changed since they touched, or nothing has come to pass, and in windows that follow.
TEST(QueueEngine, FindsOutThatAContactIsLost) {
    struct Case {
        System system;
        std::unique_ptr<StepEngine> engine;
    };
    for (const std::uint64_t num_windows : {1, 2, 10}) {
        std::vector<Case> cases;
        cases.push_back({approach(), engine_with<Blind<Names::by_event>>(approach())});
        cases.push_back({quick_approach(), engine_with<Blind<Names::by_event>>(quick_approach())});
        cases.push_back({bounce_off_a_wall(), engine_with<Blind<Names::by_event>>(bounce_off_a_wall())});
        cases.push_back({bounce_off_a_wall(), engine_with<Blind<Names::to_who_asks>>(bounce_off_a_wall())});
        for (const SearchLoop loop : {SearchLoop::queue, SearchLoop::restart, SearchLoop::precheck})
            cases.push_back({approach(), engine_with<Blind<Names::never>>(approach(), loop)});
        for (const auto& [system, engine] : cases) {
            Particles expected = system.particles, particles = system.particles;
            const StepResult right = engine_step(*engine_for(system), expected, system.dt);
            const StepResult result = engine_step(*engine, particles, system.dt, {num_windows});
            EXPECT_EQ(first_difference(right.contacts, result.contacts), "") << system.name;
            EXPECT_EQ(first_difference(expected, particles), "") << system.name;
            EXPECT_EQ(engine->statistics().num_replaced, 1u) << system.name << ", " << num_windows;
        }
    }
}

/// Overlaps that are there from the start show nothing.
TEST(QueueEngine, TakesNoOverlapAtTheStartForALoss) {
    System system = Scenario("an overlap and others")
                        .walled({32, 16, 0})
                        .timestep(1)
                        .sphere({10, 8, 0})
                        .sphere({10.5, 8, 0}, {0.2, 0, 0})
                        .sphere({13, 8, 0}, {-2, 0, 0})
                        .system();
    const auto engine = engine_with<AllSlots>(system);
    const StepResult result = engine_step(*engine, system.particles, system.dt, {3});
    EXPECT_GT(result.contacts.size(), 0u);
    EXPECT_EQ(engine->statistics().num_replaced, 0u);
}

/// A contact that only the neighbour has seen turns one of two discs that have touched, or one beside them.
class LostAndTurned : public testing::Test {
  protected:
    LostAndTurned() {
        holders_.reset(3);
        holders_.set(1, 1);
        holders_.set(2, 1);
        coverage_.is_whole_box = false;
        coverage_.upper = 20;
        coverage_.halo_width = 4;
        coverage_.straight = PathReach(1);
    }

    /// Copies have no defined state after a step.
    void start() {
        system_ = approach();
        add_particle(system_, {18, 3, 0}, {});
    }
    BoundaryEvent turn(ParticleId id, double speed) const {
        const Motion& before = system_.particles.motion[id];
        BoundaryEvent event;
        event.key = {0.5, 0, id, 5};
        event.particle = id;
        event.position = position_at(before, 0.5);
        event.velocity = {speed, 0, 0};
        event.state_hash = state_hash_of(before);
        return event;
    }
    /// The only window, after the remote event. The first disc is owned, the others are copies.
    StepWindow* open(StepEngine& engine, const BoundaryEvent& event) {
        engine.begin_step(system_.particles, 1, holders_, {{0, 1}, ContactDetail::records, 0, 0}, coverage_);
        engine.plan_windows(1);
        StepWindow* const window = engine.next_window();
        window->resolve();
        window->set_remote_events(std::vector{event});
        window->resolve();
        return window;
    }
    void expect_loss_is_found(StepEngine& engine, const BoundaryEvent& event) {
        EXPECT_TRUE(open(engine, event)->has_lost_contact()) << event.particle << ", " << event.velocity.x;
        engine.abandon_step();
        start();
        StepWindow* const window = open(engine, event);
        EXPECT_FALSE(window->has_lost_contact());
        ContactList contacts;
        window->commit(contacts);
        ASSERT_EQ(contacts.contacts().size(), 1u);
        EXPECT_NEAR(contacts.contacts()[0].key.time, 0.3, 1e-9);
        engine.end_step();
        EXPECT_EQ(engine.statistics().num_replaced, 1u);
    }

    System system_;
    Holders holders_;
    Coverage coverage_;
};

TEST_F(LostAndTurned, IsFoundWhenNamedByAnEvent) {
    for (const double speed : {-2.0, 1.0}) {
        start();
        expect_loss_is_found(*engine_with<Blind<Names::by_event>>(system_), turn(1, speed));
    }
}

TEST_F(LostAndTurned, IsFoundWhenOneAsks) {
    for (const double speed : {-2.0, 1.0}) {
        start();
        expect_loss_is_found(*engine_with<Blind<Names::to_who_asks>>(system_), turn(1, speed));
    }
}

TEST_F(LostAndTurned, IsFoundWhenAllAreSearched) {
    start();
    expect_loss_is_found(*engine_with<Blind<Names::to_who_asks>>(system_, SearchLoop::precheck), turn(2, 1));
}

}  // namespace
}  // namespace ricochet::test
