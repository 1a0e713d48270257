// SPDX-License-Identifier: BSD-3-Clause
//
// All pairs of overlapping bounding spheres, found row by row.
//
// Rows are at least as wide as two of the largest reaches. So a sphere overlaps spheres of its own row and of
// the eight around it, and the four that come after it suffice. In each of them only an interval is tested: a
// contiguous range of places, mostly shorter than a vector.
//
// Cost: what takes time is not arithmetic, but unpredictable branches and stores to addresses just computed.
// So RowReach first lists, without branches, the spheres of a row that are near each other row. RowQuery
// tests them all against the first vector of their ranges, and stores the overlaps as bits. Where the bits
// are not 0 it writes the pairs. The rest of longer ranges, and ranges round the ends of the row, come last.
// Notes 4 and 5 of tests/bench/notes.md compare this with simpler algorithms.
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "search/cell_grid.hpp"
#include "search/cell_grid_filter.hpp"
#include "search/cell_grid_row_reach.hpp"

namespace ricochet {

/// A row of cells along the fast axis, and the shift to its image.
struct CellGrid::Row {
    const std::uint32_t* starts = nullptr;  ///< of its cells, and one more
    std::array<float, 3> shift{};
    bool is_image = false;  ///< the shift is not 0
};

/// The row of a sphere, and the adjacent rows that come after it in the order of the axes, round the rings.
struct CellGrid::RowStencil {
    Row own;
    std::array<Row, 4> after;
    std::uint32_t present = 0;  ///< bit r: after[r] exists and has bounding spheres
};

/// Tests spheres against ranges of others, and keeps the pairs that overlap.
class CellGrid::RowQuery {
  public:
    RowQuery(const CellGrid& grid, const Level& level, CandidatePairs& pairs)
        : x_(grid.axis_data(0)),
          y_(grid.axis_data(1)),
          z_(grid.axis_data(2)),
          reach_(grid.reach_data()),
          slots_(grid.order_.data()),
          slack_(static_cast<float>(grid.slack())),
          fast_(static_cast<std::size_t>(grid.shape_.axis_order[2])),
          last_cell_(static_cast<std::int32_t>(grid.num_along(level, 2)) - 1),
          is_ring_(grid.is_ring_[fast_]),
          ring_length_(static_cast<float>(grid.frame_size_[grid.shape_.axis_order[2]])),
          counts_work_(grid.counts_work_),
          pairs_(pairs),
          rest_(most_ranges),
          second_(most_ranges),
          found_(most_ranges + most_bytes) {}

    void enter_row(const RowStencil& stencil) {
        const auto enter = [this](const Row& row, std::size_t r) {
            for (std::size_t turn = 0; turn < num_turns; ++turn) shift_[num_turns * r + turn] = row.shift;
            shift_[num_turns * r + below][fast_] = -ring_length_;
            shift_[num_turns * r + above][fast_] = ring_length_;
        };
        enter(stencil.own, 0);
        for (std::size_t r = 0; r < stencil.after.size(); ++r) enter(stencil.after[r], 1 + r);
    }

    /// Tests each measured sphere against all that come after it.
    HWY_ATTR void look(const RowStencil& stencil, const RowReach& reach) {
        num_rest_ = 0;
        test_row(stencil.own, reach);
        for (std::uint32_t r = 0; r < stencil.after.size(); ++r) {
            if ((stencil.present >> r & 1u) == 0) continue;
            if (stencil.after[r].is_image)
                test_rows_of<true>(stencil.after[r], num_turns * (1 + r), reach, reach.near(r));
            else
                test_rows_of<false>(stencil.after[r], num_turns * (1 + r), reach, reach.near(r));
        }
        const std::size_t num_straight = num_rest_;
        if (is_ring_) {
            for (const RowReach::Beyond& sphere : reach.beyond()) note_round(sphere, stencil);
        }
        if (counts_work_)
            count_compared(stencil, reach, std::span(rest_).subspan(num_straight, num_rest_ - num_straight));
        test_rest();
    }

    std::uint64_t num_compared() const { return num_compared_; }

