// SPDX-License-Identifier: BSD-3-Clause
//
// Lets contacts take effect: changes the partners, records the contact, and notes what neighbours must be told. It also
// watches how far the new paths lead.
//
// It needs no search, so that all engines share it. What an engine runs derives from it, decides which contact is due,
// and searches for those that have changed.
//
// Invariant: a run writes the step's state of its own slots and islands, and its arena. It reads the context.
#pragma once

#include <cstdint>
#include <optional>

#include "contact/response.hpp"
#include "engine/run_arena.hpp"
#include "engine/step_context.hpp"
#include "engine/step_state.hpp"
#include "engine/surface_contacts.hpp"

namespace ricochet {

class ContactApplier {
  public:
    ContactApplier(const ContactApplier&) = delete;
    ContactApplier& operator=(const ContactApplier&) = delete;

    /// Its own: to be read and emptied between runs.
    RunArena& arena() { return arena_; }

  protected:
    /// One run of an island.
    struct Run {
        std::uint32_t root;
        std::uint32_t stamp_before;  ///< the latest when it began
    };
    /// A contact whose turn has come, and what comes of it.
    struct DueContact {
        ContactKey key;
        Slot low;      ///< the partner with the lower id
        Partner high;  ///< never of a remote event
        RuleNumber rule;
        ContactOutcome outcome;
    };

    /// Refers to both.
    ContactApplier(const StepContext& context, StepState& state)
        : context_(context),
          state_(state),
          arena_(context, state),
          surfaces_(context, state.local, state.ruled) {}
    ~ContactApplier() = default;

    /// The contact of a prediction that is not stale and belongs to no remote event.
    DueContact due_contact(const Prediction& event) const {
        return event.b.is_particle() ? pair_contact(event) : obstacle_contact(event);
    }
    /// Whether the two pass each other, or are wedged and let pass. Where rules change matter.
    bool changes_nothing(const DueContact& contact) const {
        const bool passes_particle =
            contact.outcome.effect == ContactEffect::pass && !contact.high.is_obstacle();
        return passes_particle || is_wedged(contact);
    }
    /// Records such a contact.
    void record_only(DueContact& contact);
    /// Records the contact and changes its partners. Those that have changed are to be searched.
    void take_effect(Run run, const DueContact& contact);
    /// The same where rules change no matter: all that touch bounce.
    void take_effect_as_bounce(Run run, const DueContact& contact) {
        report(contact);
        change(run, contact.low, contact.key, *contact.outcome.low, nullptr);
        if (!contact.high.is_obstacle())
            change(run, contact.high.slot(), contact.key, *contact.outcome.high, nullptr);
    }
    /// Changes the slot of a remote event. False where it is not in the state that the sender has seen.
    bool take_remote_effect(Run run, const Prediction& event);

    const StepContext& context_;
    StepState& state_;
    RunArena arena_;

  private:
    // What comes of a contact.
    DueContact pair_contact(const Prediction& event) const;
    DueContact obstacle_contact(const Prediction& event) const;
    std::optional<TouchingSurfaces> surfaces_of(Slot low, Slot high, double time) const;
    void complete(PairContact& pair, Slot low, Slot high) const;
    void complete(ObstacleContact& contact, Slot slot, const Obstacle& obstacle) const;
    bool is_pressed_into_obstacle(const DueContact& contact) const;
    /// Whether the slot's latest contact was with a surface too.
    bool is_between_surfaces(Slot slot) const {
        return state_.local.matter().latest_partner(slot) >= first_obstacle_id;
    }
    bool is_wedged(const DueContact& contact) const;
    bool overlap_deeply(const DueContact& contact) const;
    /// Where the run prevents collapse: whether a bounce of this slot now is elastic.
    bool has_just_touched(Slot slot, double time) const {
        return time - state_.local.latest_contact(slot) < context_.collapse_duration;
    }

    // What a change entails.
    void change(Run run, Slot slot, const ContactKey& key, const NewMotion& after, const Attributes* matter);
    void change_matter(Run run, Slot slot, const ContactKey& key, Vec3 position, const Attributes& matter);
    void note_outgrown(Run run, Slot slot, const ContactKey& key, Vec3 position, const Attributes& matter);
    void note_absorbed(const DueContact& contact);
    void note_tether(const DueContact& contact);
    void note_membrane(const DueContact& contact, double latest_contact_before);
    Attributes attributes_after(Slot slot, const Matter& matter) const;
    void watch_faces(Slot slot, double radius, double onwards);

    // The record and the neighbours.
    void report(const DueContact& contact);
    void record(const DueContact& contact);
    GivenEnergy energy_given(const DueContact& contact, std::uint16_t body) const;
    double distance_at(const DueContact& contact) const;
    Vec3 touching_point(const DueContact& contact) const;
    BodyNumber part_of(const DueContact& contact) const;
    const Obstacle& obstacle_of(const DueContact& contact) const {
        return context_.obstacles[contact.high.obstacle_index()];
    }
    double least_parting(double approach, double pull, double rounding, double overlap) const;
    std::optional<MovingSurface> moving_surface(const Prediction& event, Vec3 normal) const;
    void record_outgoing(const DueContact& contact, bool of_low);
    std::uint64_t state_hash(Slot slot) const;

    SurfaceContacts surfaces_;
};

}  // namespace ricochet
