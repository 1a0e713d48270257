// SPDX-License-Identifier: BSD-3-Clause
//
// The frame of a step in which particles fly straight although a uniform field, g, accelerates all alike:
//
//     y = x - (g/2) t (t - dt),     t from the start of the whole step.
//
// A kick g dt/2 at the start of the step leads into the frame, another one at its end leads back. Frame and laboratory
// agree at both ends of the step. So coordinates are wrapped as without a field, and parts of a step share one frame.
//
// What rests in the laboratory moves in the frame, by at most |g| dt^2 / 8. Particles touch each other in the frame as
// in the laboratory. Contacts with obstacles are found in the laboratory, on parabolas (geometry/falling_times.hpp).
#pragma once

#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/vec3.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

struct FallingFrame {
    Vec3 acceleration;    ///< g, length/time^2
    double timestep = 0;  ///< dt, of the whole step

    bool is_at_rest() const { return acceleration == Vec3{}; }
    /// The laboratory's coordinates less those of the frame.
    Vec3 place_at(double time) const { return (0.5 * (time * (time - timestep))) * acceleration; }
    /// The velocity of the frame in the laboratory.
    Vec3 velocity_at(double time) const { return (time - 0.5 * timestep) * acceleration; }
    /// How far the frame leads away from the laboratory at most.
    double most_apart() const { return 0.125 * (timestep * timestep) * norm(acceleration); }
    /// How far centres come beyond the walls of a box at most, in the frame.
    double most_beyond_walls(const Box& box) const {
        Vec3 across = acceleration;
        for (int axis = 0; axis < 3; ++axis)
            if (!box.has_walls(axis)) across[axis] = 0;
        return 0.125 * (timestep * timestep) * norm(across);
    }
};

inline FallingFrame frame_of(const World& world) { return {world.gravity, world.timestep}; }

/// A motion in the laboratory, at its own time.
inline Motion in_laboratory(const Motion& motion, const FallingFrame& frame) {
    Motion seen = motion;
    seen.position = motion.position + frame.place_at(motion.time);
    seen.velocity = motion.velocity + frame.velocity_at(motion.time);
    return seen;
}

}  // namespace ricochet
