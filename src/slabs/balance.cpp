// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/balance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace ricochet {
namespace {

/// One step in this many is measured: odd, so that what happens in every second or eighth step is seen too.
constexpr std::uint64_t measured_every = 7;

/// The cost of one check in nanoseconds, its increment per rank, and the largest share of run time it may take.
constexpr double check_nanoseconds = 20e3, check_nanoseconds_per_rank = 100, affordable_part = 0.005;

/// Another owner costs a particle about as much time as this many steps.
constexpr double steps_per_migration = 5;
/// A gain that is worth the trouble, in mean work.
constexpr double least_gain = 0.01;

/// Beyond this imbalance noise does not matter; below it, cuts go only this part of the way.
constexpr double clear_imbalance = 1.25, cautious_share = 0.7;
constexpr double least_trust = 1.0 / 16;

/// Slabs are at least this many halo widths thick: the halo's width changes from step to step.
constexpr double halo_widths_per_slab = 1.2;

double mean(const std::vector<std::int64_t>& values) {
    return static_cast<double>(std::accumulate(values.begin(), values.end(), std::int64_t{0})) /
           static_cast<double>(values.size());
}

double largest(const std::vector<std::int64_t>& values) {
    return static_cast<double>(*std::max_element(values.begin(), values.end()));
}

/// The most work that changes hands at any face when the slabs' shares change from one list to the other.
double largest_flow(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after) {
    std::int64_t flow = 0, most = 0;
    for (std::size_t r = 0; r < before.size(); ++r) {
        flow += after[r] - before[r];
        most = std::max(most, std::abs(flow));
    }
    return static_cast<double>(most);
}

}  // namespace

Balancer::Balancer(Exchange& exchange, SliceGrid grid, BalanceOptions options)
    : meter_(exchange),
      grid_(std::move(grid)),
      options_(options),
      cuts_(even_cuts(grid_.num_slices(), exchange.size())),
      slabs_(SlabDecomposition::even(grid_, exchange.size())),
      interval_(options.shortest_interval) {
    options_.has_moving_cuts = options.has_moving_cuts && exchange.size() > 1;
}

void Balancer::start(const Particles& particles, double halo_width) {
    if (!options_.has_moving_cuts) return;
    const CostProfile profile(grid_, particles, static_cast<std::int64_t>(particles.size()));
    const Cuts ideal = cuts_of_equal_cost(meter_, profile, grid_.num_slices(), meter_.size());
    take(with_thickness(ideal, least_slices(halo_width)));
}

bool Balancer::measures_next() const {
    return options_.has_moving_cuts && num_steps_ % measured_every == measured_every - 1;
}

bool Balancer::end_step(const Particles& owned, std::optional<double> work, double halo_width) {
    if (!options_.has_moving_cuts) return false;
    ++num_steps_;
    if (work) {
        work_ += *work;
        ++num_measured_;
    }
    if (num_steps_ < interval_ || num_measured_ == 0) return false;
    const bool has_moved = check(owned, halo_width);
    num_steps_ = num_measured_ = 0;
    work_ = 0;
    return has_moved;
}

/// Whether the cuts have moved.
bool Balancer::check(const Particles& owned, double halo_width) {
    const std::vector<std::int64_t> work = work_of_ranks();
    const double mean_work = mean(work);
    if (mean_work <= 0) return false;
    const double imbalance = largest(work) / mean_work;
    if (statistics_.num_checks++ == 0) statistics_.first_imbalance = imbalance;
    statistics_.latest_imbalance = imbalance;

    if (excess_moved_from_ > 0) rate_move(imbalance - 1);
    const bool has_moved = imbalance > 1 + options_.tolerance && move(owned, halo_width, work);
    excess_moved_from_ = has_moved ? imbalance - 1 : 0;
    const std::uint64_t next = has_moved && trust_ == 1 ? options_.shortest_interval : 2 * interval_;
    interval_ = std::min(std::max(next, affordable_interval(mean_work)), options_.longest_interval);
    return has_moved;
}

/// Costs that are very uneven within slabs make cuts swing to and fro, each time past the right place. Then the
/// next moves go half as far.
void Balancer::rate_move(double excess) {
    const bool has_helped = excess < 0.8 * excess_moved_from_;
    trust_ = std::clamp(has_helped ? 2 * trust_ : 0.5 * trust_, least_trust, 1.0);
}

std::uint64_t Balancer::affordable_interval(double mean_work) const {
    const double cost = check_nanoseconds + check_nanoseconds_per_rank * meter_.size();
    const double most = static_cast<double>(options_.longest_interval);
    return static_cast<std::uint64_t>(std::min(cost / (affordable_part * mean_work), most));
}

/// The work of each rank in one step, in nanoseconds.
std::vector<std::int64_t> Balancer::work_of_ranks() {
    std::vector<std::int64_t> work(static_cast<std::size_t>(meter_.size()), 0);
    work[static_cast<std::size_t>(meter_.rank())] =
        std::llround(1e9 * work_ / static_cast<double>(num_measured_));
    meter_.sum(work);
    return work;
}

bool Balancer::move(const Particles& owned, double halo_width, const std::vector<std::int64_t>& work) {
    const CostProfile profile(grid_, owned, work[static_cast<std::size_t>(meter_.rank())]);
    const double imbalance = largest(work) / mean(work);
    const Cuts ideal = cuts_of_equal_cost(meter_, profile, grid_.num_slices(), meter_.size());
    const Cuts cuts = with_thickness(on_the_way_to(ideal, imbalance), least_slices(halo_width));
    const auto expected = cost_of_slabs(meter_, profile, cuts);
    const double gain = largest(work) - largest(expected);
    const double cost = steps_per_migration * largest_flow(work, expected);
    if (gain < least_gain * mean(work) || gain * static_cast<double>(interval_) < cost) return false;
    take(cuts);
    ++statistics_.num_moves;
    return true;
}

Cuts Balancer::on_the_way_to(const Cuts& ideal, double imbalance) const {
    const double share = trust_ * (imbalance > clear_imbalance ? 1 : cautious_share);
    Cuts cuts = cuts_;
    for (std::size_t k = 0; k < cuts.size(); ++k)
        cuts[k] += std::llround(share * static_cast<double>(ideal[k] - cuts[k]));
    return cuts;
}

std::int64_t Balancer::least_slices(double halo_width) const {
    if (meter_.size() < 3) return 1;
    const double slices = std::ceil(halo_widths_per_slab * halo_width / grid_.width());
    return static_cast<std::int64_t>(std::clamp(slices, 1.0, static_cast<double>(grid_.num_slices())));
}

void Balancer::take(Cuts cuts) {
    cuts_ = std::move(cuts);
    slabs_ = SlabDecomposition(grid_, cuts_);
}

}  // namespace ricochet
