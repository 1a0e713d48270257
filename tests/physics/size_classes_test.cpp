// SPDX-License-Identifier: BSD-3-Clause
//
// Classes that stand for drawn radii, against the radii themselves.
#include "theory/size_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "model/size_distribution.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {
namespace {

Config proteins(std::uint64_t count) {
    return parse_config(
        "box: {size: [5000, 5000, 5000]}\nspecies:\n  - {name: one, radius: 2, mass: 1, count: 7}\n"
        "  - {name: many, radius: {lognormal: {median: 3, sigma: 0.5, min: 1, max: 12}}, mass: 1, count: " +
            std::to_string(count) +
            "}\ndynamics: {type: ballistic, kT: 1}\nrun: {timestep: 0.1, steps: 1, seed: 4}\n"
            "output: {file: a.h5md, trajectory_every: 0, observables_every: 1}\n",
        "a.yaml");
}

double moment(const std::vector<WeightedRadius>& radii, int power) {
    double sum = 0;
    for (const auto& [radius, weight] : radii) sum += weight * std::pow(radius, power);
    return sum;
}

TEST(SizeClasses, OfOneRadiusAreOne) {
    const auto radii = typical_radii(world_of(proteins(10)), 0);
    ASSERT_EQ(radii.size(), 1u);
    EXPECT_EQ(radii[0].radius, 2);
    EXPECT_EQ(radii[0].weight, 1);
}

TEST(SizeClasses, HaveTheMomentsOfDrawnRadii) {
    for (const std::uint64_t count : {1u, 2u, 300u}) {
        const Config config = proteins(count);
        const auto radii = typical_radii(world_of(config), 1);
        EXPECT_NEAR(moment(radii, 0), 1, 1e-12);
        for (const int power : {1, 2, 3}) {
            double drawn = 0;
            for (ParticleId id = 7; id < 7 + count; ++id)
                drawn += std::pow(radius_of(config.species[1], 4, id), power) / static_cast<double>(count);
            EXPECT_NEAR(moment(radii, power) / drawn, 1, 1e-4) << count << " radii, power " << power;
        }
    }
}

TEST(SizeClasses, OfVeryManyAreThoseOfTheLaw) {
    const Config config = proteins(100'000'000);
    const auto radii = typical_radii(world_of(config), 1);
    EXPECT_LT(radii.size(), 100u);
    EXPECT_NEAR(moment(radii, 3) / mean_power_of_radius(*config.species[1].radius_distribution, 3), 1, 0.01);
}

}  // namespace
}  // namespace ricochet
