// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/reference_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "geometry/bernstein.hpp"
#include "ricochet/model/vec3.hpp"
#include "tests/support/reference_arithmetic.hpp"

namespace ricochet::test {

namespace {

using Surf = BodySurface::Kind;
constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double no_time = endless;

Vec3 axis_vector(int axis, double sign = 1) {
    Vec3 v;
    v[axis] = sign;
    return v;
}

/// v without what it has along `direction`.
Vec3 without(Vec3 v, Vec3 direction) { return advanced(v, direction, -dot(v, direction)); }

int thinnest_axis(Vec3 v) {
    const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
    if (x <= y && x <= z) return 0;
    return y <= z ? 1 : 2;
}

// --- what a body's surfaces are ------------------------------------------------------------------------------

BodySurface ball_of(Vec3 centre, double radius, BodySide side, bool inner) {
    return {.kind = Surf::ball,
            .place = centre,
            .distance = radius,
            .from_inside = inner,
            .has_two_sides = side == BodySide::both};
}

BodySurface plane_of(Vec3 point, Vec3 outwards, double most_behind) {
    const int thin = thinnest_axis(outwards);
    const Vec3 tilted = without(axis_vector(thin), outwards);
    const double scale = 1 / std::sqrt(dot(tilted, tilted));
    const Vec3 u{scale * tilted.x, scale * tilted.y, scale * tilted.z};
    const Vec3 n = outwards;
    const Vec3 v{n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x};
    return {.kind = Surf::flat,
            .place = point,
            .direction = outwards,
            .edges = {u, v},
            .halves = {endless, endless},
            .most_behind = most_behind};
}

struct SurfacesOf {
    BodySide side;
    int dimension;
    std::vector<BodySurface>& list;

    void operator()(const BodySphere& sphere) const {
        if (side != BodySide::inside) list.push_back(ball_of(sphere.centre, sphere.radius, side, false));
        if (side != BodySide::outside) list.push_back(ball_of(sphere.centre, sphere.radius, side, true));
    }
    void operator()(const BodySpheres& many) const {
        for (const BodySphere& sphere : many.spheres) (*this)(sphere);
    }
    void operator()(const BodyCylinder& cylinder) const {
        BodySurface one{.kind = Surf::side,
                        .place = cylinder.point,
                        .direction = cylinder.axis,
                        .length = endless,
                        .distance = cylinder.radius,
                        .from_inside = side == BodySide::inside,
                        .has_two_sides = side == BodySide::both};
        list.push_back(one);
        one.from_inside = true;
        if (one.has_two_sides) list.push_back(one);
    }
    void operator()(const BodyCapsule& capsule) const {
        const Vec3 line = capsule.to - capsule.from;
        const double length = std::sqrt(dot(line, line));
        const Vec3 direction =
            length > 0 ? Vec3{line.x / length, line.y / length, line.z / length} : axis_vector(0);
        BodySurface one{.kind = Surf::side,
                        .place = capsule.from,
                        .direction = direction,
                        .length = length,
                        .distance = capsule.radius};
        if (side == BodySide::both) {
            one.kind = Surf::pill, one.has_two_sides = true;
            list.push_back(one);
            one.from_inside = true;
            return list.push_back(one);
        }
        if (side != BodySide::inside) {
            list.push_back(one);
            list.push_back(ball_of(capsule.from, capsule.radius, side, false));
            list.push_back(ball_of(advanced(capsule.from, direction, length), capsule.radius, side, false));
            return;
        }
        one.kind = Surf::cap;
        one.from_inside = true;
        for (const int end : {0, 2, 1}) {
            one.end = end;
            list.push_back(one);
        }
    }
    void operator()(const BodyPlane& plane) const {
        const bool has_two_sides = side == BodySide::both;
        list.push_back(plane_of(plane.point, plane.normal, has_two_sides ? 0 : endless));
        if (has_two_sides)
            list.push_back(
                plane_of(plane.point, {0 - plane.normal.x, 0 - plane.normal.y, 0 - plane.normal.z}, 0));
    }
    void operator()(const BodyBox& box) const {
        for (int axis = 0; axis < dimension; ++axis)
            for (const double sign : {-1.0, 1.0})
                list.push_back(side == BodySide::inside ? inner_face(box, axis, sign)
                                                        : outer_face(box, axis, sign));
        if (side == BodySide::inside) return;
        if (dimension == 3)
            for (int axis = 0; axis < 3; ++axis)
                for (int k = 0; k < 4; ++k) list.push_back(edge(box, axis, k));
        for (int k = 0; k < (dimension == 3 ? 8 : 4); ++k) list.push_back(corner(box, k));
    }

