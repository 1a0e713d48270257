// SPDX-License-Identifier: BSD-3-Clause
//
// Where the contacts of a step go as they become final, sub-window by sub-window. Most runs need sums of them
// and no record of each: then they ask for briefs, and nobody keeps more than one sub-window's. At volume
// fraction 0.3 a step's contacts, all kept, would be half as large as the particles themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/vector_memory.hpp"
#include "ricochet/events/contact.hpp"

namespace ricochet {

/// Of Contact or ContactBrief, whichever it needs.
template <class Record>
class ContactSink {
  public:
    virtual ~ContactSink() = default;
    /// Contacts of the step under way, in no order. They are gone afterwards.
    virtual void add(std::span<const Record> contacts) = 0;
    /// The step is given up, and will be done again: forgets what it has added.
    virtual void take_back() = 0;

  protected:
    ContactSink() = default;
    ContactSink(const ContactSink&) = default;
    ContactSink& operator=(const ContactSink&) = default;
};

/// Keeps them all, of one step.
class ContactList final : public ContactSink<Contact> {
  public:
    void add(std::span<const Contact> contacts) override {
        contacts_.insert(contacts_.end(), contacts.begin(), contacts.end());
    }
    void take_back() override { contacts_.clear(); }
    void clear() { clear_and_trim(contacts_); }
    const std::vector<Contact>& contacts() const { return contacts_; }

  private:
    std::vector<Contact> contacts_;
};

/// Counts them, of one step.
class ContactCounter final : public ContactSink<ContactBrief> {
  public:
    void add(std::span<const ContactBrief> contacts) override {
        for (const ContactBrief& contact : contacts)
            ++(contact.species_high == wall_species ? num_with_walls_ : num_pairs_);
    }
    void take_back() override { num_pairs_ = num_with_walls_ = 0; }
    std::int64_t num_pairs() const { return num_pairs_; }
    std::int64_t num_with_walls() const { return num_with_walls_; }

  private:
    std::int64_t num_pairs_ = 0, num_with_walls_ = 0;
};

}  // namespace ricochet
