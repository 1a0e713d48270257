// SPDX-License-Identifier: BSD-3-Clause
//
// What `search: auto` means: the method with the least estimated cost of one query, from the density and the
// shape of the box. The choice depends on the input alone, never on ranks or on the state, and changes no
// bits.
//
// A query looks at every ball within reach + largest reach of its centre. Counted in exact contact times
// (about 20 ns):
//   all_pairs   all N particles, one contact time each
//   slices      the particles of the slab 2 (reach + reach) wide across the whole box, filtered 8 at a time
//   (1/30 each) cells       the particles of the cube 2 (reach + reach) wide, filtered, after a look-up of
//   some 9 rows (1/4 each)
// The weights were read off step_bench and the cost per query of each method; they matter only near the
// crossovers, in small systems and in narrow channels along x.
#pragma once

#include <cstdint>
#include <string>

#include "ricochet/engine/step_engine.hpp"

namespace ricochet {

struct SearchChoice {
    SearchMethod method = SearchMethod::cells;
    std::string reason;  ///< a sentence for the log
};

/// `asked` itself unless it is automatic. mean_reach: radius plus half the displacement in a step, on
/// average.
SearchChoice choose_search(SearchMethod asked, const Box& box, std::uint64_t num_particles,
                           double mean_reach);

}  // namespace ricochet
