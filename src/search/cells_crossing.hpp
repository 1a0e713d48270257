// SPDX-License-Identifier: BSD-3-Clause
//
// Cells that particles cross, one topological event for each crossing.
//
// Algorithm: a slot lies in the cell of its centre. Cells are at least as wide as the largest contact distance, so that
// two who touch lie in the same cell or in adjacent ones. When a centre crosses a face, the slot has new neighbours in
// one layer of cells, and in the others none.
//
// Layout: one grid over the domain, with at most about one cell per slot: more would cost crossings and no fewer
// candidates. The slots of a cell are a doubly linked list.
//
// Invariant: cells are wider than the largest contact distance by a slack. A crossing that comes late, and a cell that
// is found with rounding, then lose no pair. The contact distance only grows, as rules make products. If it outgrows the
// cells, they must be built anew.
//
// Disadvantage: a particle much larger than the others makes all cells large.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.2.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "search/cell_axis.hpp"
#include "search/kinetic_structure.hpp"

namespace ricochet {

/// The largest radii of two slots that there have been. A slot may come again and again.
class LargestRadii {
  public:
    void include(Slot slot, double radius) {
        if (slot == slot_of_first_) {
            first_ = std::max(first_, radius);
        } else if (radius > first_) {
            second_ = first_;
            first_ = radius;
            slot_of_first_ = slot;
        } else if (radius > second_) {
            second_ = radius;
        }
    }
    double contact_distance() const { return first_ + second_; }

  private:
    Slot slot_of_first_ = 0xffffffffu;  ///< nobody
    double first_ = 0, second_ = 0;
};

class CellsCrossing {
  public:
    CellsCrossing(const Box& box, const SearchOptions& options);

    void begin(const KineticSetting& setting, TopologicalQueue& queue);
    void neighbours(Slot slot, std::vector<Slot>& found) const;
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found);
    bool changed(Slot slot, double now, TopologicalQueue& queue);
    void save() { saved_ = state_; }
    void restore() { state_ = saved_; }
    void append_order(std::vector<Slot>& order) const;
    std::size_t memory_bytes() const {
        return bytes_of(state_.first, saved_.first) + bytes_of(state_.places, saved_.places);
    }

  private:
    static constexpr Slot nobody = 0xffffffffu;
    using Cell = std::array<std::int32_t, 3>;  ///< its number along each axis

    /// Of a slot.
    struct Place {
        Cell cell{-1, -1, -1};                  ///< negative: absent, in no cell
        Slot next = nobody, previous = nobody;  ///< in the list of the cell
        std::uint32_t stamp = 0;                ///< of its next crossing
        std::int32_t axis = 0;                  ///< along which that is
    };
    /// All that is restored.
    struct State {
        std::array<CellAxis, 3> axes;
        double least_width = 0;  ///< of a cell
        LargestRadii radii;
        std::vector<Slot> first;    ///< by cell
        std::vector<Place> places;  ///< by slot
    };

    void choose_axes(std::size_t num_present);
    double needed_width() const;
    std::size_t number_of(const Cell& cell) const;
    Cell cell_at(Slot slot, double now) const;
    void insert(Slot slot, const Cell& cell);
    void remove(Slot slot);
    void schedule(Slot slot, double now, TopologicalQueue& queue);
    template <class Visit>
    void for_each_beside(const Cell& cell, int but, Visit&& visit) const;
    void append_cell(const Cell& cell, Slot but, std::vector<Slot>& found) const;

    Box box_;
    double slack_;
    KineticSetting setting_;
    std::uint32_t latest_stamp_ = 0;  ///< of all crossings ever scheduled in the step
    State state_, saved_;
};

}  // namespace ricochet
