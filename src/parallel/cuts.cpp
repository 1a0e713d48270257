// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/cuts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

std::int64_t slice_of(double x, const SliceGrid& grid) {
    const auto slice = static_cast<std::int64_t>(x / grid.width());
    return std::clamp<std::int64_t>(slice, 0, grid.num_slices() - 1);
}

/// total * k / parts, without overflow.
std::int64_t share(std::int64_t total, std::int64_t k, std::int64_t parts) {
    return total / parts * k + total % parts * k / parts;
}

std::int64_t sum_over_ranks(Exchange& exchange, std::int64_t mine) {
    exchange.sum(std::span(&mine, 1));
    return mine;
}

/// An inner cut lies between two slice faces: the cost below the one is less than the target, below the other
/// more.
struct Bracket {
    std::int64_t low = 0, high = 0;
    std::int64_t below_low = 0, below_high = 0;
    std::int64_t wanted = 0;

    bool is_open() const { return high - low > 1; }
    std::int64_t middle() const { return low + (high - low) / 2; }
    void narrow(std::int64_t below_middle) {
        const std::int64_t face = middle();
        (below_middle < wanted ? low : high) = face;
        (below_middle < wanted ? below_low : below_high) = below_middle;
    }
    std::int64_t nearest() const { return wanted - below_low < below_high - wanted ? low : high; }
};

}  // namespace

CostProfile::CostProfile(const SliceGrid& grid, const Particles& owned, std::int64_t cost) : cost_(cost) {
    RICOCHET_CHECK_GE(cost, 0);
    if (owned.size() == 0) return;
    std::int64_t last = 0;
    first_slice_ = grid.num_slices() - 1;
    for (const Motion& motion : owned.motion) {
        const std::int64_t slice = slice_of(motion.position.x, grid);
        first_slice_ = std::min(first_slice_, slice);
        last = std::max(last, slice);
    }
    num_until_.assign(static_cast<std::size_t>(last - first_slice_) + 1, 0);
    for (const Motion& motion : owned.motion)
        ++num_until_[static_cast<std::size_t>(slice_of(motion.position.x, grid) - first_slice_)];
    std::partial_sum(num_until_.begin(), num_until_.end(), num_until_.begin());
}

std::int64_t CostProfile::below(std::int64_t cut) const {
    if (num_until_.empty() || cut <= first_slice_) return 0;
    const auto last = std::min(static_cast<std::size_t>(cut - first_slice_), num_until_.size()) - 1;
    if (last + 1 == num_until_.size()) return cost_;
    const double part = static_cast<double>(num_until_[last]) / static_cast<double>(num_until_.back());
    return std::llround(static_cast<double>(cost_) * part);
}

Cuts cuts_of_equal_cost(Exchange& exchange, const CostProfile& profile, std::int64_t num_slices,
                        int num_slabs) {
    RICOCHET_CHECK_GE(num_slabs, 1);
    const std::int64_t total = sum_over_ranks(exchange, profile.below(num_slices));
    if (total == 0) return even_cuts(num_slices, num_slabs);
    std::vector<Bracket> brackets;
    for (int k = 1; k < num_slabs; ++k)
        brackets.push_back({0, num_slices, 0, total, share(total, k, num_slabs)});
    std::vector<std::int64_t> below(brackets.size());
    const auto is_open = [](const Bracket& bracket) { return bracket.is_open(); };
    while (std::any_of(brackets.begin(), brackets.end(), is_open)) {
        for (std::size_t k = 0; k < brackets.size(); ++k) below[k] = profile.below(brackets[k].middle());
        exchange.sum(below);
        for (std::size_t k = 0; k < brackets.size(); ++k)
            if (brackets[k].is_open()) brackets[k].narrow(below[k]);
    }
    Cuts cuts{0};
    for (const Bracket& bracket : brackets) cuts.push_back(bracket.nearest());
    cuts.push_back(num_slices);
    return cuts;
}

Cuts with_thickness(Cuts cuts, std::int64_t smallest) {
    RICOCHET_CHECK_GE(cuts.size(), 2);
    const auto num_slabs = std::ssize(cuts) - 1;
    const std::int64_t least = std::clamp<std::int64_t>(smallest, 1, cuts.back() / num_slabs);
    for (std::size_t k = 1; k + 1 < cuts.size(); ++k) cuts[k] = std::max(cuts[k], cuts[k - 1] + least);
    for (std::size_t k = cuts.size() - 2; k > 0; --k) cuts[k] = std::min(cuts[k], cuts[k + 1] - least);
    return cuts;
}

std::vector<std::int64_t> cost_of_slabs(Exchange& exchange, const CostProfile& profile,
                                        std::span<const std::int64_t> cuts) {
    std::vector<std::int64_t> costs;
    for (std::size_t r = 0; r + 1 < cuts.size(); ++r)
        costs.push_back(profile.below(cuts[r + 1]) - profile.below(cuts[r]));
    exchange.sum(costs);
    return costs;
}

}  // namespace ricochet
