// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/falling_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "geometry/bernstein.hpp"
#include "geometry/box_parts.hpp"
#include "geometry/contact_time.hpp"

namespace ricochet {
namespace {

/// `distance`: of the centre from the surface.
double touch_of_flat(const Fall& fall, double distance, double radius, Vec3 outwards, bool is_here) {
    const Below below = !is_here                         ? Below::elsewhere
                        : reaches_into(distance, radius) ? Below::overlap
                                                         : Below::rounding;
    return first_touch(distance - radius, dot(fall.motion.velocity, outwards),
                       dot(fall.acceleration, outwards), below);
}

}  // namespace

/// The larger root where the gap bends down, the smaller one where it bends up. Each in the form that does not cancel:
/// 2 gap / (-rate + root) would lose what has just left the surface.
double first_touch(double gap, double rate, double bend, Below below) {
    if (gap <= 0 && below != Below::elsewhere) {
        if (rate < 0) return 0;
        if (below == Below::rounding) return bend < 0 ? -2 * rate / bend : never;
    }
    const double square = std::fma(-2 * bend, gap, rate * rate);
    const bool stays_below = gap <= 0 && bend < 0 && !(square > 0);
    if (stays_below && below == Below::overlap) return rate / -bend;  // at the top of its flight
    const bool comes_back = bend < 0 && (gap > 0 || rate > 0);
    if (!comes_back && !(gap > 0 && rate < 0)) return never;
    if (!(square >= 0)) return never;
    const double root = std::sqrt(square);
    return rate < 0 ? 2 * gap / (root - rate) : (rate + root) / -bend;
}

// --- flat surfaces -----------------------------------------------------------------------------------------

namespace {

double time_of_fall(const Fall& fall, double radius, const Wall& wall) {
    Vec3 inwards;
    inwards[wall.axis] = wall.is_high ? -1 : 1;
    return fall.motion.time +
           touch_of_flat(fall, distance_to(fall.motion.position, wall), radius, inwards, true);
}

bool is_above(const Face& face, Vec3 place) {
    const Vec3 r = place - face.centre;
    return std::abs(dot(r, face.along[0])) <= face.half_edge[0] &&
           std::abs(dot(r, face.along[1])) <= face.half_edge[1];
}

/// What is behind a face, or beside it, may rise above it and then fall on it.
double time_of_fall(const Fall& fall, double radius, const Face& face) {
    const double distance = dot(fall.motion.position - face.centre, face.normal);
    const bool is_here = distance > -face.depth && is_above(face, fall.motion.position);
    const double later = touch_of_flat(fall, distance, radius, face.normal, is_here);
    if (later == never) return never;
    return is_above(face, place_after(fall, later)) ? fall.motion.time + later : never;
}

// --- round surfaces ----------------------------------------------------------------------------------------

/// The gap to a round surface, as a function of the time.
struct RoundGap {
    Polynomial<4> of_squares;  ///< of the distance from the centre or axis, less that of a contact
    Below below;               ///< where it is not positive at first
};

Vec3 sideways(Vec3 of, Vec3 axis) { return advanced(of, axis, -dot(of, axis)); }

/// Seen from a centre.
Fall about(const Fall& fall, Vec3 centre) {
    return {{fall.motion.position - centre, fall.motion.velocity}, fall.acceleration, fall.end};
}
/// Seen from an axis, across it.
Fall about(const Fall& fall, Vec3 start, Vec3 axis) {
    return {{sideways(fall.motion.position - start, axis), sideways(fall.motion.velocity, axis)},
            sideways(fall.acceleration, axis),
            fall.end};
}

/// `seen`: from the centre or axis of the surface; it is positive on the particle's side.
RoundGap gap_to(double radius_of_surface, bool is_hollow, const Fall& seen, double radius) {
    const Vec3 r = seen.motion.position, velocity = seen.motion.velocity, acceleration = seen.acceleration;
    const double distance = is_hollow ? radius_of_surface - radius : radius_of_surface + radius;
    const Polynomial<4> squares{{std::fma(-distance, distance, dot(r, r)), 2 * dot(r, velocity),
                                 dot(velocity, velocity) + dot(r, acceleration), dot(velocity, acceleration),
                                 0.25 * dot(acceleration, acceleration)}};
    RoundGap gap{is_hollow ? -squares : squares, Below::rounding};
    if (gap.of_squares.c[0] > 0) return gap;
    const double outwards = norm(r) - radius_of_surface;
    if (reaches_into(is_hollow ? -outwards : outwards, radius)) gap.below = Below::overlap;
    return gap;
}

/// The first time in [0, until) at which p falls and is not positive. Where it begins below 0 by rounding, the root at
/// 0 is divided out.
double first_touch(const Polynomial<4>& p, Below below, double until) {
    if (p.c[0] > 0 || below == Below::overlap) return first_fall(p, until);
    if (p.c[1] < 0) return 0;
    return first_fall(Polynomial<3>{{p.c[1], p.c[2], p.c[3], p.c[4]}}, until);
}

/// The first such time that is accepted. What begins below 0, and is not touching, must become positive before.
template <class Accept>
double first_touch_where(const RoundGap& gap, double until, bool is_here, Accept&& accept) {
    constexpr int most_roots = 4;
    const Polynomial<4>& p = gap.of_squares;
    Below below = is_here ? gap.below : Below::elsewhere;
    double from = 0;
    Polynomial<4> rest = p;
    for (int count = 0; count <= most_roots; ++count) {
        if (!(rest.c[0] > 0) && below == Below::elsewhere) {
            const double rise = first_fall(-rest, until - from);
            if (rise == never) return never;
            from += rise;
            rest = shifted(p, from);
            rest.c[0] = 0;
        }
        const double touch = first_touch(rest, below, until - from);
        if (touch == never) return never;
        from += touch;
        if (accept(from)) return from;
        rest = shifted(p, from);
        rest.c[0] = 0;
        below = Below::elsewhere;
    }
    return never;
}

/// How far along an axis the fall is a time `later`.
double place_along(const Fall& fall, double later, Vec3 start, Vec3 axis) {
    return dot(place_after(fall, later) - start, axis);
}

double time_of_fall(const Fall& fall, double radius, const Ball& ball) {
    const Vec3 r = fall.motion.position - ball.centre;
    if (ball.is_shell && (dot(r, r) < ball.radius * ball.radius) != ball.is_hollow) return never;
    const double until = fall.end - fall.motion.time;
    const RoundGap gap = gap_to(ball.radius, ball.is_hollow, about(fall, ball.centre), radius);
    const double later = first_touch(gap.of_squares, gap.below, until);
    return fall.motion.time + later;
}

double time_of_fall(const Fall& fall, double radius, const Rod& rod) {
    const double until = fall.end - fall.motion.time;
    const Fall seen = about(fall, rod.start, rod.axis);
    const Vec3 r = seen.motion.position;
    if (rod.is_shell && (dot(r, r) < rod.radius * rod.radius) != rod.is_hollow) return never;
    const RoundGap gap = gap_to(rod.radius, rod.is_hollow, seen, radius);
    if (rod.is_hollow) return fall.motion.time + first_touch(gap.of_squares, gap.below, until);
    const auto is_between_ends = [&](double later) {
        const double place = place_along(fall, later, rod.start, rod.axis);
        return rod.length == never || (place >= 0 && place <= rod.length);
    };
    return fall.motion.time + first_touch_where(gap, until, is_between_ends(0), is_between_ends);
}

/// Where middle and ends join, both find the contact: each a little beyond its own part.
double time_of_fall(const Fall& fall, double radius, const HollowCapsule& capsule) {
    using enum HollowCapsule::Part;
    const double until = fall.end - fall.motion.time;
    const double beyond = 0x1p-43 * (capsule.radius + capsule.length);
    const auto is_in_part = [&](double later) {
        const double place = place_along(fall, later, capsule.from, capsule.axis);
        if (capsule.part == low_end) return place <= beyond;
        if (capsule.part == high_end) return place >= capsule.length - beyond;
        return place >= -beyond && place <= capsule.length + beyond;
    };
    const Vec3 centre =
        capsule.part == high_end ? advanced(capsule.from, capsule.axis, capsule.length) : capsule.from;
    const Fall seen = capsule.part == middle ? about(fall, capsule.from, capsule.axis) : about(fall, centre);
    const RoundGap gap = gap_to(capsule.radius, true, seen, radius);
    return fall.motion.time + first_touch_where(gap, until, is_in_part(0), is_in_part);
}

/// Joints have the same slack. Where it begins, only the nearest part counts: the response has its normal.
double time_of_fall(const Fall& fall, double radius, const CapsuleSide& side) {
    const double until = fall.end - fall.motion.time, length = side.length;
    const double beyond = 0x1p-43 * (side.radius + length);
    const double along = place_along(fall, 0, side.from, side.axis);
    const Vec3 r = fall.motion.position - advanced(side.from, side.axis, std::clamp(along, 0.0, length));
    if (side.is_shell && (dot(r, r) < side.radius * side.radius) != side.is_hollow) return never;
    const auto time_at_part = [&](const Fall& seen, bool is_here, auto&& is_in_part) {
        return first_touch_where(
            gap_to(side.radius, side.is_hollow, seen, radius), until, is_here,
            [&](double later) { return is_in_part(place_along(fall, later, side.from, side.axis)); });
    };
    const double by_low =
        time_at_part(about(fall, side.from), along < 0, [=](double place) { return place <= beyond; });
    const double by_high = time_at_part(about(fall, advanced(side.from, side.axis, length)), along > length,
                                        [=](double place) { return place >= length - beyond; });
    const double by_middle =
        time_at_part(about(fall, side.from, side.axis), along >= 0 && along <= length,
                     [=](double place) { return place >= -beyond && place <= length + beyond; });
    return fall.motion.time + std::min(by_middle, std::min(by_low, by_high));
}

// --- boxes that are touched from both sides ----------------------------------------------------------------

/// All that is nearest to one face, edge or corner: beyond the box along the axes with a sign.
struct BoxRegion {
    std::array<int, 3> sign{};  ///< -1 low, 1 high, 0 between
    double slack = 0;           ///< joints have it

