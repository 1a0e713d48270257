// SPDX-License-Identifier: BSD-3-Clause
//
// The phases of a run whose time is measured. This list is the only one: the report at the end of a run and
// the benchmarks take names and seconds from it.
//
// A phase that is renamed keeps its word in result files, so that old and new files read alike. The scripts
// that read reports and files have tables of old words: jobs/scaling.py, tests/bench/table.py and
// src/app/report/timing.py.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "ricochet/run/simulation.hpp"
#include "slabs/slab_step.hpp"

namespace ricochet {

/// Exactly one of the two members is given.
struct Phase {
    std::string_view name;    ///< in reports and tables; one word
    std::string_view stored;  ///< in result files
    double PhaseSeconds::*of_run = nullptr;
    double SlabStepStatistics::*of_step = nullptr;
    bool is_computing = false;  ///< work on contacts, without waiting; load balancing evens it out
};

inline constexpr std::array<Phase, 12> phases{
    {{.name = "drive", .stored = "drive", .of_run = &PhaseSeconds::drive},
     {.name = "migration", .stored = "migration", .of_step = &SlabStepStatistics::seconds_migration},
     {.name = "halo", .stored = "halo", .of_step = &SlabStepStatistics::seconds_halo},
     // sorting bounding spheres into cells
     {.name = "binning",
      .stored = "cells",
      .of_step = &SlabStepStatistics::seconds_cells,
      .is_computing = true},
     // contacts of straight paths
     {.name = "search",
      .stored = "primaries",
      .of_step = &SlabStepStatistics::seconds_search,
      .is_computing = true},
     // contacts one after another, with the searches that they call for
     {.name = "events",
      .stored = "islands",
      .of_step = &SlabStepStatistics::seconds_islands,
      .is_computing = true},
     {.name = "exchange", .stored = "exchange", .of_step = &SlabStepStatistics::seconds_exchange},
     // contacts resolved again, since a neighbour has sent some that change them
     {.name = "rollback",
      .stored = "repair",
      .of_step = &SlabStepStatistics::seconds_repair,
      .is_computing = true},
     {.name = "finish", .stored = "finish", .of_step = &SlabStepStatistics::seconds_finish},
     // particles in memory, by place
     {.name = "sorting", .stored = "sorting", .of_run = &PhaseSeconds::sort},
     {.name = "observables", .stored = "observables", .of_run = &PhaseSeconds::observe},
     {.name = "output", .stored = "output", .of_run = &PhaseSeconds::output}}};

/// The first of them make up a step; those after them are sampling and output.
inline constexpr std::size_t num_step_phases = 10;

inline double seconds_in(const Phase& phase, const PhaseSeconds& run, const SlabStepStatistics& step) {
    return phase.of_run != nullptr ? run.*phase.of_run : step.*phase.of_step;
}

}  // namespace ricochet
