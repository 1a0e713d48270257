// SPDX-License-Identifier: BSD-3-Clause
#include "model/box_fit.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

double confined(double x, double radius, double length) {
    RICOCHET_CHECK_GE(length, 2 * radius);
    x = std::max(std::min(x, length - radius), radius);
    while (length - x < radius && x > radius) x = std::nextafter(x, 0.0);
    return x;
}

std::vector<std::string> size_problems(const Box& box, double largest, double second_largest) {
    std::vector<std::string> problems;
    for (int axis = 0; axis < box.dimension; ++axis) {
        const double length = box.size[axis], diameter = 2 * largest;
        const double needed = 2 * (largest + second_largest);
        const char name = "xyz"[axis];
        if (box.has_walls(axis) && length < diameter)
            problems.push_back(text_of("box.size: got ", length, " between the walls of axis ", name,
                                       ", expected at least ", diameter,
                                       ", the diameter of the largest particle"));
        if (box.is_periodic(axis) && !(length > needed))
            problems.push_back(
                text_of("box.size: got ", length, " along the periodic axis ", name, ", expected more than ",
                        needed, ", twice the largest contact distance, so that nearest images are unique"));
    }
    return problems;
}

}  // namespace ricochet
