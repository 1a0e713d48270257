// SPDX-License-Identifier: BSD-3-Clause
#include "model/wall_path.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"

namespace ricochet {
namespace {

/// sin(2 pi (frequency t + phase)) when the step begins. The number of periods is formed without rounding, but for that
/// of the periods per step.
double swing(const WallMotion& motion, double timestep, std::uint64_t step) {
    const double periods_per_step = motion.frequency * timestep;
    const auto number = static_cast<double>(step);
    const double periods = number * periods_per_step;
    const double rounding = std::fma(number, periods_per_step, -periods);
    return fixed::sincos_2pi((periods - std::floor(periods)) + rounding + motion.phase).sin;
}

double acceleration(const WallMotion& motion, double timestep, std::uint64_t step) {
    const double omega = 2 * fixed::pi * motion.frequency;
    return -(motion.amplitude * (omega * omega)) * swing(motion, timestep, step);
}

WallPath path_of(const WallMotion& motion, double timestep, std::uint64_t step) {
    const double start = wall_depth(motion, timestep, step), end = wall_depth(motion, timestep, step + 1);
    const double mean =
        0.5 * (acceleration(motion, timestep, step) + acceleration(motion, timestep, step + 1));
    return {start, (end - start) / timestep, mean, timestep};
}

}  // namespace

double wall_depth(const WallMotion& motion, double timestep, std::uint64_t step) {
    const double flown = motion.velocity * (static_cast<double>(step) * timestep);
    if (motion.amplitude == 0) return flown;
    return motion.amplitude * (1 + swing(motion, timestep, step)) + flown;
}

WallPaths wall_paths(const WallMotions& walls, double timestep, std::uint64_t step) {
    WallPaths paths;
    for (std::size_t face = 0; face < paths.size(); ++face) {
        if (walls[face].is_in_face()) continue;
        WallPath path = path_of(walls[face], timestep, step);
        if (face % 2 == 1) path = {-path.start, -path.velocity, -path.acceleration, path.timestep};
        paths[face] = path;
    }
    return paths;
}

bool has_moving_walls(const World& world) {
    return !std::all_of(world.walls.begin(), world.walls.end(),
                        [](const WallMotion& motion) { return motion.is_in_face(); });
}

World with_resting_walls(World world) {
    for (WallMotion& motion : world.walls) motion.velocity = motion.frequency = 0;
    return world;
}

double most_beyond_walls(const World& world) {
    double overshoot = 0;
    for (const WallMotion& motion : world.walls) {
        const double omega = 2 * fixed::pi * motion.frequency;
        overshoot = std::max(overshoot,
                             0.125 * motion.amplitude * (omega * omega) * (world.timestep * world.timestep));
    }
    return frame_of(world).most_beyond_walls(world.box) + overshoot;
}

}  // namespace ricochet