    bool holds(const BoxSide& side, Vec3 place, double more) const {
        for (int axis = 0; axis < side.dimension; ++axis) {
            const int of = sign[static_cast<std::size_t>(axis)];
            if (of <= 0 && place[axis] > (of < 0 ? side.low[axis] : side.high[axis]) + more) return false;
            if (of >= 0 && place[axis] < (of > 0 ? side.high[axis] : side.low[axis]) - more) return false;
        }
        return true;
    }
};

/// Where it begins, only the part that is nearest counts: the response has its normal.
double time_in_region(const Fall& fall, double radius, const BoxSide& side, const BoxRegion& region) {
    Vec3 corner, is_beyond, outwards;
    int num_beyond = 0;
    for (int axis = 0; axis < side.dimension; ++axis) {
        const int sign = region.sign[static_cast<std::size_t>(axis)];
        if (sign == 0) continue;
        ++num_beyond;
        corner[axis] = sign > 0 ? side.high[axis] : side.low[axis];
        is_beyond[axis] = 1;
        outwards[axis] = sign;
    }
    const auto off = [&](Vec3 of) {
        return Vec3{of.x * is_beyond.x, of.y * is_beyond.y, of.z * is_beyond.z};
    };
    const Fall seen{
        {off(fall.motion.position - corner), off(fall.motion.velocity)}, off(fall.acceleration), fall.end};
    const bool is_here = region.holds(side, fall.motion.position, 0);
    const auto is_there = [&](double later) {
        return region.holds(side, place_after(fall, later), region.slack);
    };
    if (num_beyond > 1)
        return first_touch_where(gap_to(0, false, seen, radius), fall.end - fall.motion.time, is_here,
                                 is_there);
    const double later = touch_of_flat(fall, dot(seen.motion.position, outwards), radius, outwards, is_here);
    return later < never && is_there(later) ? later : never;
}

double time_outside(const Fall& fall, double radius, const BoxSide& side) {
    const Vec3 edges = side.high - side.low;
    BoxRegion region{{}, 0x1p-43 * (edges.x + edges.y + edges.z)};
    double earliest = never;
    const int num_regions = side.dimension == 3 ? 27 : 9;
    for (int k = 0; k < num_regions; ++k) {
        region.sign = {k % 3 - 1, k / 3 % 3 - 1, side.dimension == 3 ? k / 9 - 1 : 0};
        if (region.sign == std::array<int, 3>{}) continue;
        earliest = std::min(earliest, time_in_region(fall, radius, side, region));
    }
    return earliest;
}

/// By the face alone that is reached first.
double time_inside(const Fall& fall, double radius, const BoxSide& side) {
    double earliest = never;
    int first = 0;
    for (int face = 0; face < 2 * side.dimension; ++face) {
        const int axis = face / 2;
        const double place = fall.motion.position[axis];
        const bool is_high = face % 2 == 1;
        const double distance = is_high ? side.high[axis] - place : place - side.low[axis];
        const double time = touch_of_flat(fall, distance, radius, unit_along(axis, is_high ? -1 : 1), true);
        if (!(time < earliest)) continue;
        earliest = time;
        first = face;
    }
    return first == side.face ? earliest : never;
}

double time_of_fall(const Fall& fall, double radius, const BoxSide& side) {
    if (side.is_shell && holds(side, fall.motion.position) != side.is_hollow) return never;
    return fall.motion.time +
           (side.is_hollow ? time_inside(fall, radius, side) : time_outside(fall, radius, side));
}

}  // namespace

double falling_contact_time(const Fall& fall, double radius, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return time_of_fall(fall, radius, of); }, shape);
}

}  // namespace ricochet
