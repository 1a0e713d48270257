// SPDX-License-Identifier: BSD-3-Clause
//
// Bounding spheres in integer coordinates, for searches that sort spheres or divide space.
//
// Layout: along each axis the box is 2^32 units long. So coordinates of a periodic axis wrap by themselves, and
// differences are those of nearest images. Extents are rounded up and contain the slack of the search, which is
// larger than thousands of units.
//
// Why: what is in which cell, and which cell is the first that two spheres share, is then exact. Rounded
// coordinates could put one sphere into a cell and find the shared one beside it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "ricochet/model/box.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

using FixedPosition = std::array<std::uint32_t, 3>;

/// The cube about a bounding sphere.
struct FixedSphere {
    FixedPosition at{};
    FixedPosition extent{};  ///< half-widths; along a periodic axis 2^31 and more cover the axis

    std::int64_t low(std::size_t axis) const { return std::int64_t{at[axis]} - extent[axis]; }
    std::int64_t high(std::size_t axis) const { return std::int64_t{at[axis]} + extent[axis]; }
};

class FixedPoint {
  public:
    static constexpr std::int64_t length = std::int64_t{1} << 32;  ///< of the box along each axis

    /// `slack`: of the search, in units of length (BroadPhase::slack).
    FixedPoint(const Box& box, double slack) : slack_(slack) {
        for (std::size_t a = 0; a < 3; ++a) {
            const int axis = static_cast<int>(a);
            is_ring_[a] = box.is_periodic(axis);
            scale_[a] = axis < box.dimension ? static_cast<double>(length) / box.size[axis] : 0;
        }
    }

    bool is_ring(std::size_t axis) const { return is_ring_[axis]; }

    FixedSphere operator()(const BoundingSphere& sphere) const {
        const auto reach = static_cast<double>(sphere.reach);
        return {{at(sphere.x, 0), at(sphere.y, 1), at(sphere.z, 2)},
                {extent(reach, 0), extent(reach, 1), extent(reach, 2)}};
    }
    std::uint32_t at(float coordinate, std::size_t axis) const {
        const auto units =
            static_cast<std::int64_t>(std::floor(static_cast<double>(coordinate) * scale_[axis]));
        return static_cast<std::uint32_t>(is_ring_[axis] ? units : within(units));
    }
    /// At least reach + slack.
    std::uint32_t extent(double reach, std::size_t axis) const {
        constexpr double rounding = 2;
        const double units = (reach + slack_) * scale_[axis] + rounding;
        return static_cast<std::uint32_t>(std::min(std::ceil(units), static_cast<double>(length - 1)));
    }

    /// The lowest corner of what the cubes of two spheres share, in the image where they are nearest. The same
    /// in every call with the same order of the two. Any, if they share nothing.
    FixedPosition shared_corner(const FixedSphere& a, const FixedSphere& b) const {
        FixedPosition corner{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (!is_ring_[axis]) {
                corner[axis] = static_cast<std::uint32_t>(within(std::max(a.low(axis), b.low(axis))));
                continue;
            }
            const auto apart = static_cast<std::int32_t>(b.at[axis] - a.at[axis]);
            const std::int64_t low_of_b = std::int64_t{a.at[axis]} + apart - b.extent[axis];
            corner[axis] = static_cast<std::uint32_t>(std::max(a.low(axis), low_of_b));
        }
        return corner;
    }

    /// Whether the cube about the sphere meets [lower, lower + size) along the axis.
    bool meets(const FixedSphere& sphere, std::size_t axis, std::uint32_t lower, std::int64_t size) const {
        if (!is_ring_[axis])
            return within(sphere.low(axis)) < lower + size && within(sphere.high(axis)) >= lower;
        const auto low = static_cast<std::uint32_t>(sphere.low(axis));
        return std::int64_t{lower - low} <= 2 * std::int64_t{sphere.extent[axis]} ||
               std::int64_t{low - lower} < size;
    }

  private:
    static std::int64_t within(std::int64_t units) { return std::clamp<std::int64_t>(units, 0, length - 1); }

    double slack_;
    std::array<bool, 3> is_ring_{};
    std::array<double, 3> scale_{};  ///< units per length; 0 along the missing axis of two dimensions
};

}  // namespace ricochet
