// SPDX-License-Identifier: BSD-3-Clause
//
// Mean numbers of particles over a run with decays and reactions, by mass action. Each pair of species reacts at a rate
// constant, as if all were well mixed. A plan takes its births and its rows of frames from them.
//
// Rate constants: Brownian spheres have that of Smoluchowski, 4 pi D R (1 + R (K/D)^1/2) with D = D_a + D_b, in series
// with the intrinsic rate of the rule. K is the rate at which decays end one of two: those that come anew may be close.
// Brownian discs have none; the one of a partner at the centre of its share of the area stands in for it. Ballistic
// particles have the rate of a dilute gas, times the probability of the rule.
//
// A decay leaves two Brownian products in contact. The share k/(k + 4 pi D R) of them, with k the intrinsic rate,
// reacts with each other before it parts, and is taken to do so at once.
//
// Valid for an estimate: neither fluctuations nor crowding nor correlations are in it. Oscillating populations end up
// within a factor of some 2. Particles of a file are not counted here, since the input has no numbers of them.
#pragma once

#include <optional>

#include "ricochet/config/config.hpp"

namespace ricochet {

struct MeanNumbers {
    double births = 0;         ///< new ids by the end of the run
    double at_end = 0;         ///< particles that are there at the end
    double over_run = 0;       ///< particles that are there, mean over the time of the run
    double births_so_far = 0;  ///< births up to a time, mean over the time of the run
    /// Time at which those that bounce off their own kind fill the box to closest packing. Numbers are then those of
    /// this time, and stay so.
    std::optional<double> full_at{};
};

/// Births beyond this number are not counted.
inline constexpr double most_births = 1e15;

/// No communication; O(10,000 (species + rules)).
MeanNumbers mean_numbers(const Config& config);

}  // namespace ricochet
