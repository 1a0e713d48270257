// SPDX-License-Identifier: BSD-3-Clause
//
// Two partners at the time of their contact, for all rules of pairs; and what comes of two that become one.
#pragma once

#include "contact/response.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {

/// Two particles at the time of their contact. Vectors point from the lower to the higher id.
struct Encounter {
    Vec3 low, high;          ///< where they are, not wrapped
    Vec3 r;                  ///< the nearest image of high - low
    double distance;         ///< |r|; where a partner is no sphere the part along the normal
    Vec3 normal;             ///< r / |r|; where a partner is no sphere, of the surfaces that touch
    double normal_velocity;  ///< of high relative to low; negative: they approach
};

/// Where a partner is no sphere.
Encounter geometry_across(const PairContact& contact, Vec3 low, Vec3 high, Vec3 r);

/// Two centres at one place have no normal; any fixed one conserves momentum and energy.
inline Encounter geometry_of(const PairContact& contact) {
    const Vec3 low = position_at(contact.low, contact.time);
    const Vec3 high = position_at(contact.high, contact.time);
    const Vec3 r = minimum_image(high - low, contact.images);
    if (contact.surfaces != nullptr) [[unlikely]]
        return geometry_across(contact, low, high, r);
    const double distance = norm(r);
    const Vec3 n = distance > 0 ? Vec3{r.x / distance, r.y / distance, r.z / distance} : Vec3{1, 0, 0};
    return {low, high, r, distance, n, dot(contact.high.velocity - contact.low.velocity, n)};
}

/// What it is that shrinks while two approach: half the derivative of |r|^2, or the speed along the normal.
inline double slope_of(const PairContact& contact, const Encounter& at, Vec3 u) {
    if (contact.surfaces != nullptr) [[unlikely]]
        return dot(at.normal, u);
    return dot(at.r, u);
}

/// Two that become one. The continuing partner goes on as `product`, at the centre of mass, with the momentum of both
/// over the sum of their masses. The other ends where it is.
ContactOutcome merged(const PairContact& contact, bool low_continues, const Attributes& product);

/// Two that bounce elastically where they touch. They go on where they react at a distance, or part already, as those
/// may that overlap.
ContactOutcome stayed(const PairContact& contact);

/// The least speed at which two part that fall and reach into each other. It has 9/8 of the energy that lifts the upper
/// one out. 0 for others. `inverse_mass`: the sum of both, along the normal.
double least_parting(const PairContact& contact, const Encounter& at, double inverse_mass);

/// Two that are as far apart as their tether is long: they turn back, elastically.
ContactOutcome held(const PairContact& contact);

/// What becomes of `parent` as one of this species. A parent of this species keeps its own size.
Attributes product_of(const ContactRules& rules, const Attributes& parent, SpeciesIndex species);

/// The mass of a particle of this species, and of this mass if it is ballistic.
double mass_with(const ContactRules& rules, double diffusion, double ballistic_mass);

/// A random word for a contact of a particle with another, or with an obstacle. A function of the seed, the step, both
/// ids and how many contacts each had before.
std::uint64_t word_of(const ContactSetting& setting, Stream stream, ParticleId low, ParticleId high,
                      std::uint32_t num_before_low, std::uint32_t num_before_high);
/// The same as a number in [0, 1), for the choice of what happens.
double uniform_of(const ContactSetting& setting, ParticleId low, ParticleId high,
                  std::uint32_t num_before_low, std::uint32_t num_before_high);

}  // namespace ricochet
