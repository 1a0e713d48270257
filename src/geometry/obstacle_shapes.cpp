// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/obstacle_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "geometry/box_parts.hpp"
#include "geometry/contact_time.hpp"
#include "ricochet/model/box.hpp"

namespace ricochet {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Bodies are listed with their images, so times need none.
const ImageLengths no_images{};

/// What rests at a place, as the later of two ids.
Motion resting(Vec3 place, double time) {
    return {.position = place, .velocity = {}, .time = time, .id = first_obstacle_id};
}

double time_of_entry(const Motion& motion, Vec3 centre, double distance) {
    return pair_contact_time(motion, resting(centre, motion.time), distance, no_images);
}
double time_of_exit(const Motion& motion, Vec3 centre, double distance) {
    return tether_time(motion, resting(centre, motion.time), distance, no_images);
}

/// What is left of a vector across a direction of length 1.
Vec3 across(Vec3 of, Vec3 axis) { return advanced(of, axis, -dot(of, axis)); }

/// The motion across an axis through `origin`, with the origin at 0.
Motion across(const Motion& motion, Vec3 origin, Vec3 axis) {
    return {.position = across(motion.position - origin, axis),
            .velocity = across(motion.velocity, axis),
            .time = motion.time,
            .id = motion.id};
}

double along(const Motion& motion, double time, Vec3 origin, Vec3 axis) {
    return dot(position_at(motion, time) - origin, axis);
}

/// Two places that are one have no direction; any fixed one will do.
Vec3 direction_of(Vec3 of, Vec3 otherwise) {
    const double length = norm(of);
    return length > 0 ? Vec3{of.x / length, of.y / length, of.z / length} : otherwise;
}

/// Where a sphere touches what is round about `middle`, the point of its axis or its centre that is nearest.
Surface round_surface(Vec3 centre, Vec3 middle, double radius, bool is_hollow, Vec3 otherwise) {
    const Vec3 outwards = direction_of(centre - middle, otherwise);
    return {.point = advanced(middle, outwards, radius),
            .normal = is_hollow ? outwards : Vec3{} - outwards,
            .is_hollow = is_hollow};
}

ObstacleBounds bounds_about(Vec3 a, Vec3 b, double radius) {
    const Vec3 room{radius, radius, radius};
    return {min(a, b) - room, max(a, b) + room};
}

/// On the other side of a shell another surface is nearer.
template <class Round>
double distance_on_side(const Round& of, double distance) {
    if (of.is_shell && (of.is_hollow ? !(distance > 0) : distance < 0)) return infinite;
    return distance;
}

constexpr ObstacleBounds everywhere{{-infinite, -infinite, -infinite}, {infinite, infinite, infinite}};

}  // namespace

Vec3 some_direction_across(Vec3 axis) {
    const Vec3 size = abs(axis);
    const Vec3 thin = size.x <= size.y && size.x <= size.z ? Vec3{1, 0, 0}
                      : size.y <= size.z                   ? Vec3{0, 1, 0}
                                                           : Vec3{0, 0, 1};
    return direction_of(across(thin, axis), thin);
}

// --- walls -------------------------------------------------------------------------------------------------

[[gnu::noinline]] double obstacle_contact_time(const Motion& motion, double radius, const Wall& wall) {
    const double velocity = motion.velocity[wall.axis];
    const double approach = wall.is_high ? velocity : -velocity;
    if (!(approach > 0)) return never;
    const double gap = distance_to(motion.position, wall) - radius;
    return gap <= 0 ? motion.time : motion.time + gap / approach;
}

Surface surface_at(Vec3 centre, const Wall& wall) {
    Surface surface{.point = centre, .normal = {}};
    surface.point[wall.axis] = wall.position;
    surface.normal[wall.axis] = wall.is_high ? 1 : -1;
    return surface;
}

double distance_to(Vec3 centre, const Wall& wall) {
    return wall.is_high ? wall.position - centre[wall.axis] : centre[wall.axis] - wall.position;
}

double distance_to_whole(Vec3 centre, const Wall& wall) { return distance_to(centre, wall); }

ObstacleBounds bounds_of(const Wall& /*wall*/) { return everywhere; }

// --- balls -------------------------------------------------------------------------------------------------

