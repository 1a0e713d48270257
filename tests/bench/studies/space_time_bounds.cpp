// SPDX-License-Identifier: BSD-3-Clause
#include "space_time_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "contact/response.hpp"
#include "kinetic/time_bound.hpp"
#include "model/acceleration.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet::bench {

SpaceTimeBounds::SpaceTimeBounds(const Box& box, const EngineOptions& options, bool tests_all_again)
    : box_(box),
      kicks_(options.kicks),
      horizon_(options.search_options.subspace_side),
      tests_all_again_(tests_all_again) {
    RICOCHET_CHECK_GT(horizon_, 0);
    RICOCHET_CHECK(box.has_walls(0) && box.has_walls(1) && box.has_walls(2));
}

std::size_t SpaceTimeBounds::memory_bytes() const {
    const auto of_state = [](const State& s) {
        const Columns& c = s.columns;
        return bytes_of(s.bounds, s.links) + bytes_of(c.centre[0], c.centre[1]) +
               bytes_of(c.centre[2], c.velocity[0]) + bytes_of(c.velocity[1], c.velocity[2]) +
               bytes_of(c.half, c.growth) + bytes_of(c.end);
    };
    return of_state(state_) + of_state(saved_) + bytes_of(room_);
}

void SpaceTimeBounds::append_order(std::vector<Slot>& order) const {
    for (Slot slot = 0; slot < state_.bounds.size(); ++slot) order.push_back(slot);
}

// --- steps and events --------------------------------------------------------------------------------------

void SpaceTimeBounds::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    RICOCHET_CHECK(!setting.may_overlap && !setting.is_rebuilt);
    constexpr double most_time = 1;  // for single precision
    origin_ = end_ - setting.now;
    if (end_ > most_time) move_origin(end_);
    end_ = origin_ + setting.end;
    setting_ = setting;
    fit(setting.motion.size());
    to_make_.clear();
    for (Slot slot = 0; slot < state_.bounds.size(); ++slot)
        if (!holds(slot)) to_make_.push_back(slot);
    for (const Slot slot : to_make_) take_out(slot);
    for (const Slot slot : to_make_) make(slot, origin_ + setting.now, state_.bounds.size());
    queue.clear();
    for (Slot slot = 0; slot < state_.bounds.size(); ++slot) schedule(slot, queue);
}

void SpaceTimeBounds::neighbours(Slot slot, std::vector<Slot>& found) const {
    for (std::uint32_t k = state_.bounds[slot].first_link; k != no_link; k = state_.links[k].next)
        found.push_back(state_.links[k].other);
}

std::optional<Slot> SpaceTimeBounds::process(const TopologicalEvent& event, TopologicalQueue& queue,
                                             std::vector<Slot>& found) {
    const Slot slot = event.name;
    const Bound& bound = state_.bounds[slot];
    if (bound.stamp != event.stamp) return std::nullopt;
    const double now = std::max(bound.next, origin_ + event.time);
    const Slot partner = bound.partner;
    latest_kind_ = BoundEventKind::reset;
    if (partner == is_wall) latest_kind_ = BoundEventKind::wall;
    if (partner == is_report) latest_kind_ = BoundEventKind::report;
    if (partner < first_code && state_.bounds[partner].made == bound.partner_made) {
        latest_kind_ = BoundEventKind::pair;
        state_.bounds[partner].next = now;
        state_.bounds[partner].partner = is_report;
        schedule(partner, queue);
    }
    if (tests_all_again_ && latest_kind_ != BoundEventKind::report)
        make_all_again(slot, now, queue);
    else
        make_again(slot, now, queue);
    neighbours(slot, found);
    return slot;
}

bool SpaceTimeBounds::changed(Slot slot, double now, TopologicalQueue& queue) {
    make_again(slot, origin_ + now, queue);
    return true;
}

void SpaceTimeBounds::make_again(Slot slot, double now, TopologicalQueue& queue) {
    take_out(slot);
    make(slot, now, state_.bounds.size());
    schedule(slot, queue);
}

/// Each pair is tested once. Events at the same time have the engine look at those others that have neighbours or
/// touch a wall.
void SpaceTimeBounds::make_all_again(Slot slot, double now, TopologicalQueue& queue) {
    const auto num = static_cast<Slot>(state_.bounds.size());
    for (Slot each = 0; each < num; ++each) take_out(each);
    for (Slot each = 0; each < num; ++each) make(each, now, each);
    for (Slot each = 0; each < num; ++each) {
        Bound& bound = state_.bounds[each];
        if (each != slot && (bound.first_link != no_link || bound.touches_wall)) {
            bound.next = now;
            bound.partner = is_report;
        }
        schedule(each, queue);
    }
}

