// SPDX-License-Identifier: BSD-3-Clause
//
// The reference search: every particle is a candidate of every other (the "naive algorithm" of Johnson &
// Whalley 2002, section 3). O(N^2) per step; it has nothing that could be wrong, and all other searches are
// tested against it.
#pragma once

#include <numeric>

#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class AllPairs {
  public:
    explicit AllPairs(const Box& box) : images_(box) {}

    void build(std::span<const SweptBall> balls, SearchDomain) {
        midpoints_.clear();
        for (const SweptBall& ball : balls) midpoints_.push_back(ball.midpoint);
        order_.resize(balls.size());
        std::iota(order_.begin(), order_.end(), 0u);
    }

    std::span<const std::uint32_t> order() const { return order_; }

    void collect(Vec3, double, Slot first, std::vector<Slot>& found) const {
        for (Slot slot = first; slot < order_.size(); ++slot) found.push_back(slot);
    }

    double cover(Slot slot, Vec3 end, double) {
        constexpr double rounding = 1 + 1e-12;
        return rounding * norm(minimum_image(end - midpoints_[slot], images_));
    }

  private:
    ImageLengths images_;
    std::vector<Vec3> midpoints_;
    std::vector<std::uint32_t> order_;
};
static_assert(BroadPhase<AllPairs>);

}  // namespace ricochet
