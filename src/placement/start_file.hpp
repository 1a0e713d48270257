// SPDX-License-Identifier: BSD-3-Clause
//
// A start from a file of any length: no rank ever stores more than a block of it and its share.
//
// Algorithm: rank 0 reads the file block by block and checks the rows of a block (RowChecker). It sends
// equally many rows to every rank. Then all ranks find conflicts between two rows:
//
//   repeated ids   Every rank sends its ids to the rank given by the hash of the id, which sorts them. It
//                  sends at most the first eleven rows of an id: only ten repeats are ever named. So a file
//                  in which all ids are equal fills no rank.
//   overlaps       The box is cut into slabs of equally many particles (parallel/cuts.hpp). A particle is
//                  sent to its slab, and to those in which the centre of a touching sphere can lie. The
//                  pair belongs to the rank of its earlier row. Pairs whose contact rules let them overlap are
//                  taken, and so are overlaps as small as the rounding of the file's digits.
//
// Rank 0 then orders the messages, the first ten of each kind in the order of the file, and all ranks throw
// them. They are the same on any number of ranks. The exception: of more than a thousand overlaps, other
// pairs may be named.
//
// Disadvantages: one rank gets all particles of a slice, and refuses them when they are more than its share
// (particles on top of each other). One rank parses the text (note 38 of tests/bench/notes.md); binary frames
// are faster, but also read by one rank.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "placement/particle_table.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct StartFile {
    Particles particles;          ///< this rank's share, checked and complete
    bool has_velocities = false;  ///< on all ranks; otherwise velocities are zero, and the dynamics draws
                                  ///< them
    bool has_nameless_species = false;  ///< on all ranks; species are numbers in the file, without names
    std::vector<std::string> notes;     ///< on all ranks; how the file was understood, for the user
};

struct DealOptions {
    std::uint64_t block_rows = TableSource::usual_block;
    double overlap_tolerance = default_overlap_tolerance;
};

/// Calls `open` on rank 0 and reads the file that it returns; the file is closed at the end. Collective.
/// Throws InputError, the same on all ranks, with one line per mistake: those of the file's reader and of
/// RowChecker, repeated ids, overlaps. Time O(rows) on rank 0 and O(rows / ranks) on the others; memory
/// O(rows / ranks + block_rows).
StartFile deal_from_file(const std::function<std::unique_ptr<TableSource>()>& open, const StartRules& rules,
                         Exchange& exchange, const DealOptions& options = {});

}  // namespace ricochet
