// SPDX-License-Identifier: BSD-3-Clause
//
// The tethers of copies: sent after the halo, of the few that have any. Runs without tethers send nothing.
#pragma once

#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "slabs/halo.hpp"

namespace ricochet {

/// Gives the copies in `local`, those of the latest exchange_halo with `near` and `halo`, the tethers of their owners.
/// Collective.
void exchange_tethers(Exchange& exchange, const NearFaces& near, const HaloMap& halo, Particles& local);

}  // namespace ricochet
