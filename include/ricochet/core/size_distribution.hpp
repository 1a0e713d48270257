// SPDX-License-Identifier: BSD-3-Clause
//
// Sizes of particles that are drawn from a distribution, and what follows from a size: content and diffusion.
//
// A truncated log-normal radius is median exp(sigma y) with y standard normal on an interval. It is drawn by
// rejection from a uniform y on the part of the interval that holds all but 4e-18 of the weight; 14 % of the
// proposals are taken when the interval is wide, more when it is narrow, 2-3 % when it lies far out in a
// tail. That needs exp only, and never depends on how unlikely the interval itself is. Reason against the
// inverse distribution: it would need an error function and its inverse to the last bit.
//
// Means over the truncated distribution are integrals by a fixed Gauss-Legendre rule, as they decide how many
// particles a volume fraction stands for.
#pragma once

#include <cstdint>

#include "ricochet/core/particles.hpp"
#include "ricochet/core/species.hpp"

namespace ricochet {

/// The radius of particle `id`, in [minimum, maximum]. Needs median > 0, sigma >= 0, 0 <= minimum <= maximum;
/// with sigma = 0 the median, moved into the interval. Expected cost about 100 ns.
double sample_radius(const LogNormalRadius& distribution, std::uint64_t seed, ParticleId id);

/// Mean of radius^power over the truncated distribution, power >= 0; relative error below 1e-14.
double mean_power_of_radius(const LogNormalRadius& distribution, int power);

/// Volume of a sphere, or area of a disc when dimension is 2.
double content(double radius, int dimension);
/// Its mean over the distribution.
double mean_content(const LogNormalRadius& distribution, int dimension);
/// Mean content of the particles of a species, whichever way their radius is given.
double mean_content(const Species& species, int dimension);

/// D = temperature / (6 pi viscosity radius).
double stokes_einstein_diffusion(const StokesEinstein& relation, double radius);

/// Radius of particle `id` of the species: its fixed radius, or drawn with (seed, id).
double radius_of(const Species& species, std::uint64_t seed, ParticleId id);
/// Diffusion coefficient of a particle of the species with the given radius.
double diffusion_of(const Species& species, double radius);

}  // namespace ricochet
