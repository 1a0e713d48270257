// SPDX-License-Identifier: BSD-3-Clause
//
// When what falls touches the bodies of the reference.
#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/bernstein.hpp"
#include "ricochet/model/vec3.hpp"
#include "tests/support/reference_arithmetic.hpp"
#include "tests/support/reference_bodies.hpp"
#include "tests/support/reference_body_parts.hpp"

namespace ricochet::test {

using Surf = BodySurface::Kind;

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

/// Outside each place belongs to a face, an edge or a corner: to what it is beyond, axis by axis.
bool is_nearest_to(const BodySurface& crate, const std::array<int, 3>& beyond, Vec3 place, double joint) {
    for (int axis = 0; axis < num_axes_of(crate); ++axis) {
        const int where = beyond[static_cast<std::size_t>(axis)];
        const double low = crate.place[axis], high = crate.opposite[axis], x = place[axis];
        if (where < 0 && x > low + joint) return false;
        if (where > 0 && x < high - joint) return false;
        if (where == 0 && (x > high + joint || x < low - joint)) return false;
    }
    return true;
}

double fall_to_part(const BodySurface& crate, const Falling& fall, double radius,
                    const std::array<int, 3>& beyond) {
    Falling seen{{}, {}, {}, fall.until};
    Vec3 outwards;
    int count = 0;
    for (int axis = 0; axis < num_axes_of(crate); ++axis) {
        const int where = beyond[static_cast<std::size_t>(axis)];
        if (where == 0) continue;
        ++count;
        outwards[axis] = where;
        seen.place[axis] = fall.place[axis] - (where < 0 ? crate.place[axis] : crate.opposite[axis]);
        seen.velocity[axis] = fall.velocity[axis];
        seen.gravity[axis] = fall.gravity[axis];
    }
    const Vec3 edges = crate.opposite - crate.place;
    const double joint = std::ldexp(edges.x + edges.y + edges.z, -43);
    const bool is_here = is_nearest_to(crate, beyond, fall.place, 0);
    const auto is_there = [&](double t) { return is_nearest_to(crate, beyond, fall.after(t), joint); };
    if (count > 1) return first_return_in(seen.gap(0, false, radius), fall.until, is_here, is_there);
    const double height = dot(seen.place, outwards);
    const Ground ground = !is_here                    ? Ground::elsewhere
                          : is_sunken(height, radius) ? Ground::above_it
                                                      : Ground::under_it;
    const double time =
        time_to_fall(height - radius, dot(fall.velocity, outwards), dot(fall.gravity, outwards), ground);
    return time < no_time && is_there(time) ? time : no_time;
}

double fall_to_crate(const BodySurface& crate, const Falling& fall, double radius) {
    if (crate.has_two_sides && is_in_crate(crate, fall.place) != crate.from_inside) return no_time;
    First first;
    if (crate.from_inside) {
        const std::vector<BodySurface> planes = parts_of_crate(crate);
        for (std::size_t k = 0; k < planes.size(); ++k)
            first.include(fall_to_flat(planes[k], fall, radius), static_cast<int>(k));
        return first.number == crate.end ? first.time : no_time;
    }
    const int most = num_axes_of(crate) == 3 ? 1 : 0;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -most; z <= most; ++z)
                if (x != 0 || y != 0 || z != 0)
                    first.include(fall_to_part(crate, fall, radius, {x, y, z}), 0);
    return first.time;
}

}  // namespace

double time_at_surface(const BodySurface& surface, const Motion& motion, Vec3 gravity, double whole,
                       double radius) {
    const Falling fall{motion.position, motion.velocity, gravity, whole - motion.time};
    if (surface.kind == Surf::crate) return motion.time + fall_to_crate(surface, fall, radius);
    if (surface.kind == Surf::ball) return motion.time + fall_to_ball(surface, fall, radius);
    if (surface.kind == Surf::side) return motion.time + fall_to_side(surface, fall, radius);
    if (surface.kind == Surf::cap) return motion.time + fall_to_cap(surface, fall, radius);
    if (surface.kind == Surf::pill) return motion.time + fall_to_pill(surface, fall, radius);
    return motion.time + fall_to_flat(surface, fall, radius);
}

}  // namespace ricochet::test
