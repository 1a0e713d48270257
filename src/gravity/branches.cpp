// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/branches.hpp"

#include <algorithm>

#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

class BranchFinder {
  public:
    BranchFinder(const CellKeys& cell_keys, const ForeignKeys& foreign, std::span<const CellKey> keys,
                 TreeBuilder& builder, std::vector<std::uint32_t>& branches)
        : cell_keys_(cell_keys), foreign_(foreign), keys_(keys), builder_(builder), branches_(branches) {}

    /// A cell of this level; begin to end are all of its particles that this rank has.
    void add(std::size_t begin, std::size_t end, int level) {
        if (!is_cut(keys_[begin], level)) {
            branches_.push_back(builder_.add_cell(begin, end));
            return;
        }
        RICOCHET_CHECK_LT(level, cell_keys_.num_levels());
        while (begin < end) {
            const CellKey last = cell_keys_.last_key(keys_[begin], level + 1);
            const auto rest = keys_.subspan(begin, end - begin);
            const auto count =
                static_cast<std::size_t>(std::upper_bound(rest.begin(), rest.end(), last) - rest.begin());
            add(begin, begin + count, level + 1);
            begin += count;
        }
    }

  private:
    bool is_cut(CellKey key, int level) const {
        const CellKey first = cell_keys_.first_key(key, level), last = cell_keys_.last_key(key, level);
        return (foreign_.below && *foreign_.below >= first) || (foreign_.above && *foreign_.above <= last);
    }

    const CellKeys& cell_keys_;
    ForeignKeys foreign_;
    std::span<const CellKey> keys_;
    TreeBuilder& builder_;
    std::vector<std::uint32_t>& branches_;
};

}  // namespace

CellRecord record_of(const GravityTree& tree, std::uint32_t cell, int rank) {
    const GravityCell& of_tree = tree.cells[cell];
    CellRecord record{.moments = tree.moments[cell],
                      .bounds = tree.bounds[cell],
                      .opening_squared = of_tree.opening_squared,
                      .rank = static_cast<std::uint32_t>(rank),
                      .index = cell,
                      .count = of_tree.count};
    for (std::uint32_t child = cell + 1; child < of_tree.next; child = tree.cells[child].next)
        ++record.num_children;
    return record;
}

ForeignKeys foreign_keys(std::span<const KeyRange> ranges, int rank) {
    ForeignKeys foreign;
    const auto own = static_cast<std::size_t>(rank);
    for (std::size_t other = 0; other < ranges.size(); ++other) {
        if (ranges[other].count == 0 || other == own) continue;
        if (other < own) foreign.below = ranges[other].last;
        if (other > own && !foreign.above) foreign.above = ranges[other].first;
    }
    return foreign;
}

std::vector<CellRecord> add_branches(const CellKeys& cell_keys, const Opening& opening,
                                     const ForeignKeys& foreign, std::span<const CellKey> keys, int rank,
                                     GravityTree& tree) {
    std::vector<std::uint32_t> branches;
    TreeBuilder builder(cell_keys, opening, keys, tree);
    if (!keys.empty()) BranchFinder(cell_keys, foreign, keys, builder, branches).add(0, keys.size(), 0);
    std::vector<CellRecord> records;
    std::size_t begin = 0;
    for (const std::uint32_t branch : branches) {
        records.push_back(record_of(tree, branch, rank));
        records.back().key = keys[begin];
        for (std::uint32_t cell = branch; cell < tree.cells[branch].next; ++cell)
            begin += tree.cells[cell].count;
    }
    return records;
}

}  // namespace ricochet
