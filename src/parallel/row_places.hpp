// SPDX-License-Identifier: BSD-3-Clause
//
// Which row of a file belongs to an id, and which rank writes it. Where ids have no gaps, rows follow from them, and
// otherwise from a list of ids that has been sorted. Frames keep their places: each particle has one row for good.
//
// Layout: rows in the order of ids are cut into one block per rank. A rank that writes a list's block keeps this part
// of the list, and the first id of every other block. So no rank holds all ids, and what has ended is kept nowhere.
//
// Advantage over a sort of rows: only ids are sorted, if at all, and a rank knows the absent ones without asking.
// Disadvantage of a list: 8 bytes per row, and each id is searched for.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "parallel/id_blocks.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The ids from `first_id` on follow each other, and so do their rows, from `first_row` on.
class DenseRows {
  public:
    DenseRows(const Exchange& exchange, std::uint64_t first_id, std::uint64_t num_ids,
              std::uint64_t first_row)
        : blocks_(num_ids, exchange.size()),
          first_id_(first_id),
          num_ids_(num_ids),
          first_(blocks_.first(exchange.rank())),
          count_(blocks_.count(exchange.rank())),
          first_row_(first_row + first_) {}

    std::uint64_t first_row() const { return first_row_; }  ///< of this rank's block
    std::uint64_t num_rows() const { return count_; }       ///< of this rank's block
    /// The rank that writes the row of an id; none where the id is unknown.
    std::optional<int> rank_of(std::uint64_t id) const {
        if (id - first_id_ >= num_ids_) return std::nullopt;
        return blocks_.rank_of(id - first_id_);
    }
    /// The index of an id in this rank's block; none where it is not in it.
    std::optional<std::uint64_t> index_of(std::uint64_t id) const {
        const std::uint64_t index = id - first_id_ - first_;  // of smaller ids beyond all counts
        return index < count_ ? std::optional(index) : std::nullopt;
    }

  private:
    IdBlocks blocks_;
    std::uint64_t first_id_, num_ids_;
    std::uint64_t first_, count_, first_row_;
};

/// The ids are listed.
class ListedRows {
  public:
    /// `ids` are those of this rank's rows, ascending; the first is row `first_row` of the frame. Blocks follow each
    /// other in the order of the ranks. The last ids may be no_id. Collective.
    ListedRows(Exchange& exchange, std::vector<std::uint64_t> ids, std::uint64_t first_row);

    std::uint64_t first_row() const { return first_row_; }
    std::uint64_t num_rows() const { return ids_.size(); }
    /// A rank that writes the row of an id if there is one; none where the id is below all.
    std::optional<int> rank_of(std::uint64_t id) const;
    std::optional<std::uint64_t> index_of(std::uint64_t id) const;

  private:
    /// A rank that has ids, and the lowest of them.
    struct Start {
        std::uint64_t id = 0;
        std::int64_t rank = 0;
    };

    std::vector<std::uint64_t> ids_;
    std::uint64_t first_row_ = 0;
    std::vector<Start> starts_;
};

using RowPlaces = std::variant<DenseRows, ListedRows>;

/// Above the ids of all particles. Rows of no particle may have different ids from here on.
inline constexpr std::uint64_t first_missing_id = std::uint64_t{1} << 63;

/// Rows in the order of the ids of all ranks. Each rank passes its own, in any order; rows of no particle come last.
/// Collective. Sorts across ranks where ids have gaps.
RowPlaces places_in_order(Exchange& exchange, std::vector<std::uint64_t> ids);

}  // namespace ricochet
