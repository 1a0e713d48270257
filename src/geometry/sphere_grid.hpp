// SPDX-License-Identifier: BSD-3-Clause
//
// A growing set of resting spheres that finds those near a point. Random placement uses it.
//
// Layout: cells (geometry/sphere_cells.hpp) are not stored. The row (y, z) of a cell is hashed, and x is added to the
// hash. The sum modulo a power of two is the index of a bucket: a chain through a flat pool of nodes. So memory grows
// with the number of spheres alone, and the cells of a row lie side by side. Nodes contain their cell, so a bucket
// shared by two cells neither loses nor repeats spheres.
//
// SphereLevels keeps one grid per size class (radii within a factor of two), because cells made for large
// spheres would be crowded with small ones.
//
// Disadvantage against a sort: one dependent load per sphere visited.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/sphere_cells.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

struct Sphere {
    Vec3 centre;  ///< in [0, L)
    double radius = 0;
    ParticleId id = 0;
};

/// True when the spheres are closer than `scale` times the sum of their radii. Minimum image.
inline bool overlapping(const Sphere& a, const Sphere& b, const ImageLengths& images, double scale) {
    const Vec3 r = minimum_image(b.centre - a.centre, images);
    const double limit = (a.radius + b.radius) * scale;
    return dot(r, r) < limit * limit;
}

class SphereGrid {
  public:
    using Cell = SphereCells::Cell;

    /// Cells of at least `edge`, a length; `expected` spheres fit without rehashing.
    /// Requires: edge > 0.
    SphereGrid(const Box& box, double edge, std::size_t expected);

    /// Adds a sphere whose centre lies in the box. Amortised O(1).
    void insert(const Sphere& sphere);

    /// Calls stop(sphere) for spheres whose centre may lie within `reach` of `centre`, until a call returns
    /// true. Returns whether one did. Visits all such spheres and some others of the same cells, each once.
    /// O(1) for a reach of a few edges.
    template <class Stop>
    bool any_near(Vec3 centre, double reach, Stop&& stop) const;

    std::size_t size() const { return nodes_.size(); }
    /// The cell of a centre in the box. Queries and insertions in the order of cells find their data in cache.
    Cell cell_of(Vec3 centre) const { return cells_.cell_of(centre); }
    /// Calls visit(sphere) for all spheres in the order of insertion.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const Node& node : nodes_) visit(node.sphere);
    }

  private:
    struct Node {
        Sphere sphere;
        Cell cell;
        std::uint32_t next;
    };
    static constexpr std::uint32_t end_of_chain = 0xffffffffu;

    static std::uint64_t row_hash(std::uint64_t y, std::uint64_t z) {
        const std::uint64_t mixed = (y + (z << 21)) * 0x9e3779b97f4a7c15u;
        return mixed >> 24;
    }
    std::size_t bucket(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
        return static_cast<std::size_t>((row_hash(y, z) + x) & (heads_.size() - 1));
    }
    void link(std::uint32_t node);
    void rehash(std::size_t num_buckets);

    SphereCells cells_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> heads_;
};

template <class Stop>
bool SphereGrid::any_near(Vec3 centre, double reach, Stop&& stop) const {
    const SphereCells::Range xs = cells_.range(0, centre.x, reach), ys = cells_.range(1, centre.y, reach),
                             zs = cells_.range(2, centre.z, reach);
    for (std::int64_t k = 0; k < zs.count; ++k) {
        const std::uint64_t z = cells_.wrapped(zs.from_middle(k), 2);
        for (std::int64_t j = 0; j < ys.count; ++j) {
            const std::uint64_t y = cells_.wrapped(ys.from_middle(j), 1);
            for (std::int64_t i = 0; i < xs.count; ++i) {
                const std::uint64_t x = cells_.wrapped(xs.from_middle(i), 0);
                const Cell cell = SphereCells::cell(x, y, z);
                for (std::uint32_t n = heads_[bucket(x, y, z)]; n != end_of_chain; n = nodes_[n].next)
                    if (nodes_[n].cell == cell && stop(nodes_[n].sphere)) return true;
            }
        }
    }
    return false;
}

/// Size classes are halvings of the largest radius: class c has radii in (largest / 2^(c+1), largest / 2^c].
/// The last class has all smaller ones too.
inline constexpr int num_size_classes = 32;
int size_class(double radius, double largest);
/// The largest radius that class c may contain.
double class_top(int size_class, double largest);

/// One grid per size class.
class SphereLevels {
  public:
    /// `expected[c]`: number of spheres in class c of `largest`, spread over the whole box (for speed only).
    SphereLevels(const Box& box, double largest, const std::array<std::uint64_t, num_size_classes>& expected);

    void insert(const Sphere& sphere);
    const SphereGrid& level(int size_class) const { return levels_[static_cast<std::size_t>(size_class)]; }

    /// As SphereGrid::any_near, over the spheres of the classes first to last. Visits those whose surface may
    /// be within `radius` of `centre`, enlarged a little (lookup_reach_up).
    template <class Stop>
    bool any_touching(Vec3 centre, double radius, int first, int last, Stop&& stop) const {
        RICOCHET_DCHECK_GE(first, 0);
        RICOCHET_DCHECK_LT(last, num_size_classes);
        for (int c = first; c <= last; ++c) {
            if (level(c).size() == 0) continue;
            const double reach = (radius + class_top(c, largest_)) * lookup_reach_up;
            if (level(c).any_near(centre, reach, stop)) return true;
        }
        return false;
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const SphereGrid& grid : levels_) grid.for_each(visit);
    }

  private:
    double largest_;
    std::vector<SphereGrid> levels_;
};

}  // namespace ricochet
