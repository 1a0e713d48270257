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

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/hash.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// What a contact makes of a particle, where rules change that.
struct Matter {
    double radius = 0;
    double mass = 0;
    SpeciesIndex species = 0;        ///< absent_species: it has ended
    std::uint16_t has_absorbed = 0;  ///< 1: the contact's other partner has ended in it
    std::uint16_t tethered_to =
        0;  ///< 0: no new tether; else one more than the species of the contact's other partner

    friend bool operator==(const Matter&, const Matter&) = default;
};
inline Matter matter_of(const Attributes& attributes) {
    return {attributes.radius, attributes.mass, attributes.species, 0, 0};
}

struct BoundaryEvent {
    ContactKey key;
    ParticleId particle = 0;       ///< the partner of the contact that the receiver has
    Vec3 position;                 ///< its centre at key.time, with the owner's bits
    Vec3 velocity;                 ///< its velocity after the contact
    std::uint64_t state_hash = 0;  ///< state_hash_of its state before the contact
    Matter matter;                 ///< after the contact; sent only where rules change matter

    /// The other partner of the contact.
    ParticleId partner() const { return key.partner_of(particle); }
    friend bool operator==(const BoundaryEvent&, const BoundaryEvent&) = default;
};
static_assert(sizeof(BoundaryEvent) == 120 && std::is_trivially_copyable_v<BoundaryEvent>);

/// Bytes of an event that is sent; they come first.
constexpr std::size_t event_bytes(bool has_matter) {
    return has_matter ? sizeof(BoundaryEvent) : offsetof(BoundaryEvent, matter);
}

/// The hash of the motion before a contact, which sender and receiver must share.
inline std::uint64_t state_hash_of(const Motion& motion) {
    return hash_values(std::span<const Motion>(&motion, 1));
}

/// Where rules change matter, of all on which outcomes depend: its diffusion follows from species and radius. Of its
/// tethers it has their number and the latest partner: the step began with the same list on all ranks.
inline std::uint64_t state_hash_of(const Motion& motion, const Matter& matter, ParticleId latest_partner,
                                   std::uint64_t num_contacts, std::uint64_t num_tethers,
                                   ParticleId latest_tethered, double latest_contact) {
    struct State {
        Motion motion;
        Matter matter;
        ParticleId latest_partner;
        std::uint64_t num_contacts;
        std::uint64_t num_tethers;
        ParticleId latest_tethered;
        double latest_contact;
    };
    static_assert(sizeof(State) == 128);  // no padding
    const State state{motion,      matter,          latest_partner, num_contacts,
                      num_tethers, latest_tethered, latest_contact};
    return hash_values(std::span<const State>(&state, 1));
}

}  // namespace ricochet
