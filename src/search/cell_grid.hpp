// SPDX-License-Identifier: BSD-3-Clause
//
// Cell lists: bounding spheres sorted by the cell of their midpoint, in one to a few levels of cells. Source:
// Johnson & Whalley 2002, sections 3.2 and 4.3; the levels are the "multiple lattices" of their section 5.
//
// Layout. A counting sort gives every sphere a *place*. The spheres of coarse levels come first, and those of
// a level follow cell by cell. Then x, y, z and the reach are four float columns by place (columns.hpp). A
// *row* of cells along the fastest axis is one contiguous range of places, which a vector loop filters.
//
// Levels. A sphere belongs to the level of its reach. Level 0 has reaches up to twice the mean, each further
// level up to twice the one before. So a few large or fast particles do not make all cells large.
//
// Pairs. Rows are as wide as two of the level's largest reaches, where there is room. Then a sphere overlaps
// spheres of its own and the adjacent rows only, and half of those rows suffice. In each row only an interval
// is tested (cell_grid_pairs.cpp), so cells may be short along rows. Pairs of two levels, and pairs in boxes
// of fewer than three rows a side, are found by queries.
//
// Query. A query visits all cells of a level that overlap a cube about the centre, of half-width radius +
// (largest reach of the level). So cells may be larger or smaller than the reach: their size affects speed
// only. A contact can bend a path out of its sphere (Johnson & Whalley's speed bound does not survive a
// collision). Then `enlarge` enlarges the sphere and queries once more. A sphere that outgrows its level
// joins a short list of outliers, which every later query tests too.
//
// Memory. A level has a limited number of cells per sphere. In boxes that are very long for their width,
// cells become longer instead of more.
//
// Crowds. Cells for the mean density hold far too many spheres of a cluster in a void. So every few builds the
// density about some spheres is measured. Where it is much larger than the mean, cells are made for it. Then the
// box is rolled up until it has few enough of them (cell_grid_crowds.cpp).
//
// Rounding. Cells are assigned in float by a monotone expression. Queries, intervals and the filter allow for
// twice the slack of a sphere, more than the rounding of coordinates, images and squares (model/rounding.hpp).
//
// Order of the axes. The caller chooses it: `slices` uses this grid with cells along x alone. Where the
// caller allows it, a clearly longer axis becomes the slowest one. The search for all pairs, and the islands
// after it, work on three layers of rows across the slowest axis at a time. Smaller layers fit better into
// the cache (note 8 of tests/bench/notes.md).
#pragma once

#include <array>
#include <cstddef>

#include "core/columns.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

/// How a grid divides the box: which axes it cuts, and which cells lie side by side in memory.
struct GridShape {
    std::array<int, 3> axis_order{0, 1, 2};        ///< from slowest to fastest
    bool has_longest_first = false;                ///< clearly the longest axis is the slowest instead
    std::array<bool, 3> is_cut{true, true, true};  ///< by axis: uncut axes have one cell
    double particles_per_cell = 2;                 ///< target where there is no room for rows
    bool follows_crowds = false;                   ///< cells for the density about particles
};

class CellGrid : public BroadPhase {
  public:
    CellGrid(const Box& box, const GridShape& shape, bool counts_work);

