// SPDX-License-Identifier: BSD-3-Clause
//
// What a rank sends about a particle that a neighbour has too: its state after a contact with a partner
// unknown there. It is a remote event to the neighbour, with the full key of the contact.
//
// Invariant: a remote event applies only to the very state that the sender's particle had before it, by its
// hash. Until all ranks agree, an event may follow from what its sender has rolled back since. Two ranks
// could else keep each other's discarded contacts alive, at one instant, for ever. (Seen with a particle that
// rattles between two neighbours, each known to one rank only: 32 rounds of ever higher generations.) Once
// all ranks agree, they agree on the hashes too, so the result is the same.
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

/// Of the motion before a contact, which sender and receiver must share.
inline std::uint64_t state_hash_of(const Motion& motion) {
    return hash_values(std::span<const Motion>(&motion, 1));
}

}  // namespace ricochet
