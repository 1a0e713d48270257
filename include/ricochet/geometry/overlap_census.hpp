// SPDX-License-Identifier: BSD-3-Clause
//
// Which pairs of resting particles overlap, found with a search of its own (SphereGrid), so that it can be
// trusted when the searches of the dynamics are what is tested. Each particle looks for partners of its own
// size class that came before it and for all larger ones: every pair is met once, from its smaller side, and
// one giant among many small ones costs no more than a small one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"

namespace ricochet {

struct Overlap {
    std::size_t first = 0, second = 0;  ///< indices into the particles, first < second
    double gap = 0;                     ///< between the surfaces; negative, a length

    friend bool operator==(const Overlap&, const Overlap&) = default;
};

/// Pairs whose distance is less than (1 - tolerance) times the sum of their radii; the images are the nearest
/// ones. Centres must lie in the box. Stops after `limit` pairs, so that particles piled onto one place cost
/// no more than O(N + limit); in ascending order when it did not stop. O(N) otherwise.
std::vector<Overlap> find_overlaps(const Box& box, const Particles& particles, double tolerance,
                                   std::size_t limit);

/// The number of such pairs.
std::uint64_t count_overlaps(const Box& box, const Particles& particles, double tolerance = 0);

}  // namespace ricochet
