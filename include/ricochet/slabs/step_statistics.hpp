// SPDX-License-Identifier: BSD-3-Clause
//
// What the steps of a rank, and the moving cuts between slabs, have taken: for reports and for tuning.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/engine/step_counters.hpp"

namespace ricochet {

/// Counters of this rank, summed over the steps; they depend on the rank count and on tuning.
struct SlabStepStatistics {
    std::uint64_t num_steps = 0;
    std::uint64_t num_redone = 0;        ///< steps done again with a wider halo
    std::uint64_t num_halved_spans = 0;  ///< steps, and parts of them, too long for the box
    std::uint64_t num_any_to_any = 0;    ///< steps whose migration went beyond the adjacent slabs
    std::uint64_t num_migrated = 0;      ///< particles that left this rank
    std::uint64_t num_copies_sent = 0;   ///< halo particles, one per particle and neighbour
    std::uint64_t num_windows = 0;       ///< sub-windows
    std::uint64_t num_halved = 0;        ///< times that a sub-window was too much for some rank
    std::uint64_t num_verified =
        0;                          ///< steps in which paths had to be compared to know that, redone ones too
    std::uint64_t num_rounds = 0;   ///< exchanges of boundary events, at least one per sub-window
    std::uint64_t most_rounds = 0;  ///< in one sub-window
    std::uint64_t num_boundary_events = 0;  ///< boundary events sent
    StepStatistics engine;
};

/// The same on all ranks.
struct BalanceStatistics {
    std::uint64_t num_checks = 0;
    std::uint64_t num_moves = 0;  ///< of the cuts
    double first_imbalance = 0;   ///< largest over mean work of the ranks, at the first check; 0 before it
    double latest_imbalance = 0;  ///< at the latest check
};

}  // namespace ricochet
