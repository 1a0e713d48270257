// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ricochet/io/config.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/parallel/given_start.hpp"

namespace ricochet {

/// This rank's share of the particles of the file that the input names, CSV or H5MD by its content, checked.
/// Collective. Throws InputError on all ranks with one line per mistake, also when velocities are wanted from
/// the file and it has none.
GivenStart start_from_file(const Config& config, Exchange& exchange);

}  // namespace ricochet
