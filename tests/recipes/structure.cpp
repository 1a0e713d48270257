// SPDX-License-Identifier: BSD-3-Clause
//
// Recipe: a kinetic structure. It knows at any time which particles may touch, and when that changes. In this one all
// are neighbours of all, and nothing changes.
#include "kinetic/kinetic_structure.hpp"

#include <gtest/gtest.h>

#include "kinetic/cells_crossing.hpp"
#include "kinetic/queue_engine.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/systems.hpp"

namespace {

using namespace ricochet;

class AllNeighbours final : public KineticStructure {
  public:
    void begin(const KineticSetting& setting, TopologicalQueue& queue) override {
        num_slots_ = static_cast<Slot>(setting.motion.size());
        queue.clear();
    }
    void neighbours(Slot slot, std::vector<Slot>& found) const override {
        for (Slot other = 0; other < num_slots_; ++other)
            if (other != slot) found.push_back(other);
    }
    std::optional<Slot> process(const TopologicalEvent&, TopologicalQueue&, std::vector<Slot>&) override {
        return std::nullopt;
    }
    bool changed(Slot, double, TopologicalQueue&) override { return true; }
    void save() override {}
    void restore() override {}
    void append_order(std::vector<Slot>& order) const override {
        for (Slot slot = 0; slot < num_slots_; ++slot) order.push_back(slot);
    }
    std::size_t memory_bytes() const override { return 0; }

  private:
    Slot num_slots_ = 0;
};

/// The engine with one event queue then finds what that of islands finds, in every bit.
TEST(Recipe, KineticStructure) {
    test::System system = test::equal_gas(3, 200, 0.2, 1);
    system.dt = 0.1;
    const World world = test::world_of(system);
    QueueEngine engine(world, test::rules_of(system), {}, std::make_unique<AllNeighbours>(),
                       std::make_unique<CellsCrossing>(world.box, EngineOptions{}));
    Particles expected = system.particles, particles = system.particles;
    const auto contacts = resolve_step(*test::engine_for(system), expected, system.dt, 1);
    EXPECT_GT(contacts.size(), 10u);
    EXPECT_EQ(test::first_difference(contacts, resolve_step(engine, particles, system.dt, 1)), "");
    EXPECT_EQ(test::first_difference(expected, particles), "");
}

}  // namespace
