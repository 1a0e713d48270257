// SPDX-License-Identifier: BSD-3-Clause
//
// Names of cells in a tree of fixed geometry. The root is the cube on the box's longest edge, in two dimensions the
// square, with its lower corner at the origin. A cell is halved along each axis.
//
// Layout: a key has one digit per level, the highest first. A digit has one bit per axis, x the lowest: it is the
// number of the octant. A cell is the range of keys with its digits (Morton 1966; Warren & Salmon, Supercomputing
// 1993). So particles in the order of their keys are in depth-first order of all cells.
//
// A cube, because halves of a long box would stay long: their moments serve only far away. Places beyond the box, by
// rounding at a wall, belong to the last cell.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "ricochet/model/box.hpp"

namespace ricochet {

using CellKey = std::uint64_t;

class CellKeys {
  public:
    explicit CellKeys(const Box& box)
        : dimension_(box.dimension),
          per_length_(static_cast<double>(std::int64_t{1} << num_levels()) /
                      std::max({box.size.x, box.size.y, box.size.z})) {}

    int dimension() const { return dimension_; }
    /// Below the root, 21 or 31.
    int num_levels() const { return dimension_ == 2 ? 31 : 21; }
    /// Bits of a digit.
    int digit_bits() const { return dimension_; }
    unsigned num_children() const { return 1u << dimension_; }

    /// The key of the deepest cell that contains the place.
    /// Requires: the place is finite.
    CellKey key_of(Vec3 place) const {
        CellKey key = 0;
        for (int axis = 0; axis < dimension_; ++axis) key |= spread(column_of(place[axis])) << axis;
        return key;
    }

    /// By how many bits a key is shifted so that its last digit is the first in which the two differ.
    /// Requires: they differ.
    int shift_of_first_difference(CellKey a, CellKey b) const {
        return (63 - std::countl_zero(a ^ b)) / dimension_ * dimension_;
    }
    /// The level of the smallest cell that contains both; the number of levels for equal keys.
    int common_level(CellKey a, CellKey b) const {
        return a == b ? num_levels() : num_levels() - 1 - shift_of_first_difference(a, b) / dimension_;
    }
    /// The first key in the cell of this level around the key.
    CellKey first_key(CellKey key, int level) const {
        const int shift = (num_levels() - level) * dimension_;
        return key >> shift << shift;  // at most 63 bits
    }
    /// The last key in it.
    CellKey last_key(CellKey key, int level) const {
        return first_key(key, level) | ((CellKey{1} << (num_levels() - level) * dimension_) - 1);
    }

  private:
    std::uint64_t column_of(double coordinate) const {
        const auto most = static_cast<double>((std::int64_t{1} << num_levels()) - 1);
        const double column = coordinate * per_length_;
        return static_cast<std::uint64_t>(std::min(std::max(column, 0.0), most));
    }
    /// The bits of a number with room for the other axes between them.
    std::uint64_t spread(std::uint64_t n) const { return dimension_ == 2 ? spread_by_1(n) : spread_by_2(n); }
    static std::uint64_t spread_by_1(std::uint64_t n) {
        n = (n | n << 16) & 0x0000ffff0000ffffu;
        n = (n | n << 8) & 0x00ff00ff00ff00ffu;
        n = (n | n << 4) & 0x0f0f0f0f0f0f0f0fu;
        n = (n | n << 2) & 0x3333333333333333u;
        return (n | n << 1) & 0x5555555555555555u;
    }
    static std::uint64_t spread_by_2(std::uint64_t n) {
        n = (n | n << 32) & 0x001f00000000ffffu;
        n = (n | n << 16) & 0x001f0000ff0000ffu;
        n = (n | n << 8) & 0x100f00f00f00f00fu;
        n = (n | n << 4) & 0x10c30c30c30c30c3u;
        return (n | n << 2) & 0x1249249249249249u;
    }

    int dimension_;
    double per_length_;  ///< deepest cells per length
};

}  // namespace ricochet
