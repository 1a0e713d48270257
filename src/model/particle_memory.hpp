// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for particles that will be added. By default, a growing vector takes twice the memory, and old and
// new memory exist at once. In the first steps of a run, which receive migrants and copies, that would be the
// run's peak. Reserved memory that is not used is never touched, and costs nothing.
#pragma once

#include <cstddef>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// Reserves room for `size` particles, and for an eighth more that may come later (migrants, copies).
inline void reserve_with_spare(Particles& particles, std::size_t size) {
    if (size <= particles.capacity()) return;
    const std::size_t with_spare = size + size / 8;
    reserve_in_large_pages(particles.motion, with_spare);
    particles.attributes.reserve(with_spare);
    particles.track.reserve(with_spare);
}

}  // namespace ricochet
