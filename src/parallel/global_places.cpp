// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/global_places.hpp"

#include "parallel/collectives.hpp"
#include "parallel/global_sort.hpp"
#include "parallel/outbox.hpp"

namespace ricochet {
namespace {

/// A key on its way to its place, and where it came from.
struct PlacedKey {
    std::uint64_t key_or_place = 0;
    std::uint64_t index = 0;
    std::int64_t rank = 0;
};

}  // namespace

std::vector<std::uint64_t> places_in_order(Exchange& exchange, std::span<const std::uint64_t> keys) {
    std::vector<PlacedKey> records;
    records.reserve(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) records.push_back({keys[k], k, exchange.rank()});
    records = sort_across_ranks(exchange, std::move(records),
                                [](const PlacedKey& record) { return record.key_or_place; });
    std::uint64_t place = locate_rows(exchange, records.size()).first;
    detail::Outbox<PlacedKey> outbox(exchange);
    for (PlacedKey& record : records) {
        record.key_or_place = place++;
        outbox.add(static_cast<int>(record.rank), record);
    }
    std::vector<std::uint64_t> places(keys.size());
    for (const PlacedKey& record : outbox.deliver()) places[record.index] = record.key_or_place;
    return places;
}

}  // namespace ricochet
