// SPDX-License-Identifier: BSD-3-Clause
//
// Whether particles of which some are no spheres have room on a lattice: beside each other, walls and bodies. Any
// particle may be on any site.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "geometry/body_room.hpp"
#include "geometry/shape_table.hpp"
#include "placement/lattice.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

class RoomOnLattice {
  public:
    explicit RoomOnLattice(const World& world);

    /// The widest lattice of a kind, or the full one that is nearly as wide: which of them has room. The first where
    /// none has. O(species^2 neighbours).
    std::pair<Lattice, bool> widest(LatticeKind kind, std::uint64_t count) const;
    /// Whether all kinds of particles keep off bodies at a site.
    bool keeps_off(Vec3 site) const;

  private:
    double margin() const;
    bool is_enough(const Lattice& lattice) const;
    bool is_enough(Vec3 way) const;
    double gap(Vec3 way, const Attributes& a, const Attributes& b) const;

    Box box_;
    ShapeTable shapes_;
    BodyRoom bodies_;
    std::vector<Attributes> kinds_;  ///< of each species a particle, as large as any
    double largest_ = 0;
};

}  // namespace ricochet
