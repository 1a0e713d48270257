// SPDX-License-Identifier: BSD-3-Clause
//
// Spheres at random, and a search of them against the definition: each pair that overlaps once, and which spheres an
// enlarged one meets.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ricochet/search/search_method.hpp"
#include "search/candidate_pairs.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

using Spheres = std::vector<BoundingSphere>;

inline double into_box(double x, double length) { return x - length * std::floor(x / length); }

/// Midpoints in the domain; every fourth coordinate is an integer. Most reaches are near the least.
inline Spheres random_spheres(const Box& box, std::size_t count, double least, double most,
                              SearchDomain domain, HashRandom& numbers) {
    Spheres spheres;
    for (std::size_t k = 0; k < count; ++k) {
        const auto coordinate = [&](double lower, double width) {
            const double x = lower + width * numbers.uniform();
            return numbers.uniform() < 0.25 ? std::clamp(std::floor(x), lower, lower + width) : x;
        };
        const double x = into_box(coordinate(domain.lower, domain.width), box.size.x);
        const double share = numbers.uniform();
        spheres.push_back(bounding_sphere({x, coordinate(0, box.size.y), coordinate(0, box.size.z)},
                                          least * std::pow(most / least, share * share * share)));
    }
    return spheres;
}

inline double gap(const Box& box, const BoundingSphere& a, const BoundingSphere& b) {
    return norm(minimum_image(a.midpoint() - b.midpoint(), ImageLengths(box))) -
           static_cast<double>(a.reach) - static_cast<double>(b.reach);
}

/// What may be named although it does not overlap.
inline double tolerance(const Box& box) { return 1e-4 * std::max({box.size.x, box.size.y, box.size.z}); }

using PairList = std::vector<std::pair<Slot, Slot>>;
inline PairList pairs_named(BroadPhase& search) {
    BlockStore store;
    CandidatePairs pairs(store);
    search.collect_pairs(pairs);
    PairList named;
    pairs.for_each_block([&](const PairSpan& some) {
        for (std::size_t k = 0; k < some.size(); ++k)
            named.push_back(std::minmax(Slot{some.first[k]}, Slot{some.second[k]}));
    });
    std::sort(named.begin(), named.end());
    return named;
}

inline void expect_each_pair_once(BroadPhase& search, const Box& box, Spheres& spheres, SearchDomain domain) {
    search.build(spheres, domain);
    const PairList named = pairs_named(search);
    EXPECT_TRUE(std::adjacent_find(named.begin(), named.end()) == named.end());
    for (Slot a = 0; a < spheres.size(); ++a) {
        for (Slot b = a + 1; b < spheres.size(); ++b) {
            const bool is_named = std::binary_search(named.begin(), named.end(), std::pair(a, b));
            const double apart = gap(box, spheres[a], spheres[b]);
            if (apart <= 0) {
                ASSERT_TRUE(is_named) << a << " " << b;
            }
            if (apart > tolerance(box)) {
                ASSERT_FALSE(is_named) << a << " " << b;
            }
        }
    }
    const std::set<Slot> order(search.order().begin(), search.order().end());
    EXPECT_EQ(order.size(), spheres.size());
    EXPECT_EQ(search.order().size(), spheres.size());
}

/// Enlarges spheres at random, and then the same ones again.
inline void expect_whom_enlarged_ones_meet(BroadPhase& search, const Box& box, Spheres& spheres,
                                           double farthest, HashRandom& numbers) {
    if (spheres.empty()) return;
    std::vector<Slot> found;
    for (int round = 0; round < 40; ++round) {
        const std::size_t among = round % 3 == 2 ? std::min<std::size_t>(3, spheres.size()) : spheres.size();
        const auto slot = static_cast<Slot>(numbers.index(among));
        const double away = farthest * std::pow(numbers.uniform(), 3);
        const Vec3 from = spheres[slot].midpoint();
        const PathPart path{from, from + Vec3{0.6 * away, -0.8 * away, 0}};
        if (!search.outgrows(spheres[slot], path, 0.1)) continue;
        found.clear();
        search.enlarge(slot, path, 0.1, found);
        EXPECT_FALSE(search.outgrows(spheres[slot], path, 0.1));
        const std::set<Slot> once(found.begin(), found.end());
        EXPECT_EQ(once.size(), found.size());
        for (Slot other = 0; other < spheres.size(); ++other) {
            const double apart = gap(box, spheres[slot], spheres[other]);
            if (other != slot && apart <= 0) {
                ASSERT_TRUE(once.count(other) == 1) << slot << " " << other;
            }
            if (apart > tolerance(box)) {
                ASSERT_FALSE(once.count(other) == 1) << slot << " " << other;
            }
        }
    }
}

struct Place {
    Box box;
    SearchDomain domain;
};

inline std::vector<Place> places() {
    const Box torus = periodic_box({12, 7, 9}), closed = walled_box({12, 7, 9}),
              flat = periodic_box({12, 9, 0});
    return {{torus, {0, 12}},
            {torus, {3, 5}},
            {torus, {-2, 6}},
            {torus, {8, 7}},
            {torus, {-1, 11.5}},
            {closed, {0, 12}},
            {closed, {0, 4}},
            {closed, {7, 5}},
            {walled_box({12, 7, 9}, {1}), {0, 12}},
            {flat, {0, 12}},
            {flat, {9, 6}},
            {walled_box({12, 9, 0}), {0, 12}},
            {periodic_box({3, 200, 5}), {0, 3}}};
}

using Make = std::unique_ptr<BroadPhase> (*)(const Box& box, const SearchOptions& options);

/// Few and many spheres, equal ones and such of 1:20, small ones and such as large as the box.
inline void expect_definition(Make make, const SearchOptions& options, std::uint64_t seed) {
    for (const Place& place : places()) {
        for (const auto& [count, least, most] : {std::tuple{0, 0.5, 0.5},
                                                 {2, 0.5, 1.0},
                                                 {60, 0.3, 6.0},
                                                 {150, 0.3, 0.3},
                                                 {200, 0.05, 1.0},
                                                 {25, 2.0, 9.0}}) {
            SCOPED_TRACE(std::to_string(place.box.size.x) + " from " + std::to_string(place.domain.lower) +
                         ": " + std::to_string(count) + " of " + std::to_string(most));
            HashRandom numbers(seed++);
            const auto search = make(place.box, options);
            for (int step = 0; step < 2; ++step) {
                Spheres spheres = random_spheres(place.box, static_cast<std::size_t>(count), least, most,
                                                 place.domain, numbers);
                expect_each_pair_once(*search, place.box, spheres, place.domain);
                expect_whom_enlarged_ones_meet(*search, place.box, spheres, step == 0 ? 1 : 8, numbers);
            }
        }
    }
}

}  // namespace ricochet::test
