// SPDX-License-Identifier: BSD-3-Clause
//
// The laws by which particles attract each other. With the separation D from a target to a source of mass m,
// u = |D|^2 + e^2 and the softening e, the target has
//
//   law              acceleration     potential
//   inverse_square   G m D / u^3/2    -G m / u^1/2
//   inverse          G m D / u        G m (log u) / 2      what discs in two dimensions have
//
// The acceleration is minus the gradient of the potential in both. Two particles at the same place do not accelerate
// each other; without softening they have no potential either, which is an error (src/gravity/self_gravity.hpp).
//
// A cell of many particles has a mass M, a centre of mass C, and second moments Q_ab about it: sums of m d_a d_b.
// Here D leads from the target to C, q is D.Q.D, the trace of Q is S, and h the factor of G m D above. By Taylor's
// series the cell has
//
//   potential     M phi + (S h + 2 h' q) / 2
//   acceleration  D (M h + S h' + 2 h'' q) + 2 h' Q D         ' is the derivative with respect to u
//
// up to terms of third order in the cell's size. Since Q keeps its trace, this holds for softened laws too. The term of
// first order vanishes about the centre of mass.
#pragma once

#include <cstdint>

namespace ricochet {

enum class GravityForm : std::uint8_t { inverse_square, inverse };

struct GravityLaw {
    GravityForm form = GravityForm::inverse_square;
    double constant = 1;   ///< G, positive
    double softening = 0;  ///< e, a length, not negative

    friend bool operator==(const GravityLaw&, const GravityLaw&) = default;
};

/// How forces are added up (src/gravity/self_gravity.hpp).
enum class GravityMethod : std::uint8_t { direct, tree };

struct GravitySetting {
    GravityLaw law;
    GravityMethod method = GravityMethod::tree;
    double opening = 0.8;  ///< largest size of a cell over its distance; positive

    friend bool operator==(const GravitySetting&, const GravitySetting&) = default;
};

}  // namespace ricochet
