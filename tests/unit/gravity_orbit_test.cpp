// SPDX-License-Identifier: BSD-3-Clause
//
// Motion by kick-drift-kick: the energy of Kepler's orbit oscillates and does not drift (V19), and that of a cluster by
// the tree stays as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/math.hpp"
#include "tests/support/gravity_systems.hpp"

namespace ricochet {
namespace {

using test::fields_of;
using test::GravitySystem;
using test::plummer_sphere;
using test::walled_box;

/// Two masses, 1 and 1/4, on an orbit of semi-major axis 1 about their centre of mass, G = 1.
class KeplerOrbit {
  public:
    KeplerOrbit(double eccentricity, int steps_per_orbit, GravityMethod method)
        : gravity_(exchange_, walled_box({8, 8, 8}), {{}, method, 0.8}) {
        constexpr double total = 1.25;
        dt_ = 2 * fixed::pi / std::sqrt(total) / steps_per_orbit;
        // From the apocentre.
        const double distance = 1 + eccentricity;
        const double speed = std::sqrt(total * (1 - eccentricity) / (1 + eccentricity));
        pair_ = {{{4 - distance * 0.2, 4, 4}, 1, 0}, {{4 + distance * 0.8, 4, 4}, 0.25, 1}};
        velocities_ = {Vec3{0, -0.2 * speed, 0}, Vec3{0, 0.8 * speed, 0}};
        find_fields();
        first_energy_ = energy();
    }

    void step() {
        kick();
        for (std::size_t k = 0; k < 2; ++k)
            pair_[k].position = advanced(pair_[k].position, velocities_[k], dt_);
        find_fields();
        kick();
    }
    /// (E - E_0)/|E_0|
    double energy_error() const { return (energy() - first_energy_) / std::abs(first_energy_); }
    double angular_momentum() const {
        double sum = 0;
        for (std::size_t k = 0; k < 2; ++k) {
            const Vec3 x = pair_[k].position - Vec3{4, 4, 4}, v = velocities_[k];
            sum += pair_[k].mass * (x.x * v.y - x.y * v.x);
        }
        return sum;
    }

  private:
    void find_fields() { gravity_.find_fields(pair_, WithPotential::yes, fields_); }
    void kick() {
        for (std::size_t k = 0; k < 2; ++k)
            velocities_[k] = advanced(velocities_[k], fields_[k].acceleration, 0.5 * dt_);
    }
    double energy() const {
        double sum = 0;
        for (std::size_t k = 0; k < 2; ++k)
            sum += 0.5 * pair_[k].mass * (dot(velocities_[k], velocities_[k]) + fields_[k].potential);
        return sum;
    }

