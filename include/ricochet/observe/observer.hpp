// SPDX-License-Identifier: BSD-3-Clause
//
// The interface of observers: contacts in, particles in, integers out, columns out. Energies and pressures are
// observed in this way (src/observe/observables.hpp), and clusters (src/observe/clusters.cpp); so can be a g(r).
//
// Each rank has an observer that adds up its own contacts and particles. The sums of all ranks are added as
// integers, and evaluated on all ranks alike. So a sample has the same bits on any number of ranks, with any
// search and in any order of the contacts. Sums of real numbers are integers too, as ExactSum::limbs().
//
// An observer sees all contacts of the steps since the previous sample, then the particles at the time of the
// sample. Then it is asked for the values of its columns. A checkpoint keeps its sums and its memory under
// its name.
//
// What no rank sees by itself, such as a cluster that lies on many, is for add_system. There ranks may exchange what
// they need. Its results are integers again, of which each rank adds a part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/model/contact.hpp"
#include "ricochet/model/observable_info.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// When a sample is taken.
struct SampleTime {
    double time = 0;      ///< since the start of the recorded run
    double interval = 0;  ///< since the previous sample; 0 for the first
};

/// What an observer keeps from one sample to the next; the same on all ranks.
struct ObserverMemory {
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;

    friend bool operator==(const ObserverMemory&, const ObserverMemory&) = default;
};

class Observer {
  public:
    virtual ~Observer() = default;

    /// The name of its state in checkpoints, which no other observer has.
    virtual std::string name() const = 0;
    /// Its columns in the result. They must not change.
    virtual std::vector<ObservableInfo> columns() const = 0;
    /// What it takes of each contact. Must not change.
    virtual ContactDetail detail() const { return ContactDetail::briefs; }

    /// Adds contacts that no other rank adds, in no order.
    virtual void add_briefs(std::span<const ContactBrief> /*contacts*/) {}
    /// The same where this or another observer, or the recorder, takes records. Passes on briefs of them.
    virtual void add_records(std::span<const Contact> contacts);
    /// Adds energies that bodies gave to particles, in no order.
    virtual void add_energies(std::span<const GivenEnergy> /*energies*/) {}
    /// Adds the particles of this rank at the time of a sample. Positions are in the box.
    virtual void add_particles(const Particles& /*owned*/) {}
    /// Thereafter, the particles of all ranks, of which `owned` are this rank's. Collective.
    virtual void add_system(Exchange& /*exchange*/, const Particles& /*owned*/) {}

    /// The sums since the previous sample. Those of several ranks may be added elementwise.
    virtual std::vector<std::int64_t> sums() const = 0;
    /// Takes sums(), or elementwise sums of them. Throws std::logic_error when their number is wrong.
    virtual void set_sums(std::span<const std::int64_t> sums) = 0;
    /// Appends the values of all columns, from the sums of all ranks, and sets the sums to zero. Another number of
    /// values ends the run with a std::logic_error.
    virtual void take_sample(SampleTime time, std::vector<double>& values) = 0;

    virtual ObserverMemory memory() const { return {}; }
    /// Takes the memory of an observer of the same kind. Throws std::invalid_argument for another.
    virtual void restore(const ObserverMemory& /*memory*/) {}

  protected:
    Observer() = default;
    Observer(const Observer&) = default;
    Observer& operator=(const Observer&) = default;
    Observer(Observer&&) = default;
    Observer& operator=(Observer&&) = default;
};

/// The values of all observers at one time, the same on all ranks.
struct Sample {
    std::span<const ObservableInfo> columns;
    std::span<const double> values;  ///< of the columns, one after another

    /// The values of one column. Throws std::out_of_range when there is none of this name.
    std::span<const double> of(std::string_view column) const;
};

}  // namespace ricochet
