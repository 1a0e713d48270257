// SPDX-License-Identifier: BSD-3-Clause
//
// The kinetic structure without structure: all are neighbours of all, and nothing ever changes. For small systems and
// for comparison.
//
// Source: C. G. Johnson and J. L. Whalley, "Detecting collisions in sets of moving particles", section 4.1.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kinetic/kinetic_structure.hpp"

namespace ricochet {

class AllSlots : public KineticStructure {
  public:
    AllSlots(const Box&, const EngineOptions&) {}

    void begin(const KineticSetting& setting, TopologicalQueue& queue) override {
        setting_ = setting;
        queue.clear();
    }
    void neighbours(Slot slot, std::vector<Slot>& found) const override {
        for_each_present([&](Slot other) {
            if (other != slot) found.push_back(other);
        });
    }
    std::optional<Slot> process(const TopologicalEvent&, TopologicalQueue&, std::vector<Slot>&) override {
        return std::nullopt;
    }
    bool changed(Slot, double, TopologicalQueue&) override { return true; }
    void save() override {}
    void restore() override {}
    void append_order(std::vector<Slot>& order) const override {
        for_each_present([&](Slot slot) { order.push_back(slot); });
    }
    std::size_t memory_bytes() const override { return 0; }

  private:
    template <class Visit>
    void for_each_present(Visit&& visit) const {
        for (Slot slot = 0; slot < setting_.motion.size(); ++slot)
            if (!is_absent(setting_.attributes[slot])) visit(slot);
    }

    KineticSetting setting_;
};

}  // namespace ricochet
