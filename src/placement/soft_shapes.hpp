// SPDX-License-Identifier: BSD-3-Clause
//
// How shapes repel each other and spheres in a dense start: what the relaxation (soft_spheres.hpp) asks of them.
//
// Energy: the sum over pairs of (p/D)^2/2 (2 - s), with s = r^2/R^2. Here r is the distance of the centres, and R
// the sum of the radii of the spheres around the shapes. The depth p is the least way out. The sum of one shape and
// the other one reversed holds all separations that overlap, and p is the distance to the nearest of its planes. So
// all pairs of shapes are about equally stiff, whatever their widths, as suits FIRE.
//
// Faces bulge: p counts from a margin, which is larger by 0.03 (1 - s) of the widths. Without that, and without the
// factor 2 - s, forces would be along normals alone. Then a cube pressed between two others would not move aside.
// Only true overlaps must end, so that bulges take no room from the densest start.
//
// Invariant: a pair is computed from the lower id to the higher one. So its force is one expression on all ranks.
//
// Disadvantage: the force turns at once where two planes are equally near. The energy has a ridge there, on which none
// comes to rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/body_push.hpp"
#include "geometry/shape_table.hpp"
#include "placement/near_pairs.hpp"
#include "placement/population.hpp"
#include "ricochet/model/box.hpp"

namespace ricochet::detail {

/// Two balls, one of them around a shape.
struct ShapedPair {
    std::uint32_t low = 0, high = 0;  ///< indices of balls, by ids
    SpeciesIndex of_low = 0, of_high = 0;
};

/// How near two are.
struct ShapedGap {
    Vec3 r;              ///< from the lower id to the higher one, like the normal
    Vec3 normal;         ///< of length 1
    double gap = 0;      ///< a length; negative where they overlap
    double radii = 0;    ///< the sum of those of the spheres around them
    double widths = 0;   ///< the sum of those of the spheres within them
    double largest = 0;  ///< they repel each other in no larger gap

    /// By the test of random placement.
    bool is_overlap() const;
};

struct ShapedForce {
    double depth = 0;  ///< p/D; none repel each other where it is not positive
    Vec3 on_high;      ///< in the units of soft spheres; the lower id has the reverse
};

class SoftShapes {
  public:
    /// `table` outlives it. `inflation`: by which part of its width a particle is larger while it repels.
    SoftShapes(const Box& box, const ShapeTable& table, const Population& population, double inflation);

    bool has_shape(SpeciesIndex of) const { return table_.shape(of) != nullptr; }
    bool has_shape(const ShapedPair& pair) const { return table_.has_shape(pair.of_low, pair.of_high); }
    /// The radius of the sphere of the same volume.
    double size(SpeciesIndex of, double radius) const { return has_shape(of) ? sizes_[of] : radius; }
    /// Bodies repel a shape in a smaller gap.
    double margin(SpeciesIndex of) const { return inflation_ * widths_[of]; }
    ShapedGap gap_of(const ShapedPair& pair, const Ball& low, const Ball& high) const;
    /// `unit`: the length D.
    ShapedForce force_of(const ShapedGap& gap, double unit) const;
    /// What gap_of() costs, in planes, edges and corners.
    std::size_t num_parts(const ShapedPair& pair) const {
        return table_.num_parts(pair.of_low, pair.of_high);
    }
    /// By which part the two would have to be smaller, along the normal.
    double overlap_part(const ShapedPair& pair, const Ball& low, const Ball& high) const;
    double overlap_part(SpeciesIndex of, const BodyPush& push) const;

  private:
    double width(SpeciesIndex of, double radius) const { return has_shape(of) ? widths_[of] : radius; }
    /// The farthest that it reaches.
    double reach(SpeciesIndex of, double radius, Vec3 way) const {
        return has_shape(of) ? support(table_.shape(of)->corners, way) : radius;
    }

    const ShapeTable& table_;
    ImageLengths images_;
    double inflation_;
    std::vector<double> sizes_,
        widths_;  ///< by species: radii of spheres of the same volume, and within the shape
};

}  // namespace ricochet::detail
