// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the flips of a triangulation at one instant come to an end. In exact arithmetic they do. Rounding could let
// them undo each other for ever: the triangulation must be built anew then.
#pragma once

#include <cstddef>

namespace ricochet {

class FlipCount {
  public:
    void clear() { num_at_instant_ = 0; }
    /// Counts a flip in a triangulation of `size` triangles or tetrahedra.
    bool is_endless(double now, std::size_t size) {
        constexpr std::size_t few = 1000, per_cell = 20;
        if (now != latest_) num_at_instant_ = 0;
        latest_ = now;
        return ++num_at_instant_ > few + per_cell * size;
    }

  private:
    double latest_ = 0;  ///< time of a flip
    std::size_t num_at_instant_ = 0;
};

}  // namespace ricochet