    SerialExchange exchange_;
    SelfGravity gravity_;
    double dt_, first_energy_ = 0;
    std::vector<GravitySource> pair_;
    std::vector<Vec3> velocities_;
    std::vector<GravityField> fields_;
};

/// Relative to the energy at the first apocentre.
struct EnergyError {
    double largest = 0;   ///< of any step: at pericentres
    double of_orbit = 0;  ///< the largest mean of an orbit
    double mean = 0;
};

EnergyError error_over(KeplerOrbit& orbit, int num_orbits, int steps_per_orbit) {
    EnergyError error;
    for (int k = 0; k < num_orbits; ++k) {
        double mean = 0;
        for (int step = 0; step < steps_per_orbit; ++step) {
            orbit.step();
            error.largest = std::max(error.largest, std::abs(orbit.energy_error()));
            mean += orbit.energy_error() / steps_per_orbit;
        }
        error.of_orbit = std::max(error.of_orbit, std::abs(mean));
        error.mean += mean / num_orbits;
    }
    return error;
}

/// The step's own error, which oscillates with the orbit, is 1.05e-4 at pericentres and 7.6e-6 on average. It must not
/// grow: the same later as at first.
void expect_bounded_energy(int num_orbits) {
    KeplerOrbit orbit(0.5, 1000, GravityMethod::tree);
    const double angular_momentum = orbit.angular_momentum();
    const EnergyError early = error_over(orbit, num_orbits / 10, 1000);
    error_over(orbit, num_orbits - 2 * (num_orbits / 10), 1000);
    const EnergyError late = error_over(orbit, num_orbits / 10, 1000);
    for (const EnergyError& error : {early, late}) {
        EXPECT_LT(error.largest, 1.1e-4);
        EXPECT_LT(error.of_orbit, 1e-5);
    }
    EXPECT_NEAR(late.largest, early.largest, 1e-7);
    EXPECT_NEAR(late.of_orbit, early.of_orbit, 1e-8);
    EXPECT_NEAR(late.mean, early.mean, 1e-9) << early.mean;
    EXPECT_NEAR(orbit.angular_momentum(), angular_momentum, 1e-10);
}

TEST(GravityOrbit, EnergyIsBounded) { expect_bounded_energy(40); }

// V19: 1e4 orbits.
TEST(LongGravityOrbit, EnergyIsBounded) { expect_bounded_energy(10000); }

TEST(GravityOrbit, ErrorIsOfSecondOrder) {
    KeplerOrbit coarse(0.5, 500, GravityMethod::direct), fine(0.5, 1000, GravityMethod::direct);
    const double ratio = error_over(coarse, 1, 500).largest / error_over(fine, 1, 1000).largest;
    EXPECT_NEAR(ratio, 4, 0.1);
}

/// A leaf sums over pairs too.
TEST(GravityOrbit, TreeAndPairsAgree) {
    KeplerOrbit tree(0.7, 300, GravityMethod::tree), direct(0.7, 300, GravityMethod::direct);
    for (int step = 0; step < 900; ++step) {
        tree.step();
        direct.step();
        ASSERT_EQ(tree.energy_error(), direct.energy_error());
    }
}

struct Balance {
    double energy = 0;
    Vec3 momentum;
};

Balance balance_of(const GravitySystem& system, const std::vector<Vec3>& velocities,
                   const std::vector<GravityField>& fields) {
    Balance sum;
    for (std::size_t k = 0; k < velocities.size(); ++k) {
        const double mass = system.sources[k].mass;
        sum.energy += 0.5 * mass * (dot(velocities[k], velocities[k]) + fields[k].potential);
        sum.momentum = sum.momentum + mass * velocities[k];
    }
    return sum;
}

// A cluster that collapses from rest. Its momentum, which should stay 0, is compared with the sum of all impulses.
TEST(GravityOrbit, ClusterKeepsItsEnergy) {
    GravitySystem system = plummer_sphere(2000);
    system.law = {.constant = 1.0 / 2000, .softening = 0.05};
    constexpr double dt = 0.005;
    std::vector<Vec3> velocities(system.sources.size());
    std::vector<GravityField> fields = fields_of(system);
    const double first = balance_of(system, velocities, fields).energy;
    double momentum = 0;
    for (int step = 0; step < 300; ++step) {
        for (std::size_t k = 0; k < velocities.size(); ++k) {
            velocities[k] = advanced(velocities[k], fields[k].acceleration, 0.5 * dt);
            system.sources[k].position = advanced(system.sources[k].position, velocities[k], dt);
        }
        fields = fields_of(system);
        for (std::size_t k = 0; k < velocities.size(); ++k) {
            velocities[k] = advanced(velocities[k], fields[k].acceleration, 0.5 * dt);
            momentum += system.sources[k].mass * dt * norm(fields[k].acceleration);
        }
    }
    const Balance last = balance_of(system, velocities, fields);
    double kinetic = 0;
    for (std::size_t k = 0; k < velocities.size(); ++k)
        kinetic += 0.5 * system.sources[k].mass * dot(velocities[k], velocities[k]);
    EXPECT_GT(kinetic, 0.1 * std::abs(first));
    EXPECT_NEAR(last.energy, first, 1e-3 * std::abs(first));
    EXPECT_LT(norm(last.momentum), 5e-4 * momentum);
}

}  // namespace
}  // namespace ricochet
