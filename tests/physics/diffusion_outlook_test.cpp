// SPDX-License-Identifier: BSD-3-Clause
//
// What a Brownian input is said to give, against Brownian dynamics of equal spheres at volume fraction 0.3.
#include "ricochet/app/diffusion_outlook.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace ricochet {
namespace {

TEST(DiffusionOutlook, BiasIsThatOfSimulations) {
    constexpr double extrapolated = 0.494;
    const std::array<std::pair<double, double>, 4> measured{
        {{0.4, 0.374}, {0.2, 0.438}, {0.1, 0.467}, {0.05, 0.481}}};
    for (const auto& [step, diffusion] : measured) {
        const double bias = 1 - diffusion / extrapolated;
        EXPECT_NEAR(bias_of_diffusion(0.3, step).value(), bias, 0.08 * bias) << step;
    }
}

TEST(DiffusionOutlook, BiasVanishesWithTheFractionAndIsUnknownBeyondTheTable) {
    EXPECT_EQ(bias_of_diffusion(0, 0.1), 0);
    EXPECT_NEAR(bias_of_diffusion(0.05, 0.1).value(), 0.055 * 0.1 / 0.9, 1e-12);
    EXPECT_TRUE(bias_of_diffusion(0.4, 0.1).has_value());
    EXPECT_FALSE(bias_of_diffusion(0.41, 0.1).has_value());
}

Config brownian(const std::string& box, const std::string& species, const std::string& run) {
    return parse_config("box: {size: " + box + "}\nspecies: [" + species +
                            "]\nunits: {length: nm, time: ns}\ndynamics: {type: brownian, kT: 1}\nrun: {" +
                            run + "}\noutput: {file: a.h5md, trajectory_every: 0, observables_every: 1}\n",
                        "a.yaml");
}

TEST(DiffusionOutlook, SaysStepFractionAndDurationOfEachSpecies) {
    const Config config =
        brownian("[20, 20, 20]", "{name: ball, radius: 2, diffusion: 0.5, volume_fraction: 0.1}",
                 "timestep: 0.04, steps: 1000");
    const auto outlook = diffusion_outlook(config, 0.1);
    ASSERT_EQ(outlook.size(), 1u);
    EXPECT_DOUBLE_EQ(outlook[0].diffusion, 0.5);
    EXPECT_DOUBLE_EQ(outlook[0].step_over_radius, 0.1);
    EXPECT_NEAR(outlook[0].fraction, 0.1, 0.003);
    EXPECT_NEAR(outlook[0].diffusion_times, 40 * 6 * 0.5 / 16, 1e-12);
    EXPECT_NEAR(outlook[0].bias.value(), 0.55 * 0.05 * 0.2 / 0.8, 1e-12);
    const auto text = describe_diffusion(config, 0.1);
    ASSERT_EQ(text.size(), 1u);
    EXPECT_EQ(
        text[0],
        "ball: D 0.5 nm^2/ns when free, step 0.1 radii (rms along an axis), volume fraction 0.101, time "
        "simulated 40 ns, 7.5 times that to diffuse a diameter, long-time diffusion about 0.69 % too low");
}

TEST(DiffusionOutlook, NotesABiasAboveOnePerCent) {
    const Config config =
        brownian("[20, 20, 20]", "{name: ball, radius: 2, diffusion: 0.5, volume_fraction: 0.3}",
                 "timestep: 0.04, steps: 1000");
    const auto text = describe_diffusion(config, 0.3);
    ASSERT_EQ(text.size(), 2u);
    EXPECT_EQ(
        text[1],
        "run.timestep: steps of 0.04 make long-time diffusion up to about 2.8 % too low; a quarter of it "
        "halves that");
}

TEST(DiffusionOutlook, SaysNoBiasOfDiscsAndNothingOfBallisticParticles) {
    Config config = brownian("[20, 20]", "{name: disc, radius: 1, diffusion: 1, volume_fraction: 0.3}",
                             "timestep: 0.01, steps: 1");
    EXPECT_EQ(diffusion_outlook(config, 0.3).at(0).bias, std::nullopt);
    config.dynamics.type = DynamicsType::ballistic;
    EXPECT_TRUE(describe_diffusion(config, 0.3).empty());
}

}  // namespace
}  // namespace ricochet
