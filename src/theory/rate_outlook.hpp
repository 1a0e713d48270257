// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the steps of a Brownian run are short enough for its reactions. A reaction at a rate is exact for a pair by
// itself. With other particles near, and for spheres that are not much larger than a step, it is an approximation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/config/config.hpp"

namespace ricochet {

/// One sentence for each rule with a rate: s / R, with s^2 = 2 (D_1 + D_2) timestep and R the contact distance. A last
/// one where that is more than 0.5, with the error of rates.
std::vector<std::string> describe_rates(const World& world);
/// Why an input is refused where a relative step is more than 3 contact distances, unless run.reaction_steps is `any`.
std::optional<std::string> refusal_of_steps(const Config& config);
/// Sentences on decays: how likely a particle decays in a step, and whether that is too likely. They also say whether
/// products wait for room, and whether they react at once.
std::vector<std::string> describe_decays(const World& world);
/// Sentences on tethers: the relative step over their slack, and how likely one breaks in a step.
std::vector<std::string> describe_tethers(const World& world);

}  // namespace ricochet
