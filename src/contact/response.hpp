// SPDX-License-Identifier: BSD-3-Clause
//
// The change of velocity at a contact: smooth hard spheres with restitution e. With the unit normal n from
// the lower to the higher id and v_n = (v_hi - v_lo).n < 0,
//     v_hi -= (1 + e) v_n m_lo / (m_lo + m_hi) n,     v_lo += (1 + e) v_n m_hi / (m_lo + m_hi) n.
//
// The mass ratios are formed first. So equal masses give exactly 1/2, and a row of equal spheres passes its
// velocity on without a rounding error. The normal is taken through a square root and a division, which makes
// contacts along an axis exact.
//
// Invariant: no contact leaves its pair approaching. Where rounding would, the pair is pushed apart at the
// level of rounding. Otherwise it would collide at the same instant for ever (touching clusters; restitution
// 0).
#pragma once

#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// The result of a contact, apart from the new velocities. Vectors point from the lower to the higher id.
struct Impact {
    Vec3 normal;
    double distance = 0;  ///< between the centres (wall: the radius)
    double speed = 0;     ///< of approach along the normal
    double impulse = 0;   ///< momentum transferred to the higher id along the normal
};

/// The masses and the restitution of a pair contact, in the order of the ids.
struct PairProperties {
    double mass_low = 1;
    double mass_high = 1;
    double restitution = 1;
};

/// Moves a particle on its straight path to `time` of the step.
inline void fly_to(Motion& motion, double time) {
    motion.position = advanced(motion.position, motion.velocity, time - motion.time);
    motion.time = time;
}

/// Moves both particles to `time` and changes their velocities.
Impact collide_pair(Motion& low, Motion& high, double time, const PairProperties& matter,
                    const ImageLengths& images);

/// Moves the particle to `time` and reflects it from the wall `face` (2 axis + (0 low, 1 high)).
Impact collide_wall(Motion& motion, double time, int face, const Attributes& attributes, double restitution);

}  // namespace ricochet
