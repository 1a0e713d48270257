// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/search/cell_grid.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ricochet {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::CappedTag<float, 8>;
using SlotTag = hn::RebindToUnsigned<FloatTag>;

/// For every mask of eight lanes, the lanes that are set, from the lowest on; the rest is 0.
constexpr auto set_lanes = [] {
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

/// The lanes of a comparison as bits, without those from `count` on.
template <class Mask>
HWY_ATTR HWY_INLINE std::size_t bits_of(Mask mask, std::size_t count) {
    std::uint64_t bits = 0;
    hn::StoreMaskBits(FloatTag(), mask, reinterpret_cast<std::uint8_t*>(&bits));
    return count < hn::Lanes(FloatTag()) ? bits & ((std::size_t{1} << count) - 1) : bits;
}

/// Balls that outgrew their level and are looked at by every query; their copies stand behind the last slot.
constexpr std::size_t max_strays = 32;

/// Room behind the last slot: strays, and what the filter loads beyond the end.
std::size_t padding() { return max_strays + hn::Lanes(FloatTag()); }

/// Reaches are enlarged by this factor in the filter, more than the rounding of a squared distance in float.
constexpr float reach_slack = 1.00001f;
/// And by this one where the largest of a level is meant, more than that of the filter.
constexpr double level_slack = 1.00002;

}  // namespace

CellGrid::CellGrid(const Box& box, const GridShape& shape)
    : box_(box),
      images_(box),
      shape_(shape),
      slack_(2e-6 * std::max({box.size.x, box.size.y, box.size.z})),
      frame_size_(box.size),
      is_ring_{box.is_periodic(0), box.is_periodic(1), box.is_periodic(2)} {}

void CellGrid::build(std::span<const SweptBall> balls, SearchDomain domain) {
    is_part_ = domain.width < box_.size.x;
    frame_lower_ = is_part_ ? domain.lower : 0;
    frame_size_.x = is_part_ ? domain.width : box_.size.x;
    is_ring_[0] = box_.is_periodic(0) && !is_part_;
    strays_.clear();
    choose_levels(balls);
    sort_into_slots(balls);
    mean_reach_ = latest_mean_reach_;
}

Vec3 CellGrid::in_frame(Vec3 point) const {
    if (!is_part_) return point;
    point.x -= frame_lower_;
    if (!box_.is_periodic(0)) return point;
    const double gap = 0.5 * (box_.size.x - frame_size_.x);
    if (point.x < -gap) point.x += box_.size.x;
    if (point.x >= frame_size_.x + gap) point.x -= box_.size.x;
    return point;
}

int CellGrid::level_of(double reach) const {
    if (reach <= 2 * mean_reach_) return 0;
    return std::min(max_levels - 1, 1 + std::ilogb(reach / (2 * mean_reach_)));
}

void CellGrid::choose_levels(std::span<const SweptBall> balls) {
    // Where levels end matters for speed only: the mean of the step before will do.
    if (mean_reach_ == 0 && !balls.empty()) mean_reach_ = static_cast<double>(balls.front().reach);
    double sum = 0;
    levels_.fill({});
    level_size_.fill(0);
    for (const SweptBall& ball : balls) {
        const auto reach = static_cast<double>(ball.reach);
        const auto l = static_cast<std::size_t>(level_of(reach));
        ++level_size_[l];
        levels_[l].max_reach = std::max(levels_[l].max_reach, reach);
        sum += reach;
    }
    latest_mean_reach_ = balls.empty() ? 0 : sum / static_cast<double>(balls.size());
    std::size_t num_cells = 0;
    Slot begin = 0;
    for (std::size_t l = max_levels; l-- > 0;) {
        Level& level = levels_[l];
        level.max_reach *= level_slack;
        level.sorted_reach = level.max_reach;
        size_cells(level, level_size_[l]);
        level.first_cell = num_cells;
        level.begin = begin;
        begin = level.end = begin + static_cast<Slot>(level_size_[l]);
        num_cells += static_cast<std::size_t>(level.num_cells[0] * level.num_cells[1] * level.num_cells[2]);
    }
    cell_start_.assign(num_cells + 1, 0);
}