void SpaceTimeBounds::schedule(Slot slot, TopologicalQueue& queue) {
    Bound& bound = state_.bounds[slot];
    bound.stamp = ++latest_stamp_;
    if (bound.next < end_) queue.push({bound.next - origin_, slot, bound.stamp});
}

// --- bounds ------------------------------------------------------------------------------------------------

void SpaceTimeBounds::fit(std::size_t num_slots) {
    if (state_.bounds.size() == num_slots) return;
    state_ = {};
    state_.bounds.resize(num_slots);
    room_.resize(num_slots);
    Columns& c = state_.columns;
    for (auto* const column : {&c.centre[0], &c.centre[1], &c.centre[2], &c.velocity[0], &c.velocity[1],
                               &c.velocity[2], &c.half, &c.growth, &c.end})
        column->resize(num_slots);
    for (Slot slot = 0; slot < num_slots; ++slot) take_out(slot);
}

/// Times become smaller by that.
void SpaceTimeBounds::move_origin(double by) {
    origin_ -= by;
    end_ -= by;
    for (Slot slot = 0; slot < state_.bounds.size(); ++slot) {
        Bound& bound = state_.bounds[slot];
        bound.centre = bound.centre_at(by);
        bound.half = bound.half_at(by);
        bound.end -= by;
        bound.next -= by;
        write_columns(slot);
    }
}

/// Whether the bound holds its sphere up to the end of the step, or of the bound.
bool SpaceTimeBounds::holds(Slot slot) const {
    const Bound& bound = state_.bounds[slot];
    const Motion& motion = setting_.motion[slot];
    if (bound.made == 0 || bound.id != motion.id) return false;
    const double begin = origin_ + setting_.now, end = std::min(end_, bound.end);
    for (const double time : {begin, end}) {
        const Vec3 away = position_at(motion, time - origin_) - bound.centre_at(time);
        const double room = bound.half_at(time) - setting_.attributes[slot].radius - 0.5 * margin;
        if (std::abs(away.x) > room || std::abs(away.y) > room || std::abs(away.z) > room) return false;
    }
    return end >= begin;
}

/// It has no neighbours then, and meets no bound.
void SpaceTimeBounds::take_out(Slot slot) {
    constexpr double none = -1e9;
    Bound& bound = state_.bounds[slot];
    while (bound.first_link != no_link) {
        const std::uint32_t k = bound.first_link;
        const Slot other = state_.links[k].other;
        unlink(slot, k);
        unlink(other, k ^ 1);
        state_.links[k & ~1u].next = state_.first_free_link;
        state_.first_free_link = k & ~1u;
    }
    bound.half = none;
    bound.growth = 0;
    write_columns(slot);
}

/// About its sphere, at the present time; tested against the first of all.
void SpaceTimeBounds::make(Slot slot, double now, std::size_t num_others) {
    const Motion& motion = setting_.motion[slot];
    Bound& bound = state_.bounds[slot];
    const double acceleration = acceleration_of(kicks_, motion.id), delay = 0.5 * kicks_.interval;
    bound.velocity = motion.velocity;
    bound.centre = position_at(motion, now - origin_) - now * motion.velocity;
    bound.growth = acceleration * (0.5 * horizon_ + delay);
    bound.half = setting_.attributes[slot].radius + setting_.reach + margin +
                 0.5 * acceleration * delay * delay - now * bound.growth;
    bound.end = now + horizon_;
    bound.id = motion.id;
    ++bound.made;
    bound.next = bound.end;
    bound.partner = is_end;
    find_wall(bound, now);
    find_meetings(slot, now, num_others);
    write_columns(slot);
}

void SpaceTimeBounds::write_columns(Slot slot) {
    const Bound& bound = state_.bounds[slot];
    Columns& c = state_.columns;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        c.centre[k][slot] = static_cast<float>(bound.centre[axis]);
        c.velocity[k][slot] = static_cast<float>(bound.velocity[axis]);
    }
    c.half[slot] = static_cast<float>(bound.half);
    c.growth[slot] = static_cast<float>(bound.growth);
    c.end[slot] = static_cast<float>(bound.end);
}

/// When the bound touches a wall. Where it nearly does so now, the sphere may from now on.
void SpaceTimeBounds::find_wall(Bound& bound, double now) const {
    const Vec3 centre = bound.centre_at(now);
    const double half = bound.half_at(now);
    bound.touches_wall = false;
    double soonest = never;
    for (int axis = 0; axis < 3; ++axis) {
        const double v = bound.velocity[axis];
        const double to_low = centre[axis] - half, to_high = box_.size[axis] - centre[axis] - half;
        bound.touches_wall = bound.touches_wall || std::min(to_low, to_high) <= 0.5 * margin;
        if (bound.growth - v > 0) soonest = std::min(soonest, to_low / (bound.growth - v));
        if (bound.growth + v > 0) soonest = std::min(soonest, to_high / (bound.growth + v));
    }
    if (bound.touches_wall || !(now + soonest < bound.next)) return;
    bound.next = now + soonest;
    bound.partner = is_wall;
}

