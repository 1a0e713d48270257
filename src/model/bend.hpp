// SPDX-License-Identifier: BSD-3-Clause
//
// How a surface is bent, as far as reactions at rates ask.
#pragma once

namespace ricochet {

/// How the surface is bent on which the centres of spheres are at contact.
struct Bend {
    double radius = 0;   ///< negative where it is bent towards the sphere
    int directions = 0;  ///< along which it is bent, of the two (one in 2D) along the surface; 0: it is flat

    /// 1/R of a sphere, half of that of a cylinder or a disc.
    double curvature() const { return directions == 0 ? 0 : 0.5 * directions / radius; }
};

}  // namespace ricochet
