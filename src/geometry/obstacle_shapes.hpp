// SPDX-License-Identifier: BSD-3-Clause
//
// The surfaces of which walls and bodies are made: when a sphere touches one, and where.
//
// Layout: a variant of the shapes, each a small value with five free functions. A shape without these does not
// compile. Only they decide a contact time with an obstacle.
//
// Invariants, as for pairs (geometry/contact_time.hpp): a sphere that does not approach has no contact, even when
// rounding left it inside. One that approaches from inside has it now.
//
// A body is the union of what its surfaces round off, and a sphere enters a union where it first enters a part. So
// edges and corners need no tolerance: where one part ends, the next one reaches farther.
//
// Not done: shapes that move.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "ricochet/model/particles.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// A wall that closes the box at one end of an axis.
struct Wall {
    int axis = 0;
    bool is_high = false;  ///< at the upper end
    double position = 0;   ///< along the axis

    friend bool operator==(const Wall&, const Wall&) = default;
};

/// A sphere; a corner has the radius 0.
struct Ball {
    Vec3 centre;
    double radius = 0;
    bool is_hollow = false;  ///< touched from inside
    bool is_shell = false;   ///< touched from both sides: another ball, hollow or not, is the other side

    friend bool operator==(const Ball&, const Ball&) = default;
};

/// The side of a cylinder, without ends; an edge has the radius 0.
struct Rod {
    Vec3 start;
    Vec3 axis;          ///< of length 1
    double length = 0;  ///< may be infinite, then also beyond the start
    double radius = 0;
    bool is_hollow = false;  ///< touched from inside; only of infinite length
    bool is_shell = false;   ///< as of a ball; only of infinite length

    friend bool operator==(const Rod&, const Rod&) = default;
};

/// The inside of a capsule: its middle, or one of the two half spheres that close it.
///
/// A path leaves by exactly one of the three. It is where the path would leave the endless cylinder that decides.
struct HollowCapsule {
    enum class Part : std::uint8_t { low_end, middle, high_end };

    Vec3 from;
    Vec3 axis;  ///< of length 1
    double length = 0;
    double radius = 0;
    Part part = Part::middle;

    friend bool operator==(const HollowCapsule&, const HollowCapsule&) = default;
};

/// One side of a capsule that is touched from both: all within `radius` of a line.
///
/// It is one surface, not three: a capsule is convex, so a path enters it once at most, and leaves it once.
struct CapsuleSide {
    Vec3 from;
    Vec3 axis;  ///< of length 1
    double length = 0;
    double radius = 0;
    bool is_hollow = false;  ///< the side that is touched from inside
    bool is_shell = true;    ///< as of a ball

    friend bool operator==(const CapsuleSide&, const CapsuleSide&) = default;
};

/// A rectangle or an endless plane, touched from the side to which the normal points.
struct Face {
    Vec3 centre;
    Vec3 normal;                      ///< of length 1
    std::array<Vec3, 2> along;        ///< of length 1, in the face
    std::array<double, 2> half_edge;  ///< along both; may be infinite
    double depth = 0;  ///< a centre that is farther behind the face is not in it, but beyond the body

    friend bool operator==(const Face&, const Face&) = default;
};

/// One side of a box that is touched from both. Its outside is one surface, since it is convex. From inside each face
/// is one: a sphere that reaches through one of them may touch another.
struct BoxSide {
    Vec3 low, high;
    int dimension = 3;       ///< in two the third axis does not count
    bool is_hollow = false;  ///< the side that is touched from inside
    int face = 0;            ///< there: 2 axis + (0 low, 1 high)
    bool is_shell = true;    ///< as of a ball

    friend bool operator==(const BoxSide&, const BoxSide&) = default;
};

/// One of all shapes that there are.
using ObstacleShape = std::variant<Wall, Ball, Rod, HollowCapsule, CapsuleSide, Face, BoxSide>;

/// Where a sphere touches an obstacle.
struct Surface {
    Vec3 point;
    Vec3 normal;             ///< unit vector from the centre of the sphere into the obstacle
    bool is_hollow = false;  ///< whether it is curved towards the sphere
};

/// A unit vector across an axis of length 1.
Vec3 some_direction_across(Vec3 axis);

/// Between these all of it lies.
struct ObstacleBounds {
    Vec3 low, high;
};

// --- shapes: five functions for each ---------------------------------------------------------------------

