// SPDX-License-Identifier: BSD-3-Clause
//
// Cells cut along all axes: algorithm B of Johnson & Whalley 2002, with cells that are short along one axis
// (search/cell_grid.hpp). The best search inside a slab, dilute or dense. The method `cells` of an input also keeps
// its pairs over short steps (search/verlet_cells.hpp).
#pragma once

#include "search/cell_grid.hpp"

namespace ricochet {

class Cells final : public CellGrid {
  public:
    /// In 2D the fastest axis is the last axis of the box, so that rows of cells are rows of memory.
    explicit Cells(const Box& box, bool counts_work = false)
        : CellGrid(box,
                   {.axis_order = box.dimension == 3 ? std::array{0, 1, 2} : std::array{2, 0, 1},
                    .has_longest_first = box.dimension == 3,
                    .is_cut = {true, true, box.dimension == 3},
                    .follows_crowds = true},
                   counts_work) {}
};

}  // namespace ricochet
