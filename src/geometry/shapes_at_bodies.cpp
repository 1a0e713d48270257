// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/shapes_at_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "geometry/box_parts.hpp"
#include "geometry/touching_place.hpp"

namespace ricochet {
namespace {

template <class Of>
const Of* as(const ObstacleShape& shape) {
    return std::get_if<Of>(&shape);
}

bool is_hollow(const ObstacleShape& shape) {
    return std::visit(
        [](const auto& of) {
            if constexpr (requires { of.is_hollow; })
                return of.is_hollow;
            else
                return std::is_same_v<std::decay_t<decltype(of)>, HollowCapsule>;
        },
        shape);
}

double radius_of(const ObstacleShape& shape) {
    return std::visit(
        [](const auto& of) {
            if constexpr (requires { of.radius; })
                return of.radius;
            else
                return 0.0;
        },
        shape);
}

std::vector<Vec3> ends_near(Vec3 start, Vec3 axis, double length, Vec3 centre, double reach) {
    if (length < never) return {start, advanced(start, axis, length)};
    const double foot = dot(centre - start, axis);
    return {advanced(start, axis, foot - reach), advanced(start, axis, foot + reach)};
}

std::vector<Vec3> corners_of(Vec3 low, Vec3 high, int dimension) {
    std::vector<Vec3> corners;
    corners.reserve(8);
    for (int k = 0; k < (1 << dimension); ++k)
        corners.push_back(
            {(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y, (k & 4) != 0 ? high.z : low.z});
    return corners;
}

}  // namespace

bool is_on_side(const ObstacleShape& shape, Vec3 centre) {
    if (const auto* const side = as<BoxSide>(shape)) return holds(*side, centre) == side->is_hollow;
    const bool is_shell = std::visit(
        [](const auto& of) {
            if constexpr (requires { of.is_shell; })
                return of.is_shell;
            else
                return false;
        },
        shape);
    if (!is_shell) return true;
    const double distance = distance_to_whole(centre, shape);
    return is_hollow(shape) ? distance > 0 : distance >= 0;
}

ShapesAtBodies::ShapesAtBodies(const World& world, std::vector<std::optional<Polytope>> shapes)
    : box_(world.box), shapes_(std::move(shapes)) {
    for (const std::optional<Polytope>& shape : shapes_)
        pairs_.push_back(shape ? std::optional(SolidPair::beside_spheres(*shape)) : std::nullopt);
    ObstacleNumber next = first_body;
    for (const Body& body : world.bodies) {
        OfBody of;
        of.first_surface = next;
        of.is_sphere =
            std::holds_alternative<BodySphere>(body.shape) || std::holds_alternative<BodySpheres>(body.shape);
        const auto* const box = std::get_if<BodyBox>(&body.shape);
        if (box != nullptr && body.side == BodySide::outside) of.box = *box;
        if (!of.is_sphere && body.side != BodySide::inside) {
            of.first_pair = pairs_.size();
            add_pairs(body);
        }
        bodies_.push_back(of);
        next += static_cast<ObstacleNumber>(surfaces_of(body, box_.dimension).size());
    }
}

void ShapesAtBodies::add_pairs(const Body& body) {
    for (const std::optional<Polytope>& shape : shapes_) {
        std::optional<SolidPair>& pair = pairs_.emplace_back();
        if (!shape) continue;
        std::visit(
            [&](const auto& of) {
                if constexpr (requires { SolidPair::beside(*shape, of); })
                    pair = SolidPair::beside(*shape, of);
            },
            body.shape);
    }
}

ShapesAtBodies::Manner ShapesAtBodies::manner_of(const Obstacle& obstacle) const {
    const ObstacleShape& shape = obstacle.shape;
    const OfBody& body = of_body(obstacle);
    if (as<Face>(shape) != nullptr) return body.box ? Manner::as_solid : Manner::flat;
    if (is_hollow(shape)) return as<BoxSide>(shape) != nullptr ? Manner::flat : Manner::by_corners;
    if (body.box || (as<Ball>(shape) != nullptr && !body.is_sphere)) return Manner::by_another;
    return Manner::as_solid;
}

/// The face of a plane, of a box that is touched from inside, or of the inner side of a box with two sides.
Face ShapesAtBodies::flat_surface(const Obstacle& obstacle) {
    if (const auto* const face = as<Face>(obstacle.shape)) return *face;
    const auto& side = std::get<BoxSide>(obstacle.shape);
    const int axis = side.face / 2;
    const bool is_high = side.face % 2 == 1;
    return {is_high ? side.high : side.low,
            unit_along(axis, is_high ? -1 : 1),
            {unit_along((axis + 1) % 3), unit_along((axis + 2) % 3)},
            {never, never},
            never};
}

/// Without its outer side: it is the centre that tells on which side a particle is, not each corner.
ObstacleShape ShapesAtBodies::as_seen_from_inside(const ObstacleShape& shape) {
    ObstacleShape inside = shape;
    std::visit(
        [](auto& of) {
            if constexpr (requires { of.is_shell; }) of.is_shell = false;
        },
        inside);
    return inside;
}

/// Where the pair counts from. All faces of an image of a box have the same bits.
Vec3 ShapesAtBodies::anchor_of(const Obstacle& obstacle) const {
    const ObstacleShape& shape = obstacle.shape;
    if (const auto* const ball = as<Ball>(shape)) return ball->centre;
    if (const auto* const rod = as<Rod>(shape)) return rod->start;
    if (const auto* const side = as<CapsuleSide>(shape)) return side->from;
    if (const auto* const side = as<BoxSide>(shape)) return side->low;
    const OfBody& body = of_body(obstacle);
    const auto number = static_cast<int>(obstacle.number - body.first_surface);
    const Face home = face_of_box(body.box->low, body.box->high, box_.dimension, number / 2, number % 2 == 1);
    const Vec3 shift = std::get<Face>(shape).centre - home.centre;
    Vec3 anchor = body.box->low;
    for (int axis = 0; axis < box_.dimension; ++axis)
        if (box_.is_periodic(axis)) {
            const double edge = box_.size[axis];
            anchor[axis] += std::floor(shift[axis] / edge + 0.5) * edge;
        }
    return anchor;
}

/// Whether this is the face of the box that looks most against the normal. If several do, the first one counts.
bool ShapesAtBodies::answers(const Obstacle& obstacle, Vec3 normal) const {
    const OfBody& body = of_body(obstacle);
    if (!body.box) return true;
    int best = 0;
    double most = -never;
    for (int face = 0; face < 2 * box_.dimension; ++face) {
        const double towards = face % 2 == 1 ? -normal[face / 2] : normal[face / 2];
        if (towards > most) {
            most = towards;
            best = face;
        }
    }
    return obstacle.number - body.first_surface == static_cast<ObstacleNumber>(best);
}

SurfaceTouch ShapesAtBodies::touch_of_solid(SpeciesIndex species, const Obstacle& obstacle,
                                            const Fall& path) const {
    const SolidPair& pair = pair_of(species, obstacle);
    const Vec3 r = anchor_of(obstacle) - path.motion.position, u = Vec3{} - path.motion.velocity;
    const double radius = radius_of(obstacle.shape), start = path.motion.time;
    const ConvexTouch touch =
        path.acceleration == Vec3{}
            ? pair.first_touch(r, u, radius)
            : pair.first_touch_of_fall({{.position = r, .velocity = u, .time = 0, .id = 0},
                                        Vec3{} - path.acceleration,
                                        path.end - start},
                                       radius);
    if (touch.time == never || !answers(obstacle, touch.normal)) return {};
    return {start + touch.time, touch.normal};
}

ConvexGap ShapesAtBodies::gap(SpeciesIndex species, const Obstacle& obstacle, Vec3 centre) const {
    constexpr ConvexGap elsewhere{never, {}};
    const Manner manner = manner_of(obstacle);
    if (manner == Manner::by_another || !is_on_side(obstacle.shape, centre)) return elsewhere;
    if (manner == Manner::as_solid) {
        const ConvexGap gap =
            pair_of(species, obstacle).gap(anchor_of(obstacle) - centre, radius_of(obstacle.shape));
        return answers(obstacle, gap.normal) ? gap : elsewhere;
    }
    if (manner == Manner::flat) {
        const Face face = flat_surface(obstacle);
        const double height = dot(centre - face.centre, face.normal);
        if (height < -face.depth) return elsewhere;
        return {height - reach_towards(species, face), Vec3{} - face.normal};
    }
    const ObstacleShape shape = as_seen_from_inside(obstacle.shape);
    ConvexGap least = elsewhere;
    for (const Vec3 corner : shapes_[species]->corners) {
        const double distance = distance_to(centre + corner, shape);
        if (distance < least.distance) least = {distance, surface_at(centre + corner, shape).normal};
    }
    return least;
}

void ShapesAtBodies::add_pushes(SpeciesIndex species, const Obstacle& obstacle, Vec3 centre, double reach,
                                std::vector<BodyPush>& pushes) const {
    if (manner_of(obstacle) != Manner::by_corners) {
        const ConvexGap nearest = gap(species, obstacle, centre);
        if (nearest.distance < reach) pushes.push_back({nearest.distance, Vec3{} - nearest.normal});
        return;
    }
    if (!is_on_side(obstacle.shape, centre)) return;
    const ObstacleShape shape = as_seen_from_inside(obstacle.shape);
    for (const Vec3 corner : shapes_[species]->corners) {
        const double distance = distance_to(centre + corner, shape);
        if (distance < reach)
            pushes.push_back({distance, Vec3{} - surface_at(centre + corner, shape).normal});
    }
}

/// The places of a solid that are farthest against the normal.
std::vector<Vec3> ShapesAtBodies::farthest_of_solid(const Obstacle& obstacle, Vec3 centre,
                                                    Vec3 normal) const {
    const ObstacleShape& shape = obstacle.shape;
    const Vec3 outwards = Vec3{} - normal, anchor = anchor_of(obstacle);
    const double size = norm(anchor - centre);
    std::vector<Vec3> places{anchor};
    if (const auto* const rod = as<Rod>(shape))
        places = ends_near(rod->start, rod->axis, rod->length, centre, size);
    else if (const auto* const side = as<CapsuleSide>(shape))
        places = ends_near(side->from, side->axis, side->length, centre, size);
    else if (const auto* const both = as<BoxSide>(shape))
        places = corners_of(both->low, both->high, box_.dimension);
    else if (const OfBody& body = of_body(obstacle); body.box)
        places = corners_of(anchor, anchor + (body.box->high - body.box->low), box_.dimension);
    places = farthest_of(places, outwards, 1e-9 * size);
    for (Vec3& place : places) place = advanced(place, outwards, radius_of(shape));
    return places;
}

Vec3 ShapesAtBodies::touching_point(SpeciesIndex species, const Obstacle& obstacle, Vec3 centre,
                                    Vec3 normal) const {
    const Polytope& shape = *shapes_[species];
    const std::vector<Vec3> own = farthest_corners(shape, normal, centre);
    switch (manner_of(obstacle)) {
        case Manner::as_solid:
            return common_place(own, farthest_of_solid(obstacle, centre, normal), normal);
        case Manner::by_corners: {
            const ObstacleShape inside = as_seen_from_inside(obstacle.shape);
            const auto distance = [&](Vec3 corner) { return distance_to(centre + corner, inside); };
            return centre + *std::ranges::min_element(shape.corners, {}, distance);
        }
        default:
            return middle_of(own);
    }
}

}  // namespace ricochet
