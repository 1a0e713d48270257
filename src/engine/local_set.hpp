// SPDX-License-Identifier: BSD-3-Clause
//
// The particles of one slab during one step, with what the resolution of contacts writes: motions and status,
// and how to undo it. Only a particle's own contacts change it. So the order in which islands and windows are
// run changes no bits.
//
// Layout: the caller's arrays are worked on in place. A particle without a contact is neither copied nor
// written.
//
// Where rules change matter (slot_matter.hpp), the set looks up how a pair's rule treats overlaps. Otherwise contact
// times are those of geometry/contact_time.hpp, in vectors.
//
// Invariant: the start state of every owned particle that collides is kept, since a step may be given up. The
// halo may turn out too narrow, or the box too small for the speeds after a contact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "contact/rated_reaction.hpp"
#include "core/block_store.hpp"
#include "engine/prediction.hpp"
#include "engine/slot_matter.hpp"
#include "engine/slot_state.hpp"
#include "geometry/contact_time.hpp"
#include "geometry/obstacle.hpp"
#include "ricochet/contact/rules.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/prefetch.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "search/candidate_pairs.hpp"
#include "search/obstacle_search.hpp"

namespace ricochet {

/// Slots and the times at which another touches them.
struct FoundContacts {
    std::span<const Slot> slots;
    std::span<const double> times;
};

/// Memory for the search of one slot or one block of pairs. Every object that searches has its own.
struct ContactScratch {
    std::vector<double> distances, times;
    std::vector<std::uint32_t> found;
};

class LocalSet {
  public:
    /// `rules`: null where they change no matter. use_generations = false breaks causality at ties; only the test that
    /// shows it asks for that.
    LocalSet(const Box& box, const ContactRules* rules, bool use_generations, BlockStore& store)
        : images_(box),
          rules_(rules),
          special_(rules),
          use_generations_(use_generations),
          changed_(store),
          start_(store),
          matter_(rules != nullptr && rules->remember_absorbed(), store) {}

    /// Takes the particles over until the step ends; the first num_owned are the rank's own.
    /// `has_uniform_attributes`: all attributes are the same. `begin`: the time at which all are. `setting`: needed
    /// where rules change matter.
    void load(Particles& particles, std::size_t num_owned, bool has_uniform_attributes, double begin,
              const ContactSetting& setting = {}) {
        if (rules_ != nullptr) {
            forget_changed_matter();
            matter_.load(particles.attributes, particles.track.tethers());
        }
        setting_ = setting;
        motion_ = particles.motion;
        attributes_ = particles.attributes.lookup();
        num_owned_ = num_owned;
        latest_stamp_ = 0;
        clear_status();
        begin_ = begin;
        has_uniform_attributes_ = has_uniform_attributes && rules_ == nullptr;
    }
    /// To be called once for each scratch after load. Equal contact distances are filled in once per step.
    void prepare(ContactScratch& scratch) const {
        if (has_one_distance() && !scratch.distances.empty())
            scratch.distances.assign(scratch.distances.size(), one_distance());
    }
    /// Gives the owned particles their motions and attributes at the start of the step back.
    void restore_start() {
        start_.for_each([this](const SlotStart& start) { motion_[start.slot] = motion_of(start); });
        matter_.restore_start();
    }
    /// Where matter changes: gives the slot other attributes.
    void set_attributes(Slot slot, const Attributes& attributes) {
        attributes_ = matter_.set_attributes(slot, attributes);
    }
    void restore_matter(Slot slot, const MatterUndo& undo) { attributes_ = matter_.restore(slot, undo); }

    const ImageLengths& images() const { return images_; }
    std::size_t size() const { return motion_.size(); }
    std::size_t memory_bytes() const { return bytes_of(status_) + matter_.memory_bytes(); }
    Motion& motion(Slot slot) { return motion_[checked(slot)]; }
    const Motion& motion(Slot slot) const { return motion_[checked(slot)]; }
    SlotStatus& status(Slot slot) { return status_[checked(slot)]; }
    const SlotStatus& status(Slot slot) const { return status_[checked(slot)]; }
    [[gnu::always_inline]] const Attributes& attributes(Slot slot) const {
        return has_uniform_attributes_ ? *attributes_.records : attributes_[slot];
    }
    double radius(Slot slot) const { return attributes(slot).radius; }
    bool is_owned(Slot slot) const { return slot < num_owned_; }
    bool has_changing_matter() const { return rules_ != nullptr; }
    /// Only where matter changes, as in all that names it.
    SlotMatter& matter() { return matter_; }
    const SlotMatter& matter() const { return matter_; }
    bool is_absent(Slot slot) const { return matter_.has_ended() && matter_.is_absent(slot); }

