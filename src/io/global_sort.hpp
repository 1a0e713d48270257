// SPDX-License-Identifier: BSD-3-Clause
//
// Sorts records that are spread over the ranks: afterwards each rank holds a contiguous block of the global
// order, the blocks in the order of the ranks. Written to a file one after the other they give the same
// bytes however the records were spread, and on any number of ranks.
//
// Sample sort: every rank sorts its own records and contributes every g-th key, where g is the same on all
// ranks so that samples stand for equal shares; the samples, sorted, yield the splitters; one all-to-all
// exchange; each rank merges the sorted runs that it gets. With s samples per rank and p ranks no rank ends
// with more than N/p + N (p + 1)/(s p) records. That the blocks are not exactly equal costs nothing here,
// since a rank may write any number of rows. Li et al., Parallel Computing 19 (1993) 1079 (regular sampling).
//
// Keys must differ between records: records of equal keys stay together but in an order that depends on the
// ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/exchange.hpp"

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

/// Sorted keys that cut all ranks' records into as many nearly equal parts as there are ranks; fewer when
/// there are fewer samples. The same on every rank. Collective.
template <class Record, class KeyOf>
auto choose_splitters(const boost::mpi::communicator& ranks, const std::vector<Record>& sorted,
                      KeyOf key_of) {
    const auto num_ranks = static_cast<std::size_t>(ranks.size());
    const std::uint64_t num_global = locate_rows(ranks, sorted.size()).total;
    const std::size_t stride = num_global / (num_ranks * samples_per_rank) + 1;
    const auto own = sample_keys(sorted, stride, key_of);
    using Key = typename decltype(own)::value_type;
    auto samples = gather_everywhere(ranks, std::span<const Key>(own));
    std::sort(samples.begin(), samples.end());
    std::vector<Key> splitters;
    for (std::size_t part = 1; part < num_ranks && !samples.empty(); ++part)
        splitters.push_back(samples[part * samples.size() / num_ranks]);
    return splitters;
}

/// How many of the sorted records belong to each rank: those below the first splitter to rank 0, and so on.
template <class Record, class Key, class KeyOf>
std::vector<std::size_t> count_parts(const std::vector<Record>& sorted, const std::vector<Key>& splitters,
                                     std::size_t num_parts, KeyOf key_of) {
    std::vector<std::size_t> counts(num_parts, 0);
    auto begin = sorted.begin();
    for (std::size_t part = 0; part < splitters.size(); ++part) {
        const auto below = [&](const Record& record, const Key& key) { return key_of(record) < key; };
        const auto end = std::lower_bound(begin, sorted.end(), splitters[part], below);
        counts[part] = static_cast<std::size_t>(end - begin);
        begin = end;
    }
    counts[splitters.size()] = static_cast<std::size_t>(sorted.end() - begin);
    return counts;
}

/// The records in the order of their keys. Sorts keys with indices, and moves each record once: records are
/// many times as long as their keys.
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

/// Merges consecutive sorted runs, pair by pair; `starts` holds the beginning of each.
template <class Record, class Less>
void merge_runs(std::vector<Record>& records, std::vector<int> starts, Less less) {
    while (starts.size() > 1) {
        std::vector<int> merged;
        for (std::size_t k = 0; k < starts.size(); k += 2) {
            merged.push_back(starts[k]);
            if (k + 1 == starts.size()) break;
            const auto end = k + 2 < starts.size() ? records.begin() + starts[k + 2] : records.end();
            std::inplace_merge(records.begin() + starts[k], records.begin() + starts[k + 1], end, less);
        }
        starts = std::move(merged);
    }
}

}  // namespace detail

/// Takes this rank's records, returns its block of the global order of key_of(record). Collective; the same
/// bytes of key on all ranks sort alike. O(n log n) local work, one exchange of all records.
template <class Record, class KeyOf>
std::vector<Record> sort_across_ranks(const boost::mpi::communicator& ranks, std::vector<Record> records,
                                      KeyOf key_of) {
    const auto less = [&](const Record& a, const Record& b) { return key_of(a) < key_of(b); };
    if (!std::is_sorted(records.begin(), records.end(), less))
        records = detail::sorted_by_key(records, key_of);
    if (ranks.size() == 1) return records;
    const auto splitters = detail::choose_splitters(ranks, records, key_of);
    const auto counts =
        detail::count_parts(records, splitters, static_cast<std::size_t>(ranks.size()), key_of);
    const ExchangePlan plan = plan_exchange(ranks, counts);
    std::vector<Record> block = exchange(ranks, std::span<const Record>(records), plan);
    detail::merge_runs(block, plan.receive_starts, less);
    return block;
}

}  // namespace ricochet