void CellGrid::size_cells(Level& level, std::size_t num_balls) const {
    double volume = 1;
    int num_cut = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (!shape_.is_cut[static_cast<std::size_t>(axis)]) continue;
        volume *= frame_size_[axis];
        ++num_cut;
    }
    const double per_ball = volume / static_cast<double>(std::max<std::size_t>(num_balls, 1));
    const double spacing = std::pow(shape_.particles_per_cell * per_ball, 1.0 / num_cut);
    set_cells(level, std::max(spacing, 2 * level.max_reach + slack_));
    constexpr double much_wider = 1.5;
    if (!allows_adjacency(level)) {
        set_cells(level, std::max(spacing, level.max_reach));
        level.width = CellWidth::narrow;
    } else {
        level.width = spacing < much_wider * 2 * level.max_reach ? CellWidth::reach : CellWidth::wide;
    }
}

void CellGrid::set_cells(Level& level, double edge) const {
    std::ptrdiff_t stride = 1;
    for (std::size_t k = 3; k-- > 0;) {
        const int axis = shape_.axis_order[k];
        const auto a = static_cast<std::size_t>(axis);
        const double width = frame_size_[axis];
        if (shape_.is_cut[a])
            level.num_cells[a] = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(width / edge));
        level.inverse_edge[axis] = width > 0 ? static_cast<double>(level.num_cells[a]) / width : 0;
        level.stride[a] = stride;
        stride *= level.num_cells[a];
    }
}

/// Whether each pair of balls in cells of at least two reaches meets through one image only, in cells that
/// are the same or adjacent: a ring needs three cells; a part of a periodic axis, a gap that no pair can
/// bridge.
bool CellGrid::allows_adjacency(const Level& level) const {
    for (int axis = 0; axis < 3; ++axis) {
        if (is_ring_[static_cast<std::size_t>(axis)] && level.num_cells[static_cast<std::size_t>(axis)] < 3)
            return false;
    }
    const double gap = box_.size.x - frame_size_.x;
    return !is_part_ || !box_.is_periodic(0) || gap > 2 * level.max_reach + slack_;
}

void CellGrid::sort_into_slots(std::span<const SweptBall> balls) {
    cell_of_ball_.resize(balls.size());
    for (std::size_t k = 0; k < balls.size(); ++k) {
        const Level& level = levels_[static_cast<std::size_t>(level_of(static_cast<double>(balls[k].reach)))];
        cell_of_ball_[k] = static_cast<std::uint32_t>(cell_of(level, in_frame(balls[k].midpoint())));
        ++cell_start_[cell_of_ball_[k] + 1];
    }
    for (std::size_t c = 1; c < cell_start_.size(); ++c) cell_start_[c] += cell_start_[c - 1];
    order_.resize(balls.size());
    for (auto* array : {&x_, &y_, &z_, &reach_}) array->resize(balls.size() + padding());
    for (std::size_t k = 0; k < balls.size(); ++k) {
        const Slot slot = cell_start_[cell_of_ball_[k]]++;
        const Vec3 midpoint = in_frame(balls[k].midpoint());
        order_[slot] = static_cast<std::uint32_t>(k);
        x_[slot] = static_cast<float>(midpoint.x);
        y_[slot] = static_cast<float>(midpoint.y);
        z_[slot] = static_cast<float>(midpoint.z);
        reach_[slot] = balls[k].reach * reach_slack;
    }
    // The scatter has moved every start to the next cell's; move them back.
    std::move_backward(cell_start_.begin(), cell_start_.end() - 1, cell_start_.end());
    cell_start_.front() = 0;
}

