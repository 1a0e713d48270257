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
    explicit ContactPool(BlockStore& store) : records_(store), briefs_(store) {}

    /// Empties it. Only contacts of this detail may be added from now on.
    void keep(ContactDetail detail) {
        clear();
        detail_ = detail;
    }
    ContactDetail detail() const { return detail_; }

    std::size_t size() const { return has_records() ? records_.size() : briefs_.size(); }
    void push_back(const Contact& contact) { records_.push_back(contact); }
    void push_back(const ContactBrief& contact) { briefs_.push_back(contact); }
    /// Overwrites contact `to` with contact `from`.
    void copy_within(std::size_t from, std::size_t to) {
        if (has_records())
            records_[to] = records_[from];
        else
            briefs_[to] = briefs_[from];
    }
    /// Removes all but the first `size` contacts; there must be at least that number.
    void shrink(std::size_t size) {
        if (has_records())
            records_.shrink(size);
        else
            briefs_.shrink(size);
    }
    void clear() { shrink(0); }
    /// In no order.
    void give_to(ContactSink& sink) const {
        records_.for_each_block([&sink](std::span<const Contact> contacts) { sink.add_records(contacts); });
        briefs_.for_each_block(
            [&sink](std::span<const ContactBrief> contacts) { sink.add_briefs(contacts); });
    }

  private:
    bool has_records() const { return detail_ == ContactDetail::records; }

    ContactDetail detail_ = ContactDetail::records;
    BlockVector<Contact> records_;
    BlockVector<ContactBrief> briefs_;
};

}  // namespace ricochet
