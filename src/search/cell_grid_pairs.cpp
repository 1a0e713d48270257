// SPDX-License-Identifier: BSD-3-Clause
//
// All pairs of balls that meet, found row by row.
//
// The rows are as wide as two of the largest reaches, or wider, so that a ball meets balls of its own row and
// of the eight around, of which the four that come after it suffice. In each of them it can only meet those
// of an interval: a contiguous range of places, most often fewer than a vector. RowReach tells for a vector
// of balls at once which rows each is near and where its interval lies.
//
// What costs is not the arithmetic but branches that cannot be predicted. Where a ball is near most rows it
// is held against all four, near or not, vector by vector (RowQuery::look_at_all): a quarter less time for
// the whole search than with a branch a row, though it executes more instructions. In dilute systems, where
// it is near few, one row after another is looked at.
//
// Tried and not faster: cubic cells whose stencil is copied side by side and filtered without branches (a
// third more time for the search of an elastic gas at a volume fraction of 0.01, equal at 0.49).
#include <algorithm>
#include <array>
#include <bit>

#include "ricochet/search/cell_grid.hpp"
#include "search/cell_grid_filter.hpp"

namespace ricochet {

/// A row of cells along the fast axis, and the shift to the image that is meant.
struct CellGrid::Row {
    const std::uint32_t* starts = nullptr;  ///< of its cells, and one more
    std::array<float, 3> shift{};
};

/// The row of a ball, those around it that come after it in the order of the axes, going round the rings.
struct CellGrid::RowStencil {
    const std::uint32_t* own = nullptr;  ///< the starts of its cells
    std::array<Row, 4> after;
    std::uint32_t present = 0;  ///< bit r: after[r] exists and has balls
    bool is_plain = true;       ///< none is an image
};

/// For a vector of balls that lie one behind the other in a row: which rows and which cells each can reach.
class CellGrid::RowReach {
  public:
    static constexpr std::size_t most_lanes = 8;
    /// (slow, middle) from a row to those of its stencil.
    static constexpr std::array<std::array<int, 2>, 4> offsets{{{0, 1}, {1, -1}, {1, 0}, {1, 1}}};

    RowReach(const CellGrid& grid, const Level& level)
        : slow_(grid.axis_data(grid.shape_.axis_order[0])),
          middle_(grid.axis_data(grid.shape_.axis_order[1])),
          fast_(grid.axis_data(grid.shape_.axis_order[2])),
          reach_(grid.reach_data()),
          others_(static_cast<float>(level.max_reach + 2 * grid.slack_)),
          per_length_(static_cast<float>(level.inverse_edge[grid.shape_.axis_order[2]])),
          last_cell_(static_cast<std::int32_t>(grid.num_along(level, 2)) - 1),
          slow_edge_(grid.edge(level, 0)),
          middle_edge_(grid.edge(level, 1)) {}

    void enter_row(std::ptrdiff_t i, std::ptrdiff_t j) {
        high_slow_ = static_cast<float>(static_cast<double>(i + 1) * slow_edge_);
        low_middle_ = static_cast<float>(static_cast<double>(j) * middle_edge_);
        high_middle_ = static_cast<float>(static_cast<double>(j + 1) * middle_edge_);
    }

    /// Of the balls from this place on.
    HWY_ATTR HWY_INLINE void measure(Place place) {
        const FloatTag tag;
        const auto reach = hn::Add(hn::LoadU(tag, reach_ + place), hn::Set(tag, others_));
        measure_cells(hn::LoadU(tag, fast_ + place), reach);
        measure_rows(hn::LoadU(tag, slow_ + place), hn::LoadU(tag, middle_ + place), reach);
    }

    std::array<std::int32_t, most_lanes> first, last;  ///< cells of the interval, perhaps beyond the ends
    std::array<std::uint32_t, most_lanes> rows;        ///< bit r: the ball may reach into after[r]
    bool is_inside = false;                            ///< no interval leads beyond the ends of the row

  private:
    using Vector = hn::Vec<FloatTag>;

