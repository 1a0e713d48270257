// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/reference_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/model/vec3.hpp"
#include "tests/support/reference_arithmetic.hpp"
#include "tests/support/reference_body_parts.hpp"

namespace ricochet::test {

using Surf = BodySurface::Kind;

// --- parts ---------------------------------------------------------------------------------------------------

Vec3 end_of(const BodySurface& surface) {
    return surface.end == 0 ? surface.place : advanced(surface.place, surface.direction, surface.length);
}

int end_at(const BodySurface& surface, double place) {
    if (place < 0) return 0;
    return place > surface.length ? 1 : 2;
}

bool is_over(const BodySurface& flat, Vec3 place) {
    const Vec3 r = place - flat.place;
    for (std::size_t k = 0; k < 2; ++k)
        if (!(std::abs(dot(r, flat.edges[k])) <= flat.halves[k])) return false;
    return true;
}

bool is_beyond(const BodySurface& surface, Vec3 r) {
    return surface.has_two_sides && (dot(r, r) < surface.distance * surface.distance) != surface.from_inside;
}

Vec3 foot_on(const BodySurface& pill, Vec3 centre) {
    const double along = dot(centre - pill.place, pill.direction);
    return advanced(pill.place, pill.direction, std::min(std::max(along, 0.0), pill.length));
}

int num_axes_of(const BodySurface& crate) { return crate.place.z == crate.opposite.z ? 2 : 3; }

bool is_in_crate(const BodySurface& crate, Vec3 place) {
    for (int axis = 0; axis < num_axes_of(crate); ++axis)
        if (place[axis] <= crate.place[axis] || place[axis] >= crate.opposite[axis]) return false;
    return true;
}

// --- times ---------------------------------------------------------------------------------------------------

namespace {

/// When what moves by r + u t first is as near the origin as `distance`.
double time_of_entry(Vec3 r, Vec3 u, double now, double distance) {
    const double b = dot(r, u);
    if (!(b < 0)) return no_time;
    const double c = separation_beyond_touch(r, distance);
    if (c <= 0) return now;
    const double disc = discriminant(dot(u, u), b, c);
    return disc >= 0 ? now + c / (-b + std::sqrt(disc)) : no_time;
}

/// When it leaves; one that is out has left now if it moves outwards, and else starts at the surface.
double time_of_exit(Vec3 r, Vec3 u, double now, double distance) {
    const double a = dot(u, u), b = dot(r, u);
    const double c = std::min(separation_beyond_touch(r, distance), 0.0);
    const double root = std::sqrt(discriminant(a, b, c));
    if (b > 0) return now + -c / (b + root);
    return a > 0 ? now + (root - b) / a : no_time;
}

/// All vectors as from the particle to what rests, like those from the lower to the higher id.
double entry(const Motion& motion, Vec3 centre, double distance) {
    return time_of_entry(centre - motion.position, Vec3{} - motion.velocity, motion.time, distance);
}
double exit(const Motion& motion, Vec3 centre, double distance) {
    return time_of_exit(centre - motion.position, Vec3{} - motion.velocity, motion.time, distance);
}

Motion seen_along(const Motion& motion, const BodySurface& surface) {
    Motion flat = motion;
    flat.position = without(motion.position - surface.place, surface.direction);
    flat.velocity = without(motion.velocity, surface.direction);
    return flat;
}

double time_at_cap(const BodySurface& surface, const Motion& motion, double room) {
    const double by_side = exit(seen_along(motion, surface), {}, room);
    const double speed = dot(motion.velocity, surface.direction);
    if (by_side == no_time && speed == 0) return no_time;
    const double here = dot(motion.position - surface.place, surface.direction);
    if (end_at(surface, here + speed * (by_side - motion.time)) != surface.end) return no_time;
    if (surface.end == 2) return by_side;
    if (end_at(surface, here) == surface.end) return exit(motion, end_of(surface), room);
    // The half sphere begins where the side ends: the path gets there first.
    const double way = surface.end == 0 ? -here : surface.length - here;
    Motion there = motion;
    there.time = motion.time + std::max(0.0, way / speed);
    there.position = advanced(motion.position, motion.velocity, there.time - motion.time);
    return exit(there, end_of(surface), room);
}

double time_at_flat(const BodySurface& flat, const Motion& motion, double radius) {
    const double approach = 0 - dot(motion.velocity, flat.direction);
    const double height = dot(motion.position - flat.place, flat.direction);
    if (!(approach > 0) || !(height > -flat.most_behind)) return no_time;
    double time = motion.time;
    if (height - radius > 0) time += (height - radius) / approach;
    return is_over(flat, advanced(motion.position, motion.velocity, time - motion.time)) ? time : no_time;
}

double time_at_side(const BodySurface& side, const Motion& motion, double radius) {
    const Motion flat = seen_along(motion, side);
    if (is_beyond(side, flat.position)) return no_time;
    if (side.from_inside) return exit(flat, {}, side.distance - radius);
    const double time = entry(flat, {}, side.distance + radius);
    if (side.length == endless || time == no_time) return time;
    const Vec3 there = advanced(motion.position, motion.velocity, time - motion.time);
    return end_at(side, dot(there - side.place, side.direction)) == 2 ? time : no_time;
}

double time_at_ball(const BodySurface& ball, const Motion& motion, double radius) {
    if (is_beyond(ball, motion.position - ball.place)) return no_time;
    if (ball.from_inside) return exit(motion, ball.place, ball.distance - radius);
    return entry(motion, ball.place, ball.distance + radius);
}

/// Inwards through the first of three parts. Outwards by that part alone by which it leaves.
double time_at_pill(const BodySurface& pill, const Motion& motion, double radius) {
    const Vec3 r = motion.position - foot_on(pill, motion.position);
    if (is_beyond(pill, r)) return no_time;
    BodySurface part = pill;
    part.has_two_sides = false;
    double earliest = no_time;
    if (pill.from_inside) {
        for (part.end = 0; part.end < 3; ++part.end)
            earliest = std::min(earliest, time_at_cap(part, motion, pill.distance - radius));
        return earliest;
    }
    if (!(dot(motion.velocity, r) < 0)) return no_time;
    earliest = time_at_side(part, motion, radius);
    for (part.end = 0; part.end < 2; ++part.end)
        earliest = std::min(earliest, entry(motion, end_of(part), pill.distance + radius));
    return earliest;
}

// --- a crate -------------------------------------------------------------------------------------------------

/// When a point comes in: from then on it is between all pairs of planes.
double time_of_point_at_crate(const BodySurface& crate, const Motion& motion) {
    double in = -endless, out = endless;
    for (int axis = 0; axis < num_axes_of(crate); ++axis) {
        const double x = motion.position[axis], v = motion.velocity[axis];
        if (v == 0 && (x <= crate.place[axis] || x >= crate.opposite[axis])) return no_time;
        if (v == 0) continue;
        const double to_low = (crate.place[axis] - x) / v, to_high = (crate.opposite[axis] - x) / v;
        in = std::max(in, v > 0 ? to_low : to_high);
        out = std::min(out, v > 0 ? to_high : to_low);
    }
    return in >= 0 && in < out ? motion.time + in : no_time;
}

/// The face that is least above a place, or that the place is farthest beyond.
struct CrateFace {
    int axis = 0;
    bool is_high = false;
    double height = endless;  ///< of the face above the place

