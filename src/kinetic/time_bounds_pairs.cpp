// SPDX-License-Identifier: BSD-3-Clause
//
// Pairs of time bounds: which are neighbours, and when two meet next.
#include <algorithm>

#include "kinetic/time_bounds.hpp"

namespace ricochet {

/// Links the bound to those of the subspace that it overlaps, and foresees when it will meet others. Each once per
/// epoch.
void TimeBounds::meet_all_in(Number bound, const Cell& cell, std::vector<Slot>* found) {
    for (Number entry = state_.first[number_of(cell)]; entry != none; entry = state_.entries[entry].next) {
        const Number other = entry / most_subspaces;
        if (mark_[other] == epoch_) continue;
        mark_[other] = epoch_;
        meet(bound, other, cell, found);
    }
}

void TimeBounds::meet(Number bound, Number other, const Cell& cell, std::vector<Slot>* found) {
    const TimeBound &a = state_.bounds[bound], &b = state_.bounds[other];
    const Vec3 at_a = a.centre_at(state_.now), at_b = b.centre_at(state_.now);
    Vec3 apart, velocity;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        const bool is_single = state_.axes[k].size() == 1;
        if (is_single && box_.is_periodic(axis)) continue;
        velocity[axis] = a.velocity[axis] - b.velocity[axis];
        apart[axis] = is_single ? at_a[axis] - at_b[axis]
                                : state_.axes[k].beyond_middle(cell[k], at_a[axis]) -
                                      state_.axes[k].beyond_middle(cell[k], at_b[axis]);
    }
    const Polynomial<2> reach = a.radius_from(state_.now) + b.radius_from(state_.now);
    const Place &of_a = state_.places[bound], &of_b = state_.places[other];
    const double until = std::min(of_a.reset_time, of_b.reset_time) - state_.now, nearly = reach.c[0] + late_;
    const bool is_near = dot(apart, apart) <= nearly * nearly;
    num_certificates_ += is_near ? 0 : 1;
    const double time = is_near ? 0 : meeting_time(apart, velocity, reach, until);
    if (is_near || !(state_.now + time > state_.now)) {
        link(bound, other);
        if (found != nullptr) found->push_back(state_.slot_of[other]);
    } else if (time <= until) {
        push({state_.now + time, bound, other, of_a.stamp, of_b.stamp});
    }
}

void TimeBounds::note_links(Number bound, std::vector<Number>& others) const {
    others.clear();
    for (Number k = state_.places[bound].first_link; k != none; k = state_.links[k].next)
        others.push_back(state_.links[k].other);
}

/// Those that are not among the old ones.
void TimeBounds::append_new_links(Number bound, const std::vector<Number>& old,
                                  std::vector<Slot>& found) const {
    for (Number k = state_.places[bound].first_link; k != none; k = state_.links[k].next) {
        const Number other = state_.links[k].other;
        if (std::find(old.begin(), old.end(), other) == old.end()) found.push_back(state_.slot_of[other]);
    }
}

void TimeBounds::link(Number a, Number b) {
    Number k = state_.first_free_link;
    if (k != none) {
        state_.first_free_link = state_.links[k].next;
    } else {
        k = static_cast<Number>(state_.links.size());
        state_.links.resize(state_.links.size() + 2);
    }
    const auto insert = [this](Number number, Number owner, Number other) {
        Number& first = state_.places[owner].first_link;
        state_.links[number] = {other, first, none};
        if (first != none) state_.links[first].previous = number;
        first = number;
    };
    insert(k, a, b);
    insert(k + 1, b, a);
}

/// Both of the pair.
void TimeBounds::unlink(Number number) {
    for (const Number k : {number, number ^ 1}) {
        const Link link = state_.links[k];
        Number& first = state_.places[state_.links[k ^ 1].other].first_link;
        if (link.previous != none)
            state_.links[link.previous].next = link.next;
        else
            first = link.next;
        if (link.next != none) state_.links[link.next].previous = link.previous;
    }
    const Number even = number & ~Number{1};
    state_.links[even].next = state_.first_free_link;
    state_.first_free_link = even;
}

}  // namespace ricochet
