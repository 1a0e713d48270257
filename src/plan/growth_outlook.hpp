// SPDX-License-Identifier: BSD-3-Clause
//
// What products and births add to a plan, which is made for the particles of the start. Births are those of the mean
// numbers of decays and reactions (mean_numbers.hpp): an estimate, since how often particles react is what a run is
// for.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace ricochet {

struct GrowthOutlook {
    double births = 0;          ///< expected by the end of the run
    double largest_radius = 0;  ///< of products that the start need not have; 0 where there are none
    double radius_of_all = 0;   ///< of all that coalesce, merged into one; 0 where none do
};

/// No communication; O(species x 10,000).
GrowthOutlook growth_outlook(const Config& config);

/// A sentence for each way in which the run outgrows the plan for its start; none for particles that stay what they
/// are.
std::vector<std::string> describe_growth(const Config& config, const ParticleSummary& particles,
                                         const RunPlan& plan);

}  // namespace ricochet
