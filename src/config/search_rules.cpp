// SPDX-License-Identifier: BSD-3-Clause
#include "config/search_rules.hpp"

#include <algorithm>

#include "model/world_facts.hpp"
#include "ricochet/search/search_method.hpp"

namespace ricochet {

std::string find_search_problem(const Config& config, SearchMethod search) {
    if (search != search_named("delaunay")) return "";
    const World world = world_of(config);
    const bool may_overlap = config.placement.method == PlacementMethod::file &&
                             std::any_of(world.species.begin(), world.species.end(),
                                         [](const Species& of) { return of.frozen_axes == all_axes; });
    if (may_overlap)
        return "another method where particles of a file rest, which may overlap (it needs particles that "
               "never "
               "overlap)";
    if (!has_changing_particles(world)) return "";
    return "another method where contacts do more than bounce or particles decay (it needs particles that "
           "never "
           "overlap)";
}

}  // namespace ricochet
