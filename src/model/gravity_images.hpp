// SPDX-License-Identifier: BSD-3-Clause
//
// In which boxes with periodic axes the attraction of all images has a sum that is found (src/gravity/far_images.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "ricochet/model/box.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// Whether the forces of more and more images have a limit. True without periodic axes. False for the law `inverse` in
/// three dimensions with two periodic axes: at a height z a sheet pulls as z times the logarithm of its size.
inline bool has_lattice_sum(const Box& box, GravityForm form) {
    int num_periodic = 0;
    for (int axis = 0; axis < box.dimension; ++axis) num_periodic += box.is_periodic(axis) ? 1 : 0;
    return !(form == GravityForm::inverse && box.dimension == 3 && num_periodic == 2);
}

/// The shortest edge along a periodic axis; infinite without any.
inline double shortest_period(const Box& box) {
    double shortest = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.is_periodic(axis)) shortest = std::min(shortest, box.size[axis]);
    return shortest;
}

/// The product of the edges that are longer than the shortest periodic one, each over it; 1 without periodic axes. The
/// far images cost its square.
inline double elongation(const Box& box) {
    double product = 1;
    for (int axis = 0; axis < box.dimension; ++axis)
        product *= std::max(1.0, box.size[axis] / shortest_period(box));
    return product;
}
inline constexpr double most_elongated = 32;

/// The panels of the far images along an axis: up to 4/3 of the shortest period each (gravity/far_images.hpp).
inline std::size_t far_panels(const Box& box, int axis) {
    if (axis >= box.dimension) return 1;
    return static_cast<std::size_t>(std::max(1.0, std::ceil(0.75 * box.size[axis] / shortest_period(box))));
}
/// The terms of an expansion on a panel have degrees below this, in sum.
inline constexpr std::size_t far_terms_per_axis = 12;

/// What each rank keeps for the far images: a matrix of terms and terms for each distance of two panels. 0 without
/// periodic axes.
inline double bytes_of_far_images(const Box& box) {
    if (!(shortest_period(box) < std::numeric_limits<double>::infinity())) return 0;
    double num_matrices = 1, num_terms = 1;
    for (int axis = 0; axis < box.dimension; ++axis) {
        num_matrices *= static_cast<double>(far_panels(box, axis));
        num_terms *= static_cast<double>(far_terms_per_axis + static_cast<std::size_t>(axis)) / (axis + 1);
    }
    return num_matrices * num_terms * num_terms * sizeof(double);
}

}  // namespace ricochet
