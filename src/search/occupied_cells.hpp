// SPDX-License-Identifier: BSD-3-Clause
//
// The occupied ones of all cells of a grid, in an AVL tree by their numbers, which are in lexicographic order. Memory
// is O(slots), whatever the grid. CrossedCells keeps a list of slots in each (cells_crossing.hpp).
//
// Layout: nodes in an array that never grows, since the tree holds addresses. There are at most as many as slots. Nodes
// that are free form a list.
//
// Cost: O(log cells) per look-up, and O(1) where the one before asked for the cell before. Rows of cells along the last
// axis are pieces of the tree.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.3.
#pragma once

#include <boost/intrusive/avl_set.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class OccupiedCells {
    using Hook = boost::intrusive::avl_set_base_hook<boost::intrusive::optimize_size<true>>;
    struct Node : Hook {
        std::uint64_t cell = 0;
        Slot first = no_slot;
    };
    struct CellOfNode {
        using type = std::uint64_t;
        type operator()(const Node& node) const { return node.cell; }
    };
    using Tree = boost::intrusive::avl_set<Node, boost::intrusive::base_hook<Hook>,
                                           boost::intrusive::key_of_value<CellOfNode>>;

  public:
    static constexpr Slot no_slot = 0xffffffffu;
    static constexpr bool has_empty_ones = false;
    /// Where the latest look-up ended. Void after a change.
    struct Cursor {
        std::uint64_t next_cell = 0;  ///< 0: none yet
        Tree::const_iterator at = {};
    };

    OccupiedCells() = default;
    OccupiedCells(const OccupiedCells&) = delete;
    OccupiedCells& operator=(const OccupiedCells&) = delete;
    ~OccupiedCells() = default;

    /// Makes all of them empty. At most one cell per slot may become occupied.
    void clear(std::uint64_t /*num_cells*/, std::size_t num_slots) {
        tree_.clear();
        if (nodes_.size() < num_slots) nodes_ = std::vector<Node>(num_slots);
        free_.clear();
        free_.reserve(nodes_.size());
        for (std::size_t k = nodes_.size(); k-- > 0;) free_.push_back(static_cast<std::uint32_t>(k));
    }
    /// The first slot of the cell, or `no_slot`.
    Slot find(std::uint64_t cell, Cursor& cursor) const {
        const bool is_next = cell != 0 && cell == cursor.next_cell;
        if (!is_next)
            cursor.at = tree_.lower_bound(cell);
        else if (cursor.at != tree_.end() && cursor.at->cell < cell)
            ++cursor.at;
        cursor.next_cell = cell + 1;
        return cursor.at != tree_.end() && cursor.at->cell == cell ? cursor.at->first : no_slot;
    }
    /// The first slot becomes this one. Returns the one before, or `no_slot`.
    Slot exchange_first(std::uint64_t cell, Slot slot) {
        Tree::insert_commit_data place;
        const auto [found, is_new] = tree_.insert_check(cell, place);
        if (!is_new) return std::exchange(found->first, slot);
        RICOCHET_CHECK(!free_.empty());
        Node& node = nodes_[free_.back()];
        free_.pop_back();
        node.cell = cell;
        node.first = slot;
        tree_.insert_commit(node, place);
        return no_slot;
    }
    /// Requires: the cell is occupied.
    void make_empty(std::uint64_t cell) {
        const auto node = tree_.find(cell);
        RICOCHET_CHECK(node != tree_.end());
        free_.push_back(static_cast<std::uint32_t>(&*node - nodes_.data()));
        tree_.erase(node);
    }
    /// visit(slot) for the first of each cell, in the order of the cells.
    template <class Visit>
    void for_each_first(Visit&& visit) const {
        for (const Node& node : tree_) visit(node.first);
    }
    std::size_t memory_bytes() const { return bytes_of(nodes_, free_); }

  private:
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> free_;  ///< numbers of nodes
    Tree tree_;                        ///< after the nodes that it links
};

}  // namespace ricochet
