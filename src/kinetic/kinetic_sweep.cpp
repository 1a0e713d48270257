// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/kinetic_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/contact_time.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

KineticSweep::KineticSweep(const Box& box, const EngineOptions& /*options*/)
    : KineticSweep(box, sphere_slack(box)) {}

/// Ends are out of order by rounding only: by some 1e-16 of the box.
KineticSweep::KineticSweep(const Box& box, double slack)
    : box_(box), slack_(slack), tolerance_(1e-3 * sphere_slack(box)) {}

// --- intervals ---------------------------------------------------------------------------------------------

double KineticSweep::needed_extent(Slot slot) const {
    const Attributes& attributes = setting_.attributes[slot];
    return is_absent(attributes) ? 0 : attributes.radius + setting_.reach + slack_;
}

bool KineticSweep::is_endless(double extent, int axis) const {
    return box_.is_periodic(axis) && 2 * extent >= box_.size[axis];
}

double KineticSweep::coordinate(End end, int axis, double now) const {
    const Slot slot = EndRing::slot_of(end);
    const Motion& motion = setting_.motion[slot];
    const double centre = motion.position[axis] + motion.velocity[axis] * (now - motion.time);
    return EndRing::is_begin(end) ? centre - state_.extents[slot] : centre + state_.extents[slot];
}

double KineticSweep::gap_to_next(int axis, Place place, double now) const {
    const EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    return coordinate(ring.end_at(ring.next(place)), axis, now) - coordinate(ring.end_at(place), axis, now) +
           ring.images_to_next(place) * box_.size[axis];
}

double KineticSweep::disorder(int axis, double now) const {
    const EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    double most = -never;
    for (Place place = 0; place < ring.size(); ++place)
        if (ring.next(place) != EndRing::nowhere) most = std::max(most, -gap_to_next(axis, place, now));
    return most;
}

// --- the start ---------------------------------------------------------------------------------------------

void KineticSweep::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    RICOCHET_CHECK_LT(setting.motion.size(), std::size_t{1} << 29);  // events name ends and axes in 32 bits
    setting_ = setting;
    if (!setting.is_rebuilt) latest_stamp_ = 0;
    state_.extents.resize(setting.motion.size());
    for (Slot slot = 0; slot < setting.motion.size(); ++slot) state_.extents[slot] = needed_extent(slot);
    for (int axis = 0; axis < box_.dimension; ++axis) sort_ends(axis);
    find_pairs();
    queue.clear();
    for (int axis = 0; axis < box_.dimension; ++axis)
        for (Place place = 0; place < state_.rings[static_cast<std::size_t>(axis)].size(); ++place)
            schedule(axis, place, setting.now, queue);
}

void KineticSweep::sort_ends(int axis) {
    const double period = box_.is_periodic(axis) ? box_.size[axis] : 0;
    items_.clear();
    for (Slot slot = 0; slot < setting_.motion.size(); ++slot) {
        if (!is_present(slot) || is_endless(state_.extents[slot], axis)) continue;
        for (const End end : {EndRing::begin_of(slot), EndRing::end_of(slot)}) {
            const double at = coordinate(end, axis, setting_.now);
            const double image = period > 0 ? -std::floor(at / period) : 0;
            items_.push_back(
                {at + image * period, velocity(end, axis), end, static_cast<std::int32_t>(image)});
        }
    }
    state_.rings[static_cast<std::size_t>(axis)].build(setting_.motion.size(), period > 0, items_);
}

/// Along which intervals overlap least.
int KineticSweep::longest_axis() const {
    const Vec3 lengths{setting_.domain.width, box_.size.y, box_.size.z};
    int longest = 0;
    for (int axis = 1; axis < box_.dimension; ++axis)
        if (lengths[axis] > lengths[longest]) longest = axis;
    return longest;
}

void KineticSweep::find_pairs() {
    const int axis = longest_axis();
    const EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    const auto num_slots = static_cast<Slot>(setting_.motion.size());
    state_.pairs.clear(num_slots);
    const auto add_if_near = [&](Slot slot, Slot other) {
        if (overlap_but_along(axis, slot, other)) state_.pairs.add(slot, other);
    };
    for (Slot slot = 0; slot < num_slots; ++slot) {
        if (ring.has(slot)) {
            ring.for_each_beginning_in(slot, [&](Slot other) {
                // Two may begin in each other, around a ring.
                if (slot < other || !ring.begins_in(slot, other)) add_if_near(slot, other);
            });
        } else if (is_present(slot)) {
            for (Slot other = 0; other < num_slots; ++other)
                if (is_present(other) && (ring.has(other) || other > slot)) add_if_near(slot, other);
        }
    }
}

/// Along all other axes.
bool KineticSweep::overlap_but_along(int axis, Slot a, Slot b) const {
    for (int k = 0; k < box_.dimension; ++k)
        if (k != axis && !state_.rings[static_cast<std::size_t>(k)].overlap(a, b)) return false;
    return true;
}

// --- exchanges ---------------------------------------------------------------------------------------------

