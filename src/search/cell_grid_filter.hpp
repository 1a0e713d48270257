// SPDX-License-Identifier: BSD-3-Clause
//
// The vector code that the pairs and the queries of a cell grid share: which balls of a range meet one ball.
#pragma once

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/core/prefetch.hpp"
#include "ricochet/search/cell_grid.hpp"

namespace ricochet {
namespace detail {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::CappedTag<float, 8>;
using SlotTag = hn::RebindToUnsigned<FloatTag>;

/// For every mask of eight lanes, the lanes that are set, from the lowest on; the rest is 0.
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

/// Stores the lanes whose bits are set, and something behind them, at `to`; returns their number. (What
/// Highway's CompressStore does. Its AVX2 form, compiled by GCC 12, copies its table of 1 kB to the stack in
/// every call.)
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

/// One ball in every lane. `reach` is enlarged by the slack.
struct BroadcastBall {
    using Vector = hn::Vec<FloatTag>;
    Vector x, y, z, reach;

    BroadcastBall(float the_x, float the_y, float the_z, float the_reach)
        : x(hn::Set(FloatTag(), the_x)),
          y(hn::Set(FloatTag(), the_y)),
          z(hn::Set(FloatTag(), the_z)),
          reach(hn::Set(FloatTag(), the_reach)) {}

    /// Which of the first `count` balls from these addresses on it meets, without regard to images, as bits.
    HWY_ATTR HWY_INLINE std::size_t meets(const float* xs, const float* ys, const float* zs,
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

/// Balls that outgrew their level and are looked at by every query; their copies stand behind the last
/// place.
inline constexpr std::size_t max_strays = 32;

/// Room behind the last place: strays, and what the filter loads beyond the end.
inline std::size_t padding() { return max_strays + hn::Lanes(FloatTag()); }

/// Reaches are enlarged by this factor in the filter, more than the rounding of a squared distance in float.
inline constexpr float reach_slack = 1.00001f;
/// And by this one where the largest of a level is meant, more than that of the filter.
inline constexpr double level_slack = 1.00002;

}  // namespace detail

using namespace detail;

/// A query made ready for the filter: everything broadcast once.
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
          own_reach(broadcast(radius + the_grid.slack_)) {}

    static Vector broadcast(double value) { return hn::Set(FloatTag(), static_cast<float>(value)); }

    template <bool has_images>
    Vector add_square(const float* at, Vector centre, int axis, Vector sum) const {
        Vector d = hn::Sub(hn::LoadU(FloatTag(), at), centre);
        if constexpr (has_images) {
            const Vector images = hn::Round(hn::Mul(d, broadcast(grid.images_.inverse[axis])));
            d = hn::NegMulAdd(broadcast(grid.images_.length[axis]), images, d);
        }
        return hn::MulAdd(d, d, sum);
    }

    /// Asks for what apply() reads first of a range that begins there.
    void fetch_ahead(Place begin) const {
        for (const float* const column : {x_of, y_of, z_of, reach_of}) prefetch(column + begin);
        prefetch(grid.order_.data() + begin);
    }

    /// Appends the slots of those balls in [begin, end), from `first` on, that come within the radius.
    /// has_images: distances are taken to the nearest image; otherwise the caller knows that no image is
    /// nearer.
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
