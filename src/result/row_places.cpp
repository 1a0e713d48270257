// SPDX-License-Identifier: BSD-3-Clause
#include "result/row_places.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "parallel/collectives.hpp"

namespace ricochet {

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

}  // namespace ricochet