  private:
    static BodySurface inner_face(const BodyBox& box, int axis, double sign) {
        return plane_of(sign < 0 ? box.low : box.high, axis_vector(axis, -sign), endless);
    }
    BodySurface outer_face(const BodyBox& box, int axis, double sign) const {
        const auto half = [&](int k) { return k >= dimension ? endless : 0.5 * (box.high[k] - box.low[k]); };
        Vec3 centre;
        for (int k = 0; k < 3; ++k) centre[k] = 0.5 * (box.low[k] + box.high[k]);
        centre[axis] = sign < 0 ? box.low[axis] : box.high[axis];
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        return {.kind = Surf::flat,
                .place = centre,
                .direction = axis_vector(axis, sign),
                .edges = {axis_vector(u), axis_vector(v)},
                .halves = {half(u), half(v)},
                .most_behind = std::ldexp(half(axis), -30)};
    }
    static BodySurface edge(const BodyBox& box, int axis, int k) {
        Vec3 start = box.low;
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        if (k == 1 || k == 3) start[u] = box.high[u];
        if (k >= 2) start[v] = box.high[v];
        return {.kind = Surf::side,
                .place = start,
                .direction = axis_vector(axis),
                .length = box.high[axis] - box.low[axis]};
    }
    BodySurface corner(const BodyBox& box, int k) const {
        Vec3 at = box.low;
        for (int axis = 0; axis < dimension; ++axis)
            if ((k & (1 << axis)) != 0) at[axis] = box.high[axis];
        return ball_of(at, 0, BodySide::outside, false);
    }
};

// --- images --------------------------------------------------------------------------------------------------

struct Extent {
    double low, high;
};

Extent extent_of(const BodySurface& surface, int axis) {
    const double at = surface.place[axis];
    if (surface.kind == Surf::ball) return {at - surface.distance, at + surface.distance};
    if (surface.kind == Surf::flat) {
        double half = 0;
        for (std::size_t k = 0; k < 2; ++k)
            if (surface.edges[k][axis] != 0) half += std::abs(surface.edges[k][axis]) * surface.halves[k];
        return {at - half, at + half};
    }
    const double along = surface.direction[axis];
    if (surface.length == endless)
        return along != 0 ? Extent{-endless, endless} : Extent{at - surface.distance, at + surface.distance};
    const double other = std::fma(along, surface.length, at);
    return {std::min(at, other) - surface.distance, std::max(at, other) + surface.distance};
}

std::vector<double> shifts_along(const Box& box, const BodySurface& surface, bool is_inside, int axis) {
    if (is_inside || !box.is_periodic(axis)) return {0};
    const auto [low, high] = extent_of(surface, axis);
    if (std::isinf(low) || std::isinf(high)) return {0};
    const double length = box.size[axis];
    const double home = -length * std::floor(0.5 * (low + high) / length);
    return {home - length, home, home + length};
}

}  // namespace

std::vector<BodySurface> body_surfaces(const Box& box, const std::vector<Body>& bodies) {
    std::vector<BodySurface> all;
    ParticleId next = first_obstacle_id + 6;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        std::vector<BodySurface> own;
        std::visit(SurfacesOf{bodies[k].side, box.dimension, own}, bodies[k].shape);
        const bool is_inside = bodies[k].side == BodySide::inside;
        for (BodySurface& surface : own) {
            surface.id = next++;
            surface.body = static_cast<BodyNumber>(6 + k);
            for (const double x : shifts_along(box, surface, is_inside, 0))
                for (const double y : shifts_along(box, surface, is_inside, 1))
                    for (const double z : shifts_along(box, surface, is_inside, 2)) {
                        all.push_back(surface);
                        all.back().place = surface.place + Vec3{x, y, z};
                        all.back().shift = {x, y, z};
                    }
        }
    }
    return all;
}