  private:
    /// A sphere and a range of places against which it is tested.
    struct Range {
        Place own, begin, end;
        std::uint32_t image;  ///< of the spheres in the range: index into shift_
    };
    /// The shift along the fast axis: none, or once round the ring in either direction.
    enum Turn : std::uint32_t { straight, below, above, num_turns };
    static constexpr std::size_t most_bytes = 32;
    /// A sphere is tested against ranges in its row and in four others, and beyond the ends of those.
    static constexpr std::size_t num_images = (1 + RowReach::offsets.size()) * num_turns;
    static constexpr std::size_t most_ranges = num_images * RowReach::most_spheres;

    HWY_ATTR HWY_INLINE void test_row(const Row& row, const RowReach& reach) {
        const Place begin = reach.begin();
        const std::uint32_t* const starts = row.starts;
        const std::int32_t* const last = reach.last();
        hold<false>(reach.end() - begin, [=](std::size_t k) {
            const Place own = begin + static_cast<Place>(k);
            return Range{own, own + 1, starts[last[k] + 1], straight};
        });
    }

    /// Counts the spheres in all ranges that look() tests; those round the ends of the rows are given.
    void count_compared(const RowStencil& stencil, const RowReach& reach, std::span<const Range> round) {
        const Place begin = reach.begin();
        for (Place own = begin; own < reach.end(); ++own)
            num_compared_ += stencil.own.starts[reach.last()[own - begin] + 1] - (own + 1);
        for (std::uint32_t r = 0; r < stencil.after.size(); ++r) {
            if ((stencil.present >> r & 1u) == 0) continue;
            const std::uint32_t* const starts = stencil.after[r].starts;
            for (const Place own : reach.near(r))
                num_compared_ += starts[reach.last()[own - begin] + 1] - starts[reach.first()[own - begin]];
        }
        for (const Range& range : round) num_compared_ += range.end - range.begin;
    }

    template <bool is_image>
    HWY_ATTR HWY_INLINE void test_rows_of(const Row& row, std::uint32_t image, const RowReach& reach,
                                          std::span<const Place> spheres) {
        const Place begin = reach.begin();
        const std::uint32_t* const starts = row.starts;
        const std::int32_t *const first = reach.first(), *const last = reach.last();
        hold<is_image>(spheres.size(), [=](std::size_t k) {
            const Place own = spheres[k];
            return Range{own, starts[first[own - begin]], starts[last[own - begin] + 1], image};
        });
    }

    /// Adds the ranges of an interval beyond the ends of a row that is a ring.
    void note_round(const RowReach::Beyond& sphere, const RowStencil& stencil) {
        const std::int32_t num_below = -sphere.first, num_above = sphere.last - last_cell_;
        const auto note = [&](const Row& row, std::uint32_t r) {
            const auto add = [&](std::int32_t first, std::int32_t last, Turn turn) {
                rest_[num_rest_++] = {sphere.place, row.starts[first], row.starts[last + 1],
                                      num_turns * r + turn};
            };
            if (num_below > 0 && r > 0) add(last_cell_ + 1 - num_below, last_cell_, below);
            if (num_above > 0) add(0, num_above - 1, above);
        };
        note(stencil.own, 0);
        for (std::uint32_t r = 0; r < stencil.after.size(); ++r)
            if ((stencil.present >> r & 1u) != 0) note(stencil.after[r], 1 + r);
    }

    /// Tests a second vector of all ranges that are left, and then one range after the other.
    HWY_ATTR void test_rest() {
        std::swap(rest_, second_);
        hold<true>(std::exchange(num_rest_, 0),
                   [ranges = second_.data()](std::size_t k) { return ranges[k]; });
        for (const Range& range : std::span(rest_).first(num_rest_)) test_range(range);
    }

    /// Tests the first vector of each range; the rest of longer ranges is added to rest_.
    template <bool has_images, class RangeOf>
    HWY_ATTR HWY_INLINE void hold(std::size_t count, RangeOf range_of) {
        const auto lanes = static_cast<Place>(hn::Lanes(SlotTag()));
        std::uint8_t* const met = found_.data();
        Range* rest = rest_.data() + num_rest_;
        for (std::size_t k = 0; k < count; ++k) {
            const Range range = range_of(k);
            const BroadcastSphere sphere = has_images ? image_of(range) : sphere_of(range);
            met[k] = static_cast<std::uint8_t>(met_by(sphere, range));
            *rest = {range.own, range.begin + lanes, range.end, range.image};
            rest += range.end - range.begin > lanes ? 1 : 0;
        }
        num_rest_ = static_cast<std::size_t>(rest - rest_.data());
        keep_found(count, range_of);
    }

