// SPDX-License-Identifier: BSD-3-Clause
#include "result/row_places.hpp"

#include <algorithm>
#include <utility>

#include "parallel/collectives.hpp"
#include "parallel/outbox.hpp"

namespace ricochet {
namespace {

std::string unknown(std::uint64_t id) {
    return "particle " + std::to_string(id) + " is not one of the first frame";
}

}  // namespace

RowPlaces::RowPlaces(Exchange& exchange, std::vector<std::uint64_t> ids, std::uint64_t first_row)
    : are_known_(true), ids_(std::move(ids)), first_row_(first_row) {
    std::vector<Start> own;
    if (!ids_.empty()) own.push_back({ids_.front(), exchange.rank()});
    starts_ = all_gather_records<Start>(exchange, own);
}

std::optional<int> RowPlaces::rank_of(std::uint64_t id) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), id,
                                        [](std::uint64_t x, const Start& start) { return x < start.id; });
    if (after == starts_.begin()) return std::nullopt;
    return static_cast<int>((after - 1)->rank);
}

std::vector<FrameRow> RowPlaces::arrange(Exchange& exchange, std::vector<FrameRow> rows,
                                         std::optional<std::string>& problem) const {
    detail::Outbox<FrameRow> outbox(exchange);
    for (const FrameRow& row : rows) {
        if (const auto rank = rank_of(row.id))
            outbox.add(*rank, row);
        else
            problem = unknown(row.id);
    }
    std::vector<FrameRow>().swap(rows);
    std::vector<FrameRow> placed(ids_.size(), absent_row());
    for (const FrameRow& row : outbox.deliver()) {
        const auto found = std::lower_bound(ids_.begin(), ids_.end(), row.id);
        if (found == ids_.end() || *found != row.id) {
            problem = unknown(row.id);
            continue;
        }
        FrameRow& place = placed[static_cast<std::size_t>(found - ids_.begin())];
        if (place.id == row.id) problem = "particle " + std::to_string(row.id) + " exists twice";
        place = row;
    }
    return placed;
}

}  // namespace ricochet
