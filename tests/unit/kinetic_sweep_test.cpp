// SPDX-License-Identifier: BSD-3-Clause
//
// Kinetic sweep and prune by itself: what each structure must do (tests/support/kinetic_traffic.hpp), the order of the
// ends, radii that change, spheres as wide as the box, and what its slack prevents.
#include "kinetic/kinetic_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "geometry/contact_time.hpp"
#include "tests/support/kinetic_traffic.hpp"

namespace ricochet::test {
namespace {

using SweepTraffic = Traffic<KineticSweep>;

void expect_in_order(SweepTraffic& traffic, double now) {
    for (int axis = 0; axis < traffic.scene().box.dimension; ++axis)
        EXPECT_LE(traffic.structure().disorder(axis, now), traffic.structure().tolerance())
            << traffic.scene().name << " at " << now;
}

TEST(KineticSweep, NamesAllWhoAreNear) { expect_all_who_are_near<KineticSweep>(); }

TEST(KineticSweep, GoesOnFromWhatWasSaved) { expect_goes_on_from_what_was_saved<KineticSweep>(); }

/// At each event, and after jumps.
TEST(KineticSweep, KeepsEndsInOrder) {
    for (const Scene& scene : scenes()) {
        SweepTraffic traffic(scene, 5);
        expect_in_order(traffic, 0);
        for (int k = 1; k <= 10; ++k) {
            while (traffic.queue().next_time() < 0.2 * k) {
                const double now = traffic.queue().next_time();
                traffic.run_until(now);
                expect_in_order(traffic, now);
            }
            traffic.kick(0.2 * k, k == 5);
            expect_in_order(traffic, 0.2 * k);
        }
    }
}

/// Pairs that jumps and growth make neighbours, or part, are found without an event.
TEST(KineticSweep, FollowsRadiiThatChange) {
    for (const Scene& scene : scenes()) {
        SweepTraffic traffic(scene, 6);
        HashRandom random(7);
        for (int k = 1; k <= 60; ++k) {
            const double now = 0.02 * k;
            traffic.run_until(now);
            const auto slot = static_cast<Slot>(random.index(100));
            Attributes& attributes = traffic.particles().attributes.edit(slot);
            attributes.radius = random.uniform(0.1, 1.1) * scene.largest_radius;
            EXPECT_TRUE(traffic.structure().changed(slot, now, traffic.queue()));
            expect_in_order(traffic, now);
            traffic.expect_all_near_are_neighbours(now);
        }
    }
}

/// Two whose positions have both jumped before the structure hears of the first.
TEST(KineticSweep, FollowsTwoThatJumpAtOnce) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SweepTraffic traffic(scenes()[seed % 8], seed);
        HashRandom random(seed);
        traffic.run_until(0.5);
        for (const Slot slot : {Slot{20}, Slot{21}}) {
            Motion& motion = traffic.particles().motion[slot];
            motion.position =
                position_at(motion, 0.5) + 1.5 * random.normal_vector(traffic.scene().box.dimension);
            motion.time = 0.5;
        }
        for (const Slot slot : {Slot{20}, Slot{21}})
            EXPECT_TRUE(traffic.structure().changed(slot, 0.5, traffic.queue()));
        traffic.run_until(0.5);
        expect_in_order(traffic, 0.5);
        traffic.expect_all_near_are_neighbours(0.5);
    }
}

/// In a box so short that they overlap on both sides of each other.
TEST(KineticSweep, NamesPairsOnceAroundTheRing) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        SweepTraffic traffic({"short", periodic_box({3.6, 3.4, 0}), {0, 3.6}, 1}, seed);
        for (int k = 0; k <= 20; ++k) {
            traffic.run_until(0.1 * k);
            if (k % 5 == 4) traffic.kick(0.1 * k, true);
            traffic.expect_all_near_are_neighbours(0.1 * k);
        }
    }
}

/// Along an axis that is no longer than a sphere is wide, it is always near. It says so when it becomes one.
TEST(KineticSweep, HoldsSpheresAsWideAsTheBox) {
    const Scene scene{"narrow", periodic_box({30, 2.05, 8}), {0, 30}, 1};
    SweepTraffic traffic(scene, 8);
    for (int k = 0; k <= 20; ++k) {
        traffic.run_until(0.1 * k);
        if (k % 5 == 4) traffic.kick(0.1 * k, true);
        traffic.expect_all_near_are_neighbours(0.1 * k);
    }
    traffic.particles().attributes.edit(7).radius = 1.2;
    EXPECT_FALSE(traffic.structure().changed(7, 2, traffic.queue()));
    traffic.begin(2, true);
    EXPECT_TRUE(traffic.structure().changed(7, 2, traffic.queue()));
    traffic.run_until(2.5);
    traffic.expect_all_near_are_neighbours(2.5);
}

/// Two discs under way to each other.
struct Pair {
    std::vector<Motion> motion;
    std::vector<Slot> found;  ///< by the first, as neighbours

    /// Whether the two are neighbours once all that is due by this time has happened.
    bool are_neighbours_at(double time, double slack) {
        System system;
        for (const Motion& m : motion) add_particle(system, m.position, m.velocity, radius);
        KineticSweep sweep(box, slack);
        TopologicalQueue queue;
        sweep.begin({.motion = system.particles.motion,
                     .attributes = system.particles.attributes.lookup(),
                     .domain = {0, box.size.x},
                     .end = never},
                    queue);
        while (queue.next_time() <= time) sweep.process(queue.pop(), queue, found);
        found.clear();
        sweep.neighbours(0, found);
        return !found.empty();
    }

    static constexpr double radius = 0.3;
    Box box = periodic_box({1000, 1000, 0});
};

/// A tie: their cubes meet along x at the very instant at which they touch. Without slack, rounding decides, and some
/// are missed.
TEST(KineticSweep, MissesTiesWithoutSlack) {
    HashRandom random(3);
    int num_missed = 0;
    for (int k = 0; k < 200; ++k) {
        const Vec3 place{random.uniform(0, 990), random.uniform(0, 1000), 0};
        Pair pair;
        pair.motion.push_back({place, {random.uniform(0.5, 2), 0, 0}, 0, 0});
        pair.motion.push_back(
            {place + Vec3{random.uniform(1, 5), 0, 0}, {random.uniform(-2, 0), 0, 0}, 0, 1});
        const double time =
            pair_contact_time(pair.motion[0], pair.motion[1], 2 * Pair::radius, ImageLengths(pair.box));
        num_missed += pair.are_neighbours_at(time, 0) ? 0 : 1;
        EXPECT_TRUE(pair.are_neighbours_at(time, 1e-6 * pair.box.size.x));
    }
    EXPECT_GT(num_missed, 20);
    EXPECT_LT(num_missed, 180);
}

/// The other tie: two axes begin to overlap at one instant. The order of the ends decides for both, so the second of
/// the exchanges sees the first, whatever the slack.
TEST(KineticSweep, SeesTwoAxesBeginAtOnce) {
    for (const double slack : {0.0, 1e-3}) {
        Pair pair;
        pair.motion.push_back({{500, 500, 0}, {1, 1, 0}, 0, 0});
        pair.motion.push_back({{504, 504, 0}, {-1, -1, 0}, 0, 1});
        EXPECT_FALSE(pair.are_neighbours_at(1.5, slack));
        EXPECT_TRUE(pair.are_neighbours_at(1.75, slack));
    }
}

}  // namespace
}  // namespace ricochet::test
