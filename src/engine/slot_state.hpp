// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine keeps of each slot besides its motion, and the records that undo a change of it.
#pragma once

#include <cstdint>

#include "ricochet/model/particles.hpp"

namespace ricochet {

inline constexpr std::uint32_t no_island = 0xffffffffu;

/// What the resolution knows of a slot besides its motion.
struct SlotStatus {
    std::uint32_t stamp = 0;            ///< grows with every change of motion; 0 before the first
    std::uint32_t next_generation = 0;  ///< of a contact at exactly motion.time; 0 before the first contact
    std::uint32_t num_contacts = 0;     ///< in this step
    std::uint32_t island = no_island;   ///< in this window
};
static_assert(sizeof(SlotStatus) == 16);

/// The state of a slot before an island run changed it.
struct SlotUndo {
    Vec3 position, velocity;
    double time = 0;
    Slot slot = 0;
    std::uint32_t stamp = 0;
    std::uint32_t next_generation = 0;
    std::uint32_t num_contacts = 0;
};
static_assert(sizeof(SlotUndo) == 72);

/// The state of a slot when the step began.
struct SlotStart {
    Vec3 position, velocity;
    Slot slot = 0;
};
static_assert(sizeof(SlotStart) == 56);

}  // namespace ricochet
