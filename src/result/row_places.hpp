// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of frames in which particles may be absent. Each particle has one row for good: the place of its
// id among the ids of the start. Rows without a particle hold fill values.
//
// Layout: the ids of the start in ascending order are cut into one block per rank. A rank keeps only its own
// block and the first id of every other. A frame is one exchange: each row goes to the rank that has its id,
// which puts it in its place. So no rank holds all ids, and what has ended is kept nowhere.
//
// Advantage over a sort: a rank always writes the same rows, and knows the absent ones without asking.
// Disadvantage: 8 bytes per row are kept between frames.
//
// Particles that come later need no table: their ids follow each other, and so do their rows. These rows too
// are cut into one block per rank, anew in each frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/frame_row.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

class RowPlaces {
  public:
    RowPlaces() = default;
    /// `ids` are those of this rank's rows, ascending; the first is row `first_row` of the frame. Blocks
    /// follow each other in the order of the ranks. The last ids may be absent_id. Collective.
    RowPlaces(Exchange& exchange, std::vector<std::uint64_t> ids, std::uint64_t first_row);

    /// Whether the ids are given; before that there are no places.
    bool are_known() const { return are_known_; }

    /// The rows of this rank's block, absent ones included, from rows in any order on any rank. Sets
    /// `problem` on some rank where an id is unknown or comes twice. Collective.
    RowBlock arrange(Exchange& exchange, std::vector<FrameRow> rows,
                     std::optional<std::string>& problem) const;

  private:
    /// A rank that has ids, and the lowest of them.
    struct Start {
        std::uint64_t id = 0;
        std::int64_t rank = 0;
    };

    std::optional<int> rank_of(std::uint64_t id) const;

    bool are_known_ = false;
    std::vector<std::uint64_t> ids_;
    std::uint64_t first_row_ = 0;
    std::vector<Start> starts_;
};

/// This rank's block of the rows [first_row, num_rows) of particles that came later, absent ones included. The
/// first of these rows is that of the id `first_new_id`. Sets `problem` on some rank where an id comes twice.
/// Collective.
RowBlock arrange_new_rows(Exchange& exchange, std::vector<FrameRow> rows, std::uint64_t first_new_id,
                          std::uint64_t first_row, std::uint64_t num_rows,
                          std::optional<std::string>& problem);

}  // namespace ricochet
