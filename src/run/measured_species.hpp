// SPDX-License-Identifier: BSD-3-Clause
//
// Estimates know particles by the species of the input. Particles of a file have numbers of their own, and often radii
// or masses of their own. Then estimates take the means of what is there.
#pragma once

#include "ricochet/config/config.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The input for estimates: of a start from a file, each species has the number of its particles. Where some have
/// another radius or mass than the input gives them, it has the mean. Collective.
Config config_for_estimates(Exchange& exchange, const Config& config, const Particles& particles);

}  // namespace ricochet
