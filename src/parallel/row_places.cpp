// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/row_places.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "parallel/collectives.hpp"
#include "parallel/global_sort.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {
namespace {

/// Whether all ids of all ranks are below `end`. Collective.
bool are_below(Exchange& exchange, const std::vector<std::uint64_t>& ids, std::uint64_t end) {
    const bool has_others = std::any_of(ids.begin(), ids.end(), [&](std::uint64_t id) { return id >= end; });
    return exchange.bit_or(has_others ? 1 : 0) == 0;
}

}  // namespace

ListedRows::ListedRows(Exchange& exchange, std::vector<std::uint64_t> ids, std::uint64_t first_row)
    : ids_(std::move(ids)), first_row_(first_row) {
    std::vector<Start> own;
    if (!ids_.empty()) own.push_back({ids_.front(), exchange.rank()});
    starts_ = all_gather_records<Start>(exchange, own);
}

std::optional<int> ListedRows::rank_of(std::uint64_t id) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), id,
                                        [](std::uint64_t x, const Start& start) { return x < start.id; });
    if (after == starts_.begin()) return std::nullopt;
    return static_cast<int>((after - 1)->rank);
}

std::optional<std::uint64_t> ListedRows::index_of(std::uint64_t id) const {
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    if (found == ids_.end() || *found != id) return std::nullopt;
    return static_cast<std::uint64_t>(found - ids_.begin());
}

RowPlaces places_in_order(Exchange& exchange, std::vector<std::uint64_t> ids) {
    const std::uint64_t total = sum_of_ranks(exchange, ids.size());
    if (are_below(exchange, ids, total)) return DenseRows(exchange, 0, total, 0);
    ids = sort_across_ranks(exchange, std::move(ids), [](std::uint64_t id) { return id; });
    for (std::uint64_t& id : ids)
        if (id >= first_missing_id) id = no_id;
    const std::uint64_t first = locate_rows(exchange, ids.size()).first;
    return ListedRows(exchange, std::move(ids), first);
}

}  // namespace ricochet
