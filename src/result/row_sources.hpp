// SPDX-License-Identifier: BSD-3-Clause
//
// Which particle fills each row of this rank's block of a frame. Particles of this rank are read where they are; those
// of other ranks come as rows. Columns are then filled in the order of their rows.
//
// Advantage over particles that are put into their rows: what is written lies one after the other, and the checksum of
// a piece is made while the piece is in the cache. What is not in order is only read.
//
// The list of sources also finds ids that exist twice. All memory is kept from frame to frame.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/frame_row.hpp"
#include "result/row_places.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The ids from `first` up to `end`, which is not one of them.
struct IdRange {
    std::uint64_t first = 0;
    std::uint64_t end = absent_id;

    bool contains(std::uint64_t id) const { return id >= first && id < end; }
};

/// Ids that cannot have a row of their own; absent_id where there is none.
struct WrongIds {
    std::uint64_t unknown = absent_id;  ///< the lowest without a row
    std::uint64_t twice = absent_id;    ///< the lowest that exists twice

    void merge(const WrongIds& other) {
        unknown = std::min(unknown, other.unknown);
        twice = std::min(twice, other.twice);
    }
};

/// A sentence about the lowest wrong ids of all ranks, the same on all ranks; none where all are right. Collective.
std::optional<std::string> describe_wrong_ids(Exchange& exchange, const WrongIds& mine);

class RowSources {
  public:
    /// Finds the sources of this rank's rows. Considers the particles with ids in this range, which have these places.
    /// Refers to `owned`. Collective.
    void collect(Exchange& exchange, const Particles& owned, const IdRange& ids, const RowPlaces& places);

    std::uint64_t first_row() const { return first_row_; }
    std::uint64_t num_rows() const { return sources_.size(); }
    /// What was wrong with the ids, as far as this rank has seen it.
    const WrongIds& wrong_ids() const { return wrong_; }
    /// field(row) of row `first_row() + index`.
    template <class Field>
    auto value(std::uint64_t index, Field field) const {
        const std::uint64_t source = sources_[index];
        if (source < num_owned_) return field(frame_row_of(*owned_, source));
        if (source == no_source) return field(absent_row());
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
    std::vector<FrameRow> outgoing_, incoming_;
    WrongIds wrong_;
};

}  // namespace ricochet
