// SPDX-License-Identifier: BSD-3-Clause
//
// What `ricochet check` prints of a plan.
#pragma once

#include <string>

#include "plan/plan.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {

/// The plan in several lines for the user.
std::string describe(const Config& config, const ParticleSummary& particles, const RunPlan& plan);
/// The division of the box, in lines for --verbose.
std::string describe_slabs(const Config& config, const RunPlan& plan);

}  // namespace ricochet