    /// Writes the pairs of the spheres and the first vectors of their ranges, according to found_.
    template <class RangeOf>
    HWY_ATTR HWY_INLINE void keep_found(std::size_t count, RangeOf range_of) {
        const hn::CappedTag<std::uint8_t, most_bytes> byte_tag;
        const std::size_t lanes = hn::Lanes(SlotTag()), step = hn::Lanes(byte_tag);
        std::fill_n(found_.begin() + static_cast<std::ptrdiff_t>(count), step, std::uint8_t{0});
        for (std::size_t begin = 0; begin < count; begin += step) {
            const auto met = hn::LoadU(byte_tag, &found_[begin]);
            std::uint64_t some = 0;
            hn::StoreMaskBits(byte_tag, hn::Ne(met, hn::Zero(byte_tag)),
                              reinterpret_cast<std::uint8_t*>(&some));
            const CandidatePairs::Room room = pairs_.room_for(step * lanes);
            std::size_t num_found = 0;
            for (; some != 0; some &= some - 1) {
                const std::size_t k = begin + static_cast<std::size_t>(std::countr_zero(some));
                num_found +=
                    write_pairs(range_of(k), found_[k], {room.first + num_found, room.second + num_found});
            }
            pairs_.keep(num_found);
        }
    }

    HWY_ATTR void test_range(Range range) {
        const auto lanes = static_cast<Place>(hn::Lanes(SlotTag()));
        const BroadcastSphere sphere = image_of(range);
        for (; range.begin < range.end; range.begin += lanes)
            pairs_.keep(write_pairs(range, met_by(sphere, range), pairs_.room_for(lanes)));
    }

    HWY_ATTR HWY_INLINE BroadcastSphere sphere_of(const Range& range) const {
        const Place own = range.own;
        return {x_[own], y_[own], z_[own], reach_[own] + slack_};
    }
    /// The sphere, shifted to the image of the range.
    HWY_ATTR HWY_INLINE BroadcastSphere image_of(const Range& range) const {
        const Place own = range.own;
        const std::array<float, 3>& shift = shift_[range.image];
        return {x_[own] - shift[0], y_[own] - shift[1], z_[own] - shift[2], reach_[own] + slack_};
    }

    /// Which spheres of the first vector of a range overlap the given one.
    HWY_ATTR HWY_INLINE std::size_t met_by(const BroadcastSphere& sphere, const Range& range) const {
        const Place begin = range.begin;
        return sphere.touches(x_ + begin, y_ + begin, z_ + begin, reach_ + begin, range.end - begin);
    }

    /// Writes these pairs, followed by undefined elements; returns their number.
    HWY_ATTR HWY_INLINE std::size_t write_pairs(const Range& range, std::size_t met,
                                                CandidatePairs::Room room) const {
        const SlotTag tag;
        hn::StoreU(hn::Set(tag, slots_[range.own]), tag, room.first);
        return store_set_lanes(hn::LoadU(tag, slots_ + range.begin), met, room.second);
    }

