// SPDX-License-Identifier: BSD-3-Clause
//
// Vector code that the pairs and the queries of a cell grid share: which spheres of a range overlap one
// sphere.
#pragma once

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "search/cell_grid.hpp"

namespace ricochet {
namespace detail {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::CappedTag<float, 8>;
using SlotTag = hn::RebindToUnsigned<FloatTag>;

/// For every mask of eight lanes: the lanes that are set, in ascending order, then zeros.
inline constexpr auto set_lanes = [] {
    std::array<std::array<std::uint8_t, 8>, 256> lanes{};
    for (std::size_t mask = 0; mask < lanes.size(); ++mask) {
        std::size_t count = 0;
        for (std::uint8_t lane = 0; lane < 8; ++lane) {
            if (mask >> lane & 1) lanes[mask][count++] = lane;
        }
    }
    return lanes;
}();

/// Stores the lanes whose bits are set at `to`, followed by undefined elements; returns their number.
/// Highway's CompressStore does the same. But GCC 12 compiles its AVX2 form so that every call copies a table
/// of 1 kB to the stack.
HWY_ATTR HWY_INLINE std::size_t store_set_lanes(hn::Vec<SlotTag> slots, std::size_t bits, Slot* to) {
    const SlotTag tag;
    const hn::Rebind<std::uint8_t, SlotTag> byte_tag;
    const auto lanes = hn::PromoteTo(tag, hn::LoadU(byte_tag, set_lanes[bits].data()));
    hn::StoreU(hn::TableLookupLanes(slots, hn::IndicesFromVec(tag, lanes)), tag, to);
    return static_cast<std::size_t>(std::popcount(bits));
}

/// The first `count` lanes of a comparison as bits.
template <class Mask>
HWY_ATTR HWY_INLINE std::size_t bits_of(Mask mask, std::size_t count) {
    const FloatTag tag;
    std::uint64_t bits = 0;
    hn::StoreMaskBits(tag, hn::And(mask, hn::FirstN(tag, count)), reinterpret_cast<std::uint8_t*>(&bits));
    return bits;
}

/// One sphere in every lane. The slack is part of `reach`.
struct BroadcastSphere {
    using Vector = hn::Vec<FloatTag>;
    Vector x, y, z, reach;

    BroadcastSphere(float the_x, float the_y, float the_z, float the_reach)
        : x(hn::Set(FloatTag(), the_x)),
          y(hn::Set(FloatTag(), the_y)),
          z(hn::Set(FloatTag(), the_z)),
          reach(hn::Set(FloatTag(), the_reach)) {}

    /// Which of the first `count` spheres at these addresses it overlaps, as bits. Images are not considered.
    HWY_ATTR HWY_INLINE std::size_t touches(const float* xs, const float* ys, const float* zs,
                                            const float* reaches, std::size_t count) const {
        const FloatTag tag;
        const Vector dx = hn::Sub(hn::LoadU(tag, xs), x);
        const Vector dy = hn::Sub(hn::LoadU(tag, ys), y);
        const Vector dz = hn::Sub(hn::LoadU(tag, zs), z);
        const Vector squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
        const Vector sum = hn::Add(hn::LoadU(tag, reaches), reach);
        return bits_of(hn::Le(squared, hn::Mul(sum, sum)), count);
    }
};

/// Spheres that outgrew their level. Every query tests them; their copies follow the last place.
inline constexpr std::size_t max_outliers = 32;

/// Room after the last place: outliers, and what the filter loads beyond the end.
inline std::size_t padding() { return max_outliers + hn::Lanes(FloatTag()); }

}  // namespace detail

using namespace detail;

/// A query prepared for the filter: everything broadcast once.
struct CellGrid::Filter {
    using Vector = hn::Vec<FloatTag>;
    const CellGrid& grid;
    std::vector<Slot>& found;
    Place first;
    const float *x_of, *y_of, *z_of, *reach_of;  ///< by place
    Vector x, y, z, own_reach;

    Filter(const CellGrid& the_grid, Vec3 centre, double radius, Place the_first,
           std::vector<Slot>& the_found)
        : grid(the_grid),
          found(the_found),
          first(the_first),
          x_of(the_grid.axis_data(0)),
          y_of(the_grid.axis_data(1)),
          z_of(the_grid.axis_data(2)),
          reach_of(the_grid.reach_data()),
          x(broadcast(centre.x)),
          y(broadcast(centre.y)),
          z(broadcast(centre.z)),
          own_reach(broadcast(radius + the_grid.slack())) {}

    static Vector broadcast(double value) { return hn::Set(FloatTag(), static_cast<float>(value)); }

    template <bool has_images>
    Vector add_square(const float* at, Vector centre, int axis, Vector sum) const {
        Vector d = hn::Sub(hn::LoadU(FloatTag(), at), centre);
        if constexpr (has_images) {
            const Vector images = hn::Round(hn::Mul(d, broadcast(grid.frame_images_.inverse[axis])));
            d = hn::NegMulAdd(broadcast(grid.frame_images_.length[axis]), images, d);
        }
        return hn::MulAdd(d, d, sum);
    }

    /// Prefetches what apply() reads first for a range from `begin`.
    void fetch_ahead(Place begin) const {
        for (const float* const column : {x_of, y_of, z_of, reach_of}) prefetch(column + begin);
        prefetch(grid.order_.data() + begin);
    }

    /// Appends the slots, from `first` on, of the spheres in [begin, end) that come within the radius. With
    /// has_images, distances are those of nearest images; otherwise the caller knows that no image is nearer.
    template <bool has_images>
    HWY_ATTR void apply(Place begin, Place end) const {
        const FloatTag tag;
        const auto lanes = static_cast<Place>(hn::Lanes(tag));
        for (Place place = std::max(begin, first); place < end; place += lanes) {
            Vector squared = hn::Zero(tag);
            squared = add_square<has_images>(x_of + place, x, 0, squared);
            squared = add_square<has_images>(y_of + place, y, 1, squared);
            squared = add_square<has_images>(z_of + place, z, 2, squared);
            const Vector reach = hn::Add(hn::LoadU(tag, reach_of + place), own_reach);
            const auto inside = hn::Le(squared, hn::Mul(reach, reach));
            for (std::size_t bits = bits_of(inside, end - place); bits != 0; bits &= bits - 1)
                found.push_back(grid.order_[place + static_cast<Place>(std::countr_zero(bits))]);
        }
    }
};

}  // namespace ricochet
