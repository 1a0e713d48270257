// SPDX-License-Identifier: BSD-3-Clause
//
// Where the soft spheres of a dense start lie at first: at random, each independent of the others.
//
// Beside bodies a sphere takes the first proposal of its own sequence that keeps off them. Where there is none among
// many, its centre lies where particles may be, and the bodies push the sphere off.
#pragma once

#include <cstdint>

#include "geometry/body_room.hpp"
#include "placement/population.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet::detail {

class FirstPlaces {
  public:
    /// All outlive it. `bodies` may be null.
    FirstPlaces(const Box& box, const Population& population, const BodyRoom* bodies)
        : box_(box), population_(population), bodies_(bodies) {}

    /// The distance that a centre keeps from the walls of an axis.
    double room_at_wall(double radius, int axis) const;
    /// The place of a centre, a function of the id and the number of the draw. In draw 0 without bodies it is the first
    /// proposal of random placement. Up to 100,000 proposals.
    Vec3 drawn(ParticleId id, double radius, std::uint64_t draw) const;

  private:
    Vec3 proposal(ParticleId id, double radius, std::uint64_t attempt) const;

    const Box& box_;
    const Population& population_;
    const BodyRoom* bodies_;
};

}  // namespace ricochet::detail
