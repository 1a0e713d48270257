// SPDX-License-Identifier: BSD-3-Clause
#include "engine/interval_search.hpp"

#include "model/rounding.hpp"

namespace ricochet {

void IntervalSearch::start(const Particles& particles) {
    const PhaseClock::Scope phase(context_.options.clock, Phase::binning);
    context_.interval.begin = context_.span.begin;
    if (paths_.mean_radius == 0) expect_contacts(particles);
    choose_interval(particles);
    const double expected_speed = speed_;
    measure(particles);
    // Particles that have been given other velocities.
    constexpr double much_faster = 2;
    if (speed_ > much_faster * expected_speed) {
        choose_interval(particles);
        measure(particles);
    }
    keep_midpoints(particles);
    const bool has_whole_step = context_.interval.end == context_.span.end;
    context_.search->build(spheres_, has_whole_step ? context_.domain_of_halo() : domain_of_spheres());
}

IntervalConditions IntervalSearch::question(const Particles& particles) const {
    const Vec3 size = context_.box.size;
    const bool is_flat = context_.box.dimension == 2;
    const double volume = context_.domain_of_halo().width * size.y * (is_flat ? 1 : size.z);
    return {.rest = context_.span.end - context_.interval.begin,
            .density = static_cast<double>(particles.size()) / volume,
            .radius = paths_.mean_radius,
            .speed = speed_,
            .contact_rate = contact_rate_,
            .is_flat = is_flat};
}

/// What the first step cannot know from the one before: as many contacts as centres are swept over in a
/// dilute gas at rest. Without it, that step enlarges nearly every bounding sphere of a dense system, and
/// needs the most memory.
void IntervalSearch::expect_contacts(const Particles& particles) {
    context_.interval.end = context_.span.end;
    contact_rate_ = 0;
    measure(particles);
    const double diameter = 2 * paths_.mean_radius;
    const double cross_section =
        context_.box.dimension == 2 ? 2 * diameter : std::numbers::pi * diameter * diameter;
    contact_rate_ = question(particles).density * cross_section * speed_;
}

void IntervalSearch::choose_interval(const Particles& particles) {
    const IntervalConditions of = question(particles);
    const auto fixed = static_cast<double>(context_.options.num_intervals);
    const double interval = fixed > 0 ? std::min(of.rest, context_.span.length() / fixed) : best_interval(of);
    context_.interval.end = interval < of.rest ? context_.interval.begin + interval : context_.span.end;
}

void IntervalSearch::measure(const Particles& particles) {
    const double interval = context_.interval.end - context_.interval.begin;
    paths_ = measure_paths(context_.box, particles, context_.interval.begin, context_.interval.end,
                           spare_reach(question(particles), interval) + context_.reach, spheres_);
    speed_ = interval > 0 ? paths_.mean_displacement / interval : 0;
    context_.spheres = spheres_;
}

void IntervalSearch::keep_midpoints(const Particles& particles) {
    context_.step_midpoints_x.clear();
    if (context_.interval.end == context_.span.end || context_.coverage.is_whole_box) return;
    context_.keep_midpoints(particles.motion);
}

SearchDomain IntervalSearch::domain_of_spheres() const {
    const double length = context_.box.size.x;
    const SearchDomain halo = context_.domain_of_halo();
    if (halo.width >= length || spheres_.empty()) return {0, length};
    const double middle = halo.lower + 0.5 * halo.width;
    double least = 0, most = 0;
    for (const BoundingSphere& sphere : spheres_) {
        const double x = minimum_image_x(static_cast<double>(sphere.x) - middle, context_.images);
        least = std::min(least, x);
        most = std::max(most, x);
    }
    const double slack = face_slack(context_.box);
    const bool is_ring = context_.box.is_periodic(0);
    const double widest_pair = is_ring ? context_.coverage.halo_width : 0;
    if (most - least + 2 * slack + widest_pair >= length) return {0, length};
    double lower = middle + least - slack;
    if (is_ring) lower -= length * std::nearbyint(lower / length);
    return {lower, most - least + 2 * slack};
}

void IntervalSearch::collect_neighbours() {
    pairs_.clear();
    state_.neighbours.forget_added();
    context_.search->collect_pairs(pairs_);
    state_.neighbours.build(pairs_, state_.local.size());
    ++arena_.statistics.num_intervals;
    arena_.statistics.num_sorted += state_.local.size();
    arena_.statistics.num_pairs += pairs_.size();
    arena_.statistics.num_searches += state_.local.size();
}

/// visit(a, b, time) for the pairs that touch in the interval.
template <class Visit>
void IntervalSearch::for_each_contact(Visit&& visit) {
    LocalMotion& local = state_.local;
    pairs_.consume([&](const PairSpan& pairs) {
        state_.pair_times.for_each_contact(pairs, context_.interval.end, arena_.contact_scratch,
                                           [&](Slot a, Slot b, double time) {
                                               visit(a, b, time);
                                               if (local.is_owned(a) || local.is_owned(b))
                                                   ++arena_.statistics.num_predicted;
                                           });
    });
}

/// visit(prediction) for the contacts with obstacles in the interval.
template <class Visit>
void IntervalSearch::for_each_obstacle_contact(Visit&& visit) {
    if (context_.obstacles.is_empty()) return;
    for (Slot slot = 0; slot < state_.local.size(); ++slot)
        state_.obstacle_times.for_each_contact(slot, context_.interval.end, visit);
}

void IntervalSearch::find() {
    collect_neighbours();
    initial_predictions_.clear();
    for_each_contact([&](Slot a, Slot b, double time) {
        initial_predictions_.push_back({time, a, Partner::particle(b)});
    });
    count_of_busiest();
    for_each_obstacle_contact([this](const Prediction& contact) {
        initial_predictions_.push_back({contact.time, contact.a, contact.b});
    });
}

/// Equal particles have similar contact counts, so none are counted.
void IntervalSearch::count_of_busiest() {
    busiest_.begin(has_uniform_attributes() ? 0 : state_.local.size());
    if (has_uniform_attributes()) return;
    initial_predictions_.for_each([this](const InitialPrediction& contact) {
        busiest_.add(contact.a);
        busiest_.add(contact.b.slot());
    });
}

void IntervalSearch::search_again(const Particles& particles, std::size_t window) {
    const PhaseClock::Scope phase(context_.options.clock, Phase::search);
    context_.interval.begin = state_.schedule.begin(window);
    choose_interval(particles);
    context_.interval.end = state_.schedule.end_near(window, context_.interval.end);
    measure(particles);
    context_.search->build(spheres_, domain_of_spheres());
    state_.schedule.forget_waiting();
    collect_neighbours();
    for_each_contact(
        [this](Slot a, Slot b, double time) { state_.schedule.file(state_.local.predict_pair(a, b, time)); });
    for_each_obstacle_contact([this](const Prediction& contact) { state_.schedule.file(contact); });
}

}  // namespace ricochet
