// SPDX-License-Identifier: BSD-3-Clause
#include "config/body_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace ricochet::detail {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t parts_of_box = 26;  // faces, edges, vertices

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;  // Clang 14 needs to be told

Vec3 of_length_1(Vec3 direction) { return (1 / norm(direction)) * direction; }

Vec3 filled(double value) { return {value, value, value}; }

Extent around(Vec3 low, Vec3 high, double radius) { return {low - filled(radius), high + filled(radius)}; }

/// From the line, or from its part from `point` to `point + along`.
double distance_from_line(Vec3 at, Vec3 point, Vec3 along, bool is_endless) {
    const double place = dot(at - point, along) / dot(along, along);
    return norm(at - advanced(point, along, is_endless ? place : std::clamp(place, 0.0, 1.0)));
}

bool holds_point(const BodySphere& sphere, Vec3 at) { return norm(at - sphere.centre) < sphere.radius; }
bool holds_point(const BodyCapsule& capsule, Vec3 at) {
    return distance_from_line(at, capsule.from, capsule.to - capsule.from, false) < capsule.radius;
}
bool holds_point(const BodyCylinder& cylinder, Vec3 at) {
    return distance_from_line(at, cylinder.point, cylinder.axis, true) < cylinder.radius;
}
bool holds_point(const BodyBox& box, Vec3 at) {
    return max(at, box.low) == at && max(at, box.high) == box.high;
}
bool holds_point(const BodyPlane& plane, Vec3 at) { return dot(at - plane.point, plane.normal) < 0; }
/// Each sphere by itself.
bool holds_point(const BodySpheres& /*body*/, Vec3 /*at*/) { return false; }

Vec3 corner(const Box& box, int number) {
    Vec3 at;
    for (int axis = 0; axis < box.dimension; ++axis)
        at[axis] = (number >> axis) % 2 == 0 ? 0 : box.size[axis];
    return at;
}

template <class Good>
bool all_corners(const Box& box, Good good) {
    for (int k = 0; k < 1 << box.dimension; ++k)
        if (!good(corner(box, k))) return false;
    return true;
}

bool misses_endless(const BodyCylinder& cylinder, const Box& box) {
    return distance_from_line(0.5 * box.size, cylinder.point, cylinder.axis, true) >
           cylinder.radius + norm(0.5 * box.size);
}

}  // namespace

std::string_view word_of_shape(const BodyOptions& of) {
    for (const auto& [is_there, word] : {std::pair<bool, std::string_view>{of.sphere.has_value(), "sphere"},
                                         {of.disc.has_value(), "disc"},
                                         {of.capsule.has_value(), "capsule"},
                                         {of.stadium.has_value(), "stadium"},
                                         {of.cylinder.has_value(), "cylinder"},
                                         {of.box.has_value(), "box"},
                                         {of.rectangle.has_value(), "rectangle"},
                                         {of.plane.has_value(), "plane"},
                                         {of.line.has_value(), "line"},
                                         {of.spheres.has_value(), "spheres"}})
        if (is_there) return word;
    return {};
}

std::optional<Vec3> surface_point(const BodyShape& shape, Vec3 direction) {
    const Vec3 along = of_length_1(direction);
    if (const auto* const sphere = std::get_if<BodySphere>(&shape))
        return advanced(sphere->centre, along, sphere->radius);
    const auto* const capsule = std::get_if<BodyCapsule>(&shape);
    if (capsule == nullptr) return std::nullopt;
    const Vec3 middle = 0.5 * (capsule->from + capsule->to), half = 0.5 * (capsule->to - capsule->from);
    const double length = norm(half), slope = dot(along, half) / length;
    const double flat = std::sqrt(std::max(0.0, 1 - slope * slope)), radius = capsule->radius;
    if (flat > 0 && std::abs(slope) * radius <= length * flat) return advanced(middle, along, radius / flat);
    const double to_end = length * std::abs(slope);
    const double beyond = std::sqrt(to_end * to_end - length * length + radius * radius);
    return advanced(middle, along, to_end + beyond);
}

