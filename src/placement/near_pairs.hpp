// SPDX-License-Identifier: BSD-3-Clause
//
// Pairs of spheres that are near each other, for the relaxation of dense starts: a neighbour list.
//
// Algorithm: one grid of cells per size class (radii within a factor of two). Spheres are counted into the cells, so
// that those of a row of cells are contiguous. A pair is found once, from its smaller side, so that one giant among
// many small spheres costs no more than a small one.
//
// Layout: the grids cover a strip of the box and what is within reach of it. Cells may become longer than needed, so
// that there are never many more of them than spheres.
//
// Disadvantage: all 27 cells around a sphere are visited, also for pairs within a class, of which half are dropped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/model/box.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet::detail {

struct Ball {
    Vec3 centre;  ///< a length; in [0, L) while pairs are sought
    double radius = 0;
};

/// Indices of balls.
struct BallPair {
    std::uint32_t first = 0, second = 0;
};

/// A part of the box along x, from `low` over `thickness` (lengths).
struct StripRange {
    double low = 0, thickness = 0;
};

/// How near is near: closer than `scale` times the sum of the radii, and `skin` (a length) more.
struct Nearness {
    double scale = 1, skin = 0;

    double distance(double sum_of_radii) const { return sum_of_radii * scale + skin; }
};

class NearPairs {
  public:
    /// `largest`: radius that none exceeds.
    NearPairs(const Box& box, double largest) : box_(box), images_(box), largest_(largest) {}

    /// Sorts the balls into cells. The first `num_owned` lie in the strip, the others within reach of it. O(N).
    void sort(std::span<const Ball> balls, std::size_t num_owned, const StripRange& strip,
              const Nearness& nearness);
    /// Appends the pairs of which one is owned, the owned one first; each pair once. O(N).
    void find(std::vector<BallPair>& pairs) const;
    /// All balls by class and cell.
    std::vector<std::uint32_t> order() const;

  private:
    struct Grid {
        std::array<std::int64_t, 3> num_cells{1, 1, 1};
        Vec3 origin, per_length;
        std::array<bool, 3> wraps{};
        std::vector<std::uint32_t> begin;    ///< of each cell in `members`, and the end
        std::vector<std::uint32_t> members;  ///< indices of balls
    };
    struct CellRange {
        std::int64_t first = 0, count = 0;
    };

    void set_cells(Grid& grid, double edge, std::size_t num_members, const StripRange& strip) const;
    void fill(Grid& grid, std::uint8_t size_class);
    std::int64_t cell_along(const Grid& grid, int axis, double x) const;
    static CellRange around(const Grid& grid, int axis, std::int64_t cell);
    static std::int64_t wrapped_cell(const Grid& grid, int axis, std::int64_t cell);
    template <class Visit>
    void visit_near(const Grid& grid, Vec3 centre, Visit&& visit) const;
    void find_within(const Grid& grid, std::uint32_t own, bool is_same_class,
                     std::vector<BallPair>& pairs) const;

    Box box_;
    ImageLengths images_;
    double largest_;
    std::span<const Ball> balls_;
    std::size_t num_owned_ = 0;
    Nearness nearness_;
    std::vector<std::uint8_t> class_of_;  ///< of each ball
    std::vector<std::uint32_t> cell_of_;  ///< of each ball in the grid of its class
    std::vector<Grid> grids_;             ///< of each class; empty where nothing is
};

}  // namespace ricochet::detail
