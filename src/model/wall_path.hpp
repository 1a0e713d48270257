// SPDX-License-Identifier: BSD-3-Clause
//
// The path of a wall in a step of length dt, as far as the wall is away from its face along its axis:
//
//     s(t) = s0 + u t + (a/2) t (t - dt),     t from the start of the whole step.
//
// The chord joins where the wall is at both ends of the step, and u is its velocity. The acceleration a is the mean of
// those at both ends. So positions join from step to step, and velocities to (omega dt)^3/12 of their amplitude. Parts
// of a step share one path.
//
// Where the wall is when a step begins follows from the number of the step. Nothing is added up over steps.
#pragma once

#include <array>
#include <cstdint>

#include "model/falling_frame.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

struct WallPath {
    double start = 0;         ///< along the axis, from the face
    double velocity = 0;      ///< of the chord
    double acceleration = 0;  ///< length/time^2
    double timestep = 0;      ///< of the whole step

    double place_at(double time) const {
        return start + velocity * time + (0.5 * (time * (time - timestep))) * acceleration;
    }
    double velocity_at(double time) const { return velocity + (time - 0.5 * timestep) * acceleration; }
};

/// By face.
using WallPaths = std::array<WallPath, first_body>;

/// How far the wall is inside its face when the step of this number begins.
double wall_depth(const WallMotion& motion, double timestep, std::uint64_t step);

using WallMotions = std::array<WallMotion, first_body>;
WallPaths wall_paths(const WallMotions& walls, double timestep, std::uint64_t step);

/// Whether some wall is not in its face, or leaves it.
bool has_moving_walls(const World& world);
/// The same world with walls where they are at step 0.
World with_resting_walls(World world);

/// How far centres come beyond the walls of the box at most, in the frame of the step. A wall may overshoot a chord
/// that ends at the face.
double most_beyond_walls(const World& world);

}  // namespace ricochet
