// SPDX-License-Identifier: BSD-3-Clause
//
// Finds overlaps, which show that a kinetic structure has lost a contact: where particles only bounce, two that were
// apart touch before they overlap.
//
// Disadvantage: two that have flown through each other are apart again, and show nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/block_store.hpp"
#include "engine/local_motion.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

class OverlapWatch {
  public:
    /// The store must outlive it.
    OverlapWatch(const Box& box, BlockStore& store);

    /// Whether the slot overlaps one of the others at `now`, by more than rounding. O(others).
    bool overlaps_some(const LocalMotion& local, Slot slot, std::span<const Slot> others, double now) const;
    /// Whether any two of the set do. It has a search of its own: cells. O(slots).
    bool some_overlap(const LocalMotion& local, double now);

    std::size_t memory_bytes() const;

  private:
    bool overlap(const LocalMotion& local, Slot slot, Slot other, Vec3 apart) const;

    Box box_;
    ImageLengths images_;
    double rounding_;  ///< of a separation, a length
    std::unique_ptr<BroadPhase> search_;
    std::vector<BoundingSphere> spheres_;  ///< scratch: by slot
    CandidatePairs pairs_;
};

}  // namespace ricochet
