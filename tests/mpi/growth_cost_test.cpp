// SPDX-License-Identifier: BSD-3-Clause
//
// What `check` says of growth before it happens, held against what happens: contacts and steps, and no times.
#include "run/growth_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/math.hpp"
#include "parallel/serial_exchange.hpp"
#include "placement/population.hpp"
#include "run/growth.hpp"
#include "tests/support/placement_checks.hpp"

namespace ricochet::test {
namespace {

struct Grown {
    Box box;
    std::vector<Species> species;
    double from = 0.3;

    double fraction() const {
        double volume = 0;
        for (const Species& s : species)
            volume += static_cast<double>(s.count) * mean_content(s, box.dimension);
        return volume / box.volume();
    }
};

/// What place_by_growth needs of a start.
struct Measured {
    GrownPlacement grown;
    GrowthCost foretold;
};

Measured measure(const Grown& of, double rate) {
    SerialExchange exchange;
    const Population population(of.species, 5);
    const Sizes sizes = global_sizes(of.box, of.box.volume(), population, exchange);
    const double part = of.from / sizes.volume_fraction;
    const double first_scale = of.box.dimension == 2 ? std::sqrt(part) : std::cbrt(part);
    return {place_by_growth(of.box, population, {rate, first_scale, sizes.largest}, exchange),
            cost_of_growth(of.box, sizes, population.size(), {rate, of.from})};
}

void expect_foretold(const Grown& of, double rate) {
    SCOPED_TRACE(testing::Message() << of.box.dimension << "D, fraction " << of.fraction() << ", rate "
                                    << rate);
    const auto [grown, foretold] = measure(of, rate);
    EXPECT_TRUE(grown.is_complete);
    const double contacts = foretold.contacts_per_particle / grown.contacts_per_particle;
    const double steps = foretold.num_steps / static_cast<double>(grown.num_steps);
    EXPECT_GT(contacts, 1 / 1.3);
    EXPECT_LT(contacts, 1.3);
    EXPECT_GT(steps, 1 / 1.5);
    EXPECT_LT(steps, 1.5);
}

Grown spheres(std::uint64_t count) { return {cube(9.6), {particles_of(0.5, count)}}; }
Grown discs(std::uint64_t count) { return {square(26), {particles_of(0.5, count)}}; }

TEST(GrowthCost, FollowsContactsOfSpheres) {
    for (const double rate : {1.0, 0.3, 0.1, 0.02}) expect_foretold(spheres(676), rate);  // 0.40
    for (const double rate : {0.3, 0.1, 0.02}) expect_foretold(spheres(930), rate);       // 0.55
    for (const double rate : {0.1, 0.02}) expect_foretold(spheres(1031), rate);           // 0.61
}

TEST(GrowthCost, FollowsContactsOfDiscs) {
    for (const double rate : {1.0, 0.3, 0.1, 0.02}) expect_foretold(discs(474), rate);  // 0.55
    for (const double rate : {0.3, 0.1, 0.02}) expect_foretold(discs(603), rate);       // 0.70
    for (const double rate : {0.1, 0.02}) expect_foretold(discs(690), rate);            // 0.80
}

TEST(GrowthCost, FollowsContactsOfOthers) {
    expect_foretold({cube(10), {particles_of(0.5, 560), particles_of(0.7, 200)}}, 0.05);
    expect_foretold({cube(12), {particles_of(0.5, 600)}, 0.05}, 0.1);
}

/// Of fits, at the rates they are from.
TEST(GrowthCost, KnowsWhereEqualParticlesJam) {
    EXPECT_NEAR(jammed_fraction(3, 1), 0.500, 0.005);
    EXPECT_NEAR(jammed_fraction(3, 0.1), 0.622, 0.005);
    EXPECT_NEAR(jammed_fraction(3, 0.001), 0.649, 0.002);
    EXPECT_NEAR(jammed_fraction(2, 1), 0.664, 0.005);
    EXPECT_NEAR(jammed_fraction(2, 0.1), 0.833, 0.005);
    EXPECT_NEAR(jammed_fraction(2, 0.01), 0.872, 0.005);
}

/// Of a start that jams, the time until it does.
TEST(GrowthCost, EndsWhereTheyJam) {
    const auto [grown, foretold] = measure(spheres(1140), 0.1);  // 0.675
    EXPECT_FALSE(grown.is_complete);
    EXPECT_NEAR(foretold.contacts_per_particle / grown.contacts_per_particle, 1, 0.3);
}

/// A particle takes longer where they do not fit into the cache.
TEST(GrowthCost, CountsMemory) {
    const auto seconds_per_particle = [](double edge, std::uint64_t count) {
        SerialExchange exchange;
        const Box box = cube(edge);
        const Sizes sizes =
            global_sizes(box, box.volume(), Population({particles_of(0.5, count)}, 5), exchange);
        return cost_of_growth(box, sizes, count, {0.1, 0.3}).cpu_seconds / static_cast<double>(count);
    };
    EXPECT_DOUBLE_EQ(seconds_per_particle(10, 1000), seconds_per_particle(20, 8000));
    EXPECT_GT(seconds_per_particle(100, 1'000'000), 1.4 * seconds_per_particle(10, 1000));
}

}  // namespace
}  // namespace ricochet::test
