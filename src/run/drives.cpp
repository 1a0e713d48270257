// SPDX-License-Identifier: BSD-3-Clause
#include "run/drives.hpp"

#include <algorithm>
#include <limits>

#include "dynamics/brownian.hpp"
#include "dynamics/forces.hpp"
#include "dynamics/gravity.hpp"
#include "dynamics/kicks.hpp"
#include "gravity/gravity_kicks.hpp"

namespace ricochet {

DriveList make_drives(const Config& config) {
    DriveList drives;
    if (config.dynamics.type == DynamicsType::brownian)
        drives.add(
            std::make_unique<BrownianDrive>(config.box.dimension, config.run.timestep, config.run.seed));
    if (config.dynamics.drive) {
        const DriveOptions& drive = *config.dynamics.drive;
        const double limit = drive.speed_limit.value_or(std::numeric_limits<double>::infinity());
        const Kicks kicks = kicks_of(config);
        if (drive.type == DriveType::random_accelerations)
            drives.add(std::make_unique<RandomAccelerations>(config.box.dimension, kicks, limit,
                                                             steps_per_direction(config).value()));
        else
            drives.add(std::make_unique<VelocityField>(config.box, kicks, limit, drive.flow_speed));
    }
    if (std::any_of(config.species.begin(), config.species.end(),
                    [](const Species& species) { return species.force.has_value(); }))
        drives.add(std::make_unique<Forces>(config.species, config.dynamics.kT, common_drift(config)));
    // The last: other kicks change velocities in the laboratory, not in the frame of the step.
    const Vec3 acceleration = field_acceleration(config);
    if (acceleration != Vec3{}) drives.add(std::make_unique<Gravity>(acceleration, config.run.timestep));
    return drives;
}

CollectiveDriveList make_collective_drives(const Config& config, KeptFields* fields) {
    CollectiveDriveList drives;
    if (fields != nullptr) drives.add(std::make_unique<GravityKicks>(*fields, config.run.timestep));
    return drives;
}

}  // namespace ricochet
