// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace ricochet {

/// Position of a particle in the order of the search, in which neighbours in space are neighbours in memory
/// (search/broad_phase.hpp). 32 bits: one rank holds fewer than 2^32 particles.
using Slot = std::uint32_t;

}  // namespace ricochet
