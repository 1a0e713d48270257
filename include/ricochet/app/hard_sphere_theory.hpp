// SPDX-License-Identifier: BSD-3-Clause
//
// What theory says about hard spheres and discs in equilibrium: how often they collide and what pressure they
// exert. For planning a run and for judging its result, never part of it; so libm may be used here.
//
// Everything follows from the contact values g_ij of the pairs: Enskog's rate n_i n_j sigma_ij^(d-1) g_ij
// <speed>, and from it the pressure. Equal particles have the g of Boublik & Kolafa (Boublik, Mol. Phys. 59,
// 371 (1986)) in 3D, within 0.1 % in the fluid, and of Liu (arXiv:2010.10624) in 2D, with its term for the
// approach to freezing, within 0.3 %; without that term Z is 10 % high at 0.698.
// Mixtures: in 3D the g_ij of Boublik, Mansoori, Carnahan, Starling & Leland, with one more power of the
// pair's curvature, which makes equal ones Boublik & Kolafa's; Z then has x2^3 x3 (1 - 2 x3) / (3 x0 (1 -
// x3)^3) more, and is within 0.1 % for sizes 1:3. In 2D those of Santos, Yuste & Lopez de Haro (Mol. Phys.
// 96, 1 (1999)), which take the g of equal discs along.
//
// All of it holds for elastic contacts, and for Brownian particles with their effective masses, away from
// walls, below freezing.
#pragma once

#include <span>
#include <vector>

namespace ricochet {

/// Z of equal spheres (dimension 3) or discs (2) that fill the given fraction of the volume or area.
double equal_sphere_compressibility(int dimension, double fraction);

/// Particles of one size: number per volume (area), radius, mass.
struct SizeClass {
    double number_density = 0;
    double radius = 0;
    double mass = 0;
};

/// Fraction of the volume (area) that the classes fill.
double fraction_of(int dimension, std::span<const SizeClass> classes);

/// Pair contacts per volume (area) and time of one class or a mixture. O(classes^2). NaN where the fraction
/// is 1 or more.
double contact_rate_density(int dimension, std::span<const SizeClass> classes, double thermal_energy);

/// P V / (N kT) of a mixture, from the same contact rates: every contact of a pair at distance s adds its
/// mean impulse sqrt(2 pi mu kT) times s to the virial (mu: reduced mass). O(classes^2). NaN where the
/// fraction is 1 or more.
double mixture_compressibility(int dimension, std::span<const SizeClass> classes);

/// Mean of Maxwell's speeds, in units of sqrt(kT/m).
double mean_thermal_speed(int dimension);

/// Share of particles with Maxwell's distribution that are faster than `speed`, in units of sqrt(kT/m); 1 for
/// negative speeds.
double share_faster_than(int dimension, double speed);

/// By which share straight steps of this length make the long-time diffusion of Brownian particles `of` among
/// all `classes` too slow; masses are the effective ones, from which steps follow. (0.53 s + 0.2 s^2) times
/// fraction / 0.3, with s the root mean square of a pair's relative step along one axis over sqrt(2) contact
/// distances: fitted to equal spheres at fractions 0.1 to 0.4 and s up to 0.4, an estimate otherwise.
double diffusion_bias(int dimension, std::span<const SizeClass> classes, const SizeClass& of,
                      double thermal_energy, double timestep);

}  // namespace ricochet
