// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies as polygons, for pictures. Round parts are drawn with straight edges: nothing else may be asked of a mesh.
//
// What repeats along periodic axes is drawn wherever it reaches into the box, whole. Endless bodies end with the box.
// In two dimensions bodies are outlines.
//
// Cost: O(polygons). The fewer there are of a body's spheres the finer they are: some 2e6 polygons at most, or 24 for
// each sphere.
#pragma once

#include <cstdint>
#include <vector>

#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"

namespace ricochet {

/// Polygons, or in two dimensions lines; a closed outline ends with its first point.
struct BodyMesh {
    std::vector<Vec3> points;
    std::vector<std::int64_t> connectivity;  ///< the points of the first polygon, then those of the next
    std::vector<std::int64_t> offsets;       ///< of each polygon, where it ends there
    std::vector<std::uint32_t> body;         ///< of each polygon, the place in the list of bodies
};

BodyMesh mesh_of(const std::vector<Body>& bodies, const Box& box);

}  // namespace ricochet