    // Hints to the processor, without effect on anything but time.
    void prefetch_state(Slot slot) const {
        prefetch_motion(slot);
        prefetch_far(&status_[slot]);
    }
    void prefetch_status(Slot slot) const { prefetch(&status_[slot]); }
    void prefetch_motion(Slot slot) const { prefetch_far(&motion_[slot]); }
    void prefetch_attributes(Slot slot) const {
        if (attributes_.kinds == nullptr) prefetch(&attributes(slot));  // a kind is in the cache
    }

    std::uint32_t latest_stamp() const { return latest_stamp_; }

    /// Those of the others that the slot touches before `until` when all fly straight on, and their times.
    /// Also those that are ahead of `ahead_of`. Valid until the next use of the scratch.
    FoundContacts find_contacts(Slot slot, std::span<const Slot> others, double until, double ahead_of,
                                ContactScratch& scratch) const {
        make_room_in(scratch, contacts_room(others.size()));
        if (!has_one_distance()) {
            const double own = radius(slot);
            with_radii([&](auto radius_of) {
                for (std::size_t k = 0; k < others.size(); ++k)
                    scratch.distances[k] = own + radius_of(others[k]);
            });
        }
        std::size_t count =
            ricochet::find_contacts(motion_[slot], others, motion_.data(), scratch.distances.data(), images_,
                                    until, ahead_of, scratch.found.data(), scratch.times.data());
        if (rules_ != nullptr && !only_bounces(slot))
            count = apply_rules(slot, others, until, ahead_of, count, scratch);
        return {{scratch.found.data(), count}, {scratch.times.data(), count}};
    }
    /// visit(a, b, time) for those pairs, at most CandidatePairs::per_block, that touch before `until` when
    /// all fly straight on.
    template <class Visit>
    void for_each_contact(const PairSpan& pairs, double until, ContactScratch& scratch, Visit&& visit) const {
        make_room_in(scratch, contacts_room(pairs.size()));
        if (!has_one_distance()) {
            with_radii([&](auto radius_of) {
                for (std::size_t k = 0; k < pairs.size(); ++k)
                    scratch.distances[k] = radius_of(pairs.first[k]) + radius_of(pairs.second[k]);
            });
        }
        const std::size_t count =
            find_pair_contacts(pairs.first, pairs.second, motion_.data(), scratch.distances.data(), images_,
                               until, scratch.found.data(), scratch.times.data());
        if (rules_ == nullptr) {
            for (std::size_t k = 0; k < count; ++k)
                visit(pairs.first[scratch.found[k]], pairs.second[scratch.found[k]], scratch.times[k]);
            return;
        }
        const bool only_bounce = only_bounce_from_the_start();
        for (std::size_t k = 0; k < count; ++k) {
            const Slot a = pairs.first[scratch.found[k]], b = pairs.second[scratch.found[k]];
            const double time = only_bounce ? scratch.times[k] : time_by_rules(a, b, scratch.times[k]);
            if (time < until) visit(a, b, time);
        }
        if (!special_.has_unseen(matter_.present())) return;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const double time = time_without_approach(pairs.first[k], pairs.second[k], until);
            if (time < until) visit(pairs.first[k], pairs.second[k], time);
        }
    }
    /// visit(prediction) for the slot's contacts with obstacles before `until`.
    template <class Visit>
    void for_each_obstacle_contact(Slot slot, const ObstacleSearch& obstacles, double until,
                                   Visit&& visit) const {
        const Motion& motion = motion_[slot];
        if (rules_ != nullptr) {
            obstacles.for_each([&](const Obstacle& obstacle) {
                const double time = time_by_rules(slot, obstacle);
                if (time < until) visit(predict_obstacle(slot, obstacle.number, time));
            });
            return;
        }
        obstacles.for_each_candidate(motion, [&](const Obstacle& obstacle) {
            const double time = obstacle_contact_time(motion, radius(slot), obstacle.shape);
            if (time < until) visit(predict_obstacle(slot, obstacle.number, time));
        });
    }
    double contact_distance(Slot a, Slot b) const { return radius(a) + radius(b); }
    /// Two slots in the order of their ids, at a contact at `time`. Where rules change matter.
    PairContact pair_contact(Slot low, Slot high, double time) const {
        return {time,
                motion_[low],
                motion_[high],
                attributes(low),
                attributes(high),
                images_,
                setting_,
                status_[low].num_contacts,
                status_[high].num_contacts};
    }
    /// Where the pair reacts at a rate: what the two do next. The order of the slots does not matter.
    std::optional<RatedEvent> rated_event_of(Slot a, Slot b) const;
    std::optional<RatedEvent> rated_event_of(Slot slot, const Obstacle& obstacle) const;
    bool are_tethered(Slot a, Slot b) const {
        return matter_.num_tethers(a) > 0 && matter_.tethers(a).holds(motion_[b].id);
    }
    /// The pair's tether; at a contact, or when it is taut, of the two as they are before.
    TetherState tether_of(Slot a, Slot b) const;
    /// Whether the two only bounce, because their rule would change one that has tethers.
    bool is_suspended(Slot a, Slot b) const;
    /// What the rule of a wall may do: no more than bounce if it would change one that has tethers.
    ContactRule rule_at(Slot slot, ObstacleNumber number) const;

