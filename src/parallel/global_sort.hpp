// SPDX-License-Identifier: BSD-3-Clause
//
// Sorts records that are spread over the ranks. Afterwards each rank has a contiguous block of the global
// order, with blocks in the order of the ranks. Written to a file one after the other, blocks give the same
// bytes however the records were spread, on any number of ranks.
//
// Algorithm: sample sort (Li et al., Parallel Computing 19 (1993) 1079, regular sampling). Every rank sorts
// its own records and contributes every g-th key. The number g is the same on all ranks, so that samples
// stand for equal shares. The sorted samples yield the splitters. One all-to-all exchange follows, and each
// rank merges the sorted runs that it receives.
//
// With s samples per rank and p ranks no rank ends with more than N/p + N (p + 1)/(s p) records. Unequal
// blocks cost nothing here: a rank may write any number of rows.
//
// Invariant: keys must differ between records. Records of equal keys stay together, but their order depends
// on the ranks.
//
// Cost: O(n log n) local work, less where records come in order, and one exchange of all records. There are never
// more than two copies of them. Callers that sort repeatedly may keep the memory of both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel/collectives.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace detail {

inline constexpr std::size_t samples_per_rank = 128;

/// Every stride-th key of sorted records.
template <class Record, class KeyOf>
auto sample_keys(const std::vector<Record>& records, std::size_t stride, KeyOf key_of) {
    std::vector<decltype(key_of(records[0]))> keys;
    for (std::size_t k = stride - 1; k < records.size(); k += stride) keys.push_back(key_of(records[k]));
    return keys;
}

/// Sorted keys that cut the records of all ranks into nearly equal parts, one per rank; fewer when there are
/// fewer samples. The same on every rank. Collective.
template <class Record, class KeyOf>
auto choose_splitters(Exchange& exchange, const std::vector<Record>& sorted, KeyOf key_of) {
    const auto num_ranks = static_cast<std::size_t>(exchange.size());
    const std::uint64_t num_global = sum_of_ranks(exchange, sorted.size());
    const std::size_t stride = num_global / (num_ranks * samples_per_rank) + 1;
    const auto own = sample_keys(sorted, stride, key_of);
    using Key = typename decltype(own)::value_type;
    auto samples = all_gather_records<Key>(exchange, own);
    std::sort(samples.begin(), samples.end());
    std::vector<Key> splitters;
    for (std::size_t part = 1; part < num_ranks && !samples.empty(); ++part)
        splitters.push_back(samples[part * samples.size() / num_ranks]);
    return splitters;
}

/// The number of the sorted records for each rank: those below the first splitter go to rank 0, and so on.
template <class Record, class Key, class KeyOf>
std::vector<std::uint64_t> count_parts(const std::vector<Record>& sorted, const std::vector<Key>& splitters,
                                       std::size_t num_parts, KeyOf key_of) {
    std::vector<std::uint64_t> counts(num_parts, 0);
    auto begin = sorted.begin();
    for (std::size_t part = 0; part < splitters.size(); ++part) {
        const auto below = [&](const Record& record, const Key& key) { return key_of(record) < key; };
        const auto end = std::lower_bound(begin, sorted.end(), splitters[part], below);
        counts[part] = static_cast<std::uint64_t>(end - begin);
        begin = end;
    }
    counts[splitters.size()] = static_cast<std::uint64_t>(sorted.end() - begin);
    return counts;
}

/// The records in the order of their keys. Sorts keys with indices, and moves each record once, because
/// records are many times longer than keys.
template <class Record, class KeyOf>
std::vector<Record> sorted_by_key(const std::vector<Record>& records, KeyOf key_of) {
    using Key = std::decay_t<decltype(key_of(records[0]))>;
    std::vector<std::pair<Key, std::size_t>> places;
    places.reserve(records.size());
    for (std::size_t k = 0; k < records.size(); ++k) places.emplace_back(key_of(records[k]), k);
    std::sort(places.begin(), places.end());
    std::vector<Record> sorted;
    sorted.reserve(records.size());
    for (const auto& [key, index] : places) sorted.push_back(records[index]);
    return sorted;
}