double obstacle_contact_time(const Motion& motion, double radius, const Ball& ball) {
    if (ball.is_shell) {
        const Vec3 r = motion.position - ball.centre;
        if ((dot(r, r) < ball.radius * ball.radius) != ball.is_hollow) return never;
    }
    if (ball.is_hollow) return time_of_exit(motion, ball.centre, ball.radius - radius);
    return time_of_entry(motion, ball.centre, ball.radius + radius);
}

Surface surface_at(Vec3 centre, const Ball& ball) {
    return round_surface(centre, ball.centre, ball.radius, ball.is_hollow, {1, 0, 0});
}

double distance_to(Vec3 centre, const Ball& ball) {
    return distance_on_side(ball, distance_to_whole(centre, ball));
}

double distance_to_whole(Vec3 centre, const Ball& ball) {
    const double outwards = norm(centre - ball.centre) - ball.radius;
    return ball.is_hollow ? -outwards : outwards;
}

ObstacleBounds bounds_of(const Ball& ball) { return bounds_about(ball.centre, ball.centre, ball.radius); }

// --- rods --------------------------------------------------------------------------------------------------

double obstacle_contact_time(const Motion& motion, double radius, const Rod& rod) {
    const Motion flat = across(motion, rod.start, rod.axis);
    if (rod.is_shell && (dot(flat.position, flat.position) < rod.radius * rod.radius) != rod.is_hollow)
        return never;
    if (rod.is_hollow) return time_of_exit(flat, {}, rod.radius - radius);
    const double time = time_of_entry(flat, {}, rod.radius + radius);
    if (rod.length == infinite || time == never) return time;
    const double place = along(motion, time, rod.start, rod.axis);
    return place >= 0 && place <= rod.length ? time : never;
}

Surface surface_at(Vec3 centre, const Rod& rod) {
    const Vec3 middle = advanced(rod.start, rod.axis, dot(centre - rod.start, rod.axis));
    return round_surface(centre, middle, rod.radius, rod.is_hollow, some_direction_across(rod.axis));
}

double distance_to(Vec3 centre, const Rod& rod) {
    const double place = dot(centre - rod.start, rod.axis);
    if (rod.length != infinite && !(place >= 0 && place <= rod.length)) return infinite;
    return distance_on_side(rod, distance_to_whole(centre, rod));
}

double distance_to_whole(Vec3 centre, const Rod& rod) {
    const double outwards = norm(across(centre - rod.start, rod.axis)) - rod.radius;
    return rod.is_hollow ? -outwards : outwards;
}

ObstacleBounds bounds_of(const Rod& rod) {
    if (rod.length != infinite)
        return bounds_about(rod.start, advanced(rod.start, rod.axis, rod.length), rod.radius);
    ObstacleBounds bounds = everywhere;
    for (int axis = 0; axis < 3; ++axis) {
        if (rod.axis[axis] != 0) continue;
        bounds.low[axis] = rod.start[axis] - rod.radius;
        bounds.high[axis] = rod.start[axis] + rod.radius;
    }
    return bounds;
}

// --- hollow capsules ---------------------------------------------------------------------------------------

namespace {

Vec3 end_of(const HollowCapsule& capsule, HollowCapsule::Part part) {
    return part == HollowCapsule::Part::low_end ? capsule.from
                                                : advanced(capsule.from, capsule.axis, capsule.length);
}

HollowCapsule::Part part_at(const HollowCapsule& capsule, double place) {
    using enum HollowCapsule::Part;
    return place < 0 ? low_end : place > capsule.length ? high_end : middle;
}

/// When a sphere that leaves by one end does so. It may still be in the middle, where the full sphere of this end does
/// not reach: then it enters that first.
double time_of_exit_by(const HollowCapsule& capsule, const Motion& motion, double room) {
    const Vec3 centre = end_of(capsule, capsule.part);
    const double place = along(motion, motion.time, capsule.from, capsule.axis);
    if (part_at(capsule, place) == capsule.part) return time_of_exit(motion, centre, room);
    const double to_end = capsule.part == HollowCapsule::Part::low_end ? -place : capsule.length - place;
    const double arrival = motion.time + std::max(0.0, to_end / dot(motion.velocity, capsule.axis));
    const Motion at_end{position_at(motion, arrival), motion.velocity, arrival, motion.id};
    return time_of_exit(at_end, centre, room);
}

/// Where the path would leave the endless cylinder, and by which part it leaves.
struct SideExit {
    double time;
    HollowCapsule::Part part;
};

std::optional<SideExit> side_exit(const HollowCapsule& capsule, const Motion& motion, double room) {
    const Motion flat = across(motion, capsule.from, capsule.axis);
    const double time = time_of_exit(flat, {}, room);
    const double speed_along = dot(motion.velocity, capsule.axis);
    if (time == never && speed_along == 0) return std::nullopt;
    const double place =
        dot(motion.position - capsule.from, capsule.axis) + speed_along * (time - motion.time);
    return SideExit{time, part_at(capsule, place)};
}

}  // namespace