    const float *x_, *y_, *z_, *reach_;
    const Slot* slots_;
    float slack_;
    std::size_t fast_;
    std::int32_t last_cell_;
    bool is_ring_;
    float ring_length_;
    bool counts_work_;
    CandidatePairs& pairs_;
    std::array<std::array<float, 3>, num_images> shift_{};  ///< by row and turn
    std::vector<Range> rest_, second_;                      ///< the first num_rest_ count
    std::size_t num_rest_ = 0;
    std::vector<std::uint8_t> found_;  ///< bits, by range
    std::uint64_t num_compared_ = 0;
};

void CellGrid::collect_pairs(CandidatePairs& pairs) {
    std::vector<Slot> found;
    for (std::size_t l = max_levels; l-- > 0;) {
        const Level& level = levels_[l];
        if (level.begin == level.end) continue;
        if (level.has_wide_rows)
            collect_rows(level, pairs);
        else
            collect_sphere_by_sphere(level, level, pairs, found);
        for (std::size_t finer = l; finer-- > 0;)
            collect_sphere_by_sphere(level, levels_[finer], pairs, found);
    }
    if (is_rolled_up())
        pairs.keep_if([this](Slot a, Slot b) { return may_overlap(spheres_[a], spheres_[b]); });
}

/// Pairs of a level whose rows are at least as wide as two reaches.
void CellGrid::collect_rows(const Level& level, CandidatePairs& pairs) const {
    constexpr auto at_once = static_cast<Place>(RowReach::most_spheres);
    RowReach reach(*this, level);
    RowQuery query(*this, level, pairs);
    for (std::ptrdiff_t i = 0; i < num_along(level, 0); ++i) {
        for (std::ptrdiff_t j = 0; j < num_along(level, 1); ++j) {
            const RowStencil stencil = stencil_of(level, i, j);
            reach.enter_row(i, j);
            query.enter_row(stencil);
            const Place end = stencil.own.starts[num_along(level, 2)];
            for (Place begin = stencil.own.starts[0]; begin < end;) {
                const Place count = std::min(at_once, end - begin);
                reach.measure(begin, begin + count);
                query.look(stencil, reach);
                begin += count;
            }
        }
    }
    num_compared_ += query.num_compared();
}

CellGrid::RowStencil CellGrid::stencil_of(const Level& level, std::ptrdiff_t i, std::ptrdiff_t j) const {
    const auto row_at = [&](std::ptrdiff_t slow, std::ptrdiff_t middle) {
        return &cell_start_[level.first_cell] + slow * stride_along(level, 0) +
               middle * stride_along(level, 1);
    };
    const std::ptrdiff_t n = num_along(level, 2);
    RowStencil stencil;
    stencil.own.starts = row_at(i, j);
    for (std::size_t r = 0; r < stencil.after.size(); ++r) {
        Row& row = stencil.after[r];
        const std::ptrdiff_t slow = image_cell(level, 0, i + RowReach::offsets[r][0], row.shift);
        const std::ptrdiff_t middle = image_cell(level, 1, j + RowReach::offsets[r][1], row.shift);
        if (slow < 0 || middle < 0) continue;
        row.starts = row_at(slow, middle);
        row.is_image = row.shift != std::array<float, 3>{};
        if (row.starts[0] != row.starts[n]) stencil.present |= 1u << r;
    }
    return stencil;
}

/// The cell of the level at `cell`, which is at most one beyond either end of this axis. Goes round the ring,
/// with the shift to its image; -1 where there is no cell.
std::ptrdiff_t CellGrid::image_cell(const Level& level, std::size_t place_in_order, std::ptrdiff_t cell,
                                    std::array<float, 3>& shift) const {
    const auto axis = static_cast<std::size_t>(shape_.axis_order[place_in_order]);
    const std::ptrdiff_t n = level.num_cells[axis];
    if (cell >= 0 && cell < n) return cell;
    if (!is_ring_[axis]) return -1;
    const auto length = static_cast<float>(frame_size_[shape_.axis_order[place_in_order]]);
    shift[axis] = cell < 0 ? -length : length;
    return cell < 0 ? cell + n : cell - n;
}

/// Pairs of a sphere of one level with spheres of the same or of a finer level, which have higher places.
void CellGrid::collect_sphere_by_sphere(const Level& from, const Level& among, CandidatePairs& pairs,
                                        std::vector<Slot>& found) const {
    if (among.begin == among.end) return;
    for (Place place = from.begin; place < from.end; ++place) {
        found.clear();
        const Vec3 centre = midpoint_in_frame(place);
        const double reach = static_cast<double>(reach_data()[place]);
        collect_level(among, centre, reach, Filter(*this, centre, reach, place + 1, found));
        if (counts_work_) count_level(among, centre, reach, place + 1);
        for (const Slot other : found) pairs.add(order_[place], other);
    }
}

}  // namespace ricochet
