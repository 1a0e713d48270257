// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/path_bounds.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "geometry/axis_fold.hpp"
#include "geometry/motion_columns.hpp"
#include "geometry/radius_column.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t num_lanes = hn::MaxLanes(Tag());
constexpr double infinity = std::numeric_limits<double>::infinity();

HWY_ATTR HWY_INLINE Vector fma(Vector a, Vector b, Vector c) {
#if HWY_TARGET == HWY_SCALAR  // whose MulAdd rounds twice
    return Vector(std::fma(a.raw, b.raw, c.raw));
#else
    return hn::MulAdd(a, b, c);
#endif
}

/// Masks of a vector of particles, bit k for the k-th: its midpoint is not in the inner part, not in the slab.
struct Outer {
    std::uint64_t near, outside;
};

/// Goes through the particles, a vector at a time.
class PathBounder {
  public:
    HWY_ATTR PathBounder(const Box& box, double dt, const InnerPart& inner, const InnerPart& slab)
        : fold_(box, 0),
          dt_(dt),
          inner_(inner),
          slab_(slab),
          displacement_(hn::Zero(Tag())),
          radius_(hn::Zero(Tag())),
          largest_(hn::Zero(Tag())),
          second_(hn::Zero(Tag())) {}

    /// Adds a vector of particles, of a rank that has the whole box.
    HWY_ATTR HWY_INLINE void add_inner(const Motion* motions, Vector radius) {
        add_speeds(detail::MotionColumns<Tag>(motions), radius);
    }
    /// Adds a vector of particles.
    HWY_ATTR HWY_INLINE Outer add(const Motion* motions, Vector radius) {
        const Tag tag;
        const detail::MotionColumns<Tag> of(motions);
        add_speeds(of, radius);
        const Vector x = fold_(fma(of.velocity_x, hn::Set(tag, 0.5 * dt_), of.x));
        const std::uint64_t near = not_in(inner_, x);
        return {near, near == 0 ? 0 : not_in(slab_, x)};
    }

    /// The extremes; in the two largest extents, a lane knows only of its own.
    HWY_ATTR PathBounds extremes() const {
        const Tag tag;
        PathBounds path_bounds;
        path_bounds.max_displacement = hn::GetLane(hn::MaxOfLanes(tag, displacement_));
        path_bounds.max_radius = hn::GetLane(hn::MaxOfLanes(tag, radius_));
        std::array<double, 2 * num_lanes> extents;
        hn::StoreU(largest_, tag, extents.data());
        hn::StoreU(second_, tag, extents.data() + num_lanes);
        for (const double extent : extents) {
            path_bounds.second_extent =
                std::max(path_bounds.second_extent, std::min(path_bounds.largest_extent, extent));
            path_bounds.largest_extent = std::max(path_bounds.largest_extent, extent);
        }
        return path_bounds;
    }

  private:
    HWY_ATTR HWY_INLINE static std::uint64_t not_in(const InnerPart& part, Vector x) {
        const Tag tag;
        const auto is_in = hn::And(hn::Ge(x, hn::Set(tag, part.low)), hn::Lt(x, hn::Set(tag, part.high)));
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(tag, is_in, bits);
        return ~std::uint64_t{bits[0]} & ((std::uint64_t{1} << num_lanes) - 1);
    }
    HWY_ATTR HWY_INLINE static Vector norm_of(Vector x, Vector y, Vector z) {
        return hn::Sqrt(fma(z, z, fma(y, y, hn::Mul(x, x))));
    }
    HWY_ATTR HWY_INLINE void add_speeds(const detail::MotionColumns<Tag>& of, Vector radius) {
        const Tag tag;
        const Vector speed = norm_of(of.velocity_x, of.velocity_y, of.velocity_z);
        const Vector distance = hn::Mul(speed, hn::Set(tag, dt_));
        const Vector infinite = hn::Set(tag, infinity);
        const Vector displacement = hn::IfThenElse(hn::Lt(distance, infinite), distance, infinite);
        const Vector extent = hn::Add(displacement, radius);
        displacement_ = hn::Max(displacement_, displacement);
        radius_ = hn::Max(radius_, radius);
        second_ = hn::Max(second_, hn::Min(largest_, extent));
        largest_ = hn::Max(largest_, extent);
    }

    detail::AxisFold<Tag> fold_;
    double dt_;
    InnerPart inner_, slab_;
    Vector displacement_, radius_, largest_, second_;
};

}  // namespace

InnerPart inner_part(const SlabDecomposition& slabs, int rank, const FaceMargins& margins) {
    if (slabs.num_slabs() == 1) return {};
    return {slabs.low(rank) + margins.lower, slabs.high(rank) - margins.upper};
}

HWY_ATTR PathBounds bounds_of_paths(const Particles& particles, double dt, const Box& box,
                                    const InnerPart& inner, const InnerPart& slab) {
    const std::size_t size = particles.size();
    if (size > std::numeric_limits<std::uint32_t>::max())
        throw RunError("one rank has " + std::to_string(size) +
                       " particles, more than it can number: use more ranks");
    const bool has_outer = inner.low > -infinity || inner.high < infinity;
    std::vector<std::uint32_t> near, outside;
    PathBounder bounder(box, dt, inner, slab);
    const auto note = [&](Outer outer, std::size_t first) {
        for (std::size_t k = first; outer.near != 0 && k < size; ++k) {
            if (outer.near & 1) near.push_back(static_cast<std::uint32_t>(k));
            if (outer.outside & 1) outside.push_back(static_cast<std::uint32_t>(k));
            outer.near >>= 1;
            outer.outside >>= 1;
        }
    };
    const detail::RadiusColumn<Tag> radii_from(particles.attributes);
    std::size_t k = 0;
    if (has_outer)
        for (; k + num_lanes <= size; k += num_lanes)
            note(bounder.add(&particles.motion[k], radii_from(k)), k);
    else
        for (; k + num_lanes <= size; k += num_lanes) bounder.add_inner(&particles.motion[k], radii_from(k));
    if (k < size) {
        // Padding lanes have zero radius and velocity, so they change no maximum.
        std::array<Motion, num_lanes> motions{};
        std::copy_n(&particles.motion[k], size - k, motions.begin());
        const Outer outer = bounder.add(motions.data(), radii_from.last(k));
        if (has_outer) note(outer, k);
    }
    PathBounds path_bounds = bounder.extremes();
    path_bounds.near = std::move(near);
    path_bounds.outside = std::move(outside);
    return path_bounds;
}

void follow_migration(std::size_t size_before, std::size_t size_after, std::vector<std::uint32_t>& near) {
    near.erase(std::lower_bound(near.begin(), near.end(), size_after), near.end());
    const std::size_t num_known = near.size();
    near.resize(num_known + (size_after > size_before ? size_after - size_before : 0));
    std::iota(near.begin() + static_cast<std::ptrdiff_t>(num_known), near.end(),
              static_cast<std::uint32_t>(size_before));
}

}  // namespace ricochet
