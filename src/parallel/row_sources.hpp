// SPDX-License-Identifier: BSD-3-Clause
//
// Which particle fills each row of this rank's block of a file. Particles of this rank are read where they are. Other
// ranks send their particles as rows. What is written is then filled in the order of the rows.
//
// Advantage over particles that are put into their rows: what is not in order is only read. Pieces are written from
// one end to the other, and their checksums are made while they are in the cache.
//
// The list of sources also finds ids that exist twice. All memory is kept from use to use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "parallel/global_sort.hpp"
#include "parallel/row_places.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The ids from `first` up to `end`, which is not one of them.
struct IdRange {
    std::uint64_t first = 0;
    std::uint64_t end = no_id;

    bool contains(std::uint64_t id) const { return id >= first && id < end; }
};

/// Ids that cannot have a row of their own; no_id where there is none.
struct WrongIds {
    std::uint64_t unknown = no_id;  ///< the lowest without a row
    std::uint64_t twice = no_id;    ///< the lowest that exists twice

    void merge(const WrongIds& other) {
        unknown = std::min(unknown, other.unknown);
        twice = std::min(twice, other.twice);
    }
};

/// A sentence about the lowest wrong ids of all ranks, the same on all ranks; none where all are right. Collective.
std::optional<std::string> describe_wrong_ids(Exchange& exchange, const WrongIds& mine);

/// Row::of(particles, k) is the row of a particle, and Row{} that of none. The function id_of(row) tells its id.
template <class Row>
class RowSources {
  public:
    /// Finds the sources of this rank's rows. Considers the particles with ids in this range, which have these places.
    /// Refers to `owned`. Collective.
    void collect(Exchange& exchange, const Particles& owned, const IdRange& ids, const RowPlaces& places);

    std::uint64_t first_row() const { return first_row_; }
    std::uint64_t num_rows() const { return sources_.size(); }
    /// What was wrong with the ids, as far as this rank has seen it.
    const WrongIds& wrong_ids() const { return wrong_; }
    /// Whether a particle fills row `first_row() + index`.
    bool has_particle(std::uint64_t index) const { return sources_[index] != no_source; }
    /// field(row) of row `first_row() + index`.
    template <class Field>
    auto value(std::uint64_t index, Field field) const {
        const std::uint64_t source = sources_[index];
        if (source < num_owned_) return field(Row::of(*owned_, source));
        if (source == no_source) return field(Row{});
        return field(incoming_[source - num_owned_]);
    }

  private:
    /// A particle whose row another rank writes.
    struct Leaving {
        std::int64_t rank = 0;
        std::uint64_t index = 0;
    };
    static constexpr std::uint64_t no_source = ~std::uint64_t{0};

    template <class Places>
    void collect_from(Exchange& exchange, const IdRange& ids, const Places& places);
    template <class Places>
    void take_owned(Exchange& exchange, const IdRange& ids, const Places& places);
    void send_leaving(Exchange& exchange);
    void put(std::uint64_t index, std::uint64_t source, std::uint64_t id);

    const Particles* owned_ = nullptr;
    std::uint64_t num_owned_ = 0;
    std::uint64_t first_row_ = 0;
    /// By row: the index of a particle of this rank, or that number of particles plus the index of an incoming row.
    std::vector<std::uint64_t> sources_;
    std::vector<Leaving> leaving_;
    std::vector<std::uint64_t> num_leaving_;  ///< by rank
    std::vector<Row> outgoing_, incoming_;
    WrongIds wrong_;
};

template <class Row>
void RowSources<Row>::collect(Exchange& exchange, const Particles& owned, const IdRange& ids,
                              const RowPlaces& places) {
    owned_ = &owned;
    num_owned_ = owned.size();
    wrong_ = {};
    std::visit([&](const auto& kind) { collect_from(exchange, ids, kind); }, places);
}

template <class Row>
template <class Places>
void RowSources<Row>::collect_from(Exchange& exchange, const IdRange& ids, const Places& places) {
    first_row_ = places.first_row();
    resize_for_overwrite(sources_, places.num_rows());
    std::fill(sources_.begin(), sources_.end(), no_source);
    take_owned(exchange, ids, places);
    if (exchange.size() == 1) return;
    send_leaving(exchange);
    for (std::size_t k = 0; k < incoming_.size(); ++k) {
        const std::uint64_t id = id_of(incoming_[k]);
        if (const auto index = places.index_of(id))
            put(*index, num_owned_ + k, id);
        else
            wrong_.unknown = std::min(wrong_.unknown, id);
    }
}

template <class Row>
template <class Places>
void RowSources<Row>::take_owned(Exchange& exchange, const IdRange& ids, const Places& places) {
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
template <class Row>
void RowSources<Row>::send_leaving(Exchange& exchange) {
    std::vector<std::uint64_t> next(num_leaving_.size());
    std::exclusive_scan(num_leaving_.begin(), num_leaving_.end(), next.begin(), std::uint64_t{0});
    resize_for_overwrite(outgoing_, leaving_.size());
    for (const Leaving& one : leaving_)
        outgoing_[next[static_cast<std::size_t>(one.rank)]++] = Row::of(*owned_, one.index);
    const std::vector<std::uint64_t> num_incoming = exchange.all_to_all_numbers(num_leaving_);
    resize_for_overwrite(incoming_,
                         std::accumulate(num_incoming.begin(), num_incoming.end(), std::uint64_t{0}));
    exchange.all_to_all_pieces(
        detail::cut_by_rank(std::as_bytes(std::span(outgoing_)), num_leaving_, sizeof(Row)),
        detail::cut_by_rank(std::as_writable_bytes(std::span(incoming_)), num_incoming, sizeof(Row)));
}

template <class Row>
void RowSources<Row>::put(std::uint64_t index, std::uint64_t source, std::uint64_t id) {
    if (sources_[index] != no_source) wrong_.twice = std::min(wrong_.twice, id);
    sources_[index] = source;
}

}  // namespace ricochet
