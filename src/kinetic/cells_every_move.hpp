// SPDX-License-Identifier: BSD-3-Clause
//
// Cells that know all particles whose paths meet them: algorithm A of Johnson & Whalley. Particles and cells are linked
// both ways. A particle's links are renewed whenever it gets another path.
//
// Algorithm: a path is divided into parts, none longer than a cell is wide. A slot is linked to all cells that the box
// around its swept sphere meets in the present part. Two that touch then share the cell of the point where they do,
// whatever their sizes. When a part ends before the step does, a topological event links the next part. Only cells that
// are new to the slot name new neighbours then.
//
// Direction: no cell behind a particle is linked, so that the particles there are not examined. The source skips cells
// by the half of a cell in which a particle is, and relies on a bound of speeds. Neither survives a contact, which
// turns particles round and makes them faster. Here a particle that is turned round is linked anew to the cells then
// ahead of it.
//
// Layout: links in one array, each in the doubly linked list of its cell and in the list of its slot.
//
// Invariant: boxes are wider than the swept spheres by a slack, so that no cell is lost by rounding.
//
// Disadvantage: each contact renews two or three links per axis, to the power of the dimension. A large particle is
// linked to many cells.
//
// Source: C. G. Johnson and J. L. Whalley, "Detecting collisions in sets of moving particles", sections 3 to 4.2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kinetic/cell_axis.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet {

class CellsEveryMove final : public KineticStructure {
  public:
    CellsEveryMove(const Box& box, const EngineOptions& options);

    void begin(const KineticSetting& setting, TopologicalQueue& queue) override;
    /// Each once.
    void neighbours(Slot slot, std::vector<Slot>& found) const override;
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) override;
    bool changed(Slot slot, double now, TopologicalQueue& queue) override;
    void save() override { saved_ = state_; }
    void restore() override { state_ = saved_; }
    void append_order(std::vector<Slot>& order) const override;
    std::size_t memory_bytes() const override {
        return bytes_of(state_.first, saved_.first) + bytes_of(state_.links, saved_.links) +
               bytes_of(state_.slots, saved_.slots, met_, met_before_);
    }

  private:
    using LinkNumber = std::uint32_t;
    static constexpr LinkNumber none = 0xffffffffu;

    struct Link {
        Slot slot = 0;
        std::uint32_t cell = 0;
        LinkNumber next = none, previous = none;  ///< in the list of the cell
        LinkNumber next_of_slot = none;           ///< or of those that are free
    };
    struct Linked {
        LinkNumber first = none;
        std::uint32_t stamp = 0;  ///< of the end of its part
    };
    /// All that is restored.
    struct State {
        std::array<CellAxis, 3> axes;
        double longest_part = 0;  ///< of a path
        LinkNumber first_free = none;
        std::vector<LinkNumber> first;  ///< by cell
        std::vector<Link> links;
        std::vector<Linked> slots;
    };

    void choose_axes();
    void find_cells(Slot slot, double now, double part_end);
    void follow(Slot slot, double now, TopologicalQueue& queue);
    void link(Slot slot, std::uint32_t cell);
    void unlink(Slot slot);
    void append_cell(std::uint32_t cell, Slot but, std::vector<Slot>& found) const;

    Box box_;
    double slack_;
    KineticSetting setting_;
    std::uint32_t latest_stamp_ = 0;  ///< of all parts ever scheduled in the step
    State state_, saved_;
    std::vector<std::uint32_t> met_, met_before_;  ///< scratch: cells
};

}  // namespace ricochet
