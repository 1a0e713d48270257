// SPDX-License-Identifier: BSD-3-Clause
//
// Brownian spheres among spheres that rest: they are uniform in the space that is left, diffuse as Maxwell's formula
// says, and bind to resting receptors by detailed balance.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <iostream>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "dynamics/brownian.hpp"
#include "dynamics/decays.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/kinetic/engine_choice.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr SpeciesIndex tracer = 0, crowder = 1;

/// Tracers of D = 1 among resting spheres; their centres keep a distance of 1 from those of the spheres.
struct Crowd {
    double fraction = 0;  ///< of the volume that the tracers' centres do not reach
    double edge = 0;      ///< of the box
    double tracer_radius = 0;
    std::size_t num_tracers = 0;
    bool pass = false;  ///< tracers each other

    std::size_t num_crowders() const {
        return static_cast<std::size_t>(
            std::lround(fraction * edge * edge * edge / (4 * std::numbers::pi / 3)));
    }
};

System crowded(const Crowd& crowd, double dt) {
    System system = empty_system("crowd", periodic_box({crowd.edge, crowd.edge, crowd.edge}), dt);
    const double radius = 1 - crowd.tracer_radius;
    system.world =
        world_with({{crowd.tracer_radius, effective_mass(1, dt, 1), 1}, {radius, 1, 1}}, 3, Bounce{});
    system.world->species[crowder].frozen_axes = all_axes;
    if (crowd.pass) set_pair(*system.world, tracer, tracer, Pass{});
    make_brownian(*system.world, dt, dt);
    const Vec3 size = system.box.size;
    fill_at_random(system,
                   {{crowd.tracer_radius, effective_mass(1, dt, 1), crowd.num_tracers},
                    {radius, 1, crowd.num_crowders()}},
                   {}, size, 17);
    AttributeList& all = system.particles.attributes;
    for (std::size_t k = 0; k < all.size(); ++k) {
        all.edit(k).diffusion = 1;
        if (all[k].species == crowder) all.edit(k).frozen_axes = all_axes;
    }
    share_records_of_some(system);
    return system;
}

class BrownianRun {
  public:
    explicit BrownianRun(System system) : run_(std::move(system)) {}

    void run(double time) {
        const System& system = run_.system();
        const auto num_steps = std::lround(time / system.dt);
        for (long k = 0; k < num_steps; ++k) {
            drive_brownian(run_.particles(), 3, system.dt, 5, step_++);
            run_.run(1);
        }
    }
    const Particles& particles() { return run_.particles(); }
    const Box& box() { return run_.system().box; }

  private:
    EngineRun run_;
    std::uint64_t step_ = 0;
};

// --- where tracers are ---------------------------------------------------------------------------------------

/// Shells about the nearest crowder, by the distance of centres.
constexpr std::array<double, 4> shells{1.05, 1.15, 1.3, 1.6};
using Shares = std::array<double, shells.size() + 1>;

std::vector<Vec3> crowders_of(const Particles& particles) {
    std::vector<Vec3> places;
    for (std::size_t k = 0; k < particles.size(); ++k)
        if (particles.attributes[k].species == crowder) places.push_back(particles.motion[k].position);
    return places;
}

double nearest_distance(Vec3 x, std::span<const Vec3> crowders, const ImageLengths& images) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3& centre : crowders) {
        const Vec3 r = minimum_image(centre - x, images);
        nearest = std::min(nearest, dot(r, r));
    }
    return std::sqrt(nearest);
}

std::size_t shell_of(double distance) {
    return static_cast<std::size_t>(std::upper_bound(shells.begin(), shells.end(), distance) -
                                    shells.begin());
}

/// Of points that are uniform in the space that tracers reach.
Shares uniform_shares(const Box& box, std::span<const Vec3> crowders) {
    constexpr int num_points = 400'000;
    HashRandom random(3);
    Shares shares{};
    double sum = 0;
    for (int k = 0; k < num_points; ++k) {
        const Vec3 x{random.uniform(0, box.size.x), random.uniform(0, box.size.y),
                     random.uniform(0, box.size.z)};
        const double distance = nearest_distance(x, crowders, ImageLengths(box));
        if (distance < 1) continue;
        shares[shell_of(distance)] += 1;
        sum += 1;
    }
    for (double& share : shares) share /= sum;
    return shares;
}

