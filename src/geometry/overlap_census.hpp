// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the overlapping pairs of resting particles. It has a search of its own, so that it can test the searches of the
// dynamics.
//
// Algorithm: each sphere is compared with earlier ones of its own size class and with all larger ones. So every pair is
// found once, from its smaller side, and one giant among many small spheres costs no more than a small one. The spheres
// of a class are sorted by their cells. Each looks for partners in the order of cells too, so that the rows around it
// begin near those around the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/sphere_grid.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

struct OverlappingPair {
    std::size_t first = 0, second = 0;  ///< indices into the spheres, first < second
    double gap = 0;                     ///< between the surfaces; negative, a length

    friend bool operator==(const OverlappingPair&, const OverlappingPair&) = default;
};

/// A sphere by its index. The id is not read.
using SphereAt = std::function<Sphere(std::size_t)>;

/// Pairs of `size` spheres, fewer than 2^32, closer than (1 - tolerance) times the sum of their radii, by nearest
/// images. Centres must lie in the box. With `counts`, only pairs for which counts(first, second, gap) holds. Stops
/// after `limit` pairs, so that particles piled up in one place cost no more than O(N log N + limit). Pairs are in
/// ascending order when it did not stop. O(N log N) otherwise.
std::vector<OverlappingPair> find_overlaps(
    const Box& box, std::size_t size, const SphereAt& sphere_at, double tolerance, std::size_t limit,
    const std::function<bool(std::size_t, std::size_t, double)>& counts = {});
std::vector<OverlappingPair> find_overlaps(
    const Box& box, const Particles& particles, double tolerance, std::size_t limit,
    const std::function<bool(std::size_t, std::size_t, double)>& counts = {});

/// The number of overlapping pairs.
std::uint64_t count_overlaps(const Box& box, const Particles& particles, double tolerance = 0);

}  // namespace ricochet
