// SPDX-License-Identifier: BSD-3-Clause
//
// Recipe: a search. It names the pairs whose bounding spheres overlap. This one compares all.
#include <gtest/gtest.h>

#include <numeric>

#include "search/candidate_pairs.hpp"
#include "tests/support/search_definition.hpp"

namespace {

using namespace ricochet;

class OfAllPairs final : public BroadPhase {
  public:
    explicit OfAllPairs(const Box& box) : BroadPhase(box) {}

    void build(std::span<BoundingSphere> spheres, SearchDomain /*domain*/) override {
        spheres_ = spheres;
        order_.resize(spheres.size());
        std::iota(order_.begin(), order_.end(), Slot{0});
    }
    std::span<const Slot> order() const override { return order_; }
    void collect_pairs(CandidatePairs& pairs) override {
        for (const Slot a : order_)
            for (Slot b = a + 1; b < order_.size(); ++b)
                if (overlap(a, b)) pairs.add(a, b);
    }
    void enlarge(Slot slot, const PathPart& path, double radius, std::vector<Slot>& found) override {
        BoundingSphere& sphere = spheres_[slot];
        sphere = bounding_sphere(sphere.midpoint(), reach_needed(sphere, path, radius));
        for (const Slot other : order_)
            if (overlap(slot, other)) found.push_back(other);
    }
    std::uint64_t num_compared() const override { return 0; }

  private:
    bool overlap(Slot a, Slot b) const {
        const Vec3 apart = minimum_image(spheres_[a].midpoint() - spheres_[b].midpoint(), images());
        return norm(apart) <= double{spheres_[a].reach} + double{spheres_[b].reach} + slack();
    }

    std::span<BoundingSphere> spheres_;
    std::vector<Slot> order_;
};

/// What every search must do. A registered one is asked this and much more by the tests that exist.
TEST(Recipe, Search) {
    test::HashRandom numbers(1);
    for (const test::Place& place : test::places()) {
        OfAllPairs search(place.box);
        test::Spheres spheres = test::random_spheres(place.box, 60, 0.1, 1, place.domain, numbers);
        test::expect_each_pair_once(search, place.box, spheres, place.domain);
        test::expect_whom_enlarged_ones_meet(search, place.box, spheres, 5, numbers);
    }
}

}  // namespace