// --- pairs -------------------------------------------------------------------------------------------------

/// The pass over all: negative room for those that the bound cannot meet before one of both ends.
void SpaceTimeBounds::find_room(Slot slot, double now, std::size_t num_others) {
    // More than the rounding of coordinates up to some hundreds, and of widths.
    constexpr float slack = 2e-3f;
    const Bound& bound = state_.bounds[slot];
    const Columns& c = state_.columns;
    const auto x = static_cast<float>(bound.centre.x), y = static_cast<float>(bound.centre.y),
               z = static_cast<float>(bound.centre.z), vx = static_cast<float>(bound.velocity.x),
               vy = static_cast<float>(bound.velocity.y), vz = static_cast<float>(bound.velocity.z),
               half = static_cast<float>(bound.half + margin) + slack,
               growth = static_cast<float>(bound.growth), end = static_cast<float>(bound.end),
               begin = static_cast<float>(now);
    const float *const xs = c.centre[0].data(), *const ys = c.centre[1].data(),
                       *const zs = c.centre[2].data(), *const vxs = c.velocity[0].data(),
                       *const vys = c.velocity[1].data(), *const vzs = c.velocity[2].data(),
                       *const halves = c.half.data(), *const growths = c.growth.data(),
                       *const ends = c.end.data();
    float* __restrict const room = room_.data();
    for (std::size_t k = 0; k < num_others; ++k) {
        const float last = std::min(end, ends[k]);
        const float width = half + halves[k], widening = growth + growths[k];
        const float at_begin = width + widening * begin, at_end = width + widening * last;
        // Along an axis: of both conditions, the larger of the values at both ends of the time.
        const auto along = [&](float apart, float relative) {
            const float from = apart + relative * begin, to = apart + relative * last;
            return std::min(std::max(at_begin + from, at_end + to), std::max(at_begin - from, at_end - to));
        };
        room[k] = std::min(std::min(along(xs[k] - x, vxs[k] - vx), along(ys[k] - y, vys[k] - vy)),
                           along(zs[k] - z, vzs[k] - vz));
    }
    num_tests_ += num_others;
}

/// Links the bound to all that it overlaps, and keeps the first one that it meets.
void SpaceTimeBounds::find_meetings(Slot slot, double now, std::size_t num_others) {
    find_room(slot, now, num_others);
    Bound& bound = state_.bounds[slot];
    for (Slot other = 0; other < num_others; ++other) {
        if (room_[other] < 0 || other == slot) continue;
        const double time = meeting(bound, state_.bounds[other], now);
        if (!(time > now)) {
            link(slot, other);
        } else if (time < bound.next) {
            bound.next = time;
            bound.partner = other;
            bound.partner_made = state_.bounds[other].made;
        }
    }
}

/// When two begin to overlap; not later than now if they nearly do already, infinite where they do not before one ends.
double SpaceTimeBounds::meeting(const Bound& a, const Bound& b, double now) const {
    const Vec3 apart = a.centre_at(now) - b.centre_at(now), relative = a.velocity - b.velocity;
    const double width = a.half_at(now) + b.half_at(now), widening = a.growth + b.growth;
    const double nearest = std::max({std::abs(apart.x), std::abs(apart.y), std::abs(apart.z)});
    if (nearest <= width + margin) return now;
    double first = 0, last = std::min(a.end, b.end) - now;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double sign : {-1.0, 1.0}) {
            const double value = width + sign * apart[axis], slope = widening + sign * relative[axis];
            if (value < 0) {
                if (!(slope > 0)) return never;
                first = std::max(first, -value / slope);
            } else if (slope < 0) {
                last = std::min(last, -value / slope);
            }
        }
    }
    return first <= last ? now + first : never;
}

void SpaceTimeBounds::link(Slot a, Slot b) {
    std::uint32_t k = state_.first_free_link;
    if (k != no_link) {
        state_.first_free_link = state_.links[k].next;
    } else {
        k = static_cast<std::uint32_t>(state_.links.size());
        state_.links.resize(state_.links.size() + 2);
    }
    state_.links[k] = {b, state_.bounds[a].first_link};
    state_.links[k + 1] = {a, state_.bounds[b].first_link};
    state_.bounds[a].first_link = k;
    state_.bounds[b].first_link = k + 1;
}

void SpaceTimeBounds::unlink(Slot owner, std::uint32_t number) {
    std::uint32_t* place = &state_.bounds[owner].first_link;
    while (*place != number) place = &state_.links[*place].next;
    *place = state_.links[number].next;
}

}  // namespace ricochet::bench
