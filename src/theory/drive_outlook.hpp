// SPDX-License-Identifier: BSD-3-Clause
//
// What drives, forces and moving walls do to the results of a run, and whether its steps are short enough for them.
#pragma once

#include <string>
#include <vector>

#include "ricochet/config/config.hpp"

namespace ricochet {

/// A sentence on driven particles: what their results do not mean.
std::vector<std::string> describe_drive(const Config& config);

/// A sentence for each wall that vibrates in steps that are long for it: above 0.1 of 1/(2 pi frequency).
std::vector<std::string> describe_walls(const Config& config);
/// A sentence for each temperature of a wall or body at which steps would have more than four collisions per particle.
std::vector<std::string> describe_thermal_walls(const Config& config);
/// A sentence where particles at rest under gravity would touch what they lie on more than 100 times in a step. Where
/// restitution falls with the speed, contacts slower than v* are elastic (model/restitution.hpp): at rest a particle
/// bounces on at v*, every 2 v*/g. With contacts.collapse it bounces no sooner than after that duration. None where v*
/// is so small that a fall from its height is lost to rounding: then it hops for a part of the step.
std::vector<std::string> describe_rest(const Config& config);
/// A sentence where the timestep of mutual gravity is above 0.02 of the time in which two that touch fall freely.
/// Another where the tree opens too few cells for the small forces of a box without walls.
std::vector<std::string> describe_self_gravity(const Config& config);
/// Sentences on forces: the drift of each species. Where that is not the drift that all have in common, also how wrong
/// its density at a wall is. And where the temperature of its solvent is not kT, by which factor its drift is off.
std::vector<std::string> describe_forces(const Config& config);

}  // namespace ricochet
