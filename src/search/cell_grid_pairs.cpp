// SPDX-License-Identifier: BSD-3-Clause
//
// All pairs of balls that meet, found cell by cell.
//
// Tried and not faster: rows in strips, so that the neighbours of a cell lie closer in memory (fewer than 5 %
// of the cache misses are of that kind); BallQuery also for cells of one reach that hold few balls; the
// ball's own reach instead of the largest to tell which faces it is near.
#include <algorithm>
#include <array>

#include "ricochet/search/cell_grid.hpp"
#include "search/cell_grid_filter.hpp"

namespace ricochet {

/// The balls of one cell, and behind them those that they are to be held against, copied side by side.
class CellGrid::PairBatch {
  public:
    explicit PairBatch(const CellGrid& grid) : grid_(grid) {}

    void begin() { count_ = 0; }

    /// Adds the balls of [begin, end), shifted to their image.
    HWY_ATTR void append(Place begin, Place end, const std::array<float, 3>& shift) {
        const FloatTag tag;
        const SlotTag slot_tag;
        const auto lanes = static_cast<Place>(hn::Lanes(tag));
        reserve(count_ + (end - begin) + lanes);
        const auto shift_x = hn::Set(tag, shift[0]);
        const auto shift_y = hn::Set(tag, shift[1]);
        const auto shift_z = hn::Set(tag, shift[2]);
        std::size_t at = count_;
        for (Place place = begin; place < end; place += lanes, at += lanes) {
            hn::StoreU(hn::Add(hn::LoadU(tag, &grid_.x_[place]), shift_x), tag, &x_[at]);
            hn::StoreU(hn::Add(hn::LoadU(tag, &grid_.y_[place]), shift_y), tag, &y_[at]);
            hn::StoreU(hn::Add(hn::LoadU(tag, &grid_.z_[place]), shift_z), tag, &z_[at]);
            hn::StoreU(hn::LoadU(tag, &grid_.reach_[place]), tag, &reach_[at]);
            hn::StoreU(hn::LoadU(slot_tag, &grid_.order_[place]), slot_tag, &slot_[at]);
        }
        count_ += end - begin;
    }

    /// Every pair of the first num_own balls with each other and with the rest of the batch that meets.
    HWY_ATTR void collect(std::size_t num_own, CandidatePairs& pairs) const {
        const SlotTag slot_tag;
        const std::size_t lanes = hn::Lanes(slot_tag);
        const auto slack = static_cast<float>(grid_.slack_);
        for (std::size_t own = 0; own < num_own; ++own) {
            const BroadcastBall ball(x_[own], y_[own], z_[own], reach_[own] + slack);
            Slot* const partners = pairs.begin_run(count_ + lanes);
            std::size_t num_found = 0;
            for (std::size_t k = own + 1; k < count_; k += lanes) {
                const std::size_t met = ball.meets(&x_[k], &y_[k], &z_[k], &reach_[k], count_ - k);
                num_found += store_set_lanes(hn::LoadU(slot_tag, &slot_[k]), met, partners + num_found);
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
          slots_(grid.order_.data()),
          slack_(static_cast<float>(grid.slack_)),
          pairs_(pairs) {}

    void begin(Place own) {
        own_ = own;
        num_found_ = 0;
    }

    /// Those of [begin, end) that the ball meets when they are shifted to their image.
    HWY_ATTR HWY_INLINE void operator()(Place begin, Place end, const std::array<float, 3>& shift) {
        if (begin >= end) return;
        const SlotTag slot_tag;
        const auto lanes = static_cast<Place>(hn::Lanes(slot_tag));
        const BroadcastBall ball(x_[own_] - shift[0], y_[own_] - shift[1], z_[own_] - shift[2],
                                 reach_[own_] + slack_);
        for (Place place = begin; place < end; place += lanes) {
            const std::size_t met =
                ball.meets(x_ + place, y_ + place, z_ + place, reach_ + place, end - place);
            if (met == 0) continue;  // most often
            Slot* const partners = pairs_.begin_run(num_found_ + lanes);
            num_found_ += store_set_lanes(hn::LoadU(slot_tag, slots_ + place), met, partners + num_found_);
        }
    }

    void end() { pairs_.end_run(slots_[own_], num_found_); }

  private:
    const float *x_, *y_, *z_, *reach_;
    const Slot* slots_;
    float slack_;
    CandidatePairs& pairs_;
    Place own_ = 0;
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

    Place begin() const { return own.starts[cell[2]]; }
    Place end() const { return own.starts[cell[2] + 1]; }
};

/// Visits every occupied cell of a level of wide cells.
template <class Visit>
void CellGrid::for_each_stencil(const Level& level, Visit&& visit) const {
    const int slow = shape_.axis_order[0], middle = shape_.axis_order[1], fast = shape_.axis_order[2];
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
        const auto append = [&](Place begin, Place end, const std::array<float, 3>& shift) {
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
    const int slow = shape_.axis_order[0], middle = shape_.axis_order[1], fast = shape_.axis_order[2];
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
        for (Place place = stencil.begin(); place < stencil.end(); ++place) {
            const bool is_near_low_middle = coordinate[1][place] <= low[1];
            const bool is_near_high_middle = coordinate[1][place] >= high[1];
            const bool is_near_high_slow = coordinate[0][place] >= high[0];
            const std::ptrdiff_t first = k - (coordinate[2][place] <= low[2] ? 1 : 0);
            const std::ptrdiff_t last = k + (coordinate[2][place] >= high[2] ? 1 : 0);
            query.begin(place);
            query(place + 1, stencil.end(), {});
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

/// Pairs of a ball of one level with balls of the same or of a finer one, which have higher places.
void CellGrid::collect_ball_by_ball(const Level& from, const Level& among, CandidatePairs& pairs,
                                    std::vector<Slot>& found) const {
    if (among.begin == among.end) return;
    for (Place place = from.begin; place < from.end; ++place) {
        found.clear();
        const Vec3 centre = midpoint_in_frame(place);
        const double reach = static_cast<double>(reach_[place]);
        collect_level(among, centre, reach, Filter(*this, centre, reach, place + 1, found));
        std::copy(found.begin(), found.end(), pairs.begin_run(found.size()));
        pairs.end_run(order_[place], found.size());
    }
}

}  // namespace ricochet
