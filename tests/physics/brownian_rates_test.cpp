// SPDX-License-Identifier: BSD-3-Clause
//
// Brownian reactions at intrinsic rates against theory. Walkers start at 1.3 contact distances from a partner at rest,
// or at a gap of 0.3 from a wall. How many are captured until time 1?
//
// D = 1 and the contact distance R = 1. A sphere that absorbs captures (R/r) erfc((r - R)/sqrt(4 D t)). The radiation
// boundary condition is Collins' and Kimball's. In 2D the diffusion equation is solved numerically. The solver is held
// against the solutions that are known. Steps are s = sqrt(2 D dt) = 0.1 to 0.5 long.
//
// Tolerance: 4 standard errors, and 1 % for the rule's own error with spheres and discs. At walls it has none.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <numbers>
#include <vector>

#include "core/math.hpp"
#include "dynamics/brownian.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double at_once = std::numeric_limits<double>::infinity();
constexpr double start_gap = 0.3, time_of_all = 1;
constexpr std::array<SpeciesIndex, 2> nothing{absent_species, absent_species};

// --- theory --------------------------------------------------------------------------------------------------

/// By a plane with the boundary condition S' = h S: walls, and spheres with h + 1/R in place of h.
double captured_by_plane(double h, double gap, double time) {
    const double z = gap / std::sqrt(4 * time);
    if (h == at_once) return std::erfc(z);
    return std::erfc(z) - std::exp(-z * z) * fixed::erfcx(z + h * std::sqrt(time));
}

double captured_by_sphere(double h, double gap, double time) {
    const double part = h == at_once ? 1 : h / (1 + h);
    return part / (1 + gap) * captured_by_plane(h + 1, gap, time);
}

/// x in a x[i - 1] + b x[i] + c x[i + 1] = d.
std::vector<double> solve_tridiagonal(const std::vector<double>& a, std::vector<double> b,
                                      const std::vector<double>& c, std::vector<double> d) {
    const std::size_t n = b.size();
    for (std::size_t i = 1; i < n; ++i) {
        const double factor = a[i] / b[i - 1];
        b[i] -= factor * c[i - 1];
        d[i] -= factor * d[i - 1];
    }
    d[n - 1] /= b[n - 1];
    for (std::size_t i = n - 1; i-- > 0;) d[i] = (d[i] - c[i] * d[i + 1]) / b[i];
    return d;
}

/// Survival by start radius, S_t = S'' + (d - 1)/r S', S' = h S at 1: Crank and Nicolson after a few implicit steps.
class RadialDiffusion {
  public:
    RadialDiffusion(int dimension, double h) : dimension_(dimension), h_(h), survival_(num_radii, 1.0) {}

    double captured(double gap, double time) {
        constexpr int num_steps = 2000;
        for (int k = 0; k < num_steps; ++k) advance(time / num_steps, k < 4 ? 1 : 0.5);
        return 1 - survival_[static_cast<std::size_t>(std::lround(gap / spacing))];
    }

  private:
    static constexpr std::size_t num_radii = 2001;
    static constexpr double spacing = 0.005;

    void advance(double dt, double implicit) {
        std::vector<double> a(num_radii), b(num_radii, 1), c(num_radii), d = survival_;
        for (std::size_t i = 0; i + 1 < num_radii; ++i) {
            if (i == 0 && h_ == at_once) {
                d[0] = 0;
                continue;
            }
            const double r = 1 + spacing * static_cast<double>(i);
            const double flat = 1 / (spacing * spacing), bent = (dimension_ - 1) / (2 * r * spacing);
            double inner = flat - bent, self = -2 * flat, outer = flat + bent;
            if (i == 0) {  // S[-1] = S[1] - 2 h spacing S[0]
                self -= 2 * h_ * spacing * inner;
                outer += inner;
                inner = 0;
            }
            const double flow =
                inner * (i > 0 ? survival_[i - 1] : 0) + self * survival_[i] + outer * survival_[i + 1];
            a[i] = -implicit * dt * inner;
            b[i] = 1 - implicit * dt * self;
            c[i] = -implicit * dt * outer;
            d[i] += (1 - implicit) * dt * flow;
        }
        survival_ = solve_tridiagonal(a, b, c, d);
    }

    int dimension_;
    double h_;
    std::vector<double> survival_;
};

/// In 1D and 3D, where the solutions are known.
TEST(BrownianRates, SolverFindsKnownSolutions) {
    for (const double h : {1.0, 10.0, at_once}) {
        EXPECT_NEAR(RadialDiffusion(1, h).captured(start_gap, time_of_all),
                    captured_by_plane(h, start_gap, time_of_all), 2e-4);
        EXPECT_NEAR(RadialDiffusion(3, h).captured(start_gap, time_of_all),
                    captured_by_sphere(h, start_gap, time_of_all), 2e-4);
    }
}

// --- runs ----------------------------------------------------------------------------------------------------

/// Until time 1; the number of particles that are left.
std::size_t left_after_run(System system, int num_steps) {
    const int dimension = system.box.dimension;
    const double dt = system.dt;
    EngineRun run(std::move(system));
    for (int step = 0; step < num_steps; ++step) {
        drive_brownian(run.particles(), dimension, dt, 17, static_cast<std::uint64_t>(step));
        run.run(1);
    }
    return run.particles().size();
}

void add(System& system, SpeciesIndex species, Vec3 x) {
    const Species& matter = system.rules->species(species);
    add_particle(system, x, {}, matter.radius, matter.mass);
    Attributes& attributes = system.particles.attributes.edit(system.particles.size() - 1);
    attributes.species = species;
    attributes.diffusion = matter.diffusion;
}

