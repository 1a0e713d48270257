// SPDX-License-Identifier: BSD-3-Clause
//
// Small Brownian particles within curved surfaces against theory. D = 1 and the radius within which centres are is
// R = 1; steps are s = sqrt(2 D dt) long.
//
// Many balls of one size stand on a lattice, each with a few particles in it, which pass each other. Balls are
// farther apart than reactions reach, so each particle is a run of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <numbers>
#include <vector>

#include "dynamics/brownian.hpp"
#include "geometry/body_room.hpp"
#include "tests/support/engine_run.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/rule_systems.hpp"

namespace ricochet::test {
namespace {

constexpr double pi = std::numbers::pi;

Vec3 random_direction(HashRandom& random) {
    const double angle = random.uniform(0, 2 * pi);
    return {std::cos(angle), std::sin(angle), 0};
}

double timestep_of(double step) { return 0.5 * step * step; }

constexpr double radius = 1e-3;  // of the particles
constexpr int particles_per_vesicle = 400;

/// Particles at random within shells of radius 1, n in each direction, `per_ball` in each.
System points_in_balls(double step, int n, int per_ball, std::uint64_t seed) {
    const double spacing = 2 + 7 * step;
    System system;
    system.name = "balls";
    system.box = periodic_box({n * spacing, n * spacing, n * spacing});
    system.dt = timestep_of(step);
    system.world = world_with({{radius, 0.5 * system.dt, 1}}, 3, Pass{});
    make_brownian(*system.world, system.dt, system.dt);
    HashRandom random(seed);
    for (int k = 0; k < n * n * n; ++k) {
        const Vec3 centre = spacing * Vec3{k % n + 0.5, k / n % n + 0.5, k / (n * n) + 0.5};
        system.world->bodies.push_back({"", BodySphere{centre, 1 + radius}, BodySide::both});
        for (int count = 0; count < per_ball;) {
            const Vec3 x{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            if (!(norm(x) < 1)) continue;
            add_of_species(system, 0, centre + x);
            ++count;
        }
    }
    return system;
}

class BrownianRun {
  public:
    BrownianRun(System system, int dimension, std::uint64_t seed = 17)
        : dt_(system.dt), dimension_(dimension), seed_(seed), run_(std::move(system)) {}
    void run_until(double time) {
        for (; (static_cast<double>(step_) + 0.5) * dt_ < time; ++step_) {
            drive_brownian(run_.particles(), dimension_, dt_, seed_, step_);
            run_.run(1);
        }
    }
    double timestep() const { return dt_; }
    double time() const { return static_cast<double>(step_) * dt_; }
    const Particles& particles() { return run_.particles(); }
    double count() { return static_cast<double>(particles().size()); }

  private:
    double dt_;
    int dimension_;
    std::uint64_t seed_, step_ = 0;
    EngineRun run_;
};

/// At kappa R/D = 1 the slowest mode sin(k r)/r has k = pi/2, and decays at pi^2/4. The next one is gone at 0.3.
void expect_rate_of_absorption(double step, int n, int per_ball) {
    System system = points_in_balls(step, n, per_ball, 31);
    React absorb{0, nothing};
    absorb.rate = 1;
    std::vector<BodyNumber> bodies;
    for (std::size_t k = 0; k < system.world->bodies.size(); ++k)
        bodies.push_back(static_cast<BodyNumber>(first_body + k));
    system.world->rules.push_back({0, wall_species, absorb, 0, bodies});
    BrownianRun run(std::move(system), 3);
    run.run_until(0.3);
    const double before = run.count(), begin = run.time();
    run.run_until(1.1);
    const double duration = run.time() - begin;
    const double rate = std::log(before / run.count()) / duration, exact = 0.25 * pi * pi;
    const double standard_error = std::sqrt(1 / run.count() - 1 / before) / duration;
    std::cout << "s/R " << step << ": rate " << rate << ", exact " << exact << ", ratio " << rate / exact
              << " +- " << standard_error / exact << std::endl;
    EXPECT_NEAR(rate, exact, 0.02 * exact + 4 * standard_error);
}

// --- membranes ------------------------------------------------------------------------------------------------

/// Two chambers of length 1 side by side, all particles in one. The plane between them has the permeability kappa.
System two_chambers(double step, double kappa, int count) {
    System system;
    system.name = "chambers";
    system.box = walled_box({2 + 2 * radius, 1e5, 0}, {0});
    system.dt = timestep_of(step);
    system.world = world_with({{radius, 0.5 * system.dt, 1}}, 2, Bounce{});
    make_brownian(*system.world, system.dt, system.dt);
    system.world->bodies.push_back({"membrane", BodyPlane{{1 + radius, 0, 0}, {1, 0, 0}}, BodySide::both});
    system.world->rules.push_back({0, wall_species, Pass{.rate = kappa}, 0, {first_body}});
    HashRandom random(37);
    for (int k = 0; k < count; ++k)
        add_of_species(system, 0, {radius + random.uniform(), random.uniform(0, 1e5), 0});
    return system;
}

/// k of the slowest mode cos(k (1 - |x|)): k tan(k) = 2 kappa.
double slowest_mode(double kappa) {
    double low = 0, high = 0.5 * pi;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (middle * std::tan(middle) < 2 * kappa ? low : high) = middle;
    }
    return low;
}

/// Of the numbers in both chambers, over the number in all.
double difference(BrownianRun& run) {
    double sum = 0;
    for (const Motion& motion : run.particles().motion) sum += motion.position.x < 1 + radius ? 1 : -1;
    return sum / run.count();
}

void expect_relaxation(double step, double kappa, int count) {
    BrownianRun run(two_chambers(step, kappa, count), 2);
    const double rate_of_mode = std::pow(slowest_mode(kappa), 2);
    run.run_until(0.3);
    const double before = difference(run), begin = run.time();
    run.run_until(0.3 + 1.2 / rate_of_mode);
    const double after = difference(run), duration = run.time() - begin;
    const double rate = std::log(before / after) / duration;
    const double standard_error =
        std::sqrt((1 / (after * after) - 1 / (before * before)) / run.count()) / duration;
    std::cout << "kappa " << kappa << ", s/L " << step << ": rate " << rate << ", exact " << rate_of_mode
              << ", ratio " << rate / rate_of_mode << " +- " << standard_error / rate_of_mode << std::endl;
    EXPECT_NEAR(rate, rate_of_mode, 0.02 * rate_of_mode + 4 * standard_error);
}

/// A body that particles may pass, in the middle of a box of this edge.
struct Vesicle {
    BodyShape shape;
    double volume;
    double area;

