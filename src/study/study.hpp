// SPDX-License-Identifier: BSD-3-Clause
//
// A study compares methods of finding contacts on one system: what each costs, and that all find the same.
//
// Algorithm: the start is made once, as a run would have it at its step 0. Each method continues it by a time loop
// of its own (run/simulation.hpp), like a run from a checkpoint. So a method keeps what it learns from step to step.
// Methods take turns over the same few steps. The first method of one round is the last of the next, so that a
// machine which grows slower or faster treats all alike. After each turn the contacts and the particles are compared
// with those of the round's first method, bit by bit.
//
// Wall time: of the phases that make up a step (core/phase_clock.hpp), which includes waiting for other ranks.
// Observers, comparison and hashes do not count. CPU time: of the time loop, without hashes, of the thread that a rank
// is. Other programs on the machine lengthen it less than wall time. A rank that waits for others may spin, and then
// uses CPU time. The first turn of each method fills its memory and is left out of both, if there are more.
//
// Memory: that of one run for each method, and the contacts of two turns. Nothing is written to files.
//
// Disadvantage: methods evict each other from the caches between turns. In small systems a turn should then have more
// steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/hash.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/engine/step_counters.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/monitor.hpp"
#include "study/after_steps.hpp"

namespace ricochet {

/// A method: a word for it, and the input that asks for it. The inputs of a study differ in nothing else.
struct StudyMethod {
    std::string name;
    Config config;
};

struct StudyPlan {
    std::uint64_t num_steps = 0;                         ///< at least 1
    std::uint64_t steps_per_turn = steps_between_sorts;  ///< likewise
    /// Asked after each turn of all methods; ends the study where it holds on any rank.
    std::function<bool()> is_to_end = [] { return false; };
    /// Whether to count what a search for overlaps after each step would see: by one more run.
    bool looks_after_steps = false;
};

/// Values of the turns, ordered.
struct Quartiles {
    double lower = 0, median = 0, upper = 0;
};

/// What a method has cost. Counts are sums over ranks and steps; copies of particles count where a rank searches them.
struct MethodCost {
    std::string name;
    StepStatistics counts;
    double search_bytes = 0;     ///< of the search's own arrays, the most at the end of a turn
    double engine_bytes = 0;     ///< of the other arrays of the engine, likewise
    double binning_seconds = 0;  ///< in which spheres are made and sorted, of all steps and ranks
    double search_seconds = 0;   ///< in which pairs are named and their contact times computed, likewise
    double events_seconds = 0;   ///< of contacts one after another, with the searches after them, likewise
    Quartiles seconds;           ///< per step of the slowest rank, over the turns
    Quartiles cpu_seconds;       ///< per step of all ranks together, likewise

    /// Pairs that the search named, in intervals and after contacts.
    std::uint64_t num_candidates() const { return counts.num_pairs + counts.num_found; }
    /// Contact times of pairs that were computed.
    std::uint64_t num_exact_tests() const { return counts.num_pairs + counts.num_candidates; }
    /// Searches of a particle among its neighbours, after contacts.
    std::uint64_t num_searches() const { return counts.num_searches - counts.num_sorted; }
};

struct StudyResult {
    int num_ranks = 0;
    std::uint64_t num_steps = 0;
    double num_particle_steps = 0;               ///< particles, added over the steps
    std::uint64_t num_contacts = 0;              ///< of all kinds, those with walls too
    std::uint64_t num_pair_contacts = 0;         ///< those of two particles
    Fingerprint contacts, final_particles;       ///< the same for all methods
    std::optional<AfterStepCounts> after_steps;  ///< where they were counted
    std::vector<MethodCost> methods;
};

/// Places and equilibrates as a run does, up to its step 0. Collective. Throws what a run throws.
Checkpoint make_study_start(Exchange& exchange, const Config& config, Monitor& monitor);

/// Takes turns and tells the monitor of each. The same on all ranks; with fewer steps where the
/// plan was to end early. Collective. Throws RunError on all ranks where two methods
/// differ; the sentence names both, the step and the first contact, or particle, in which they do.
/// Requires: a method, and at least one step per turn.
StudyResult run_study(Exchange& exchange, Checkpoint start, const std::vector<StudyMethod>& methods,
                      const StudyPlan& plan, Monitor& monitor);

/// The part of the way from the smallest to the largest value, between values on a straight line; 0 of none.
double quantile(std::vector<double> values, double part);
/// The quartiles of turns, without the first one if there are more.
Quartiles quartiles_of_turns(std::vector<double> values);

}  // namespace ricochet
