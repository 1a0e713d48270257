// SPDX-License-Identifier: BSD-3-Clause
#include "plan/position_outlook.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/box_fit.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"

namespace ricochet {
namespace {

struct Path {
    double length = 0;
    std::string whose;
};

double typical_path(const Config& config, const Species& species) {
    const double timestep = config.run.timestep;
    if (config.dynamics.type == DynamicsType::ballistic)
        return std::sqrt(config.dynamics.kT / species.mass) * timestep;
    return std::sqrt(2 * diffusion_of(species, largest_radius(species)) * timestep);
}

/// The shortest of all species; 0 where no particle moves.
Path shortest_path(const Config& config, const ParticleSummary& particles) {
    if (config.dynamics.type == DynamicsType::ballistic && may_keep_velocities(config.dynamics.velocities))
        return {particles.largest_displacement * static_cast<double>(particles.num_parts), "the fastest"};
    Path shortest;
    for (const Species& species : config.species) {
        const double length = typical_path(config, species);
        if (shortest.whose.empty() || length < shortest.length) shortest = {length, species.name};
    }
    return shortest;
}

}  // namespace

std::optional<std::string> note_on_positions(const Config& config, const ParticleSummary& particles) {
    const Path path = shortest_path(config, particles);
    const double step = position_step(config.box);
    if (path.length == 0 || step <= coarsest_positions * path.length) return std::nullopt;
    return fmt::format(
        "box.size: positions are multiples of {:.2g} in this box, {:.2g} of the path of {} in a step, "
        "{:.2g}: "
        "paths are rounded to that; choose a longer run.timestep or a smaller box",
        step, step / path.length, path.whose, path.length);
}

}  // namespace ricochet
