// SPDX-License-Identifier: BSD-3-Clause
//
// The particles of one slab during one step, with what the resolution of contacts writes: motions and status,
// and how to undo it. Only a particle's own contacts change it. So the order in which islands and windows are
// run changes no bits.
//
// Layout: the caller's arrays are worked on in place. A particle without a contact is neither copied nor
// written.
//
// Invariant: the start state of every owned particle that collides is kept, since a step may be given up. The
// halo may turn out too narrow, or the box too small for the speeds after a contact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block_store.hpp"
#include "engine/prediction.hpp"
#include "engine/slot_matter.hpp"
#include "engine/slot_state.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

class LocalMotion {
  public:
    /// `changes_matter`: whether rules do. `keeps_absorbed`: whether absorbed particles are remembered.
    /// use_generations = false breaks causality at ties; only the test that shows it asks for that.
    LocalMotion(bool changes_matter, bool keeps_absorbed, bool use_generations, BlockStore& store)
        : changes_matter_(changes_matter),
          use_generations_(use_generations),
          changed_(store),
          start_(store),
          matter_(keeps_absorbed, store) {}

    /// Takes the particles over until the step ends; the first num_owned are the rank's own.
    /// `has_uniform_attributes`: all attributes are the same. `begin`: the time at which all are.
    void load(Particles& particles, std::size_t num_owned, bool has_uniform_attributes, double begin) {
        if (changes_matter_) {
            forget_changed_matter();
            matter_.load(particles.attributes, particles.track.tethers(), particles.track.latest_contacts());
        }
        latest_contacts_ = particles.track.latest_contacts();
        motion_ = particles.motion;
        attributes_ = particles.attributes.lookup();
        num_owned_ = num_owned;
        latest_stamp_ = 0;
        clear_status();
        begin_ = begin;
        has_uniform_attributes_ = has_uniform_attributes && !changes_matter_;
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

    std::size_t size() const { return motion_.size(); }
    std::size_t memory_bytes() const { return bytes_of(status_) + matter_.memory_bytes(); }
    Motion& motion(Slot slot) { return motion_[checked(slot)]; }
    const Motion& motion(Slot slot) const { return motion_[checked(slot)]; }
    std::span<const Motion> motions() const { return motion_; }
    SlotStatus& status(Slot slot) { return status_[checked(slot)]; }
    const SlotStatus& status(Slot slot) const { return status_[checked(slot)]; }
    [[gnu::always_inline]] const Attributes& attributes(Slot slot) const {
        return has_uniform_attributes_ ? *attributes_.records : attributes_[slot];
    }
    double radius(Slot slot) const { return attributes(slot).radius; }
    double contact_distance(Slot a, Slot b) const { return radius(a) + radius(b); }
    /// Whether all pairs touch at one distance: where rules change matter, until a product has another radius.
    bool has_one_distance() const {
        return has_uniform_attributes_ || (changes_matter_ && matter_.has_one_radius());
    }
    /// Not of an empty set.
    double one_distance() const {
        return 2 * (changes_matter_ ? matter_.first_radius() : attributes_.records->radius);
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
    bool is_owned(Slot slot) const { return slot < num_owned_; }
    bool has_changing_matter() const { return changes_matter_; }
    /// Only where matter changes, as in all that names it.
    SlotMatter& matter() { return matter_; }
    const SlotMatter& matter() const { return matter_; }
    bool is_absent(Slot slot) const { return matter_.has_ended() && matter_.is_absent(slot); }
    /// When the latest contact was, relative to the begin of the step.
    /// Requires: the run prevents collapse.
    double latest_contact(Slot slot) const {
        if (changes_matter_) return matter_.latest_contact(slot);
        return status_[slot].num_contacts > 0 ? motion_[slot].time : latest_contacts_[slot];
    }
    bool are_tethered(Slot a, Slot b) const {
        return matter_.num_tethers(a) > 0 && matter_.tethers(a).holds(motion_[b].id);
    }

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
    Prediction predict_obstacle(Slot a, ObstacleIndex index, double time) const {
        return {time, generation_at(a, time), a, Partner::obstacle(index), status_[a].stamp, 0, 0};
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

    bool changes_matter_;
    bool use_generations_;
    std::span<Motion> motion_;
    AttributeList::Lookup attributes_;
    std::span<const double> latest_contacts_;  ///< before this part of the step; empty where none are kept
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
