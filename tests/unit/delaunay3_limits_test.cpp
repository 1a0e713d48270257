// SPDX-License-Identifier: BSD-3-Clause
//
// What the triangulation of moving spheres can hold, and what not: few spheres, of which it takes several copies, those
// that leave its torus, jump or grow, and such as remain in one plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "kinetic/delaunay.hpp"
#include "kinetic/delaunay3.hpp"
#include "tests/support/flight.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

/// For a step of length 1, of all that is in the box.
bool begin_whole(Delaunay3& delaunay, const System& system) {
    TopologicalQueue queue;
    return delaunay.begin({.motion = system.particles.motion,
                           .attributes = system.particles.attributes.lookup(),
                           .domain = {0, system.box.size.x},
                           .end = 1},
                          queue);
}

/// Random starts, equal or not.
TEST(Delaunay3, TakesOneCopyOfEnough) {
    const auto num_copies = [](const Vec3& shape, double count, double fraction, bool is_equal,
                               std::uint64_t seed) {
        const auto num_large = static_cast<std::size_t>(is_equal ? count : count / 10);
        System system;
        const double unit =
            std::cbrt(0.5236 * static_cast<double>(num_large) / fraction / (shape.x * shape.y * shape.z));
        system.box = periodic_box(unit * shape);
        std::vector<Kind> kinds{{0.5, 1, num_large}};
        if (!is_equal) kinds.push_back({0.025, 1, static_cast<std::size_t>(count) - num_large});
        fill_at_random(system, kinds, {}, system.box.size, seed);
        Delaunay3 delaunay(system.box, {});
        EXPECT_TRUE(begin_whole(delaunay, system));
        return delaunay.frame().num_copies();
    };
    int num_with_copies = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        for (const Vec3 shape : {Vec3{1, 1, 1}, Vec3{3, 1, 1}})
            for (const double fraction : {0.01, 0.3})
                for (const bool is_equal : {true, false}) {
                    const double enough = enough_for_one_copy(shape);
                    EXPECT_EQ(num_copies(shape, enough, fraction, is_equal, seed), 1u)
                        << shape.x << ", " << fraction << ", " << seed;
                    if (num_copies(shape, enough / 6, fraction, is_equal, seed) > 1) ++num_with_copies;
                }
    EXPECT_GT(num_with_copies, 30);
}

/// Few spheres, of which there are several copies. No two and their copies lie in one plane for ever.
TEST(Delaunay3, FollowsCopies) {
    for (const std::size_t count : {3, 5, 7, 9})
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            Flight flight(equal_gas(3, count, 0.2, seed));
            while (flight.num_contacts < 60) flight.bounce();
            EXPECT_GT(flight.delaunay().frame().num_copies(), 1u);
            EXPECT_EQ(flight.num_lost, 0);
            EXPECT_EQ(flight.num_rebuilt, 0);
            EXPECT_EQ(flight.delaunay().counts().retries, 0u);
        }
}

/// Centres that are nearer to a face than copies are displaced: all copies of a sphere are whole boxes apart.
TEST(Delaunay3, PutsNoTwoCopiesInOnePlace) {
    System system;
    const double length = 3.5, below = length - 1e-6;
    system.box = periodic_box({length, length, length});
    add_particle(system, {below, below, below}, {});
    add_particle(system, {1.7, 1.6, 1.8}, {});
    add_particle(system, {1e-7, 2, 0.9}, {});
    Delaunay3 delaunay(system.box, {});
    ASSERT_TRUE(begin_whole(delaunay, system));
    const Delaunay3::Frame& frame = delaunay.frame();
    ASSERT_GT(frame.num_copies(), 4u);
    for (Slot slot = 0; slot < 3; ++slot)
        for (std::uint32_t a = 0; a < frame.num_copies(); ++a)
            for (std::uint32_t b = 0; b < a; ++b) {
                const std::uint32_t first = frame.first_vertex[slot];
                Vec3 apart =
                    delaunay.sphere(first + a, {}, 0).position - delaunay.sphere(first + b, {}, 0).position;
                for (int axis = 0; axis < 3; ++axis)
                    apart[axis] -= frame.period[axis] * std::nearbyint(apart[axis] / frame.period[axis]);
                EXPECT_GT(norm(apart), 0.99 * length) << slot << ": " << a << ", " << b;
            }
}

