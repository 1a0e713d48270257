// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies at rest that particles touch, beside the walls of the box, which may move: what they are, not how they are
// touched (geometry/obstacle.hpp). In two dimensions a sphere is a disc, a capsule a stadium, a box a rectangle, a
// plane a line.
//
// A body may reach beyond the box. Along periodic axes it repeats with the box.
//
// Not done: other bodies that move or turn, meshes.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// A wall has the number of its face, 2 axis + (0 low, 1 high). World::bodies[k] has first_body + k. Patches go on from
/// there, body by body: what is touched within one has its number, not that of the body.
using BodyNumber = std::uint32_t;
inline constexpr BodyNumber first_body = 6;

/// Where particles may be.
enum class BodySide : std::uint8_t { outside, inside, both };

/// The shapes. All lengths are in the units of the box.
struct BodySphere {
    Vec3 centre;
    double radius = 0;

    friend bool operator==(const BodySphere&, const BodySphere&) = default;
};
/// All that is within `radius` of the line from one end to the other.
struct BodyCapsule {
    Vec3 from, to;
    double radius = 0;

    friend bool operator==(const BodyCapsule&, const BodyCapsule&) = default;
};
/// Endless along its axis.
struct BodyCylinder {
    Vec3 point;  ///< on the axis
    Vec3 axis;   ///< of length 1
    double radius = 0;

    friend bool operator==(const BodyCylinder&, const BodyCylinder&) = default;
};
/// Edges along the axes.
struct BodyBox {
    Vec3 low, high;  ///< 2D: z = 0 in both

    friend bool operator==(const BodyBox&, const BodyBox&) = default;
};
/// Endless. Its outside is where the normal points to.
struct BodyPlane {
    Vec3 point;
    Vec3 normal;  ///< of length 1

    friend bool operator==(const BodyPlane&, const BodyPlane&) = default;
};
/// Many spheres that are one body; they may overlap each other.
struct BodySpheres {
    std::vector<BodySphere> spheres;

    friend bool operator==(const BodySpheres&, const BodySpheres&) = default;
};

/// One of all shapes that there are.
using BodyShape = std::variant<BodySphere, BodyCapsule, BodyCylinder, BodyBox, BodyPlane, BodySpheres>;

/// A part of a body's surface: the points that are at most `radius` from a place. Of two that overlap the first counts.
struct BodyPatch {
    std::string name;  ///< in rules BODY.PATCH
    Vec3 centre;
    double radius = 0;

    friend bool operator==(const BodyPatch&, const BodyPatch&) = default;
};

/// How a wall of the box moves: inwards from its face by amplitude (1 + sin(2 pi (frequency t + phase))) + velocity t,
/// with t from step 0. It never leaves the box, in which all centres are at all times.
struct WallMotion {
    double velocity = 0;   ///< length/time, >= 0
    double amplitude = 0;  ///< length, >= 0: it swings about a place this far inside its face
    double frequency = 0;  ///< 1/time
    double phase = 0;      ///< in periods

    bool is_in_face() const { return velocity == 0 && amplitude == 0; }
    bool rests() const { return velocity == 0 && (amplitude == 0 || frequency == 0); }
    friend bool operator==(const WallMotion&, const WallMotion&) = default;
};

struct Body {
    std::string name;
    BodyShape shape{};
    BodySide side = BodySide::outside;
    std::vector<BodyPatch> patches{};

    friend bool operator==(const Body&, const Body&) = default;
};

}  // namespace ricochet
