// SPDX-License-Identifier: BSD-3-Clause
//
// The speed that the scaling model predicts for an input, as `ricochet check` prints it.
#pragma once

#include <optional>
#include <string>

#include "plan/plan.hpp"
#include "plan/scaling_model.hpp"
#include "ricochet/config/config.hpp"
#include "run/measured_speed.hpp"

namespace ricochet {

/// The case of an input; none where its contacts per step are not known beforehand.
std::optional<ScalingCase> scaling_case(const Config& config, const ParticleSummary& particles,
                                        const RunPlan& plan);

/// The estimate in several lines, which say that it is an estimate.
std::string describe_speed(const Config& config, const ParticleSummary& particles, const RunPlan& plan);

/// What was measured, what it makes of the whole run, and what is to be written, which was not measured.
std::string describe_speed(const Config& config, const RunPlan& plan, const MeasuredSpeed& measured);

}  // namespace ricochet
