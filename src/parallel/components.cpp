// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/components.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "parallel/directory.hpp"
#include "parallel/outbox.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// Values of one key become one, their sum.
void add_up(std::vector<Directory::Entry>& counts) {
    std::sort(counts.begin(), counts.end());
    std::size_t num_keys = 0;
    for (const Directory::Entry& count : counts) {
        if (num_keys > 0 && counts[num_keys - 1].key == count.key)
            counts[num_keys - 1].value += count.value;
        else
            counts[num_keys++] = count;
    }
    counts.resize(num_keys);
}

}  // namespace

Components::Components(std::vector<std::uint64_t> ids)
    : ids_(std::move(ids)),
      table_(std::bit_ceil(2 * ids_.size() + 2), none),
      parent_(ids_.size()),
      labels_(ids_),
      is_shared_(ids_.size()) {
    RICOCHET_CHECK_LT(ids_.size(), none);
    std::iota(parent_.begin(), parent_.end(), Index{0});
    fill_table();
}

std::size_t Components::first_place_of(std::uint64_t id) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
    return (id * golden) >> (64 - std::countr_zero(table_.size()));
}

void Components::fill_table() {
    for (Index index = 0; index < ids_.size(); ++index) {
        std::size_t place = first_place_of(ids_[index]);
        while (table_[place] != none) place = (place + 1) & (table_.size() - 1);
        table_[place] = index;
    }
}

std::optional<Components::Index> Components::index_of(std::uint64_t id) const {
    for (std::size_t place = first_place_of(id); table_[place] != none;
         place = (place + 1) & (table_.size() - 1))
        if (ids_[table_[place]] == id) return table_[place];
    return std::nullopt;
}

Components::Index Components::root_of(Index index) {
    while (parent_[index] != index) index = parent_[index] = parent_[parent_[index]];
    return index;
}

void Components::join(std::size_t index, std::uint64_t partner) {
    const auto own = static_cast<Index>(index);
    const std::optional<Index> other = index_of(partner);
    if (!other) {
        joined_elsewhere_.emplace_back(own, partner);
    } else {
        const Index a = root_of(own), b = root_of(*other);
        if (ids_[a] < ids_[b])
            parent_[b] = a;
        else
            parent_[a] = b;
    }
}

/// By way of the particles at both ends. Collective.
std::vector<PieceEdge> Components::edges_of_pieces(Exchange& exchange) {
    std::vector<Directory::Entry> piece_of_particle;
    std::vector<std::uint64_t> partners;
    for (const auto& [index, partner] : joined_elsewhere_) {
        piece_of_particle.push_back({ids_[index], ids_[root_of(index)]});
        partners.push_back(partner);
    }
    std::sort(piece_of_particle.begin(), piece_of_particle.end());
    piece_of_particle.erase(std::unique(piece_of_particle.begin(), piece_of_particle.end()),
                            piece_of_particle.end());
    Directory particles(exchange, piece_of_particle);
    const std::vector<std::uint64_t> pieces_of_partners = particles.values_of(partners);
    num_exchanges_ += particles.num_exchanges();
    std::vector<PieceEdge> edges;
    for (std::size_t k = 0; k < partners.size(); ++k)
        edges.push_back({ids_[root_of(joined_elsewhere_[k].first)], pieces_of_partners[k]});
    return edges;
}

void Components::connect(Exchange& exchange) {
    if (exchange.bit_or(joined_elsewhere_.empty() ? 0 : 1) == 0) return;
    std::vector<Index> roots;
    for (const auto& joined : joined_elsewhere_) {
        const Index root = root_of(joined.first);
        if (!is_shared_[root]) roots.push_back(root);
        is_shared_[root] = true;
    }
    std::vector<std::uint64_t> pieces;
    pieces.reserve(roots.size());
    for (const Index root : roots) pieces.push_back(ids_[root]);
    const MergedPieces merged = merge_pieces(exchange, pieces, edges_of_pieces(exchange));
    for (std::size_t k = 0; k < roots.size(); ++k) labels_[roots[k]] = merged.labels[k];
    num_rounds_ = merged.num_rounds;
    num_exchanges_ += merged.num_exchanges;
}

std::uint64_t Components::label(std::size_t index) { return labels_[root_of(static_cast<Index>(index))]; }

std::vector<std::uint64_t> Components::sizes(Exchange& exchange) {
    std::vector<std::uint64_t> size_of_root(ids_.size());
    for (Index index = 0; index < ids_.size(); ++index) ++size_of_root[root_of(index)];
    std::vector<std::uint64_t> sizes;
    std::vector<Directory::Entry> shared;
    for (Index root = 0; root < ids_.size(); ++root) {
        if (is_shared_[root])
            shared.push_back({labels_[root], size_of_root[root]});
        else if (size_of_root[root] > 0)
            sizes.push_back(size_of_root[root]);
    }
    add_up(shared);
    detail::Outbox<Directory::Entry> outbox(exchange);
    for (const Directory::Entry& part : shared) outbox.add(Directory::rank_of(exchange, part.key), part);
    std::vector<Directory::Entry> whole = outbox.deliver();
    add_up(whole);
    for (const Directory::Entry& one : whole) sizes.push_back(one.value);
    return sizes;
}

}  // namespace ricochet
