// SPDX-License-Identifier: BSD-3-Clause
//
// Theory of hard spheres and discs in equilibrium: collision rate and pressure. It serves to plan a run and
// to check its result, and is never part of the run. So libm may be used here.
//
// All values follow from the contact values g_ij of the pairs. Enskog's rate is n_i n_j sigma_ij^(d-1) g_ij
// <speed>, and the pressure follows from the rate.
//
// Equal spheres have the g of Boublik & Kolafa (Boublik, Mol. Phys. 59, 371 (1986)), within 0.1 % in the
// fluid. Equal discs have that of Liu (arXiv:2010.10624), with its term for the approach to freezing, within
// 0.3 %. Without this term Z is 10 % high at a fraction of 0.698.
//
// Mixtures of spheres have the g_ij of Boublik, Mansoori, Carnahan, Starling & Leland. One more power of the
// pair's curvature is added, so that equal spheres have the g of Boublik & Kolafa. Then Z grows by x2^3 x3 (1
// - 2 x3) / (3 x0 (1 - x3)^3), and is within 0.1 % for sizes 1:3.
//
// Mixtures of discs have the g_ij of Santos, Yuste & Lopez de Haro (Mol. Phys. 96, 1 (1999)), built on the g
// of equal discs.
//
// The theory holds for elastic contacts, and for Brownian particles with their effective masses. It holds
// away from walls and below freezing.
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

/// P V / (N kT) of a mixture, from the same contact rates. A contact of a pair at distance s adds its mean
/// impulse sqrt(2 pi mu kT) times s to the virial. Here mu is the reduced mass. O(classes^2). NaN where the
/// fraction is 1 or more.
double mixture_compressibility(int dimension, std::span<const SizeClass> classes);

/// Mean of Maxwell's speeds, in units of sqrt(kT/m).
double mean_thermal_speed(int dimension);

/// Share of particles with Maxwell's distribution that are faster than `speed`, in units of sqrt(kT/m); 1 for
/// negative speeds.
double share_faster_than(int dimension, double speed);

/// The share by which straight steps lower the long-time diffusion of Brownian particles `of` among all
/// `classes`. Masses are the effective ones, which give the length of the steps. The share is (0.53 s + 0.2
/// s^2) times fraction / 0.3. Here s is the rms relative step of a pair along one axis, over sqrt(2) contact
/// distances. The formula is fitted to equal spheres at fractions 0.1 to 0.4 and s up to 0.4; elsewhere it is
/// an estimate.
double diffusion_bias(int dimension, std::span<const SizeClass> classes, const SizeClass& of,
                      double thermal_energy, double timestep);

}  // namespace ricochet
