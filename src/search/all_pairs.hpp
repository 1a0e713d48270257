// SPDX-License-Identifier: BSD-3-Clause
//
// The reference search: every sphere is compared with every other (the "naive algorithm" of Johnson & Whalley
// 2002, section 3). It has no cells that could be wrong, and all other searches are tested against it. Cost:
// O(N^2) per step.
#pragma once

#include <algorithm>
#include <numeric>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

class AllPairs final : public BroadPhase {
  public:
    explicit AllPairs(const Box& box) : BroadPhase(box) {}

    void build(std::span<BoundingSphere> spheres, SearchDomain domain) override {
        RICOCHET_CHECK_GT(domain.width, 0);
        spheres_ = spheres;
        order_.resize(spheres.size());
        std::iota(order_.begin(), order_.end(), 0u);
    }

    std::span<const Slot> order() const override { return order_; }
    std::size_t memory_bytes() const override { return bytes_of(order_); }
    std::uint64_t num_compared() const override { return num_compared_; }

    void collect_pairs(CandidatePairs& pairs) override {
        for (Slot slot = 0; slot < order_.size(); ++slot) {
            num_compared_ += order_.size() - slot - 1;
            for (Slot other = slot + 1; other < order_.size(); ++other) {
                if (overlap(spheres_[slot], spheres_[other])) pairs.add(slot, other);
            }
        }
    }

    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) override {
        RICOCHET_DCHECK_LT(slot, spheres_.size());
        BoundingSphere& sphere = spheres_[slot];
        sphere = bounding_sphere(sphere.midpoint(), reach_needed(sphere, path, radius));
        num_compared_ += order_.size();
        for (Slot other = 0; other < order_.size(); ++other) {
            if (overlap(sphere, spheres_[other])) found.push_back(other);
        }
    }

  private:
    double distance(Vec3 a, Vec3 b) const { return norm(minimum_image(a - b, images())); }
    bool overlap(const BoundingSphere& a, const BoundingSphere& b) const {
        return distance(a.midpoint(), b.midpoint()) <=
               static_cast<double>(a.reach) + static_cast<double>(b.reach) + slack();
    }

    std::span<BoundingSphere> spheres_;
    std::vector<std::uint32_t> order_;
    std::uint64_t num_compared_ = 0;
};

}  // namespace ricochet
