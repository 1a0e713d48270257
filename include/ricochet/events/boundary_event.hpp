// SPDX-License-Identifier: BSD-3-Clause
//
// What a rank tells a neighbour about a particle that both have: the particle's state after a contact with a
// partner that the neighbour does not have. The neighbour imposes it on its copy, with the full key of the
// contact.
#pragma once

#include <type_traits>

#include "ricochet/events/contact.hpp"

namespace ricochet {

struct BoundaryEvent {
    ContactKey key;
    ParticleId particle = 0;  ///< the partner of the contact that the receiver has
    Vec3 position;            ///< its centre at key.time, with the owner's bits
    Vec3 velocity;            ///< its velocity after the contact

    friend bool operator==(const BoundaryEvent&, const BoundaryEvent&) = default;
};
static_assert(sizeof(BoundaryEvent) == 88 && std::is_trivially_copyable_v<BoundaryEvent>);

}  // namespace ricochet
