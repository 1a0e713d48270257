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
// Steps are as long as a particle has one contact in the mean. Near the densest packing that the rate allows they
// become ever shorter. Where contacts are as frequent as in a fluid with a compressibility factor of 1e5, the particles
// are jammed, and growth has failed.
//
// Invariants: positions are a function of (box, population, schedule), with the same bits on any number of ranks. Step
// lengths follow from counts of contacts, temperatures from exact sums. Radii end a little above those of the input, so
// that none overlap in floating point.
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
    double rate = 0;  ///< of the largest diameter, in units of sqrt(kT/m); above 0
    double first_scale =
        0;  ///< of radii at the start, as a part of those of the population; above 0, below 1
    double largest_radius = 0;  ///< of the population, on all ranks
};

/// The most that radii grow in a step at this rate, as a part of themselves.
double largest_growth_of_step(double rate);

struct GrownPlacement {
    Particles particles;  ///< of this rank's slab, ascending ids; all particles only if is_complete
    bool is_complete = false;
    double scale = 0;  ///< of radii that was reached: 1 if is_complete; 0 where random placement has failed
    std::uint64_t num_steps = 0;
    double contacts_per_particle = 0;
};

/// Grows the population. Centres are at least a radius from walls, and pairs at least the sum of their radii apart, in
/// floating point too. Radii must be positive, fit between the walls, and have unique nearest images. Collective.
/// Throws RunError where a step does.
GrownPlacement place_by_growth(const Box& box, const Population& population, const GrowthSchedule& schedule,
                               Exchange& exchange);

}  // namespace ricochet
