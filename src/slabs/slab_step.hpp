// SPDX-License-Identifier: BSD-3-Clause
//
// One step of a system that is cut into slabs, with the same bits on any number of ranks. It does what
// resolve_step (engine/step_engine.hpp) does for one rank.
//
//   agree     on displacements, radii, sub-windows                 path_bounds.hpp, step_limits.hpp
//             where a pair might have two nearest images, only half of the step is done    step_part.hpp
//   migrate   by the midpoints of the paths                        migration.hpp
//   halo      copies of what lies above the upper face             halo.hpp
//   search    the engine's broad and narrow phase
//   windows   per sub-window: run islands and exchange boundary events until no rank has news; commit
//                                                                  window_exchange.hpp
//   finish    move to the end of the step, drop the copies
//
// Only the paths show whether the halo was wide enough, once contacts have bent them. If it was not, or if a
// sub-window does not settle in a few rounds, all ranks redo the step with a wider halo. At last the halo
// covers the whole box. The engine keeps the start of the step until the end.
//
// Invariants: cuts, halo and the number of sub-windows change the time, never a bit. All decisions on which
// the flow depends are reductions, so all ranks go the same way; ranks without particles join everything.
//
// Cost: one reduction at the start of the step, one per round of a sub-window, one more where paths are
// compared, which is rare. The first step asks once more for the number of sub-windows. Whether nearest
// images still hold after the contacts is a flag in the last sub-window's round.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "parallel/slabs.hpp"
#include "ricochet/core/phase_clock.hpp"
#include "ricochet/engine/contact_sink.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/time_span.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/slabs/step_statistics.hpp"
#include "slabs/excursion_factor.hpp"
#include "slabs/halo.hpp"
#include "slabs/path_bounds.hpp"
#include "slabs/step_limits.hpp"
#include "slabs/window_count.hpp"
#include "slabs/window_exchange.hpp"

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

class SlabStepper {
  public:
    /// Keeps references to exchange, engine and clock. All ranks pass the same box, slabs and options.
    SlabStepper(Exchange& exchange, StepEngine& engine, const Box& box, SlabDecomposition slabs,
                PhaseClock& clock, SlabStepOptions options = {});

    /// Does a step of length dt with the velocities as they are; in parts where it is too long for the box
    /// (step_part.hpp). By its number, `step`, random responses are drawn; messages name it.
    /// `owned`: this rank's particles at time 0, positions in the box. Afterwards it holds those whose paths
    /// had their midpoint in this slab, at the end of the step, without those that have ended. Before the first step
    /// they may be on any rank. `contacts` is given every contact on one rank: the lowest of those that have both
    /// partners. Collective. Throws RunError on all ranks, with the same sentence, when no part of the step is short
    /// enough for unique nearest images. Likewise when a particle reaches the contact cap in a part of it. After an
    /// error `owned` is in no defined state.
    void run(Particles& owned, std::uint64_t step, double dt, ContactSink& contacts);
    /// Lets all radii grow in steps from now on: at time t of a step they are 1 + rate t times those of the particles.
    /// Contacts are elastic. The caller changes the radii of the particles after each step. 0: no growth. All ranks
    /// must pass the same.
    /// Requires: rate >= 0; with rate > 0, rules only bounce, and the engine resolves steps in windows.
    void set_growth(double rate) { growth_ = rate; }
    /// The same, and keeps the contacts.
    void run(Particles& owned, std::uint64_t step, double dt) {
        kept_.clear();
        run(owned, step, dt, kept_);
    }

    /// What the latest step has kept; valid until the next.
    const std::vector<Contact>& contacts() const { return kept_.contacts(); }

    const SlabStepStatistics& statistics() const { return statistics_; }
    /// How many of this rank's particles have ended in the latest step.
    std::uint64_t num_ended_in_step() const { return num_ended_in_step_; }
    const SlabDecomposition& slabs() const { return slabs_; }
    /// Other cuts from the next step on. All ranks must pass the same.
    void set_slabs(SlabDecomposition slabs) { slabs_ = std::move(slabs); }
    /// The halo width of the largest particles in the latest step; the same on all ranks. 0 before the first.
    double halo_width() const { return halo_width_; }

  private:
    /// A step, or a part of one.
    struct Task {
        std::uint64_t step;
        TimeSpan span;
        bool ends_step;
        bool can_be_halved;
    };

    bool run_part(Particles& owned, const Task& task, ContactSink& contacts);
    bool agree_and_migrate(Particles& owned, const Task& task);
    WindowVerdict attempt(Particles& owned, const Task& task, ContactSink& contacts);
    void exchange_copies(Particles& local, TimeSpan span);
    void search(Particles& local, const Task& task, ContactDetail detail);
    WindowVerdict resolve_windows(double dt, ContactSink& contacts);
    void finish(Particles& local);

    void bound_paths(const Particles& owned, double dt, const FaceMargins& margins);
    StepWindow* first_window(std::uint64_t count);
    StepWindow* next_window(ContactSink& contacts);
    WindowSetting setting() const { return {box_, slabs_, halo_, coverage_, limits_.largest_extent}; }

    WindowVerdict reason_to_give_up(const WindowVerdict& verdict);
    void give_up(Particles& local, ContactSink& contacts);
    HaloReach wider(const WindowVerdict& verdict);
    [[noreturn]] void throw_cap(std::uint64_t step);
    void require_images(const Particles& owned, Vec3 extents) const;
    [[noreturn]] void throw_images(const Particles& owned);

    Exchange& exchange_;
    StepEngine& engine_;
    PhaseClock& clock_;
    Box box_;
    SlabDecomposition slabs_;

    // Learned from step to step.
    ExcursionFactor excursion_factor_;
    WindowCount window_count_;
    FaceMargins margins_;    ///< that the latest step needed
    double halo_width_ = 0;  ///< of the latest step
    double growth_ = 0;      ///< of radii, 1/time
    double grown_ = 0;       ///< in the step under way, as a part of the radii
    SlabStepStatistics statistics_;
    std::uint64_t num_ended_in_step_ = 0;
    ContactList kept_;

    // The state of the step under way.
    PathBounds path_bounds_;       ///< the list near the faces is kept up to date
    FaceMargins bounded_margins_;  ///< within which path_bounds_ lists all paths
    StepLimits limits_;
    HaloReach reach_;
    HaloMap halo_;
    Coverage coverage_;
    StepWindow* window_ = nullptr;  ///< the engine's, while one is open
    Vec3 max_extent_;               ///< StepWindow::max_extent when the latest attempt was given up
    LargestProduct largest_;        ///< where rules change radii, when the box was found too small
    WindowExchange windows_;
};

}  // namespace ricochet
