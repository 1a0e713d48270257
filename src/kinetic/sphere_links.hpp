// SPDX-License-Identifier: BSD-3-Clause
//
// A search for whole steps as a kinetic structure: pairs that may touch are linked at the start of the step, and
// nothing changes by itself. So cells and slices can be compared with structures that follow the particles, and in the
// loop that searches all again after each contact.
//
// Algorithm: a bounding sphere contains each path until the end of the step. The search names the pairs of spheres that
// overlap. Where a contact bends a path out of its sphere, the search enlarges the sphere and names its new neighbours.
//
// Invariant: two whose spheres overlap are linked. Spheres and links only grow within a step. So there is nothing to
// restore when a window is run again: what has grown holds the earlier paths too.
//
// Disadvantage: in a long step spheres are large, and each contact tests all links of its partners.
//
// Source: C. G. Johnson and J. L. Whalley, "Detecting collisions in sets of moving particles", sections 4.1, 4.3 and
// 4.4.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/block_store.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

class SphereLinks final : public KineticStructure {
  public:
    /// options.search must name candidates for whole steps.
    SphereLinks(const Box& box, const EngineOptions& options);

    void begin(const KineticSetting& setting, TopologicalQueue& queue) override;
    void neighbours(Slot slot, std::vector<Slot>& found) const override;
    std::optional<Slot> process(const TopologicalEvent& /*event*/, TopologicalQueue& /*queue*/,
                                std::vector<Slot>& /*found*/) override {
        return std::nullopt;
    }
    bool changed(Slot slot, double now, TopologicalQueue& queue) override;
    void save() override {}
    void restore() override {}
    void append_order(std::vector<Slot>& order) const override;
    std::size_t memory_bytes() const override;

  private:
    bool is_present(Slot slot) const { return !is_absent(setting_.attributes[slot]); }
    BoundingSphere sphere_of(Slot slot) const;
    void link(Slot slot, Slot other);

    Box box_;
    std::unique_ptr<BroadPhase> search_;
    BlockStore store_;
    CandidatePairs pairs_{store_};
    KineticSetting setting_;
    std::vector<BoundingSphere> spheres_;
    std::vector<std::vector<Slot>> links_;  ///< by slot
    std::vector<Slot> found_;               ///< scratch
};

}  // namespace ricochet
