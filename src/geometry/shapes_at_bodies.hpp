// SPDX-License-Identifier: BSD-3-Clause
//
// How particles that are no spheres touch the surfaces of a world's bodies.
//
// What is touched from outside, and is curved or a box, is one solid: the sum of body and shape decides
// (solid_pair.hpp). A flat surface is touched by the corner that is farthest towards it. A round surface that is
// touched from inside is touched by corners, each of which flies as a point.
//
// A solid may have several surfaces in the list of obstacles. Exactly one of them answers, so that a contact has one
// name. Of a capsule it is the side. Of a box it is the face that looks most towards the particle: where the two touch,
// this face is touched.
//
// A surface of a body with two sides is touched by what has its centre on that side.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/body_push.hpp"
#include "geometry/contact_time.hpp"
#include "geometry/obstacle.hpp"
#include "geometry/polytope.hpp"
#include "geometry/solid_pair.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// When a particle touches a surface, and the normal there.
struct SurfaceTouch {
    double time = never;  ///< within the step
    Vec3 normal{};        ///< of length 1, from the particle into the obstacle; 0 if it never touches
};

class ShapesAtBodies {
  public:
    /// Of spheres alone.
    ShapesAtBodies() = default;
    /// `shapes`: by species; none: a sphere. O(species x bodies).
    ShapesAtBodies(const World& world, std::vector<std::optional<Polytope>> shapes);

    /// Whether some species is no sphere.
    bool has_shapes() const { return !shapes_.empty(); }
    /// Whether a particle of this species is no sphere.
    bool has_shape(SpeciesIndex species) const { return species < shapes_.size() && shapes_[species]; }

    /// The first contact with a surface of a body, at or after the path's own time. A path has four functions:
    ///   motion()                        as bodies see it
    ///   fall()                          the same, with its acceleration; 0 where it is straight
    ///   place_at(time)                  where its centre is within the step
    ///   time_of(shift, radius, shape)   when a sphere touches whose centre is shifted so
    /// Requires: has_shape().
    template <class Path>
    SurfaceTouch first_touch(SpeciesIndex species, const Obstacle& obstacle, const Path& path) const;
    /// The gap between a particle and a surface, negative where they overlap. Infinite where another surface of the
    /// body answers, and on the other side of it. Requires: has_shape().
    ConvexGap gap(SpeciesIndex species, const Obstacle& obstacle, Vec3 centre) const;
    /// Appends the ways off a surface that is nearer to the particle than `reach`; from within what is round one for
    /// each corner. Clearances are gaps. Requires: has_shape().
    void add_pushes(SpeciesIndex species, const Obstacle& obstacle, Vec3 centre, double reach,
                    std::vector<BodyPush>& pushes) const;
    /// Where they touch. `normal`: that of the contact. Requires: has_shape().
    Vec3 touching_point(SpeciesIndex species, const Obstacle& obstacle, Vec3 centre, Vec3 normal) const;

  private:
    /// How a surface is touched.
    enum class Manner : std::uint8_t {
        by_another,  ///< another surface of the body answers
        as_solid,
        flat,
        by_corners
    };
    struct OfBody {
        ObstacleNumber first_surface = 0;
        bool is_sphere = false;      ///< or many of them
        std::optional<BodyBox> box;  ///< that is touched from outside alone
        std::size_t first_pair = 0;  ///< of its pairs with species, of which each shape has one
    };

    static Face flat_surface(const Obstacle& obstacle);
    static ObstacleShape as_seen_from_inside(const ObstacleShape& shape);
    Manner manner_of(const Obstacle& obstacle) const;
    const OfBody& of_body(const Obstacle& obstacle) const { return bodies_[obstacle.body - first_body]; }
    const SolidPair& pair_of(SpeciesIndex species, const Obstacle& obstacle) const {
        return *pairs_[of_body(obstacle).first_pair + species];
    }
    void add_pairs(const Body& body);
    SurfaceTouch touch_of_solid(SpeciesIndex species, const Obstacle& obstacle, const Fall& path) const;
    Vec3 anchor_of(const Obstacle& obstacle) const;
    bool answers(const Obstacle& obstacle, Vec3 normal) const;
    std::vector<Vec3> farthest_of_solid(const Obstacle& obstacle, Vec3 centre, Vec3 normal) const;
    /// The farthest a shape reaches towards a flat surface.
    double reach_towards(SpeciesIndex species, const Face& face) const {
        return support(shapes_[species]->corners, Vec3{} - face.normal);
    }

    Box box_;
    std::vector<std::optional<Polytope>> shapes_;  ///< by species
    std::vector<OfBody> bodies_;
    std::vector<std::optional<SolidPair>> pairs_;  ///< by body and species; bodies of spheres share theirs
};

/// Whether a centre is on the side of a body with two sides to which the surface belongs. True of other bodies.
bool is_on_side(const ObstacleShape& shape, Vec3 centre);

template <class Path>
SurfaceTouch ShapesAtBodies::first_touch(SpeciesIndex species, const Obstacle& obstacle,
                                         const Path& path) const {
    const Manner manner = manner_of(obstacle);
    if (manner == Manner::by_another || !is_on_side(obstacle.shape, path.motion().position)) return {};
    if (manner == Manner::as_solid) return touch_of_solid(species, obstacle, path.fall());
    if (manner == Manner::flat) {
        const Face face = flat_surface(obstacle);
        const double time = path.time_of(Vec3{}, reach_towards(species, face), face);
        return time < never ? SurfaceTouch{time, Vec3{} - face.normal} : SurfaceTouch{};
    }
    const ObstacleShape shape = as_seen_from_inside(obstacle.shape);
    SurfaceTouch first;
    for (const Vec3 corner : shapes_[species]->corners) {
        const double time = path.time_of(corner, 0.0, shape);
        if (time < first.time) first = {time, surface_at(path.place_at(time) + corner, shape).normal};
    }
    return first;
}

}  // namespace ricochet
