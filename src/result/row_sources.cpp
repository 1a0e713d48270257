// SPDX-License-Identifier: BSD-3-Clause
#include "result/row_sources.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "parallel/global_sort.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t highest_bit = std::uint64_t{1} << 63;

/// A bijection that turns the order round: lower ids are larger.
std::int64_t reversed(std::uint64_t id) { return static_cast<std::int64_t>(~id ^ highest_bit); }
std::uint64_t id_of_reversed(std::int64_t number) {
    return ~(static_cast<std::uint64_t>(number) ^ highest_bit);
}

}  // namespace

std::optional<std::string> describe_wrong_ids(Exchange& exchange, const WrongIds& mine) {
    std::array lowest{reversed(mine.unknown), reversed(mine.twice)};
    exchange.max(std::span<std::int64_t>(lowest));
    const std::uint64_t unknown = id_of_reversed(lowest[0]), twice = id_of_reversed(lowest[1]);
    if (unknown != absent_id) return "particle " + std::to_string(unknown) + " is not one of the start";
    if (twice != absent_id) return "particle " + std::to_string(twice) + " exists twice";
    return std::nullopt;
}

void RowSources::collect(Exchange& exchange, const Particles& owned, const IdRange& ids,
                         const RowPlaces& places) {
    owned_ = &owned;
    num_owned_ = owned.size();
    wrong_ = {};
    std::visit([&](const auto& kind) { collect_from(exchange, ids, kind); }, places);
}

template <class Places>
void RowSources::collect_from(Exchange& exchange, const IdRange& ids, const Places& places) {
    first_row_ = places.first_row();
    resize_for_overwrite(sources_, places.num_rows());
    std::fill(sources_.begin(), sources_.end(), no_source);
    take_owned(exchange, ids, places);
    if (exchange.size() == 1) return;
    send_leaving(exchange);
    for (std::size_t k = 0; k < incoming_.size(); ++k) {
        const std::uint64_t id = incoming_[k].id;
        if (const auto index = places.index_of(id))
            put(*index, num_owned_ + k, id);
        else
            wrong_.unknown = std::min(wrong_.unknown, id);
    }
}

template <class Places>
void RowSources::take_owned(Exchange& exchange, const IdRange& ids, const Places& places) {
    leaving_.clear();
    num_leaving_.assign(static_cast<std::size_t>(exchange.size()), 0);
    for (std::uint64_t k = 0; k < num_owned_; ++k) {
        const std::uint64_t id = owned_->motion[k].id;
        if (!ids.contains(id)) continue;
        if (const auto index = places.index_of(id)) {
            put(*index, k, id);
            continue;
        }
        const std::optional<int> rank = places.rank_of(id);
        if (!rank || *rank == exchange.rank()) {
            wrong_.unknown = std::min(wrong_.unknown, id);
            continue;
        }
        leaving_.push_back({*rank, k});
        ++num_leaving_[static_cast<std::size_t>(*rank)];
    }
}

/// Collective.
void RowSources::send_leaving(Exchange& exchange) {
    std::vector<std::uint64_t> next(num_leaving_.size());
    std::exclusive_scan(num_leaving_.begin(), num_leaving_.end(), next.begin(), std::uint64_t{0});
    resize_for_overwrite(outgoing_, leaving_.size());
    for (const Leaving& one : leaving_)
        outgoing_[next[static_cast<std::size_t>(one.rank)]++] = frame_row_of(*owned_, one.index);
    const std::vector<std::uint64_t> num_incoming = exchange.all_to_all_numbers(num_leaving_);
    resize_for_overwrite(incoming_,
                         std::accumulate(num_incoming.begin(), num_incoming.end(), std::uint64_t{0}));
    exchange.all_to_all_pieces(
        detail::cut_by_rank(std::as_bytes(std::span(outgoing_)), num_leaving_, sizeof(FrameRow)),
        detail::cut_by_rank(std::as_writable_bytes(std::span(incoming_)), num_incoming, sizeof(FrameRow)));
}

void RowSources::put(std::uint64_t index, std::uint64_t source, std::uint64_t id) {
    if (sources_[index] != no_source) wrong_.twice = std::min(wrong_.twice, id);
    sources_[index] = source;
}

}  // namespace ricochet