void expect_uniform(double dt) {
    constexpr int num_frames = 8;
    const Crowd crowd{.fraction = 0.3, .edge = 10, .tracer_radius = 0.2, .num_tracers = 3000, .pass = true};
    System system = crowded(crowd, dt);
    const std::vector<Vec3> crowders = crowders_of(system.particles);
    const Shares expected = uniform_shares(system.box, crowders);
    BrownianRun spheres(std::move(system));
    Shares counts{};
    for (int frame = 0; frame < num_frames; ++frame) {
        spheres.run(0.4);
        for (std::size_t k = 0; k < spheres.particles().size(); ++k)
            if (spheres.particles().attributes[k].species == tracer)
                counts[shell_of(nearest_distance(spheres.particles().motion[k].position, crowders,
                                                 ImageLengths(spheres.box())))] += 1;
    }
    EXPECT_EQ(crowders_of(spheres.particles()), crowders);
    const double all = num_frames * static_cast<double>(crowd.num_tracers);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const double p = expected[k];
        EXPECT_NEAR(counts[k] / all, p, 4 * std::sqrt(p * (1 - p) / all)) << "shell " << k << ", dt " << dt;
    }
}

/// At s/R = 0.1, 0.3 and 0.9 with s = sqrt(2 D dt).
TEST(RestingCrowders, LeaveSpheresUniform) {
    for (const double step : {0.1, 0.3, 0.9}) expect_uniform(step * step / 2);
}

// --- how they diffuse ----------------------------------------------------------------------------------------

/// D/D0 by the growth of the mean square displacement between times of 6 and 18 R^2/D0, over several origins.
double diffusion_in(const Crowd& crowd, double dt, int num_origins) {
    constexpr double early_time = 6, late_time = 18;
    BrownianRun tracers(crowded(crowd, dt));
    const double share =
        static_cast<double>(crowd.num_tracers) / static_cast<double>(tracers.particles().size());
    double slope = 0;
    for (int k = 0; k < num_origins; ++k) {
        const Particles origin = tracers.particles();
        tracers.run(early_time);
        const double early = mean_square_displacement(tracers.box(), origin, tracers.particles());
        tracers.run(late_time - early_time);
        const double late = mean_square_displacement(tracers.box(), origin, tracers.particles());
        slope += (late - early) / share / (6 * (late_time - early_time)) / num_origins;
    }
    return slope;
}

/// Steps of s/R = 0.4 for a test that is short.
TEST(RestingCrowders, SlowTracersDown) {
    const Crowd crowd{.fraction = 0.2, .edge = 16, .tracer_radius = 0.01, .num_tracers = 2000};
    EXPECT_NEAR(diffusion_in(crowd, 0.08, 2) * (1 + 0.1), 1, 0.06);
}

/// The value at dt = 0 of the line through values at these steps, by least squares in sqrt(dt).
double extrapolated(std::span<const double> steps, std::span<const double> values) {
    const auto n = static_cast<double>(steps.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        x += steps[k] / n;
        y += values[k] / n;
        xx += steps[k] * steps[k] / n;
        xy += steps[k] * values[k] / n;
    }
    return y - (xy - x * y) / (xx - x * x) * x;
}

/// Maxwell: 1 / (1 + phi/2), exact to first order and nearly to second.
TEST(LongRestingCrowders, SlowTracersAsMaxwellSays) {
    constexpr std::array steps{0.1, 0.2, 0.4};
    for (const double fraction : {0.1, 0.2}) {
        const Crowd crowd{.fraction = fraction, .edge = 20, .tracer_radius = 0.001, .num_tracers = 20'000};
        std::array<double, steps.size()> values{};
        for (std::size_t k = 0; k < steps.size(); ++k)
            values[k] = diffusion_in(crowd, steps[k] * steps[k] / 2, 4);
        const double found = extrapolated(steps, values);
        std::cout << "fraction " << fraction << ": D/D0 " << values[0] << " " << values[1] << " " << values[2]
                  << " at s/R 0.1, 0.2, 0.4; extrapolated " << found << ", Maxwell " << 1 / (1 + fraction / 2)
                  << std::endl;
        EXPECT_NEAR(found * (1 + fraction / 2), 1, 0.02);
    }
}

// --- how they bind -------------------------------------------------------------------------------------------

constexpr SpeciesIndex ligand = 0, receptor = 1, bound = 2;

/// Ligands that bind to receptors on a lattice, which rest, and are set free again. All else passes.
struct Binding {
    std::size_t num_ligands = 100;
    int num_along_axis = 4;   ///< receptors
    double spacing = 3;       ///< of the receptors, in contact distances
    double reduced_rate = 5;  ///< h R
    double step = 0.4;        ///< s/R
    double diffusion = 2;

    double edge() const { return spacing * num_along_axis; }
    double timestep() const { return step * step / (2 * diffusion); }
    double rate() const { return 4 * std::numbers::pi * diffusion * reduced_rate; }
    std::size_t num_receptors() const {
        return static_cast<std::size_t>(num_along_axis) * num_along_axis * num_along_axis;
    }
    /// Of bound ligands; half of the receptors are then taken, more or less.
    double decay_rate() const {
        return 0.5 * rate() * static_cast<double>(num_ligands) / std::pow(edge(), 3);
    }
};

System binding_system(const Binding& of) {
    System system = empty_system("receptors", periodic_box({of.edge(), of.edge(), of.edge()}), of.timestep());
    const double mass = of.timestep() / (2 * of.diffusion);
    system.world = world_with(
        {{0.2, mass, of.diffusion}, {0.8, mass, of.diffusion}, {0.8, mass, of.diffusion}}, 3, Pass{});
    for (const SpeciesIndex resting : {receptor, bound})
        system.world->species[resting].frozen_axes = all_axes;
    make_brownian(*system.world, of.timestep(), of.timestep());
    React bind{.first = ligand, .products = {bound, absent_species}};
    bind.rate = of.rate();
    set_pair(*system.world, ligand, receptor, bind, 0);
    system.world->decays = {{bound, {ligand, receptor}, of.decay_rate()}};
    const int n = of.num_along_axis;
    const Vec3 spacing{of.spacing, of.spacing, of.spacing};
    for (const Vec3& site : lattice_sites({n, n, n}, {0, 0, 0}, spacing))
        add_of_species(system, receptor, site);
    HashRandom random(7);
    const auto between = [&] { return of.spacing * (0.5 + static_cast<double>(random.index(4))); };
    for (std::size_t k = 0; k < of.num_ligands; ++k)
        add_of_species(system, ligand, {between(), between(), between()});
    AttributeList& all = system.particles.attributes;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k].species == receptor) all.edit(k).frozen_axes = all_axes;
    return system;
}