std::size_t CellGrid::cell_of(const Level& level, Vec3 midpoint) const {
    std::ptrdiff_t cell = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a);
        const auto k = static_cast<std::ptrdiff_t>(midpoint[axis] * level.inverse_edge[axis]);
        cell += level.stride[a] * std::clamp<std::ptrdiff_t>(k, 0, level.num_cells[a] - 1);
    }
    return level.first_cell + static_cast<std::size_t>(cell);
}

CellGrid::Ranges CellGrid::cells_between(const Level& level, int axis, double low, double high) const {
    const auto a = static_cast<std::size_t>(axis);
    const std::ptrdiff_t n = level.num_cells[a];
    const Ranges whole{{Range{0, n - 1}}, 1};
    if (n == 1) return whole;
    if (is_ring_[a]) return high - low + 2 >= static_cast<double>(n) ? whole : ring_cells(low, high, n);
    const double period = box_.is_periodic(axis) ? box_.size[axis] * level.inverse_edge[axis] : 0;
    if (period > 0 && high - low + 4 >= period) return whole;
    return clipped_cells(low, high, period, n);
}

CellGrid::Ranges CellGrid::ring_cells(double low, double high, std::ptrdiff_t n) {
    const auto first = static_cast<std::ptrdiff_t>(std::floor(low));
    const auto last = static_cast<std::ptrdiff_t>(std::floor(high));
    std::ptrdiff_t begin = first;
    // A query centre lies near the box: a subtraction or two are cheaper than a remainder.
    while (begin < 0) begin += n;
    while (begin >= n) begin -= n;
    const std::ptrdiff_t end = begin + (last - first);
    if (end < n) return {{Range{begin, end}}, 1};
    return {{Range{begin, n - 1}, Range{0, end - n}}, 2};
}

CellGrid::Ranges CellGrid::clipped_cells(double low, double high, double period, std::ptrdiff_t n) {
    Ranges ranges;
    for (int image = -1; image <= 1; ++image) {
        if (period == 0 && image != 0) continue;
        const double shift = image * period;
        const auto first = static_cast<std::ptrdiff_t>(std::floor(low + shift));
        const auto last = static_cast<std::ptrdiff_t>(std::floor(high + shift));
        // The end cells also hold what lies or was rounded beyond them.
        if (last < -1 || first > n) continue;
        const Range clipped{std::clamp<std::ptrdiff_t>(first, 0, n - 1),
                            std::clamp<std::ptrdiff_t>(last, 0, n - 1)};
        for (int k = 0; k < ranges.count; ++k) {
            const Range& other = ranges.range[static_cast<std::size_t>(k)];
            if (clipped.first <= other.last && other.first <= clipped.last) return {{Range{0, n - 1}}, 1};
        }
        ranges.range[static_cast<std::size_t>(ranges.count++)] = clipped;
    }
    return ranges;
}

/// A query made ready for the filter: everything broadcast once.
struct CellGrid::Filter {
    using Vector = hn::Vec<FloatTag>;
    const CellGrid& grid;
    std::vector<Slot>& found;
    Slot first;
    Vector x, y, z, own_reach;

    Filter(const CellGrid& the_grid, Vec3 centre, double radius, Slot the_first, std::vector<Slot>& the_found)
        : grid(the_grid),
          found(the_found),
          first(the_first),
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

    /// Appends the slots of [begin, end) from `first` on whose balls come within the radius. has_images:
    /// distances are taken to the nearest image; otherwise the caller knows that no image is nearer.
    template <bool has_images>
    HWY_ATTR void apply(Slot begin, Slot end) const {
        const FloatTag tag;
        const auto lanes = static_cast<Slot>(hn::Lanes(tag));
        for (Slot slot = std::max(begin, first); slot < end; slot += lanes) {
            Vector squared = hn::Zero(tag);
            squared = add_square<has_images>(&grid.x_[slot], x, 0, squared);
            squared = add_square<has_images>(&grid.y_[slot], y, 1, squared);
            squared = add_square<has_images>(&grid.z_[slot], z, 2, squared);
            const Vector reach = hn::Add(hn::LoadU(tag, &grid.reach_[slot]), own_reach);
            const auto inside = hn::Le(squared, hn::Mul(reach, reach));
            for (std::size_t bits = bits_of(inside, end - slot); bits != 0; bits &= bits - 1)
                found.push_back(slot + static_cast<Slot>(std::countr_zero(bits)));
        }
    }
};

