// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/contact_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "ricochet/core/random.hpp"
#include "tests/support/hash_random.hpp"
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

/// How many contacts the motions have with lists of others; each must have the bits of the single pair.
std::size_t expect_contacts_of_single_pairs(const std::vector<Motion>& motions, const Box& box) {
    const ImageLengths images(box);
    constexpr double until = 0.8, ahead_of = 0.4;
    std::size_t num_found = 0;
    for (Slot own = 0; own < motions.size(); ++own) {
        RandomSequence random({.seed = 6, .stream = Stream::placement}, own);
        std::vector<Slot> others(random.below(20));
        for (Slot& other : others) other = static_cast<Slot>(random.below(motions.size()));
        const std::size_t room = contacts_room(others.size());
        std::vector<double> distances(room), times(room);
        std::vector<Slot> slots(room);
        for (double& distance : distances) distance = random.uniform() < 0.5 ? 1 : 2 * random.uniform();
        const std::size_t count = find_contacts(motions[own], others, motions.data(), distances.data(),
                                                images, until, ahead_of, slots.data(), times.data());
        std::size_t found = 0;
        for (std::size_t k = 0; k < others.size(); ++k) {
            const Motion& a = motions[own];
            const Motion& b = motions[others[k]];
            const double expected = pair_contact_time(a, b, distances[k], images);
            EXPECT_EQ(pair_contact_time(b, a, distances[k], images), expected);
            if (!(expected < until || b.time > ahead_of)) continue;
            EXPECT_LT(found, count);
            EXPECT_EQ(slots[found], others[k]);
            EXPECT_EQ(std::bit_cast<std::uint64_t>(times[found]),
                      std::bit_cast<std::uint64_t>(expected < until ? expected : never));
            ++found;
            if (expected < until) ++num_found;
        }
        EXPECT_EQ(found, count);
    }
    return num_found;
}

TEST(FoundContacts, AreThoseOfSinglePairsInEveryBit) {
    std::size_t num_found = 0;
    for (const Box& box : {test::periodic_box({5, 6, 7}), test::walled_box({5, 6, 7}, {1}),
                           test::periodic_box({6, 5, 0}), test::periodic_box({1e6, 1e-3, 1})})
        num_found += expect_contacts_of_single_pairs(assorted_motions(400, box), box);
    EXPECT_GT(num_found, 500u);
}

/// How many of arbitrary pairs meet; each must have the bits of the single pair.
std::size_t expect_pair_contacts_of_single_pairs(const std::vector<Motion>& motions, const Box& box,
                                                 std::size_t num_pairs) {
    const ImageLengths images(box);
    constexpr double until = 0.8;
    test::HashRandom random(num_pairs);
    std::vector<Slot> first(num_pairs), second(num_pairs);
    for (Slot& slot : first) slot = static_cast<Slot>(random.index(motions.size()));
    for (Slot& slot : second) slot = static_cast<Slot>(random.index(motions.size()));
    std::vector<double> distances(contacts_room(num_pairs)), times(distances.size());
    std::vector<std::uint32_t> indices(distances.size());
    for (double& distance : distances) distance = random.uniform() < 0.5 ? 1 : 2 * random.uniform();
    std::fill(distances.begin() + static_cast<std::ptrdiff_t>(num_pairs), distances.end(), 100);
    const std::size_t count = find_pair_contacts(first, second, motions.data(), distances.data(), images,
                                                 until, indices.data(), times.data());
    std::size_t found = 0;
    for (std::size_t k = 0; k < num_pairs; ++k) {
        const double expected =
            pair_contact_time(motions[first[k]], motions[second[k]], distances[k], images);
        if (!(expected < until)) continue;
        EXPECT_LT(found, count);
        EXPECT_EQ(indices[found], k);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(times[found]), std::bit_cast<std::uint64_t>(expected));
        ++found;
    }
    EXPECT_EQ(found, count);
    return count;
}

TEST(PairContacts, AreThoseOfSinglePairsInEveryBit) {
    std::size_t num_found = 0;
    for (const Box& box : {test::periodic_box({5, 6, 7}), test::walled_box({5, 6, 7}, {1}),
                           test::periodic_box({6, 5, 0}), test::periodic_box({1e6, 1e-3, 1})})
        for (const std::size_t num_pairs : {0, 1, 3, 4, 5, 39, 63, 64, 65, 256, 259, 5000})
            num_found += expect_pair_contacts_of_single_pairs(assorted_motions(400, box), box, num_pairs);
    EXPECT_GT(num_found, 500u);
}

/// Whether the pair is found to touch before `until`, by either search.
bool touches_before(const std::array<Motion, 2>& pair, double distance, const Box& box, double until) {
    const std::vector<Slot> one{0}, other{1};
    const ImageLengths images(box);
    std::vector<double> distances(contacts_room(1), distance), times(contacts_room(1));
    std::vector<Slot> slots(contacts_room(1));
    const bool touches = find_contacts(pair[0], other, pair.data(), distances.data(), images, until, never,
                                       slots.data(), times.data()) == 1;
    const bool touches_as_pair = find_pair_contacts(one, other, pair.data(), distances.data(), images, until,
                                                    slots.data(), times.data()) == 1;
    EXPECT_EQ(touches, touches_as_pair);
    return touches;
}

/// The last time before the end counts.
TEST(FoundContacts, EndWithTheStepAlsoWhenGrazing) {
    const Box box = test::walled_box({1000, 1000, 1000});
    const ImageLengths images(box);
    std::size_t num_found = 0, num_grazing = 0;
    for (std::uint64_t k = 0; k < 100'000; ++k) {
        RandomSequence random({.seed = 8, .stream = Stream::placement}, k);
        const auto scale = [&] { return std::pow(10.0, 8 * random.uniform() - 4); };
        std::array<Motion, 2> pair;
        const double speed = scale(), apart = scale();
        for (int axis = 0; axis < 3; ++axis) {
            pair[1].position[axis] = apart * (2 * random.uniform() - 1);
            pair[1].velocity[axis] = speed * (2 * random.uniform() - 1);
            pair[0].velocity[axis] = 1e-3 * speed * (2 * random.uniform() - 1);
        }
        pair[1].id = 1;
        pair[1].time = k % 3 == 0 ? random.uniform() * apart / speed : 0;
        const Vec3 r = pair[1].position - advanced({}, pair[0].velocity, pair[1].time);
        const Vec3 u = pair[1].velocity - pair[0].velocity;
        const double closest = norm(advanced(r, u, -dot(r, u) / dot(u, u)));
        const bool is_grazing = k % 2 == 0;
        const double distance = closest * (is_grazing ? 1 + 1e-14 * (2 * random.uniform() - 1)
                                                      : 1 + (norm(r) / closest - 1) * random.uniform());
        const double time = pair_contact_time(pair[0], pair[1], distance, images);
        if (time == never) {
            EXPECT_FALSE(touches_before(pair, distance, box, 1e300)) << k;
            continue;
        }
        EXPECT_TRUE(touches_before(pair, distance, box, std::nextafter(time, never))) << k;
        EXPECT_TRUE(touches_before(pair, distance, box, 2 * time + 1)) << k;
        EXPECT_FALSE(touches_before(pair, distance, box, time)) << k;
        ++num_found;
        if (is_grazing) ++num_grazing;
    }
    EXPECT_GT(num_found, 20'000u);
    EXPECT_GT(num_grazing, 5'000u);
}

TEST(ContactTime, OfAHeadOnPairIsTheGapOverTheSpeed) {
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
