// SPDX-License-Identifier: BSD-3-Clause
//
// How many sub-windows a step is divided into. The number changes the time of a step, never a bit.
//
// A sub-window is to hold a given number of contacts per particle of the densest slab, and not too many of the
// busiest particle. Around a giant among small ones, contacts of other islands turn out to be of its own again and
// again. Each time its island begins anew at the sub-window's start. So the time for these grows as the square of
// the sub-window.
//
// At the start of a step each rank predicts its contacts. From them follows the rate of sub-windows that it wishes
// for in the next step. There the ranks agree on the largest wish (step_limits.hpp). The first step has no wish yet,
// and the ranks agree once more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ricochet/engine/step_engine.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The contacts per particle and sub-window on this number of ranks. On several ranks every sub-window ends with a wait
/// for the slowest of them, so sub-windows are longer there (note 34 of tests/bench/notes.md).
double adapted_to_ranks(double contacts_per_window, int num_ranks);

class WindowCount {
  public:
    /// `fixed`: the number in every step; 0: chosen.
    WindowCount(double contacts_per_window, std::uint64_t fixed, int num_ranks)
        : contacts_per_window_(adapted_to_ranks(contacts_per_window, num_ranks)), fixed_(fixed) {}

    /// Sub-windows per time that this rank wishes for; negative before the first step.
    double wished_rate() const { return wished_rate_; }
    /// Takes the contacts that the engine predicts for the owned particles.
    void note(const ContactForecast& forecast, std::size_t num_owned);
    /// The number of sub-windows in a step of length dt, for which the ranks have agreed on a rate. Collective where
    /// that is negative.
    std::uint64_t in_step(Exchange& exchange, double dt, double agreed_rate) const;

  private:
    double contacts_per_window_;
    std::uint64_t fixed_;
    double wished_rate_ = -1;
};

}  // namespace ricochet
