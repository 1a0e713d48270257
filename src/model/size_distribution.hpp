// SPDX-License-Identifier: BSD-3-Clause
//
// Sizes of particles drawn from a distribution, and what depends on size: content and diffusion.
//
// Algorithm: a truncated log-normal radius is median exp(sigma y) with y standard normal on an interval. It
// is drawn by rejection from a uniform y. The proposals cover the part of the interval with all but 4e-18 of
// the weight. That needs exp only, and its cost does not depend on how unlikely the interval is (note 27 of
// tests/bench/notes.md). The inverse distribution would need an error function and its inverse to the last
// bit.
//
// Means over the truncated distribution are integrals by a fixed Gauss-Legendre rule, because they decide how
// many particles a volume fraction means.
#pragma once

#include <cstdint>

#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// The radius of particle `id`, in [minimum, maximum]. With sigma = 0 it is the median, moved into the interval.
/// Requires, as all functions of a distribution: median > 0, sigma >= 0, 0 <= minimum <= maximum.
double sample_radius(const LogNormalRadius& distribution, std::uint64_t seed, ParticleId id);

/// Mean of radius^power over the truncated distribution; relative error below 1e-14.
/// Requires: power >= 0.
double mean_power_of_radius(const LogNormalRadius& distribution, int power);

/// Volume of a sphere, or area of a disc when dimension is 2.
double content(double radius, int dimension);
/// Mean content over the distribution.
double mean_content(const LogNormalRadius& distribution, int dimension);
/// Mean content of the particles of a species, for fixed and for distributed radii.
double mean_content(const Species& species, int dimension);

/// D = temperature / (6 pi viscosity radius).
double stokes_einstein_diffusion(const StokesEinstein& relation, double radius);

/// Radius of particle `id` of the species: its fixed radius, or drawn with (seed, id).
double radius_of(const Species& species, std::uint64_t seed, ParticleId id);
/// Diffusion coefficient of a particle of the species with the given radius.
double diffusion_of(const Species& species, double radius);
/// That of a particle of the median radius.
double typical_diffusion(const Species& species);

}  // namespace ricochet
