// SPDX-License-Identifier: BSD-3-Clause
//
// Where the contacts of a step go as they become final, sub-window by sub-window.
//
// Most runs need sums of contacts, and no record of each. They ask for briefs. Then no more than one sub-window's
// contacts are kept: all those of a dense step would take half as much memory as the particles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/contact.hpp"

namespace ricochet {

class ContactSink {
  public:
    virtual ~ContactSink() = default;

    /// What it takes of each contact. Must not change while a step is under way.
    virtual ContactDetail detail() const = 0;
    /// Contacts of the step under way, in no order; they are gone afterwards. Called for
    /// ContactDetail::records.
    virtual void add_records(std::span<const Contact> /*contacts*/) {}
    /// The same for ContactDetail::briefs.
    virtual void add_briefs(std::span<const ContactBrief> /*contacts*/) {}
    /// Energies that contacts of the step brought, of bodies with a temperature or in motion; in no order.
    virtual void add_energies(std::span<const GivenEnergy> /*energies*/) {}
    /// What has been added will not be taken back: a part of the step is done, another follows.
    virtual void settle() = 0;
    /// What has not been settled is given up, and will be done again: forgets it.
    virtual void take_back() = 0;

  protected:
    ContactSink() = default;
    ContactSink(const ContactSink&) = default;
    ContactSink& operator=(const ContactSink&) = default;
};

/// Keeps them all, of one step.
class ContactList final : public ContactSink {
  public:
    ContactDetail detail() const override { return ContactDetail::records; }
    void add_records(std::span<const Contact> contacts) override {
        contacts_.insert(contacts_.end(), contacts.begin(), contacts.end());
    }
    void settle() override { num_settled_ = contacts_.size(); }
    void take_back() override { contacts_.resize(num_settled_); }
    /// For another step.
    void clear() {
        num_settled_ = 0;
        clear_and_trim(contacts_);
    }
    const std::vector<Contact>& contacts() const { return contacts_; }

  private:
    std::vector<Contact> contacts_;
    std::size_t num_settled_ = 0;
};

/// Counts them, of one step.
class ContactCounter final : public ContactSink {
  public:
    ContactDetail detail() const override { return ContactDetail::briefs; }
    void add_briefs(std::span<const ContactBrief> contacts) override {
        for (const ContactBrief& contact : contacts) {
            if (!is_contact(contact.effect)) continue;
            ++(contact.species_high == wall_species ? counts_.with_walls : counts_.pairs);
        }
    }
    void settle() override { settled_ = counts_; }
    void take_back() override { counts_ = settled_; }
    std::int64_t num_pairs() const { return counts_.pairs; }
    std::int64_t num_with_walls() const { return counts_.with_walls; }

  private:
    struct Counts {
        std::int64_t pairs = 0, with_walls = 0;
    };
    Counts counts_, settled_;
};

}  // namespace ricochet
