// SPDX-License-Identifier: BSD-3-Clause
//
// Lists that outlast the step, against the definition: whatever happens to the slots between two builds, all pairs
// of spheres that meet are named once, and all that an enlarged sphere touches.
#include "search/verlet_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using Pair = std::pair<Slot, Slot>;

/// Spheres that move a little from build to build, with a record of what the search says of them.
class MovingSpheres {
  public:
    MovingSpheres(const Box& box, std::size_t count, double step, std::uint64_t seed, SearchDomain domain)
        : box_(box), domain_(domain), step_(step), random_(seed) {
        while (spheres_.size() < count) spheres_.push_back(anywhere());
    }

    std::size_t size() const { return spheres_.size(); }
    test::HashRandom& random() { return random_; }

    void append(Vec3 at, double reach) { spheres_.push_back(bounding_sphere(at, reach)); }
    std::vector<BoundingSphere> take_last(std::size_t count) {
        std::vector<BoundingSphere> last(spheres_.end() - static_cast<std::ptrdiff_t>(count), spheres_.end());
        spheres_.resize(spheres_.size() - count);
        return last;
    }
    void shift(Slot slot, Vec3 by) {
        const BoundingSphere before = spheres_[slot];
        spheres_[slot] =
            bounding_sphere(in_domain(before.midpoint() + by), static_cast<double>(before.reach));
    }
    void move() {
        for (BoundingSphere& sphere : spheres_) {
            Vec3 at = sphere.midpoint();
            for (int axis = 0; axis < box_.dimension; ++axis) at[axis] += step_ * (2 * random_.uniform() - 1);
            sphere = bounding_sphere(in_domain(at), 0.5 + step_ * random_.uniform());
        }
    }
    /// As particles come and go: the last ones fill gaps, or new ones are appended.
    void replace_some(std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            const auto slot = static_cast<std::size_t>(random_.uniform() * static_cast<double>(size()));
            const double chance = random_.uniform();
            if (chance < 0.4) spheres_.push_back(anywhere());
            if (chance > 0.6 && size() > 1) {
                spheres_[slot] = spheres_.back();
                spheres_.pop_back();
            }
            if (chance >= 0.4 && chance <= 0.6) spheres_[slot] = anywhere();
        }
    }
    /// As copies at faces do, when one of the first of them is gone.
    void shift_from(std::size_t slot) {
        spheres_.erase(spheres_.begin() + static_cast<std::ptrdiff_t>(slot));
    }
    void sort_by(std::span<const Slot> order) {
        std::vector<BoundingSphere> sorted;
        for (const Slot slot : order) sorted.push_back(spheres_[slot]);
        spheres_ = sorted;
    }

    /// Builds the search, asks for all pairs, and enlarges some spheres.
    void expect_right_answers_of(BroadPhase& search, int num_enlarged) {
        std::vector<BoundingSphere> spheres = spheres_;
        search.build(spheres, domain_);
        expect_each_pair_once(search, spheres);
        for (int k = 0; k < num_enlarged && size() > 0; ++k) {
            const auto slot = static_cast<Slot>(random_.uniform() * static_cast<double>(size()));
            const double length = k % 4 == 0 ? 3.0 : 0.2;
            const Vec3 start = spheres[slot].midpoint();
            Vec3 end = start;
            for (int axis = 0; axis < box_.dimension; ++axis) end[axis] += length * (random_.uniform() - 0.5);
            std::vector<Slot> found;
            search.enlarge(slot, {start, end}, 0.5, found);
            EXPECT_GE(static_cast<double>(spheres[slot].reach),
                      std::min(norm(end - start), reach_of_box(box_)));
            for (Slot other = 0; other < size(); ++other) {
                if (other == slot || gap(spheres[slot], spheres[other]) > 0) continue;
                ASSERT_NE(std::find(found.begin(), found.end(), other), found.end()) << slot << ", " << other;
            }
            for (const Slot other : found) ASSERT_LT(other, size());
        }
    }

  private:
    BoundingSphere anywhere() {
        const Vec3 u{random_.uniform(), random_.uniform(), random_.uniform()};
        return bounding_sphere(
            in_domain({domain_.lower + u.x * domain_.width, u.y * box_.size.y, u.z * box_.size.z}), 0.5);
    }
    /// Reflected at the ends of a part and at walls, wrapped elsewhere, as midpoints are.
    Vec3 in_domain(Vec3 at) const {
        for (int axis = 0; axis < 3; ++axis) {
            const double size = box_.size[axis];
            if (axis == 0 && domain_.width < size) {
                const double after =
                    minimum_image_x(at.x - domain_.lower - 0.5 * domain_.width, ImageLengths(box_));
                at.x = domain_.lower + 0.5 * domain_.width +
                       std::clamp(after, -0.5 * domain_.width, 0.5 * domain_.width);
            }
            if (box_.is_periodic(axis)) at[axis] -= size * std::floor(at[axis] / size);
            if (size > 0) at[axis] = std::clamp(at[axis], 0.0, size);
        }
        return at;
    }
    double gap(const BoundingSphere& a, const BoundingSphere& b) const {
        return norm(minimum_image(a.midpoint() - b.midpoint(), ImageLengths(box_))) -
               static_cast<double>(a.reach) - static_cast<double>(b.reach);
    }
    void expect_each_pair_once(BroadPhase& search, const std::vector<BoundingSphere>& spheres) const {
        BlockStore store;
        CandidatePairs pairs(store);
        search.collect_pairs(pairs);
        std::map<Pair, int> times_named;
        pairs.for_each_block([&](const PairSpan& some) {
            for (std::size_t k = 0; k < some.size(); ++k)
                ++times_named[std::minmax(some.first[k], some.second[k])];
        });
        for (Slot a = 0; a < spheres.size(); ++a) {
            for (Slot b = a + 1; b < spheres.size(); ++b) {
                if (gap(spheres[a], spheres[b]) <= 0) {
                    ASSERT_TRUE(times_named.contains({a, b})) << a << ", " << b;
                }
            }
        }
        for (const auto& [pair, times] : times_named) {
            ASSERT_LT(pair.second, spheres.size());
            ASSERT_EQ(times, 1) << pair.first << ", " << pair.second;
            ASSERT_LE(gap(spheres[pair.first], spheres[pair.second]), 1e-3)
                << pair.first << ", " << pair.second;
        }
    }

    Box box_;
    SearchDomain domain_;
    double step_;
    test::HashRandom random_;
    std::vector<BoundingSphere> spheres_;
};

