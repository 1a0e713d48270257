// SPDX-License-Identifier: BSD-3-Clause
//
// What a rank tells a neighbour about a particle that both have: the particle's state after a contact with a
// partner that the neighbour does not have. The neighbour imposes it, with the full key of the contact.
//
// Until all ranks agree, such a state may follow from what has been taken back since. It is imposed only
// where the particle had come as the teller thought: two ranks that imposed on each other what the other no
// longer believes could go on at one instant for ever, each with a contact that only the other's gave cause
// for. (Seen with a particle that rattles between two neighbours, one known to either rank: 32 rounds of ever
// higher generations.) Where all agree, all do so about that too: the result is the same.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "core/hash.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

struct BoundaryEvent {
    ContactKey key;
    ParticleId particle = 0;       ///< the partner of the contact that the receiver has
    Vec3 position;                 ///< its centre at key.time, with the owner's bits
    Vec3 velocity;                 ///< its velocity after the contact
    std::uint64_t state_hash = 0;  ///< state_hash_of its motion before the contact

    friend bool operator==(const BoundaryEvent&, const BoundaryEvent&) = default;
};
static_assert(sizeof(BoundaryEvent) == 96 && std::is_trivially_copyable_v<BoundaryEvent>);

/// What must be the same for the teller and the receiver: how the particle came.
inline std::uint64_t state_hash_of(const Motion& motion) {
    return hash_values(std::span<const Motion>(&motion, 1));
}

}  // namespace ricochet