/// The mean number of bound ligands. With b of them there are choices of receptors and ligands, K for each bound, and
/// for the others the volume without the spheres about free receptors.
double exact_mean_bound(const Binding& of) {
    const double constant = of.rate() / of.decay_rate(), volume = std::pow(of.edge(), 3);
    const auto num_receptors = static_cast<double>(of.num_receptors());
    const auto num_ligands = static_cast<double>(of.num_ligands);
    double log_weight = 0, sum = 0, sum_of_bound = 0;
    const auto log_room = [&](double b) {
        return (num_ligands - b) * std::log(1 - (num_receptors - b) * (4 * std::numbers::pi / 3) / volume);
    };
    const double first = log_room(0);
    for (double b = 0; b <= std::min(num_receptors, num_ligands); ++b) {
        const double weight = std::exp(log_weight + log_room(b) - first);
        sum += weight;
        sum_of_bound += b * weight;
        log_weight += std::log((num_receptors - b) * (num_ligands - b) / (b + 1) * constant / volume);
    }
    return sum_of_bound / sum;
}

struct Mean {
    double value, standard_error;
};

Mean mean_bound(const Binding& of, std::uint64_t num_steps) {
    constexpr std::uint64_t num_parts = 32;
    std::vector<double> parts(num_parts, 0);
    const System system = binding_system(of);
    MpiExchange exchange{boost::mpi::communicator()};
    Decays decays(exchange, world_of(system));
    const auto engine = make_step_engine(world_of(system), rules_of(system), {});
    const BrownianDrive drive(3, system.dt, 31);
    Particles particles = system.particles;
    decays.start(particles);
    const std::uint64_t first = num_steps / 8, per_part = (num_steps - first) / num_parts;
    for (std::uint64_t step = 0; step < first + num_parts * per_part; ++step) {
        decays.decay({step}, particles);
        drive.before_drift(particles, {step, true});
        resolve_step(*engine, particles, system.dt, 1, step);
        decays.decay({step, true}, particles);
        if (step < first) continue;
        std::size_t count = 0;
        for (const Attributes& attributes : particles.attributes)
            count += attributes.species == bound ? 1 : 0;
        parts[(step - first) / per_part] += static_cast<double>(count) / static_cast<double>(per_part);
    }
    double sum = 0, squares = 0;
    for (const double part : parts) sum += part / num_parts;
    for (const double part : parts) squares += (part - sum) * (part - sum);
    return {sum, std::sqrt(squares / (num_parts * (num_parts - 1)))};
}

void expect_bound(const Binding& of, std::uint64_t num_steps, double tolerance) {
    const double exact = exact_mean_bound(of);
    const auto [mean, standard_error] = mean_bound(of, num_steps);
    std::cout << "s/R " << of.step << ": mean bound " << mean << " +- " << standard_error << ", exact "
              << exact << std::endl;
    EXPECT_NEAR(mean / exact, 1, tolerance + 3 * standard_error / exact);
}

TEST(RestingReceptors, BindByDetailedBalance) { expect_bound({}, 20'000, 0.015); }

TEST(LongRestingReceptors, BindByDetailedBalance) {
    expect_bound({.step = 0.4}, 400'000, 0.01);
    expect_bound({.step = 0.2}, 800'000, 0.01);
}

}  // namespace
}  // namespace ricochet::test
