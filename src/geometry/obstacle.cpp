// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/obstacle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "geometry/box_parts.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

Wall wall_at(const Box& box, int face) {
    RICOCHET_CHECK_GE(face, 0);
    RICOCHET_CHECK_LT(face, 2 * box.dimension);
    const int axis = face / 2;
    const bool is_high = face % 2 == 1;
    return {axis, is_high, is_high ? box.size[axis] : 0};
}

// --- the surfaces of bodies --------------------------------------------------------------------------------

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// Makes the surfaces of one body.
class Surfaces {
  public:
    Surfaces(BodySide side, int dimension) : side_(side), dimension_(dimension) {}

    void operator()(const BodySphere& sphere) { add(sphere); }
    void operator()(const BodySpheres& body) {
        for (const BodySphere& sphere : body.spheres) add(sphere);
    }
    void operator()(const BodyCylinder& cylinder) {
        for_each_side([&](bool is_hollow, bool is_shell) {
            append(Rod{cylinder.point, cylinder.axis, endless, cylinder.radius, is_hollow, is_shell});
        });
    }
    void operator()(const BodyCapsule& capsule) {
        const Vec3 r = capsule.to - capsule.from;
        const double length = norm(r);
        const Vec3 axis = length > 0 ? Vec3{r.x / length, r.y / length, r.z / length} : Vec3{1, 0, 0};
        if (side_ == BodySide::both) {
            for (const bool is_hollow : {false, true})
                append(CapsuleSide{capsule.from, axis, length, capsule.radius, is_hollow});
            return;
        }
        if (side_ == BodySide::inside) {
            for (const auto part :
                 {HollowCapsule::Part::low_end, HollowCapsule::Part::middle, HollowCapsule::Part::high_end})
                append(HollowCapsule{capsule.from, axis, length, capsule.radius, part});
            return;
        }
        append(Rod{capsule.from, axis, length, capsule.radius});
        append(Ball{capsule.from, capsule.radius});
        append(Ball{advanced(capsule.from, axis, length), capsule.radius});
    }
    void operator()(const BodyPlane& plane) {
        const bool is_shell = side_ == BodySide::both;
        add_plane(plane.point, plane.normal, is_shell ? 0 : endless);
        if (is_shell) add_plane(plane.point, Vec3{} - plane.normal, 0);
    }
    void operator()(const BodyBox& box) {
        if (side_ == BodySide::inside) return add_walls(box);
        if (side_ == BodySide::both) {
            append(BoxSide{box.low, box.high, dimension_});
            for (int face = 0; face < 2 * dimension_; ++face)
                append(BoxSide{box.low, box.high, dimension_, true, face});
            return;
        }
        for_each_part_of_box(box.low, box.high, dimension_, [&](const auto& part) { append(part); });
    }

    std::vector<ObstacleShape> take() && { return std::move(all_); }

  private:
    /// Not inlined: GCC 12 would warn of writes that never happen.
    [[gnu::noinline]] void append(const ObstacleShape& shape) { all_.push_back(shape); }
    template <class Add>
    void for_each_side(Add&& add_side) {
        const bool is_shell = side_ == BodySide::both;
        if (side_ != BodySide::inside) add_side(false, is_shell);
        if (side_ != BodySide::outside) add_side(true, is_shell);
    }
    void add(const BodySphere& sphere) {
        for_each_side([&](bool is_hollow, bool is_shell) {
            append(Ball{sphere.centre, sphere.radius, is_hollow, is_shell});
        });
    }
    void add_plane(Vec3 point, Vec3 normal, double depth) {
        const Vec3 first = some_direction_across(normal);
        const Vec3 second{normal.y * first.z - normal.z * first.y, normal.z * first.x - normal.x * first.z,
                          normal.x * first.y - normal.y * first.x};
        append(Face{point, normal, {first, second}, {endless, endless}, depth});
    }
    /// What is inside touches the six faces only.
    void add_walls(const BodyBox& box) {
        for (int axis = 0; axis < dimension_; ++axis) {
            add_plane(box.low, unit_along(axis), endless);
            add_plane(box.high, Vec3{} - unit_along(axis), endless);
        }
    }
    BodySide side_;
    int dimension_;
    std::vector<ObstacleShape> all_;
};

}  // namespace

std::vector<ObstacleShape> surfaces_of(const Body& body, int dimension) {
    Surfaces surfaces(body.side, dimension);
    std::visit([&surfaces](const auto& of) { surfaces(of); }, body.shape);
    return std::move(surfaces).take();
}

// --- curvature ---------------------------------------------------------------------------------------------

