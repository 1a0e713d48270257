// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/direct_sum.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

constexpr std::uint32_t num_targets = TargetBatch::capacity;

/// Adds what the points of this rank do to its own targets.
void add_own_points(const FieldSums& sums, const std::vector<PointMass>& points,
                    std::vector<TargetBatch>& batches) {
    const auto size = static_cast<std::uint32_t>(points.size());
    std::uint32_t begin = 0;
    for (TargetBatch& batch : batches) {
        const std::uint32_t end = std::min(begin + num_targets, size);
        const std::array<PointRange, 2> beside{PointRange{0, begin}, PointRange{end, size - end}};
        add_points(sums, points.data(), std::span(beside).first(1), batch);
        add_each_other(sums, std::span(points).subspan(begin, end - begin), batch);
        add_points(sums, points.data(), std::span(beside).last(1), batch);
        begin = end;
    }
}

std::vector<PointMass> points_of_rank(Exchange& exchange, const std::vector<PointMass>& own, int rank) {
    std::vector<PointMass> points;
    if (rank == exchange.rank()) points = own;
    broadcast_records(exchange, points, rank);
    return points;
}

/// Adds what all ranks' points do; `are_moved`: the targets are not among the sources.
void add_all(Exchange& exchange, const FieldSums& sums, const std::vector<PointMass>& own, bool are_moved,
             std::vector<TargetBatch>& batches) {
    for (int rank = 0; rank < exchange.size(); ++rank) {
        const std::vector<PointMass> sources = points_of_rank(exchange, own, rank);
        if (rank == exchange.rank() && !are_moved) {
            add_own_points(sums, own, batches);
            continue;
        }
        const PointRange all{0, static_cast<std::uint32_t>(sources.size())};
        for (TargetBatch& batch : batches) add_points(sums, sources.data(), std::span(&all, 1), batch);
    }
}

}  // namespace

std::vector<TargetBatch> sum_directly(Exchange& exchange, const FieldSums& sums,
                                      const std::vector<PointMass>& points, std::span<const Vec3> images) {
    RICOCHET_CHECK_LE(points.size(), std::numeric_limits<std::uint32_t>::max());
    std::vector<TargetBatch> batches;
    const auto targets_from = [&](std::size_t begin) {
        return std::span(points).subspan(begin, std::min<std::size_t>(num_targets, points.size() - begin));
    };
    for (std::size_t begin = 0; begin < points.size(); begin += num_targets)
        batches.emplace_back(targets_from(begin));
    add_all(exchange, sums, points, false, batches);
    for (const Vec3 offset : images.subspan(1)) {
        for (std::size_t k = 0; k < batches.size(); ++k)
            batches[k].move(targets_from(k * num_targets), offset);
        add_all(exchange, sums, points, true, batches);
    }
    return batches;
}

}  // namespace ricochet
