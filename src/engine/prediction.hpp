// SPDX-License-Identifier: BSD-3-Clause
//
// A contact that will happen if neither partner changes before.
//
// Every change gives a particle a new *stamp*. A prediction keeps the stamps that it was made with, and is
// stale when one differs.
//
// Invariant: stamps grow over the whole step, also across discarded runs, and are restored by a rollback. So
// predictions of a discarded state never come back to life, and those of the restored state are valid again.
#pragma once

#include <cstdint>

#include "engine/partner.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

struct Prediction {
    double time = 0;               ///< within the step
    std::uint32_t generation = 0;  ///< see ContactKey
    Slot a = 0;
    Partner b = Partner::particle(0);
    std::uint32_t stamp_a = 0;
    std::uint32_t stamp_b = 0;       ///< 0 unless b is a particle
    std::uint32_t remote_event = 0;  ///< its place among those of the window, where b says that it is one
};
static_assert(sizeof(Prediction) == 32);

/// A prediction that waits for a later window than the one it was made in: later than the contacts before, so
/// that its generation is 0.
struct WaitingContact {
    double time = 0;
    Slot a = 0;
    Partner b = Partner::particle(0);
    std::uint32_t stamp_a = 0;
    std::uint32_t stamp_b = 0;

    Prediction prediction() const { return {time, 0, a, b, stamp_a, stamp_b, 0}; }
};
static_assert(sizeof(WaitingContact) == 24);

/// A contact predicted at the start of the step, when no particle has changed: all stamps and generations
/// are 0. Half the size: there are more of these at one time than of all others.
struct InitialPrediction {
    double time = 0;
    Slot a = 0;
    Partner b = Partner::particle(0);

    WaitingContact waiting() const { return {time, a, b, 0, 0}; }
};
static_assert(sizeof(InitialPrediction) == 16);

}  // namespace ricochet