/// Consecutive pieces of `bytes`: counts[r] records for or from rank r.
/// Requires: `bytes` holds these records and no more.
template <class Byte>
std::vector<std::span<Byte>> cut_by_rank(std::span<Byte> bytes, const std::vector<std::uint64_t>& counts,
                                         std::size_t record_bytes) {
    std::vector<std::span<Byte>> pieces;
    for (const std::uint64_t count : counts) {
        RICOCHET_CHECK_LE(count, bytes.size() / record_bytes);
        pieces.push_back(bytes.first(count * record_bytes));
        bytes = bytes.subspan(count * record_bytes);
    }
    RICOCHET_CHECK_EQ(bytes.size(), 0);
    return pieces;
}

/// Where sorted runs begin that are stored one after the other.
using RunStarts = std::vector<std::size_t>;

/// Sends counts[r] consecutive records to rank r; `runs` becomes what arrives, a sorted run from each rank.
/// Collective.
template <class Record>
RunStarts exchange_runs(Exchange& exchange, const std::vector<Record>& sorted,
                        const std::vector<std::uint64_t>& counts, std::vector<Record>& runs) {
    static_assert(std::is_trivially_copyable_v<Record>);
    const std::vector<std::uint64_t> incoming = exchange.all_to_all_numbers(counts);
    RunStarts starts;
    std::uint64_t num_records = 0;
    for (const std::uint64_t count : incoming) {
        starts.push_back(num_records);
        num_records += count;
    }
    resize_for_overwrite(runs, num_records);
    exchange.all_to_all_pieces(
        cut_by_rank(std::as_bytes(std::span(sorted)), counts, sizeof(Record)),
        cut_by_rank(std::as_writable_bytes(std::span(runs)), incoming, sizeof(Record)));
    return starts;
}

/// Merges each two neighbours of the runs in `from` into one in `to`, and returns where these begin.
template <class Record, class Less>
RunStarts merge_pairs(const std::vector<Record>& from, const RunStarts& starts, std::vector<Record>& to,
                      Less less) {
    const auto run = [&](std::size_t k) {
        return from.begin() + static_cast<std::ptrdiff_t>(k < starts.size() ? starts[k] : from.size());
    };
    resize_for_overwrite(to, from.size());
    RunStarts merged;
    for (std::size_t k = 0; k < starts.size(); k += 2) {
        merged.push_back(starts[k]);
        std::merge(run(k), run(k + 1), run(k + 1), run(k + 2),
                   to.begin() + static_cast<std::ptrdiff_t>(starts[k]), less);
    }
    return merged;
}

}  // namespace detail

/// Turns this rank's records, which are in the order of key_of(record), into its block of the global order.
/// `spare` lends memory; its contents are lost. Collective.
template <class Record, class KeyOf>
void merge_across_ranks(Exchange& exchange, std::vector<Record>& records, std::vector<Record>& spare,
                        KeyOf key_of) {
    if (exchange.size() == 1) return;
    const auto less = [&](const Record& a, const Record& b) { return key_of(a) < key_of(b); };
    const auto splitters = detail::choose_splitters(exchange, records, key_of);
    const auto counts =
        detail::count_parts(records, splitters, static_cast<std::size_t>(exchange.size()), key_of);
    detail::RunStarts starts = detail::exchange_runs(exchange, records, counts, spare);
    records.swap(spare);
    while (starts.size() > 1) {
        starts = detail::merge_pairs(records, starts, spare, less);
        records.swap(spare);
    }
}

/// Takes this rank's records and returns its block of the global order of key_of(record). Collective.
template <class Record, class KeyOf>
std::vector<Record> sort_across_ranks(Exchange& exchange, std::vector<Record> records, KeyOf key_of) {
    const auto less = [&](const Record& a, const Record& b) { return key_of(a) < key_of(b); };
    if (!std::is_sorted(records.begin(), records.end(), less))
        records = detail::sorted_by_key(records, key_of);
    std::vector<Record> spare;
    merge_across_ranks(exchange, records, spare, key_of);
    return records;
}

}  // namespace ricochet
