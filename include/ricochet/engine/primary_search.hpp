// SPDX-License-Identifier: BSD-3-Clause
//
// The search of all local particles at the start of each leg (search_leg.hpp): balls about the paths of the
// leg, neighbours, and the primary contacts, those that come if nothing else does.
//
// Where a later leg begins, every contact before it is final, also those of copies. So what two states say
// about a contact before that time has been dealt with, and all that had been predicted beyond it is
// forgotten and found again.
//
// The domain of the search is the halo's where the leg is the whole step, whose midpoints the halo goes by.
// Those of a shorter leg lie elsewhere, and copies leave theirs by as much as they like: there the domain is
// measured.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "ricochet/core/scoped_seconds.hpp"
#include "ricochet/engine/search_leg.hpp"
#include "ricochet/engine/step_state.hpp"
#include "ricochet/engine/swept_balls.hpp"
#include "ricochet/geometry/path.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

template <BroadPhase Search>
class PrimarySearch {
  public:
    explicit PrimarySearch(StepState<Search>& state)
        : state_(state), pairs_(state.memory), primaries_(state.memory) {}
    PrimarySearch(const PrimarySearch&) = delete;
    PrimarySearch& operator=(const PrimarySearch&) = delete;
    ~PrimarySearch() = default;

    /// Chooses the first leg of the step and sorts the particles, which are at its start, into the search.
    void start(const Particles& particles);
    /// Finds the primary contacts of the first leg, in the set as loaded.
    void find();
    /// Those found, to be used up.
    BlockVector<PrimaryContact>& primaries() { return primaries_; }
    /// Starts the leg that begins with the given window; files its primary contacts.
    void search_again(const Particles& particles, std::size_t window);

    /// Tells how many contacts per particle and time there were, for choices of speed.
    void note_contact_rate(double rate) { contact_rate_ = rate; }
    bool has_equal_matter() const { return paths_.has_equal_matter; }
    void prefetch_ball(Slot slot) const { prefetch_far(&balls_[slot]); }

  private:
    SearchDomain domain_of_halo() const;
    SearchDomain domain_of_balls() const;
    LegQuestion question(const Particles& particles) const;
    void expect_contacts(const Particles& particles);
    void choose_leg(const Particles& particles);
    void measure(const Particles& particles);
    void keep_midpoints(const Particles& particles);
    void collect_neighbours();
    template <class Visit>
    void for_each_meeting(Visit&& visit);

    StepState<Search>& state_;
    PathSummary paths_;        ///< of the latest leg
    double speed_ = 0;         ///< mean, likewise
    double contact_rate_ = 0;  ///< per particle and time, of the latest step
    std::vector<SweptBall> balls_;
    CandidatePairs pairs_;
    BlockVector<PrimaryContact> primaries_;
};

template <BroadPhase Search>
void PrimarySearch<Search>::start(const Particles& particles) {
    const ScopedSeconds timer(state_.statistics.seconds_cells);
    state_.leg_begin = state_.span.begin;
    if (paths_.mean_radius == 0) expect_contacts(particles);
    choose_leg(particles);
    const double expected_speed = speed_;
    measure(particles);
    // Particles that have been given other velocities.
    constexpr double much_faster = 2;
    if (speed_ > much_faster * expected_speed) {
        choose_leg(particles);
        measure(particles);
    }
    keep_midpoints(particles);
    const bool has_whole_step = state_.leg_end == state_.span.end;
    state_.search.build(balls_, has_whole_step ? domain_of_halo() : domain_of_balls());
}

template <BroadPhase Search>
LegQuestion PrimarySearch<Search>::question(const Particles& particles) const {
    const Vec3 size = state_.box.size;
    const bool is_flat = state_.box.dimension == 2;
    const double volume = domain_of_halo().width * size.y * (is_flat ? 1 : size.z);
    return {.rest = state_.span.end - state_.leg_begin,
            .density = static_cast<double>(particles.size()) / volume,
            .radius = paths_.mean_radius,
            .speed = speed_,
            .contact_rate = contact_rate_,
            .is_flat = is_flat};
}

/// What the first step cannot know from the one before: as many contacts as centres are swept over in a
/// dilute gas at rest. Without it, that step enlarges nearly every ball of a dense system, and needs the most
/// memory.
template <BroadPhase Search>
void PrimarySearch<Search>::expect_contacts(const Particles& particles) {
    state_.leg_end = state_.span.end;
    contact_rate_ = 0;
    measure(particles);
    const double diameter = 2 * paths_.mean_radius;
    const double cross_section =
        state_.box.dimension == 2 ? 2 * diameter : std::numbers::pi * diameter * diameter;
    contact_rate_ = question(particles).density * cross_section * speed_;
}

template <BroadPhase Search>
void PrimarySearch<Search>::choose_leg(const Particles& particles) {
    const LegQuestion of = question(particles);
    const auto fixed = static_cast<double>(state_.options.num_legs);
    const double leg = fixed > 0 ? std::min(of.rest, state_.span.length() / fixed) : best_leg(of);
    state_.leg_end = leg < of.rest ? state_.leg_begin + leg : state_.span.end;
}