Body body_of(const BodyOptions& of) {
    Body body{.name = of.name, .shape = BodySpheres{}, .side = of.side};
    const auto take = [&body](const auto& shape) {
        if (shape) body.shape = *shape;
    };
    take(of.sphere), take(of.disc), take(of.capsule), take(of.stadium), take(of.box), take(of.rectangle);
    if (of.spheres) body.shape = BodySpheres{of.spheres->spheres};
    if (of.cylinder)
        body.shape = BodyCylinder{of.cylinder->point, of_length_1(of.cylinder->axis), of.cylinder->radius};
    for (const auto& plane : {of.plane, of.line})
        if (plane) body.shape = BodyPlane{plane->point, of_length_1(plane->normal)};
    for (const PatchOptions& patch : of.patches) {
        const Vec3 centre = patch.direction ? surface_point(body.shape, *patch.direction).value_or(Vec3{})
                                            : patch.centre.value_or(Vec3{});
        body.patches.push_back({patch.name, centre, patch.radius});
    }
    return body;
}

int num_axes_along(Vec3 direction) {
    return static_cast<int>(direction.x != 0) + static_cast<int>(direction.y != 0) +
           static_cast<int>(direction.z != 0);
}

Extent extent_of(const BodyShape& shape) {
    const auto of_spheres = [](const BodySpheres& body) {
        Extent all{filled(infinity), filled(-infinity)};
        for (const BodySphere& sphere : body.spheres) {
            const Extent one = around(sphere.centre, sphere.centre, sphere.radius);
            all = {min(all.low, one.low), max(all.high, one.high)};
        }
        return all;
    };
    const auto of_cylinder = [](const BodyCylinder& cylinder) {
        Extent extent = around(cylinder.point, cylinder.point, cylinder.radius);
        for (int axis = 0; axis < 3; ++axis)
            if (cylinder.axis[axis] != 0) extent.low[axis] = -infinity, extent.high[axis] = infinity;
        return extent;
    };
    return std::visit(
        Overloaded{
            [](const BodySphere& sphere) { return around(sphere.centre, sphere.centre, sphere.radius); },
            [](const BodyCapsule& capsule) {
                return around(min(capsule.from, capsule.to), max(capsule.from, capsule.to), capsule.radius);
            },
            of_cylinder,
            [](const BodyBox& box) {
                return Extent{box.low, box.high};
            },
            [](const BodyPlane& /*plane*/) {
                return Extent{filled(-infinity), filled(infinity)};
            },
            of_spheres},
        shape);
}

bool covers(const BodyShape& shape, const Box& box) {
    return std::visit(
        [&](const auto& one) { return all_corners(box, [&](Vec3 at) { return holds_point(one, at); }); },
        shape);
}

bool misses(const BodyShape& shape, const Box& box) {
    if (const auto* const plane = std::get_if<BodyPlane>(&shape))
        return covers(shape, box) ||
               all_corners(box, [&](Vec3 at) { return dot(at - plane->point, plane->normal) > 0; });
    if (const auto* const cylinder = std::get_if<BodyCylinder>(&shape);
        cylinder && misses_endless(*cylinder, box))
        return true;
    const Extent extent = extent_of(shape);
    for (int axis = 0; axis < box.dimension; ++axis)
        if (extent.high[axis] < 0 || extent.low[axis] > box.size[axis]) return true;
    return false;
}

std::size_t num_parts(const Body& body) {
    const std::size_t parts = std::visit(Overloaded{[](const BodySpheres& of) { return of.spheres.size(); },
                                                    [](const BodyBox&) { return parts_of_box; },
                                                    [](const BodyCapsule&) { return std::size_t{3}; },
                                                    [](const auto&) { return std::size_t{1}; }},
                                         body.shape);
    if (body.side != BodySide::both) return parts;
    return std::holds_alternative<BodyBox>(body.shape) ? 7 : 2;  // spheres have not both
}

}  // namespace ricochet::detail
