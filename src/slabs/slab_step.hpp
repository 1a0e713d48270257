// SPDX-License-Identifier: BSD-3-Clause
//
// One step of a system that is cut into slabs: what resolve_step (engine/step_engine.hpp) is for one rank,
// with the same bits on any number of them.
//
//   look at all paths                                              path_bounds.hpp
//   agree on displacements, radii, sub-windows                     step_limits.hpp
//   where a pair might have two nearest images: do half of it      step_part.hpp
//   migrate by the midpoints of the paths                          migration.hpp
//   halo: one contact reach in midpoint space                      halo.hpp
//   engine.begin_step
//   per sub-window: run the islands; send each neighbour the boundary events (contacts of particles that it
//       has, with partners that it has not); impose what comes, on copies and owned particles alike; run what
//       that changed; until the list of no rank differs from the one it sent; commit
//   engine.end_step, drop the copies
//
// A fixed point of the exchange is right: the earliest wrong event of any local set would have to have a
// wrong cause, but its partners inside the set were right before it, and the events with those outside came
// from a rank that has both and was right before it. It is reached because the first error moves later in
// every round. How many there are: halo.hpp.
//
// Whether the halo was wide enough is only known once contacts have bent the paths (halo.hpp): from how far
// the paths lead beyond the faces, which goes with the lists; and where that leaves it open, from bounding
// spheres around the few paths in question, once, at the end of the step. If two that some rank does not know
// may have touched, all ranks give the step up and do it again from its start, which the engine leaves
// untouched, with a wider halo; and likewise when a sub-window does not settle in a few rounds, up to a halo
// that covers the whole box.
//
// Collectives: one reduction at the start of the step, one with flags per round of a sub-window, and one more
// in the rare steps in which bounding spheres are compared; nothing else. The number of sub-windows follows
// from what was predicted in the step before (the first step of a stepper asks once more). That nearest
// images still hold at the speeds after the contacts is a flag in the last sub-window's round: exact, since
// it does not hold for all ranks together just when it does not for one.
//
// Whatever is chosen here (cuts, halo factor, number of sub-windows) changes the time, never a bit. All
// decisions on which the flow depends are reductions, so that all ranks go the same way; ranks without
// particles join everything.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/boundary_event.hpp"
#include "parallel/slabs.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/time_span.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/slabs/step_statistics.hpp"
#include "slabs/halo.hpp"
#include "slabs/path_bounds.hpp"

namespace ricochet {

struct SlabStepOptions {
    /// Halo: paths may leave their midpoints by this times the largest displacement without any question.
    /// Where a run begins; from then on the factor follows what the paths do.
    double excursion_factor = 0.5;
    /// Sub-windows are chosen to hold this many expected contacts per particle of the densest slab, and more
    /// on several ranks (adapted_to_ranks).
    double contacts_per_window = 0.05;
    /// Fixes the number of sub-windows instead (0: chosen).
    std::uint64_t num_windows = 0;
};

/// What contacts_per_window becomes on so many ranks: every sub-window of several ends with a wait for the
/// one that took longest in it. Measured on 2 ranks, 0.6 to 0.75 contacts of each particle per step, against
/// 1.4 times as long as on one rank. Twice: at half a million particles each 0 to 3 % less work and fewer
/// waits on a calm machine, no difference on one whose cores wander in speed, where the waiting is the same
/// with 3 to 19 sub-windows; at 50,000 each 2 to 4 % more at a volume fraction of 0.3, 0 to 2 % at 0.1,
/// perhaps because the islands of a sub-window outgrow a cache of 512 kB. As long as on one rank: the same
/// within 3 %. Three times: up to 7 % more than twice; six times: 7 to 12 %.
double adapted_to_ranks(double contacts_per_window, int num_ranks);

struct WindowVerdict;

class SlabStepper {
  public:
    /// Keeps references to exchange and engine. All ranks pass the same box, slabs and options.
    SlabStepper(Exchange& exchange, StepEngine& engine, const Box& box, SlabDecomposition slabs,
                SlabStepOptions options = {});

