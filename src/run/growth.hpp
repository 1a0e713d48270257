// SPDX-License-Identifier: BSD-3-Clause
//
// Grown placement without overlap: a dilute gas whose spheres grow while they fly and bounce, until they have the sizes
// of the input. It compresses as an experiment does, and the rate is a physical choice. Slow growth leaves a fluid in
// equilibrium, or a crystal; fast growth a glass, or a random packing.
//
// Algorithm: B. D. Lubachevsky & F. H. Stillinger, J. Stat. Phys. 60 (1990) 561. Random placement of the particles,
// scaled down, begins. In each step all radii grow in proportion to time. Every contact happens at its time, by the
// engine and the slabs of runs (StepTask::growth). Contacts with surfaces that move outwards heat the gas, so that its
// temperature is set again after each step.
//
// Masses, temperature and rules of the input play no part: all particles have mass 1 and kT 1, and bounce elastically.
// So the unit of speed is a particle's sqrt(kT/m), and the rate is the speed, in this unit, at which the largest
// diameter grows.
//
// Growth to sizes: where contacts are as frequent as in a fluid with a compressibility factor of 1e5, the particles are
// jammed, and growth has failed.
//
// Growth to a pressure: as run/pressure_goal.hpp says. A jam is no failure here, but what many are after.
//
// Invariants: positions are a function of (box, population, schedule), with the same bits on any number of ranks
// (run/growing_gas.hpp). Radii end a little above those that count, so that none overlap in floating point.
//
// Disadvantage: slow growth takes long. Contacts per particle are 3 (up to freezing) to 10 (a dense glass) over the
// rate, and many more close to jamming.
#pragma once

#include <cstdint>

#include "placement/population.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct GrowthSchedule {
    double rate = 0;            ///< of the largest diameter, in units of sqrt(kT/m); above 0
    double first_scale = 0;     ///< of radii at the start, as a part of those of the population; above 0
    double largest_radius = 0;  ///< of the population, on all ranks
    double most_scale = 1;      ///< that radii may reach, likewise
};

struct GrownPlacement {
    Particles particles;  ///< of this rank's slab, ascending ids; all particles only if is_complete
    bool is_complete = false;
    double scale =
        0;  ///< of radii that was reached; to sizes: 1 if is_complete; 0 where random placement has failed
    double pressure = 0;  ///< to a pressure: the reduced one that was measured last
    std::uint64_t num_steps = 0;
    double contacts_per_particle = 0;
};

/// Grows the population. Centres are at least a radius from walls, and pairs at least the sum of their radii apart, in
/// floating point too. Radii must be positive, fit between the walls, and have unique nearest images. Collective.
/// Throws RunError where a step does.
GrownPlacement place_by_growth(const Box& box, const Population& population, const GrowthSchedule& schedule,
                               Exchange& exchange);

/// The least pressure to which doubles are too coarse to grow particles of this radius in this box.
double finest_pressure(const Box& box, double smallest_radius);

/// Grows the population beyond its sizes, until it has this reduced pressure to within pressure_tolerance. Places are
/// those in the box of growth, radii those of the population: the true ones are `scale` times these. Collective. Throws
/// RunError where a step does.
/// Ends incomplete at schedule.most_scale too.
/// Requires: 1 < pressure < finest_pressure.
GrownPlacement place_by_growth_to(double pressure, const Box& box, const Population& population,
                                  const GrowthSchedule& schedule, double smallest_radius, Exchange& exchange);

}  // namespace ricochet
