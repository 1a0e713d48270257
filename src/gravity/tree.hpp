// SPDX-License-Identifier: BSD-3-Clause
//
// The cells of a tree with their moments, and what a leaf of it feels (Barnes & Hut, Nature 324 (1986) 446; by leaves:
// Barnes, J. Comput. Phys. 87 (1990) 161).
//
// Algorithm: particles in the order of (key, id) are cut into cells (cell_keys.hpp). A cell with more than 32 of them
// is divided, unless all have one key. A cell of which all lie in one child is left out. Moments are those of the
// leaf's particles in their order, above it of the children in the order of their octants.
//
// A leaf goes through the tree depth first. It takes a source cell as a whole if the cell is farther away than its size
// over `opening`. The distance is that from the source's centre of mass to the smallest box around the leaf's
// particles. The size is the longest edge of the smallest box around the source's particles. A small heap in a wide
// cell is thus a small cell.
//
// The distance must also exceed 5/4 of that from the centre of mass to the farthest corner of the source's box. This
// concerns lopsided cells, and no cell is taken as a whole by a leaf in it. Cells of up to four particles are always
// opened: this costs as much.
//
// A leaf adds cells as wholes first, then particles of other leaves, both depth first, and its own particles last. All
// this depends on positions, masses and ids alone: not on the order of storage, and not on ranks.
//
// In a box with periodic axes a leaf then goes through the same tree once for each near image (near_images.hpp), itself
// moved the other way. Its own particles are those of any leaf then. There forces of far masses nearly cancel, but not
// their errors, and those of the largest cells are the largest. So cells of more than a quarter of the box are taken as
// wholes only farther away.
//
// Layout: cells in depth-first order, each with the index of the next cell that is not in it. So the walk is a loop
// that goes on, or skips.
//
// Cost: O(n log n). A leaf of 32 serves a vector's length of targets with one list; the price is that lists are longer
// than a single particle's would be.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gravity/cell_keys.hpp"
#include "gravity/kernels.hpp"
#include "gravity/moments.hpp"

namespace ricochet {

/// What decides whether a cell is opened.
struct GravityCell {
    Vec3 centre;                 ///< of mass
    double opening_squared = 0;  ///< within the root of this distance of a target leaf the cell is opened
    std::uint32_t next = 0;      ///< the first cell after this one that is not in it
    std::uint32_t first = 0;     ///< point of a leaf
    std::uint32_t count = 0;     ///< points of a leaf; 0: a cell with children
};
/// The count of a leaf, or of a cell with children, of which only the moments are here.
inline constexpr std::uint32_t not_here = std::numeric_limits<std::uint32_t>::max();

/// The same index for a cell in the three lists.
struct GravityTree {
    std::vector<GravityCell> cells;
    std::vector<Moments> moments;
    std::vector<Bounds> bounds;
    std::vector<PointMass> points;
    std::uint32_t num_targets = 0;  ///< the points of leaves that are targets; these come first

    /// Adds a cell, still without children, and returns its index.
    std::uint32_t add(const GravityCell& cell, const Moments& of_cell, const Bounds& around);
    bool is_target_leaf(std::size_t cell) const {
        return cells[cell].count > 0 && cells[cell].count != not_here && cells[cell].first < num_targets;
    }
};

/// The square of the distance within which a cell is opened.
class Opening {
  public:
    static constexpr std::uint32_t always_opened = 4;  ///< particles

    /// Cells whose edge exceeds `coarse_edge` are opened within larger distances, by the root of the ratio of both.
    /// Requires: opening > 0.
    explicit Opening(double opening, double coarse_edge = std::numeric_limits<double>::infinity())
        : per_edge_(1 / opening), per_coarse_edge_(1 / coarse_edge) {}

    double squared(const Moments& moments, const Bounds& bounds) const;
    double squared_of_leaf(const Moments& moments, const Bounds& bounds, std::uint32_t count) const {
        return count <= always_opened ? std::numeric_limits<double>::infinity() : squared(moments, bounds);
    }

  private:
    double per_edge_, per_coarse_edge_;
};

/// Cuts points, given in the order of (key, id), into cells.
class TreeBuilder {
  public:
    static constexpr std::size_t most_in_leaf = 32;

    /// Keeps references to all but the opening. keys[k] is that of tree.points[k].
    TreeBuilder(const CellKeys& cell_keys, const Opening& opening, std::span<const CellKey> keys,
                GravityTree& tree)
        : cell_keys_(cell_keys), opening_(opening), keys_(keys), tree_(tree) {}

    /// Adds the smallest cell that contains these points, with all cells in it; returns its index.
    /// Requires: begin < end.
    std::uint32_t add_cell(std::size_t begin, std::size_t end);

  private:
    std::uint32_t add_leaf(std::size_t begin, std::size_t end);

    const CellKeys& cell_keys_;
    Opening opening_;
    std::span<const CellKey> keys_;
    GravityTree& tree_;
};

/// Completes a cell whose children have just been added: its moments, bounds and end.
void close_cell(GravityTree& tree, std::uint32_t cell, const Opening& opening);

/// Finds what leaves feel.
class TreeWalk {
  public:
    /// Keeps references to the tree and the offsets (near_images.hpp).
    TreeWalk(const GravityTree& tree, const FieldSums& sums, std::span<const Vec3> images)
        : tree_(tree), sums_(sums), images_(images), lists_(images.size()) {}

    /// Calls take(first, targets) for each batch of the leaf's particles: `first` is the point of the first target.
    template <class Take>
    void for_each_batch(std::uint32_t leaf, const Take& take) {
        for (std::size_t image = 0; image < images_.size(); ++image)
            find_sources(leaf, images_[image], lists_[image]);
        const GravityCell& own = tree_.cells[leaf];
        for (std::uint32_t begin = own.first; begin < own.first + own.count; begin += most_targets) {
            const std::uint32_t end = std::min(begin + most_targets, own.first + own.count);
            take(begin, batch_of(own, begin, end));
        }
    }

    /// Pairs of a target and a source, so far.
    std::uint64_t num_points() const { return num_points_; }
    std::uint64_t num_cells() const { return num_cells_; }

  private:
    static constexpr std::uint32_t most_targets = TargetBatch::capacity;

    /// What a leaf takes of one image.
    struct SourceList {
        std::vector<std::uint32_t> whole;  ///< cells
        std::vector<PointRange> ranges;
    };

    void find_sources(std::uint32_t leaf, Vec3 offset, SourceList& list) const;
    void count(const SourceList& list, std::uint64_t num_targets);
    TargetBatch batch_of(const GravityCell& own, std::uint32_t begin, std::uint32_t end);

    const GravityTree& tree_;
    FieldSums sums_;
    std::span<const Vec3> images_;
    std::vector<SourceList> lists_;  ///< by image
    std::uint64_t num_points_ = 0, num_cells_ = 0;
};

}  // namespace ricochet
