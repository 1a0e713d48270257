// SPDX-License-Identifier: BSD-3-Clause
//
// The gas of a grown start (run/growth.hpp): equal masses 1 at kT 1 that bounce elastically. Their radii grow, or rest,
// in steps of the slabs and the engine of runs.
//
// Steps are as long as a particle has one contact in the mean. So they become ever shorter towards a jam. Contacts with
// surfaces that move outwards heat the gas. Its temperature is set again after each step.
//
// Reduced pressure: Z = p V/(N kT) = 1 + sum of impulse * distance / (d N kT t), over a stretch of time t. This is the
// collisional virial, with walls as in observe/observables.hpp. In equilibrium it depends on places and sizes alone, so
// that equal masses serve for all. It is that of an equilibrium only while radii rest.
//
// Invariants: places, step lengths and pressures are the same bits on any number of ranks. They follow from counts and
// exact sums.
#pragma once

#include <cstdint>

#include "dynamics/ballistic.hpp"
#include "engine/window_resolver.hpp"
#include "placement/population.hpp"
#include "ricochet/core/exact_sum.hpp"
#include "ricochet/core/phase_clock.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "slabs/balance.hpp"
#include "slabs/slab_step.hpp"

namespace ricochet {

/// The most that radii grow in a step at this rate, as a part of themselves.
double largest_growth_of_step(double rate);

/// Counts contacts of pairs, and adds the virial of all contacts, of this rank.
class VirialCounter final : public ContactSink {
  public:
    ContactDetail detail() const override { return ContactDetail::briefs; }
    void add_briefs(std::span<const ContactBrief> contacts) override;
    void settle() override { settled_ = now_; }
    void take_back() override { now_ = settled_; }
    std::int64_t num_pairs() const { return now_.num_pairs; }
    const ExactSum& virial() const { return now_.virial; }

  private:
    struct Sums {
        std::int64_t num_pairs = 0;
        ExactSum virial;
    };
    Sums now_, settled_;
};

/// The sizes of a gas, as parts of those of its population.
struct GasSizes {
    double first_scale = 0;     ///< of radii at the start; above 0
    double most_scale = 1;      ///< that they may reach
    double largest_radius = 0;  ///< of the population, on all ranks
};

class GrowingGas {
  public:
    /// `start`: this rank's share of the population, with radii times first_scale. Keeps a reference to the exchange.
    /// Collective, as are steps and pressures.
    GrowingGas(const Box& box, const Population& population, const GasSizes& sizes, Exchange& exchange,
               Particles start);

    /// One step. The largest diameter grows at this rate, in units of sqrt(kT/m); at the rate 0 it rests. The step ends
    /// where radii have grown by the part `most` of themselves, if they grow so far. Returns whether they have.
    bool step(double rate, double most);
    /// Multiplies all radii.
    void enlarge(double factor);

    double scale() const { return scale_; }
    std::uint64_t num_steps() const { return num_steps_; }
    double contacts_per_particle() const { return contacts_per_particle_; }
    const Particles& owned() const { return owned_; }
    /// Contacts per particle, in the latest step, in the time of a flight over the largest diameter.
    double contacts_per_flight() const { return contact_rate_ * diameter(); }

    /// Begins another stretch, over which the pressure is measured.
    void begin_stretch() { stretch_ = {}; }
    /// Contacts of pairs in this stretch, of all ranks.
    double contacts_of_stretch() const { return static_cast<double>(stretch_.num_pairs); }
    /// The reduced pressure over this stretch. Collective.
    double pressure() const;

  private:
    struct Stretch {
        std::int64_t num_pairs = 0;  ///< of all ranks
        double time = 0;
        ExactSum virial;  ///< of this rank
    };

    Exchange& start_balancer();
    double diameter() const { return 2 * sizes_.largest_radius * scale_; }
    void choose_flight(double dt);

    const Box box_;
    const GasSizes sizes_;
    Exchange& exchange_;
    std::uint64_t num_particles_;
    Particles owned_;
    World world_;
    WindowResolver engine_;
    PhaseClock clock_;
    Balancer balancer_;
    SlabStepper stepper_;
    VirialCounter contacts_;
    double degrees_;  ///< of freedom
    double scale_;
    double flight_;  ///< the length of the next step
    double contact_rate_ = 0;
    double contacts_per_particle_ = 0;
    std::uint64_t num_steps_ = 0;
    Stretch stretch_;
};

/// The particles of the population where those of the gas are, in ascending id.
Particles at_their_places(const Particles& gas, const Population& population);

}  // namespace ricochet
