// SPDX-License-Identifier: BSD-3-Clause
//
// Cell lists: the balls sorted by the cell of their midpoint, in one to a few levels of cells (Johnson &
// Whalley 2002, sections 3.2 and 4.3; the levels are the "multiple lattices" of their section 5).
//
// Layout. A counting sort gives every ball a *place*: the balls of one level after those of another, coarse
// levels first, and within a level cell by cell. x, y, z and the reach are then four float columns by place
// (columns.hpp), and a *row* of cells along the fastest axis is one contiguous range of places that a vector
// loop filters.
//
// Levels. A ball belongs to the level of its reach: level 0 holds those up to twice the mean, each further
// level those up to twice as much again. A few large or fast particles therefore do not make all cells large.
//
// Pairs. Where a level's rows can be as wide as two of its largest reaches, a ball meets balls of its own and
// the adjacent rows only, and half of those suffice; in each, only those of an interval
// (cell_grid_pairs.cpp). Along the rows cells may therefore be short. Pairs of two levels, and pairs in boxes
// of fewer than three rows a side, are found by queries.
//
// Memory. A level has a limited number of cells per ball: in boxes that are very long for their width, cells
// become longer instead of more.
//
// Query. All cells of a level that meet the cube of half-width radius + (largest reach of the level) about
// the centre are visited, so cells may be larger or smaller than the reach: their size is a matter of speed
// only. When a path is bent and leaves its ball (Johnson & Whalley's speed bound does not survive a
// collision), `enlarge` makes that ball larger and queries once more; one that outgrows its level is kept in
// a short list of strays that every later query also looks at.
//
// Rounding. Cells are assigned in float by a monotone expression; queries, intervals and the filter allow for
// an absolute slack of 2e-6 box lengths, more than the rounding of coordinates, images and squares.
//
// The order of the axes is the caller's: `slices` uses this grid with cells along x alone. Where the caller
// lets it, a clearly longer axis becomes the slowest one. Three layers of rows across the slowest axis are
// what a search for all pairs, and the islands after it, work on at a time: the smaller a layer, the more of
// that is in cache. Half a cube, cut across x, has layers of half the size when y is the slowest. Measured on
// 2 ranks with a million spheres, changing to and fro within a run: at volume fraction 0.3 islands take 3 %
// less time on average, in single runs from 5 % less to 1 % more; at 0.1 no difference.
#pragma once

#include <array>
#include <cstddef>

#include "ricochet/core/columns.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

/// How a grid divides the box: which axes it cuts, and which cells lie side by side in memory.
struct GridShape {
    std::array<int, 3> axis_order{0, 1, 2};        ///< from slowest to fastest
    bool has_longest_first = false;                ///< clearly the longest axis is the slowest instead
    std::array<bool, 3> is_cut{true, true, true};  ///< by axis: uncut axes have one cell
    double particles_per_cell = 2;                 ///< aimed at where there is no room for rows
};

class CellGrid {
  public:
    CellGrid(const Box& box, const GridShape& shape);