    /// The generation of a contact at `time` as far as this partner decides it.
    std::uint32_t generation_at(Slot slot, double time) const {
        return use_generations_ && motion_[slot].time == time ? status_[slot].next_generation : 0;
    }
    Prediction predict_pair(Slot a, Slot b, double time) const {
        return {time,
                std::max(generation_at(a, time), generation_at(b, time)),
                a,
                Partner::particle(b),
                status_[a].stamp,
                status_[b].stamp,
                0};
    }
    Prediction predict_obstacle(Slot a, ObstacleNumber number, double time) const {
        return {time, generation_at(a, time), a, Partner::obstacle(number), status_[a].stamp, 0, 0};
    }
    /// Whether a partner of this Prediction or WaitingContact has changed since it was made.
    template <class Expected>
    bool is_stale(const Expected& p) const {
        return status_[p.a].stamp != p.stamp_a ||
               (p.b.is_particle() && status_[p.b.slot()].stamp != p.stamp_b);
    }

    SlotUndo undo_record(Slot slot) const {
        const Motion& m = motion_[slot];
        const SlotStatus& s = status_[slot];
        return {m.position, m.velocity, m.time, slot, s.stamp, s.next_generation, s.num_contacts};
    }
    void restore(const SlotUndo& undo) {
        Motion& m = motion_[undo.slot];
        SlotStatus& s = status_[undo.slot];
        m.position = undo.position;
        m.velocity = undo.velocity;
        m.time = undo.time;
        s.stamp = undo.stamp;
        s.next_generation = undo.next_generation;
        s.num_contacts = undo.num_contacts;
    }
    /// To be called before the slot's motion changes. A slot whose first change is undone is kept twice.
    void keep_start(Slot slot) {
        if (status_[slot].stamp != 0) return;
        if (room_for_changed_ > 0) {
            --room_for_changed_;
            changed_.push_back(slot);
        }
        if (is_owned(slot)) start_.push_back({motion_[slot].position, motion_[slot].velocity, slot});
    }
    /// Notes that the slot has just had a contact of the given generation.
    void mark_changed(Slot slot, std::uint32_t generation) {
        SlotStatus& s = status_[slot];
        s.stamp = ++latest_stamp_;
        s.next_generation = generation + 1;
        ++s.num_contacts;
    }

  private:
    Slot checked(Slot slot) const {
        RICOCHET_DCHECK_LT(slot, size());
        return slot;
    }
    /// do_with(radius_of) with a function of slots, for loops: how attributes are kept is asked once. Not
    /// where all have the same.
    template <class DoWith>
    void with_radii(DoWith&& do_with) const {
        const AttributeList::Lookup at = attributes_;
        if (at.kinds != nullptr)
            do_with([at](Slot slot) { return at.records[at.kinds[slot]].radius; });
        else
            do_with([at](Slot slot) { return at.records[slot].radius; });
    }
    /// Whether the slot has had no contact in this step, and can only bounce off the species present.
    bool only_bounces(Slot slot) const {
        return !matter_.has_ended() && !matter_.has_had_contact(slot) &&
               (special_.special(attributes(slot).species) & matter_.present()) == 0;
    }
    /// Whether no slot has changed yet, and the species present can only bounce off each other.
    bool only_bounce_from_the_start() const {
        return latest_stamp_ == 0 && !matter_.has_ended() && !special_.has_special(matter_.present());
    }
    /// Whether all pairs touch at one distance: where rules change matter, until a product has another radius.
    bool has_one_distance() const {
        return has_uniform_attributes_ || (rules_ != nullptr && matter_.has_one_radius());
    }
    /// Not of an empty set.
    double one_distance() const {
        return 2 * (rules_ != nullptr ? matter_.first_radius() : attributes_.records->radius);
    }

