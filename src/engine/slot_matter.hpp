// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine keeps of each slot, besides its motion, where rules change matter. That is who touched it last, whom
// it absorbed last, how large it has been, and its attributes when the step began. Other runs keep none of it.
//
// Where rules tether particles, also their tethers, in the caller's list: own and copies'. A step only adds some, so the
// number that there were undoes it.
//
// Attributes themselves are changed in the caller's arrays, where each particle then has its own record. A particle
// that ends leaves an *absent* slot until the step ends. It predicts nothing, and nothing touches it.
//
// Invariant: two whose latest contact was with each other have no other contact, until either has one with a third.
// A bounce needs no such rule, because its pair parts. Products that overlap and partners that pass need it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block_store.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/tethers.hpp"

namespace ricochet {

/// The matter of a slot before an island run changed it.
struct MatterUndo {
    Attributes attributes;
    ParticleId latest_partner;
    ParticleId absorbed;
    std::uint32_t num_tethers;
};

class SlotMatter {
  public:
    /// No particle and no obstacle.
    static constexpr ParticleId nobody = no_id;

    explicit SlotMatter(BlockStore& store) : start_(store) {}

    /// For a step in which rules change the attributes of these particles. O(particles).
    /// `tethers`: by slot; empty where no rule forms any.
    void load(AttributeList& attributes, std::span<Tethers> tethers) {
        start_.clear();
        tethers_ = tethers;
        latest_partner_.assign(attributes.size(), nobody);
        absorbed_.assign(attributes.size(), nobody);
        largest_radius_.resize(attributes.size());
        attributes_ = attributes.empty() ? nullptr : &attributes.edit(0);
        for (std::size_t k = 0; k < attributes.size(); ++k) largest_radius_[k] = attributes_[k].radius;
    }

    bool is_absent(Slot slot) const { return ricochet::is_absent(attributes_[slot]); }
    ParticleId latest_partner(Slot slot) const { return latest_partner_[slot]; }
    /// The latest that this one has absorbed in this step, or nobody.
    ParticleId absorbed(Slot slot) const { return absorbed_[slot]; }
    /// In this step, also in runs that were discarded.
    double largest_radius(Slot slot) const { return largest_radius_[slot]; }
    bool has_tethers() const { return !tethers_.empty(); }
    /// Only where some rule forms them.
    const Tethers& tethers(Slot slot) const { return tethers_[slot]; }
    std::uint32_t num_tethers(Slot slot) const { return has_tethers() ? tethers_[slot].size() : 0; }

    void set_latest_partner(Slot slot, ParticleId partner) { latest_partner_[slot] = partner; }
    void set_absorbed(Slot slot, ParticleId partner) { absorbed_[slot] = partner; }
    void set_attributes(Slot slot, const Attributes& attributes) {
        attributes_[slot] = attributes;
        largest_radius_[slot] = std::max(largest_radius_[slot], attributes.radius);
    }

    void add_tether(Slot slot, ParticleId partner, SpeciesIndex species) {
        tethers_[slot].add(partner, species);
    }

    MatterUndo undo_record(Slot slot) const {
        return {attributes_[slot], latest_partner_[slot], absorbed_[slot], num_tethers(slot)};
    }
    void restore(Slot slot, const MatterUndo& undo) {
        attributes_[slot] = undo.attributes;
        latest_partner_[slot] = undo.latest_partner;
        absorbed_[slot] = undo.absorbed;
        if (has_tethers()) tethers_[slot].truncate(undo.num_tethers);
    }
    /// To be called before the slot's matter changes for the first time.
    void keep_start(Slot slot) { start_.push_back({attributes_[slot], slot, num_tethers(slot)}); }
    /// Gives those slots the attributes and tethers back that they had at the start of the step.
    void restore_start() {
        start_.for_each([this](const Start& start) {
            attributes_[start.slot] = start.attributes;
            if (has_tethers()) tethers_[start.slot].truncate(start.num_tethers);
        });
    }

    std::size_t memory_bytes() const { return bytes_of(latest_partner_, absorbed_, largest_radius_); }

  private:
    struct Start {
        Attributes attributes;
        Slot slot;
        std::uint32_t num_tethers;
    };

    Attributes* attributes_ = nullptr;  ///< by slot, the caller's
    std::vector<ParticleId> latest_partner_;
    std::vector<ParticleId> absorbed_;
    std::vector<double> largest_radius_;
    std::span<Tethers> tethers_;
    BlockVector<Start> start_;
};

}  // namespace ricochet