    int number() const { return 2 * axis + (is_high ? 1 : 0); }
};

CrateFace face_near(const BodySurface& crate, Vec3 place) {
    CrateFace nearest;
    for (int axis = 0; axis < num_axes_of(crate); ++axis)
        for (const bool is_high : {false, true}) {
            const double height =
                is_high ? crate.opposite[axis] - place[axis] : place[axis] - crate.place[axis];
            if (height < nearest.height) nearest = {axis, is_high, height};
        }
    return nearest;
}

/// From the nearest place in the crate.
Vec3 off_crate(const BodySurface& crate, Vec3 place) {
    Vec3 r;
    for (int axis = 0; axis < num_axes_of(crate); ++axis) {
        if (place[axis] < crate.place[axis]) r[axis] = place[axis] - crate.place[axis];
        if (place[axis] > crate.opposite[axis]) r[axis] = place[axis] - crate.opposite[axis];
    }
    return r;
}

/// From outside it comes nearer at first, if at all: the box is convex. From inside the first plane counts.
double time_at_crate(const BodySurface& crate, const Motion& motion, double radius) {
    if (crate.has_two_sides && is_in_crate(crate, motion.position) != crate.from_inside) return no_time;
    if (!crate.from_inside && radius == 0) return time_of_point_at_crate(crate, motion);
    if (!crate.from_inside) {
        if (!(dot(motion.velocity, normal_at(crate, motion.position)) > 0)) return no_time;
        if (distance_from_whole(crate, motion.position) - radius <= 0) return motion.time;
    }
    const std::vector<BodySurface> parts = parts_of_crate(crate);
    First first;
    for (std::size_t k = 0; k < parts.size(); ++k)
        first.include(time_at_surface(parts[k], motion, radius), static_cast<int>(k));
    return crate.from_inside && first.number != crate.end ? no_time : first.time;
}

}  // namespace

double time_at_surface(const BodySurface& surface, const Motion& motion, double radius) {
    if (surface.kind == Surf::crate) return time_at_crate(surface, motion, radius);
    if (surface.kind == Surf::ball) return time_at_ball(surface, motion, radius);
    if (surface.kind == Surf::side) return time_at_side(surface, motion, radius);
    if (surface.kind == Surf::cap) return time_at_cap(surface, motion, surface.distance - radius);
    if (surface.kind == Surf::pill) return time_at_pill(surface, motion, radius);
    return time_at_flat(surface, motion, radius);
}

// --- places --------------------------------------------------------------------------------------------------

namespace {

/// The nearest point of what is round: its centre, or the foot on its line.
Vec3 foot_of(const BodySurface& surface, Vec3 centre) {
    if (surface.kind == Surf::ball) return surface.place;
    if (surface.kind == Surf::pill) return foot_on(surface, centre);
    if (surface.kind == Surf::cap && surface.end != 2) return end_of(surface);
    return advanced(surface.place, surface.direction, dot(centre - surface.place, surface.direction));
}

Vec3 outwards_at(const BodySurface& surface, Vec3 centre) {
    const Vec3 r = centre - foot_of(surface, centre);
    const double length = norm(r);
    if (length > 0) return {r.x / length, r.y / length, r.z / length};
    if (surface.kind == Surf::ball) return axis_vector(0);
    const Vec3 thin = axis_vector(thinnest_axis(surface.direction));
    const Vec3 side = without(thin, surface.direction);
    const double size = norm(side);
    return {side.x / size, side.y / size, side.z / size};
}

int face_of(const BodySurface& crate, Vec3 centre) {
    return crate.from_inside ? crate.end : face_near(crate, centre).number();
}

Vec3 normal_at_crate(const BodySurface& crate, Vec3 centre) {
    const Vec3 r = off_crate(crate, centre);
    const double away = norm(r);
    if (!crate.from_inside && away > 0) return {0 - r.x / away, 0 - r.y / away, 0 - r.z / away};
    const int face = face_of(crate, centre);
    const double outwards = face % 2 == 1 ? 1 : -1;
    return axis_vector(face / 2, crate.from_inside ? outwards : -outwards);
}

Vec3 point_at_crate(const BodySurface& crate, Vec3 centre) {
    const Vec3 r = off_crate(crate, centre);
    if (!crate.from_inside && !(r == Vec3{})) return centre - r;
    const int face = face_of(crate, centre), axis = face / 2;
    centre[axis] = face % 2 == 1 ? crate.opposite[axis] : crate.place[axis];
    return centre;
}

}  // namespace

int curved_directions(const BodySurface& surface, Vec3 place, int dimension) {
    const int about_point = dimension - 1, about_line = dimension - 2;
    if (surface.kind == Surf::flat) return 0;
    if (surface.kind == Surf::ball) return about_point;
    if (surface.kind == Surf::side) return about_line;
    if (surface.kind == Surf::cap) return surface.end == 2 ? about_line : about_point;
    if (surface.kind == Surf::pill)
        return end_at(surface, dot(place - surface.place, surface.direction)) == 2 ? about_line : about_point;
    if (surface.from_inside) return 0;
    const Vec3 r = off_crate(surface, place);  // off one face, of two that meet in an edge, or of a corner
    return std::max(0, (r.x != 0) + (r.y != 0) + (r.z != 0) - 1);
}

bool are_in_one_mirror(const BodySurface& surface, Vec3 a, Vec3 b) {
    if (surface.kind != Surf::crate) return true;
    const auto is_in_mirror = [&](Vec3 place, int axis, bool is_high) {
        const double plane = is_high ? surface.opposite[axis] : surface.place[axis];
        const bool is_beyond_plane = is_high ? place[axis] >= plane : place[axis] <= plane;
        if (is_beyond_plane) place[axis] = place[axis] - 2 * (place[axis] - plane);
        if (!is_in_crate(surface, place)) return false;
        const CrateFace face = face_near(surface, place);
        return face.axis == axis && face.is_high == is_high;
    };
    for (int axis = 0; axis < num_axes_of(surface); ++axis)
        for (const bool is_high : {false, true})
            if (is_in_mirror(a, axis, is_high))
                return is_in_mirror(b, axis, is_high) &&
                       (!surface.from_inside || surface.end == 2 * axis + (is_high ? 1 : 0));
    return false;
}

double distance_from_whole(const BodySurface& surface, Vec3 centre) {
    if (surface.kind == Surf::crate) {
        const double outwards = is_in_crate(surface, centre) ? -face_near(surface, centre).height
                                                             : norm(off_crate(surface, centre));
        return surface.from_inside ? -outwards : outwards;
    }
    const Vec3 r = centre - surface.place;
    if (surface.kind == Surf::flat) return dot(r, surface.direction);
    const bool has_middle = surface.kind == Surf::ball || surface.kind == Surf::pill || surface.end != 2;
    const Vec3 from_foot = has_middle ? centre - foot_of(surface, centre) : without(r, surface.direction);
    const double outwards = norm(from_foot) - surface.distance;
    return surface.from_inside ? -outwards : outwards;
}

double distance_from(const BodySurface& surface, Vec3 centre) {
    if (surface.kind == Surf::crate) {
        if (surface.has_two_sides && is_in_crate(surface, centre) != surface.from_inside) return endless;
        if (surface.from_inside && face_near(surface, centre).number() != surface.end) return endless;
        return distance_from_whole(surface, centre);
    }
    const double distance = distance_from_whole(surface, centre);
    if (surface.kind == Surf::flat)
        return distance > -surface.most_behind && is_over(surface, centre) ? distance : endless;
    if (surface.kind != Surf::ball && surface.kind != Surf::pill) {
        const int end = end_at(surface, dot(centre - surface.place, surface.direction));
        const bool is_elsewhere =
            surface.kind == Surf::cap ? end != surface.end : end != 2 && surface.length != endless;
        if (is_elsewhere) return endless;
    }
    const bool is_on_this_side = surface.from_inside ? distance > 0 : distance >= 0;
    return is_on_this_side || !surface.has_two_sides ? distance : endless;
}

double distance_of_what_touches(const BodySurface& surface, Vec3 centre) {
    if (surface.kind != Surf::crate || !surface.from_inside) return distance_from(surface, centre);
    const int axis = surface.end / 2;
    return surface.end % 2 == 1 ? surface.opposite[axis] - centre[axis] : centre[axis] - surface.place[axis];
}

Vec3 way_to_whole(const BodySurface& surface, Vec3 centre) {
    if (surface.kind != Surf::crate) return normal_at(surface, centre);
    BodySurface nearest = surface;
    nearest.end = face_near(surface, centre).number();
    return normal_at(nearest, centre);
}

Vec3 normal_at(const BodySurface& surface, Vec3 centre) {
    if (surface.kind == Surf::flat) return Vec3{} - surface.direction;
    if (surface.kind == Surf::crate) return normal_at_crate(surface, centre);
    const Vec3 outwards = outwards_at(surface, centre);
    return surface.from_inside ? outwards : Vec3{} - outwards;
}

Vec3 point_at(const BodySurface& surface, Vec3 centre) {
    if (surface.kind == Surf::flat)
        return advanced(centre, surface.direction, -dot(centre - surface.place, surface.direction));
    if (surface.kind == Surf::crate) return point_at_crate(surface, centre);
    return advanced(foot_of(surface, centre), outwards_at(surface, centre), surface.distance);
}

}  // namespace ricochet::test