/// The balls of one cell, and behind them those that they are to be held against, copied side by side.
class CellGrid::PairBatch {
  public:
    explicit PairBatch(const CellGrid& grid) : grid_(grid) {}

    void begin() { count_ = 0; }

    /// Adds the balls of [begin, end), shifted to their image.
    HWY_ATTR void append(Slot begin, Slot end, const std::array<float, 3>& shift) {
        const FloatTag tag;
        const SlotTag slot_tag;
        const auto lanes = static_cast<Slot>(hn::Lanes(tag));
        reserve(count_ + (end - begin) + lanes);
        const auto shift_x = hn::Set(tag, shift[0]);
        const auto shift_y = hn::Set(tag, shift[1]);
        const auto shift_z = hn::Set(tag, shift[2]);
        std::size_t at = count_;
        for (Slot slot = begin; slot < end; slot += lanes, at += lanes) {
            hn::StoreU(hn::Add(hn::LoadU(tag, &grid_.x_[slot]), shift_x), tag, &x_[at]);
            hn::StoreU(hn::Add(hn::LoadU(tag, &grid_.y_[slot]), shift_y), tag, &y_[at]);
            hn::StoreU(hn::Add(hn::LoadU(tag, &grid_.z_[slot]), shift_z), tag, &z_[at]);
            hn::StoreU(hn::LoadU(tag, &grid_.reach_[slot]), tag, &reach_[at]);
            hn::StoreU(hn::Iota(slot_tag, slot), slot_tag, &slot_[at]);
        }
        count_ += end - begin;
    }

    /// Every pair of the first num_own balls with each other and with the rest of the batch that meets.
    HWY_ATTR void collect(std::size_t num_own, CandidatePairs& pairs) const {
        const FloatTag tag;
        const SlotTag slot_tag;
        const std::size_t lanes = hn::Lanes(tag);
        for (std::size_t own = 0; own < num_own; ++own) {
            const auto x = hn::Set(tag, x_[own]);
            const auto y = hn::Set(tag, y_[own]);
            const auto z = hn::Set(tag, z_[own]);
            const auto own_reach = hn::Set(tag, reach_[own] + static_cast<float>(grid_.slack_));
            Slot* const partners = pairs.begin_run(count_ + lanes);
            std::size_t num_found = 0;
            for (std::size_t k = own + 1; k < count_; k += lanes) {
                const auto dx = hn::Sub(hn::LoadU(tag, &x_[k]), x);
                const auto dy = hn::Sub(hn::LoadU(tag, &y_[k]), y);
                const auto dz = hn::Sub(hn::LoadU(tag, &z_[k]), z);
                const auto squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
                const auto reach = hn::Add(hn::LoadU(tag, &reach_[k]), own_reach);
                const std::size_t do_meet = bits_of(hn::Le(squared, hn::Mul(reach, reach)), count_ - k);
                num_found += store_set_lanes(hn::LoadU(slot_tag, &slot_[k]), do_meet, partners + num_found);
            }
            pairs.end_run(slot_[own], num_found);
        }
    }

  private:
    void reserve(std::size_t size) {
        if (size <= x_.size()) return;
        // Collecting loads a vector from any ball on.
        const std::size_t room = 2 * size + hn::Lanes(FloatTag());
        for (auto* array : {&x_, &y_, &z_, &reach_}) array->resize(room);
        slot_.resize(room);
    }

    const CellGrid& grid_;
    std::size_t count_ = 0;
    std::vector<float> x_, y_, z_, reach_;
    std::vector<Slot> slot_;
};

