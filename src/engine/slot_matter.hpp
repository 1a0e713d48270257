// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine keeps of each slot, besides its motion, where rules change matter. These are its latest partner, the
// particle it absorbed last, its largest radius, and its attributes when the step began. Other runs keep none of it.
// Where a run prevents collapse, also the time of its latest contact: a passage through a body changes the motion, and
// is none.
//
// Where rules tether particles, also their tethers, in the caller's list: own and copies'. A step only adds some, so
// the number that there were undoes it.
//
// Attributes themselves are changed in the caller's list, which finds or adds the record of each new kind. So gases of
// few kinds of particles read one record for each kind (model/attribute_list.hpp). A particle that ends leaves an
// *absent* slot until the step ends. It predicts nothing, and nothing touches it.
//
// While all radii are equal, no per-slot maximum is stored.
//
// Invariant: two whose latest contact was with each other have no other contact, until either has one with a third.
// A bounce needs no such rule, because its pair parts. Products that overlap and partners that pass need it. So where
// a particle only bounces off an obstacle, it does not hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block_store.hpp"
#include "engine/special_pairs.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/tethers.hpp"

namespace ricochet {

/// The matter of a slot before an island run changed it.
struct MatterUndo {
    Attributes attributes;
    ParticleId latest_partner;
    ParticleId absorbed;
    double latest_contact;
    std::uint32_t num_tethers;
};

class SlotMatter {
  public:
    /// No particle and no obstacle.
    static constexpr ParticleId no_particle = no_id;

    /// `keeps_absorbed`: whether absorbed particles are remembered.
    SlotMatter(bool keeps_absorbed, BlockStore& store) : keeps_absorbed_(keeps_absorbed), start_(store) {}

    /// Forgets the slot's latest partner, and what it absorbed, in the step before: to be called before load.
    void forget(Slot slot) {
        latest_partner_[slot] = no_particle;
        set_absorbed(slot, no_particle);
    }
    void forget_all() {
        latest_partner_.clear();
        absorbed_.clear();
    }
    /// For a step in which rules change the attributes of these particles. O(particles).
    /// `tethers`: by slot; empty where no rule forms any. `latest_contacts`: likewise; empty where none are kept.
    void load(AttributeList& attributes, std::span<Tethers> tethers,
              std::span<const double> latest_contacts) {
        start_.clear();
        tethers_ = tethers;
        latest_contact_.assign(latest_contacts.begin(), latest_contacts.end());
        latest_partner_.resize(attributes.size(), no_particle);
        absorbed_.resize(keeps_absorbed_ ? attributes.size() : 0, no_particle);
        list_ = &attributes;
        present_ = 0;
        first_radius_ = attributes.empty() ? 0 : attributes[0].radius;
        has_ended_ = false;
        has_one_radius_ = true;
        attributes.for_each_present([this](const Attributes& record) { note(record); });
        if (has_one_radius_) return;
        largest_radius_.resize(attributes.size());
        for (Slot slot = 0; slot < attributes.size(); ++slot) largest_radius_[slot] = attributes[slot].radius;
    }

    // What was so in this step, also in runs that were discarded.

    /// The species that there have been.
    SpeciesSet present() const { return present_; }
    /// Whether some slot has been absent.
    bool has_ended() const { return has_ended_; }
    /// Whether all that were present had the radius that the first slot had at the start.
    bool has_one_radius() const { return has_one_radius_; }
    double first_radius() const { return first_radius_; }

    bool is_absent(Slot slot) const { return ricochet::is_absent((*list_)[slot]); }
    ParticleId latest_partner(Slot slot) const { return latest_partner_[slot]; }
    /// The latest that this one has absorbed in this step, or `no_particle`.
    ParticleId absorbed(Slot slot) const { return keeps_absorbed_ ? absorbed_[slot] : no_particle; }
    /// In this step, also in runs that were discarded.
    double largest_radius(Slot slot) const { return has_one_radius_ ? first_radius_ : largest_radius_[slot]; }
    bool has_tethers() const { return !tethers_.empty(); }
    /// Only where some rule forms them.
    const Tethers& tethers(Slot slot) const { return tethers_[slot]; }
    std::uint32_t num_tethers(Slot slot) const { return has_tethers() ? tethers_[slot].size() : 0; }

