// SPDX-License-Identifier: BSD-3-Clause
//
// A start from a file of any length: no rank ever holds more than a block of it and its share.
//
// Rank 0 reads the file block by block, checks the rows of a block (RowChecker) and deals them out, equally
// many to every rank. What two rows can do wrong together is then found by all ranks:
//
//   ids given twice   every rank sends what it has to the rank that the hash of the id names, which sorts. Of
//                     one id it sends eleven rows at most, the first: ten repeats are all that is ever named,
//                     and a file in which all ids are equal fills no rank
//   overlaps          the box is cut into slabs of equally many particles (parallel/cuts.hpp). A particle
//                     goes to its slab, and to those in which the centre of a sphere that touches it can lie;
//                     the pair belongs to the rank of its earlier row
//
// Rank 0 then puts the messages together, the first ten of each kind in the order of the file, and all ranks
// throw them. They are the same on any number of ranks, but for which ones are named of more than a thousand
// overlaps.
//
// Disadvantages: a file that has more than its share of particles in one slice, one on top of the other, is
// refused by a rank that holds them all. One rank parses the text, some 10 MB/s to 100 MB/s; binary frames
// are read faster, but by one rank as well.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ricochet/core/particles.hpp"
#include "ricochet/engine/particle_table.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct GivenStart {
    Particles particles;          ///< this rank's share, checked and complete
    bool has_velocities = false;  ///< of all ranks; else they are zero and for the dynamics to draw
};

struct DealOptions {
    std::uint64_t block_rows = TableSource::usual_block;
    double overlap_tolerance = default_overlap_tolerance;
};

/// Reads what `open`, called on rank 0, returns; the file is closed at the end. Collective. Throws
/// InputError, the same on all ranks, with one line per mistake: what the file's reader and RowChecker find
/// wrong, ids given twice, overlaps. Time O(rows) on rank 0 and O(rows / ranks) on the others, memory O(rows
/// / ranks + block_rows).
GivenStart deal_from_file(const std::function<std::unique_ptr<TableSource>()>& open, const StartRules& rules,
                          Exchange& exchange, const DealOptions& options = {});

}  // namespace ricochet
