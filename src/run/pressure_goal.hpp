// SPDX-License-Identifier: BSD-3-Clause
//
// When growth to a pressure ends (run/growth.hpp), as a rule without particles.
//
// The pressure counts while radii rest: growth that is fast raises it, and jams a packing that would still relax. So
// phases of growth alternate with rests. The first phase ends where the pressure of the growing gas reaches the goal.
// Later ones end where radii have grown as far as the rest before has told, unless that pressure is far too high.
//
// By the law of free volume, Z = d/(1 - f/f_J) near the fraction f_J of a jam (Salsburg & Wood, J. Chem. Phys. 37
// (1962) 798), radii have to change by the part 1/Z - 1/Z_goal. In a fluid this is no bad guess either. Where Z is too
// high, radii shrink, which nothing hinders.
//
// After each rest growth goes on at half the rate, down to a slowest one. Then structures relax while they grow, as
// they must near the densest random packing.
#pragma once

#include <cstdint>

namespace ricochet {

/// The pressure in a rest, over the goal, differs from 1 by no more than this.
inline constexpr double pressure_tolerance = 0.02;
/// Growth after rests is not slower than this, unless the first was.
inline constexpr double slowest_rate = 1e-3;

class PressureGoal {
  public:
    /// The reduced pressure to be reached, above 1, and the rate of growth (run/grown_start.hpp).
    PressureGoal(double pressure, double rate);

    /// The part of themselves by which radii are to change, by a pressure measured in a rest; 0: it is reached.
    /// Lowers the rate.
    double change_after(double pressure_at_rest);
    /// Whether the growing gas has reached the goal.
    bool ends_growth(double pressure_of_growth) const {
        return pressure_of_growth >= (num_rests_ == 0 ? 1 : most_excess) * pressure_;
    }
    /// The rate in the next phase of growth.
    double rate() const { return rate_; }
    std::uint64_t num_rests() const { return num_rests_; }
    /// Whether as many contacts per particle, or rests, are in vain.
    bool gives_up(double contacts_per_particle) const;

  private:
    /// The pressure of growth over the goal at which a phase ends early, after the first rest.
    static constexpr double most_excess = 1.25;

    double pressure_, rate_, slowest_;
    double most_contacts_;
    std::uint64_t num_rests_ = 0;
};

}  // namespace ricochet
