// SPDX-License-Identifier: BSD-3-Clause
//
// Room for particles that are going to be added. A vector that grows by itself takes twice the memory, and
// copies all with the old and the new place alive at once: in the first steps of a run, which receive
// migrants and copies, that would be its peak. What is reserved and not used is never touched, and takes no
// memory.
#pragma once

#include <cstddef>

#include "ricochet/core/large_arrays.hpp"
#include "ricochet/core/particles.hpp"

namespace ricochet {

/// Room for so many particles, and for an eighth more that may come later (migrants, copies).
inline void reserve_with_spare(Particles& particles, std::size_t size) {
    if (size <= particles.capacity()) return;
    const std::size_t with_spare = size + size / 8;
    reserve_in_large_pages(particles.motion, with_spare);
    particles.attributes.reserve(with_spare);
    particles.track.reserve(with_spare);
}

}  // namespace ricochet
