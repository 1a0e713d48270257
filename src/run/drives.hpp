// SPDX-License-Identifier: BSD-3-Clause
//
// The drives of an input, in the order in which they act.
#pragma once

#include "dynamics/collective_drive.hpp"
#include "gravity/kept_fields.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/dynamics/drive.hpp"

namespace ricochet {

/// The drives that this input names; none for ballistic particles.
DriveList make_drives(const Config& config);

/// Those of all ranks. `fields`: of mutual gravity, null without; the pointer is kept.
CollectiveDriveList make_collective_drives(const Config& config, KeptFields* fields);

}  // namespace ricochet
