// SPDX-License-Identifier: BSD-3-Clause
//
// What a Brownian input is said to give.
#include "theory/diffusion_outlook.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

Config brownian(const std::string& box, const std::string& species, const std::string& run) {
    return parse_config("box: {size: " + box + "}\nspecies: [" + species +
                            "]\nunits: {length: nm, time: ns}\ndynamics: {type: brownian, kT: 1}\nrun: {" +
                            run + "}\noutput: {file: a.h5md, trajectory_every: 0, observables_every: 1}\n",
                        "a.yaml");
}

/// Step, volume fraction and duration.
TEST(DiffusionOutlook, DescribesEachSpecies) {
    const Config config =
        brownian("[20, 20, 20]", "{name: ball, radius: 2, diffusion: 0.5, volume_fraction: 0.1}",
                 "timestep: 0.04, steps: 1000");
    const auto outlook = diffusion_outlook(config);
    ASSERT_EQ(outlook.size(), 1u);
    EXPECT_DOUBLE_EQ(outlook[0].diffusion, 0.5);
    EXPECT_DOUBLE_EQ(outlook[0].step_over_radius, 0.1);
    EXPECT_NEAR(outlook[0].fraction, 0.1, 0.003);
    EXPECT_NEAR(outlook[0].diffusion_times, 40 * 6 * 0.5 / 16, 1e-12);
    EXPECT_NEAR(outlook[0].bias.value(), (0.53 + 0.2 * 0.05) * 0.05 * outlook[0].fraction / 0.3, 1e-12);
    const auto text = describe_diffusion(config);
    ASSERT_EQ(text.size(), 1u);
    EXPECT_EQ(
        text[0],
        "ball: D 0.5 nm^2/ns when free, step 0.1 radii (rms along an axis), volume fraction 0.101, time "
        "simulated 40 ns, 7.5 times that to diffuse a diameter, long-time diffusion about 0.9 % too low");
}

TEST(DiffusionOutlook, NotesABiasAboveOnePerCent) {
    const Config config =
        brownian("[20, 20, 20]", "{name: ball, radius: 2, diffusion: 0.5, volume_fraction: 0.3}",
                 "timestep: 0.04, steps: 1000");
    const auto text = describe_diffusion(config);
    ASSERT_EQ(text.size(), 2u);
    EXPECT_EQ(
        text[1],
        "run.timestep: steps of 0.04 make long-time diffusion up to about 2.7 % too low; a quarter of it "
        "halves that");
}

TEST(DiffusionOutlook, IsEmptyForBallistic) {
    Config config = brownian("[20, 20]", "{name: disc, radius: 1, diffusion: 1, volume_fraction: 0.3}",
                             "timestep: 0.01, steps: 1");
    EXPECT_EQ(describe_diffusion(config).size(), 2u);
    config.dynamics.type = DynamicsType::ballistic;
    EXPECT_TRUE(describe_diffusion(config).empty());
}

}  // namespace
}  // namespace ricochet