/// When the end at this place overtakes the next one. Whatever was scheduled for it before is void.
void KineticSweep::schedule(int axis, Place place, double now, TopologicalQueue& queue) {
    EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    const End end = ring.end_at(place);
    ring.set_stamp(end, 0);
    const Place next = ring.next(place);
    if (next == EndRing::nowhere) return;
    ++num_certificates_;
    const double gap = gap_to_next(axis, place, now);
    const double approach = velocity(end, axis) - velocity(ring.end_at(next), axis);
    double time = now;
    if (gap >= -tolerance_) {
        if (!(approach > 0)) return;
        time += std::max(0.0, gap) / approach;
    }
    if (!(time < setting_.end)) return;
    if (latest_stamp_ == std::numeric_limits<std::uint32_t>::max())
        throw RunError(
            "more than 2^32 exchanges of sorted ends on one rank in one step: use a smaller run.timestep");
    ring.set_stamp(end, ++latest_stamp_);
    queue.push({time, 3 * end + static_cast<std::uint32_t>(axis), latest_stamp_});
}

/// Whether the two become neighbours by that.
bool KineticSweep::exchange(int axis, Place place, double now, TopologicalQueue& queue) {
    EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    const Place next = ring.next(place);
    const End low = ring.end_at(place), high = ring.end_at(next);
    const Slot a = EndRing::slot_of(low), b = EndRing::slot_of(high);
    RICOCHET_CHECK_NE(a, b);
    const bool may_change = EndRing::is_begin(low) != EndRing::is_begin(high) && is_present(a) &&
                            is_present(b) && overlap_but_along(axis, a, b);
    const bool were_near = may_change && ring.overlap(a, b);  // around a ring perhaps on the other side
    ring.exchange(place);
    const bool are_near = may_change && ring.overlap(a, b);
    if (are_near && !were_near) state_.pairs.add(a, b);
    if (were_near && !are_near) {
        const bool a_is_smaller = state_.extents[a] < state_.extents[b];  // and has fewer neighbours
        state_.pairs.remove(a_is_smaller ? a : b, a_is_smaller ? b : a);
    }
    schedule(axis, place, now, queue);
    schedule(axis, next, now, queue);
    if (ring.previous(place) != EndRing::nowhere) schedule(axis, ring.previous(place), now, queue);
    return are_near && !were_near;
}

std::optional<Slot> KineticSweep::process(const TopologicalEvent& event, TopologicalQueue& queue,
                                          std::vector<Slot>& found) {
    const End end = event.name / 3;
    const auto axis = static_cast<int>(event.name % 3);
    const EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    if (ring.stamp(end) != event.stamp) return std::nullopt;
    const Place place = ring.place_of(end);
    const Slot passed = EndRing::slot_of(ring.end_at(ring.next(place)));
    if (exchange(axis, place, event.time, queue)) found.push_back(passed);
    return EndRing::slot_of(end);
}

bool KineticSweep::move_up(int axis, End end, double now, TopologicalQueue& queue) {
    const EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    bool has_moved = false;
    for (Place place = ring.place_of(end);
         ring.next(place) != EndRing::nowhere && gap_to_next(axis, place, now) < -tolerance_;
         place = ring.place_of(end)) {
        exchange(axis, place, now, queue);
        has_moved = true;
    }
    return has_moved;
}

bool KineticSweep::move_down(int axis, End end, double now, TopologicalQueue& queue) {
    const EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    bool has_moved = false;
    for (Place place = ring.previous(ring.place_of(end));
         place != EndRing::nowhere && gap_to_next(axis, place, now) < -tolerance_;
         place = ring.previous(ring.place_of(end))) {
        exchange(axis, place, now, queue);
        has_moved = true;
    }
    return has_moved;
}

/// Brings the ends of an interval to their places after a jump. Neither passes the other, so they take turns.
void KineticSweep::settle(int axis, Slot slot, double now, TopologicalQueue& queue) {
    const End begin = EndRing::begin_of(slot), end = EndRing::end_of(slot);
    for (bool has_moved = true; has_moved;) {
        has_moved = move_up(axis, end, now, queue);
        has_moved |= move_down(axis, begin, now, queue);
        has_moved |= move_up(axis, begin, now, queue);
        has_moved |= move_down(axis, end, now, queue);
    }
    const EndRing& ring = state_.rings[static_cast<std::size_t>(axis)];
    for (const Place place : {ring.place_of(begin), ring.place_of(end)}) {
        schedule(axis, place, now, queue);
        if (ring.previous(place) != EndRing::nowhere) schedule(axis, ring.previous(place), now, queue);
    }
}

bool KineticSweep::can_hold(Slot slot, double extent) const {
    if (extent == 0) return true;
    if (!is_present(slot)) return false;
    for (int axis = 0; axis < box_.dimension; ++axis)
        if (state_.rings[static_cast<std::size_t>(axis)].has(slot) == is_endless(extent, axis)) return false;
    return true;
}

bool KineticSweep::changed(Slot slot, double now, TopologicalQueue& queue) {
    const double extent = needed_extent(slot);
    if (!can_hold(slot, extent)) return false;
    state_.extents[slot] = extent;
    if (!is_present(slot)) state_.pairs.remove_all(slot);
    for (int axis = 0; axis < box_.dimension; ++axis)
        if (state_.rings[static_cast<std::size_t>(axis)].has(slot)) settle(axis, slot, now, queue);
    return true;
}

void KineticSweep::append_order(std::vector<Slot>& order) const {
    const EndRing& ring = state_.rings[0];
    for (Place place = 0; place < ring.size(); ++place) {
        const End end = ring.end_at(place);
        if (EndRing::is_begin(end) && is_present(EndRing::slot_of(end)))
            order.push_back(EndRing::slot_of(end));
    }
    for (Slot slot = 0; slot < setting_.motion.size(); ++slot)
        if (!ring.has(slot) && is_present(slot)) order.push_back(slot);
}

}  // namespace ricochet
