// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/time_bounds.hpp"

#include <algorithm>
#include <functional>

#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

TimeBounds::TimeBounds(const Box& box, const EngineOptions& options)
    : box_(box),
      images_(box),
      kicks_(options.kicks),
      asked_side_(options.search_options.subspace_side),
      slack_(2 * sphere_slack(box)),
      late_(0.25 * slack_) {}

std::size_t TimeBounds::memory_bytes() const {
    const auto of_state = [](const State& s) {
        return bytes_of(s.bounds, s.places) + bytes_of(s.entries, s.first) + bytes_of(s.links, s.events) +
               bytes_of(s.bound_of, s.slot_of) + bytes_of(s.id_of);
    };
    return of_state(state_) + of_state(saved_) + bytes_of(mark_);
}

// --- what the engine asks for ------------------------------------------------------------------------------

void TimeBounds::neighbours(Slot slot, std::vector<Slot>& found) const {
    const Number bound = state_.bound_of[slot];
    if (bound == none) return;
    for (Number k = state_.places[bound].first_link; k != none; k = state_.links[k].next)
        found.push_back(state_.slot_of[state_.links[k].other]);
}

std::optional<Slot> TimeBounds::process(const TopologicalEvent& event, TopologicalQueue& queue,
                                        std::vector<Slot>& found) {
    if (event.stamp != state_.wake_stamp) return std::nullopt;
    state_.now = std::max({origin_ + event.time, state_.wake_time, state_.now});
    std::optional<Slot> slot;
    while (!slot && !state_.events.empty() && state_.events.front().time <= state_.now) {
        const Event next = state_.events.front();
        std::pop_heap(state_.events.begin(), state_.events.end(), std::greater<>());
        state_.events.pop_back();
        if (is_stale(next)) continue;
        slot = state_.slot_of[next.a];
        latest_kind_ = take_place(next, found);
    }
    state_.wake_time = never;
    wake(queue);
    return slot;
}

BoundEventKind TimeBounds::take_place(const Event& event, std::vector<Slot>& found) {
    switch (event.b) {
        case is_reset:
            reset(event.a, found);
            return BoundEventKind::reset;
        case is_wall:
            reset(event.a, found);
            return BoundEventKind::wall;
        case is_crossing:
            return cross(event.a, found);
        case is_report:
            neighbours(state_.slot_of[event.a], found);
            return BoundEventKind::report;
        default:
            reset_both(event.a, event.b, found);
            return BoundEventKind::pair;
    }
}

bool TimeBounds::may_touch_wall(Slot slot) const {
    const Number bound = state_.bound_of[slot];
    return bound == none || state_.places[bound].touches_wall;
}

bool TimeBounds::changed(Slot slot, double now, TopologicalQueue& queue) {
    const Number bound = state_.bound_of[slot];
    if (bound == none) return true;
    state_.now = std::max(state_.now, origin_ + now);
    if (is_absent(setting_.attributes[slot])) {
        take_out(bound);
        return true;
    }
    if (needed_side(slot, state_.bounds[bound].acceleration) > state_.side) return false;
    take_out(bound);
    put_in(bound);
    wake(queue);
    return true;
}

void TimeBounds::append_order(std::vector<Slot>& order) const {
    for (const Number first : state_.first) {
        for (Number entry = first; entry != none; entry = state_.entries[entry].next) {
            const Number bound = entry / most_subspaces;
            const auto& ranges = state_.places[bound].ranges;
            const int home = ranges[0].low + 2 * ranges[1].low + 4 * ranges[2].low;
            if (static_cast<int>(entry % most_subspaces) == home) order.push_back(state_.slot_of[bound]);
        }
    }
}

// --- events ------------------------------------------------------------------------------------------------

void TimeBounds::push(const Event& event) {
    if (!(event.time < never)) return;
    state_.events.push_back(event);
    std::push_heap(state_.events.begin(), state_.events.end(), std::greater<>());
}

/// Has the engine look here when the next event is due.
void TimeBounds::wake(TopologicalQueue& queue) {
    if (state_.events.empty() || !(state_.events.front().time < state_.wake_time)) return;
    state_.wake_time = state_.events.front().time;
    queue.push({state_.wake_time - origin_, 0, ++state_.wake_stamp});
}

bool TimeBounds::is_stale(const Event& event) const {
    const Place& place = state_.places[event.a];
    if (event.b == is_report) return !place.is_present;
    if (event.b == is_crossing) return place.crossing_stamp != event.stamp_a;
    if (place.stamp != event.stamp_a) return true;
    return event.b < first_code && state_.places[event.b].stamp != event.stamp_b;
}

double TimeBounds::radius_of(Slot slot) const {
    return setting_.attributes[slot].radius + setting_.reach + slack_;
}

