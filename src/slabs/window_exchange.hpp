// SPDX-License-Identifier: BSD-3-Clause
//
// How the ranks resolve one sub-window together: in rounds, until no rank has news for another.
//
// In each round a rank runs its islands. For each neighbour it lists the boundary events: contacts of particles
// that the neighbour has, with partners that it has not. Lists that have changed are sent. The
// engine applies what comes, to copies and owned particles alike, and runs again what that changes. One
// reduction per round says what some rank has found (window_verdict.hpp).
//
// A fixed point is right. Take the earliest wrong event in any local set. A partner inside the set was right
// before it. The events of a partner outside came from a rank that has both and was right before it. So the
// event cannot be wrong. The fixed point is reached, because the first error moves later in every round.
//
// With the events travel bounds on how far paths lead beyond the faces. From them follows whether the halo was
// wide enough, and where they leave that open, the paths themselves are compared (halo.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/boundary_event.hpp"
#include "parallel/slabs.hpp"
#include "ricochet/core/phase_clock.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/slabs/step_statistics.hpp"
#include "slabs/halo.hpp"
#include "slabs/window_verdict.hpp"

namespace ricochet {

/// The bytes that neighbours send each other in a round: for each boundary event, where no rule changes matter, and for
/// the bounds.
inline constexpr std::size_t bytes_of_boundary_event = event_bytes(false),
                             bytes_of_bounds = sizeof(FaceBounds);

/// What all sub-windows of a step have in common. Refers to the caller's objects.
struct WindowSetting {
    const Box& box;
    const SlabDecomposition& slabs;
    const HaloMap& halo;
    const Coverage& coverage;
    double largest_extent;  ///< of all particles, at the start of the step: radius + displacement
};

class WindowExchange {
  public:
    /// Keeps references to all arguments.
    WindowExchange(Exchange& exchange, StepEngine& engine, PhaseClock& clock)
        : exchange_(exchange), engine_(engine), clock_(clock) {}

    /// Brings the open sub-window to its end, halved where it is too much for some rank. Returns what the
    /// ranks have found; that may forbid to commit the window. Counts in `statistics`. Collective.
    WindowVerdict settle(StepWindow& window, const WindowSetting& setting, SlabStepStatistics& statistics);

    /// Whether contacts have made a particle of some rank so fast that the box is too small for it.
    /// Collective.
    bool some_rank_has_outgrown_images(const StepWindow& window, const WindowSetting& setting);

  private:
    WindowVerdict settle_rounds(StepWindow& window, const WindowSetting& setting,
                                SlabStepStatistics& statistics);
    bool is_to_be_halved(const WindowVerdict& verdict, const StepWindow& window, const WindowSetting& setting,
                         int num_cuts);
    WindowVerdict agree(const StepWindow& window, const WindowSetting& setting, bool is_resolved,
                        SlabStepStatistics& statistics);
    bool resolve(StepWindow& window, Phase phase);
    bool exchange_events(StepWindow& window, const WindowSetting& setting, SlabStepStatistics& statistics);
    bool has_news() const;
    bool has_missed_contacts(const WindowSetting& setting);

    Exchange& exchange_;
    StepEngine& engine_;
    PhaseClock& clock_;
    std::vector<std::vector<BoundaryEvent>> collected_, sent_;  ///< per neighbour, of the open sub-window
    std::vector<FaceBounds> sent_bounds_, received_bounds_;     ///< per neighbour, with the lists of events
    std::vector<Bytes> outgoing_, incoming_;                    ///< kept for their memory
};

/// The vector for which has_nearest_images must hold, when some particles reach as far as `extent` after a
/// contact and no other farther than `others`. Along some axis every image but the nearest is half a box length
/// away. A pair that reaches less far along that axis cannot touch through it.
Vec3 extents_of_two(Vec3 extent, double others);

}  // namespace ricochet