/// One ball after another, each held against ranges of others.
class CellGrid::BallQuery {
  public:
    BallQuery(const CellGrid& grid, CandidatePairs& pairs)
        : x_(grid.x_.data()),
          y_(grid.y_.data()),
          z_(grid.z_.data()),
          reach_(grid.reach_.data()),
          slack_(static_cast<float>(grid.slack_)),
          pairs_(pairs) {}

    void begin(Slot own) {
        own_ = own;
        num_found_ = 0;
    }

    /// Those of [begin, end) that the ball meets when they are shifted to their image.
    HWY_ATTR HWY_INLINE void operator()(Slot begin, Slot end, const std::array<float, 3>& shift) {
        const FloatTag tag;
        const SlotTag slot_tag;
        const auto lanes = static_cast<Slot>(hn::Lanes(tag));
        const auto x = hn::Set(tag, x_[own_] - shift[0]);
        const auto y = hn::Set(tag, y_[own_] - shift[1]);
        const auto z = hn::Set(tag, z_[own_] - shift[2]);
        const auto own_reach = hn::Set(tag, reach_[own_] + slack_);
        for (Slot slot = begin; slot < end; slot += lanes) {
            const auto dx = hn::Sub(hn::LoadU(tag, x_ + slot), x);
            const auto dy = hn::Sub(hn::LoadU(tag, y_ + slot), y);
            const auto dz = hn::Sub(hn::LoadU(tag, z_ + slot), z);
            const auto squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
            const auto reach = hn::Add(hn::LoadU(tag, reach_ + slot), own_reach);
            const std::size_t do_meet = bits_of(hn::Le(squared, hn::Mul(reach, reach)), end - slot);
            if (do_meet == 0) continue;  // most often
            Slot* const partners = pairs_.begin_run(num_found_ + lanes);
            num_found_ += store_set_lanes(hn::Iota(slot_tag, slot), do_meet, partners + num_found_);
        }
    }

    void end() { pairs_.end_run(own_, num_found_); }

  private:
    const float *x_, *y_, *z_, *reach_;
    float slack_;
    CandidatePairs& pairs_;
    Slot own_ = 0;
    std::size_t num_found_ = 0;
};

void CellGrid::collect_pairs(CandidatePairs& pairs) const {
    std::vector<Slot> found;
    for (std::size_t l = max_levels; l-- > 0;) {
        const Level& level = levels_[l];
        if (level.begin == level.end) continue;
        switch (level.width) {
            case CellWidth::narrow:
                collect_ball_by_ball(level, level, pairs, found);
                break;
            case CellWidth::reach:
                collect_crowded(level, pairs);
                break;
            case CellWidth::wide:
                collect_sparse(level, pairs);
                break;
        }
        for (std::size_t finer = l; finer-- > 0;) collect_ball_by_ball(level, levels_[finer], pairs, found);
    }
}

/// A row of cells and the shift to the image that is meant.
struct CellGrid::Row {
    const std::uint32_t* starts = nullptr;
    std::array<float, 3> shift{};
    std::array<int, 2> offset{};  ///< in cells along the slow and the middle axis
};

/// The cells around one cell that come after it in the order of the axes, going round the rings: half of the
/// adjacent ones.
struct CellGrid::Stencil {
    std::array<std::ptrdiff_t, 3> cell{};  ///< slow, middle, fast
    Row own;
    std::array<Row, 4> after;
    std::size_t num_after = 0;

    Slot begin() const { return own.starts[cell[2]]; }
    Slot end() const { return own.starts[cell[2] + 1]; }
};

