// SPDX-License-Identifier: BSD-3-Clause
//
// Where the spheres of a row of cells can overlap others. Part of the search for all pairs (cell_grid_pairs.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "search/cell_grid.hpp"
#include "search/cell_grid_filter.hpp"

namespace ricochet {

/// For consecutive spheres of a row: the cells in which each can overlap others, and the adjacent rows that
/// it can reach.
class CellGrid::RowReach {
  public:
    static constexpr std::size_t most_spheres = 128;
    /// Offsets (slow, middle) from a row to those of its stencil.
    static constexpr std::array<std::array<int, 2>, 4> offsets{{{0, 1}, {1, -1}, {1, 0}, {1, 1}}};

    /// A sphere whose interval extends beyond the ends of the row.
    struct Beyond {
        Place place;
        std::int32_t first, last;  ///< cells
    };

    RowReach(const CellGrid& grid, const Level& level)
        : slow_(grid.axis_data(grid.shape_.axis_order[0])),
          middle_(grid.axis_data(grid.shape_.axis_order[1])),
          fast_(grid.axis_data(grid.shape_.axis_order[2])),
          reach_(grid.reach_data()),
          others_(static_cast<float>(level.max_reach + 2 * grid.slack())),
          per_length_(static_cast<float>(level.inverse_edge[grid.shape_.axis_order[2]])),
          last_cell_(static_cast<std::int32_t>(grid.num_along(level, 2)) - 1),
          slow_edge_(grid.edge(level, 0)),
          middle_edge_(grid.edge(level, 1)) {}

    void enter_row(std::ptrdiff_t i, std::ptrdiff_t j) {
        high_slow_ = static_cast<float>(static_cast<double>(i + 1) * slow_edge_);
        low_middle_ = static_cast<float>(static_cast<double>(j) * middle_edge_);
        high_middle_ = static_cast<float>(static_cast<double>(j + 1) * middle_edge_);
    }

    /// Measures the spheres in [begin, end), at most most_spheres.
    HWY_ATTR void measure(Place begin, Place end) {
        const FloatTag tag;
        begin_ = begin;
        end_ = end;
        num_near_ = {};
        beyond_.clear();
        for (Place place = begin; place < end; place += static_cast<Place>(hn::Lanes(tag))) {
            const auto reach = hn::Add(hn::LoadU(tag, reach_ + place), hn::Set(tag, others_));
            measure_cells(place, reach);
            measure_rows(place, reach);
        }
    }

    Place begin() const { return begin_; }
    Place end() const { return end_; }
    /// The cells of the intervals, by place from begin() on, clipped to the row.
    const std::int32_t* first() const { return first_.data(); }
    const std::int32_t* last() const { return last_.data(); }
    /// The spheres that may reach into after[r].
    std::span<const Place> near(std::size_t r) const { return {near_[r].data(), num_near_[r]}; }
    std::span<const Beyond> beyond() const { return beyond_; }

  private:
    using Vector = hn::Vec<FloatTag>;
    /// Number of elements that may be stored after the last sphere.
    static constexpr std::size_t padding = 8;

    HWY_ATTR HWY_INLINE void measure_cells(Place place, Vector reach) {
        const FloatTag tag;
        const hn::Rebind<std::int32_t, FloatTag> cell_tag;
        const auto cell_at = [&](Vector along) HWY_ATTR {
            return hn::ConvertTo(cell_tag, hn::Floor(hn::Mul(along, hn::Set(tag, per_length_))));
        };
        const Vector along = hn::LoadU(tag, fast_ + place);
        const auto low = cell_at(hn::Sub(along, reach)), high = cell_at(hn::Add(along, reach));
        const auto first = hn::Zero(cell_tag), last = hn::Set(cell_tag, last_cell_);
        const auto clipped = [&](auto cell) HWY_ATTR { return hn::Min(hn::Max(cell, first), last); };
        hn::StoreU(clipped(low), cell_tag, &first_[place - begin_]);
        hn::StoreU(clipped(high), cell_tag, &last_[place - begin_]);
        const auto is_out = hn::RebindMask(tag, hn::Or(hn::Lt(low, first), hn::Gt(high, last)));
        for (std::size_t bits = bits_of(is_out, end_ - place); bits != 0; bits &= bits - 1) {
            const auto lane = static_cast<Place>(std::countr_zero(bits));
            beyond_.push_back({place + lane, hn::ExtractLane(low, lane), hn::ExtractLane(high, lane)});
        }
    }

    /// The distance to a row is that to its face or edge; the slack in the reach is more than its rounding.
    HWY_ATTR HWY_INLINE void measure_rows(Place place, Vector reach) {
        const FloatTag tag;
        const Vector zero = hn::Zero(tag);
        const Vector slow = hn::LoadU(tag, slow_ + place), middle = hn::LoadU(tag, middle_ + place);
        const Vector to_slow = hn::Max(zero, hn::Sub(hn::Set(tag, high_slow_), slow));
        const Vector to_low = hn::Max(zero, hn::Sub(middle, hn::Set(tag, low_middle_)));
        const Vector to_high = hn::Max(zero, hn::Sub(hn::Set(tag, high_middle_), middle));
        const Vector slow_squared = hn::Mul(to_slow, to_slow);
        const Vector reach_squared = hn::Mul(reach, reach);
        const auto places = hn::Iota(SlotTag(), place);
        const auto note = [&](std::size_t r, Vector squared) HWY_ATTR {
            const std::size_t is_near = bits_of(hn::Le(squared, reach_squared), end_ - place);
            num_near_[r] += store_set_lanes(places, is_near, near_[r].data() + num_near_[r]);
        };
        note(0, hn::Mul(to_high, to_high));
        note(1, hn::MulAdd(to_low, to_low, slow_squared));
        note(2, slow_squared);
        note(3, hn::MulAdd(to_high, to_high, slow_squared));
    }

    const float *slow_, *middle_, *fast_, *reach_;
    float others_, per_length_;
    std::int32_t last_cell_;
    double slow_edge_, middle_edge_;
    float high_slow_ = 0, low_middle_ = 0, high_middle_ = 0;
    Place begin_ = 0, end_ = 0;
    std::array<std::int32_t, most_spheres + padding> first_, last_;
    std::array<std::array<Place, most_spheres + padding>, offsets.size()> near_;
    std::array<std::size_t, offsets.size()> num_near_{};
    std::vector<Beyond> beyond_;
};

}  // namespace ricochet
