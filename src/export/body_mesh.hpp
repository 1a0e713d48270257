// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies as polygons, for pictures. Round parts are drawn with straight edges: nothing else may be asked of a mesh.
//
// What repeats along periodic axes is drawn wherever it reaches into the box, whole. Endless bodies end with the box.
// In two dimensions bodies are outlines. The shapes of particles are polygons there, about their centre of mass.
//
// Cost: O(polygons). The fewer there are of a body's spheres the finer they are: some 2e6 polygons at most, or 24 for
// each sphere.
#pragma once

#include <cstdint>
#include <vector>

#include "ricochet/model/bodies.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// Polygons, or in two dimensions lines; a closed outline ends with its first point.
struct BodyMesh {
    std::vector<Vec3> points;
    std::vector<std::int64_t> connectivity;  ///< the points of the first polygon, then those of the next
    std::vector<std::int64_t> offsets;       ///< of each polygon, where it ends there
    std::vector<std::uint32_t> body;  ///< of each polygon, the place in the list of bodies, or of species
};

BodyMesh mesh_of(const std::vector<Body>& bodies, const Box& box);

/// The faces of a species that is no sphere, or the polygon that it is. Seen from outside, corners turn to the left.
BodyMesh mesh_of_shape(const std::vector<Species>& species, std::uint32_t number, int dimension);

}  // namespace ricochet
