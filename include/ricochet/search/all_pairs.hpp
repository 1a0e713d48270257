// SPDX-License-Identifier: BSD-3-Clause
//
// The reference search: every ball is held against every other (the "naive algorithm" of Johnson & Whalley
// 2002, section 3). O(N^2) per step, no cells: nothing that could be wrong, and all
// other searches are tested against it.
#pragma once

#include <algorithm>
#include <numeric>

#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

class AllPairs {
  public:
    explicit AllPairs(const Box& box)
        : images_(box), slack_(ball_slack(box)), most_reach_(reach_of_box(box)) {}

    void build(std::span<SweptBall> balls, SearchDomain) {
        balls_ = balls;
        order_.resize(balls.size());
        std::iota(order_.begin(), order_.end(), 0u);
    }

    std::span<const std::uint32_t> order() const { return order_; }

    void collect_pairs(CandidatePairs& pairs) const {
        for (Slot slot = 0; slot < order_.size(); ++slot) {
            for (Slot other = slot + 1; other < order_.size(); ++other) {
                if (do_meet(balls_[slot], balls_[other])) pairs.add(slot, other);
            }
        }
    }

    bool outgrows(Slot slot, const PathPart& path, double radius) const {
        return reach_needed(slot, path, radius) > static_cast<double>(balls_[slot].reach);
    }

    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) {
        SweptBall& ball = balls_[slot];
        ball = swept_ball(ball.midpoint(), reach_needed(slot, path, radius) + slack_);
        for (Slot other = 0; other < order_.size(); ++other) {
            if (do_meet(ball, balls_[other])) found.push_back(other);
        }
    }

  private:
    double reach_needed(Slot slot, const PathPart& path, double radius) const {
        return std::min(distance_reached(balls_[slot], path, images_) + radius + slack_, most_reach_);
    }
    double distance(Vec3 a, Vec3 b) const { return norm(minimum_image(a - b, images_)); }
    bool do_meet(const SweptBall& a, const SweptBall& b) const {
        return distance(a.midpoint(), b.midpoint()) <=
               static_cast<double>(a.reach) + static_cast<double>(b.reach) + slack_;
    }

    ImageLengths images_;
    double slack_;  ///< far more than the rounding of a midpoint or a distance
    double most_reach_;
    std::span<SweptBall> balls_;
    std::vector<std::uint32_t> order_;
};
static_assert(BroadPhase<AllPairs>);

}  // namespace ricochet
