// SPDX-License-Identifier: BSD-3-Clause
//
// Lists of tethers, alone and as part of particles, and how tethers break.
#include "ricochet/model/tethers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dynamics/tether_breaks.hpp"
#include "ricochet/model/particles.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/reference_tethers.hpp"
#include "tests/support/worlds.hpp"

namespace ricochet {
namespace {

using Ids = std::vector<std::uint64_t>;

Ids partners_of(const Tethers& tethers) { return {tethers.partners().begin(), tethers.partners().end()}; }

/// To these, each with a species one tenth of the id.
Tethers tethers_to(const Ids& partners) {
    Tethers tethers;
    for (const std::uint64_t partner : partners)
        tethers.add(partner, static_cast<std::uint32_t>(partner / 10));
    return tethers;
}

TEST(Tethers, AddsInOrder) {
    Tethers tethers;
    EXPECT_TRUE(tethers.empty());
    EXPECT_FALSE(tethers.holds(0));
    EXPECT_FALSE(tethers.holds(no_id));
    tethers = tethers_to({50, 10, 30});
    EXPECT_EQ(tethers.size(), 3u);
    EXPECT_EQ(partners_of(tethers), (Ids{50, 10, 30}));
    EXPECT_EQ(tethers.partner(1), 10u);
    EXPECT_EQ(tethers.species(2), 3u);
    EXPECT_TRUE(tethers.holds(30));
    EXPECT_FALSE(tethers.holds(20));
}

TEST(Tethers, TakesAsManyAsSpheresTouchOne) {
    Tethers tethers;
    for (std::uint64_t k = 0; k < Tethers::most; ++k) tethers.add(k, Tethers::most_species - 1);
    EXPECT_EQ(tethers.size(), 12u);
    EXPECT_EQ(tethers.species(11), Tethers::most_species - 1);
    EXPECT_ANY_THROW(tethers.add(12, 0));
}

TEST(Tethers, KeepsTheOrderOfTheOthers) {
    Tethers tethers = tethers_to({50, 10, 30, 20});
    tethers.remove(1);
    EXPECT_EQ(tethers, tethers_to({50, 30, 20}));
    tethers.remove(2);
    EXPECT_EQ(tethers, tethers_to({50, 30}));
    tethers.remove(0);
    tethers.remove(0);
    EXPECT_EQ(tethers, Tethers());
    EXPECT_ANY_THROW(tethers.remove(0));
}

/// What is left has the bytes of a list that never had more.
TEST(Tethers, LosesItsLatest) {
    Tethers tethers = tethers_to({50, 10, 30, 20});
    tethers.truncate(5);
    EXPECT_EQ(tethers.size(), 4u);
    tethers.truncate(2);
    EXPECT_EQ(tethers, tethers_to({50, 10}));
    tethers.truncate(0);
    EXPECT_EQ(tethers, Tethers());
}

// --- of particles --------------------------------------------------------------------------------------------

Particles particles_with(const std::vector<Ids>& partners) {
    Particles particles;
    particles.track.keep_tethers();
    for (const Ids& ids : partners) {
        Motion motion;
        motion.id = particles.size();
        particles.push_back(motion, {}, {});
        particles.track.tethers()[particles.size() - 1] = tethers_to(ids);
    }
    return particles;
}

TEST(TethersOfParticles, GoWithThem) {
    const Particles from = particles_with({{}, {20, 30}, {40}});
    Particles to;
    to.push_back({}, {}, {});
    to.append(from, 1);
    ASSERT_TRUE(to.track.keeps_tethers());
    EXPECT_TRUE(to.track.tethers()[0].empty());
    EXPECT_EQ(to.track.tethers()[1], tethers_to({20, 30}));
    to.assign(0, from, 2);
    EXPECT_EQ(to.track.tethers()[0], tethers_to({40}));
    to.push_back_another(0);
    EXPECT_EQ(to.track.tethers()[2], tethers_to({40}));
    to.move_within(1, 2);
    EXPECT_EQ(to.track.tethers()[2], tethers_to({20, 30}));
    to.assign(2, from, 0);
    EXPECT_TRUE(to.track.tethers()[2].empty());
}

TEST(TethersOfParticles, StayWithThoseThatGoOn) {
    Particles particles = particles_with({{}, {20}, {40}});
    particles.attributes.edit(1).species = absent_species;
    EXPECT_EQ(particles.remove_absent(), 1u);
    ASSERT_EQ(particles.track.tethers().size(), 2u);
    EXPECT_EQ(particles.track.tethers()[1], tethers_to({40}));
}

TEST(TethersOfParticles, AreComparedByTests) {
    const Particles some = particles_with({{20, 30}}), turned = particles_with({{30, 20}});
    Particles none = particles_with({{}}), unkept;
    unkept.push_back({}, {}, {});
    EXPECT_EQ(test::first_difference(some, some), "");
    EXPECT_EQ(test::first_difference(none, unkept), "");
    EXPECT_EQ(test::first_difference(unkept, none), "");
    EXPECT_NE(test::first_difference(some, turned), "");
    EXPECT_NE(test::first_difference(some, unkept), "");
}

// --- breaks --------------------------------------------------------------------------------------------------

constexpr double break_rate = 3, timestep = 0.1;

/// Species 0 with tethers that break, 1 with others that do not.
World breaking_world(double step = timestep) {
    World world = test::plain_world(2);
    world.timestep = step;
    Stick breaking;
    breaking.break_rate = break_rate;
    test::set_pair(world, 0, 0, breaking, 4);
    test::set_pair(world, 0, 1, Stick{}, 5);
    world.seed = 99;
    return world;
}

/// Pairs 2 k and 2 k + 1 of species 0, tethered.
Particles tethered_pairs(std::uint64_t num_pairs) {
    Particles particles;
    particles.track.keep_tethers();
    for (std::uint64_t id = 0; id < 2 * num_pairs; ++id) {
        Motion motion;
        motion.id = id;
        motion.position.x = static_cast<double>(id);
        particles.push_back(motion, {}, {});
        particles.track.tethers()[id].add(id ^ 1, 0);
    }
    return particles;
}

/// Those with ids of this remainder by 2.
Particles half_of(const Particles& all, std::uint64_t remainder) {
    Particles half;
    half.track.keep_tethers();
    for (std::size_t k = 0; k < all.size(); ++k)
        if (all.motion[k].id % 2 == remainder) half.append(all, k);
    return half;
}

std::size_t num_tethers(const Particles& particles) {
    std::size_t sum = 0;
    for (const Tethers& tethers : particles.track.tethers()) sum += tethers.size();
    return sum;
}

/// Over ten steps the number left is that of an exponential decay.
TEST(TetherBreaks, HappenAtTheRate) {
    constexpr std::uint64_t num_pairs = 40'000;
    const TetherBreaks breaks(breaking_world());
    Particles particles = tethered_pairs(num_pairs);
    std::size_t num_left = num_pairs;
    for (std::uint64_t step = 0; step < 10; ++step) {
        const std::size_t num_broken = breaks.before_step(step, particles).size();
        const double expected = 1 - std::exp(-break_rate * timestep), count = static_cast<double>(num_left);
        const double deviation = std::sqrt(expected * (1 - expected) / count);
        EXPECT_NEAR(static_cast<double>(num_broken) / count, expected, 5 * deviation) << step;
        num_left -= num_broken;
        EXPECT_EQ(num_tethers(particles), 2 * num_left);
    }
}

/// Where each rank has one partner of each pair.
TEST(TetherBreaks, AreTheSameForBothPartners) {
    const TetherBreaks breaks(breaking_world());
    Particles all = tethered_pairs(1000);
    Particles low = half_of(all, 0), high = half_of(all, 1);
    for (std::uint64_t step = 0; step < 5; ++step) {
        const std::vector<Contact> of_low = breaks.before_step(step, low);
        const std::vector<Contact> of_all = breaks.before_step(step, all);
        EXPECT_GT(of_all.size(), 50u);
        EXPECT_EQ(test::first_difference(of_all, of_low), "");
        EXPECT_TRUE(breaks.before_step(step, high).empty());
        EXPECT_EQ(test::first_difference(half_of(all, 0), low), "");
        EXPECT_EQ(test::first_difference(half_of(all, 1), high), "");
    }
}

TEST(TetherBreaks, AreThoseOfTheReference) {
    const TetherBreaks breaks(breaking_world());
    Particles all = tethered_pairs(1000);
    Particles expected = all;
    for (std::uint64_t step = 0; step < 5; ++step) {
        EXPECT_EQ(test::first_difference(
                      test::reference_tether_breaks(ContactRules(breaking_world()), timestep, step, expected),
                      breaks.before_step(step, all)),
                  "");
        EXPECT_EQ(test::first_difference(expected, all), "");
    }
}

/// Each by the rule of its two species.
TEST(TetherBreaks, AreByTheRuleOfEachTether) {
    Particles particles = tethered_pairs(100);
    Motion another;
    another.id = 1000;
    Attributes of_species_1;
    of_species_1.species = 1;
    particles.push_back(another, of_species_1, {});
    particles.track.tethers()[0].add(1000, 1);
    particles.track.tethers()[200].add(0, 0);
    const TetherBreaks breaks(breaking_world(1000));
    const std::vector<Contact> records = breaks.before_step(0, particles);
    ASSERT_EQ(records.size(), 100u);
    EXPECT_EQ(num_tethers(particles), 2u);
    EXPECT_TRUE(particles.track.tethers()[0].holds(1000));
    const Contact& record = records[7];
    EXPECT_EQ(record.key, (ContactKey{0, 0, 14, 15}));
    EXPECT_EQ(record.point, (Vec3{14, 0, 0}));
    EXPECT_EQ(record.effect, ContactEffect::part);
    EXPECT_EQ(record.rule, 4u);
    EXPECT_EQ(record.normal, Vec3{});
    EXPECT_EQ(record.distance, 0);
}

TEST(TetherBreaks, AreNoneWithoutARate) {
    World lasting = test::plain_world();
    lasting.pair_rule = Stick{};
    lasting.timestep = 1e9;
    EXPECT_TRUE(TetherBreaks(lasting).are_none());
    EXPECT_FALSE(TetherBreaks(breaking_world()).are_none());
    Particles particles = tethered_pairs(10);
    EXPECT_TRUE(TetherBreaks(lasting).before_step(0, particles).empty());
    EXPECT_EQ(num_tethers(particles), 20u);
}

}  // namespace
}  // namespace ricochet