    HWY_ATTR HWY_INLINE void measure_cells(Vector along, Vector reach) {
        const FloatTag tag;
        const hn::Rebind<std::int32_t, FloatTag> int_tag;
        const Vector per_length = hn::Set(tag, per_length_);
        const Vector low = hn::Floor(hn::Mul(hn::Sub(along, reach), per_length));
        const Vector high = hn::Floor(hn::Mul(hn::Add(along, reach), per_length));
        hn::StoreU(hn::ConvertTo(int_tag, low), int_tag, first.data());
        hn::StoreU(hn::ConvertTo(int_tag, high), int_tag, last.data());
        const auto is_out =
            hn::Or(hn::Lt(low, hn::Zero(tag)), hn::Gt(high, hn::Set(tag, static_cast<float>(last_cell_))));
        is_inside = hn::AllFalse(tag, is_out);
    }

    /// The distance to a row is that to its face or edge; the slack in the reach is more than its rounding.
    HWY_ATTR HWY_INLINE void measure_rows(Vector slow, Vector middle, Vector reach) {
        const FloatTag tag;
        const SlotTag slot_tag;
        const Vector zero = hn::Zero(tag);
        const Vector to_slow = hn::Max(zero, hn::Sub(hn::Set(tag, high_slow_), slow));
        const Vector to_low = hn::Max(zero, hn::Sub(middle, hn::Set(tag, low_middle_)));
        const Vector to_high = hn::Max(zero, hn::Sub(hn::Set(tag, high_middle_), middle));
        const Vector slow_squared = hn::Mul(to_slow, to_slow);
        const Vector reach_squared = hn::Mul(reach, reach);
        const auto bit = [&](std::uint32_t row, Vector squared) HWY_ATTR {
            const auto is_near = hn::RebindMask(slot_tag, hn::Le(squared, reach_squared));
            return hn::IfThenElseZero(is_near, hn::Set(slot_tag, 1u << row));
        };
        const auto near = hn::Or(hn::Or(bit(0, hn::Mul(to_high, to_high)), bit(2, slow_squared)),
                                 hn::Or(bit(1, hn::MulAdd(to_low, to_low, slow_squared)),
                                        bit(3, hn::MulAdd(to_high, to_high, slow_squared))));
        hn::StoreU(near, slot_tag, rows.data());
    }

    const float *slow_, *middle_, *fast_, *reach_;
    float others_, per_length_;
    std::int32_t last_cell_;
    double slow_edge_, middle_edge_;
    float high_slow_ = 0, low_middle_ = 0, high_middle_ = 0;
};

/// Holds one ball after another against ranges of others, and keeps the pairs that meet.
class CellGrid::RowQuery {
  public:
    RowQuery(const CellGrid& grid, const Level& level, CandidatePairs& pairs)
        : x_(grid.axis_data(0)),
          y_(grid.axis_data(1)),
          z_(grid.axis_data(2)),
          reach_(grid.reach_data()),
          slots_(grid.order_.data()),
          slack_(static_cast<float>(grid.slack_)),
          fast_(static_cast<std::size_t>(grid.shape_.axis_order[2])),
          last_cell_(static_cast<std::int32_t>(grid.num_along(level, 2)) - 1),
          is_ring_(grid.is_ring_[fast_]),
          ring_length_(static_cast<float>(grid.frame_size_[grid.shape_.axis_order[2]])),
          pairs_(pairs) {}

    /// All that comes after the ball, in those of `rows` (bits, the first num_after of a plain stencil) and
    /// in an interval inside the row. Branches depend on how many vectors the longest range takes, and on
    /// nothing else.
    template <std::size_t num_after>
    HWY_ATTR HWY_INLINE void look_at_all(Place own, const RowStencil& stencil, std::int32_t first,
                                         std::int32_t last, std::uint32_t rows) {
        constexpr std::size_t num_ranges = 1 + num_after;
        const auto lanes = static_cast<Place>(hn::Lanes(SlotTag()));
        std::array<Place, num_ranges> begin, count;
        begin[0] = own + 1;
        Place longest = count[0] = stencil.own[last + 1] - begin[0];
        for (std::size_t r = 0; r < num_after; ++r) {
            const std::uint32_t* const starts = stencil.after[r].starts;
            const Place is_near = 0u - (rows >> r & 1u);
            begin[r + 1] = starts[first];
            count[r + 1] = (starts[last + 1] - starts[first]) & is_near;
            longest = std::max(longest, count[r + 1]);
        }
        const BroadcastBall ball(x_[own], y_[own], z_[own], reach_[own] + slack_);
        const auto hold_against_all = [&](Place done) HWY_ATTR {
            const CandidatePairs::Room room = pairs_.room_for(num_ranges * lanes);
            std::size_t num_found = 0;
            for (std::size_t r = 0; r < num_ranges; ++r) {
                const Place skipped = std::min(done, count[r]);
                num_found += hold_against(ball, slots_[own], begin[r] + skipped, count[r] - skipped,
                                          {room.first + num_found, room.second + num_found});
            }
            pairs_.keep(num_found);
        };
        hold_against_all(0);
        for (Place done = lanes; done < longest; done += lanes) hold_against_all(done);
    }