    /// Does step number `step` (used in messages only) of length dt with the velocities as they are, in parts
    /// where it is too long for the box (step_part.hpp).
    /// `owned`: this rank's particles at time 0, positions in the box; afterwards those whose paths had their
    /// midpoint in this slab, at the end of the step. Before the first step particles may be on any rank.
    /// Collective. Throws RunError on all ranks, with the same sentence, when no part of a step is short
    /// enough for unique nearest images. Likewise when a particle reaches the contact cap in a step or a part
    /// of one. After an error `owned` is in no defined state. `contacts` is given every contact on one rank:
    /// the lowest of those that have both partners.
    void run(Particles& owned, std::uint64_t step, double dt, ContactSink& contacts);
    /// The same, and keeps the contacts.
    void run(Particles& owned, std::uint64_t step, double dt) {
        kept_.clear();
        run(owned, step, dt, kept_);
    }

    /// What the latest step has kept; valid until the next.
    const std::vector<Contact>& contacts() const { return kept_.contacts(); }

    const SlabStepStatistics& statistics() const { return statistics_; }
    const SlabDecomposition& slabs() const { return slabs_; }
    /// Other cuts from the next step on. All ranks must pass the same.
    void set_slabs(SlabDecomposition slabs) { slabs_ = std::move(slabs); }
    /// Of the largest particles in the latest step; the same on all ranks. 0 before the first.
    double halo_width() const { return halo_width_; }

  private:
    struct Reach {
        HaloReach halo;
        double max_displacement;  ///< of all particles, at the start of the step
        double largest_extent;    ///< of all particles, at the start of the step: radius + displacement
        double window_rate;       ///< sub-windows per time, the largest wish of the ranks
    };

    bool run_part(Particles& owned, std::uint64_t step, TimeSpan span, bool can_be_halved,
                  ContactSink& contacts);
    std::optional<Reach> migrate_for(Particles& owned, double dt, bool can_be_halved);
    void path_bounds(const Particles& owned, double dt, const FaceMargins& margins);
    WindowVerdict try_part(Particles& owned, std::uint64_t step, TimeSpan span, const Reach& reach,
                           ContactSink& contacts);
    WindowVerdict reason_to_give_up(const WindowVerdict& verdict, const Reach& reach);
    bool has_outgrown_images(const Reach& reach) const;
    bool some_rank_has_outgrown_images(const Reach& reach);
    void begin(Particles& local, TimeSpan span, const Reach& reach, ContactDetail detail);
    ContactForecast search(Particles& local, TimeSpan span, const Reach& reach, ContactDetail detail);
    void plan_windows(double dt, double agreed_rate);
    std::uint64_t num_windows(double dt, double agreed_rate) const;
    WindowVerdict settle_window(const Reach& reach);
    bool is_to_be_halved(const WindowVerdict& verdict, const Reach& reach, int num_cuts);
    bool open_window();
    void close_window(ContactSink& contacts);
    WindowVerdict settle_rounds(const Reach& reach);
    WindowVerdict agree(const Reach& reach);
    bool has_news() const;
    bool is_to_be_verified(const WindowVerdict& verdict) const;
    bool has_missed_contacts();
    void collect(double& seconds);
    bool exchange_events();
    [[noreturn]] void throw_cap(std::uint64_t step);
    Reach wider(const Reach& reach, const WindowVerdict& verdict);
    void adapt_factor(bool has_escaped_now, bool was_verified);
    [[noreturn]] void throw_images(const Particles& owned, const Reach& reach);
    void finish(Particles& local);

    Exchange& exchange_;
    StepEngine& engine_;
    Box box_;
    SlabDecomposition slabs_;
    SlabStepOptions options_;
    double excursion_factor_;  ///< adapted from step to step
    double window_rate_ = -1;  ///< wished for here, by what the latest step predicted; -1 before it
    double halo_width_ = 0;    ///< of the latest step
    PathBounds path_bounds_;   ///< of this step, the list near the faces kept up to date
    FaceMargins bounded_margins_;
    FaceMargins margins_;  ///< that the latest step needed
    SlabStepStatistics statistics_;
    ContactList kept_;

    HaloMap halo_;
    Coverage coverage_;             ///< of the attempt under way
    StepWindow* window_ = nullptr;  ///< the engine's, while one is open
    bool is_resolved_ = false;      ///< the open sub-window is not too much for this rank
    Vec3 max_extent_;               ///< StepWindow::max_extent when the latest attempt was given up
    std::vector<std::vector<BoundaryEvent>> collected_, sent_;  ///< per neighbour, of the open sub-window
    std::vector<FaceBounds> sent_bounds_, received_bounds_;     ///< per neighbour, with the lists of events
    std::vector<Bytes> outgoing_, incoming_;                    ///< kept for their memory
};

}  // namespace ricochet
