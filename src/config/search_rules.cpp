// SPDX-License-Identifier: BSD-3-Clause
#include "config/search_rules.hpp"

#include "model/world_facts.hpp"
#include "ricochet/search/search_method.hpp"

namespace ricochet {

std::string find_search_problem(const Config& config, SearchMethod search) {
    if (search != search_named("delaunay")) return "";
    if (!has_changing_particles(world_of(config))) return "";
    return "another method where contacts do more than bounce or particles decay (it needs particles that "
           "never "
           "overlap)";
}

}  // namespace ricochet
