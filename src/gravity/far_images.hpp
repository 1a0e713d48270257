// SPDX-License-Identifier: BSD-3-Clause
//
// The field of all images but the nearest ones, in a box with periodic axes.
//
// Algorithm: the far part F(D) of lattice_kernel.hpp is smooth for D between any two places in the box. So it is an
// expansion in Chebyshev's polynomials of the target's and of the source's place (Fong & Darve, J. Comput. Phys. 228
// (2009) 8712). The masses are summed to one moment per term. One matrix makes coefficients of the field of them. Each
// target adds up its terms and their derivatives. Forces are thus the gradient of the potential, to rounding.
//
// A box much longer than its shortest periodic edge is cut into panels, about as long as this edge. Each has moments
// and coefficients of its own, and there is a matrix for each distance of two panels.
//
// Bits: each particle's part of a moment is rounded to a multiple of a quantum, and these add up as integers. So the
// order of particles and ranks makes no difference. The quantum is 2^-50 of the largest mass, or more where the sum of
// all would not fit.
//
// Cost: O(n) with some hundred operations per particle, and one sum over ranks of as many numbers as there are terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gravity/far_coupling.hpp"
#include "gravity/moments.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Without the factor G.
struct FarField {
    Vec3 acceleration;
    double potential = 0;
};

class FarImages {
  public:
    /// Requires: the box has a periodic axis and has_lattice_sum; its elongation is at most `most_elongated`
    /// (model/gravity_images.hpp).
    FarImages(const Box& box, const GravityLaw& law);

    /// Takes these masses, and those of the other ranks, as those that have images. Collective.
    void set_masses(Exchange& exchange, std::span<const PointMass> points);
    /// At a place in the box.
    FarField at(Vec3 position) const;

  private:
    void add_moments(const PointMass& point, double per_quantum, std::vector<std::int64_t>& sums) const;

    PanelAxes axes_;
    std::size_t num_terms_;  ///< of a panel
    FarCoupling coupling_;
    std::vector<double> coefficients_;  ///< by panel, then by term
};

}  // namespace ricochet
