// SPDX-License-Identifier: BSD-3-Clause
#include "run/drives.hpp"

#include "dynamics/brownian.hpp"

namespace ricochet {

DriveList make_drives(const Config& config) {
    DriveList drives;
    if (config.dynamics.type == DynamicsType::brownian)
        drives.add(
            std::make_unique<BrownianDrive>(config.box.dimension, config.run.timestep, config.run.seed));
    return drives;
}

}  // namespace ricochet