    static constexpr double edge = 4;

    double share() const { return volume / (edge * edge * edge); }
    bool has(Vec3 place) const { return clearance({"", shape, BodySide::inside}, place) > 0; }
};

const Vesicle round_vesicle{BodySphere{{2, 2, 2}, 1}, 4 * pi / 3, 4 * pi};
const Vesicle long_vesicle{BodyCapsule{{1.5, 2, 2}, {2.5, 2, 2}, 1}, pi + 4 * pi / 3, 2 * pi + 4 * pi};
const Vesicle edged_vesicle{BodyBox{{1.2, 1.1, 1}, {2.8, 2.6, 3}}, 1.6 * 1.5 * 2, 2 * (2.4 + 3.2 + 3)};

/// The share of particles that are inside after a time. At the start they are anywhere, or inside.
double share_inside(const Vesicle& vesicle, double step, double kappa, int num_runs, double time,
                    bool all_inside) {
    constexpr double edge = Vesicle::edge;
    double sum = 0;
    int num_samples = 0;
    for (int k = 0; k < num_runs; ++k) {
        System system;
        system.box = periodic_box({edge, edge, edge});
        system.dt = timestep_of(step);
        system.world =
            world_with({{radius, 0.5 * system.dt, 1}}, 3, all_inside ? ContactRule(Pass{}) : Bounce{});
        make_brownian(*system.world, system.dt, system.dt);
        system.world->seed = static_cast<std::uint64_t>(k) + 1;
        system.world->bodies.push_back({"vesicle", vesicle.shape, BodySide::both});
        system.world->rules.push_back({0, wall_species, Pass{.rate = kappa}, 0, {first_body}});
        HashRandom random(41 + static_cast<std::uint64_t>(k));
        while (static_cast<int>(system.particles.size()) < particles_per_vesicle) {
            const Vec3 x{random.uniform(0, edge), random.uniform(0, edge), random.uniform(0, edge)};
            if (!all_inside || vesicle.has(x)) add_of_species(system, 0, x);
        }
        BrownianRun run(std::move(system), 3, static_cast<std::uint64_t>(k));
        run.run_until(time);
        for (const Motion& motion : run.particles().motion) sum += vesicle.has(motion.position) ? 1 : 0;
        num_samples += particles_per_vesicle;
    }
    return sum / num_samples;
}

/// As many particles are within a vesicle as its share of the volume says.
void expect_even_sides(const Vesicle& vesicle, double step, double kappa, int num_runs) {
    const double share = vesicle.share();
    const double found = share_inside(vesicle, step, kappa, num_runs, 2, false);
    const double standard_error = std::sqrt(share * (1 - share) / (particles_per_vesicle * num_runs));
    std::cout << "kappa " << kappa << ", s/R " << step << ": inside over even " << found / share << " +- "
              << standard_error / share << std::endl;
    EXPECT_NEAR(found, share, 4 * standard_error);
}

/// A vesicle from which particles leave slowly: both sides are well mixed, and the difference of their densities decays
/// at kappa area (1/inside + 1/outside).
void expect_slow_relaxation(const Vesicle& vesicle, double step, double kappa, int num_runs) {
    const double share = vesicle.share();
    const double rate = kappa * vesicle.area / (vesicle.volume * (1 - share)), time = 1 / rate;
    const double inside = share_inside(vesicle, step, kappa, num_runs, time, true);
    const double left = (inside - share) / (1 - share), found = -std::log(left) / time;
    const double standard_error =
        std::sqrt(inside * (1 - inside) / (particles_per_vesicle * num_runs)) / (inside - share) / time;
    std::cout << "kappa " << kappa << ", s/R " << step << ": rate over that of theory " << found / rate
              << " +- " << standard_error / rate << std::endl;
    EXPECT_NEAR(found, rate, 0.06 * rate + 4 * standard_error);
}

// --- pores ------------------------------------------------------------------------------------------------------

/// The mean time until particles that start anywhere in a ball leave it by a pore of radius 0.1, which absorbs. Those
/// that are left at the end go on leaving as before.
double mean_time_to_exit(double step, int n, int per_ball, double time, double& standard_error) {
    System system = points_in_balls(step, n, per_ball, 43);
    std::vector<BodyNumber> pores;
    std::vector<Body>& bodies = system.world->bodies;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const auto& ball = std::get<BodySphere>(bodies[k].shape);
        bodies[k].patches.push_back({"pore", ball.centre + Vec3{0, ball.radius, 0}, 0.1});
        pores.push_back(static_cast<BodyNumber>(first_body + bodies.size() + k));
    }
    system.world->rules.push_back({0, wall_species, React{0, nothing}, 0, pores});
    BrownianRun run(std::move(system), 3);
    const double start = run.count();
    double sum = 0, before = start;
    for (double until = 0.1; until < time; until += 0.1) {
        const double begin = run.time();
        run.run_until(until);
        sum += 0.5 * (before + run.count()) * (run.time() - begin);
        before = run.count();
    }
    standard_error = 1 / std::sqrt(start - before);
    return sum / (start - before);  // as of an exponential law, seen for a time
}

void expect_exit(double step, int n, int per_ball, double time, double tolerance) {
    constexpr double exact = 10.91;
    double standard_error = 0;
    const double mean = mean_time_to_exit(step, n, per_ball, time, standard_error);
    std::cout << "s/R " << step << ": mean time to exit " << mean << ", exact " << exact << ", ratio "
              << mean / exact << " +- " << standard_error << std::endl;
    EXPECT_NEAR(mean / exact, 1, tolerance);
}

// --- reflection -------------------------------------------------------------------------------------------------

/// The shares of particles in two parts of a body, each of which has half of its volume or a tenth.
struct Part {
    const char* name;
    double volume;
    bool (*has)(Vec3 place);
};

/// Where the particles of a body are in the end that were anywhere at the start.
void expect_uniform(const Body& body, const std::vector<Part>& parts, double step, int num_runs) {
    constexpr int count = 50;
    std::vector<double> found(parts.size());
    for (int k = 0; k < num_runs; ++k) {
        System system;
        system.box = walled_box({6, 6, 6}, {0, 1, 2});
        system.dt = timestep_of(step);
        system.world = world_with({{radius, 0.5 * system.dt, 1}}, 3, Pass{});
        make_brownian(*system.world, system.dt, system.dt);
        system.world->bodies = {body};
        HashRandom random(47 + static_cast<std::uint64_t>(k));
        while (system.particles.size() < count) {
            const Vec3 x{random.uniform(0, 6), random.uniform(0, 6), random.uniform(0, 6)};
            if (clearance(body, x) > radius) add_of_species(system, 0, x);
        }
        BrownianRun run(std::move(system), 3, static_cast<std::uint64_t>(k));
        run.run_until(std::max(20 * run.timestep(), 0.3));
        for (std::size_t p = 0; p < parts.size(); ++p)
            for (const Motion& motion : run.particles().motion)
                found[p] += parts[p].has(motion.position) ? 1 : 0;
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const double share = found[p] / (count * num_runs), volume = parts[p].volume;
        const double standard_error = std::sqrt(volume * (1 - volume) / (count * num_runs));
        std::cout << "s/R " << step << ", " << parts[p].name << ": over even " << share / volume << " +- "
                  << standard_error / volume << std::endl;
        EXPECT_NEAR(share, volume, 4 * standard_error) << step << parts[p].name;
    }
}

double distance_from_axis(Vec3 x) { return norm(x - Vec3{std::clamp(x.x, 2.0, 4.0), 3, 3}); }

/// Volumes of the half and the tenth are those of balls; of the capsule of radius 1 and length 2 by its formula.
void expect_uniform_density(double step, int num_runs) {
    expect_uniform({"ball", BodySphere{{3, 3, 3}, 1 + radius}, BodySide::inside},
                   {{"inner half", 0.5,
                     [](Vec3 x) {
                         return norm(x - Vec3{3, 3, 3}) < std::cbrt(0.5);
                     }},
                    {"outer tenth", 0.1,
                     [](Vec3 x) {
                         return norm(x - Vec3{3, 3, 3}) > std::cbrt(0.9);
                     }}},
                   step, num_runs);
    expect_uniform({"capsule", BodyCapsule{{2, 3, 3}, {4, 3, 3}, 1 + radius}, BodySide::inside},
                   {{"middle", 0.6, [](Vec3 x) { return std::abs(x.x - 3) < 1; }},
                    {"rim", 1 - (2 * 0.81 + 4 * 0.729 / 3) / (2 + 4.0 / 3),
                     [](Vec3 x) { return distance_from_axis(x) > 0.9; }}},
                   step, num_runs);
}

/// Points that fly among discs of radius 1 at random, which overlap: the Lorentz gas in two dimensions.
void expect_lorentz_gas(std::size_t num_points, double time, double tolerance_of_path,
                        double tolerance_of_diffusion) {
    constexpr double edge = 500, density = 0.02;
    System system;
    system.box = periodic_box({edge, edge, 0});
    system.dt = 10;
    system.world = world_with({{radius, 1}}, 2, Pass{});
    HashRandom random(53);
    BodySpheres discs;
    for (int k = 0; k < density * edge * edge; ++k)
        discs.spheres.push_back({{random.uniform(0, edge), random.uniform(0, edge), 0}, 1 - radius});
    system.world->bodies.push_back({"discs", discs});
    World world = *system.world;
    world.box = system.box;
    const BodyRoom room(world);
    while (system.particles.size() < num_points) {
        const Vec3 x{random.uniform(0, edge), random.uniform(0, edge), 0};
        if (room.keeps_off(x, radius)) add_of_species(system, 0, x, random_direction(random));
    }
    EngineRun run(std::move(system));
    std::vector<Vec3> start;
    const auto place_of = [&](std::size_t k) {
        const auto image = run.particles().track.image(k);
        const Vec3 x = run.particles().motion[k].position;
        return Vec3{x.x + edge * static_cast<double>(image[0]), x.y + edge * static_cast<double>(image[1]),
                    0};
    };
    for (std::size_t k = 0; k < num_points; ++k) start.push_back(place_of(k));
    const auto mean_square = [&] {
        double sum = 0;
        for (std::size_t k = 0; k < num_points; ++k)
            sum += dot(place_of(k) - start[k], place_of(k) - start[k]);
        return sum / static_cast<double>(num_points);
    };
    const int num_steps = static_cast<int>(time / 10), num_before = num_steps / 4;
    CollisionSums contacts = run.run(num_before);
    const double before = mean_square();
    contacts += run.run(num_steps - num_before);
    const double path =
        static_cast<double>(num_points) * 10 * num_steps / static_cast<double>(contacts.num_wall);
    const double diffusion = (mean_square() - before) / (4 * 10 * (num_steps - num_before));
    std::cout << "mean free path " << path << ", exact 25; D " << diffusion << ", expected 8.41" << std::endl;
    EXPECT_NEAR(path, 25, 25 * tolerance_of_path);
    EXPECT_NEAR(diffusion, 8.41, 8.41 * tolerance_of_diffusion);
}

TEST(BodyPhysics, DensityIsUniformInside) {
    for (const double step : {0.3, 1.0}) expect_uniform_density(step, 12);
}

TEST(BodyPhysics, PointsFlyAmongDiscs) { expect_lorentz_gas(4000, 1000, 0.01, 0.12); }

TEST(BodyPhysics, ExitByAPore) { expect_exit(0.05, 6, 2, 6, 0.3); }

TEST(BodyPhysics, AbsorptionWithinABall) {
    for (const double step : {0.1, 0.2, 0.4}) expect_rate_of_absorption(step, step < 0.15 ? 10 : 14, 8);
}

TEST(BodyPhysics, RelaxationThroughAMembrane) {
    expect_relaxation(0.2, 1, 30'000);
    expect_relaxation(0.2, 10, 30'000);
    expect_relaxation(0.4, 10, 30'000);
}

TEST(BodyPhysics, BothSidesOfAVesicleAreAlike) {
    expect_even_sides(round_vesicle, 0.3, 5, 80);
    expect_even_sides(long_vesicle, 0.3, 5, 80);
    expect_even_sides(edged_vesicle, 0.3, 5, 80);
}

TEST(BodyPhysics, LeavesACapsuleSlowly) { expect_slow_relaxation(long_vesicle, 0.3, 0.05, 8); }

TEST(LongBodyPhysics, AbsorptionWithinABall) {
    for (const double step : {0.05, 0.1, 0.2, 0.4}) expect_rate_of_absorption(step, 38, 8);
}

TEST(LongBodyPhysics, DensityIsUniformInside) {
    for (const double step : {0.1, 0.3, 1.0, 3.0}) expect_uniform_density(step, 500);
}

TEST(LongBodyPhysics, PointsFlyAmongDiscs) { expect_lorentz_gas(40'000, 4000, 0.01, 0.03); }

TEST(LongBodyPhysics, ExitByAPore) { expect_exit(0.0075, 8, 16, 14, 0.04); }

TEST(LongBodyPhysics, RelaxationThroughAMembrane) {
    for (const double kappa : {1.0, 10.0})
        for (const double step : {0.05, 0.1, 0.2, 0.4}) expect_relaxation(step, kappa, 400'000);
}

TEST(LongBodyPhysics, BothSidesOfAVesicleAreAlike) {
    for (const double kappa : {1.0, 10.0})
        for (const double step : {0.1, 0.2, 0.4})
            for (const Vesicle& vesicle : {round_vesicle, long_vesicle, edged_vesicle})
                expect_even_sides(vesicle, step, kappa, 1000);
}

}  // namespace
}  // namespace ricochet::test
