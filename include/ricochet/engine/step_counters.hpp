// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine counts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ricochet {

/// Counters of one step, for the report and for tuning; they depend on rank count and search. All are sums but
/// largest_island.
struct StepStatistics {
    std::uint64_t num_predicted = 0;  ///< initial predictions, found at the start of an interval
    std::uint64_t num_intervals = 0;  ///< searches for them (search_interval.hpp)
    std::uint64_t num_sorted = 0;     ///< particles that these sorted, copies too
    std::uint64_t num_pairs = 0;      ///< of neighbours, found by these
    std::uint64_t num_islands = 0;
    std::uint64_t num_island_runs = 0;
    std::uint64_t num_merges = 0;
    std::uint64_t num_repairs = 0;               ///< islands run again because of remote events
    std::uint64_t num_searches = 0;              ///< of a particle among its neighbours
    std::uint64_t num_candidates = 0;            ///< neighbours looked at after a contact
    std::uint64_t num_enlarged = 0;              ///< paths that left their bounding sphere after a contact
    std::uint64_t num_compared = 0;              ///< bounding spheres with which a search compared others
    std::uint64_t num_found = 0;                 ///< neighbours named for these; by a kinetic structure: all
    std::uint64_t largest_island = 0;            ///< contacts in one run
    std::uint64_t num_topological = 0;           ///< events of kinetic structures
    std::uint64_t num_resets = 0;                ///< of these, resets of time bounds that had grown
    std::uint64_t num_entered = 0;               ///< of these, subspaces that time bounds entered
    std::uint64_t num_left = 0;                  ///< of these, subspaces that time bounds left
    std::uint64_t num_bound_pairs = 0;           ///< of these, pairs of time bounds that met
    std::uint64_t num_bound_walls = 0;           ///< of these, time bounds that met a wall
    std::uint64_t num_first_certificates = 0;    ///< of kinetic structures, when they were built for a step
    std::uint64_t num_certificates = 0;          ///< likewise, after that
    std::uint64_t num_changed_certificates = 0;  ///< of the latter, for particles that a contact has changed
    std::uint64_t num_rebuilt = 0;               ///< kinetic structures built anew within the step
    std::uint64_t num_on_cells = 0;  ///< triangulations for which cells stood in, in some part of the step
    std::uint64_t num_replaced = 0;  ///< structures that had lost a contact, and were replaced for a step

    StepStatistics& operator+=(const StepStatistics& other);
};

/// Bytes of the arrays that are kept from step to step, at present.
struct EngineMemory {
    std::size_t search = 0;  ///< BroadPhase::memory_bytes
    std::size_t rest = 0;    ///< bounding spheres, neighbour lists, state of particles, islands
};

}  // namespace ricochet