/// Shrinks the bound to its particle. Appends those that it overlaps now, and did not before.
void TimeBounds::reset(Number bound, std::vector<Slot>& found) {
    note_links(bound, old_links_);
    take_out(bound);
    put_in(bound);
    append_new_links(bound, old_links_, found);
}

/// The same for two that have met. A second event then names the new neighbours of b.
void TimeBounds::reset_both(Number a, Number b, std::vector<Slot>& found) {
    note_links(a, old_links_);
    note_links(b, old_links_of_other_);
    for (const Number bound : {a, b}) take_out(bound);
    for (const Number bound : {a, b}) put_in(bound);
    append_new_links(b, old_links_of_other_, found);
    const bool is_told = found.empty() || (found.size() == 1 && found.front() == state_.slot_of[a]);
    if (!is_told || state_.places[b].touches_wall) push({state_.now, b, is_report, 0, 0});
    found.clear();
    append_new_links(a, old_links_, found);
}

void TimeBounds::take_out(Number bound) {
    Place& place = state_.places[bound];
    ++place.stamp;
    ++place.crossing_stamp;
    place.reset_time = never;
    while (place.first_link != none) unlink(place.first_link);
    if (!place.is_present) return;
    place.is_present = false;
    for_each_entry(bound, [&](Number entry, const Cell& cell) { unlist(entry, cell); });
}

void TimeBounds::put_in(Number bound) {
    const Slot slot = state_.slot_of[bound];
    const Motion& motion = setting_.motion[slot];
    TimeBound& b = state_.bounds[bound];
    b.centre = motion.position + (state_.now - origin_ - motion.time) * motion.velocity;
    b.velocity = motion.velocity;
    b.since = state_.now;
    b.radius = radius_of(slot);
    b.delay = 0.5 * kicks_.interval;
    Place& place = state_.places[bound];
    place.is_present = true;
    place.reset_time = b.time_of_diameter(state_.side);
    const double radius = b.radius_from(state_.now).c[0];
    for (int axis = 0; axis < 3; ++axis)
        place.ranges[static_cast<std::size_t>(axis)] = range_of(axis, b.centre[axis], radius);
    push({place.reset_time, bound, is_reset, place.stamp, 0});
    schedule_crossing(bound);
    schedule_wall(bound);
    ++epoch_;
    mark_[bound] = epoch_;
    for_each_entry(bound, [&](Number entry, const Cell& cell) {
        meet_all_in(bound, cell, nullptr);
        list(entry, cell);
    });
}

// --- subspaces ---------------------------------------------------------------------------------------------

std::size_t TimeBounds::number_of(const Cell& cell) const {
    return (static_cast<std::size_t>(cell[0]) * static_cast<std::size_t>(state_.axes[1].size()) +
            static_cast<std::size_t>(cell[1])) *
               static_cast<std::size_t>(state_.axes[2].size()) +
           static_cast<std::size_t>(cell[2]);
}

TimeBounds::Range TimeBounds::range_of(int axis, double centre, double radius) const {
    const CellAxis& cells = state_.axes[static_cast<std::size_t>(axis)];
    Range range;
    range.cell[0] = cells.cell_of(centre);
    if (cells.size() == 1) return range;
    const double beyond = cells.beyond_middle(range.cell[0], centre);
    const double half = 0.5 * cells.width(range.cell[0]);
    if (beyond + radius >= half) range.cell[1] = cells.next(range.cell[0], 1);
    if (range.cell[1] >= 0 || radius - beyond < half) return range;
    range.cell[1] = cells.next(range.cell[0], -1);
    if (range.cell[1] >= 0) range.low = 1;
    return range;
}

/// visit(entry, cell) for the subspaces of a bound.
template <class Visit>
void TimeBounds::for_each_entry(Number bound, Visit&& visit) const {
    const auto ranges = state_.places[bound].ranges;  // a copy: visits change places
    for (Number number = 0; number < most_subspaces; ++number) {
        const Cell cell{ranges[0].cell[number & 1], ranges[1].cell[number >> 1 & 1],
                        ranges[2].cell[number >> 2 & 1]};
        if (cell[0] >= 0 && cell[1] >= 0 && cell[2] >= 0) visit(bound * most_subspaces + number, cell);
    }
}

void TimeBounds::list(Number entry, const Cell& cell) {
    Number& first = state_.first[number_of(cell)];
    state_.entries[entry] = {first, none};
    if (first != none) state_.entries[first].previous = entry;
    first = entry;
}

void TimeBounds::unlist(Number entry, const Cell& cell) {
    const Entry e = state_.entries[entry];
    if (e.previous != none)
        state_.entries[e.previous].next = e.next;
    else
        state_.first[number_of(cell)] = e.next;
    if (e.next != none) state_.entries[e.next].previous = e.previous;
}

