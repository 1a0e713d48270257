// SPDX-License-Identifier: BSD-3-Clause
//
// The kinetic structure of the search `delaunay`: a triangulation of discs (delaunay2.hpp) or spheres (delaunay3.hpp).
// For a step in which there can be none, it is cells.
//
// Cells (cells_crossing.hpp) take over until the step ends where spheres overlap or may come to. They do so too where a
// triangulation has been built anew a few times in a step. No contact is lost by that.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kinetic/cells_crossing.hpp"
#include "kinetic/delaunay2.hpp"
#include "kinetic/delaunay3.hpp"
#include "kinetic/kinetic_structure.hpp"

namespace ricochet {

class Delaunay final : public KineticStructure {
    /// With the structure that is in use.
    template <class Self, class Visit>
    static auto visit(Self& self, Visit&& with) {
        if (self.uses_cells_) return with(self.cells_);
        return self.is_flat_ ? with(self.plane_) : with(self.space_);
    }

  public:
    Delaunay(const Box& box, const EngineOptions& options)
        : is_flat_(box.dimension == 2), plane_(box, options), space_(box, options), cells_(box, options) {}

    void begin(const KineticSetting& setting, TopologicalQueue& queue) override;
    void neighbours(Slot slot, std::vector<Slot>& found) const override {
        visit(*this, [&](const auto& structure) { structure.neighbours(slot, found); });
    }
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) override {
        return visit(*this, [&](auto& structure) { return structure.process(event, queue, found); });
    }
    bool changed(Slot slot, double now, TopologicalQueue& queue) override {
        return visit(*this, [&](auto& structure) { return structure.changed(slot, now, queue); });
    }
    bool is_broken() const override {
        return !uses_cells_ && (is_flat_ ? plane_.is_broken() : space_.is_broken());
    }
    void save() override;
    void restore() override;
    void append_order(std::vector<Slot>& order) const override {
        visit(*this, [&](const auto& structure) { structure.append_order(order); });
    }
    std::size_t memory_bytes() const override {
        return plane_.memory_bytes() + space_.memory_bytes() + cells_.memory_bytes();
    }

    /// Since it was made: of edges or facets, when they must flip.
    std::uint64_t num_certificates() const override {
        return plane_.num_certificates() + space_.counts().certificates;
    }

    /// Whether cells have taken over.
    bool uses_cells() const override { return uses_cells_; }
    const Delaunay2& plane() const { return plane_; }
    const Delaunay3& space() const { return space_; }

  private:
    bool is_flat_;
    bool uses_cells_ = false, saved_uses_cells_ = false;
    int num_rebuilt_ = 0;  ///< in this step
    Delaunay2 plane_;
    Delaunay3 space_;
    CellsCrossing cells_;
};

}  // namespace ricochet
