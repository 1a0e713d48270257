// SPDX-License-Identifier: BSD-3-Clause
//
// The drives of an input, in the order in which they act.
#pragma once

#include "ricochet/config/config.hpp"
#include "ricochet/dynamics/drive.hpp"

namespace ricochet {

/// The drives that this input names; none for ballistic particles.
DriveList make_drives(const Config& config);

}  // namespace ricochet
