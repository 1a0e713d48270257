// SPDX-License-Identifier: BSD-3-Clause
//
// Small waves in a cold, uniform, self-gravitating medium: they grow as cosh(t (4 pi G rho)^1/2), whatever their length
// (Jeans, Phil. Trans. R. Soc. A 199 (1902) 1; Binney & Tremaine, Galactic Dynamics, section 5.2).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/gravity_systems.hpp"

namespace ricochet {
namespace {

using test::GravitySystem;

/// A lattice with sites one apart, displaced along x by a wave of which the box has one.
struct Wave {
    GravitySystem system;
    std::vector<double> sites, velocities;

    Wave(const Box& box, GravityForm form, double amplitude) {
        system = {.name = "wave", .box = box, .law = {form, 1, 0}};
        const int along = static_cast<int>(box.size.x), rows = static_cast<int>(box.size.y);
        const int layers = box.dimension == 2 ? 1 : static_cast<int>(box.size.z);
        for (int k = 0; k < along * rows * layers; ++k) {
            const double x = k % along + 0.5;
            const int row = k / along % rows, layer = k / along / rows;
            sites.push_back(x);
            system.sources.push_back({{x + amplitude * std::sin(2 * std::numbers::pi * x / box.size.x),
                                       row + 0.5, box.dimension == 2 ? 0 : layer + 0.5},
                                      1,
                                      static_cast<ParticleId>(k)});
        }
        velocities.assign(sites.size(), 0);
    }

    double amplitude() const {
        double sum = 0;
        for (std::size_t k = 0; k < sites.size(); ++k)
            sum += (system.sources[k].position.x - sites[k]) *
                   std::sin(2 * std::numbers::pi * sites[k] / system.box.size.x);
        return 2 * sum / static_cast<double>(sites.size());
    }
    /// Kick, drift, kick along x.
    void run(double time, int num_steps, GravityMethod method, double opening) {
        SerialExchange alone;
        SelfGravity gravity(alone, system.box, {system.law, method, opening});
        std::vector<GravityField> fields;
        const double dt = time / num_steps;
        const auto kick = [&](double half) {
            for (std::size_t k = 0; k < sites.size(); ++k) velocities[k] += half * fields[k].acceleration.x;
        };
        ASSERT_FALSE(gravity.find_fields(system.sources, WithPotential::no, fields));
        for (int step = 0; step < num_steps; ++step) {
            kick(0.5 * dt);
            for (std::size_t k = 0; k < sites.size(); ++k) system.sources[k].position.x += dt * velocities[k];
            ASSERT_FALSE(gravity.find_fields(system.sources, WithPotential::no, fields));
            kick(0.5 * dt);
        }
    }
};

/// The growth rate over Jeans's, from what has become of a wave after two times of growth.
double relative_rate(const Box& box, GravityForm form, GravityMethod method, double opening) {
    // of masses one apart: by Gauss's law 4 pi G rho, in two dimensions by the law `inverse` 2 pi G sigma
    const double rate = std::sqrt((form == GravityForm::inverse ? 2 : 4) * std::numbers::pi);
    Wave wave(box, form, 1e-3);
    const double before = wave.amplitude();
    wave.run(2 / rate, 40, method, opening);
    return std::acosh(wave.amplitude() / before) / 2;
}

TEST(JeansGrowth, WavesGrowAtTheirRate) {
    const double cube = relative_rate(test::periodic_box({32, 4, 4}), GravityForm::inverse_square,
                                      GravityMethod::direct, 0.8);
    const double flat =
        relative_rate(test::periodic_box({32, 4, 0}), GravityForm::inverse, GravityMethod::direct, 0.8);
    const double tree =
        relative_rate(test::periodic_box({16, 4, 4}), GravityForm::inverse_square, GravityMethod::tree, 0.2);
    std::printf("rates over Jeans's: %.5f in space, %.5f in the plane, %.5f by the tree\n", cube, flat, tree);
    EXPECT_NEAR(cube, 1, 0.01);
    EXPECT_NEAR(flat, 1, 0.01);
    EXPECT_NEAR(tree, 1, 0.01);
}

}  // namespace
}  // namespace ricochet