    /// The same, one row after the other, in any stencil.
    HWY_ATTR HWY_INLINE void look(Place own, const RowStencil& stencil, std::int32_t first, std::int32_t last,
                                  std::uint32_t rows) {
        look_along(own, own + 1, stencil.own[last + 1], {});
        for (; rows != 0; rows &= rows - 1) {
            const Row& row = stencil.after[static_cast<std::size_t>(std::countr_zero(rows))];
            look_along(own, row.starts[first], row.starts[last + 1], row.shift);
        }
    }

    /// The same for an interval that may lead beyond the ends of the row.
    HWY_ATTR void look_round(Place own, const RowStencil& stencil, std::int32_t first, std::int32_t last,
                             std::uint32_t rows) {
        const Row row{stencil.own, {}};
        look_along(own, own + 1, row.starts[std::min(last, last_cell_) + 1], row.shift);
        if (is_ring_ && last > last_cell_) look_beyond(own, row, 0, last - last_cell_ - 1, ring_length_);
        for (; rows != 0; rows &= rows - 1)
            look_into(own, stencil.after[static_cast<std::size_t>(std::countr_zero(rows))], first, last);
    }

  private:
    void look_into(Place own, const Row& row, std::int32_t first, std::int32_t last) {
        const std::int32_t begin = std::clamp(first, 0, last_cell_), end = std::clamp(last, 0, last_cell_);
        look_along(own, row.starts[begin], row.starts[end + 1], row.shift);
        if (!is_ring_) return;
        if (first < 0) look_beyond(own, row, last_cell_ + 1 + first, last_cell_, -ring_length_);
        if (last > last_cell_) look_beyond(own, row, 0, last - last_cell_ - 1, ring_length_);
    }

    /// Round the ring.
    void look_beyond(Place own, const Row& row, std::int32_t first, std::int32_t last, float length) {
        std::array<float, 3> shift = row.shift;
        shift[fast_] = length;
        look_along(own, row.starts[first], row.starts[last + 1], shift);
    }

    HWY_ATTR HWY_INLINE void look_along(Place own, Place begin, Place end,
                                        const std::array<float, 3>& shift) {
        const auto lanes = static_cast<Place>(hn::Lanes(SlotTag()));
        const BroadcastBall ball(x_[own] - shift[0], y_[own] - shift[1], z_[own] - shift[2],
                                 reach_[own] + slack_);
        for (Place place = begin; place < end; place += lanes)
            pairs_.keep(hold_against(ball, slots_[own], place, end - place, pairs_.room_for(lanes)));
    }

    /// Writes the pairs of the ball with those that it meets of the first `count` balls from this place on,
    /// up to a vector of them; returns their number.
    HWY_ATTR HWY_INLINE std::size_t hold_against(const BroadcastBall& ball, Slot own, Place place,
                                                 Place count, CandidatePairs::Room room) const {
        const SlotTag tag;
        const std::size_t met = ball.meets(x_ + place, y_ + place, z_ + place, reach_ + place, count);
        hn::StoreU(hn::Set(tag, own), tag, room.first);
        return store_set_lanes(hn::LoadU(tag, slots_ + place), met, room.second);
    }