double obstacle_contact_time(const Motion& motion, double radius, const HollowCapsule& capsule) {
    const double room = capsule.radius - radius;
    const std::optional<SideExit> exit = side_exit(capsule, motion, room);
    if (!exit || exit->part != capsule.part) return never;
    return capsule.part == HollowCapsule::Part::middle ? exit->time : time_of_exit_by(capsule, motion, room);
}

Surface surface_at(Vec3 centre, const HollowCapsule& capsule) {
    const Vec3 otherwise = some_direction_across(capsule.axis);
    if (capsule.part != HollowCapsule::Part::middle)
        return round_surface(centre, end_of(capsule, capsule.part), capsule.radius, true, otherwise);
    const Vec3 middle = advanced(capsule.from, capsule.axis, dot(centre - capsule.from, capsule.axis));
    return round_surface(centre, middle, capsule.radius, true, otherwise);
}

double distance_to(Vec3 centre, const HollowCapsule& capsule) {
    const double place = dot(centre - capsule.from, capsule.axis);
    return part_at(capsule, place) == capsule.part ? distance_to_whole(centre, capsule) : infinite;
}

double distance_to_whole(Vec3 centre, const HollowCapsule& capsule) {
    if (capsule.part == HollowCapsule::Part::middle)
        return capsule.radius - norm(across(centre - capsule.from, capsule.axis));
    return capsule.radius - norm(centre - end_of(capsule, capsule.part));
}

ObstacleBounds bounds_of(const HollowCapsule& capsule) {
    return bounds_about(capsule.from, advanced(capsule.from, capsule.axis, capsule.length), capsule.radius);
}

// --- sides of capsules -------------------------------------------------------------------------------------

namespace {

/// The point of the line that is nearest.
Vec3 nearest_point(const CapsuleSide& side, Vec3 centre) {
    return advanced(side.from, side.axis, std::clamp(dot(centre - side.from, side.axis), 0.0, side.length));
}

/// What flies off the line never comes nearer. Otherwise it enters the union where it first enters a part.
double time_from_outside(const Motion& motion, double radius, const CapsuleSide& side) {
    if (!(dot(motion.velocity, motion.position - nearest_point(side, motion.position)) < 0)) return never;
    const double reach = side.radius + radius;
    const double by_end = std::min(time_of_entry(motion, side.from, reach),
                                   time_of_entry(motion, advanced(side.from, side.axis, side.length), reach));
    return std::min(
        by_end, obstacle_contact_time(motion, radius, Rod{side.from, side.axis, side.length, side.radius}));
}

double time_from_inside(const Motion& motion, double radius, const CapsuleSide& side) {
    HollowCapsule capsule{side.from, side.axis, side.length, side.radius};
    const double room = side.radius - radius;
    const std::optional<SideExit> exit = side_exit(capsule, motion, room);
    if (!exit) return never;
    capsule.part = exit->part;
    return exit->part == HollowCapsule::Part::middle ? exit->time : time_of_exit_by(capsule, motion, room);
}

}  // namespace

double obstacle_contact_time(const Motion& motion, double radius, const CapsuleSide& side) {
    const Vec3 r = motion.position - nearest_point(side, motion.position);
    if (side.is_shell && (dot(r, r) < side.radius * side.radius) != side.is_hollow) return never;
    return side.is_hollow ? time_from_inside(motion, radius, side) : time_from_outside(motion, radius, side);
}

