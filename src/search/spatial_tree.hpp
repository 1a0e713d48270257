// SPDX-License-Identifier: BSD-3-Clause
//
// The regular spatial tree of Gavrilova & Rokne 2002, section 3.3. Only the occupied ones of all cubic cells exist.
// They form an AVL tree in the lexicographic order of their coordinates. Memory is O(N), whatever the box.
//
// Cells are as wide as two mean reaches. A query visits rows of them along the last axis. A row is one contiguous
// piece of the tree, so it takes one look-up, O(log N), and then steps to the next cell.
//
// Pairs: each sphere looks for smaller ones only, within twice its own reach. So a large sphere makes no other
// query wider (in the source cells are as wide as the largest particle). A pair is named by the larger one; of
// equal ones, by the higher slot. Enlarged spheres look as far as the bound on reaches (reach_bound.hpp).
//
// Layout: the spheres of a cell follow each other in columns, in the order of the tree.
//
// Advantage: cells have the size of the reach, however uneven the density. Disadvantage: look-ups, and all of
// them for each sphere instead of once for each cell.
#pragma once

#include <boost/intrusive/avl_set.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include "ricochet/search/broad_phase.hpp"
#include "search/fixed_point.hpp"
#include "search/ordered_spheres.hpp"

namespace ricochet {

class SpatialTree final : public BroadPhase {
  public:
    explicit SpatialTree(const Box& box);

    void build(std::span<BoundingSphere> spheres, SearchDomain domain) override;
    std::span<const Slot> order() const override { return ordered_.slots(); }
    void collect_pairs(CandidatePairs& pairs) override;
    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) override;
    std::size_t memory_bytes() const override;
    std::uint64_t num_compared() const override { return ordered_.num_compared(); }

    std::size_t num_cells() const { return tree_.size(); }

  private:
    using Place = OrderedSpheres::Place;
    struct Cell : boost::intrusive::avl_set_base_hook<> {
        std::uint64_t key = 0;
        std::uint32_t count = 0;  ///< while spheres are entered
        Place begin = 0, end = 0;
    };
    struct KeyOfCell {
        using type = std::uint64_t;
        type operator()(const Cell& cell) const { return cell.key; }
    };
    using Tree = boost::intrusive::avl_set<Cell, boost::intrusive::key_of_value<KeyOfCell>>;
    /// Up to two disjoint ranges of cells along one axis, both ends inclusive.
    struct Ranges {
        std::array<std::array<std::int64_t, 2>, 2> range{};
        int count = 0;
        std::int64_t num_cells() const;
    };
    static constexpr int key_bits = 20;  ///< per axis

    void choose_cells(std::span<const BoundingSphere> spheres);
    std::uint64_t key_of(const FixedPosition& at) const;
    std::uint32_t enter(std::uint64_t key);
    void put_in_order();
    Ranges cells_within(const FixedPosition& at, std::size_t axis, std::int64_t width) const;
    /// visit(begin, end) for the places of all cells within these half-widths of the position.
    template <class Visit>
    void for_each_cell(const FixedPosition& at, const std::array<std::int64_t, 3>& widths,
                       Visit&& visit) const;

    Box box_;
    FixedPoint fixed_;
    std::array<std::int64_t, 3> num_cells_{1, 1, 1};  ///< along an axis
    std::vector<FixedPosition> at_;                   ///< by slot
    std::vector<std::uint32_t> cell_of_;              ///< by slot, into cells_
    std::vector<Cell> cells_;                         ///< in the order of their first spheres
    Tree tree_;                                       ///< after the cells that it links
    OrderedSpheres ordered_;
};

}  // namespace ricochet
