// SPDX-License-Identifier: BSD-3-Clause
//
// Sorts the bounding spheres into places: finds the level and the cell of each, then sorts by counting.
//
// Nearly all spheres belong to level 0. So whole vectors are treated as such, and other spheres of a vector
// one by one. Monotone expressions in single precision convert coordinates to the frame and to cells. Their
// error is less than 1e-6 box lengths; the slack of the queries covers it.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "ricochet/core/array_memory.hpp"
#include "search/cell_grid.hpp"
#include "search/cell_grid_filter.hpp"

namespace ricochet {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// A vector of spheres, with one vector per coordinate.
struct SphereVectors {
    hn::Vec<FloatTag> x, y, z, reach;
    HWY_ATTR HWY_INLINE explicit SphereVectors(const BoundingSphere* spheres) {
        hn::LoadInterleaved4(FloatTag(), reinterpret_cast<const float*>(spheres), x, y, z, reach);
    }
};

}  // namespace

/// Converts x to the coordinates of the grid, which begin at the lower end of the domain.
class CellGrid::Frame {
  public:
    explicit Frame(const CellGrid& grid) {
        if (!grid.is_part_) return;
        lower_ = static_cast<float>(grid.frame_lower_);
        if (!grid.box_.is_periodic(0)) return;
        const double gap = 0.5 * (grid.box_.size.x - grid.frame_size_.x);
        length_ = static_cast<float>(grid.box_.size.x);
        least_ = static_cast<float>(-gap);
        end_ = static_cast<float>(grid.frame_size_.x + gap);
    }
    float operator()(float x) const {
        x -= lower_;
        if (x < least_) x += length_;
        if (x >= end_) x -= length_;
        return x;
    }
    HWY_ATTR HWY_INLINE hn::Vec<FloatTag> operator()(hn::Vec<FloatTag> x) const {
        const FloatTag tag;
        const auto length = hn::Set(tag, length_);
        x = hn::Sub(x, hn::Set(tag, lower_));
        x = hn::Add(x, hn::IfThenElseZero(hn::Lt(x, hn::Set(tag, least_)), length));
        return hn::Sub(x, hn::IfThenElseZero(hn::Ge(x, hn::Set(tag, end_)), length));
    }

  private:
    float lower_ = 0, length_ = 0, least_ = -infinity, end_ = infinity;
};

/// Finds the cell of a midpoint in the frame. Copies its data, so that they stay in registers.
class CellGrid::CellLocator {
  public:
    CellLocator() = default;
    explicit CellLocator(const Level& level) : first_cell_(static_cast<std::uint32_t>(level.first_cell)) {
        for (std::size_t a = 0; a < 3; ++a) {
            per_length_[a] = static_cast<float>(level.inverse_edge[static_cast<int>(a)]);
            stride_[a] = static_cast<std::uint32_t>(level.stride[a]);
            last_[a] = static_cast<std::int32_t>(level.num_cells[a]) - 1;
        }
    }
    std::uint32_t operator()(float x, float y, float z) const {
        return first_cell_ + along(0, x) + along(1, y) + along(2, z);
    }
    HWY_ATTR HWY_INLINE hn::Vec<SlotTag> operator()(hn::Vec<FloatTag> x, hn::Vec<FloatTag> y,
                                                    hn::Vec<FloatTag> z) const {
        return hn::Add(hn::Add(hn::Set(SlotTag(), first_cell_), along(0, x)),
                       hn::Add(along(1, y), along(2, z)));
    }

  private:
    std::uint32_t along(std::size_t a, float at) const {
        const auto cell = static_cast<std::int32_t>(at * per_length_[a]);
        return stride_[a] * static_cast<std::uint32_t>(std::clamp(cell, 0, last_[a]));
    }
    HWY_ATTR HWY_INLINE hn::Vec<SlotTag> along(std::size_t a, hn::Vec<FloatTag> at) const {
        const hn::Rebind<std::int32_t, FloatTag> tag;
        auto cell = hn::ConvertTo(tag, hn::Mul(at, hn::Set(FloatTag(), per_length_[a])));
        cell = hn::Min(hn::Max(cell, hn::Zero(tag)), hn::Set(tag, last_[a]));
        return hn::Mul(hn::BitCast(SlotTag(), cell), hn::Set(SlotTag(), stride_[a]));
    }

    std::array<float, 3> per_length_{};
    std::array<std::uint32_t, 3> stride_{};
    std::array<std::int32_t, 3> last_{};
    std::uint32_t first_cell_ = 0;
};

Vec3 CellGrid::in_frame(const BoundingSphere& sphere) const {
    if (is_rolled_up()) return rolled_up(sphere).midpoint();
    return {Frame(*this)(sphere.x), sphere.y, sphere.z};
}

