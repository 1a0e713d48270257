// SPDX-License-Identifier: BSD-3-Clause
//
// The contacts of one sub-window, whole or in brief. Briefs save memory traffic where whole records are not needed
// (note 16 of tests/bench/notes.md).
#pragma once

#include <cstddef>

#include "core/block_store.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "ricochet/model/contact.hpp"

namespace ricochet {

class ContactPool {
  public:
    /// The store must outlive this.
    explicit ContactPool(BlockStore& store) : records_(store), briefs_(store), energies_(store) {}

    /// Empties it. Only contacts of this detail may be added from now on, each with the energy that a body gave if
    /// `has_energies`.
    void keep(ContactDetail detail, bool has_energies = false) {
        clear();
        detail_ = detail;
        has_energies_ = has_energies;
    }
    ContactDetail detail() const { return detail_; }

    std::size_t size() const { return has_records() ? records_.size() : briefs_.size(); }
    void push_back(const Contact& contact) { records_.push_back(contact); }
    void push_back(const ContactBrief& contact) { briefs_.push_back(contact); }
    bool has_energies() const { return has_energies_; }
    /// The energy that the contact added last brought.
    void push_back_energy(GivenEnergy energy) { energies_.push_back(energy); }
    /// Overwrites contact `to` with contact `from`.
    void copy_within(std::size_t from, std::size_t to) {
        if (has_records())
            records_[to] = records_[from];
        else
            briefs_[to] = briefs_[from];
        if (has_energies_) energies_[to] = energies_[from];
    }
    /// Removes all but the first `size` contacts; there must be at least that number.
    void shrink(std::size_t size) {
        if (has_records())
            records_.shrink(size);
        else
            briefs_.shrink(size);
        if (has_energies_) energies_.shrink(size);
    }
    void clear() { shrink(0); }
    /// In no order.
    void give_to(ContactSink& sink) const {
        records_.for_each_block([&sink](std::span<const Contact> contacts) { sink.add_records(contacts); });
        briefs_.for_each_block(
            [&sink](std::span<const ContactBrief> contacts) { sink.add_briefs(contacts); });
        energies_.for_each_block(
            [&sink](std::span<const GivenEnergy> energies) { sink.add_energies(energies); });
    }

  private:
    bool has_records() const { return detail_ == ContactDetail::records; }

    ContactDetail detail_ = ContactDetail::records;
    bool has_energies_ = false;
    BlockVector<Contact> records_;
    BlockVector<ContactBrief> briefs_;
    BlockVector<GivenEnergy> energies_;  ///< as many, or none; 0 of most
};

}  // namespace ricochet
