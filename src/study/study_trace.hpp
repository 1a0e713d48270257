// SPDX-License-Identifier: BSD-3-Clause
//
// What a method of a study (study/study.hpp) has done in its turn, and where it differs from what another has done.
//
// Each contact is kept as its key and a hash of all its bits. Sums of the hashes, one per step, say whether two methods
// have done the same, however the contacts are spread over the ranks. Only where they have not are contacts sent: each
// to the rank that its lower id names, where both methods' rows meet. So no rank gets more than its share.
//
// Memory: 40 bytes per contact of a turn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/recorder.hpp"

namespace ricochet {

/// A contact as far as methods are compared.
struct TracedContact {
    ContactKey key;
    std::uint64_t hash = 0;  ///< of all its members
};

/// Takes down the contacts of a turn, on this rank.
class StudyTrace final : public Recorder {
  public:
    void begin_turn(std::uint64_t first_step);
    /// Frees the memory of its contacts; what is of all turns stays.
    void forget_turn() { steps_.clear(); }
    void contacts(std::uint64_t step, std::span<const Contact> contacts) override;

    std::uint64_t first_step() const { return first_step_; }
    /// By step of the turn.
    const std::vector<std::vector<TracedContact>>& steps() const { return steps_; }
    /// The fingerprint of the contacts of all turns.
    const Fingerprint& all_contacts() const { return all_contacts_; }
    std::uint64_t num_contacts() const { return num_contacts_; }
    std::uint64_t num_pair_contacts() const { return num_pair_contacts_; }
    /// That it has used for them.
    double cpu_seconds() const { return cpu_seconds_; }

  private:
    std::uint64_t first_step_ = 0;
    std::vector<std::vector<TracedContact>> steps_;
    Fingerprint all_contacts_;
    std::uint64_t num_contacts_ = 0, num_pair_contacts_ = 0;
    double cpu_seconds_ = 0;
};

/// The first contact that two methods do not have in common.
struct TraceDifference {
    std::uint64_t step = 0;
    ContactKey key;
    bool is_in_first = false, is_in_second = false;  ///< both: with other values
};

/// Compares two turns. The same on all ranks. Collective. O(contacts).
/// Requires: both are over the same steps.
std::optional<TraceDifference> find_difference(Exchange& exchange, const StudyTrace& first,
                                               const StudyTrace& second);

/// The lowest id of a particle that only one of two systems has, or that is in different states. The same on all ranks.
/// Collective. O(particles).
std::optional<ParticleId> find_different_particle(Exchange& exchange, const Particles& first,
                                                  const Particles& second);

/// The sum over all ranks. Collective.
Fingerprint sum_over_ranks(Exchange& exchange, const Fingerprint& mine);

}  // namespace ricochet