/// Bounces for a start; species 0 walks, species 1 is at rest.
System brownian_system(const Box& box, double radius, double step) {
    System system;
    system.name = "walkers";
    system.box = box;
    system.dt = 0.5 * step * step;
    system.rules = rules_for({{radius, 0.5 * system.dt, 1}, {radius, 1e300, 0}}, box.dimension, Bounce{});
    system.rules->set_energy_time(system.dt);
    system.rules->set_timestep(system.dt);
    return system;
}

Vec3 random_direction(HashRandom& random, int dimension) {
    const double z = dimension == 3 ? random.uniform(-1, 1) : 0, angle = random.uniform(0, 2 * pi);
    const double s = std::sqrt(1 - z * z);
    return {s * std::cos(angle), s * std::sin(angle), z};
}

struct RateCase {
    double h;     ///< rate / (surface D), times R; infinite: absorbing
    double step;  ///< s / R
};

struct Captured {
    std::size_t count, num_walkers;
};

void expect_captured(double exact, const Captured& captured, double own_error, const std::string& what) {
    const auto n = static_cast<double>(captured.num_walkers);
    const double found = static_cast<double>(captured.count) / n;
    const double standard_error = std::sqrt(exact * (1 - exact) / n);
    std::cout << what << ": captured " << found << ", exact " << exact << ", ratio " << found / exact
              << " +- " << standard_error / exact << "\n";
    EXPECT_NEAR(found, exact, 4 * standard_error + own_error * exact) << what;
}

std::string text_of(int dimension, const RateCase& rate) {
    return std::to_string(dimension) + "D, h R " + std::to_string(rate.h) + ", s/R " +
           std::to_string(rate.step);
}

/// Pairs on a lattice, too far from each other to matter. `only_chords`: as if contacts were all there is.
Captured capture_by_partners(int dimension, const RateCase& rate, bool only_chords = false) {
    constexpr double spacing = 14;
    const bool has_few_steps = rate.step > 0.15;
    const int n = dimension == 3 ? (has_few_steps ? 54 : 40) : (has_few_steps ? 400 : 250);
    const double edge = n * spacing;
    System system = brownian_system(periodic_box({edge, edge, dimension == 3 ? edge : 0}), 0.5, rate.step);
    React capture{0, nothing};
    capture.rate = (dimension == 3 ? 4 * pi : 2 * pi) * rate.h;
    system.rules->set_pair(0, 1, capture, 0);
    if (only_chords) system.rules->set_timestep(0);
    HashRandom random(23);
    for (int k = 0; k < (dimension == 3 ? n * n * n : n * n); ++k) {
        Vec3 x = spacing * Vec3{k % n + 0.5, k / n % n + 0.5, dimension == 3 ? k / (n * n) + 0.5 : 0};
        add(system, 1, x);
        add(system, 0, x + (1 + start_gap) * random_direction(random, dimension));
    }
    const std::size_t num_pairs = system.particles.size() / 2;
    const int num_steps = static_cast<int>(std::lround(time_of_all / system.dt));
    return {num_pairs - left_after_run(std::move(system), num_steps) / 2, num_pairs};
}

const std::vector<RateCase> cases{{at_once, 0.1}, {at_once, 0.2}, {at_once, 0.5}, {10, 0.1}, {10, 0.2},
                                  {10, 0.5},      {1, 0.1},       {1, 0.2},       {1, 0.5}};

class BrownianRateCases : public testing::TestWithParam<RateCase> {};

TEST_P(BrownianRateCases, CaptureBySpheres) {
    expect_captured(captured_by_sphere(GetParam().h, start_gap, time_of_all),
                    capture_by_partners(3, GetParam()), 0.01, text_of(3, GetParam()));
}

TEST_P(BrownianRateCases, CaptureByDiscs) {
    expect_captured(RadialDiffusion(2, GetParam().h).captured(start_gap, time_of_all),
                    capture_by_partners(2, GetParam()), 0.01, text_of(2, GetParam()));
}

/// Points do not meet each other.
TEST_P(BrownianRateCases, CaptureByWalls) {
    constexpr std::size_t num_walkers = 100'000;
    System system = brownian_system(walled_box({16, 1e5, 0}, {0}), 0, GetParam().step);
    React capture{0, nothing};
    capture.rate = GetParam().h;
    system.rules->set_wall_face(0, 0, capture, 0);
    HashRandom random(29);
    for (std::size_t k = 0; k < num_walkers; ++k) add(system, 0, {start_gap, random.uniform(0, 1e5), 0});
    const int num_steps = static_cast<int>(std::lround(time_of_all / system.dt));
    const std::size_t num_left = left_after_run(std::move(system), num_steps);
    expect_captured(captured_by_plane(GetParam().h, start_gap, time_of_all),
                    Captured{num_walkers - num_left, num_walkers}, 0, "wall, " + text_of(1, GetParam()));
}

/// Teeth: without what happens between chords, an absorbing sphere captures some 8 % too few.
TEST(BrownianRates, ChordsAloneCaptureTooFew) {
    const Captured captured = capture_by_partners(3, {at_once, 0.2}, true);
    EXPECT_LT(static_cast<double>(captured.count) / static_cast<double>(captured.num_walkers),
              0.96 * captured_by_sphere(at_once, start_gap, time_of_all));
}

INSTANTIATE_TEST_SUITE_P(All, BrownianRateCases, testing::ValuesIn(cases));

}  // namespace
}  // namespace ricochet::test
