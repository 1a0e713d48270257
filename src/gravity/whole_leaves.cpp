// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/whole_leaves.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "gravity/tree.hpp"
#include "parallel/collectives.hpp"
#include "parallel/global_sort.hpp"

namespace ricochet {
namespace {

/// Between a rank with particles and the next one with any.
struct Cut {
    CellKey below, above;  ///< the last key before it, the first after it
    std::size_t rank_above;
    int common_level;

    std::size_t num_levels() const { return static_cast<std::size_t>(common_level) + 1; }
};

std::vector<Cut> cuts_between(const std::vector<KeyRange>& ranges, const CellKeys& cell_keys) {
    std::vector<Cut> cuts;
    const KeyRange* below = nullptr;
    for (std::size_t rank = 0; rank < ranges.size(); ++rank) {
        const KeyRange& range = ranges[rank];
        if (range.count == 0) continue;
        if (below)
            cuts.push_back(
                {below->last, range.first, rank, cell_keys.common_level(below->last, range.first)});
        below = &range;
    }
    return cuts;
}

std::int64_t count_in_cell(const std::vector<SortedSource>& sorted, CellKey first, CellKey last) {
    const auto begin = std::partition_point(sorted.begin(), sorted.end(),
                                            [&](const SortedSource& source) { return source.key < first; });
    const auto end = std::partition_point(begin, sorted.end(),
                                          [&](const SortedSource& source) { return source.key <= last; });
    return end - begin;
}

/// For each cut, the particles of all ranks in the cells around it, from the root down. Collective.
std::vector<std::int64_t> counts_around(Exchange& exchange, const CellKeys& cell_keys,
                                        const std::vector<Cut>& cuts,
                                        const std::vector<SortedSource>& sorted) {
    std::vector<std::int64_t> counts;
    for (const Cut& cut : cuts)
        for (int level = 0; level <= cut.common_level; ++level)
            counts.push_back(count_in_cell(sorted, cell_keys.first_key(cut.below, level),
                                           cell_keys.last_key(cut.below, level)));
    exchange.sum(counts);
    return counts;
}

/// The level of the leaf that the cut divides, if it divides one.
std::optional<int> level_of_leaf(const CellKeys& cell_keys, const Cut& cut,
                                 std::span<const std::int64_t> counts) {
    for (int level = 0; level <= cut.common_level; ++level) {
        const auto count = static_cast<std::uint64_t>(counts[static_cast<std::size_t>(level)]);
        if (count <= TreeBuilder::most_in_leaf || level == cell_keys.num_levels()) return level;
    }
    return std::nullopt;
}

/// What a rank gives away: its particles up to `last` go to rank `to`.
struct Gift {
    CellKey last;
    std::size_t to;
};

/// The leaf at the lower end of this rank, if a lower rank has a part of it.
std::optional<Gift> find_gift(Exchange& exchange, const CellKeys& cell_keys,
                              const std::vector<SortedSource>& sorted) {
    const std::vector<KeyRange> ranges = key_ranges(exchange, sorted);
    const std::vector<Cut> cuts = cuts_between(ranges, cell_keys);
    const std::vector<std::int64_t> counts = counts_around(exchange, cell_keys, cuts, sorted);
    std::size_t next = 0;
    for (const Cut& cut : cuts) {
        const auto counts_of_cut = std::span(counts).subspan(next, cut.num_levels());
        next += cut.num_levels();
        if (cut.rank_above != static_cast<std::size_t>(exchange.rank())) continue;
        const auto level = level_of_leaf(cell_keys, cut, counts_of_cut);
        if (!level) return std::nullopt;
        const CellKey first = cell_keys.first_key(cut.below, *level);
        const auto lowest = std::find_if(ranges.begin(), ranges.end(), [&](const KeyRange& range) {
            return range.count > 0 && range.last >= first;
        });
        return Gift{cell_keys.last_key(cut.below, *level), static_cast<std::size_t>(lowest - ranges.begin())};
    }
    return std::nullopt;
}

}  // namespace

std::vector<KeyRange> key_ranges(Exchange& exchange, std::span<const SortedSource> sorted) {
    KeyRange mine;
    if (!sorted.empty()) mine = {sorted.front().key, sorted.back().key, sorted.size()};
    return all_gather_records<KeyRange>(exchange, std::span(&mine, 1));
}

std::vector<SortedSource> sort_into_leaves(Exchange& exchange, const CellKeys& cell_keys,
                                           std::vector<SortedSource> sources) {
    auto sorted = sort_across_ranks(exchange, std::move(sources), order_of_source);
    if (exchange.size() == 1) return sorted;
    std::vector<Bytes> outgoing(static_cast<std::size_t>(exchange.size()));
    if (const auto gift = find_gift(exchange, cell_keys, sorted)) {
        const auto end = std::partition_point(sorted.begin(), sorted.end(), [&](const SortedSource& source) {
            return source.key <= gift->last;
        });
        append_records(outgoing[gift->to], std::span<const SortedSource>(sorted).first(
                                               static_cast<std::size_t>(end - sorted.begin())));
        sorted.erase(sorted.begin(), end);
    }
    for (const Bytes& message : exchange.all_to_all(std::move(outgoing))) read_records(message, sorted);
    return sorted;
}

}  // namespace ricochet
