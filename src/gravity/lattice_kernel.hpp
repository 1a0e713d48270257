// SPDX-License-Identifier: BSD-3-Clause
//
// What a unit mass and all its images do far away: the field of the infinite lattice, without images that are summed
// one by one.
//
// With the separation D from the target to the mass, along periodic axes any in (-L, L), the far part is
//
//   F(D) = lattice(D) - sum over the near images n of v(D + n L),        v = 1/u^1/2, or -(log u)/2
//
// Near are n = -1, 0, 1 along each periodic axis. F is smooth: the nearest singularity of it is an edge away.
//
// Algorithm: both laws are sums of Gaussians, 1/u^1/2 = 2/pi^1/2 int exp(-u t^2) dt and
// -(log u)/2 = int (exp(-u t^2) - exp(-t^2)) dt/t (Ewald, Ann. Phys. 369 (1921) 253, takes the first one apart). A
// Gaussian is a product over axes. So the lattice's sum is a product too, of sums over the images along one axis each,
// theta(D) = sum of exp(-(D + n L)^2 t^2). For t L < 1/2 it is pi^1/2/(t L) to rounding, else some terms. The integral
// over t is a trapezoidal sum of steps h in s, with an error of exp(-pi^2/2h). Here t ~ exp(s - exp(-s)), so that few
// steps reach t = 0 (Takahasi & Mori, Publ. RIMS 9 (1974) 721).
//
// Background and constants: the integrand of the lattice lacks a term b(t), the mean along periodic axes, at the place
// of the mass along open ones. It does not depend on D, and makes the integral finite. With all axes periodic it is a
// uniform background of the opposite mass, which exerts no force by symmetry. The potential -lattice(D) is then
//
//   periodic axes       law              potential per mass, G = 1
//   all                 both             its mean over the box is 0
//   two of three        inverse_square   its mean over the plane of the mass is 0; far away 2 pi |z|/(L L)
//   one of three        inverse_square   far away 2/L log(r/L)
//   one of three        inverse          its mean along the line of the mass is 0; far away pi r/L
//   one of two          inverse_square   far away 2/L log(|y|/L)
//   one of two          inverse          its mean along the line of the mass is 0; far away pi |y|/L
//
// Two of three axes with the law `inverse` have no sum (model/gravity_images.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/model/world.hpp"

namespace ricochet {

/// One axis of the box, cut into equal panels. On each a function is a sum of Chebyshev's polynomials T_0 to
/// T_(num_terms-1).
struct PanelAxis {
    double edge = 0;  ///< of the box
    bool is_periodic = false;
    std::size_t num_panels = 1;
    std::size_t num_terms = 1;

    double panel() const { return edge / static_cast<double>(num_panels); }
};
using PanelAxes = std::array<PanelAxis, 3>;

/// A term of an expansion over a panel: the degrees along the axes.
using Degrees = std::array<std::uint8_t, 3>;
/// One bit per axis, set for an odd degree.
inline unsigned parity_of(const Degrees& term) {
    return (term[0] % 2u) + 2 * (term[1] % 2u) + 4 * (term[2] % 2u);
}
inline constexpr unsigned num_parities = 8;

/// F as a function of target and source in two panels: the sum of matrix[i n + j] T_i(target) T_j(source), with i and j
/// in the order of the terms. One matrix for each distance of the panels, 0 to num_panels - 1 along each axis, z
/// fastest; the source's panel is the upper one. Where it is the lower one along an axis, entries change their signs
/// for odd sums of both degrees along it.
/// Requires: terms are sorted by their parities.
std::vector<double> far_matrices(const PanelAxes& axes, const GravityLaw& law,
                                 const std::vector<Degrees>& terms);

}  // namespace ricochet
