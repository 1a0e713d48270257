// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <variant>

#include "tests/support/reference_arithmetic.hpp"
#include "tests/support/reference_bodies.hpp"
#include "tests/support/reference_body_parts.hpp"

namespace ricochet::test {

namespace {

using Surf = BodySurface::Kind;

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
        if (side == BodySide::both) {
            BodySurface one{
                .kind = Surf::crate, .place = box.low, .has_two_sides = true, .opposite = box.high};
            list.push_back(one);
            one.from_inside = true;
            for (one.end = 0; one.end < 2 * dimension; ++one.end) list.push_back(one);
            return;
        }
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
    if (surface.kind == Surf::crate) return {at, surface.opposite[axis]};
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
                        all.back().opposite = surface.opposite + Vec3{x, y, z};
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

double width_of(const BodySurface& surface) {
    if (surface.kind != Surf::crate) return surface.distance;
    const Vec3 edges = surface.opposite - surface.place;
    const double least = std::min(edges.x, edges.y);
    return edges.z == 0 ? least : std::min(least, edges.z);
}

std::vector<BodySurface> parts_of_crate(const BodySurface& crate) {
    std::vector<BodySurface> parts;
    const bool is_flat = crate.place.z == crate.opposite.z;
    const SurfacesOf surfaces{crate.from_inside ? BodySide::inside : BodySide::outside, is_flat ? 2 : 3,
                              parts};
    surfaces(BodyBox{crate.place, crate.opposite});
    return parts;
}

}  // namespace ricochet::test
