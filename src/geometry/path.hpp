// SPDX-License-Identifier: BSD-3-Clause
//
// The straight path of a particle over one step, and its midpoint. Cells, slices, slabs and the halo are all
// defined by midpoints. A path of length d stays within d/2 of its midpoint, which halves the reach that a
// search needs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ricochet/core/check.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// Wraps x into [0, length) and counts the box lengths: x + image * length is unchanged up to two roundings.
/// A coordinate just below 0 that rounds to `length` when shifted becomes 0, with its count unchanged.
/// Contacts may carry a particle several lengths in one step.
inline void wrap_counting(double& x, double length, std::int64_t& image) {
    RICOCHET_DCHECK_GT(length, 0);
    if (x < -length || x >= 2 * length) {
        const double laps = std::floor(x / length);
        x = std::fma(-laps, length, x);
        image += static_cast<std::int64_t>(laps);
    }
    if (x < 0) {
        x += length;
        --image;
    }
    if (x >= length) {
        x -= length;
        ++image;
    }
}

/// x wrapped into [0, length).
inline double wrapped(double x, double length) {
    std::int64_t image = 0;
    wrap_counting(x, length, image);
    return x;
}

/// Applies wrap_counting along all periodic axes, after a quick test that most particles need no wrap.
class PeriodicWrap {
  public:
    explicit PeriodicWrap(const Box& box) : box_(box) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        for (int axis = 0; axis < 3; ++axis) {
            low_[axis] = box.is_periodic(axis) ? 0 : -infinite;
            high_[axis] = box.is_periodic(axis) ? box.size[axis] : infinite;
        }
    }
    bool is_inside(Vec3 x) const {
        return x.x >= low_.x && x.x < high_.x && x.y >= low_.y && x.y < high_.y && x.z >= low_.z &&
               x.z < high_.z;
    }
    void operator()(Vec3& x, std::array<std::int64_t, 3>& image) const {
        for (int axis = 0; axis < box_.dimension; ++axis) {
            if (box_.is_periodic(axis))
                wrap_counting(x[axis], box_.size[axis], image[static_cast<std::size_t>(axis)]);
        }
    }

  private:
    Box box_;
    Vec3 low_, high_;
};

/// The midpoints, in the box, of the paths of particles in a step of length dt without contacts.
///
/// A midpoint's coordinate is wrapped along a periodic axis. Along an axis with walls it is projected onto
/// the box. Projection onto a convex set increases no distance: the part of the path inside the box stays
/// within half its length of the result.
class PathMidpoint {
  public:
    PathMidpoint(const Box& box, double dt) : half_(0.5 * dt) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        for (int axis = 0; axis < box.dimension; ++axis) {
            const bool is_periodic = box.is_periodic(axis);
            length_[axis] = box.size[axis];
            shift_[axis] = is_periodic ? box.size[axis] : 0;
            least_[axis] = is_periodic ? -infinite : 0;
            most_[axis] = is_periodic ? infinite : box.size[axis];
        }
    }

    Vec3 operator()(const Motion& motion) const {
        const Vec3 middle = advanced(motion.position, motion.velocity, half_);
        return {folded(middle.x, 0), folded(middle.y, 1), folded(middle.z, 2)};
    }
    /// The midpoint's x, with the same bits.
    double x(const Motion& motion) const {
        return folded(std::fma(motion.velocity.x, half_, motion.position.x), 0);
    }

  private:
    /// Free of branches on the kind of the axis: every particle needs this in every step.
    double folded(double middle, int axis) const {
        middle += middle < 0 ? shift_[axis] : 0;
        middle -= middle >= length_[axis] ? shift_[axis] : 0;
        return std::min(std::max(middle, least_[axis]), most_[axis]);
    }

    double half_;
    Vec3 length_, shift_, least_, most_;
};

}  // namespace ricochet
