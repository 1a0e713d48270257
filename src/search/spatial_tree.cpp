// SPDX-License-Identifier: BSD-3-Clause
#include "search/spatial_tree.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

std::unique_ptr<BroadPhase> make_spatial_tree(const Box& box, const SearchOptions& /*options*/) {
    return std::make_unique<SpatialTree>(box);
}

SpatialTree::SpatialTree(const Box& box)
    : BroadPhase(box), box_(box), fixed_(box, slack()), ordered_(images(), slack()) {}

void SpatialTree::build(std::span<BoundingSphere> spheres, SearchDomain domain) {
    RICOCHET_CHECK_GT(domain.width, 0);
    RICOCHET_CHECK_LE(domain.width, box_.size.x);
    choose_cells(spheres);
    double volume = domain.width;
    for (int axis = 1; axis < box_.dimension; ++axis) volume *= box_.size[axis];
    ordered_.begin(spheres, static_cast<double>(spheres.size()) / volume, box_.dimension);
    tree_.clear();
    cells_.clear();
    cells_.reserve(spheres.size());  // the tree holds addresses
    resize_for_overwrite(at_, spheres.size());
    resize_for_overwrite(cell_of_, spheres.size());
    for (std::size_t slot = 0; slot < spheres.size(); ++slot) {
        at_[slot] = fixed_(spheres[slot]).at;
        cell_of_[slot] = enter(key_of(at_[slot]));
    }
    put_in_order();
}

void SpatialTree::choose_cells(std::span<const BoundingSphere> spheres) {
    double sum = 0;
    for (const BoundingSphere& sphere : spheres) sum += static_cast<double>(sphere.reach);
    const double edge = 2 * sum / static_cast<double>(std::max<std::size_t>(spheres.size(), 1)) + slack();
    constexpr double most = 1 << key_bits;
    for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a);
        const double fit = axis < box_.dimension ? std::floor(box_.size[axis] / edge) : 1;
        num_cells_[a] = static_cast<std::int64_t>(std::clamp(fit, 1.0, most));
    }
}

std::uint64_t SpatialTree::key_of(const FixedPosition& at) const {
    std::uint64_t key = 0;
    for (std::size_t a = 0; a < 3; ++a)
        key = key << key_bits | static_cast<std::uint64_t>(at[a] * num_cells_[a] / FixedPoint::length);
    return key;
}

/// Counts a sphere in the cell, which begins to exist with its first one. Returns the cell's number.
std::uint32_t SpatialTree::enter(std::uint64_t key) {
    Tree::insert_commit_data place;
    const auto [found, is_new] = tree_.insert_check(key, place);
    if (!is_new) {
        ++found->count;
        return static_cast<std::uint32_t>(&*found - cells_.data());
    }
    Cell& cell = cells_.emplace_back();
    cell.key = key;
    cell.count = 1;
    tree_.insert_commit(cell, place);
    return static_cast<std::uint32_t>(cells_.size() - 1);
}

void SpatialTree::put_in_order() {
    Place end = 0;
    for (Cell& cell : tree_) {
        cell.begin = cell.end = end;
        end += cell.count;
    }
    for (Slot slot = 0; slot < ordered_.size(); ++slot) ordered_.put(cells_[cell_of_[slot]].end++, slot);
}

std::int64_t SpatialTree::Ranges::num_cells() const {
    std::int64_t num = 0;
    for (int k = 0; k < count; ++k) {
        const auto& [first, last] = range[static_cast<std::size_t>(k)];
        num += last - first + 1;
    }
    return num;
}

SpatialTree::Ranges SpatialTree::cells_within(const FixedPosition& at, std::size_t a,
                                              std::int64_t width) const {
    const std::int64_t n = num_cells_[a];
    const std::int64_t low = std::max(at[a] - width, -FixedPoint::length);
    const std::int64_t high = std::min(at[a] + width, 2 * FixedPoint::length - 1);
    const std::int64_t first = (low * n) >> 32, last = (high * n) >> 32;
    if (!fixed_.is_ring(a)) return {{{{std::max<std::int64_t>(first, 0), std::min(last, n - 1)}}}, 1};
    if (last - first + 1 >= n) return {{{{0, n - 1}}}, 1};
    if (first < 0) return {{{{first + n, n - 1}, {0, last}}}, 2};
    if (last >= n) return {{{{first, n - 1}, {0, last - n}}}, 2};
    return {{{{first, last}}}, 1};
}

template <class Visit>
void SpatialTree::for_each_cell(const FixedPosition& at, const std::array<std::int64_t, 3>& widths,
                                Visit&& visit) const {
    const std::array ranges{cells_within(at, 0, widths[0]), cells_within(at, 1, widths[1]),
                            cells_within(at, 2, widths[2])};
    if (ranges[0].num_cells() * ranges[1].num_cells() > static_cast<std::int64_t>(tree_.size())) {
        visit(0, ordered_.size());
        return;
    }
    const auto for_each = [](const Ranges& of, auto&& act) {
        for (int k = 0; k < of.count; ++k)
            for (auto cell = of.range[static_cast<std::size_t>(k)][0];
                 cell <= of.range[static_cast<std::size_t>(k)][1]; ++cell)
                act(static_cast<std::uint64_t>(cell));
    };
    for_each(ranges[0], [&](std::uint64_t x) {
        for_each(ranges[1], [&](std::uint64_t y) {
            const std::uint64_t row = (x << key_bits | y) << key_bits;
            for (int k = 0; k < ranges[2].count; ++k) {
                const auto& [first, last] = ranges[2].range[static_cast<std::size_t>(k)];
                auto cell = tree_.lower_bound(row | static_cast<std::uint64_t>(first));
                for (; cell != tree_.end() && cell->key <= (row | static_cast<std::uint64_t>(last)); ++cell)
                    visit(cell->begin, cell->end);
            }
        });
    });
}

void SpatialTree::collect_pairs(CandidatePairs& pairs) {
    for (Slot slot = 0; slot < ordered_.size(); ++slot) {
        const BoundingSphere& sphere = ordered_[slot];
        std::array<std::int64_t, 3> widths{};
        for (std::size_t a = 0; a < 3; ++a)
            widths[a] = 2 * std::int64_t{fixed_.extent(static_cast<double>(sphere.reach), a)};
        for_each_cell(at_[slot], widths, [&](Place begin, Place end) {
            ordered_.for_each_overlap(begin, end, sphere, [&](Slot other) {
                const float reach = ordered_[other].reach;
                if (reach < sphere.reach || (reach == sphere.reach && other < slot)) pairs.add(slot, other);
            });
        });
    }
}

void SpatialTree::enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
    const double needed = reach_needed(ordered_[slot], path, radius);
    ordered_.enlarge(slot, needed, radius, found, [&](double reach, double bound, auto&& visit) {
        std::array<std::int64_t, 3> widths{};
        for (std::size_t a = 0; a < 3; ++a)
            widths[a] = std::int64_t{fixed_.extent(reach, a)} + fixed_.extent(bound, a);
        for_each_cell(at_[slot], widths, visit);
    });
}

std::size_t SpatialTree::memory_bytes() const {
    return ordered_.memory_bytes() + bytes_of(at_, cell_of_, cells_);
}

}  // namespace ricochet
