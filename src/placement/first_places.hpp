// SPDX-License-Identifier: BSD-3-Clause
//
// Where the soft spheres of a dense start lie at first: at random, each independent of the others.
//
// Beside bodies a sphere takes the first proposal of its own sequence that keeps off them. Where there is none among
// many, its centre lies where particles may be, and the bodies push the sphere off.
#pragma once

#include <cstdint>

#include "geometry/body_room.hpp"
#include "geometry/shape_table.hpp"
#include "model/box_fit.hpp"
#include "placement/population.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet::detail {

/// Centres keep this many radii from walls where there is room.
inline constexpr double wall_gap = 1.0005;

class FirstPlaces {
  public:
    /// All outlive it. `bodies` may be null, and `shapes` where all are spheres.
    FirstPlaces(const Box& box, const Population& population, const BodyRoom* bodies,
                const ShapeTable* shapes)
        : box_(box), population_(population), bodies_(bodies), shapes_(shapes) {}

    /// The place nearest to x on an axis with walls where a sphere keeps off both.
    double off_walls(double radius, int axis, double x) const {
        return confined(x, room_at_wall(radius, axis), box_.size[axis]);
    }
    /// The same of a shape, which may reach farther to one of them.
    double shape_off_walls(SpeciesIndex species, double radius, int axis, double x) const;
    /// The place of a centre, a function of the id and the number of the draw. In draw 0 without bodies it is the first
    /// proposal of random placement. Up to 100,000 proposals.
    Vec3 drawn(ParticleId id, double radius, std::uint64_t draw) const;

  private:
    double room_at_wall(double radius, int axis) const {
        return 2 * wall_gap * radius < box_.size[axis] ? wall_gap * radius : radius;
    }
    double place_between_walls(ParticleId id, double radius, int axis, double u) const;
    Vec3 proposal(ParticleId id, double radius, std::uint64_t attempt) const;

    const Box& box_;
    const Population& population_;
    const BodyRoom* bodies_;
    const ShapeTable* shapes_;
};

}  // namespace ricochet::detail
