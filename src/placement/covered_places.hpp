// SPDX-License-Identifier: BSD-3-Clause
//
// Places where no further sphere finds room: a bit for each small voxel of a strip of the box. Random placement asks
// it first, because most of its proposals overlap, and one bit is cheaper than a search for the sphere that they
// overlap.
//
// Invariant: a marked voxel lies entirely within the reach of one placed sphere, by more than rounding. So it decides
// nothing that the comparison of spheres would not decide in the same way. Unmarked voxels say nothing.
//
// Disadvantage: it knows the smallest radius only. Where radii differ much, few of the places are marked that are
// covered for large ones.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/sphere_grid.hpp"
#include "placement/near_pairs.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/box.hpp"

namespace ricochet::detail {

class CoveredPlaces {
  public:
    /// For proposals of radii from `smallest` on, with centres in the strip. Takes at most about `num_bits`.
    CoveredPlaces(const Box& box, const StripRange& strip, double smallest, std::uint64_t num_bits);

    /// Marks what a placed sphere covers: all centres closer to its own than its radius and the smallest.
    void cover(const Sphere& sphere);

    /// Whether a sphere with this centre in the strip overlaps a placed one for certain.
    bool contains(Vec3 centre) const { return is_covered(voxel_of(centre)); }
    /// The same in two parts, the voxel and its bit, with other work in between.
    std::uint64_t voxel_of(Vec3 centre) const {
        return layer_of(0, centre.x - low_) +
               num_[0] * (layer_of(1, centre.y) + num_[1] * layer_of(2, centre.z));
    }
    bool is_covered(std::uint64_t voxel) const {
        return (words_[static_cast<std::size_t>(voxel / 64)] >> (voxel % 64) & 1U) != 0;
    }
    /// Begins to load what is_covered() will read, so that many do not wait for memory one after another.
    void look_ahead(std::uint64_t voxel) const { prefetch(words_.data() + voxel / 64); }

  private:
    /// Voxels of one index along an axis.
    struct Layer {
        std::uint64_t voxel = 0;
        double squared_distance = 0;  ///< the largest along this axis
    };

    std::uint64_t layer_of(int axis, double x) const {
        const auto k = static_cast<std::int64_t>(x * per_length_[axis]);
        const auto n = static_cast<std::int64_t>(num_[static_cast<std::size_t>(axis)]);
        return static_cast<std::uint64_t>(k < 0 ? 0 : k < n ? k : n - 1);
    }
    void find_layers(int axis, double centre, double reach, std::vector<Layer>& layers) const;
    double farthest(int axis, std::int64_t voxel, double centre) const;
    bool wrap(int axis, std::int64_t& voxel) const;
    void cover_piece(double x, double half, std::uint64_t row);
    void cover_row(double centre, double half, std::uint64_t row);
    void mark(std::uint64_t first, std::uint64_t last);

    Box box_;
    double low_, smallest_, slack_;
    std::array<std::uint64_t, 3> num_{1, 1, 1};
    Vec3 edge_, per_length_;
    std::vector<std::uint64_t> words_;
    std::vector<Layer> across_y_, across_z_;  ///< of the latest sphere
};

}  // namespace ricochet::detail
