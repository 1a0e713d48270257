// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/body_push.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "geometry/box_parts.hpp"
#include "geometry/obstacle_shapes.hpp"

namespace ricochet {

namespace {

/// The way from the axis or centre of what is round. In the very middle any way is right.
BodyPush push_off_round(Vec3 from_middle, double radius, Vec3 any) {
    const double distance = norm(from_middle);
    const Vec3 away = distance > 0 ? (1 / distance) * from_middle : any;
    return {distance - radius, away};
}

/// A solid convex shape, from outside.
BodyPush push_off_solid(const BodyCylinder& cylinder, Vec3 place) {
    const Vec3 r = place - cylinder.point;
    return push_off_round(advanced(r, cylinder.axis, -dot(r, cylinder.axis)), cylinder.radius,
                          some_direction_across(cylinder.axis));
}

/// Across a line in its plane, if it lies in one of constant z, as in two dimensions.
Vec3 some_direction_beside(Vec3 line) {
    const double length = norm({line.x, line.y, 0});
    return length > 0 ? Vec3{-line.y / length, line.x / length, 0} : Vec3{1, 0, 0};
}

BodyPush push_off_solid(const BodyCapsule& capsule, Vec3 place) {
    const Vec3 line = capsule.to - capsule.from, r = place - capsule.from;
    const double square = dot(line, line);
    const double share = square > 0 ? std::clamp(dot(r, line) / square, 0.0, 1.0) : 0;
    return push_off_round(advanced(r, line, -share), capsule.radius, some_direction_beside(line));
}

BodyPush push_off_solid(const BodyPlane& plane, Vec3 place) {
    return {dot(place - plane.point, plane.normal), plane.normal};
}

int dimension_of(const BodyBox& box) { return box.low.z == box.high.z ? 2 : 3; }

BodyPush push_off_solid(const BodyBox& box, Vec3 place) {
    Vec3 beyond;
    BodyPush nearest_face{-1, {}};
    for (int axis = 0; axis < dimension_of(box); ++axis) {
        const double below = box.low[axis] - place[axis], above = place[axis] - box.high[axis];
        const bool is_below = below > above;
        const double out = is_below ? below : above;
        if (out > 0) beyond[axis] = is_below ? -out : out;
        if (axis == 0 || out > nearest_face.clearance)
            nearest_face = {out, unit_along(axis, is_below ? -1 : 1)};
    }
    if (nearest_face.clearance <= 0) return nearest_face;
    return push_off_round(beyond, 0, nearest_face.away);
}

void add_near(const BodyPush& push, double reach, std::vector<BodyPush>& pushes) {
    if (push.clearance < reach) pushes.push_back(push);
}

class PushesOf {
  public:
    PushesOf(BodySide side, Vec3 place, double reach, std::vector<BodyPush>& pushes)
        : side_(side), place_(place), reach_(reach), pushes_(pushes) {}

    void operator()(const BodySphere& sphere) const { add_of_side(push_off(sphere, place_)); }
    void operator()(const BodySpheres& body) const {
        for (const BodySphere& sphere : body.spheres) add_near(push_off(sphere, place_), reach_, pushes_);
    }
    void operator()(const BodyBox& box) const {
        const BodyPush outwards = push_off_solid(box, place_);
        const bool is_inside =
            side_ == BodySide::inside || (side_ == BodySide::both && outwards.clearance < 0);
        if (!is_inside) return add_near(outwards, reach_, pushes_);
        for (int axis = 0; axis < dimension_of(box); ++axis) {
            add_near({place_[axis] - box.low[axis], unit_along(axis, 1)}, reach_, pushes_);
            add_near({box.high[axis] - place_[axis], unit_along(axis, -1)}, reach_, pushes_);
        }
    }
    template <class Shape>
    void operator()(const Shape& shape) const {
        add_of_side(push_off_solid(shape, place_));
    }

  private:
    void add_of_side(const BodyPush& outwards) const {
        const bool is_inside =
            side_ == BodySide::inside || (side_ == BodySide::both && outwards.clearance < 0);
        add_near(is_inside ? BodyPush{-outwards.clearance, -outwards.away} : outwards, reach_, pushes_);
    }

    BodySide side_;
    Vec3 place_;
    double reach_;
    std::vector<BodyPush>& pushes_;
};

}  // namespace

BodyPush push_off(const BodySphere& sphere, Vec3 place) {
    return push_off_round(place - sphere.centre, sphere.radius, {1, 0, 0});
}

void add_body_pushes(const Body& body, Vec3 place, double reach, std::vector<BodyPush>& pushes) {
    std::visit(PushesOf(body.side, place, reach, pushes), body.shape);
}

}  // namespace ricochet