    // Where rules change matter: local_set.cpp.
    std::size_t apply_rules(Slot slot, std::span<const Slot> others, double until, double ahead_of,
                            std::size_t num_found, ContactScratch& scratch) const;
    double time_by_rules(Slot a, Slot b, double time_of_bounce) const;
    double time_by_rules(Slot slot, const Obstacle& obstacle) const;
    double time_without_approach(Slot a, Slot b, double until) const;
    bool are_latest_partners(Slot a, Slot b) const {
        return matter_.latest_partner(a) == motion_[b].id && matter_.latest_partner(b) == motion_[a].id;
    }
    /// Whether both are present, and their latest contact was not with each other.
    bool may_touch(Slot a, Slot b) const {
        return !is_absent(a) && !is_absent(b) && !are_latest_partners(a, b);
    }
    /// Whether latest partners bounce at `time`. Products of a reaction at a distance may still approach each other,
    /// and touch later. Those that overlap do not: a contact at the instant of their latest one is none.
    bool may_meet_again(Slot a, Slot b, double time) const {
        if (is_absent(a) || is_absent(b)) return false;
        const ContactRule& rule = rules_->pair(attributes(a).species, attributes(b).species);
        return std::holds_alternative<Bounce>(rule) && time > std::max(motion_[a].time, motion_[b].time);
    }
    std::optional<double> rate_of(Slot a, Slot b) const;
    Overlap overlap_of(Slot a, Slot b) const;
    bool is_suspended_at(Slot slot, ObstacleNumber number) const;
    bool may_become_tethered(Slot a, Slot b, const Stick& rule) const;
    double tether_time_of(Slot a, Slot b) const;

    void make_room_in(ContactScratch& scratch, std::size_t room) const {
        if (scratch.times.size() < room) [[unlikely]]
            grow(scratch, room);
    }
    void grow(ContactScratch& scratch, std::size_t room) const {
        scratch.times.resize(room);
        scratch.found.resize(room);
        scratch.distances.resize(room, has_one_distance() ? one_distance() : 0);
    }

    /// As clear_status does, and before it.
    void forget_changed_matter() {
        if (room_for_changed_ == 0)
            matter_.forget_all();
        else
            changed_.for_each([this](Slot slot) { matter_.forget(slot); });
    }
    /// In a dilute system few slots have changed in the step before, and only their status is touched.
    void clear_status() {
        if (room_for_changed_ == 0)
            status_.clear();
        else
            changed_.for_each([this](Slot slot) { status_[slot] = SlotStatus{}; });
        make_room(status_, motion_.size());  // by now all have the initial one, or are none
        status_.resize(motion_.size());
        changed_.clear();
        room_for_changed_ = status_.size() / 4 + 1;
        start_.clear();
    }

    Motion motion_of(const SlotStart& start) const {
        return {.position = start.position,
                .velocity = start.velocity,
                .time = begin_,
                .id = motion_[start.slot].id};
    }

    ImageLengths images_;
    const ContactRules* rules_;
    SpecialPairs special_;
    ContactSetting setting_;  ///< where rules change matter
    bool use_generations_;
    std::span<Motion> motion_;
    AttributeList::Lookup attributes_;
    std::size_t num_owned_ = 0;
    bool has_uniform_attributes_ = true;
    std::uint32_t latest_stamp_ = 0;
    std::vector<SlotStatus> status_;
    BlockVector<Slot> changed_;         ///< the slots whose status differs from the initial one
    std::size_t room_for_changed_ = 0;  ///< when none is left, some are missing, and all will be cleared
    double begin_ = 0;
    BlockVector<SlotStart> start_;  ///< of those slots that are owned
    SlotMatter matter_;
};

}  // namespace ricochet