    void build(std::span<BoundingSphere> spheres, SearchDomain domain) override;
    std::span<const Slot> order() const override { return {order_.data(), spheres_.size()}; }
    std::size_t memory_bytes() const override {
        return bytes_of(place_, cell_start_, order_, rolled_up_) + columns_.memory_bytes();
    }
    std::uint64_t num_compared() const override { return num_compared_; }
    void collect_pairs(CandidatePairs& pairs) override;
    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) override;
    /// Appends the slots whose spheres overlap this one, which need not be one of them; perhaps some more than once.
    void query(const BoundingSphere& sphere, std::vector<Slot>& found) const;

    /// How often the box is rolled up along each axis, since the latest build.
    const std::array<int, 3>& turns() const { return turns_; }

  private:
    /// The position of a sphere in the sorted columns.
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
    struct RowSize {
        double across = 0, along = 0;  ///< edges of cells
    };
    struct Level {
        std::array<std::ptrdiff_t, 3> num_cells{1, 1, 1};  ///< by axis
        std::array<std::ptrdiff_t, 3> num_cells_before{};  ///< in the previous build
        std::array<std::ptrdiff_t, 3> stride{};            ///< by axis, in cells
        Vec3 inverse_edge;
        double most_cells = 0;       ///< limit of the number of cells
        double max_reach = 0;        ///< of the spheres that are found through the cells
        double sorted_reach = 0;     ///< of the same spheres when the step began
        bool has_wide_rows = false;  ///< overlapping spheres lie in the same or in adjacent rows
        std::size_t first_cell = 0;  ///< into cell_start_
        Place begin = 0, end = 0;    ///< its places
    };
    static constexpr int max_levels = 8;

    Vec3 midpoint_in_frame(Place place) const {
        return {axis_data(0)[place], axis_data(1)[place], axis_data(2)[place]};
    }
    float level_0_reach() const { return static_cast<float>(2 * mean_reach_); }
    int level_of(float reach) const;
    void lay_out(SearchDomain domain);
    void tally_reaches();
    void set_frame(SearchDomain domain);
    void order_axes();
    void choose_levels();
    void size_cells(Level& level, std::size_t num_spheres) const;
    int num_cut() const;
    double frame_volume() const;
    RowSize row_size(const Level& level, double volume_per_sphere) const;
    Vec3 counts_of(double across, double along) const;
    void set_cells(Level& level, double across, double along) const;
    bool allows_adjacency(const Level& level) const;

    // Crowds.
    struct Rolls;
    bool is_rolled_up() const { return turns_ != std::array{1, 1, 1}; }
    void follow_crowds(SearchDomain domain);
    double volume_in_crowds() const;
    void choose_turns();
    double least_rolled_length() const;
    void roll_up();
    void unroll();
    BoundingSphere rolled_up(const BoundingSphere& sphere) const;
    bool may_overlap(const BoundingSphere& a, const BoundingSphere& b) const;

    void sort_into_cells();
    void sort_into_places();
    Vec3 in_frame(const BoundingSphere& sphere) const;

    // Number of cells of a level along an axis, given by its position in the order from slowest to fastest.
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
    void collect_sphere_by_sphere(const Level& from, const Level& among, CandidatePairs& pairs,
                                  std::vector<Slot>& found) const;
    void collect_level(const Level& level, Vec3 centre, double radius, const Filter& filter) const;
    /// For a cube [low, high] (in cells) inside the grid: no images, no clipping. By far the most frequent
    /// case.
    void collect_interior(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const;
    void collect_anywhere(const Level& level, Vec3 low, Vec3 high, const Filter& filter) const;
    void collect_outliers(const Filter& filter) const;
    void collect_about(Vec3 centre, double reach, std::vector<Slot>& found) const;
    void remove_far(const BoundingSphere& sphere, std::ptrdiff_t first, std::vector<Slot>& found) const;
    template <class Visit>
    void for_each_range(const Level& level, Vec3 low, Vec3 high, Visit&& visit) const;
    /// Counts the spheres, from the place `first` on, that collect_level() compares.
    void count_level(const Level& level, Vec3 centre, double radius, Place first) const;
    void add_outlier(Place place);

    Ranges cells_between(const Level& level, int axis, double low, double high) const;
    /// The cells of [low, high] (in cells) along a periodic axis that the grid covers completely.
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
    GridShape shape_;
    bool is_part_ = false;    ///< the domain is a part of the box along x
    double frame_lower_ = 0;  ///< x at which the frame begins
    Vec3 frame_size_;
    std::array<bool, 3> is_ring_;        ///< by axis: the cells close up periodically
    ImageLengths frame_images_;          ///< of the box, or of the box rolled up
    std::array<int, 3> turns_{1, 1, 1};  ///< by axis: the box is rolled up so often
    double crowd_volume_ = 0;  ///< per sphere, where that is much less than the mean; 0: there are no crowds
    unsigned num_builds_ = 0;
    double mean_reach_ = 0, latest_mean_reach_ = 0;
    std::array<Level, max_levels> levels_;  ///< by reach; places run from the last to the first
    std::array<std::size_t, max_levels> level_size_{};
    std::span<BoundingSphere> spheres_;       ///< by slot
    std::span<const BoundingSphere> placed_;  ///< these, in the box rolled up
    std::vector<BoundingSphere> rolled_up_;   ///< where it is
    std::vector<Place> place_;                ///< by slot
    std::vector<std::uint32_t> cell_start_;   ///< by cell: its first place
    // By place; followed by outliers and padding.
    std::vector<Slot> order_;
    Columns<float, 4> columns_;  ///< x, y, z of midpoints in the frame, and reach
    std::size_t num_outliers_ = 0;
    bool counts_work_;
    mutable std::uint64_t num_compared_ = 0;
};

}  // namespace ricochet
