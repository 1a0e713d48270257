// SPDX-License-Identifier: BSD-3-Clause
//
// What theory says about hard spheres and discs in equilibrium: how often they collide and what pressure they
// exert. For planning a run and for judging its result, never part of it; so libm may be used here.
//
// One component: Z = P V / (N kT) from Boublik & Kolafa (Boublik, Mol. Phys. 59, 371 (1986)) in 3D and Liu
// (Liu, arXiv:2010.10624) in 2D, both better than 0.1 % in the fluid, and the collision rate by the identity
// between virial and count, Z - 1 = sqrt(pi)/(2 d) sigma sqrt(m/kT) nu.
// Mixtures: Enskog's rate n_i n_j sigma_ij^(d-1) g_ij <speed>, with the contact values g_ij of Boublik,
// Mansoori, Carnahan, Starling & Leland in 3D and of Jenkins & Mancini (J. Appl. Mech. 54, 27 (1987)) in 2D:
// good to a few per cent.
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

/// Collisions of one particle per time, equal particles.
double equal_sphere_collision_rate(int dimension, const SizeClass& spheres, double thermal_energy);

/// Pair contacts per volume (area) and time of a mixture. One class: the more accurate one-component formula.
/// O(classes^2). NaN where the fraction is 1 or more.
double contact_rate_density(int dimension, std::span<const SizeClass> classes, double thermal_energy);

/// P V / (N kT) of a mixture, from the same contact rates: every contact of a pair at distance s adds its
/// mean impulse sqrt(2 pi mu kT) times s to the virial (mu: reduced mass). One class: the one-component
/// formula. O(classes^2). NaN where the fraction is 1 or more.
double mixture_compressibility(int dimension, std::span<const SizeClass> classes);

/// Mean of Maxwell's speeds, in units of sqrt(kT/m).
double mean_thermal_speed(int dimension);

/// Share of particles with Maxwell's distribution that are faster than `speed`, in units of sqrt(kT/m); 1 for
/// negative speeds.
double share_faster_than(int dimension, double speed);

}  // namespace ricochet
