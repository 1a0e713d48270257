// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/geometry/contact_time.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "ricochet/core/random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

/// Spheres that meet, graze, overlap, touch, recede, rest, share a place; at times of their own.
std::vector<Motion> assorted_motions(std::size_t count, const Box& box) {
    std::vector<Motion> motions;
    for (std::size_t k = 0; k < count; ++k) {
        RandomSequence random({.seed = 5, .stream = Stream::placement}, k);
        Motion m;
        m.id = k;
        for (int axis = 0; axis < box.dimension; ++axis) {
            m.position[axis] = box.size[axis] * random.uniform();
            m.velocity[axis] = 4 * random.uniform() - 2;
            if (random.below(4) == 0) m.position[axis] = std::round(m.position[axis]);
            if (random.below(4) == 0) m.velocity[axis] = std::round(m.velocity[axis]);
        }
        if (random.below(16) == 0 && k > 0) m.position = motions[k - 1].position;
        if (random.below(2) == 0) m.time = 0.5 * random.uniform();
        motions.push_back(m);
    }
    return motions;
}

TEST(ContactTimes, AreThoseOfSinglePairsInEveryBitAndEitherOrder) {
    std::size_t num_contacts = 0;
    for (const Box& box : {test::periodic_box({5, 6, 7}), test::walled_box({5, 6, 7}, {1}),
                           test::periodic_box({6, 5, 0}), test::periodic_box({1e6, 1e-3, 1})}) {
        const ImageLengths images(box);
        const std::vector<Motion> motions = assorted_motions(400, box);
        for (Slot own = 0; own < motions.size(); ++own) {
            RandomSequence random({.seed = 6, .stream = Stream::placement}, own);
            std::vector<Slot> others(random.below(20));
            for (Slot& other : others) other = static_cast<Slot>(random.below(motions.size()));
            const std::size_t room = contact_times_room(others.size());
            std::vector<double> distances(room), times(room);
            for (double& distance : distances) distance = random.uniform() < 0.5 ? 1 : 2 * random.uniform();
            contact_times(motions[own], others, motions.data(), distances.data(), images, times.data());
            for (std::size_t k = 0; k < others.size(); ++k) {
                const Motion& a = motions[own];
                const Motion& b = motions[others[k]];
                const double expected = pair_contact_time(a, b, distances[k], images);
                EXPECT_EQ(std::bit_cast<std::uint64_t>(times[k]), std::bit_cast<std::uint64_t>(expected));
                EXPECT_EQ(pair_contact_time(b, a, distances[k], images), expected);
                if (expected < never) ++num_contacts;
            }
        }
    }
    EXPECT_GT(num_contacts, 1000u);
}

TEST(ContactTimes, OfAHeadOnPairIsTheGapOverTheSpeed) {
    Motion a, b;
    b.position = {3, 0, 0};
    b.velocity = {-4, 0, 0};
    const ImageLengths images(test::walled_box({10, 10, 10}));
    EXPECT_EQ(pair_contact_time(a, b, 1, images), 0.5);
    b.time = 0.25;
    EXPECT_EQ(pair_contact_time(a, b, 1, images), 0.75);
    b.velocity = {4, 0, 0};
    EXPECT_EQ(pair_contact_time(a, b, 1, images), never);
    // Overlapping: now when approaching, never when receding.
    EXPECT_EQ(pair_contact_time(a, b, 4, images), never);
    b.velocity = {-1, 0, 0};
    EXPECT_EQ(pair_contact_time(a, b, 4, images), 0.25);
}

}  // namespace
}  // namespace ricochet
