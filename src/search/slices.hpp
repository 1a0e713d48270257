// SPDX-License-Identifier: BSD-3-Clause
//
// Slice-shaped cells, cut along x alone: algorithm C of Johnson & Whalley 2002, section 4.4. A query visits
// two or three slices, one contiguous range of slots. A slice of a large box contains many particles, so this
// is much slower than cubic cells (note 9 of tests/bench/notes.md). It is kept for comparison, as the natural
// search of a decomposition into slabs.
#pragma once

#include "search/cell_grid.hpp"

namespace ricochet {

class Slices final : public CellGrid {
  public:
    explicit Slices(const Box& box, bool counts_work = false)
        : CellGrid(box, {.axis_order = {1, 2, 0}, .is_cut = {true, false, false}, .particles_per_cell = 1},
                   counts_work) {}
};

}  // namespace ricochet
