// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/merged_pieces.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "core/hash.hpp"
#include "parallel/directory.hpp"
#include "parallel/outbox.hpp"

namespace ricochet {
namespace {

using Entry = Directory::Entry;

/// Orders edges by their hashes, the same for both directions of an edge.
struct Weight {
    std::uint64_t hash, low, high;

    explicit Weight(const PieceEdge& edge)
        : hash(0), low(std::min(edge.own, edge.other)), high(std::max(edge.own, edge.other)) {
        const std::array ends{low, high};
        hash = hash_values(std::span<const std::uint64_t>(ends));
    }
    friend auto operator<=>(const Weight&, const Weight&) = default;
};

void keep_each_once(std::vector<PieceEdge>& edges) {
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

/// The edge of least weight of each group that has edges, by group.
std::vector<PieceEdge> least_of_each(std::vector<PieceEdge> edges) {
    std::sort(edges.begin(), edges.end());
    std::size_t num_kept = 0;
    for (std::size_t first = 0, end = 0; first < edges.size(); first = end) {
        PieceEdge least = edges[first];
        for (end = first; end < edges.size() && edges[end].own == least.own; ++end)
            if (Weight(edges[end]) < Weight(least)) least = edges[end];
        edges[num_kept++] = least;
    }
    edges.resize(num_kept);
    return edges;
}

/// The value of an entry is the group that its own has joined, or itself.
class Merging {
  public:
    Merging(Exchange& exchange, std::span<const std::uint64_t> pieces, std::vector<PieceEdge> edges)
        : exchange_(exchange), edges_(std::move(edges)), groups_(exchange, named_as_themselves(pieces)) {
        keep_each_once(edges_);
    }

    MergedPieces run(std::span<const std::uint64_t> pieces) {
        MergedPieces result;
        for (; exchange_.bit_or(edges_.empty() ? 0 : 1) != 0; ++result.num_rounds) {
            std::vector<Entry*> followers = choose();
            part_pairs(followers);
            jump_to_roots(std::move(followers));
            rename_edges();
        }
        std::vector<Entry*> all;
        for (Entry& entry : groups_.kept()) all.push_back(&entry);
        jump_to_roots(all);
        name_by_least(all);
        result.labels = groups_.values_of(pieces);
        result.num_exchanges = num_exchanges_ + groups_.num_exchanges();
        return result;
    }

  private:
    static std::vector<Entry> named_as_themselves(std::span<const std::uint64_t> pieces) {
        std::vector<Entry> entries;
        entries.reserve(pieces.size());
        for (const std::uint64_t piece : pieces) entries.push_back({piece, piece});
        return entries;
    }

    /// Each group joins the one at the end of its least edge. Returns those of this rank that do.
    std::vector<Entry*> choose() {
        detail::Outbox<PieceEdge> outbox(exchange_);
        for (const PieceEdge& edge : least_of_each(edges_))
            outbox.add(Directory::rank_of(exchange_, edge.own), edge);
        ++num_exchanges_;
        std::vector<Entry*> followers;
        for (const PieceEdge& edge : least_of_each(outbox.deliver())) {
            followers.push_back(&groups_.kept(edge.own));
            followers.back()->value = edge.other;
        }
        return followers;
    }

    std::vector<std::uint64_t> values_of_values(const std::vector<Entry*>& entries) {
        std::vector<std::uint64_t> values;
        values.reserve(entries.size());
        for (const Entry* entry : entries) values.push_back(entry->value);
        return groups_.values_of(values);
    }

    /// The lesser of two that join each other is a root.
    void part_pairs(const std::vector<Entry*>& followers) {
        const std::vector<std::uint64_t> next = values_of_values(followers);
        for (std::size_t k = 0; k < followers.size(); ++k) {
            Entry& entry = *followers[k];
            if (next[k] != entry.key)
                entry.value = next[k];
            else
                entry.value = std::min(entry.key, entry.value);
        }
    }

    /// Each skips every other one on its way to the root, until all are next to theirs.
    void jump_to_roots(std::vector<Entry*> followers) {
        while (exchange_.bit_or(followers.empty() ? 0 : 1) != 0) {
            const std::vector<std::uint64_t> next = values_of_values(followers);
            std::size_t num_on_their_way = 0;
            for (std::size_t k = 0; k < followers.size(); ++k) {
                if (followers[k]->value == next[k]) continue;
                followers[k]->value = next[k];
                followers[num_on_their_way++] = followers[k];
            }
            followers.resize(num_on_their_way);
        }
    }

    void rename_edges() {
        std::vector<std::uint64_t> ends;
        ends.reserve(2 * edges_.size());
        for (const PieceEdge& edge : edges_) ends.insert(ends.end(), {edge.own, edge.other});
        const std::vector<std::uint64_t> groups = groups_.values_of(ends);
        std::size_t num_left = 0;
        for (std::size_t k = 0; k < edges_.size(); ++k)
            if (groups[2 * k] != groups[2 * k + 1]) edges_[num_left++] = {groups[2 * k], groups[2 * k + 1]};
        edges_.resize(num_left);
        keep_each_once(edges_);
    }

    /// Now that all entries have their roots as values, they get the least names instead.
    void name_by_least(const std::vector<Entry*>& all) {
        std::vector<Entry> names;  // root, member
        std::vector<Entry*> followers;
        for (Entry* entry : all) {
            names.push_back({entry->value, entry->key});
            if (entry->key != entry->value) followers.push_back(entry);
        }
        detail::Outbox<Entry> outbox(exchange_);
        for_least_of_each(std::move(names), [&](const Entry& least) {
            outbox.add(Directory::rank_of(exchange_, least.key), least);
        });
        ++num_exchanges_;
        for_least_of_each(outbox.deliver(),
                          [&](const Entry& least) { groups_.kept(least.key).value = least.value; });
        const std::vector<std::uint64_t> labels = values_of_values(followers);
        for (std::size_t k = 0; k < followers.size(); ++k) followers[k]->value = labels[k];
    }

    template <class Function>
    static void for_least_of_each(std::vector<Entry> entries, Function&& f) {
        std::sort(entries.begin(), entries.end());
        for (std::size_t k = 0; k < entries.size(); ++k)
            if (k == 0 || entries[k].key != entries[k - 1].key) f(entries[k]);
    }

    Exchange& exchange_;
    std::vector<PieceEdge> edges_;  ///< of groups, each once
    Directory groups_;
    std::uint32_t num_exchanges_ = 0;  ///< besides those of the directory
};

}  // namespace

MergedPieces merge_pieces(Exchange& exchange, std::span<const std::uint64_t> pieces,
                          std::vector<PieceEdge> edges) {
    return Merging(exchange, pieces, std::move(edges)).run(pieces);
}

}  // namespace ricochet