/// When the bound enters or leaves a subspace next.
void TimeBounds::schedule_crossing(Number bound) {
    Place& place = state_.places[bound];
    ++place.crossing_stamp;
    const TimeBound& b = state_.bounds[bound];
    const Vec3 centre = b.centre_at(state_.now);
    const Polynomial<2> r = b.radius_from(state_.now);
    double soonest = never;
    const auto consider = [&](double time, int axis, Crossing where) {
        if (!(time < soonest)) return;
        soonest = time;
        place.axis = static_cast<std::int8_t>(axis);
        place.where = where;
    };
    for (int axis = 0; axis < 3; ++axis) {
        const CellAxis& cells = state_.axes[static_cast<std::size_t>(axis)];
        if (cells.size() == 1) continue;
        const Range& range = place.ranges[static_cast<std::size_t>(axis)];
        const int low = range.cell[static_cast<std::size_t>(range.low)];
        const double beyond = cells.beyond_middle(low, centre[axis]), v = b.velocity[axis];
        const double half = 0.5 * cells.width(low);
        if (range.cell[1] >= 0 &&
            range.cell[0] >= 0) {  // about the face between both; late, or it would turn back
            const double from_face = beyond - half;
            consider(first_rise(from_face - r.c[0] - late_, v - r.c[1], -r.c[2]), axis, leaves_low);
            consider(first_rise(-from_face - r.c[0] - late_, -v - r.c[1], -r.c[2]), axis, leaves_high);
        } else {
            if (cells.next(low, 1) >= 0)
                consider(first_rise(beyond - half + r.c[0], v + r.c[1], r.c[2]), axis, enters_high);
            if (cells.next(low, -1) >= 0)
                consider(first_rise(-beyond - half + r.c[0], -v + r.c[1], r.c[2]), axis, enters_low);
        }
    }
    if (state_.now + soonest < place.reset_time)
        push({state_.now + soonest, bound, is_crossing, place.crossing_stamp, 0});
}

/// When the bound touches a wall. Where it does so now, the particle may from now on, until the next reset.
void TimeBounds::schedule_wall(Number bound) {
    Place& place = state_.places[bound];
    const TimeBound& b = state_.bounds[bound];
    const Polynomial<2> r = b.radius_from(state_.now);
    double soonest = never;
    place.touches_wall = false;
    for (int axis = 0; axis < box_.dimension; ++axis) {
        if (!box_.has_walls(axis)) continue;
        const double x = b.centre[axis], v = b.velocity[axis], to_high = box_.size[axis] - x;
        if (std::min(x, to_high) - r.c[0] <= late_) place.touches_wall = true;
        soonest = std::min({soonest, first_rise(r.c[0] - x, r.c[1] - v, r.c[2]),
                            first_rise(r.c[0] - to_high, r.c[1] + v, r.c[2])});
    }
    const double time = state_.now + soonest;
    if (!(time > state_.now)) place.touches_wall = true;
    if (!place.touches_wall && time < place.reset_time) push({time, bound, is_wall, place.stamp, 0});
}

BoundEventKind TimeBounds::cross(Number bound, std::vector<Slot>& found) {
    const Place place = state_.places[bound];
    const bool is_leaving = place.where == leaves_low || place.where == leaves_high;
    if (is_leaving)
        leave(bound, place.axis, place.where == leaves_high);
    else
        enter(bound, place.axis, place.where == enters_high ? 1 : -1, found);
    schedule_crossing(bound);
    return is_leaving ? BoundEventKind::leaves : BoundEventKind::enters;
}

void TimeBounds::leave(Number bound, int axis, bool leaves_upper) {
    Range& range = state_.places[bound].ranges[static_cast<std::size_t>(axis)];
    const int gone = leaves_upper ? 1 - range.low : range.low;
    for_each_entry(bound, [&](Number entry, const Cell& cell) {
        if (static_cast<int>(entry >> axis & 1) == gone) unlist(entry, cell);
    });
    range.cell[static_cast<std::size_t>(gone)] = -1;
    range.low = 1 - gone;
}

void TimeBounds::enter(Number bound, int axis, int direction, std::vector<Slot>& found) {
    Range& range = state_.places[bound].ranges[static_cast<std::size_t>(axis)];
    const int old = range.low, fresh = 1 - old;
    const CellAxis& cells = state_.axes[static_cast<std::size_t>(axis)];
    range.cell[static_cast<std::size_t>(fresh)] =
        cells.next(range.cell[static_cast<std::size_t>(old)], direction);
    if (direction < 0) range.low = fresh;
    ++epoch_;
    mark_[bound] = epoch_;
    for (Number k = state_.places[bound].first_link; k != none; k = state_.links[k].next)
        mark_[state_.links[k].other] = epoch_;
    for_each_entry(bound, [&](Number entry, const Cell& cell) {
        if (static_cast<int>(entry >> axis & 1) != fresh) return;
        meet_all_in(bound, cell, &found);
        list(entry, cell);
    });
}

}  // namespace ricochet
