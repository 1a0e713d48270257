// SPDX-License-Identifier: BSD-3-Clause
//
// Steps before step 0 that are not recorded. Lattices melt in them; dense, grown and random starts reach equilibrium.
// Contacts are elastic, whatever the input says, so that the state at step 0 is in equilibrium at kT.
// Brownian particles draw from a random stream of their own.
//
// Neighbours of a dense or grown start nearly touch, so that its contact rate falls at first. It has settled when the
// rate is steady, and its bonds have no order of a crystal (placement/bond_order.hpp). Above freezing it has a fixed
// number of collisions, because it would crystallise or age while it waits for a steady rate. Contacts are counted in
// integers over all ranks, and the counts are part of the state; the order has the same bits everywhere. So the
// equilibration ends after the same step on any number of ranks and across stops.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "placement/bond_order.hpp"
#include "run/stage.hpp"

namespace ricochet {

/// The end of an equilibration: a mean number of collisions per particle, or a steady rate of them.
struct EquilibrationGoal {
    double collisions_per_particle = 0;
    bool until_steady = false;  ///< then the number has no meaning
    bool has_grown = false;     ///< the start that is to settle, by growth; only for what is said of it
};

/// Least and largest number of collisions per particle in which a dense or grown start is expected to settle.
inline constexpr double least_to_settle = 100, most_to_settle = 2000;
/// Rates that differ by less than this share count as equal.
inline constexpr double steady_spread = 0.01;

/// The largest relative difference between the contact rates of the second, third and last quarter. The
/// quarters divide the time between step 0 and the last mark. None where there are too few marks to tell
/// quarters apart.
std::optional<double> spread_of_rates(std::span<const EquilibrationMark> marks);

/// Is over when the goal is reached, or when 1,000 steps have passed without a contact.
class Equilibration final : public Stage {
  public:
    /// Counts on from `state`, which may come from a checkpoint.
    Equilibration(const StageParts& parts, const EquilibrationGoal& goal, EquilibrationState state);

    StepEnd step_end() const override { return {.step = state_.num_steps, .is_recorded = false}; }
    bool is_over() const override { return is_reached() || is_idle(); }
    ContactSink& begin_step() override;
    void end_step() override;
    void record(const Particles& owned) override;
    void tell_progress(double seconds) override;
    RunState state() override;
    /// Says how the equilibration has ended. Returns what has become of a lattice, a dense or a grown start; else
    /// empty.
    /// Collective.
    std::string describe_end(const Particles& owned);

  private:
    bool is_reached() const;
    bool is_idle() const;
    bool has_steady_rate() const;
    void measure_order(const Particles& owned);
    void set_mark();

    EquilibrationGoal goal_;
    EquilibrationState state_;
    std::uint64_t first_step_;        ///< of this part of the run
    ContactCounter contacts_;         ///< of one step
    std::optional<BondOrder> order_;  ///< at the latest mark with a steady rate, and at the end
};

}  // namespace ricochet
