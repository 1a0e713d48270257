// SPDX-License-Identifier: BSD-3-Clause
//
// The observers of a recorded run, with what they share: sums over ranks, times of samples, their states in
// checkpoints. Sums of all observers cross the network together, once per sample.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/observe/observer.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

class Observation {
  public:
    explicit Observation(Exchange& exchange) : exchange_(exchange) {}
    /// Throws std::invalid_argument when there is one of this name or with one of its columns.
    void add(std::unique_ptr<Observer> observer);

    /// The columns of all observers.
    const std::vector<ObservableInfo>& columns() const { return columns_; }
    /// records when some observer needs them.
    ContactDetail detail() const;

    /// Adds contacts of this rank.
    void add_briefs(std::span<const ContactBrief> contacts);
    void add_energies(std::span<const GivenEnergy> energies);
    void add_records(std::span<const Contact> contacts);
    /// As those of ContactSink: what has been added stays, or is forgotten.
    void settle() { settled_.reset(); }
    void take_back();

    /// The sample of all ranks, valid until the next. Collective.
    Sample take_sample(const Particles& owned, double time);

    /// Puts the state into that of the run, the same on all ranks. Collective.
    void save_to(RunState& state);
    /// Throws InputError where `state` has none of an observer.
    void restore_from(const RunState& state);

  private:
    using Sums = std::vector<std::vector<std::int64_t>>;  ///< by observer

    Sums sums() const;
    Sums sums_over_ranks() const;
    void set_sums(const Sums& sums);
    void keep_settled();

    Exchange& exchange_;
    std::vector<std::unique_ptr<Observer>> observers_;
    std::vector<ObservableInfo> columns_;
    std::vector<std::size_t> num_values_;  ///< of each observer
    std::optional<Sums> settled_;          ///< once contacts have been added since settle(): the sums before
    std::optional<double> previous_time_;  ///< of the latest sample
    std::vector<double> values_;           ///< of the latest sample
};

}  // namespace ricochet
