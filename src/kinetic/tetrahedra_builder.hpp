// SPDX-License-Identifier: BSD-3-Clause
//
// Builds the regular (Laguerre-Delaunay) triangulation of weighted points on a torus.
//
// Algorithm: from a first tetrahedron on, each open facet gets its tetrahedron (gift wrapping). All spheres through the
// facet's corners have their centres on a line. Of the points in front of the facet, the apex is the one whose centre
// is the lowest on it. Points whose centre is lower than a bound lie in one ball. So a grid of cells is asked for
// balls, larger ones until a ball has a candidate. The first tetrahedron starts from the nearest of all faces of a
// cell, which is an edge of the triangulation.
//
// Invariant: the result is closed, has all points, and the volume of the torus; else there is none. Rounding could
// only spoil it where five points are on one sphere to some 13 digits. The caller's weights see to that.
//
// Cost: some 10 us a point where density varies little, O(points) for each facet at the edge of a void.
//
// Source: R. A. Dwyer, "Higher-dimensional Voronoi diagrams in linear expected time", section 3.
#pragma once

#include <cstdint>
#include <span>

#include "kinetic/tetrahedra.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

struct WeightedPoint {
    Vec3 position;  ///< in [0, period) along each axis
    double weight = 0;
};

enum class BuildResult {
    done,
    torus_too_small,  ///< a tetrahedron would have two images of a point
    failed            ///< some points are hidden by others, or degenerate
};

/// Overwrites `tetrahedra`, whose vertices are the indices of the points.
BuildResult build_tetrahedra(std::span<const WeightedPoint> points, Vec3 period, Tetrahedra& tetrahedra);

}  // namespace ricochet