/// Visits every occupied cell of a level of wide cells.
template <class Visit>
void CellGrid::for_each_stencil(const Level& level, Visit&& visit) const {
    const auto [slow, middle, fast] = shape_.axis_order;
    const std::uint32_t* const starts = &cell_start_[level.first_cell];
    const auto row_at = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
        return starts + i * level.stride[static_cast<std::size_t>(slow)] +
               j * level.stride[static_cast<std::size_t>(middle)];
    };
    Stencil stencil;
    auto& [i, j, k] = stencil.cell;
    for (i = 0; i < level.num_cells[static_cast<std::size_t>(slow)]; ++i) {
        for (j = 0; j < level.num_cells[static_cast<std::size_t>(middle)]; ++j) {
            stencil.own.starts = row_at(i, j);
            stencil.num_after = 0;
            for (const auto& offset :
                 {std::array{0, 1}, std::array{1, -1}, std::array{1, 0}, std::array{1, 1}}) {
                Row row{.offset = offset};
                const auto row_i = image_cell(level, slow, i + offset[0], row.shift);
                const auto row_j = image_cell(level, middle, j + offset[1], row.shift);
                if (row_i < 0 || row_j < 0) continue;
                row.starts = row_at(row_i, row_j);
                stencil.after[stencil.num_after++] = row;
            }
            for (k = 0; k < level.num_cells[static_cast<std::size_t>(fast)]; ++k) {
                if (stencil.begin() != stencil.end()) visit(stencil);
            }
        }
    }
}

/// visit(begin, end, shift) for the balls of cells first to last of the row, which may lie one beyond an end.
template <class Visit>
void CellGrid::for_each_piece(const Level& level, const Row& row, std::ptrdiff_t first, std::ptrdiff_t last,
                              Visit&& visit) const {
    const int fast = shape_.axis_order[2];
    const std::ptrdiff_t n = level.num_cells[static_cast<std::size_t>(fast)];
    if (first < n && last >= 0)
        visit(row.starts[std::max<std::ptrdiff_t>(first, 0)], row.starts[std::min(last, n - 1) + 1],
              row.shift);
    if (!is_ring_[static_cast<std::size_t>(fast)] || (first >= 0 && last < n)) return;
    const auto length = static_cast<float>(box_.size[fast]);
    std::array<float, 3> shift = row.shift;
    shift[static_cast<std::size_t>(fast)] = first < 0 ? -length : length;
    const std::ptrdiff_t cell = first < 0 ? n - 1 : 0;
    visit(row.starts[cell], row.starts[cell + 1], shift);
}

/// Crowded cells, about as wide as a pair's reach: the balls of each and of its stencil, copied side by side.
void CellGrid::collect_crowded(const Level& level, CandidatePairs& pairs) const {
    PairBatch batch(*this);
    for_each_stencil(level, [&](const Stencil& stencil) {
        const auto append = [&](Slot begin, Slot end, const std::array<float, 3>& shift) {
            batch.append(begin, end, shift);
        };
        const std::ptrdiff_t k = stencil.cell[2];
        batch.begin();
        for_each_piece(level, stencil.own, k, k + 1, append);
        for (std::size_t r = 0; r < stencil.num_after; ++r)
            for_each_piece(level, stencil.after[r], k - 1, k + 1, append);
        batch.collect(stencil.end() - stencil.begin(), pairs);
    });
}

