// SPDX-License-Identifier: BSD-3-Clause
//
// Builds the regular (Laguerre-Delaunay) triangulation of weighted points on a flat torus.
//
// Algorithm: point by point. Each splits the triangle that a walk leads to. Then edges that are not regular are
// flipped, until there are none. Points come in an order in which the next one is near, coarse ones first: walks are
// short.
//
// Rounding: an edge is flipped only where it is not regular for certain. So each flip lowers the surface of lifted
// points, and flipping ends. Edges that are left are regular but for rounding, which the structure allows for.
//
// Cost: some 3 us a point.
//
// Source: H. Edelsbrunner and N. R. Shah, "Incremental topological flipping works for regular triangulations",
// Algorithmica 15 (1996) 223-241.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kinetic/torus_frame.hpp"
#include "kinetic/triangles.hpp"

namespace ricochet {

/// A point at its place, by slot.
struct WeightedPoint2 {
    Vec3 position;
    double weight = 0;  ///< 0: absent
};

/// Overwrites `triangles` and appends the present slots to `order`, so that neighbours in space follow each other.
/// False where it cannot be done: some points are hidden by others, or degenerate. There must be a point.
bool build_triangles(std::span<const WeightedPoint2> points, const TorusFrame& frame, Triangles& triangles,
                     std::vector<Slot>& order);

/// Where a corner is in the frame of its triangle.
inline Vec3 place_of(const Corner& corner, Vec3 position, Vec3 period) {
    return {position.x + corner.x * period.x, position.y + corner.y * period.y, 0};
}

}  // namespace ricochet
