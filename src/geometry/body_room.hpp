// SPDX-License-Identifier: BSD-3-Clause
//
// The room that bodies leave: whether a particle may be at a place, and the volume in which centres may be. The walls
// of the box are not asked here.
//
// A species that has a shape is asked for by the radius of the sphere around it. A radius that is larger by some length
// asks for a gap of that length.
//
// Layout: two grids, of the spheres that are touched from outside, and of the bounds of all other images of bodies.
// What is endless, and insides, are asked one after another.
#pragma once

#include <optional>
#include <vector>

#include "geometry/body_push.hpp"
#include "geometry/shapes_at_bodies.hpp"
#include "geometry/surface_grid.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// How far a place is from the surface of a body, images not counted. Negative where no particle may be.
double clearance(const Body& body, Vec3 place);

/// The radius of a sphere, capsule or cylinder; infinite for what is not round.
double radius_of_round(const BodyShape& shape);

class BodyRoom {
  public:
    explicit BodyRoom(const World& world);

    bool has_bodies() const { return !bodies_.empty(); }
    /// The first body, as its place in World::bodies, that a sphere at this place of the box overlaps; none if it keeps
    /// off all. Those that its species may pass do not count. O(bodies that are near, endless or inside).
    std::optional<std::size_t> body_in_the_way(Vec3 centre, double radius,
                                               SpeciesIndex species = absent_species) const;
    bool keeps_off(Vec3 centre, double radius, SpeciesIndex species = absent_species) const {
        return !body_in_the_way(centre, radius, species);
    }
    /// Appends the surfaces with less than this clearance from a place of the box; not those of bodies that the species
    /// may pass. At the same cost.
    void add_pushes(Vec3 centre, double reach, SpeciesIndex species, std::vector<BodyPush>& pushes) const;
    /// The same of a particle that has a shape: clearances are gaps between it and surfaces. Where its centre is on the
    /// wrong side of a body, they are the centre's. Requires: has_shape(species).
    void add_pushes_on_shape(Vec3 centre, double reach, SpeciesIndex species,
                             std::vector<BodyPush>& pushes) const;
    bool has_shape(SpeciesIndex species) const { return shapes_.has_shape(species); }
    /// The first body that is round inside, has the centre there, and is no wider than the sphere. Those that its
    /// species may pass do not count. At the same cost.
    std::optional<std::size_t> body_too_narrow(Vec3 centre, double radius, SpeciesIndex species) const;
    /// Whether no body is between the two places that particles meet from both sides. Those that the species may pass
    /// do not count.
    bool are_on_one_side(Vec3 a, Vec3 b, SpeciesIndex species = absent_species) const;

  private:
    /// Whether a shape is nearer to the surface than by this gap.
    bool is_nearer(double gap, Vec3 centre, SpeciesIndex species, const Obstacle& surface) const {
        return shapes_.gap(species, surface, centre).distance < gap;
    }
    /// One image of a body that is not in the grid of spheres.
    struct Image {
        std::size_t body;
        Vec3 shift;
    };

    void add_images(const World& world);
    void sort_surfaces(const Box& box);
    /// Calls visit(image) for those with a place of their solid within `room` of the bounds, and for some others.
    template <class Visit>
    void for_each_image(const ObstacleBounds& bounds, double room, Visit&& visit) const {
        for (const Image& image : everywhere_) visit(image);
        const Vec3 margin{room, room, room};
        image_grid_.for_each_in({bounds.low - margin, bounds.high + margin},
                                [&](ObstacleIndex index) { visit(images_[index]); });
    }

    bool may_pass(SpeciesIndex species, std::size_t body) const {
        return !passed_.empty() && species != absent_species && passed_[species * bodies_.size() + body];
    }

    std::vector<Body> bodies_;
    std::vector<bool> passed_;       ///< by species and body; empty: none
    std::vector<Image> everywhere_;  ///< of bodies that are endless, or have particles inside
    std::vector<Image> images_;      ///< of all others
    SurfaceGrid image_grid_;         ///< of their bounds
    ShapesAtBodies shapes_;
    std::vector<double> radii_;       ///< by species
    std::vector<Obstacle> surfaces_;  ///< where some species has a shape, of all bodies that are not spheres
    std::vector<ObstacleIndex> endless_surfaces_;
    SurfaceGrid surface_grid_;       ///< of the others
    std::vector<Obstacle> spheres_;  ///< outside of which particles are, and of bodies that are lists
    SurfaceGrid grid_;
};

/// The volume, or area, of the box in which bodies let particles be. Exact where no body meets another one, or a face
/// of the box. Otherwise, and where bodies are very many, by counting points, to about 1e-3 of the box. O(bodies^2).
double free_volume(const World& world);

}  // namespace ricochet
