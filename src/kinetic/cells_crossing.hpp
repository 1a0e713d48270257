// SPDX-License-Identifier: BSD-3-Clause
//
// Cells that particles cross, one topological event for each crossing.
//
// Algorithm: a slot lies in the cell of its centre. Cells are at least as wide as the largest contact distance, so that
// two that touch lie in the same cell or in adjacent ones. When a centre crosses a face, the slot has new neighbours in
// one layer of cells, and in the others none.
//
// Layout: one grid over the domain. The slots of a cell are a doubly linked list; how the first of a cell is found, the
// template's argument says. `cells_crossing` has an array of all cells, about one per slot and never more than 2 N + 64
// of N slots. More would cost crossings and no fewer candidates. The kinetic `spatial_tree` has a tree of the occupied
// ones (occupied_cells.hpp). Then there may be any number of cells, so that they have the size of the spacing where
// particles are.
//
// Invariant: cells are wider than the largest contact distance by a slack. A crossing that comes late, and a cell that
// is found with rounding, then lose no pair. The contact distance only grows, as rules make products. If it outgrows
// the cells, they must be built anew.
//
// Saved is what belongs to slots. The first slot of each cell follows from that.
//
// Disadvantage: a particle much larger than the others makes all cells large.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", sections 3.2
// and 3.3.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kinetic/cell_axis.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "ricochet/core/array_memory.hpp"
#include "search/occupied_cells.hpp"

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
    Slot slot_of_first_ = 0xffffffffu;  ///< no slot
    double first_ = 0, second_ = 0;
};

/// An array of all cells.
class EveryCell {
  public:
    static constexpr bool has_empty_ones = true;
    struct Cursor {};  ///< of look-ups that follow each other

    /// Makes all of them empty.
    void clear(std::uint64_t num_cells, std::size_t /*num_slots*/) {
        first_.assign(num_cells, OccupiedCells::no_slot);
    }
    Slot find(std::uint64_t cell, Cursor& /*cursor*/) const { return first_[cell]; }
    /// The first slot becomes this one. Returns the one before, or `no_slot`.
    Slot exchange_first(std::uint64_t cell, Slot slot) { return std::exchange(first_[cell], slot); }
    void make_empty(std::uint64_t cell) { first_[cell] = OccupiedCells::no_slot; }
    template <class Visit>
    void for_each_first(Visit&& visit) const {
        for (const Slot slot : first_)
            if (slot != OccupiedCells::no_slot) visit(slot);
    }
    std::size_t memory_bytes() const { return bytes_of(first_); }

  private:
    std::vector<Slot> first_;  ///< by cell
};

template <class Cells>
class CrossedCells : public KineticStructure {
  public:
    CrossedCells(const Box& box, const EngineOptions& options);

    void begin(const KineticSetting& setting, TopologicalQueue& queue) override;
    void neighbours(Slot slot, std::vector<Slot>& found) const override;
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) override;
    bool changed(Slot slot, double now, TopologicalQueue& queue) override;
    void save() override { saved_ = state_; }
    void restore() override;
    void append_order(std::vector<Slot>& order) const override;
    std::size_t memory_bytes() const override {
        return cells_.memory_bytes() + bytes_of(state_.places, saved_.places, numbers_);
    }

  private:
    static constexpr Slot no_slot = OccupiedCells::no_slot;
    using Cell = std::array<std::int32_t, 3>;  ///< its number along each axis

    /// The place of a slot.
    struct Place {
        Cell cell{-1, -1, -1};                    ///< negative: absent, in no cell
        Slot next = no_slot, previous = no_slot;  ///< in the list of the cell
        std::uint32_t stamp = 0;                  ///< of its next crossing
        std::int32_t axis = 0;                    ///< along which that is
    };
    /// All that is restored.
    struct State {
        std::array<CellAxis, 3> axes;
        double least_width = 0;  ///< of a cell
        LargestRadii radii;
        std::vector<Place> places;  ///< by slot
    };

    void choose_axes(std::size_t num_present);
    double set_axes(double least_width, double wished_width);
    std::size_t count_occupied();
    double needed_width() const;
    std::uint64_t num_cells() const;
    std::uint64_t number_of(const Cell& cell) const;
    Cell cell_at(Slot slot, double now) const;
    void insert(Slot slot, const Cell& cell);
    void remove(Slot slot);
    void schedule(Slot slot, double now, TopologicalQueue& queue);
    template <class Visit>
    void for_each_beside(const Cell& cell, int but, Visit&& visit) const;
    void append_list(Slot first, Slot but, std::vector<Slot>& found) const;
    std::array<double, 3> extent() const { return {setting_.domain.width, box_.size.y, box_.size.z}; }

    Box box_;
    double slack_;
    KineticSetting setting_;
    std::uint32_t latest_stamp_ = 0;  ///< of all crossings ever scheduled in the step
    Cells cells_;
    State state_, saved_;
    std::vector<std::uint64_t> numbers_;  ///< scratch: of cells
};

using CellsCrossing = CrossedCells<EveryCell>;
using SpatialTreeCrossing = CrossedCells<OccupiedCells>;

}  // namespace ricochet
