// SPDX-License-Identifier: BSD-3-Clause
#include "engine/step_context.hpp"

#include <algorithm>

#include "geometry/path.hpp"

namespace ricochet {

void StepContext::keep_midpoints(std::span<const Motion> motion) {
    const PathMidpoint midpoint(box, span.length());
    step_midpoints_x.clear();
    step_midpoints_x.reserve(motion.size());
    for (const Motion& one : motion) step_midpoints_x.push_back(static_cast<float>(midpoint.x(one)));
}

SearchDomain StepContext::domain_of_halo() const {
    const double length = box.size.x;
    if (coverage.is_whole_box) return {0, length};
    const bool is_ring = box.is_periodic(0);
    const double lower = std::max(coverage.lower, 0.0);
    const double upper = std::min(coverage.upper + coverage.halo_width, is_ring ? 2 * length : length);
    // Where the gap is narrower than two bounding spheres may reach, the cells are better off with the whole
    // ring.
    const double widest_pair = is_ring ? coverage.halo_width : 0;
    if (upper - lower + widest_pair >= length) return {0, length};
    return {lower, upper - lower};
}

}  // namespace ricochet