struct Place {
    Box box;
    SearchDomain domain;
};

std::vector<Place> places() {
    using test::periodic_box;
    using test::walled_box;
    return {{periodic_box({12, 11, 10}), {0, 12}},     {walled_box({12, 11, 10}), {0, 12}},
            {periodic_box({40, 30, 0}), {0, 40}},      {periodic_box({60, 8, 9}), {20, 15}},
            {periodic_box({60, 8, 9}), {-7, 15}},      {walled_box({60, 8, 9}, {0}), {0, 15}},
            {periodic_box({150, 150, 150}), {0, 150}}, {periodic_box({2.6, 2.4, 2.5}), {0, 2.6}},
            {periodic_box({20, 9, 9}), {-3, 19}}};
}

TEST(VerletCells, NameEachPairOnce) {
    std::uint64_t seed = 0;
    for (const Place& place : places()) {
        for (const double step : {0.0, 0.004, 0.02}) {
            SCOPED_TRACE(testing::Message()
                         << place.box.size.x << ", " << place.domain.lower << ", " << step);
            VerletCells search(place.box);
            MovingSpheres spheres(place.box, 250, step, ++seed, place.domain);
            std::uint64_t num_listed = 0;
            for (int build = 0; build < 60; ++build) {
                spheres.expect_right_answers_of(search, 8);
                ASSERT_FALSE(testing::Test::HasFatalFailure());
                num_listed += search.is_listed() ? 1 : 0;
                spheres.move();
            }
            EXPECT_GE(num_listed, 50);
            EXPECT_LE(search.num_lists(), step == 0.0 ? 1 : 12);
        }
    }
}

TEST(VerletCells, NoticeWhatSlotsBecome) {
    std::uint64_t seed = 100;
    for (const Place& place : places()) {
        SCOPED_TRACE(testing::Message() << place.box.size.x << ", " << place.domain.lower);
        VerletCells search(place.box);
        MovingSpheres spheres(place.box, 250, 0.004, ++seed, place.domain);
        std::size_t most_strays = 0;
        for (int build = 0; build < 150; ++build) {
            spheres.expect_right_answers_of(search, 4);
            ASSERT_FALSE(testing::Test::HasFatalFailure());
            most_strays = std::max(most_strays, search.strays().size());
            spheres.move();
            if (build % 3 == 0) spheres.replace_some(3);
            if (build % 5 == 0) spheres.shift_from(spheres.size() - 1 - static_cast<std::size_t>(build) % 40);
            if (build % 4 == 3 && !search.order().empty() && search.order().size() == spheres.size())
                spheres.sort_by(search.order());
        }
        EXPECT_GT(search.num_lists(), 5);
        EXPECT_GT(most_strays, 5);
    }
}

