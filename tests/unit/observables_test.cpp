// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "model/reorder.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {
namespace {

Box cube(double edge) { return {3, {edge, edge, edge}, {}}; }

World observed_world(const Box& box, std::size_t num_species, std::optional<double> bath_energy = {}) {
    World world{.box = box, .species = std::vector<Species>(num_species)};
    world.bath_energy = bath_energy;
    return world;
}

/// Particles of two species with masses, velocities and places that are no round numbers.
Particles some_particles(std::size_t count) {
    Particles all;
    for (std::size_t id = 0; id < count; ++id) {
        RandomSequence random({7, Stream::velocity, 0}, id);
        const auto symmetric = [&] { return (random.uniform() - 0.5) * std::exp2(20 * random.uniform()); };
        Motion m{{random.uniform(), random.uniform(), random.uniform()}, {}, 0, id};
        m.velocity = {symmetric(), symmetric(), symmetric()};
        Attributes a;
        a.mass = 0.1 + random.uniform();
        a.species = static_cast<SpeciesIndex>(id % 2);
        all.push_back(m, a, {{}, {static_cast<std::int64_t>(random.below(5)) - 2, 0, 1}});
    }
    return all;
}

Attributes of_mass(double mass) {
    Attributes a;
    a.mass = mass;
    return a;
}

Contact pair_contact(SpeciesIndex low, SpeciesIndex high, double impulse, double distance) {
    Contact c;
    c.key = {0.1, 0, 3, 8};
    c.impulse = impulse;
    c.distance = distance;
    c.species_low = low;
    c.species_high = high;
    return c;
}

Contact wall_contact(SpeciesIndex species, unsigned face, double impulse) {
    Contact c = pair_contact(species, wall_species, impulse, 0.5);
    c.key.high = first_obstacle_id + face;
    c.body = static_cast<std::uint16_t>(face);
    return c;
}

TEST(ObservableSums, AreTheSameInAnyOrderAndSplit) {
    const Particles all = some_particles(1000);
    ObservableSums whole(2);
    whole.add_particles(all, cube(1));
    std::vector<std::int64_t> added(whole.integers().size());
    for (std::size_t rank = 0; rank < 7; ++rank) {
        Particles part;
        for (std::size_t k = 0; k < all.size(); ++k)
            if ((k * k) % 7 == rank) part.append(all, k);
        std::vector<std::uint32_t> order(part.size());
        std::iota(order.rbegin(), order.rend(), 0u);
        reorder(part, order);
        ObservableSums sums(2);
        sums.add_particles(part, cube(1));
        const auto integers = sums.integers();
        for (std::size_t k = 0; k < added.size(); ++k) added[k] += integers[k];
    }
    ObservableSums merged(2);
    merged.assign(added);
    EXPECT_EQ(merged.energy(), whole.energy());
    EXPECT_EQ(merged.momentum(), whole.momentum());
    EXPECT_EQ(merged.square_displacement(0), whole.square_displacement(0));
    EXPECT_EQ(merged.square_displacement(1), whole.square_displacement(1));
    EXPECT_EQ(merged.num_particles(0), 500);
    EXPECT_EQ(merged.integers(), whole.integers());
}

/// Integers of another number of species.
TEST(ObservableSums, RefuseOtherSpeciesCounts) {
    ObservableSums two(2);
    EXPECT_THROW(two.assign(ObservableSums(1).integers()), std::logic_error);
}

/// They are those of the particles.
TEST(ObservableSeries, EnergyMomentumTemperature) {
    Particles two;
    two.push_back({{0, 0, 0}, {1, 2, 3}, 0, 0}, of_mass(2), {});
    two.push_back({{0, 0, 0}, {-1, 0, 5}, 0, 1}, of_mass(4), {});
    ObservableSums sums(1);
    sums.add_particles(two, cube(1));
    const ObservableSample sample = ObservableSeries(observed_world(cube(1), 1)).evaluate(sums, 0);
    EXPECT_EQ(sample.energy, 14 + 52);
    EXPECT_EQ(sample.momentum, (Vec3{-2, 4, 26}));
    EXPECT_EQ(sums.mass(), 6);
    // Less the motion of the centre of mass, in three of six degrees of freedom.
    EXPECT_NEAR(sample.temperature, 16.0 / 3, 1e-13);
    EXPECT_TRUE(std::isnan(sample.pressure));
    EXPECT_TRUE(std::isnan(sample.compressibility));
    EXPECT_TRUE(std::isnan(sample.collision_rate));
}

/// The motion of the whole is left out, along periodic axes only.
TEST(ObservableSeries, TemperatureWithoutDrift) {
    Particles two;
    two.push_back({{0, 0, 0}, {1, 2, 3}, 0, 0}, of_mass(2), {});
    two.push_back({{0, 0, 0}, {-1, 0, 5}, 0, 1}, of_mass(4), {});
    ObservableSums sums(1);
    sums.add_particles(two, cube(1));
    const auto temperature = [&](std::array<Boundary, 3> boundary, std::optional<double> bath) {
        return ObservableSeries(observed_world({3, {1, 1, 1}, boundary}, 1, bath))
            .evaluate(sums, 0)
            .temperature;
    };
    using enum Boundary;
    EXPECT_DOUBLE_EQ(temperature({reflecting, reflecting, reflecting}, {}), 2.0 * 66 / 6);
    EXPECT_DOUBLE_EQ(temperature({reflecting, periodic, reflecting}, {}), 2 * (66 - 16 / 12.0) / 5);
    EXPECT_DOUBLE_EQ(temperature({periodic, periodic, periodic}, 1), 2.0 * 66 / 6);
}

/// All its motion counts.
TEST(ObservableSeries, TemperatureOfOneParticle) {
    Particles one;
    one.push_back({{0, 0, 0}, {3, 0, 0}, 0, 0}, of_mass(2), {});
    ObservableSums sums(1);
    sums.add_particles(one, cube(1));
    EXPECT_EQ(ObservableSeries(observed_world(cube(1), 1)).evaluate(sums, 0).temperature, 6);
}

/// The virial is that of the interval.
TEST(ObservableSeries, PressureIsTheVirial) {
    Particles one;
    one.push_back({{0, 0, 0}, {1, 0, 0}, 0, 0}, of_mass(2), {});
    ObservableSums start(1);
    start.add_particles(one, cube(2));
    ObservableSums next(1);
    const std::array contacts{pair_contact(0, 0, 0.5, 3), pair_contact(0, 0, 1.5, 2)};
    next.add_contacts(contacts);
    next.add_particles(one, cube(2));
    ObservableSeries series(observed_world(cube(2), 1));
    series.evaluate(start, 0);
    const ObservableSample sample = series.evaluate(next, 0.25);
    EXPECT_DOUBLE_EQ(sample.pressure, (2.0 * 1 / 3 + (0.5 * 3 + 1.5 * 2) / (3 * 0.25)) / 8);
    EXPECT_DOUBLE_EQ(sample.compressibility, sample.pressure * 8 / (2.0 / 3));
    EXPECT_DOUBLE_EQ(sample.collision_rate, 2 * 2 / (1 * 0.25));
}

/// The walls are at the distance of a radius.
TEST(ObservableSeries, PressureBetweenWalls) {
    const Box closed{3, {2, 2, 2}, {Boundary::reflecting, Boundary::reflecting, Boundary::reflecting}};
    ObservableSeries series(observed_world(closed, 1, 1.5));
    ObservableSums sums(1);
    series.evaluate(sums, 0);
    Contact of_large = wall_contact(0, 3, 0.25);
    of_large.distance = 0.75;
    const std::array contacts{wall_contact(0, 0, 2), of_large};
    sums.add_contacts(contacts);
    EXPECT_DOUBLE_EQ(series.evaluate(sums, 0.5).pressure, (2 * 0.5 + 0.25 * 0.75) / (3 * 0.5) / 8);
}

/// It takes the temperature of the bath.
TEST(ObservableSeries, BrownianPressure) {
    Particles one;
    one.push_back({{0, 0, 0}, {9, 9, 0}, 0, 0}, of_mass(2), {});
    ObservableSums sums(1);
    sums.add_particles(one, cube(2));
    ObservableSeries series(observed_world({2, {2, 5, 0}, {}}, 1, 0.75));
    series.evaluate(sums, 0);
    EXPECT_DOUBLE_EQ(series.evaluate(sums, 1).pressure, 0.75 / 10);
}

/// They are counted from the start.
TEST(ObservableSeries, ContactsByUnorderedPair) {
    ObservableSeries series(observed_world(cube(1), 3));
    ObservableSums sums(3);
    const std::array contacts{pair_contact(2, 1, 1, 1), pair_contact(1, 2, 1, 1), wall_contact(2, 3, 1)};
    sums.add_contacts(contacts);
    series.evaluate(sums, 0);
    const ObservableSample sample = series.evaluate(sums, 1);
    EXPECT_EQ(sample.contacts.at(1, 2), 4);
    EXPECT_EQ(sample.contacts.at(2, 1), 4);
    EXPECT_EQ(sample.contacts.at(wall_species, 2), 2);
    EXPECT_EQ(sample.contacts.at(0, wall_species), 0);
    EXPECT_EQ(series.num_pair_contacts(), 4);
}

/// As if they had been given them.
TEST(ObservableSums, MergeContacts) {
    const std::array first{pair_contact(2, 1, 0.1, 1), wall_contact(2, 3, 0.7)};
    const std::array second{pair_contact(1, 2, 1e-300, 1e300), wall_contact(0, 5, 3)};
    ObservableSums all(3), one(3), other(3);
    all.add_contacts(first);
    all.add_contacts(second);
    one.add_contacts(first);
    other.add_contacts(second);
    one.merge_contacts(other);
    EXPECT_EQ(one.integers(), all.integers());
    one.merge_contacts(ObservableSums(3));
    EXPECT_EQ(one.integers(), all.integers());
}

TEST(ObservableSums, TakesBriefsForRecords) {
    const std::array contacts{pair_contact(2, 1, 0.1, 1.5), wall_contact(2, 3, 0.7), wall_contact(0, 0, 2),
                              pair_contact(0, 2, 3, 0.25)};
    std::array<ContactBrief, contacts.size()> briefs;
    std::transform(contacts.begin(), contacts.end(), briefs.begin(),
                   [](const Contact& c) { return brief_of(c); });
    ObservableSums of_records(3), of_briefs(3);
    of_records.add_contacts(contacts);
    of_briefs.add_contacts(briefs);
    EXPECT_EQ(of_records.integers(), of_briefs.integers());
    EXPECT_EQ(of_briefs.body_impulse(3), 0.7);
    EXPECT_DOUBLE_EQ(of_briefs.virial(), 0.1 * 1.5 + 0.7 * 0.5 + 2 * 0.5 + 3 * 0.25);
}

/// It is momentum per area and time.
TEST(ObservableSeries, WallPressure) {
    Box box{3, {2, 3, 5}, {Boundary::reflecting, Boundary::periodic, Boundary::reflecting}};
    ObservableSeries series(observed_world(box, 1));
    ObservableSums sums(1);
    series.evaluate(sums, 0);
    const std::array contacts{wall_contact(0, 0, 1.5), wall_contact(0, 0, 1.5), wall_contact(0, 5, 7)};
    sums.add_contacts(contacts);
    const ObservableSample sample = series.evaluate(sums, 0.5);
    EXPECT_DOUBLE_EQ(sample.wall_pressure[0], 3 / (3 * 5 * 0.5));
    EXPECT_DOUBLE_EQ(sample.wall_pressure[1], 0);
    EXPECT_TRUE(std::isnan(sample.wall_pressure[2]));
    EXPECT_DOUBLE_EQ(sample.wall_pressure[5], 7 / (2 * 3 * 0.5));
}

/// From the origin.
TEST(ObservableSeries, DisplacementsCountImages) {
    Particles two;
    two.push_back({{0.5, 0.5, 0.5}, {}, 0, 0}, {}, {});
    two.push_back({{0.25, 0.5, 0.5}, {}, 0, 1}, {}, {});
    two.track.set_image(0, {1, 0, -2});
    const Box box = cube(1);
    set_origins(two, box);
    two.track.set_image(0, {2, 0, -2});
    two.motion[1].position.x = 0.75;
    ObservableSums sums(2);
    sums.add_particles(two, box);
    const ObservableSample sample = ObservableSeries(observed_world(box, 2)).evaluate(sums, 0);
    EXPECT_EQ(sample.mean_square_displacement[0], (1.0 + 0.25) / 2);
    EXPECT_TRUE(std::isnan(sample.mean_square_displacement[1]));
}

}  // namespace
}  // namespace ricochet
