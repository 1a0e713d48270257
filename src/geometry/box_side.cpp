// SPDX-License-Identifier: BSD-3-Clause
//
// One side of a box that is touched from both (BoxSide in obstacle_shapes.hpp).
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "geometry/box_parts.hpp"
#include "geometry/contact_time.hpp"
#include "geometry/obstacle_shapes.hpp"

namespace ricochet {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The face that is nearest to a place inside, or that it is farthest beyond.
struct NearestFace {
    int axis = 0;
    bool is_high = false;
    double depth = unlimited;  ///< of the place below it; negative above

    int number() const { return 2 * axis + (is_high ? 1 : 0); }
};

NearestFace nearest_face(const BoxSide& side, Vec3 place) {
    NearestFace nearest;
    for (int axis = 0; axis < side.dimension; ++axis) {
        const double above_low = place[axis] - side.low[axis], below_high = side.high[axis] - place[axis];
        if (above_low < nearest.depth) nearest = {axis, false, above_low};
        if (below_high < nearest.depth) nearest = {axis, true, below_high};
    }
    return nearest;
}

/// From the nearest point of the box.
Vec3 beyond(const BoxSide& side, Vec3 place) {
    Vec3 r;
    for (int axis = 0; axis < side.dimension; ++axis)
        r[axis] = place[axis] - std::clamp(place[axis], side.low[axis], side.high[axis]);
    return r;
}

/// A centre is inside while it is between the planes of all axes. Edges need no tolerance so.
double time_of_entry_of_centre(const BoxSide& side, const Motion& motion) {
    double first = -unlimited, last = unlimited;
    for (int axis = 0; axis < side.dimension; ++axis) {
        const double place = motion.position[axis], speed = motion.velocity[axis];
        if (speed == 0) {
            if (!(side.low[axis] < place && place < side.high[axis])) return never;
            continue;
        }
        const double near = speed > 0 ? side.low[axis] : side.high[axis];
        const double far = speed > 0 ? side.high[axis] : side.low[axis];
        first = std::max(first, (near - place) / speed);
        last = std::min(last, (far - place) / speed);
    }
    return first >= 0 && first < last ? motion.time + first : never;
}

/// Along a path the distance from what is convex falls first, if at all. What reaches into the box and comes nearer to
/// it touches now.
double time_to_box(const BoxSide& side, const Motion& motion, double radius) {
    if (radius == 0) return time_of_entry_of_centre(side, motion);
    if (!(dot(motion.velocity, surface_at(motion.position, side).normal) > 0)) return never;
    if (distance_to_whole(motion.position, side) - radius <= 0) return motion.time;
    double time = never;
    for_each_part_of_box(side.low, side.high, side.dimension, [&](const auto& part) {
        time = std::min(time, obstacle_contact_time(motion, radius, part));
    });
    return time;
}

/// By which face a sphere inside would leave, and when.
struct Exit {
    double time = never;
    int face = 0;
};

Exit exit_from(const BoxSide& side, const Motion& motion, double radius) {
    Exit first;
    for (int axis = 0; axis < side.dimension; ++axis) {
        const double speed = motion.velocity[axis], place = motion.position[axis];
        if (speed == 0) continue;
        const double room = (speed > 0 ? side.high[axis] - place : place - side.low[axis]) - radius;
        const double time = motion.time + (room <= 0 ? 0 : room / std::abs(speed));
        if (time < first.time) first = {time, 2 * axis + (speed > 0 ? 1 : 0)};
    }
    return first;
}

/// The face behind which the mirror image of a place is: 2 axis + (0 low, 1 high). An image that is nearer to another
/// face would not come back from there.
std::optional<int> mirror_at(const BoxSide& side, Vec3 place) {
    if (!holds(side, place)) {
        const Vec3 r = beyond(side, place);
        if ((r.x != 0) + (r.y != 0) + (r.z != 0) > 1) return std::nullopt;
        const Vec3 image = place - 2 * r;
        if (!holds(side, image)) return std::nullopt;
        const NearestFace face = nearest_face(side, image);
        if (r[face.axis] == 0) return std::nullopt;
        place = image;
    }
    const NearestFace face = nearest_face(side, place);
    return face.number();
}

}  // namespace

bool have_one_mirror(const ObstacleShape& shape, Vec3 a, Vec3 b) {
    const auto* const side = std::get_if<BoxSide>(&shape);
    if (side == nullptr) return true;
    const std::optional<int> mirror = mirror_at(*side, a);
    return mirror && mirror == mirror_at(*side, b) && (!side->is_hollow || *mirror == side->face);
}

double obstacle_contact_time(const Motion& motion, double radius, const BoxSide& side) {
    if (side.is_shell && holds(side, motion.position) != side.is_hollow) return never;
    if (!side.is_hollow) return time_to_box(side, motion, radius);
    const Exit exit = exit_from(side, motion, radius);
    return exit.face == side.face ? exit.time : never;
}

Surface surface_at(Vec3 centre, const BoxSide& side) {
    const Vec3 to_box = Vec3{} - beyond(side, centre);
    const double distance = norm(to_box);
    if (!side.is_hollow && distance > 0)
        return {.point = centre + to_box,
                .normal = {to_box.x / distance, to_box.y / distance, to_box.z / distance}};
    const int face = side.is_hollow ? side.face : nearest_face(side, centre).number();
    const int axis = face / 2;
    const bool is_high = face % 2 == 1;
    Surface surface{.point = centre, .normal = unit_along(axis, is_high == side.is_hollow ? 1 : -1)};
    surface.point[axis] = is_high ? side.high[axis] : side.low[axis];
    return surface;
}

Vec3 outwards_at(Vec3 place, const BoxSide& side) {
    const NearestFace face = nearest_face(side, place);
    return unit_along(face.axis, face.is_high ? 1 : -1);
}

double distance_to(Vec3 centre, const BoxSide& side) {
    if (side.is_shell && holds(side, centre) != side.is_hollow) return unlimited;
    if (side.is_hollow && nearest_face(side, centre).number() != side.face) return unlimited;
    return distance_to_whole(centre, side);
}

double distance_to_whole(Vec3 centre, const BoxSide& side) {
    const double outwards =
        holds(side, centre) ? -nearest_face(side, centre).depth : norm(beyond(side, centre));
    return side.is_hollow ? -outwards : outwards;
}

double distance_at_contact(Vec3 centre, const ObstacleShape& shape) {
    const auto* const side = std::get_if<BoxSide>(&shape);
    if (side == nullptr || !side->is_hollow) return distance_to(centre, shape);
    const int axis = side->face / 2;
    return side->face % 2 == 1 ? side->high[axis] - centre[axis] : centre[axis] - side->low[axis];
}

ObstacleBounds bounds_of(const BoxSide& side) { return {side.low, side.high}; }

}  // namespace ricochet