/// Two spheres that approach each other by about the skin, from where their kept spheres just do not meet.
TEST(VerletCells, NamePairsAtTheEndOfTheirSkins) {
    const Box box = test::periodic_box({100, 100, 4});
    MovingSpheres spheres(box, 0, 0, 3, {0, 100});
    test::HashRandom& random = spheres.random();
    for (int k = 0; k < 1000; ++k) {
        const int row = k / 32;
        const Vec3 at{3.0 * (k % 32) + 1, 3.0 * row + 1, 2};
        spheres.append(at, 0.5);
        spheres.append(at + Vec3{1 + (0.1275 + 0.008 * random.uniform()), 0, 0}, 0.5);
    }
    VerletCells search(box);
    constexpr double step = 0.004;  // so the skin is 0.064
    for (const double there : {step, -step, 0.0}) {
        spheres.expect_right_answers_of(search, 0);
        for (Slot slot = 0; slot < spheres.size(); ++slot) spheres.shift(slot, {0, there, 0});
    }
    ASSERT_TRUE(search.is_listed());
    for (Slot slot = 0; slot < spheres.size(); ++slot)
        spheres.shift(slot, {(slot % 2 == 0 ? 1 : -1) * (0.03 + 0.038 * random.uniform()), 0, 0});
    spheres.expect_right_answers_of(search, 0);
    EXPECT_EQ(search.num_lists(), 1);
    EXPECT_GT(search.strays().size(), 100);
}

TEST(VerletCells, KnowSlotsThatComeBack) {
    const Box box = test::periodic_box({12, 11, 10});
    VerletCells search(box);
    MovingSpheres spheres(box, 250, 0, 5, {0, 12});
    for (int build = 0; build < 3; ++build) spheres.expect_right_answers_of(search, 0);
    ASSERT_TRUE(search.is_listed());
    const std::vector<BoundingSphere> gone = spheres.take_last(20);
    spheres.expect_right_answers_of(search, 4);
    for (const BoundingSphere& sphere : gone) spheres.append(sphere.midpoint(), 0.5);
    spheres.expect_right_answers_of(search, 4);
    EXPECT_EQ(search.num_lists(), 1);
    EXPECT_EQ(search.strays().size(), 0);
}

/// As copies at faces do when the first ones are gone, and others come.
TEST(VerletCells, FindSpheresInOtherSlots) {
    const Box box = test::periodic_box({12, 11, 10});
    VerletCells search(box);
    MovingSpheres spheres(box, 250, 0, 5, {0, 12});
    for (int build = 0; build < 3; ++build) spheres.expect_right_answers_of(search, 0);
    ASSERT_TRUE(search.is_listed());
    for (int k = 0; k < 7; ++k) {
        for (int others = 0; others < 4; ++others) spheres.shift_from(150 + 5 * static_cast<std::size_t>(k));
        spheres.expect_right_answers_of(search, 12);
    }
    EXPECT_EQ(search.num_lists(), 1);
    EXPECT_EQ(search.strays().size(), 0);
}

/// The order is a permutation, and rare while lists last.
TEST(VerletCells, GiveAnOrderRarely) {
    const Box box = test::periodic_box({12, 11, 10});
    VerletCells search(box);
    MovingSpheres spheres(box, 250, 0.02, 9, {0, 12});
    int num_orders = 0;
    for (int build = 0; build < 400; ++build) {
        spheres.expect_right_answers_of(search, 0);
        spheres.move();
        if (build % 4 != 3 || search.order().empty()) continue;
        const std::set<Slot> slots(search.order().begin(), search.order().end());
        ASSERT_EQ(slots.size(), spheres.size());
        ASSERT_EQ(*slots.rbegin(), spheres.size() - 1);
        spheres.sort_by(search.order());
        ++num_orders;
    }
    EXPECT_GE(num_orders, 3);
    EXPECT_LE(num_orders, 20);
}

TEST(VerletCells, MakeNoListsOfWhatMovesFar) {
    const Box box = test::periodic_box({12, 11, 10});
    VerletCells search(box);
    MovingSpheres spheres(box, 250, 0.4, 9, {0, 12});
    for (int build = 0; build < 100; ++build) {
        spheres.expect_right_answers_of(search, 4);
        spheres.move();
    }
    EXPECT_EQ(search.num_lists(), 0);
    EXPECT_EQ(search.order().size(), spheres.size());
}

}  // namespace
}  // namespace ricochet
