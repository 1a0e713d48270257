// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/scoped_seconds.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "run/observation.hpp"

namespace ricochet {

/// Takes the contacts of a recorded step: counts them, hands them to the observers, and keeps them where the
/// recorder wants them.
class StepContacts final : public ContactSink {
  public:
    /// `kept`: a sink of records, or null. Adds the time to `seconds`.
    StepContacts(Observation& observation, ContactSink* kept, double& seconds)
        : observation_(observation), kept_(kept), seconds_(seconds) {}

    ContactDetail detail() const override {
        return kept_ != nullptr ? ContactDetail::records : observation_.detail();
    }
    void add_records(std::span<const Contact> contacts) override {
        const ScopedSeconds timer(seconds_);
        add(contacts);
        if (kept_ != nullptr) kept_->add_records(contacts);
    }
    void add_briefs(std::span<const ContactBrief> contacts) override {
        const ScopedSeconds timer(seconds_);
        add(contacts);
    }
    void settle() override {
        settled_ = counts_;
        observation_.settle();
        if (kept_ != nullptr) kept_->settle();
    }
    void take_back() override {
        counts_ = settled_;
        observation_.take_back();
        if (kept_ != nullptr) kept_->take_back();
    }

    std::int64_t num_pairs() const { return counts_.all - counts_.with_walls; }
    std::int64_t num_with_walls() const { return counts_.with_walls; }

  private:
    template <class Record>
    void add(std::span<const Record> contacts) {
        observation_.add_contacts(contacts);
        counts_.all += std::ssize(contacts);
        for (const Record& contact : contacts) counts_.with_walls += contact.species_high == wall_species;
    }

    struct Counts {
        std::int64_t all = 0, with_walls = 0;
    };
    Observation& observation_;
    ContactSink* kept_;
    double& seconds_;
    Counts counts_, settled_;
};

}  // namespace ricochet
