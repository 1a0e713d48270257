// SPDX-License-Identifier: BSD-3-Clause
//
// The bodies of the reference: their surfaces, when a particle touches one, and where. Written a second time, from what
// a body is; nothing of src/geometry is used but roots of polynomials.
//
//   ball      all that is at one distance from a point; a corner has the distance 0
//   side      all that is at one distance from a line, between its ends; an edge has the distance 0
//   cap       the inside of a capsule, by the end at `end` (0 from, 1 to), or by its side (2)
//   flat      a rectangle, or a plane
//   pill      one side of a whole capsule that has two
//   crate     a box that has two sides: all of its outside, or one face (`end`) from inside
//
// Of what falls the gap from a round surface is a quartic; geometry/bernstein.hpp finds its roots here too.
//
// A particle is taken into the box first, along periodic axes. Surfaces are listed with their images next to the box.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet::test {

struct BodySurface {
    enum class Kind : std::uint8_t { ball, side, cap, flat, pill, crate };

    ParticleId id = 0;  ///< in contact keys
    BodyNumber body = 0;
    Kind kind = Kind::ball;
    Vec3 place{};         ///< the centre, or where the line begins; of a crate its low corner
    Vec3 direction{};     ///< of the line; of a rectangle outwards
    double length = 0;    ///< of the line
    double distance = 0;  ///< of the surface from the point or the line
    bool from_inside = false;
    bool has_two_sides = false;
    int end = 2;
    std::array<Vec3, 2> edges{};     ///< the directions of a rectangle's edges
    std::array<double, 2> halves{};  ///< half of their lengths
    Vec3 opposite{};         ///< of a crate: its high corner; in two dimensions no higher than the low one
    Vec3 shift{};            ///< of this image
    double most_behind = 0;  ///< a centre that is farther behind a rectangle is elsewhere
};

/// All of them, with images.
std::vector<BodySurface> body_surfaces(const Box& box, const std::vector<Body>& bodies);

/// The particle as surfaces see it.
Motion taken_into_box(const Box& box, Motion motion);

/// When a particle, taken into the box, touches the surface; infinite if it does not.
double time_at_surface(const BodySurface& surface, const Motion& motion, double radius);

/// The same of a particle in space that falls, in a step of this length.
double time_at_surface(const BodySurface& surface, const Motion& motion, Vec3 gravity, double whole,
                       double radius);
/// Whether a sphere is in a surface at this distance from its centre, by more than rounding.
bool is_sunken(double distance, double radius);
/// Where the ground is for what is not above it.
enum class Ground { under_it, above_it, elsewhere };
/// How long what falls at a height, with these upward velocity and acceleration, needs to reach the height 0 from
/// above; infinite if it never does. With the ground under it, it begins at 0. With the ground above it, it also stops
/// at the top of a flight that does not reach 0.
double time_to_fall(double height, double velocity, double acceleration, Ground ground);

/// Along how many directions the centres of spheres at contact are on a curve, where they are nearest to a place.
int curved_directions(const BodySurface& surface, Vec3 place, int dimension);
/// What a sphere touches of a crate: parts from outside, planes from inside.
std::vector<BodySurface> parts_of_crate(const BodySurface& crate);
/// Whether two places are seen in the same mirror. Only in a crate there are several: each face is one, for what is
/// nearest to it inside, and for the images of that.
bool are_in_one_mirror(const BodySurface& surface, Vec3 a, Vec3 b);
/// The size of what is round, or the shortest edge of a crate.
double width_of(const BodySurface& surface);
/// How far a centre is from it; infinite where another surface of the body is nearer.
double distance_from(const BodySurface& surface, Vec3 centre);
/// The same of a sphere that touches the surface. What is in a crate may reach through other faces that are nearer.
double distance_of_what_touches(const BodySurface& surface, Vec3 centre);
/// That of the surface as it would go on beyond its ends.
double distance_from_whole(const BodySurface& surface, Vec3 centre);
/// The unit vector from a centre to the nearest surface of the whole body.
Vec3 way_to_whole(const BodySurface& surface, Vec3 centre);
/// The unit vector from a centre into the body, and the point that touches.
Vec3 normal_at(const BodySurface& surface, Vec3 centre);
Vec3 point_at(const BodySurface& surface, Vec3 centre);

}  // namespace ricochet::test
