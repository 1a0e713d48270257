// SPDX-License-Identifier: BSD-3-Clause
//
// The box of a run whose start grows to a pressure (placement.until_pressure).
//
// A pressure tells how dense the particles are, and not how large. So radii stay those of the input, and the box takes
// its size from growth. Then all lengths of the input keep their meaning: radii, what follows from them as diffusion
// and tethers, and the length of a step. All parts of a run read the box from its Config. So the Config in the box
// that was found serves all, and a checkpoint needs this box beside its particles.
#pragma once

#include <optional>

#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {

/// The input in this box; without one the same. Throws InputError where the input is not possible in it.
Config in_found_box(const Config& config, const std::optional<FoundBox>& found);

/// The input in about the box that growth to its pressure will find. Without such growth the same. Throws InputError
/// where the input is not possible in it.
Config in_foreseen_box(const Config& config);

}  // namespace ricochet
