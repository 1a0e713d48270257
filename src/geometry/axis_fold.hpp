// SPDX-License-Identifier: BSD-3-Clause
//
// PathMidpoint (geometry/path.hpp) along one axis for a vector of particles, with the same bits.
#pragma once

#include <hwy/highway.h>

#include <limits>

#include "ricochet/model/box.hpp"

namespace ricochet::detail {

template <class Tag>
class AxisFold {
    using Vector = hwy::HWY_NAMESPACE::Vec<Tag>;

  public:
    AxisFold(const Box& box, int axis) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        const bool is_used = axis < box.dimension;
        const bool is_periodic = is_used && box.is_periodic(axis);
        length_ = is_used ? box.size[axis] : 0;
        shift_ = is_periodic ? length_ : 0;
        laps_per_length_ = is_periodic ? 1 / length_ : 0;
        least_ = is_periodic ? -infinite : 0;
        most_ = is_periodic ? infinite : length_;
    }

    /// Moves midpoints of straight paths into the box.
    HWY_ATTR HWY_INLINE Vector operator()(Vector middle) const {
        namespace hn = hwy::HWY_NAMESPACE;
        const Tag tag;
        const Vector shift = hn::Set(tag, shift_);
        middle = hn::Add(middle, hn::IfThenElseZero(hn::Lt(middle, hn::Zero(tag)), shift));
        middle = hn::Sub(middle, hn::IfThenElseZero(hn::Ge(middle, hn::Set(tag, length_)), shift));
        return hn::Min(hn::Max(middle, hn::Set(tag, least_)), hn::Set(tag, most_));
    }

    /// The same for midpoints that may lie several box lengths away.
    HWY_ATTR HWY_INLINE Vector from_afar(Vector middle) const {
        namespace hn = hwy::HWY_NAMESPACE;
        const Tag tag;
        const Vector laps = hn::Floor(hn::Mul(middle, hn::Set(tag, laps_per_length_)));
        return (*this)(hn::NegMulAdd(hn::Set(tag, shift_), laps, middle));
    }

  private:
    double length_, shift_, laps_per_length_, least_, most_;
};

}  // namespace ricochet::detail