/// Time within the step at which a sphere of the given radius touches the obstacle, at or after its own time.
/// The value is `never` (geometry/contact_time.hpp) if it does not.
double obstacle_contact_time(const Motion& motion, double radius, const Wall& wall);
double obstacle_contact_time(const Motion& motion, double radius, const Ball& ball);
double obstacle_contact_time(const Motion& motion, double radius, const Rod& rod);
double obstacle_contact_time(const Motion& motion, double radius, const HollowCapsule& capsule);
double obstacle_contact_time(const Motion& motion, double radius, const CapsuleSide& side);
double obstacle_contact_time(const Motion& motion, double radius, const Face& face);
double obstacle_contact_time(const Motion& motion, double radius, const BoxSide& side);

/// Where a sphere with this centre touches the obstacle.
Surface surface_at(Vec3 centre, const Wall& wall);
Surface surface_at(Vec3 centre, const Ball& ball);
Surface surface_at(Vec3 centre, const Rod& rod);
Surface surface_at(Vec3 centre, const HollowCapsule& capsule);
Surface surface_at(Vec3 centre, const CapsuleSide& side);
Surface surface_at(Vec3 centre, const Face& face);
Surface surface_at(Vec3 centre, const BoxSide& side);

/// How far the centre is from the surface; negative inside the obstacle. Infinite where another part of the body is
/// nearer.
double distance_to(Vec3 centre, const Wall& wall);
double distance_to(Vec3 centre, const Ball& ball);
double distance_to(Vec3 centre, const Rod& rod);
double distance_to(Vec3 centre, const HollowCapsule& capsule);
double distance_to(Vec3 centre, const CapsuleSide& side);
double distance_to(Vec3 centre, const Face& face);
double distance_to(Vec3 centre, const BoxSide& side);

/// The same of the shape as it would go on beyond its ends, and on this side of a shell.
double distance_to_whole(Vec3 centre, const Wall& wall);
double distance_to_whole(Vec3 centre, const Ball& ball);
double distance_to_whole(Vec3 centre, const Rod& rod);
double distance_to_whole(Vec3 centre, const HollowCapsule& capsule);
double distance_to_whole(Vec3 centre, const CapsuleSide& side);
double distance_to_whole(Vec3 centre, const Face& face);
double distance_to_whole(Vec3 centre, const BoxSide& side);

/// How far the centre of a sphere is from the surface that it touches. In a box that is touched from both sides it may
/// be nearer to another face, through which it reaches.
double distance_at_contact(Vec3 centre, const ObstacleShape& shape);

/// Infinite where the shape is endless, or not aligned with the axes and so not worth to be looked up.
ObstacleBounds bounds_of(const Wall& wall);
ObstacleBounds bounds_of(const Ball& ball);
ObstacleBounds bounds_of(const Rod& rod);
ObstacleBounds bounds_of(const HollowCapsule& capsule);
ObstacleBounds bounds_of(const CapsuleSide& side);
ObstacleBounds bounds_of(const Face& face);
ObstacleBounds bounds_of(const BoxSide& side);

inline double obstacle_contact_time(const Motion& motion, double radius, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return obstacle_contact_time(motion, radius, of); }, shape);
}
inline Surface surface_at(Vec3 centre, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return surface_at(centre, of); }, shape);
}
inline double distance_to(Vec3 centre, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return distance_to(centre, of); }, shape);
}
inline double distance_to_whole(Vec3 centre, const ObstacleShape& shape) {
    return std::visit([&](const auto& of) { return distance_to_whole(centre, of); }, shape);
}
inline ObstacleBounds bounds_of(const ObstacleShape& shape) {
    return std::visit([](const auto& of) { return bounds_of(of); }, shape);
}

/// The radius of what is round and touched from inside; infinite at other shapes. Spheres that are not narrower find no
/// place in it.
double hollow_radius(const ObstacleShape& shape);

/// Time at which a centre at the surface of a round shell, which flies inwards, comes to the surface from within. It is
/// `never` from elsewhere, for the outer side, and at other shapes.
double time_across_shell(const Motion& motion, const ObstacleShape& shape);

/// Whether the mirror images of two places are behind the same part of the surface. Near the edges of a shell that is a
/// box they may not be, and outside of an edge there is none. True for other shapes.
bool have_one_mirror(const ObstacleShape& shape, Vec3 a, Vec3 b);

}  // namespace ricochet