namespace {

Bend bend_of(double radius, double of_sphere, bool is_hollow, int directions) {
    const double at_contact = is_hollow ? radius - of_sphere : radius + of_sphere;
    if (!(at_contact > 0) || directions == 0) return {};
    return {is_hollow ? -at_contact : at_contact, directions};
}

Bend bend_of(const Wall& /*wall*/, Vec3 /*place*/, double /*radius*/, int /*dimension*/) { return {}; }
Bend bend_of(const Face& /*face*/, Vec3 /*place*/, double /*radius*/, int /*dimension*/) { return {}; }
Bend bend_of(const Ball& ball, Vec3 /*place*/, double radius, int dimension) {
    return bend_of(ball.radius, radius, ball.is_hollow, dimension - 1);
}
/// The sides of a stadium are straight.
Bend bend_of(const Rod& rod, Vec3 /*place*/, double radius, int dimension) {
    return bend_of(rod.radius, radius, rod.is_hollow, dimension - 2);
}
Bend bend_of(const HollowCapsule& capsule, Vec3 /*place*/, double radius, int dimension) {
    const bool is_middle = capsule.part == HollowCapsule::Part::middle;
    return bend_of(capsule.radius, radius, true, is_middle ? dimension - 2 : dimension - 1);
}
Bend bend_of(const CapsuleSide& side, Vec3 place, double radius, int dimension) {
    const double along = dot(place - side.from, side.axis);
    const bool is_middle = along >= 0 && along <= side.length;
    return bend_of(side.radius, radius, side.is_hollow, is_middle ? dimension - 2 : dimension - 1);
}

/// A centre at an edge is beyond the box along two axes, and at a corner along three.
Bend bend_of(const BoxSide& side, Vec3 place, double radius, int dimension) {
    int num_beyond = 0;
    for (int axis = 0; axis < dimension; ++axis)
        num_beyond += place[axis] < side.low[axis] || place[axis] > side.high[axis] ? 1 : 0;
    return side.is_hollow ? Bend{} : bend_of(0, radius, false, std::max(0, num_beyond - 1));
}

}  // namespace

Bend bend_at_contact(const ObstacleShape& shape, Vec3 place, double radius, int dimension) {
    return std::visit([&](const auto& of) { return bend_of(of, place, radius, dimension); }, shape);
}

// --- images ------------------------------------------------------------------------------------------------

namespace {

void shift(Wall& /*wall*/, Vec3 /*by*/) {}
void shift(Ball& ball, Vec3 by) { ball.centre = ball.centre + by; }
void shift(Rod& rod, Vec3 by) { rod.start = rod.start + by; }
void shift(HollowCapsule& capsule, Vec3 by) { capsule.from = capsule.from + by; }
void shift(CapsuleSide& side, Vec3 by) { side.from = side.from + by; }
void shift(BoxSide& side, Vec3 by) {
    side.low = side.low + by;
    side.high = side.high + by;
}
void shift(Face& face, Vec3 by) { face.centre = face.centre + by; }

ObstacleShape shifted(ObstacleShape shape, Vec3 by) {
    std::visit([by](auto& of) { shift(of, by); }, shape);
    return shape;
}

}  // namespace

std::vector<Vec3> image_shifts(const Box& box, const ObstacleBounds& bounds) {
    std::vector<Vec3> shifts{{}};
    for (int axis = 0; axis < box.dimension; ++axis) {
        const double low = bounds.low[axis], high = bounds.high[axis];
        if (!box.is_periodic(axis) || low == -endless || high == endless) continue;
        const double edge = box.size[axis];
        const double home = -edge * std::floor(0.5 * (low + high) / edge);
        const std::vector<Vec3> before = std::exchange(shifts, {});
        for (const Vec3& shift : before)
            for (const double by : {home - edge, home, home + edge}) shifts.emplace_back(shift)[axis] = by;
    }
    return shifts;
}

std::vector<Obstacle> obstacles_of(const World& world) {
    const Box& box = world.box;
    std::vector<Obstacle> obstacles;
    for (int face = 0; face < 2 * box.dimension; ++face) {
        if (box.has_walls(face / 2))
            obstacles.push_back(
                {static_cast<ObstacleNumber>(face), static_cast<BodyNumber>(face), wall_at(box, face)});
    }
    ObstacleNumber next = first_body;
    for (std::size_t k = 0; k < world.bodies.size(); ++k) {
        const Body& body = world.bodies[k];
        const auto number = static_cast<BodyNumber>(first_body + k);
        for (const ObstacleShape& shape : surfaces_of(body, box.dimension)) {
            // What is inside a body never meets its images.
            const bool is_alone = body.side == BodySide::inside;
            const std::vector<Vec3> shifts =
                is_alone ? std::vector<Vec3>{{}} : image_shifts(box, bounds_of(shape));
            for (const Vec3& shift : shifts) obstacles.push_back({next, number, shifted(shape, shift)});
            ++next;
        }
    }
    return obstacles;
}

std::vector<BodyNumber> bodies_of_surfaces(const World& world) {
    std::vector<BodyNumber> bodies;
    for (std::size_t k = 0; k < world.bodies.size(); ++k)
        bodies.insert(bodies.end(), surfaces_of(world.bodies[k], world.box.dimension).size(),
                      static_cast<BodyNumber>(first_body + k));
    return bodies;
}

}  // namespace ricochet