template <BroadPhase Search>
void PrimarySearch<Search>::measure(const Particles& particles) {
    const double leg = state_.leg_end - state_.leg_begin;
    paths_ = measure_paths(state_.box, particles, state_.leg_begin, state_.leg_end,
                           spare_reach(question(particles), leg), balls_);
    speed_ = leg > 0 ? paths_.mean_displacement / leg : 0;
    state_.balls = balls_;
}

/// Who belongs to whom was decided by the midpoints of the whole step.
template <BroadPhase Search>
void PrimarySearch<Search>::keep_midpoints(const Particles& particles) {
    state_.step_midpoints_x.clear();
    if (state_.leg_end == state_.span.end || state_.coverage.is_whole_box) return;
    const PathMidpoint midpoint(state_.box, state_.span.length());
    state_.step_midpoints_x.reserve(particles.size());
    for (const Motion& motion : particles.motion)
        state_.step_midpoints_x.push_back(static_cast<float>(midpoint.x(motion)));
}

template <BroadPhase Search>
SearchDomain PrimarySearch<Search>::domain_of_halo() const {
    const double length = state_.box.size.x;
    const Coverage& coverage = state_.coverage;
    if (coverage.is_whole_box) return {0, length};
    const bool is_ring = state_.box.is_periodic(0);
    const double lower = std::max(coverage.lower, 0.0);
    const double upper = std::min(coverage.upper + coverage.halo_width, is_ring ? 2 * length : length);
    // Where the gap is narrower than two balls may reach, the cells are better off with the whole ring.
    const double widest_pair = is_ring ? coverage.halo_width : 0;
    if (upper - lower + widest_pair >= length) return {0, length};
    return {lower, upper - lower};
}

template <BroadPhase Search>
SearchDomain PrimarySearch<Search>::domain_of_balls() const {
    const double length = state_.box.size.x;
    const SearchDomain halo = domain_of_halo();
    if (halo.width >= length || balls_.empty()) return {0, length};
    const double middle = halo.lower + 0.5 * halo.width;
    double least = 0, most = 0;
    for (const SweptBall& ball : balls_) {
        const double x = minimum_image_x(static_cast<double>(ball.x) - middle, state_.set.images());
        least = std::min(least, x);
        most = std::max(most, x);
    }
    const double slack = 1e-6 * length;  // more than the rounding of midpoints
    const bool is_ring = state_.box.is_periodic(0);
    const double widest_pair = is_ring ? state_.coverage.halo_width : 0;
    if (most - least + 2 * slack + widest_pair >= length) return {0, length};
    double lower = middle + least - slack;
    if (is_ring) lower -= length * std::nearbyint(lower / length);
    return {lower, most - least + 2 * slack};
}

template <BroadPhase Search>
void PrimarySearch<Search>::collect_neighbours() {
    pairs_.clear();
    state_.neighbours.forget_added();
    state_.search.collect_pairs(pairs_);
    state_.neighbours.build(pairs_, state_.set.size());
    ++state_.statistics.num_legs;
    state_.statistics.num_pairs += pairs_.size();
    state_.statistics.num_searches += state_.set.size();
}

/// visit(a, b, time) for the pairs that touch in the leg.
template <BroadPhase Search>
template <class Visit>
void PrimarySearch<Search>::for_each_meeting(Visit&& visit) {
    LocalSet& set = state_.set;
    pairs_.consume([&](const PairSpan& pairs) {
        set.for_each_meeting(pairs, state_.leg_end, [&](Slot a, Slot b, double time) {
            visit(a, b, time);
            if (set.is_owned(a) || set.is_owned(b)) ++state_.statistics.num_predicted;
        });
    });
}

template <BroadPhase Search>
void PrimarySearch<Search>::find() {
    collect_neighbours();
    primaries_.clear();
    for_each_meeting([&](Slot a, Slot b, double time) { primaries_.push_back({time, a, b}); });
    for (Slot slot = 0; state_.box.has_walls() && slot < state_.set.size(); ++slot)
        state_.for_each_wall_contact(slot, [this](const Prediction& wall) {
            primaries_.push_back({wall.time, wall.a, wall.b});
        });
}

template <BroadPhase Search>
void PrimarySearch<Search>::search_again(const Particles& particles, std::size_t window) {
    const ScopedSeconds timer(state_.statistics.seconds_later_legs);
    state_.leg_begin = state_.schedule.begin(window);
    choose_leg(particles);
    state_.leg_end = state_.schedule.end_near(window, state_.leg_end);
    measure(particles);
    state_.search.build(balls_, domain_of_balls());
    state_.schedule.forget_waiting();
    collect_neighbours();
    for_each_meeting(
        [this](Slot a, Slot b, double time) { state_.schedule.file(state_.set.predict_pair(a, b, time)); });
    for (Slot slot = 0; state_.box.has_walls() && slot < state_.set.size(); ++slot)
        state_.for_each_wall_contact(slot, [this](const Prediction& wall) { state_.schedule.file(wall); });
}

}  // namespace ricochet