int CellGrid::level_of(float reach) const {
    if (reach <= level_0_reach()) return 0;
    const int doublings =
        std::ilogb(reach / level_0_reach());  // the largest int where the quotient overflows
    return 1 + std::min(max_levels - 2, doublings);
}

/// Counts the spheres of each level, and finds the largest reach of each and the mean of all.
HWY_ATTR void CellGrid::tally_reaches() {
    const FloatTag tag;
    const std::size_t lanes = hn::Lanes(tag), whole = spheres_.size() / lanes * lanes;
    const auto most = hn::Set(tag, level_0_reach());
    auto largest = hn::Zero(tag), sums = largest;
    const auto add = [&](float reach) {
        const auto l = static_cast<std::size_t>(level_of(reach));
        ++level_size_[l];
        levels_[l].max_reach = std::max(levels_[l].max_reach, static_cast<double>(reach));
    };
    for (std::size_t k = 0; k < whole; k += lanes) {
        const auto reach = SphereVectors(&placed_[k]).reach;
        const auto is_of_level_0 = hn::Le(reach, most);
        largest = hn::Max(largest, hn::IfThenElseZero(is_of_level_0, reach));
        sums = hn::Add(sums, reach);
        for (auto others = bits_of(hn::Not(is_of_level_0), lanes); others != 0; others &= others - 1)
            add(spheres_[k + static_cast<std::size_t>(std::countr_zero(others))].reach);
    }
    levels_[0].max_reach = static_cast<double>(hn::GetLane(hn::MaxOfLanes(tag, largest)));
    double sum = static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, sums)));
    level_size_[0] = whole;
    for (std::size_t l = 1; l < level_size_.size(); ++l) level_size_[0] -= level_size_[l];
    for (std::size_t k = whole; k < spheres_.size(); ++k) {
        add(spheres_[k].reach);
        sum += static_cast<double>(spheres_[k].reach);
    }
    latest_mean_reach_ = spheres_.empty() ? 0 : sum / static_cast<double>(spheres_.size());
}

/// Counts the spheres of every cell in the place of the cell's start, and stores each sphere's cell as its
/// place.
HWY_ATTR void CellGrid::sort_into_cells() {
    const FloatTag tag;
    std::array<CellLocator, max_levels> locators;
    for (std::size_t l = 0; l < locators.size(); ++l) locators[l] = CellLocator(levels_[l]);
    const Frame frame(*this);
    const CellLocator locator = locators[0];
    const std::size_t lanes = hn::Lanes(tag), whole = spheres_.size() / lanes * lanes;
    const auto most = hn::Set(tag, level_0_reach());
    const auto locate = [&](std::size_t k) {
        const BoundingSphere& sphere = placed_[k];
        place_[k] =
            locators[static_cast<std::size_t>(level_of(sphere.reach))](frame(sphere.x), sphere.y, sphere.z);
    };
    resize_for_overwrite(place_, spheres_.size());
    for (std::size_t k = 0; k < whole; k += lanes) {
        const SphereVectors spheres(&placed_[k]);
        hn::StoreU(locator(frame(spheres.x), spheres.y, spheres.z), SlotTag(), &place_[k]);
        for (auto others = bits_of(hn::Gt(spheres.reach, most), lanes); others != 0; others &= others - 1)
            locate(k + static_cast<std::size_t>(std::countr_zero(others)));
        for (std::size_t lane = 0; lane < lanes; ++lane) ++cell_start_[place_[k + lane]];
    }
    for (std::size_t k = whole; k < spheres_.size(); ++k) {
        locate(k);
        ++cell_start_[place_[k]];
    }
}

void CellGrid::sort_into_places() {
    sort_into_cells();
    // The sums are the ends of the cells. Filling cells from behind turns each into the cell's start.
    Place end = 0;
    for (Place& place : cell_start_) place = end += place;
    const std::size_t num_spheres = spheres_.size();
    resize_for_overwrite(order_, num_spheres + padding());
    columns_.make_room(num_spheres + padding());
    float *const x = columns_[0], *const y = columns_[1], *const z = columns_[2], *const reach = columns_[3];
    const Frame frame(*this);
    // Cells are short: large systems have more cells than a cache can keep (note 7 of tests/bench/notes.md).
    constexpr std::size_t ahead = 24;
    for (std::size_t k = num_spheres; k-- > 0;) {
        if (k >= ahead) prefetch(&cell_start_[place_[k - ahead]]);
        const BoundingSphere sphere = placed_[k];
        const Place place = --cell_start_[place_[k]];
        place_[k] = place;
        order_[place] = static_cast<Slot>(k);
        x[place] = frame(sphere.x);
        y[place] = sphere.y;
        z[place] = sphere.z;
        reach[place] = sphere.reach * filter_reach_up;
    }
}

}  // namespace ricochet