Surface surface_at(Vec3 centre, const CapsuleSide& side) {
    return round_surface(centre, nearest_point(side, centre), side.radius, side.is_hollow,
                         some_direction_across(side.axis));
}

double distance_to(Vec3 centre, const CapsuleSide& side) {
    return distance_on_side(side, distance_to_whole(centre, side));
}

double distance_to_whole(Vec3 centre, const CapsuleSide& side) {
    const double outwards = norm(centre - nearest_point(side, centre)) - side.radius;
    return side.is_hollow ? -outwards : outwards;
}

ObstacleBounds bounds_of(const CapsuleSide& side) {
    return bounds_about(side.from, advanced(side.from, side.axis, side.length), side.radius);
}

// --- faces -------------------------------------------------------------------------------------------------

namespace {

bool is_over(const Face& face, Vec3 place) {
    const Vec3 r = place - face.centre;
    return std::abs(dot(r, face.along[0])) <= face.half_edge[0] &&
           std::abs(dot(r, face.along[1])) <= face.half_edge[1];
}

}  // namespace

double obstacle_contact_time(const Motion& motion, double radius, const Face& face) {
    const double approach = 0 - dot(motion.velocity, face.normal);
    if (!(approach > 0)) return never;
    const double distance = dot(motion.position - face.centre, face.normal);
    if (!(distance > -face.depth)) return never;
    const double gap = distance - radius;
    const double time = gap <= 0 ? motion.time : motion.time + gap / approach;
    return is_over(face, position_at(motion, time)) ? time : never;
}

Surface surface_at(Vec3 centre, const Face& face) {
    const double distance = dot(centre - face.centre, face.normal);
    return {.point = advanced(centre, face.normal, -distance), .normal = Vec3{} - face.normal};
}

double distance_to_whole(Vec3 centre, const Face& face) { return dot(centre - face.centre, face.normal); }

double distance_to(Vec3 centre, const Face& face) {
    const double distance = distance_to_whole(centre, face);
    return distance > -face.depth && is_over(face, centre) ? distance : infinite;
}

ObstacleBounds bounds_of(const Face& face) {
    ObstacleBounds bounds{face.centre, face.centre};
    for (int axis = 0; axis < 3; ++axis) {
        double half = 0;
        for (std::size_t k = 0; k < 2; ++k)
            if (face.along[k][axis] != 0) half += std::abs(face.along[k][axis]) * face.half_edge[k];
        bounds.low[axis] -= half;
        bounds.high[axis] += half;
    }
    return bounds;
}

// --- across shells -----------------------------------------------------------------------------------------

namespace {

template <class Round>
Vec3 outwards_at(Vec3 place, const Round& hollow) {
    return surface_at(place, hollow).normal;
}
template <class Round>
double size_of(const Round& shape) {
    return shape.radius;
}
double size_of(const BoxSide& side) {
    const Vec3 edges = side.high - side.low;
    const double shorter = std::min(edges.x, edges.y);
    return side.dimension == 2 ? shorter : std::min(shorter, edges.z);
}

/// One that has just crossed is on neither side, but for rounding.
template <class Shape>
double time_across(const Motion& motion, const Shape& shape) {
    if constexpr (requires { shape.is_shell; }) {
        constexpr double rounding = 0x1p-30;
        if (!shape.is_hollow) return never;
        const bool is_here = distance_to_whole(motion.position, shape) > -(rounding * size_of(shape));
        const bool flies_inwards = dot(motion.velocity, outwards_at(motion.position, shape)) < 0;
        Shape whole = shape;
        whole.is_shell = false;
        return is_here && flies_inwards ? obstacle_contact_time(motion, 0, whole) : never;
    } else {
        return never;
    }
}

}  // namespace

double time_across_shell(const Motion& motion, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return time_across(motion, of); }, shape);
}

double hollow_radius(const ObstacleShape& shape) {
    return std::visit(
        [](const auto& of) {
            using Shape = std::decay_t<decltype(of)>;
            constexpr double no_limit = std::numeric_limits<double>::infinity();
            if constexpr (std::is_same_v<Shape, HollowCapsule>)
                return of.radius;
            else if constexpr (requires { of.radius; })
                return of.is_hollow ? of.radius : double{no_limit};
            else
                return double{no_limit};
        },
        shape);
}

}  // namespace ricochet