/// Cells much wider than a pair's reach: each ball looks only across those faces that it is near.
void CellGrid::collect_sparse(const Level& level, CandidatePairs& pairs) const {
    const auto [slow, middle, fast] = shape_.axis_order;
    const std::array<const float*, 3> coordinate{axis_data(slow), axis_data(middle), axis_data(fast)};
    std::array<float, 3> edge;
    for (std::size_t a = 0; a < 3; ++a) {
        const double inverse = level.inverse_edge[shape_.axis_order[a]];
        edge[a] = inverse > 0 ? static_cast<float>(1 / inverse) : 0;
    }
    const auto reach = static_cast<float>(2 * level.max_reach + 2 * slack_);
    const std::ptrdiff_t last_cell = level.num_cells[static_cast<std::size_t>(fast)] - 1;
    BallQuery query(*this, pairs);
    for_each_stencil(level, [&](const Stencil& stencil) {
        std::array<float, 3> low, high;  // beyond these a ball is near the face
        for (std::size_t a = 0; a < 3; ++a) {
            low[a] = static_cast<float>(stencil.cell[a]) * edge[a] + reach;
            high[a] = static_cast<float>(stencil.cell[a] + 1) * edge[a] - reach;
        }
        const std::ptrdiff_t k = stencil.cell[2];
        const bool is_inner = k > 0 && k < last_cell;
        const auto look = [&](const Row& row, std::ptrdiff_t first, std::ptrdiff_t last) {
            if (is_inner)
                query(row.starts[first], row.starts[last + 1], row.shift);
            else
                for_each_piece(level, row, first, last, query);
        };
        for (Slot slot = stencil.begin(); slot < stencil.end(); ++slot) {
            const bool is_near_low_middle = coordinate[1][slot] <= low[1];
            const bool is_near_high_middle = coordinate[1][slot] >= high[1];
            const bool is_near_high_slow = coordinate[0][slot] >= high[0];
            const std::ptrdiff_t first = k - (coordinate[2][slot] <= low[2] ? 1 : 0);
            const std::ptrdiff_t last = k + (coordinate[2][slot] >= high[2] ? 1 : 0);
            query.begin(slot);
            query(slot + 1, stencil.end(), {});
            if (last > k) look(stencil.own, last, last);
            if (is_near_high_slow || is_near_high_middle) {
                for (std::size_t r = 0; r < stencil.num_after; ++r) {
                    const auto [slow_offset, middle_offset] = stencil.after[r].offset;
                    if ((slow_offset == 0 || is_near_high_slow) &&
                        (middle_offset == 0 ||
                         (middle_offset < 0 ? is_near_low_middle : is_near_high_middle)))
                        look(stencil.after[r], first, last);
                }
            }
            query.end();
        }
    });
}

/// The cell of the level at `cell`, which is at most one beyond either end: round the ring, with the shift to
/// its image, or -1 where there is none.
std::ptrdiff_t CellGrid::image_cell(const Level& level, int axis, std::ptrdiff_t cell,
                                    std::array<float, 3>& shift) const {
    const std::ptrdiff_t n = level.num_cells[static_cast<std::size_t>(axis)];
    if (cell >= 0 && cell < n) return cell;
    if (!is_ring_[static_cast<std::size_t>(axis)]) return -1;
    const auto length = static_cast<float>(box_.size[axis]);
    shift[static_cast<std::size_t>(axis)] = cell < 0 ? -length : length;
    return cell < 0 ? cell + n : cell - n;
}

/// Pairs of a ball of one level with balls of the same or of a finer one, which have higher slots.
void CellGrid::collect_ball_by_ball(const Level& from, const Level& among, CandidatePairs& pairs,
                                    std::vector<Slot>& found) const {
    if (among.begin == among.end) return;
    for (Slot slot = from.begin; slot < from.end; ++slot) {
        found.clear();
        const Vec3 centre = midpoint_in_frame(slot);
        const double reach = static_cast<double>(reach_[slot]);
        collect_level(among, centre, reach, Filter(*this, centre, reach, slot + 1, found));
        std::copy(found.begin(), found.end(), pairs.begin_run(found.size()));
        pairs.end_run(slot, found.size());
    }
}

void CellGrid::collect_level(const Level& level, Vec3 centre, double radius, const Filter& filter) const {
    const double half_width = radius + level.max_reach + slack_;
    Vec3 low, high;  // in cells
    bool is_interior = true;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = (centre[axis] - half_width) * level.inverse_edge[axis];
        high[axis] = (centre[axis] + half_width) * level.inverse_edge[axis];
        is_interior = is_interior && low[axis] >= 0 &&
                      high[axis] < static_cast<double>(level.num_cells[static_cast<std::size_t>(axis)]);
    }
    if (is_interior)
        collect_interior(level, low, high, filter);
    else
        collect_anywhere(level, low, high, filter);
}