    void build(std::span<SweptBall> balls, SearchDomain domain);
    std::span<const Slot> order() const { return {order_.data(), balls_.size()}; }
    void collect_pairs(CandidatePairs& pairs) const;
    bool outgrows(Slot slot, const PathPart& path, double radius) const {
        return reach_needed(slot, path, radius) > static_cast<double>(balls_[slot].reach);
    }
    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found);

  private:
    /// Where a ball is kept.
    using Place = std::uint32_t;
    struct Filter;
    struct Row;
    struct RowStencil;
    class RowReach;
    class RowQuery;
    class Frame;
    class CellLocator;
    struct Range {
        std::ptrdiff_t first = 0, last = 0;  ///< inclusive
    };
    /// Up to three disjoint ranges of cells along one axis.
    struct Ranges {
        std::array<Range, 3> range{};
        int count = 0;
    };
    struct Level {
        std::array<std::ptrdiff_t, 3> num_cells{1, 1, 1};  ///< by axis
        std::array<std::ptrdiff_t, 3> num_cells_before{};  ///< when the grid was built before
        std::array<std::ptrdiff_t, 3> stride{};            ///< by axis, in cells
        Vec3 inverse_edge;
        double most_cells = 0;       ///< it may have
        double max_reach = 0;        ///< of the balls that are found through the cells
        double sorted_reach = 0;     ///< the same when the step began
        bool has_wide_rows = false;  ///< two balls that meet lie in the same or in adjacent rows
        std::size_t first_cell = 0;  ///< into cell_start_
        Place begin = 0, end = 0;    ///< its places
    };
    static constexpr int max_levels = 8;

    Vec3 midpoint_in_frame(Place place) const {
        return {axis_data(0)[place], axis_data(1)[place], axis_data(2)[place]};
    }
    double reach_needed(Slot slot, const PathPart& path, double radius) const;
    float level_0_reach() const { return static_cast<float>(2 * mean_reach_); }
    int level_of(float reach) const;
    void tally_reaches();
    void set_frame(SearchDomain domain);
    void order_axes();
    void choose_levels();
    void size_cells(Level& level, std::size_t num_balls) const;
    void set_rows(Level& level, double volume_per_ball, int num_cut) const;
    Vec3 counts_of(double across, double along) const;
    void set_cells(Level& level, double across, double along) const;
    bool allows_adjacency(const Level& level) const;
    void sort_into_cells();
    void sort_into_places();

    // Of a level, by the place of the axis in the order, from slowest to fastest.
    std::ptrdiff_t num_along(const Level& level, std::size_t place_in_order) const {
        return level.num_cells[static_cast<std::size_t>(shape_.axis_order[place_in_order])];
    }
    std::ptrdiff_t stride_along(const Level& level, std::size_t place_in_order) const {
        return level.stride[static_cast<std::size_t>(shape_.axis_order[place_in_order])];
    }
    double edge(const Level& level, std::size_t place_in_order) const {
        return frame_size_[shape_.axis_order[place_in_order]] /
               static_cast<double>(num_along(level, place_in_order));
    }
    const float* axis_data(int axis) const { return columns_[static_cast<std::size_t>(axis)]; }
    const float* reach_data() const { return columns_[3]; }
    void collect_rows(const Level& level, CandidatePairs& pairs) const;
    RowStencil stencil_of(const Level& level, std::ptrdiff_t i, std::ptrdiff_t j) const;
    std::ptrdiff_t image_cell(const Level& level, std::size_t place_in_order, std::ptrdiff_t cell,
                              std::array<float, 3>& shift) const;
    void collect_ball_by_ball(const Level& from, const Level& among, CandidatePairs& pairs,
                              std::vector<Slot>& found) const;
    void collect_level(const Level& level, Vec3 centre, double radius, const Filter& filter) const;
    /// The cube [low, high] (in cells) lies inside the grid: no images, no clipping. By far the most frequent
    /// case.
    void collect_interior(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const;
    void collect_anywhere(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const;
    void collect_strays(const Filter& filter) const;
    void add_stray(Place place);

    Ranges cells_between(const Level& level, int axis, double low, double high) const;
    /// The cells of [low, high] (in cells) along a periodic axis that the grid covers whole.
    static Ranges ring_cells(double low, double high, std::ptrdiff_t n);
    /// The same along a closed axis (period 0) or a part of a periodic one: the range and its images, each
    /// clipped.
    static Ranges clipped_cells(double low, double high, double period, std::ptrdiff_t n);
    template <class Visit>
    static void for_each_cell(const Ranges& ranges, Visit&& visit) {
        for (int k = 0; k < ranges.count; ++k) {
            const Range range = ranges.range[static_cast<std::size_t>(k)];
            for (auto cell = range.first; cell <= range.last; ++cell) visit(cell);
        }
    }

    Box box_;
    ImageLengths images_;
    GridShape shape_;
    double slack_;
    double most_reach_;       ///< holds the box
    bool is_part_ = false;    ///< the domain is a part of the box along x
    double frame_lower_ = 0;  ///< x at which the frame begins
    Vec3 frame_size_;
    std::array<bool, 3> is_ring_;  ///< by axis: the cells close up periodically
    double mean_reach_ = 0, latest_mean_reach_ = 0;
    std::array<Level, max_levels> levels_;  ///< by reach; places run from the last to the first
    std::array<std::size_t, max_levels> level_size_{};
    std::span<SweptBall> balls_;             ///< by slot
    std::vector<Place> place_;               ///< by slot
    std::vector<std::uint32_t> cell_start_;  ///< by cell: its first place
    // By place; strays and padding behind.
    std::vector<Slot> order_;
    Columns<float, 4> columns_;  ///< x, y, z of midpoints in the frame, and reach
    std::size_t num_strays_ = 0;
};

}  // namespace ricochet
