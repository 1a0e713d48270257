// SPDX-License-Identifier: BSD-3-Clause
//
// When the copies of a halo had their latest contacts, of runs that prevent collapse. These times travel in messages of
// their own, so that other runs send nothing more.
#pragma once

#include "ricochet/parallel/exchange.hpp"
#include "slabs/halo.hpp"

namespace ricochet {

/// Gives the copies in `local` the times of their owners' particles. Collective.
/// Requires: exchange_halo has just been called with the same.
void exchange_latest_contacts(Exchange& exchange, const NearFaces& near, const HaloMap& halo,
                              Particles& local);

}  // namespace ricochet
