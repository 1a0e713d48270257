// SPDX-License-Identifier: BSD-3-Clause
//
// The kinetic structure of the search `delaunay`: a triangulation (delaunay2.hpp), or cells for a step in which there can
// be none.
//
// Cells (cells_crossing.hpp) take over until the step ends where spheres overlap or may come to. They do so too where a
// triangulation that is built anew does not last. No contact is lost by that.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "search/cells_crossing.hpp"
#include "search/delaunay2.hpp"
#include "search/kinetic_structure.hpp"

namespace ricochet {

class Delaunay {
  public:
    Delaunay(const Box& box, const SearchOptions& options)
        : has_plane_(box.dimension == 2), plane_(box, options), cells_(box, options) {}

    void begin(const KineticSetting& setting, TopologicalQueue& queue);
    void neighbours(Slot slot, std::vector<Slot>& found) const {
        uses_cells_ ? cells_.neighbours(slot, found) : plane_.neighbours(slot, found);
    }
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) {
        return uses_cells_ ? cells_.process(event, queue, found) : plane_.process(event, queue, found);
    }
    bool changed(Slot slot, double now, TopologicalQueue& queue) {
        return uses_cells_ ? cells_.changed(slot, now, queue) : plane_.changed(slot, now, queue);
    }
    bool is_broken() const { return !uses_cells_ && plane_.is_broken(); }
    void save();
    void restore();
    void append_order(std::vector<Slot>& order) const {
        uses_cells_ ? cells_.append_order(order) : plane_.append_order(order);
    }
    std::size_t memory_bytes() const { return plane_.memory_bytes() + cells_.memory_bytes(); }

    /// Whether cells have taken over.
    bool uses_cells() const { return uses_cells_; }
    const Delaunay2& plane() const { return plane_; }

  private:
    bool has_plane_;
    bool uses_cells_ = false, saved_uses_cells_ = false;
    double latest_rebuild_ = -1;  ///< its time
    int num_rebuilt_ = 0;         ///< at that time
    Delaunay2 plane_;
    CellsCrossing cells_;
};

}  // namespace ricochet
