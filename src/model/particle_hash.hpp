// SPDX-License-Identifier: BSD-3-Clause
//
// Hash of the state of many particles, to compare two states in one line.
#pragma once

#include "core/hash.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// Fingerprint of a set of particles: every bit of their motion, attributes, track counts, tethers and latest
/// contacts, in any order.
Fingerprint fingerprint(const Particles& particles);

}  // namespace ricochet