    const float *x_, *y_, *z_, *reach_;
    const Slot* slots_;
    float slack_;
    std::size_t fast_;
    std::int32_t last_cell_;
    bool is_ring_;
    float ring_length_;
    CandidatePairs& pairs_;
};

void CellGrid::collect_pairs(CandidatePairs& pairs) const {
    std::vector<Slot> found;
    for (std::size_t l = max_levels; l-- > 0;) {
        const Level& level = levels_[l];
        if (level.begin == level.end) continue;
        if (level.has_wide_rows)
            collect_rows(level, pairs);
        else
            collect_ball_by_ball(level, level, pairs, found);
        for (std::size_t finer = l; finer-- > 0;) collect_ball_by_ball(level, levels_[finer], pairs, found);
    }
}

/// Pairs of a level whose rows are at least as wide as two reaches.
void CellGrid::collect_rows(const Level& level, CandidatePairs& pairs) const {
    RowReach reach(*this, level);
    const RowQuery query(*this, level, pairs);
    for (std::ptrdiff_t i = 0; i < num_along(level, 0); ++i) {
        for (std::ptrdiff_t j = 0; j < num_along(level, 1); ++j) {
            const RowStencil stencil = stencil_of(level, i, j);
            reach.enter_row(i, j);
            collect_row(level, stencil, reach, query);
        }
    }
}

HWY_ATTR void CellGrid::collect_row(const Level& level, const RowStencil& stencil, RowReach reach,
                                    RowQuery query) const {
    const auto lanes = static_cast<Place>(hn::Lanes(FloatTag()));
    const Place end = stencil.own[num_along(level, 2)];
    const bool looks_at_all = stencil.is_plain && level.has_near_rows;
    const bool is_flat = num_along(level, 0) == 1;
    for (Place begin = stencil.own[0]; begin < end; begin += lanes) {
        reach.measure(begin);
        const Place count = std::min(lanes, end - begin);
        for (Place k = 0; k < count; ++k) {
            const std::int32_t first = reach.first[k], last = reach.last[k];
            const std::uint32_t rows = reach.rows[k] & stencil.present;
            if (!reach.is_inside)
                query.look_round(begin + k, stencil, first, last, rows);
            else if (!looks_at_all)
                query.look(begin + k, stencil, first, last, rows);
            else if (is_flat)
                query.look_at_all<1>(begin + k, stencil, first, last, rows);
            else
                query.look_at_all<4>(begin + k, stencil, first, last, rows);
        }
    }
}

CellGrid::RowStencil CellGrid::stencil_of(const Level& level, std::ptrdiff_t i, std::ptrdiff_t j) const {
    const auto row_at = [&](std::ptrdiff_t slow, std::ptrdiff_t middle) {
        return &cell_start_[level.first_cell] + slow * stride_along(level, 0) +
               middle * stride_along(level, 1);
    };
    const std::ptrdiff_t n = num_along(level, 2);
    RowStencil stencil;
    stencil.own = row_at(i, j);
    for (std::size_t r = 0; r < stencil.after.size(); ++r) {
        Row& row = stencil.after[r];
        const std::ptrdiff_t slow = image_cell(level, 0, i + RowReach::offsets[r][0], row.shift);
        const std::ptrdiff_t middle = image_cell(level, 1, j + RowReach::offsets[r][1], row.shift);
        const bool exists = slow >= 0 && middle >= 0;
        row.starts = exists ? row_at(slow, middle) : stencil.own;
        if (exists && row.starts[0] != row.starts[n]) stencil.present |= 1u << r;
        if (row.shift != std::array<float, 3>{}) stencil.is_plain = false;
    }
    return stencil;
}

/// The cell of the level at `cell`, which is at most one beyond either end of the order's axis: round the
/// ring, with the shift to its image, or -1 where there is none.
std::ptrdiff_t CellGrid::image_cell(const Level& level, std::size_t place_in_order, std::ptrdiff_t cell,
                                    std::array<float, 3>& shift) const {
    const auto axis = static_cast<std::size_t>(shape_.axis_order[place_in_order]);
    const std::ptrdiff_t n = level.num_cells[axis];
    if (cell >= 0 && cell < n) return cell;
    if (!is_ring_[axis]) return -1;
    const auto length = static_cast<float>(box_.size[shape_.axis_order[place_in_order]]);
    shift[axis] = cell < 0 ? -length : length;
    return cell < 0 ? cell + n : cell - n;
}

/// Pairs of a ball of one level with balls of the same or of a finer one, which have higher places.
void CellGrid::collect_ball_by_ball(const Level& from, const Level& among, CandidatePairs& pairs,
                                    std::vector<Slot>& found) const {
    if (among.begin == among.end) return;
    for (Place place = from.begin; place < from.end; ++place) {
        found.clear();
        const Vec3 centre = midpoint_in_frame(place);
        const double reach = static_cast<double>(reach_data()[place]);
        collect_level(among, centre, reach, Filter(*this, centre, reach, place + 1, found));
        for (const Slot other : found) pairs.add(order_[place], other);
    }
}

}  // namespace ricochet
