// SPDX-License-Identifier: BSD-3-Clause
//
// Cells whose pairs outlast the step, where particles move little in one: a list as Verlet (1967) has it.
//
// Algorithm: every sphere is kept with a skin, and the pairs of kept spheres that overlap are listed once. As
// long as the sphere of a slot lies in its kept one, the list names all that it can overlap. So a step only
// compares the listed pairs. Spheres that have left theirs are *strays*: they lie in cells of their own, and each is
// compared with the kept ones about it. When strays cost more than a new list (skin_choice.hpp), there is a new one.
//
// Slots are no names of particles here either: only where their spheres lie counts. Copies at faces come and go, and
// those behind them get other slots. So a sphere outside its kept one is first looked for in those without a slot.
// Where a rank's particles are sorted, nearly all move. So while a list lasts, an order is given rarely.
//
// Invariant: the kept spheres never change. Two spheres that lie in theirs with the slack to spare overlap only
// if the kept ones do.
//
// Disadvantage: 24 bytes for a sphere, and 8 for a listed pair.
//
// Where particles move farther, it is the cells alone (cells.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block_store.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "search/candidate_pairs.hpp"
#include "search/cells.hpp"
#include "search/skin_choice.hpp"

namespace ricochet {

class VerletCells final : public BroadPhase {
  public:
    explicit VerletCells(const Box& box, bool counts_work = false);

    void build(std::span<BoundingSphere> spheres, SearchDomain domain) override;
    std::span<const Slot> order() const override { return is_listed_ ? order_ : cells_.order(); }
    void collect_pairs(CandidatePairs& pairs) override;
    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) override;
    std::size_t memory_bytes() const override;
    std::uint64_t num_compared() const override {
        return cells_.num_compared() + stray_cells_.num_compared() + num_compared_;
    }

    /// Whether the latest build has a list.
    bool is_listed() const { return is_listed_; }
    /// Lists that were made.
    std::uint64_t num_lists() const { return num_lists_; }
    /// Slots whose spheres lay in no kept ones at the latest build.
    std::span<const Slot> strays() const { return strays_; }

  private:
    bool try_list(SearchDomain domain);
    bool still_lists();
    void forget_moved();
    void find_moved();
    void match_moved();
    Slot vacant_kept(Slot slot, std::ptrdiff_t shift);
    bool lies_in_kept(Slot slot, Slot index) const;
    void build_strays(SearchDomain domain);
    void choose_order();

    void name_listed(const PairSpan& listed, CandidatePairs& pairs);
    void name_strays(CandidatePairs& pairs);
    bool may_overlap(const BoundingSphere& a, const BoundingSphere& b) const;
    void enlarge_stray(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found);
    void enlarge_kept(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found);
    void append_kept(const BoundingSphere& sphere, std::vector<Slot>& found);

    Cells cells_;  ///< of the kept spheres; of all where there is no list
    Cells stray_cells_;
    SkinChoice choice_;
    std::span<BoundingSphere> spheres_;  ///< the caller's, by slot
    bool is_listed_ = false;
    bool counts_work_;
    std::vector<BoundingSphere> kept_;  ///< by slot when the list was made
    std::vector<Slot> kept_of_;         ///< by slot: the index of its kept sphere, if it has one
    std::vector<Slot> slot_of_;         ///< by the index of a kept sphere: its slot, if it has one
    BlockStore store_;
    CandidatePairs listed_, stray_pairs_;
    std::vector<Slot> moved_;                    ///< those outside the kept sphere of their number; ascending
    std::vector<Slot> strays_;                   ///< those of them without a kept sphere
    std::vector<BoundingSphere> stray_spheres_;  ///< by index in strays_
    std::vector<Slot> grown_;                    ///< those that have left their kept spheres since the build
    std::vector<Slot> order_;                    ///< empty: better not sorted
    std::vector<Slot> near_;
    std::uint64_t num_lists_ = 0, num_compared_ = 0;
};

}  // namespace ricochet
