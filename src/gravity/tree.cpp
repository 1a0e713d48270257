// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/tree.hpp"

#include <algorithm>
#include <array>

#include "ricochet/core/check.hpp"

namespace ricochet {

std::uint32_t GravityTree::add(const GravityCell& cell, const Moments& of_cell, const Bounds& around) {
    RICOCHET_DCHECK_LT(cells.size(), not_here);
    cells.push_back(cell);
    moments.push_back(of_cell);
    bounds.push_back(around);
    const auto index = static_cast<std::uint32_t>(cells.size() - 1);
    cells.back().next = index + 1;
    return index;
}

double Opening::squared(const Moments& moments, const Bounds& bounds) const {
    constexpr double squared_margin = 25.0 / 16;
    const Vec3 edges = bounds.high - bounds.low;
    const double edge = std::max({edges.x, edges.y, edges.z}), of_edge = edge * per_edge_;
    const double of_coarse = std::max(1.0, edge * per_coarse_edge_);
    return std::max(of_edge * of_edge * of_coarse, squared_margin * squared_reach(moments.centre, bounds));
}

void close_cell(GravityTree& tree, std::uint32_t cell, const Opening& opening) {
    std::array<Moments, 8> parts;
    std::size_t num_parts = 0;
    Bounds bounds = tree.bounds[cell + 1];
    const auto end = static_cast<std::uint32_t>(tree.cells.size());
    for (std::uint32_t child = cell + 1; child < end; child = tree.cells[child].next) {
        parts.at(num_parts++) = tree.moments[child];
        bounds = united(bounds, tree.bounds[child]);
    }
    const Moments moments = moments_of(std::span<const Moments>(parts.data(), num_parts));
    tree.moments[cell] = moments;
    tree.bounds[cell] = bounds;
    tree.cells[cell].centre = moments.centre;
    tree.cells[cell].opening_squared = opening.squared(moments, bounds);
    tree.cells[cell].next = end;
}

std::uint32_t TreeBuilder::add_leaf(std::size_t begin, std::size_t end) {
    const auto points = std::span<const PointMass>(tree_.points).subspan(begin, end - begin);
    const Moments moments = moments_of(points);
    const Bounds bounds = bounds_of(points);
    const auto count = static_cast<std::uint32_t>(points.size());
    return tree_.add({.centre = moments.centre,
                      .opening_squared = opening_.squared_of_leaf(moments, bounds, count),
                      .first = static_cast<std::uint32_t>(begin),
                      .count = count},
                     moments, bounds);
}

std::uint32_t TreeBuilder::add_cell(std::size_t begin, std::size_t end) {
    RICOCHET_DCHECK_LT(begin, end);
    const CellKey low = keys_[begin], high = keys_[end - 1];
    if (end - begin <= most_in_leaf || low == high) return add_leaf(begin, end);
    const std::uint32_t cell = tree_.add({}, {}, {});
    const int shift = cell_keys_.shift_of_first_difference(low, high);
    while (begin < end) {
        const CellKey digits = keys_[begin] >> shift;
        const auto rest = keys_.subspan(begin, end - begin);
        const auto child_end = std::partition_point(rest.begin(), rest.end(),
                                                    [&](CellKey key) { return key >> shift == digits; });
        const std::size_t count = static_cast<std::size_t>(child_end - rest.begin());
        add_cell(begin, begin + count);
        begin += count;
    }
    close_cell(tree_, cell, opening_);
    return cell;
}

void TreeWalk::find_sources(std::uint32_t leaf, Vec3 offset, SourceList& list) const {
    list.whole.clear();
    list.ranges.clear();
    const bool is_image = offset != Vec3{};
    const Bounds bounds = moved(tree_.bounds[leaf], offset);
    const auto num_cells = static_cast<std::uint32_t>(tree_.cells.size());
    for (std::uint32_t at = 0; at < num_cells;) {
        const GravityCell& cell = tree_.cells[at];
        if (cell.opening_squared < squared_gap(cell.centre, bounds)) {
            list.whole.push_back(at);
            at = cell.next;
        } else if (cell.count == 0) {
            ++at;
        } else {
            RICOCHET_CHECK_NE(cell.count, not_here);
            if (at != leaf || is_image) {
                auto& ranges = list.ranges;
                if (!ranges.empty() && ranges.back().first + ranges.back().count == cell.first)
                    ranges.back().count += cell.count;
                else
                    ranges.push_back({cell.first, cell.count});
            }
            at = cell.next;
        }
    }
}

TargetBatch TreeWalk::batch_of(const GravityCell& own, std::uint32_t begin, std::uint32_t end) {
    const auto points = std::span<const PointMass>(tree_.points).subspan(begin, end - begin);
    TargetBatch targets(points);
    add_cells(sums_, tree_.moments.data(), lists_[0].whole, targets);
    add_points(sums_, tree_.points.data(), lists_[0].ranges, targets);
    const std::uint32_t end_of_leaf = own.first + own.count;
    const std::array<PointRange, 2> beside{PointRange{own.first, begin - own.first},
                                           PointRange{end, end_of_leaf - end}};
    add_points(sums_, tree_.points.data(), beside, targets);
    add_each_other(sums_, points, targets);
    num_points_ += (own.count - 1) * points.size();
    count(lists_[0], points.size());
    for (std::size_t image = 1; image < images_.size(); ++image) {
        targets.move(points, images_[image]);
        add_cells(sums_, tree_.moments.data(), lists_[image].whole, targets);
        add_points(sums_, tree_.points.data(), lists_[image].ranges, targets);
        count(lists_[image], points.size());
    }
    return targets;
}

void TreeWalk::count(const SourceList& list, std::uint64_t num_targets) {
    std::uint64_t num_others = 0;
    for (const PointRange& range : list.ranges) num_others += range.count;
    num_points_ += num_others * num_targets;
    num_cells_ += list.whole.size() * num_targets;
}

}  // namespace ricochet