void CellGrid::collect_interior(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const {
    const auto [slow, middle, fast] = shape_.axis_order;
    const auto stride_slow = level.stride[static_cast<std::size_t>(slow)];
    const auto stride_middle = level.stride[static_cast<std::size_t>(middle)];
    const auto fast_first = static_cast<std::ptrdiff_t>(low[fast]);
    const auto fast_last = static_cast<std::ptrdiff_t>(high[fast]);
    const std::uint32_t* const starts = &cell_start_[level.first_cell];
    for (auto i = static_cast<std::ptrdiff_t>(low[slow]); i <= static_cast<std::ptrdiff_t>(high[slow]); ++i) {
        for (auto j = static_cast<std::ptrdiff_t>(low[middle]);
             j <= static_cast<std::ptrdiff_t>(high[middle]); ++j) {
            const std::uint32_t* const row = starts + i * stride_slow + j * stride_middle;
            filter.apply<false>(row[fast_first], row[fast_last + 1]);
        }
    }
}

void CellGrid::collect_anywhere(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const {
    const int slow = shape_.axis_order[0], middle = shape_.axis_order[1], fast = shape_.axis_order[2];
    const Ranges fast_cells = cells_between(level, fast, low[fast], high[fast]);
    const Ranges middle_cells = cells_between(level, middle, low[middle], high[middle]);
    const std::uint32_t* const starts = &cell_start_[level.first_cell];
    for_each_cell(cells_between(level, slow, low[slow], high[slow]), [&](std::ptrdiff_t i) {
        for_each_cell(middle_cells, [&](std::ptrdiff_t j) {
            const std::uint32_t* const row = starts + i * level.stride[static_cast<std::size_t>(slow)] +
                                             j * level.stride[static_cast<std::size_t>(middle)];
            for (int f = 0; f < fast_cells.count; ++f) {
                const Range cells = fast_cells.range[static_cast<std::size_t>(f)];
                filter.apply<true>(row[cells.first], row[cells.last + 1]);
            }
        });
    });
}

void CellGrid::collect_strays(const Filter& filter) const {
    const auto num_balls = static_cast<Slot>(order_.size());
    const std::size_t num_found = filter.found.size();
    filter.apply<true>(num_balls, num_balls + static_cast<Slot>(strays_.size()));
    std::size_t kept = num_found;
    for (std::size_t k = num_found; k < filter.found.size(); ++k) {
        const Slot slot = strays_[filter.found[k] - num_balls];
        if (slot >= filter.first) filter.found[kept++] = slot;
    }
    filter.found.resize(kept);
}

double CellGrid::reach_needed(Slot slot, Vec3 point, double radius) const {
    return norm(minimum_image(in_frame(point) - midpoint_in_frame(slot), images_)) + slack_ + radius;
}

void CellGrid::enlarge(Slot slot, Vec3 point, double radius, std::vector<Slot>& found) {
    // A path that is bent once is likely to be bent again.
    constexpr double room = 1.1;
    const double reach = radius + room * (reach_needed(slot, point, radius) - radius);
    reach_[slot] = static_cast<float>(reach) * reach_slack;
    Level* own = levels_.data();
    while (slot < own->begin || slot >= own->end) ++own;
    if (level_slack * reach > own->max_reach) {
        // A moderate excess is cheapest as a wider cube for everyone; the few fast ones are looked at one by
        // one.
        constexpr double moderate = 1.2;
        if (reach > moderate * own->sorted_reach && strays_.size() < max_strays)
            add_stray(slot);
        else
            own->max_reach = level_slack * reach;
    }
    const Vec3 centre = midpoint_in_frame(slot);
    const Filter filter(*this, centre, static_cast<double>(reach_[slot]), 0, found);
    for (const Level& level : levels_) {
        if (level.end > level.begin) collect_level(level, centre, static_cast<double>(reach_[slot]), filter);
    }
    if (!strays_.empty()) collect_strays(filter);
}

void CellGrid::add_stray(Slot slot) {
    const std::size_t copy = order_.size() + strays_.size();
    for (auto* array : {&x_, &y_, &z_, &reach_}) (*array)[copy] = (*array)[slot];
    strays_.push_back(slot);
}

}  // namespace ricochet
