// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan must know of particles that are there, measured over all ranks.
#pragma once

#include "plan/plan.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The summary of given particles with their velocities. Collective. Throws InputError on all ranks when a
/// velocity is not a finite number.
ParticleSummary measured_summary(Exchange& exchange, const Config& config, const Particles& particles);

}  // namespace ricochet
