// SPDX-License-Identifier: BSD-3-Clause
//
// A bound on the reach of most spheres, and a list of the few above it.
//
// A search that looks as far as the largest reach is slowed by one large or fast particle. So these few are kept
// apart and compared with all others, as Johnson & Whalley 2002, section 5, propose for large particles and for
// fast ones. Which are few is decided by the cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class ReachBound {
  public:
    /// Chooses the bound by the number of comparisons in a query. It compares with all spheres of the list, and with
    /// the others within reach + bound along `num_axes` axes. `density`: spheres per length (area, volume) of these.
    void choose(std::span<const BoundingSphere> spheres, double density, int num_axes);

    double bound() const { return bound_; }
    std::span<const Slot> above() const { return above_; }
    bool is_above(Slot slot) const { return is_above_[slot] != 0; }
    /// The sphere of the slot has grown to this reach: it is added to the list, or the bound is raised.
    void note_enlarged(Slot slot, double reach);
    std::size_t memory_bytes() const { return bytes_of(above_, is_above_); }

  private:
    double bound_ = 0, chosen_ = 0;
    std::vector<Slot> above_;
    std::vector<std::uint8_t> is_above_;  ///< by slot
};

}  // namespace ricochet
