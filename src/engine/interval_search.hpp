// SPDX-License-Identifier: BSD-3-Clause
//
// The search of all local particles at the start of each search interval (search_interval.hpp). It gives
// bounding spheres of the paths, neighbour lists, and the initial predictions: the contacts of undisturbed
// paths.
//
// A later interval begins when every contact before it is final, also those of copies. What had been
// predicted beyond its begin is forgotten, and found again.
//
// Invariant: the domain of the search holds all midpoints. Those of the whole step lie in the halo's domain.
// Those of a shorter interval may leave it by as much as they like, so their domain is measured.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/busiest_slot.hpp"
#include "engine/run_arena.hpp"
#include "engine/step_context.hpp"
#include "engine/step_state.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "search/bounding_spheres.hpp"
#include "search/search_interval.hpp"

namespace ricochet {

class IntervalSearch {
  public:
    /// Refers to all three.
    IntervalSearch(StepContext& context, StepState& state, RunArena& arena)
        : context_(context),
          state_(state),
          arena_(arena),
          pairs_(state.memory),
          initial_predictions_(state.memory) {}
    IntervalSearch(const IntervalSearch&) = delete;
    IntervalSearch& operator=(const IntervalSearch&) = delete;
    ~IntervalSearch() = default;

    /// Chooses the first interval of the step and sorts the particles, which are at its start, into the
    /// search.
    void start(const Particles& particles);
    /// Finds the initial predictions of the first interval, in the set as loaded.
    void find();
    /// The number of predicted pair contacts of the particle that has most; 0 where all particles are equal.
    std::uint64_t num_of_busiest() const { return busiest_.count(); }
    /// Those found, to be used up.
    BlockVector<InitialPrediction>& initial_predictions() { return initial_predictions_; }
    /// Starts the interval that begins with the given window; files its initial predictions.
    void search_again(const Particles& particles, std::size_t window);

    /// Sets how many contacts there were per particle and time, for choices of speed.
    void note_contact_rate(double rate) { contact_rate_ = rate; }
    bool has_uniform_attributes() const { return paths_.has_uniform_attributes; }
    std::size_t memory_bytes() const { return bytes_of(spheres_) + busiest_.memory_bytes(); }
    void prefetch_sphere(Slot slot) const { prefetch_far(&spheres_[slot]); }

  private:
    SearchDomain domain_of_spheres() const;
    IntervalConditions question(const Particles& particles) const;
    void expect_contacts(const Particles& particles);
    void choose_interval(const Particles& particles);
    void measure(const Particles& particles);
    void keep_midpoints(const Particles& particles);
    void collect_neighbours();
    void count_of_busiest();
    template <class Visit>
    void for_each_contact(Visit&& visit);
    template <class Visit>
    void for_each_obstacle_contact(Visit&& visit);

    StepContext& context_;
    StepState& state_;
    RunArena& arena_;
    PathSummary paths_;        ///< of the latest interval
    double speed_ = 0;         ///< mean, likewise
    double contact_rate_ = 0;  ///< per particle and time, of the latest step
    std::vector<BoundingSphere> spheres_;
    CandidatePairs pairs_;
    BusiestSlot busiest_;
    BlockVector<InitialPrediction> initial_predictions_;
};

}  // namespace ricochet
