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

double position_step(const Box& box) {
    double largest = 0;
    for (int axis = 0; axis < box.dimension; ++axis) largest = std::max(largest, box.size[axis]);
    return 0x1p-53 * largest;
}

std::vector<std::string> coarseness_problems(const Box& box, double smallest) {
    std::vector<std::string> problems;
    const double most = coarsest_positions * smallest * 0x1p53;
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.size[axis] > most)
            problems.push_back(text_of("box.size: got ", box.size[axis], " along ", "xyz"[axis],
                                       ", where positions are multiples of ", 0x1p-53 * box.size[axis],
                                       ", expected at most ", most, ", where they are ", coarsest_positions,
                                       " of the smallest radius ", smallest,
                                       "; take a smaller box or larger particles"));
    return problems;
}

}  // namespace ricochet
