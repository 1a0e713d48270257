// SPDX-License-Identifier: BSD-3-Clause
#include "result/row_places.hpp"

#include <algorithm>
#include <utility>

#include "parallel/collectives.hpp"
#include "parallel/id_blocks.hpp"
#include "parallel/outbox.hpp"

namespace ricochet {
namespace {

std::string unknown(std::uint64_t id) {
    return "particle " + std::to_string(id) + " is not one of the start";
}

void put(const FrameRow& row, FrameRow& place, std::optional<std::string>& problem) {
    if (place.id == row.id) problem = "particle " + std::to_string(row.id) + " exists twice";
    place = row;
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

RowBlock RowPlaces::arrange(Exchange& exchange, std::vector<FrameRow> rows,
                            std::optional<std::string>& problem) const {
    detail::Outbox<FrameRow> outbox(exchange);
    for (const FrameRow& row : rows) {
        if (const auto rank = rank_of(row.id))
            outbox.add(*rank, row);
        else
            problem = unknown(row.id);
    }
    std::vector<FrameRow>().swap(rows);
    RowBlock block{first_row_, std::vector<FrameRow>(ids_.size(), absent_row())};
    for (const FrameRow& row : outbox.deliver()) {
        const auto found = std::lower_bound(ids_.begin(), ids_.end(), row.id);
        if (found == ids_.end() || *found != row.id) {
            problem = unknown(row.id);
            continue;
        }
        put(row, block.rows[static_cast<std::size_t>(found - ids_.begin())], problem);
    }
    return block;
}

RowBlock arrange_new_rows(Exchange& exchange, std::vector<FrameRow> rows, std::uint64_t first_new_id,
                          std::uint64_t first_row, std::uint64_t num_rows,
                          std::optional<std::string>& problem) {
    const IdBlocks blocks(num_rows - first_row, exchange.size());
    detail::Outbox<FrameRow> outbox(exchange);
    for (const FrameRow& row : rows) outbox.add(blocks.rank_of(row.id - first_new_id), row);
    std::vector<FrameRow>().swap(rows);
    const std::uint64_t first = blocks.first(exchange.rank());
    RowBlock block{first_row + first, std::vector<FrameRow>(blocks.count(exchange.rank()), absent_row())};
    for (const FrameRow& row : outbox.deliver()) put(row, block.rows[row.id - first_new_id - first], problem);
    return block;
}

}  // namespace ricochet
