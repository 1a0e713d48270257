// SPDX-License-Identifier: BSD-3-Clause
//
// Time bounds of driven particles, in steps that are done again from their begin: on several ranks, with the bits of
// all pairs.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kinetic/cells_crossing.hpp"
#include "kinetic/queue_engine.hpp"
#include "kinetic/time_bounds.hpp"
#include "tests/support/driven_spheres.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {
namespace {

constexpr SearchMethod bounds = search_named("time_bounds");

/// Heavy spheres throw light ones farther than the halo is wide. Steps are begun again after events of them.
TEST(TimeBounds, KeepBitsWhereTheHaloWasTooNarrow) {
    System system = spheres(walled_box({60, 30, 30}), 250, 5);
    for (Slot slot = 0; slot < system.particles.size(); ++slot)
        system.particles.attributes.edit(slot).mass = slot % 2 == 0 ? 100 : 0.01;
    system.dt = 0.2;
    SlabRunSettings settings = driven(system.dt, 12);
    settings.slabs.excursion_factor = 0.01;
    settings.engine.search = search_named("all_pairs");
    const SlabRun expected = run_on_threads(1, system, settings);
    settings.engine.search = bounds;
    for (const int num_ranks : {2, 3, 5}) {
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        EXPECT_EQ(first_difference(expected, run), "") << num_ranks << " ranks";
        EXPECT_GT(run.statistics.num_redone, 0u) << num_ranks << " ranks";
    }
}

/// Overlook one pair in four until the middle of the step. So a contact is lost, and a reserve does the step.
class Forgetful : public TimeBounds {
  public:
    using TimeBounds::TimeBounds;
    void begin(const KineticSetting& setting, TopologicalQueue& queue) override {
        TimeBounds::begin(setting, queue);
        is_forgetful_ = true;
        for (Slot slot = 0; slot < setting.motion.size(); ++slot)
            queue.push({0.5 * (setting.now + setting.end), first_name + slot, 0});
    }
    void neighbours(Slot slot, std::vector<Slot>& found) const override {
        TimeBounds::neighbours(slot, found);
        forget(slot, found);
    }
    void save() override {
        TimeBounds::save();
        was_forgetful_ = is_forgetful_;
    }
    void restore() override {
        TimeBounds::restore();
        is_forgetful_ = was_forgetful_;
    }
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) override {
        if (event.name >= first_name) {
            is_forgetful_ = false;
            TimeBounds::neighbours(event.name - first_name, found);
            return event.name - first_name;
        }
        const std::optional<Slot> slot = TimeBounds::process(event, queue, found);
        if (slot) forget(*slot, found);
        return slot;
    }

  private:
    static constexpr std::uint32_t first_name = 1;  ///< bounds' own events have the name 0

    void forget(Slot slot, std::vector<Slot>& found) const {
        if (is_forgetful_) std::erase_if(found, [slot](Slot other) { return (slot + other) % 4 == 0; });
    }

    bool is_forgetful_ = true, was_forgetful_ = true;
};

/// The bounds know nothing of that step. In the next one they are two kicks older.
TEST(TimeBounds, KeepBitsAfterAStepOfTheReserve) {
    System system = spheres(walled_box({60, 30, 30}), 400, 6);
    system.dt = 0.05;
    SlabRunSettings settings = driven(system.dt, 16);
    settings.engine.search = search_named("all_pairs");
    const SlabRun expected = run_on_threads(1, system, settings);
    settings.engine.search = bounds;
    for (const int num_ranks : {1, 2, 3}) {
        settings.engine_of_rank = [&](int rank) -> std::unique_ptr<StepEngine> {
            if (rank > 0) return engine_for(system, settings.engine);
            const World world = world_of(system);
            return std::make_unique<QueueEngine>(world, rules_of(system), settings.engine,
                                                 std::make_unique<Forgetful>(world.box, settings.engine),
                                                 std::make_unique<CellsCrossing>(world.box, settings.engine));
        };
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        EXPECT_EQ(first_difference(expected, run), "") << num_ranks << " ranks";
        EXPECT_GT(run.statistics.engine.num_replaced, 0u) << num_ranks << " ranks";
        EXPECT_LT(run.statistics.engine.num_replaced, 16u) << num_ranks << " ranks";
        EXPECT_GT(run.statistics.engine.num_entered, 100u) << num_ranks << " ranks";
    }
}

}  // namespace
}  // namespace ricochet::test
