// SPDX-License-Identifier: BSD-3-Clause
//
// The meaning of `search: auto`: the method with the smallest estimated cost of a query, from the density and
// the shape of the box. The choice depends on the input alone, never on ranks or on the state, and changes no
// bits.
//
// A query tests every sphere within reach + largest reach of its centre. Costs are in units of one exact
// contact time:
//   all_pairs   all N particles: 1/20 each
//   slices      a look-up: 1; the particles of a slab 4 reaches wide across the whole box, filtered eight at
//               a time: 1/20 each
//   cells       a look-up of its own row: 1/2; of those around it, of which it reaches few in a dilute gas: up to
//               7/4; the particles of a cube 4 reaches wide, filtered: 1/30 each; the grid itself: 20 a step
//
// The weights come from a map of slices and cells (tests/bench/studies). They matter only near the crossovers, in
// small systems and in narrow channels along x.
#pragma once

#include <cstdint>
#include <string>

#include "ricochet/model/box.hpp"
#include "ricochet/search/search_method.hpp"

namespace ricochet {

struct SearchChoice {
    SearchMethod method = search_named("cells");
    std::string reason;  ///< a sentence for the log
};

/// Returns `asked` itself unless it is automatic. mean_reach: radius plus half the displacement in a step, on
/// average.
SearchChoice choose_search(SearchMethod asked, const Box& box, std::uint64_t num_particles,
                           double mean_reach);

}  // namespace ricochet