/// As in a slab that spheres enter. The many copies of the first steps would cost as much in all later ones.
TEST(Delaunay3, ForgetsCopiesThatFewerNeeded) {
    System system = equal_gas(3, 250, 0.1, 1);
    const Attributes present = system.particles.attributes[0];
    Delaunay3 delaunay(system.box, {});
    const auto copies_of_first = [&](Slot count) {
        for (Slot slot = 0; slot < 250; ++slot)
            system.particles.attributes.edit(slot) = slot < count ? present : absent_attributes;
        EXPECT_TRUE(begin_whole(delaunay, system));
        return delaunay.frame().num_copies();
    };
    EXPECT_GT(copies_of_first(1), 4u);
    EXPECT_EQ(copies_of_first(250), 1u);
    EXPECT_GT(copies_of_first(2), 4u);
}

/// One sphere has few vertices all the same. In a very long box it would be built too often until copies are enough.
TEST(Delaunay3, TakesManyCopiesOfOne) {
    const auto takes_copies = [](double length) {
        System system;
        system.box = periodic_box({length, 2.5, 2});
        add_particle(system, {1, 1, 1}, {});
        Delaunay3 delaunay(system.box, {});
        const bool is_built = begin_whole(delaunay, system);
        EXPECT_GT(delaunay.frame().num_copies(), 32u);
        return is_built;
    };
    EXPECT_TRUE(takes_copies(12));
    EXPECT_FALSE(takes_copies(600));
}

/// Those of all facets.
std::vector<std::uint32_t> stamps_of(const Tetrahedra& all) {
    std::vector<std::uint32_t> stamps;
    for (std::uint32_t t = 0; t < all.size(); ++t)
        if (all.is_used(t))
            for (const std::uint32_t stamp : all[t].stamp)
                if (stamp > 0) stamps.push_back(stamp);
    return stamps;
}

/// Nor after restore: an event that is still queued might pass for another one.
TEST(Delaunay3, NeverGivesAStampAgain) {
    Flight flight(equal_gas(3, 250, 0.1, 1));
    flight.save();
    for (int k = 0; k < 20; ++k) flight.bounce();
    const std::vector<std::uint32_t> before = stamps_of(flight.delaunay().tetrahedra());
    flight.restore();
    TopologicalQueue queue;
    for (Slot slot = 0; slot < 250; ++slot) ASSERT_TRUE(flight.delaunay().changed(slot, flight.now(), queue));
    const std::vector<std::uint32_t> after = stamps_of(flight.delaunay().tetrahedra());
    EXPECT_GT(*std::min_element(after.begin(), after.end()), *std::max_element(before.begin(), before.end()));
    EXPECT_EQ(std::set(after.begin(), after.end()).size(), after.size());
}

/// A particle that jumps, grows or ends: it must be built anew.
TEST(Delaunay3, SaysWhatItCannotHold) {
    System system = equal_gas(3, 250, 0.1, 1);
    Delaunay3 delaunay(system.box, {});
    TopologicalQueue queue;
    Particles& particles = system.particles;
    const auto begin = [&] { return begin_whole(delaunay, system); };
    ASSERT_TRUE(begin());
    EXPECT_TRUE(delaunay.changed(3, 0, queue));
    particles.motion[3].position.x += 0.01;
    EXPECT_FALSE(delaunay.changed(3, 0, queue));
    ASSERT_TRUE(begin());
    particles.attributes.edit(4).radius *= 1.1;
    EXPECT_FALSE(delaunay.changed(4, 0, queue));
    ASSERT_TRUE(begin());
    particles.attributes.edit(5) = absent_attributes;
    EXPECT_FALSE(delaunay.changed(5, 0, queue));
    ASSERT_TRUE(begin());
    particles.motion[6].position = particles.motion[7].position;  // one is hidden
    EXPECT_FALSE(begin());
}

