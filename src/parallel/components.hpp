// SPDX-License-Identifier: BSD-3-Clause
//
// Connected components of particles that are joined to others, their own rank's and those of any other.
//
// Algorithm: first a union-find over a rank's own particles, which gives its pieces; a piece is named by its least id.
// Particles with partners on other ranks tell a Directory their pieces, so that edges between particles become edges
// between pieces. merge_pieces does the rest.
//
// Layout: flat arrays by particle, and a hash table of ids with open addressing, at most half full.
//
// Invariants: a label is the least id of a component. So labels and sizes are the same on any number of ranks. An edge
// must be given at both ends.
//
// Cost: O(particles and edges of a rank) without those between ranks, of which the first takes 36 bytes in memory, and
// the second nothing. To these merge_pieces adds what it takes of pieces that reach to other ranks. No rank holds more
// than its own particles and its share of those pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "parallel/merged_pieces.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

class Components {
  public:
    /// The particles of this rank.
    /// Requires: no two, on any ranks, have the same id; all ids are below 2^63.
    explicit Components(std::vector<std::uint64_t> ids);

    /// Joins the own particle `index` to another one, of any rank.
    void join(std::size_t index, std::uint64_t partner);
    /// Once, when all are joined: finds what components there are over ranks. Throws std::logic_error when a partner
    /// has not been joined likewise. Collective.
    void connect(Exchange& exchange);

    /// The least id of the component of the own particle `index`.
    std::uint64_t label(std::size_t index);
    /// The numbers of particles of all components, each on one rank, in no order. Collective.
    std::vector<std::uint64_t> sizes(Exchange& exchange);

    /// What connect() took.
    std::uint32_t num_rounds() const { return num_rounds_; }
    std::uint32_t num_exchanges() const { return num_exchanges_; }

  private:
    using Index = std::uint32_t;
    static constexpr Index none = ~Index{0};

    std::size_t first_place_of(std::uint64_t id) const;
    void fill_table();
    std::optional<Index> index_of(std::uint64_t id) const;
    Index root_of(Index index);
    std::vector<PieceEdge> edges_of_pieces(Exchange& exchange);

    std::vector<std::uint64_t> ids_;
    std::vector<Index> table_;           ///< by place
    std::vector<Index> parent_;          ///< of the union-find; a root has the least id of its piece
    std::vector<std::uint64_t> labels_;  ///< of roots
    std::vector<bool> is_shared_;        ///< of roots: whether the piece has partners elsewhere
    std::vector<std::pair<Index, std::uint64_t>> joined_elsewhere_;
    std::uint32_t num_rounds_ = 0, num_exchanges_ = 0;
};

}  // namespace ricochet
