// SPDX-License-Identifier: BSD-3-Clause
//
// Whether positions are fine enough for the paths of steps. In a large box a position is a multiple of 2^-53 of the
// edge. Shorter paths lead nowhere, and others are rounded. (That positions are fine enough for the particles is a
// rule of the input, see model/box_fit.hpp.)
#pragma once

#include <optional>
#include <string>

#include "plan/plan.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {

/// A sentence for the user, where a step of positions exceeds 1e-6 of the typical path of a species in a step. That is
/// one standard deviation along an axis; with velocities of a file it is the longest path of all.
std::optional<std::string> note_on_positions(const Config& config, const ParticleSummary& particles);

}  // namespace ricochet