Motion taken_into_box(const Box& box, Motion motion) {
    for (int axis = 0; axis < 3; ++axis) {
        if (!box.is_periodic(axis)) continue;
        double& x = motion.position[axis];
        x = x + (0 - box.size[axis] * std::floor(x / box.size[axis]));
    }
    return motion;
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

Vec3 end_of(const BodySurface& surface) {
    return surface.end == 0 ? surface.place : advanced(surface.place, surface.direction, surface.length);
}

int end_at(const BodySurface& surface, double place) {
    if (place < 0) return 0;
    return place > surface.length ? 1 : 2;
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

bool is_over(const BodySurface& flat, Vec3 place) {
    const Vec3 r = place - flat.place;
    for (std::size_t k = 0; k < 2; ++k)
        if (!(std::abs(dot(r, flat.edges[k])) <= flat.halves[k])) return false;
    return true;
}

double time_at_flat(const BodySurface& flat, const Motion& motion, double radius) {
    const double approach = 0 - dot(motion.velocity, flat.direction);
    const double height = dot(motion.position - flat.place, flat.direction);
    if (!(approach > 0) || !(height > -flat.most_behind)) return no_time;
    double time = motion.time;
    if (height - radius > 0) time += (height - radius) / approach;
    return is_over(flat, advanced(motion.position, motion.velocity, time - motion.time)) ? time : no_time;
}

/// Whether a centre at r from the middle is on the other side of a surface that has two.
bool is_beyond(const BodySurface& surface, Vec3 r) {
    return surface.has_two_sides && (dot(r, r) < surface.distance * surface.distance) != surface.from_inside;
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

/// The nearest point of a pill's line.
Vec3 foot_on(const BodySurface& pill, Vec3 centre) {
    const double along = dot(centre - pill.place, pill.direction);
    return advanced(pill.place, pill.direction, std::min(std::max(along, 0.0), pill.length));
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

}  // namespace

double time_at_surface(const BodySurface& surface, const Motion& motion, double radius) {
    if (surface.kind == Surf::ball) return time_at_ball(surface, motion, radius);
    if (surface.kind == Surf::side) return time_at_side(surface, motion, radius);
    if (surface.kind == Surf::cap) return time_at_cap(surface, motion, surface.distance - radius);
    if (surface.kind == Surf::pill) return time_at_pill(surface, motion, radius);
    return time_at_flat(surface, motion, radius);
}

// --- times of what falls -------------------------------------------------------------------------------------

bool is_sunken(double distance, double radius) {
    constexpr double deep = 1 - 1e-9;
    return radius > 0 && distance < deep * radius;
}

double time_to_fall(double height, double velocity, double acceleration, Ground ground) {
    const double squared_speed = std::fma(-2 * acceleration, height, velocity * velocity);
    if (ground != Ground::elsewhere && !(height > 0)) {
        if (velocity < 0) return 0;
        if (!(acceleration < 0)) return no_time;
        const double to_the_top = velocity / (0 - acceleration);
        if (ground == Ground::under_it) return 2 * to_the_top;
        if (!(squared_speed > 0)) return to_the_top;
    }
    const bool is_above = height > 0;
    if (acceleration < 0 ? !is_above && !(velocity > 0) : !is_above || !(velocity < 0)) return no_time;
    if (!(squared_speed >= 0)) return no_time;
    const double speed = std::sqrt(squared_speed);
    return velocity < 0 ? 2 * height / (speed - velocity) : (velocity + speed) / (0 - acceleration);
}

namespace {

/// To a round surface, as a function of the time.
struct Gap {
    Polynomial<4> value;
    bool is_sunken;
};

/// A particle that falls by place + velocity t + gravity t^2 / 2, until the step ends.
struct Falling {
    Vec3 place, velocity, gravity;
    double until;

    Vec3 after(double t) const { return advanced(advanced(place, velocity, t), gravity, 0.5 * (t * t)); }
    Falling about(Vec3 centre) const { return {place - centre, velocity, gravity, until}; }
    Falling across(const BodySurface& of) const {
        return {without(place - of.place, of.direction), without(velocity, of.direction),
                without(gravity, of.direction), until};
    }
    /// The squared distance from the origin less that of a contact; with the other sign inside. What is sunken into
    /// the surface, whose radius this is, remembers that.
    Gap gap(double surface, bool is_inside, double radius) const {
        const double distance = is_inside ? surface - radius : surface + radius;
        const double off = norm(place) - surface;
        const Polynomial<4> outside{{std::fma(-distance, distance, dot(place, place)),
                                     2 * dot(place, velocity), dot(velocity, velocity) + dot(place, gravity),
                                     dot(velocity, gravity), 0.25 * dot(gravity, gravity)}};
        return {is_inside ? -outside : outside, is_sunken(is_inside ? -off : off, radius)};
    }
};

/// From what is not above 0, by rounding, the root at the start is taken out.
double first_return(const Gap& of, double until) {
    const Polynomial<4>& gap = of.value;
    if (gap.c[0] > 0 || of.is_sunken) return first_fall(gap, until);
    const Polynomial<3> slope{{gap.c[1], gap.c[2], gap.c[3], gap.c[4]}};
    return slope.c[0] < 0 ? 0 : first_fall(slope, until);
}

Polynomial<4> from_root(const Polynomial<4>& gap, double root) {
    Polynomial<4> later = shifted(gap, root);
    later.c[0] = 0;
    return later;
}

/// The first return in the part of the surface that there is. A gap below 0 elsewhere is beyond the surface's ends.
template <class IsThere>
double first_return_in(const Gap& of, double until, bool starts_there, IsThere&& is_there) {
    const Polynomial<4>& gap = of.value;
    Gap rest = of;
    double time = 0;
    bool is_beyond = !(gap.c[0] > 0) && !starts_there;
    for (int k = 0; k < 5; ++k) {
        if (is_beyond) {
            const double out = first_fall(-rest.value, until - time);
            if (out == no_time) return no_time;
            time += out;
            rest = {from_root(gap, time), false};
        }
        const double back = first_return(rest, until - time);
        if (back == no_time) return no_time;
        time += back;
        if (is_there(time)) return time;
        rest = {from_root(gap, time), false};
        is_beyond = true;
    }
    return no_time;
}

double fall_to_flat(const BodySurface& flat, const Falling& fall, double radius) {
    const double height = dot(fall.place - flat.place, flat.direction);
    const bool is_here = height > -flat.most_behind && is_over(flat, fall.place);
    const Ground ground = !is_here                    ? Ground::elsewhere
                          : is_sunken(height, radius) ? Ground::above_it
                                                      : Ground::under_it;
    const double time = time_to_fall(height - radius, dot(fall.velocity, flat.direction),
                                     dot(fall.gravity, flat.direction), ground);
    return time < no_time && is_over(flat, fall.after(time)) ? time : no_time;
}

double fall_to_ball(const BodySurface& ball, const Falling& fall, double radius) {
    const Falling from = fall.about(ball.place);
    if (is_beyond(ball, from.place)) return no_time;
    return first_return(from.gap(ball.distance, ball.from_inside, radius), fall.until);
}

double fall_to_side(const BodySurface& side, const Falling& fall, double radius) {
    const Falling from = fall.across(side);
    if (is_beyond(side, from.place)) return no_time;
    const Gap gap = from.gap(side.distance, side.from_inside, radius);
    if (side.from_inside) return first_return(gap, fall.until);
    const auto is_there = [&](double t) {
        return side.length == endless || end_at(side, dot(fall.after(t) - side.place, side.direction)) == 2;
    };
    return first_return_in(gap, fall.until, is_there(0), is_there);
}

/// Whether a place along the line is at this end of a capsule, or between the ends (2), or nearly.
bool is_nearly_at(const BodySurface& capsule, int end, double place) {
    const double joint = std::ldexp(capsule.distance + capsule.length, -43);
    const bool is_past_low = place >= -joint, is_before_high = place <= capsule.length + joint;
    if (end == 2) return is_past_low && is_before_high;
    return end == 0 ? place <= joint : place >= capsule.length - joint;
}

double fall_to_cap(const BodySurface& cap, const Falling& fall, double radius) {
    const Gap gap =
        (cap.end == 2 ? fall.across(cap) : fall.about(end_of(cap))).gap(cap.distance, true, radius);
    const auto is_there = [&](double t) {
        return is_nearly_at(cap, cap.end, dot(fall.after(t) - cap.place, cap.direction));
    };
    return first_return_in(gap, fall.until, is_there(0), is_there);
}

/// Of three parts; at the start only the nearest one is there.
double fall_to_pill(const BodySurface& pill, const Falling& fall, double radius) {
    if (is_beyond(pill, fall.place - foot_on(pill, fall.place))) return no_time;
    const int nearest = end_at(pill, dot(fall.place - pill.place, pill.direction));
    double earliest = no_time;
    BodySurface part = pill;
    for (part.end = 0; part.end < 3; ++part.end) {
        const Gap gap = (part.end == 2 ? fall.across(pill) : fall.about(end_of(part)))
                            .gap(pill.distance, pill.from_inside, radius);
        const double time = first_return_in(gap, fall.until, part.end == nearest, [&](double t) {
            return is_nearly_at(pill, part.end, dot(fall.after(t) - pill.place, pill.direction));
        });
        earliest = std::min(earliest, time);
    }
    return earliest;
}

}  // namespace

double time_at_surface(const BodySurface& surface, const Motion& motion, Vec3 gravity, double whole,
                       double radius) {
    const Falling fall{motion.position, motion.velocity, gravity, whole - motion.time};
    if (surface.kind == Surf::ball) return motion.time + fall_to_ball(surface, fall, radius);
    if (surface.kind == Surf::side) return motion.time + fall_to_side(surface, fall, radius);
    if (surface.kind == Surf::cap) return motion.time + fall_to_cap(surface, fall, radius);
    if (surface.kind == Surf::pill) return motion.time + fall_to_pill(surface, fall, radius);
    return motion.time + fall_to_flat(surface, fall, radius);
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

}  // namespace

bool is_about_line(const BodySurface& surface, Vec3 place) {
    if (surface.kind == Surf::side) return true;
    if (surface.kind == Surf::pill)
        return end_at(surface, dot(place - surface.place, surface.direction)) == 2;
    return surface.kind == Surf::cap && surface.end == 2;
}

double distance_from_whole(const BodySurface& surface, Vec3 centre) {
    const Vec3 r = centre - surface.place;
    if (surface.kind == Surf::flat) return dot(r, surface.direction);
    const bool has_middle = surface.kind == Surf::ball || surface.kind == Surf::pill || surface.end != 2;
    const Vec3 from_foot = has_middle ? centre - foot_of(surface, centre) : without(r, surface.direction);
    const double outwards = norm(from_foot) - surface.distance;
    return surface.from_inside ? -outwards : outwards;
}

double distance_from(const BodySurface& surface, Vec3 centre) {
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

Vec3 normal_at(const BodySurface& surface, Vec3 centre) {
    if (surface.kind == Surf::flat) return Vec3{} - surface.direction;
    const Vec3 outwards = outwards_at(surface, centre);
    return surface.from_inside ? outwards : Vec3{} - outwards;
}

Vec3 point_at(const BodySurface& surface, Vec3 centre) {
    if (surface.kind == Surf::flat)
        return advanced(centre, surface.direction, -dot(centre - surface.place, surface.direction));
    return advanced(foot_of(surface, centre), outwards_at(surface, centre), surface.distance);
}

}  // namespace ricochet::test
