// SPDX-License-Identifier: BSD-3-Clause
//
// How much ranks say to each other in a step, at the same number of particles per rank on any number of
// ranks: a gas in a box as many times as long.
//
// All particles are equally fast, with new directions in every step: the halo is then as wide on any number
// of ranks. (Of thermal particles the fastest decides, and among a thousand times as many it is a tenth
// faster.) The number of sub-windows is fixed for the same reason: it is chosen for the densest slab. And the
// halo is wide enough for all contacts, since one step that is done again widens it for the next ones.
#pragma once

#include <cstdint>

#include "ricochet/parallel/exchange.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// Per step; of the ranks the mean, and of bytes and copies the most that one has.
struct TrafficPerStep {
    double num_windows = 0;  ///< sub-windows, the same on all ranks
    double num_rounds = 0;   ///< of boundary events, the same on all ranks
    double num_redone = 0;   ///< steps done again with a wider halo, the same on all ranks
    double num_collectives = 0, most_collectives = 0;
    double num_messages = 0, most_messages = 0;
    double num_bytes = 0, most_bytes = 0;
    double num_copies = 0, num_events = 0;  ///< halo particles and boundary events sent
    double num_owned = 0;                   ///< particles
};

/// Spheres of diameter 1 at volume fraction 0.2 in a periodic box of 8 x 12 x 12 per rank, 440 for each.
System row_of_boxes(int num_ranks);

/// Runs it and counts after the first step. The same on all ranks. Collective.
TrafficPerStep count_traffic(Exchange& exchange, const System& system);

}  // namespace ricochet::test
