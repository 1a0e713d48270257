// SPDX-License-Identifier: BSD-3-Clause
//
// What growth will take (run/growth.hpp), and where it jams, by a model of the gas that grows.
//
// Contacts. In a fluid in equilibrium the contact rate follows from its pressure (Carnahan and Starling; discs:
// Henderson without his correction). Two things raise it. Surfaces that move outwards meet more partners. And the gas
// cannot keep up with its growth: it jams at a fraction f_J that falls with the rate. There the rate of contacts
// diverges. The factor for this is 1/(1 - (f/f_J)^k), where k falls with the rate.
//
// Until a pressure Z. A fluid in equilibrium tells where it ends; in dense ones and jams it is f_J (1 - d/Z), by the
// law of free volume. Rests and slow growth after the first of them (run/pressure_goal.hpp) are added.
//
// Time. Each contact, and each particle in each step, takes a time. It is longer where the particles are too many for
// the cache. The start at random is added.
//
// Disadvantage: f_J and k are fits to growth of equal particles. Unequal spheres jam a little higher, and discs that
// cannot crystallise lower.
#pragma once

#include <cstdint>

#include "placement/start_sizes.hpp"
#include "ricochet/model/box.hpp"
#include "run/grown_start.hpp"

namespace ricochet {

struct GrowthCost {
    double contacts_per_particle = 0;  ///< until the sizes are reached, or until it jams
    double num_steps = 0;
    double cpu_seconds = 0;  ///< about, of all ranks together, with the random start
};

/// The fraction at which equal particles jam when they grow at this rate.
double jammed_fraction(int dimension, double rate);
/// That of very slow growth, if they do not crystallise.
double slowest_jammed_fraction(int dimension);

/// About the fraction of equal particles that grow at this rate until they have this reduced pressure.
double fraction_at_pressure(int dimension, double rate, double pressure);

/// Until a pressure: with sizes of about the fraction to which it leads.
/// Requires: the fraction is above options.from, or there is nothing to grow.
GrowthCost cost_of_growth(const Box& box, const Sizes& sizes, std::uint64_t count,
                          const GrowthOptions& options);

}  // namespace ricochet
