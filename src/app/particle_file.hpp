// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ricochet/engine/particle_table.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet {

/// The particles of the file that the input names, CSV or H5MD by its content, checked. Throws InputError
/// with one line per mistake, also when velocities are wanted from the file and it has none. Not collective.
GivenStart start_from_file(const Config& config);

}  // namespace ricochet