/// Spheres that overlap, of one copy and of several: cells take over.
TEST(Delaunay3, SaysWhereSpheresOverlap) {
    for (const std::size_t count : {250, 7}) {
        System system = equal_gas(3, count, 0.01, 1);
        Particles& particles = system.particles;
        const KineticSetting setting{.motion = particles.motion,
                                     .attributes = particles.attributes.lookup(),
                                     .domain = {0, system.box.size.x},
                                     .end = 1};
        const auto can_be_built = [&] {
            TopologicalQueue queue;
            Delaunay3 alone(system.box, {});
            Delaunay structure(system.box, {});
            structure.begin(setting, queue);
            const bool is_built = alone.begin(setting, queue);
            EXPECT_EQ(structure.uses_cells(), !is_built);
            EXPECT_EQ(alone.frame().num_copies() > 1, count == 7) << count;
            return is_built;
        };
        const double touching = 1, by_rounding = 1e-7, deeply = 1e-3;
        const auto put_apart = [&](double distance) {
            particles.motion[6].position = particles.motion[5].position + Vec3{0, distance, 0};
        };
        EXPECT_TRUE(can_be_built());
        put_apart(touching - by_rounding);
        EXPECT_TRUE(can_be_built());
        put_apart(touching - deeply);
        EXPECT_FALSE(can_be_built());
    }
}

/// Where five centres are on one sphere to the last digit.
TEST(Delaunay3, IsBuiltAnewAtTheTimeOfAFlip) {
    constexpr std::uint64_t enough = 300;
    System system = equal_gas(3, 30, 0.001, 1);
    Delaunay3 delaunay(system.box, {});
    KineticSetting setting{.motion = system.particles.motion,
                           .attributes = system.particles.attributes.lookup(),
                           .domain = {0, system.box.size.x},
                           .end = 100};
    TopologicalQueue queue, other_queue;
    std::vector<Slot> found;
    ASSERT_TRUE(delaunay.begin(setting, queue));
    while (delaunay.counts().flips < enough) {
        const TopologicalEvent event = queue.pop();
        const std::uint64_t before = delaunay.counts().flips;
        delaunay.process(event, queue, found);
        if (delaunay.counts().flips == before) continue;
        Delaunay3 other = delaunay;
        setting.now = event.time;
        setting.is_rebuilt = true;
        EXPECT_TRUE(other.begin(setting, other_queue)) << event.time;
    }
}

/// A sphere that leaves the torus of a slab.
TEST(Delaunay3, SaysWhatASlabCannotHold) {
    System slab = slab_across_a_face();
    Delaunay3 delaunay(slab.box, {});
    TopologicalQueue queue;
    Particles& particles = slab.particles;
    ASSERT_TRUE(delaunay.begin({.motion = particles.motion,
                                .attributes = particles.attributes.lookup(),
                                .domain = {285, 30},
                                .end = 0.5},
                               queue));
    EXPECT_TRUE(delaunay.changed(3, 0, queue));
    particles.motion[3].velocity = {200, 0, 0};
    EXPECT_FALSE(delaunay.changed(3, 0, queue));
}

/// Spheres that move within the plane in which all centres are.
System spheres_in_a_plane() {
    System system;
    system.name = "plane";
    system.box = periodic_box({16, 40, 40});
    HashRandom random(51);
    for (int k = 0; k < 900; ++k)
        add_particle(
            system,
            {8, 4.0 / 3 * (k % 30) + random.uniform(0, 0.2), 4.0 / 3 * (k / 30) + random.uniform(0, 0.2)},
            {});
    thermalise(system, 1, 52);
    for (Motion& motion : system.particles.motion) motion.velocity.x = 0;
    return system;
}

/// Displacements give flips within a plane their volume.
TEST(Delaunay3, FollowsThoseThatRemainInAPlane) {
    Flight flight(spheres_in_a_plane());
    while (flight.num_contacts < 300) flight.bounce();
    EXPECT_EQ(flight.num_lost, 0);
    EXPECT_EQ(flight.num_unnamed, 0);
    EXPECT_EQ(flight.num_rebuilt, 0);
    EXPECT_EQ(flight.delaunay().counts().retries, 0u);
}

/// Under one id all are displaced alike. It says that it cannot go on, and does not try for ever.
TEST(Delaunay3, GivesUpInAPlaneWithoutDisplacements) {
    System system = spheres_in_a_plane();
    for (Motion& motion : system.particles.motion) motion.id = 0;
    Delaunay3 delaunay(system.box, {});
    TopologicalQueue queue;
    ASSERT_TRUE(delaunay.begin({.motion = system.particles.motion,
                                .attributes = system.particles.attributes.lookup(),
                                .domain = {0, system.box.size.x},
                                .end = 0.3},
                               queue));
    std::vector<Slot> found;
    for (int k = 0; k < 100'000 && !delaunay.is_broken() && queue.next_time() < 1; ++k)
        delaunay.process(queue.pop(), queue, found);
    EXPECT_TRUE(delaunay.is_broken());
}

}  // namespace
}  // namespace ricochet::test
