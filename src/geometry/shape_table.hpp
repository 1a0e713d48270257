// SPDX-License-Identifier: BSD-3-Clause
//
// The shapes of the species of a world, and how two particles touch of which one is no sphere.
//
// Not done: their growth, rates and tethers.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "geometry/convex_pair.hpp"
#include "geometry/shapes_at_bodies.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// As much of a particle as its shape needs.
inline Attributes sized(SpeciesIndex species, double radius) {
    Attributes attributes;
    attributes.species = species;
    attributes.radius = radius;
    return attributes;
}

class ShapeTable {
  public:
    /// O(species^2 planes + species x bodies). Requires: corners of each species are the hull of a body that is not
    /// flat.
    explicit ShapeTable(const World& world);

    /// Whether some species is no sphere.
    bool has_shapes() const { return !species_.empty(); }
    /// Null: a sphere, or absent.
    const Polytope* shape(SpeciesIndex of) const {
        return of < species_.size() && species_[of].shape ? &*species_[of].shape : nullptr;
    }
    /// Whether one of the two is no sphere.
    bool has_shape(SpeciesIndex a, SpeciesIndex b) const {
        return (shape(a) != nullptr || shape(b) != nullptr) && std::max(a, b) < species_.size();
    }

    /// When two in the order of their ids touch on straight paths, within the step, at or after the later of their own
    /// times. `overlap`: what they do while they overlap. Contacts after `until` may be left out. Requires:
    /// has_shape().
    ConvexTouch touch_of(const Motion& low, const Attributes& attributes_low, const Motion& high,
                         const Attributes& attributes_high, const ImageLengths& images, Overlap overlap,
                         double until = never) const;
    /// The gap between two particles; r leads from the first centre to the second. Requires: has_shape().
    ConvexGap gap(Vec3 r, const Attributes& first, const Attributes& second) const;

    /// Planes, edges and corners that gap() looks at. Requires: has_shape().
    std::size_t num_parts(SpeciesIndex first, SpeciesIndex second) const;

    /// From the first to where the two touch that are r apart; `normal`: from the first to the second. Where edges or
    /// faces lie on each other, the middle of what they have in common. Requires: has_shape().
    Vec3 touching_point(Vec3 r, Vec3 normal, const Attributes& first, const Attributes& second) const;

    /// How far the centre of a particle is from a wall that it touches; `wall`: less than first_body.
    double distance_at_wall(const Attributes& of, BodyNumber wall) const {
        return shape(of.species) == nullptr ? of.radius : species_[of.species].to_wall[wall];
    }

    /// From the foot of its centre on a wall to the middle of where it touches the wall; 0 of a sphere.
    Vec3 offset_at_wall(const Attributes& of, BodyNumber wall) const {
        return shape(of.species) == nullptr ? Vec3{} : species_[of.species].from_foot[wall];
    }

    /// The same at bodies.
    const ShapesAtBodies& at_bodies() const { return at_bodies_; }

  private:
    struct OfSpecies {
        std::optional<Polytope> shape;  ///< none: a sphere
        std::optional<RoundedPair> with_spheres;
        std::array<double, first_body> to_wall{};
        std::array<Vec3, first_body> from_foot{};
    };
    ConvexTouch first_touch(Vec3 r, Vec3 u, const Attributes& first, const Attributes& second,
                            double horizon) const;
    const SharpPair& pair(SpeciesIndex first, SpeciesIndex second) const {
        return pairs_[first * species_.size() + second];
    }

    std::vector<OfSpecies> species_;  ///< empty where all are spheres
    std::vector<SharpPair> pairs_;    ///< of species in order; of spheres without planes
    ShapesAtBodies at_bodies_;
};

}  // namespace ricochet
