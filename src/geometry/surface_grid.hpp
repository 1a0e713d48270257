// SPDX-License-Identifier: BSD-3-Clause
//
// A grid of surfaces of bodies by their bounds, which rest. It is built once.
//
// Layout: cells in rows, each with the places of its members in one array.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/obstacle.hpp"
#include "ricochet/model/box.hpp"

namespace ricochet {

/// The region about a box in which paths that begin in the box are: along periodic axes half an edge beyond it.
ObstacleBounds region_of_paths(const Box& box);

/// A grid of surfaces by their bounds. It covers all of space: what lies beyond it belongs to its outermost cells.
class SurfaceGrid {
  public:
    SurfaceGrid() = default;
    /// A grid over a region, of those obstacles whose places are `members`. Their bounds must be finite.
    SurfaceGrid(const ObstacleBounds& region, const std::vector<Obstacle>& obstacles,
                std::vector<ObstacleIndex> members);

    /// visit(index) for all whose bounds meet these, each once, and for some others.
    template <class Visit>
    void for_each_in(const ObstacleBounds& bounds, Visit&& visit) const {
        if (members_.empty()) return;
        const Cell low = cell_of(bounds.low), high = cell_of(bounds.high);
        for (std::uint32_t z = low[2]; z <= high[2]; ++z)
            for (std::uint32_t y = low[1]; y <= high[1]; ++y)
                for (std::uint32_t x = low[0]; x <= high[0]; ++x) visit_cell({x, y, z}, low, visit);
    }

  private:
    using Cell = std::array<std::uint32_t, 3>;

    std::size_t place_of(const Cell& cell) const {
        return (std::size_t{cell[2]} * count_[1] + cell[1]) * count_[0] + cell[0];
    }
    Cell cell_of(Vec3 place) const {
        Cell cell{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<std::size_t>(axis);
            if (count_[k] == 1) continue;  // as along z in two dimensions, where bounds may be infinite
            const double last = static_cast<double>(count_[k] - 1);
            cell[k] = static_cast<std::uint32_t>(
                std::clamp((place[axis] - origin_[axis]) * per_length_[axis], 0.0, last));
        }
        return cell;
    }
    /// A member of several cells of a range is visited in the first of them.
    template <class Visit>
    void visit_cell(const Cell& cell, const Cell& low, Visit&& visit) const {
        const std::size_t place = place_of(cell);
        for (std::size_t k = start_[place]; k < start_[place + 1]; ++k) {
            const Cell& first = first_[entry_[k]];
            if (cell[0] == std::max(low[0], first[0]) && cell[1] == std::max(low[1], first[1]) &&
                cell[2] == std::max(low[2], first[2]))
                visit(members_[entry_[k]]);
        }
    }

    Vec3 origin_, per_length_;
    Cell count_{1, 1, 1};
    std::vector<ObstacleIndex> members_;
    std::vector<Cell> first_;           ///< by member: the cell of its lower corner
    std::vector<std::uint32_t> entry_;  ///< places in members_, cell by cell
    std::vector<std::size_t> start_;    ///< by cell, and the end
};

}  // namespace ricochet