    /// None in a run that does not prevent collapse.
    double latest_contact(Slot slot) const {
        return latest_contact_.empty() ? no_contact_yet : latest_contact_[slot];
    }
    void set_latest_contact(Slot slot, double time) {
        if (!latest_contact_.empty()) latest_contact_[slot] = time;
    }

    bool has_had_contact(Slot slot) const { return latest_partner_[slot] != no_particle; }
    void set_latest_partner(Slot slot, ParticleId partner) { latest_partner_[slot] = partner; }
    void set_absorbed(Slot slot, ParticleId partner) {
        if (keeps_absorbed_) absorbed_[slot] = partner;
    }
    /// Returns where attributes are found from now on, as restore does.
    AttributeList::Lookup set_attributes(Slot slot, const Attributes& attributes) {
        keep_start(slot);
        const bool had_one_radius = has_one_radius_;
        note(attributes);
        if (had_one_radius && !has_one_radius_) largest_radius_.assign(list_->size(), first_radius_);
        list_->set(slot, attributes);
        if (!has_one_radius_) largest_radius_[slot] = std::max(largest_radius_[slot], attributes.radius);
        return list_->lookup();
    }

    void add_tether(Slot slot, ParticleId partner, SpeciesIndex species) {
        keep_start(slot);
        tethers_[slot].add(partner, species);
    }

    MatterUndo undo_record(Slot slot) const {
        return {(*list_)[slot], latest_partner_[slot], absorbed(slot), latest_contact(slot),
                num_tethers(slot)};
    }
    AttributeList::Lookup restore(Slot slot, const MatterUndo& undo) {
        list_->set(slot, undo.attributes);
        latest_partner_[slot] = undo.latest_partner;
        set_absorbed(slot, undo.absorbed);
        set_latest_contact(slot, undo.latest_contact);
        if (has_tethers()) tethers_[slot].truncate(undo.num_tethers);
        return list_->lookup();
    }
    /// Gives all slots the attributes and tethers back that they had at the start of the step.
    void restore_start() {
        for (std::size_t k = start_.size(); k-- > 0;) {  // the first that was kept of a slot comes last
            const Start& start = start_[k];
            list_->set(start.slot, start.attributes);
            if (has_tethers()) tethers_[start.slot].truncate(start.num_tethers);
        }
    }

    std::size_t memory_bytes() const {
        return bytes_of(latest_partner_, absorbed_, latest_contact_, largest_radius_);
    }

  private:
    /// What a slot was before one of its changes.
    struct Start {
        Attributes attributes;
        Slot slot;
        std::uint32_t num_tethers;
    };

    /// To be called before the slot's matter changes.
    void keep_start(Slot slot) { start_.push_back({(*list_)[slot], slot, num_tethers(slot)}); }
    void note(const Attributes& attributes) {
        if (ricochet::is_absent(attributes)) {
            has_ended_ = true;
            return;
        }
        present_ |= set_of(attributes.species);
        has_one_radius_ = has_one_radius_ && attributes.radius == first_radius_;
    }

    bool keeps_absorbed_;
    AttributeList* list_ = nullptr;  ///< by slot, the caller's
    std::vector<ParticleId> latest_partner_;
    std::vector<ParticleId> absorbed_;
    std::vector<double> latest_contact_;
    std::vector<double> largest_radius_;  ///< not kept while all have one radius
    SpeciesSet present_ = 0;
    double first_radius_ = 0;
    bool has_ended_ = false;
    bool has_one_radius_ = true;
    std::span<Tethers> tethers_;
    BlockVector<Start> start_;
};

}  // namespace ricochet
