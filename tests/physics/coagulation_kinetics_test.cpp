// SPDX-License-Identifier: BSD-3-Clause
//
// A + A -> A and A + A -> 0 at every encounter, against the theory of their kinetics.
//
// D = 1, radius 1/2, number density n0, at most 0.001 (volume fraction 5e-4). Spheres meet at R = 1. Smoluchowski's
// theory is n = n0 / (1 + k n0 t / 2), without the 2 where both end, with k = 4 pi 2 D R and k t (1 + 2 R / sqrt(2 pi D
// t)) for k t. Half-lives are those of k alone. Steps are s = sqrt(4 D dt) long.
//
// This theory sees each pair alone. Two that are close to each other both lack partners, and so each pair outlives what
// it would outlive apart. The first correction is Kirkwood's superposition: X, the pair correlation, obeys
//     X_t = 2 D laplace X - 2 n K X J,    J(r) = mean of X - 1 over the sphere of radius R about one of the partners,
// without the 2 for A + A -> A, with K the flow to contact and n' = -n^2 K (half of it). E. Kotomin and V. Kuzovkov,
// Modern Aspects of Diffusion-Controlled Reactions, Comprehensive Chemical Kinetics 34 (Elsevier 1996). At n0 = 0.001 n
// is then 1 to 3 % lower. The difference falls about as the root of n0. At a tenth of this density runs must therefore
// agree with Smoluchowski's theory itself.
//
// Tolerance: 1 % of n, and 3 standard errors. These are of the master equation of mixed particles, by its linear noise:
// variance N/3 (1 - (N/N0)^3), twice that where both end (N. G. van Kampen, Stochastic Processes in Physics and
// Chemistry, chapter X).
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include "dynamics/brownian.hpp"
#include "placement/placement.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double rate_constant = 8 * pi, dense = 0.001, dilute = 0.0001;

// --- theory --------------------------------------------------------------------------------------------------

/// The pair correlation X of particles at density n, by radius in contact distances. Implicit steps on a grid that is
/// fine at contact. `events`: pairs lost per reaction of a particle with a third, 1 where both end, else 1/2.
class PairCorrelation {
  public:
    PairCorrelation(double density, double events, bool is_alone)
        : events_(events), is_alone_(is_alone), density_(density) {
        x_[0] = 0;
        for (std::size_t i = 0; i < num_radii; ++i) {
            constexpr double finest = 0.05, widest = 400;
            const double share = static_cast<double>(i) / (num_radii - 1);
            r_.push_back(1 + finest * std::expm1(share * std::log(1 + (widest - 1) / finest)));
        }
        for (std::size_t i = 0; i + 1 < num_radii; ++i) {
            const double middle = 0.5 * (r_[i] + r_[i + 1]);
            flow_.push_back(diffusion * middle * middle / (r_[i + 1] - r_[i]));
        }
    }

    double advanced_to(double time) {
        while (time_ < time) advance(std::min({time - time_, 0.5, std::max(1e-4, 0.02 * time_)}));
        return density_;
    }

  private:
    static constexpr std::size_t num_radii = 600;
    static constexpr double diffusion = 2;

    double flow_to_contact() const { return 4 * pi * flow_[0] * x_[1]; }
    double volume(std::size_t i) const {
        const auto cube = [](double a) { return a * a * a / 3; };
        return cube(0.5 * (r_[i] + r_[i + 1])) - cube(0.5 * (r_[i] + r_[i - 1]));
    }

    /// The integral of (X - 1) r from 1 to all radii.
    std::vector<double> integrals() const {
        std::vector<double> sums{0};
        for (std::size_t i = 1; i < num_radii; ++i)
            sums.push_back(sums.back() +
                           0.5 * ((x_[i] - 1) * r_[i] + (x_[i - 1] - 1) * r_[i - 1]) * (r_[i] - r_[i - 1]));
        return sums;
    }
    double integral_to(double r, const std::vector<double>& sums) const {
        if (r < 1) return 0.5 * (1 - r * r);  // no particle is there
        const auto above = std::upper_bound(r_.begin(), r_.end(), r);
        if (above == r_.end()) return sums.back();
        const auto i = static_cast<std::size_t>(above - r_.begin());
        return std::lerp(sums[i - 1], sums[i], (r - r_[i - 1]) / (r_[i] - r_[i - 1]));
    }

    void advance(double dt) {
        const double flow_before = flow_to_contact();
        const std::vector<double> sums = integrals();
        // Thomas' algorithm, from contact, where X = 0, outwards; X = 1 far away.
        std::vector<double> factor(num_radii, 0), part(num_radii, 0);
        for (std::size_t i = 1; i + 1 < num_radii; ++i) {
            const double r = r_[i], mean = (integral_to(r + 1, sums) - integral_to(r - 1, sums)) / (2 * r);
            const double loss = is_alone_ ? 0 : 2 * events_ * density_ * flow_before * mean;
            const double pivot = volume(i) * (1 / dt + loss) + flow_[i] + flow_[i - 1] * (1 - factor[i - 1]);
            factor[i] = flow_[i] / pivot;
            part[i] = (volume(i) / dt * x_[i] + flow_[i - 1] * part[i - 1]) / pivot;
        }
        for (std::size_t i = num_radii - 1; i-- > 1;) x_[i] = part[i] + factor[i] * x_[i + 1];
        const double flow = time_ > 0 ? 0.5 * (flow_before + flow_to_contact()) : flow_to_contact();
        density_ /= 1 + events_ * density_ * flow * dt;
        time_ += dt;
    }

