// SPDX-License-Identifier: BSD-3-Clause
//
// Moving cuts: the faces of the slabs go where all ranks work for the same time.
//
// At the start nothing has been measured, and every slab gets equally many particles. No rank ever holds more
// than its share then, even when all particles are in a corner of the box. Later, again and again:
//   measure   the work of every seventh step (work_meter.hpp), since reading the clock is not free
//   check     after 32 steps, later after up to 1024. One sum of P integers tells all ranks what each works
//             per step. The most loaded one decides the time of all: imbalance = largest / mean
//   move      where the imbalance exceeds 1.05. The measured work is cut into equal parts (cuts.hpp). Near
//             the goal the cuts go a part of the way only, so that noise does not make them dance. They stay
//             where the gain until the next check is less than the cost of moving the particles
// A check that finds nothing to do doubles the time to the next. So does a move that did not help, and the
// next move goes half as far. So cuts soon rest where balance is impossible, as when one slice costs most.
//
// The work of a rank is spread over its own particles, though a part of it is due to its halo. A slab with
// much halo then looks more expensive per particle than it is, and its cuts go a little too short a way. The
// next check does the rest: cuts converge from one side and do not swing.
//
// Invariants: what is measured differs from run to run, and so do the cuts, but no bit of a result. Particles
// follow the cuts in the next step's migration. All decisions follow from sums over the ranks, so that all
// ranks make the same. With three and more ranks no slab is made thinner than 1.2 halo widths, as long as
// there is room.
//
// Disadvantage: cuts are planes across the box. Unevenness along y and z within every slice needs no balance.
// But a system that is thin along x cannot be cut into many slabs, however they move.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "parallel/cuts.hpp"
#include "parallel/slabs.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/slabs/step_statistics.hpp"
#include "slabs/slab_step.hpp"
#include "slabs/work_meter.hpp"

namespace ricochet {

struct BalanceOptions {
    bool has_moving_cuts = true;           ///< false: even slabs, for ever
    double tolerance = 0.05;               ///< an imbalance of 1 + this is left alone
    std::uint64_t shortest_interval = 32;  ///< steps between two checks
    std::uint64_t longest_interval = 1024;
};

class Balancer {
  public:
    /// Keeps a reference to the exchange. All ranks pass the same.
    Balancer(Exchange& exchange, SliceGrid grid, BalanceOptions options = {});

    /// The exchange that must be used in steps, so that waiting does not count as work.
    WorkMeter& exchange() { return meter_; }
    const SlabDecomposition& slabs() const { return slabs_; }
    const BalanceStatistics& statistics() const { return statistics_; }

    /// Cuts the box for particles that may be on any rank. `halo_width`: as expected; at least so thick are
    /// slabs where possible. Collective.
    void start(const Particles& particles, double halo_width);

    /// Does `work()`: a step, with all that a rank does in it for its own particles. Measures it where that is
    /// due, and gives the stepper other cuts where that pays. Collective.
    template <class Work>
    void step(SlabStepper& stepper, const Particles& owned, Work&& work) {
        const bool is_measured = measures_next();
        if (is_measured) meter_.start();
        std::forward<Work>(work)();
        if (end_step(owned, is_measured ? std::optional(meter_.stop()) : std::nullopt, stepper.halo_width()))
            stepper.set_slabs(slabs_);
    }

    /// Whether the next step should be measured. Local.
    bool measures_next() const;
    /// Notes a step and the seconds (or any other unit that all ranks use) that this rank worked in it, where
    /// they were measured. True when slabs() has changed. Collective.
    bool end_step(const Particles& owned, std::optional<double> work, double halo_width);

  private:
    bool check(const Particles& owned, double halo_width);
    std::vector<std::int64_t> work_of_ranks();
    void rate_move(double excess);
    std::uint64_t affordable_interval(double mean_work) const;
    bool move(const Particles& owned, double halo_width, const std::vector<std::int64_t>& work);
    Cuts on_the_way_to(const Cuts& ideal, double imbalance) const;
    std::int64_t least_slices(double halo_width) const;
    void take(Cuts cuts);

    WorkMeter meter_;
    SliceGrid grid_;
    BalanceOptions options_;
    Cuts cuts_;
    SlabDecomposition slabs_;
    BalanceStatistics statistics_;
    std::uint64_t interval_;
    std::uint64_t num_steps_ = 0;     ///< since the latest check
    std::uint64_t num_measured_ = 0;  ///< of them
    double work_ = 0;                 ///< in those
    double excess_moved_from_ = 0;    ///< imbalance - 1 that the latest check acted on; 0: it did not
    double trust_ = 1;                ///< part of the way to the ideal cuts that moves go
};

}  // namespace ricochet
