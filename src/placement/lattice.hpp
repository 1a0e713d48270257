// SPDX-License-Identifier: BSD-3-Clause
//
// Regular sites that fill a box. All four lattices are layers perpendicular to the axes. In sc and square
// lattices every crossing of layers is a site. In fcc and hexagonal lattices it is every second crossing, as
// on a chessboard. Their layers are a/2 apart in fcc, and a/2 and a sqrt(3)/2 in the hexagonal lattice.
//
// Algorithm: the numbers of layers give enough sites, with the largest possible distance between nearest
// sites. Layers are spread evenly over the box. So a lattice is stretched a little where the box requires it,
// and has its exact shape where box and count allow. Along an axis with walls the outer layers keep a
// `margin` from them.
//
// Vacancies change a crystal's pressure. So a lattice with just as many sites as particles is taken where its
// spacing is nearly the widest. It must be wide enough for particles that must not touch.
//
// Sites are computed from their index, never stored: any rank can place any particle.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ricochet/model/box.hpp"

namespace ricochet {

enum class LatticeKind : std::uint8_t { sc, fcc, square, hexagonal };
std::string_view to_string(LatticeKind type);
/// 3 for sc and fcc, 2 for square and hexagonal.
int dimension_of(LatticeKind type);

class Lattice {
  public:
    /// The lattice of at least `count` sites with the widest spacing. One of exactly `count` sites is taken
    /// where its spacing is within 5 % of that, and beyond twice the margin. Sites keep `margin` from walls (a length,
    /// less than half of an axis with walls). O(count^(2/3)).
    /// Requires: count > 0; the box has the lattice's dimension.
    static Lattice widest(LatticeKind type, const Box& box, double margin, std::uint64_t count);

    std::uint64_t num_sites() const { return num_sites_; }
    /// The smallest distance between two sites, images included; infinity for a single site.
    double nearest_distance() const;
    /// All ways from a site to others that are not longer than `reach`, images included; near walls some lead nowhere.
    /// None: there are more than a million. Requires: reach is less than half of each periodic axis.
    std::optional<std::vector<Vec3>> ways_within(double reach) const;
    /// Site `index` < num_sites(): in [0, L), and at least `margin` from every wall in floating point too.
    Vec3 site(std::uint64_t index) const;

  private:
    Lattice(LatticeKind type, const Box& box, double margin, std::array<std::uint64_t, 3> layers);

    Box box_;
    double margin_;
    bool is_chessboard_;
    std::array<std::uint64_t, 3> layers_;  ///< across x, y, z
    Vec3 spacing_;                         ///< between layers
    std::uint64_t num_sites_;
};

}  // namespace ricochet