    double events_;
    bool is_alone_;
    double density_, time_ = 0;
    std::vector<double> r_, flow_, x_ = std::vector<double>(num_radii, 1.0);
};

struct Kinetics {
    bool both_end;
    std::uint64_t count;
    double step;  ///< s / R
    double density = dense;

    double timestep() const { return step * step / 4; }
    double half_life() const { return (both_end ? 1 : 2) / (rate_constant * density); }
    double by_smoluchowski(double time) const {
        const double transient = 1 + 2 / std::sqrt(2 * pi * time);
        return static_cast<double>(count) /
               (1 + rate_constant * density * time * transient / (both_end ? 1 : 2));
    }
    double standard_error(double expected_left) const {
        const double share = expected_left / static_cast<double>(count);
        return std::sqrt((both_end ? 2 : 1) * expected_left / 3 * (1 - share * share * share));
    }
};

/// The equation for pairs alone has a known solution.
TEST(CoagulationKinetics, SolverFindsSmoluchowski) {
    for (const bool both_end : {false, true}) {
        const Kinetics of{both_end, 1, 0};
        PairCorrelation alone(dense, both_end ? 1 : 0.5, true);
        for (const double half_lives : {0.5, 1.0, 2.0, 4.0}) {
            const double time = half_lives * of.half_life();
            EXPECT_NEAR(alone.advanced_to(time) / dense, of.by_smoluchowski(time), 1e-3);
        }
    }
}

// --- runs ----------------------------------------------------------------------------------------------------

System suspension(const Kinetics& of, std::uint64_t seed) {
    const double edge = std::cbrt(static_cast<double>(of.count) / of.density);
    System system;
    system.name = "suspension";
    system.box = periodic_box({edge, edge, edge});
    system.dt = of.timestep();
    const double mass = 0.5 * system.dt;  // of D = 1
    system.world = world_with({{0.5, mass, 1}}, 3, Bounce{});
    make_brownian(*system.world, system.dt, system.dt);
    const SpeciesIndex product = of.both_end ? absent_species : 0;
    set_pair(*system.world, 0, 0, React{.first = 0, .products = {product, absent_species}}, 0);
    Species species;
    species.radius = 0.5;
    species.diffusion = 1;
    species.count = of.count;
    MpiExchange exchange{boost::mpi::communicator()};
    World start{.box = system.box, .species = {species}};
    start.seed = seed;
    system.particles = place_at_random(start, exchange).particles;
    system.particles.attributes.change_all([mass](Attributes& attributes) {
        attributes.mass = mass;
        attributes.diffusion = 1;
    });
    return system;
}

enum class Theory { superposition, smoluchowski };

void expect_kinetics(const Kinetics& of, std::uint64_t seed, Theory theory = Theory::superposition) {
    EngineRun run(suspension(of, seed));
    PairCorrelation pairs(of.density, of.both_end ? 1 : 0.5, false);
    std::uint64_t step = 0;
    for (const double half_lives : {0.5, 1.0, 2.0, 4.0}) {
        const double time = half_lives * of.half_life();
        for (; static_cast<double>(step) * of.timestep() < time; ++step) {
            drive_brownian(run.particles(), 3, of.timestep(), seed, step);
            run.run(1);
        }
        const double left = static_cast<double>(run.particles().size());
        const double superposed = pairs.advanced_to(time) / of.density * static_cast<double>(of.count);
        const double alone = of.by_smoluchowski(time);
        const double expected = theory == Theory::superposition ? superposed : alone;
        const double standard_error = of.standard_error(expected);
        std::cout << "A + A -> " << (of.both_end ? "0" : "A") << ", n0 " << of.density << ", s/R " << of.step
                  << ", " << half_lives << " half-lives: " << left << " of " << of.count
                  << " left, ratio to superposition " << left / superposed << ", to Smoluchowski's "
                  << left / alone << ", +- " << standard_error / expected << std::endl;
        EXPECT_NEAR(left, expected, 3 * standard_error + 0.01 * expected);
    }
}

TEST(CoagulationKinetics, FollowsTheory) {
    expect_kinetics({false, 20'000, 0.5}, 1);
    expect_kinetics({true, 20'000, 0.5}, 2);
}

/// At a tenth of the density, with the same tolerance.
TEST(CoagulationKinetics, AgreesIfDilute) {
    expect_kinetics({false, 20'000, 0.7, dilute}, 5, Theory::smoluchowski);
    expect_kinetics({true, 20'000, 0.7, dilute}, 6, Theory::smoluchowski);
}

TEST(LongCoagulationKinetics, AgreesIfDilute) {
    for (const double step : {0.5, 0.35}) {
        expect_kinetics({true, 100'000, step, dilute}, 7, Theory::smoluchowski);
        expect_kinetics({false, 100'000, step, dilute}, 8, Theory::smoluchowski);
    }
}

/// At 0.0003.
TEST(LongCoagulationKinetics, FollowsTheoryBetween) {
    expect_kinetics({true, 100'000, 0.5, 0.0003}, 9);
    expect_kinetics({false, 100'000, 0.5, 0.0003}, 10);
}

TEST(LongCoagulationKinetics, FollowsTheory) {
    for (const double step : {0.2, 0.4}) {
        expect_kinetics({false, 100'000, step}, 3);
        expect_kinetics({true, 100'000, step}, 4);
    }
}

}  // namespace
}  // namespace ricochet::test
