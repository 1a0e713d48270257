// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "app/plan_text.hpp"
#include "core/readable.hpp"
#include "plan/growth_outlook.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "run/drives.hpp"
#include "run/measured_summary.hpp"
#include "run/start.hpp"
#include "theory/contact_rate.hpp"

namespace ricochet {
namespace {

/// A box of equal spheres, or Brownian ones of many sizes; `rest` are lines of the run section.
Config config_of(const std::string& species, const std::string& dynamics, const std::string& run) {
    return parse_config("box: {size: [40, 20, 20]}\nspecies: [" + species + "]\ndynamics: {" + dynamics +
                            "}\nrun: {" + run + "}\noutput: {trajectory_every: 10, observables_every: 4}\n",
                        "input.yaml");
}

const std::string spheres = "{name: ball, radius: 0.5, mass: 1, count: 6000}";
const std::string proteins =
    "{name: p, radius: {lognormal: {median: 0.4, sigma: 0.3, min: 0.2, max: 1}}, "
    "diffusion: {stokes_einstein: {viscosity: 0.1}}, count: 4000}";

Config gas(const std::string& timestep) {
    return config_of(spheres, "type: ballistic, kT: 1", "timestep: " + timestep + ", steps: 25");
}

void expect_to_resemble(const Config& config) {
    MpiExchange exchange{boost::mpi::communicator()};
    Start start = make_start(exchange, config);
    make_drives(config).start(start.particles);
    const ParticleSummary measured = measured_summary(exchange, config, start.particles);
    const ParticleSummary expected = expected_summary(config);
    EXPECT_EQ(measured.num_particles, expected.num_particles);
    EXPECT_LE(measured.largest_radius, expected.largest_radius);
    EXPECT_NEAR(measured.largest_displacement / expected.largest_displacement, 1, 0.25);
    EXPECT_NEAR(measured.mean_reach / expected.mean_reach, 1, 0.02);
    EXPECT_NEAR(measured.mean_radius / expected.mean_radius, 1, 0.02);
    EXPECT_NEAR(measured.fraction / expected.fraction, 1, 0.05);
}

TEST(Plan, ExpectedParticlesResembleThePlacedOnes) {
    expect_to_resemble(gas("0.1"));
    expect_to_resemble(config_of(proteins, "type: brownian, kT: 1", "timestep: 0.01, steps: 1"));
}

/// `delaunay` takes several copies of each sphere where there are few: fewer than 125 in a cube.
TEST(Plan, SaysWhereThereAreFewSpheres) {
    const auto text = [](const std::string& size, const std::string& count, int num_ranks) {
        const Config config = parse_config(
            "box: {size: " + size + "}\nspecies: [{name: a, radius: 0.5, mass: 1, count: " + count +
                "}]\ndynamics: {type: ballistic, kT: 1}\nrun: {timestep: 0.1, steps: 1}\n"
                "search: {method: delaunay}\noutput: {trajectory_every: 1, observables_every: 1}\n",
            "input.yaml");
        const ParticleSummary particles = expected_summary(config);
        return describe(config, particles, make_plan(config, particles, num_ranks));
    };
    using testing::HasSubstr;
    const std::string words = "several copies of fewer than";
    EXPECT_THAT(text("[20, 20, 20]", "124", 1), HasSubstr(words + " 125 spheres on a rank"));
    EXPECT_THAT(text("[20, 20, 20]", "125", 1), testing::Not(HasSubstr(words)));
    EXPECT_THAT(text("[60, 20, 20]", "374", 1), HasSubstr(words + " 375"));
    EXPECT_THAT(text("[60, 20, 20]", "375", 1), testing::Not(HasSubstr(words)));
    EXPECT_THAT(text("[60, 20, 20]", "375", 6), HasSubstr(words));
    EXPECT_THAT(text("[20, 20]", "10", 1), testing::Not(HasSubstr(words)));
}

TEST(Plan, CountsOutputs) {
    const Config config = gas("0.1");
    const RunPlan plan = make_plan(config, expected_summary(config), 1);
    EXPECT_EQ(plan.num_frames, 4u);   // 0, 10, 20, 25
    EXPECT_EQ(plan.num_samples, 8u);  // 0, 4, ... 24, 25
    EXPECT_EQ(plan.bytes_per_frame, 6000u * 84);
}

TEST(Plan, CountsTheMemoryOfWhatARunKeeps) {
    Config config = gas("0.1");
    config.output.collisions = CollisionChoice::none;
    config.output.trajectory_every = 0;
    const ParticleSummary particles = expected_summary(config);
    const auto bytes = [&](int num_ranks) { return make_plan(config, particles, num_ranks).bytes_per_rank; };
    const double process = 29e6 + 6000 * 300;
    const double alone = bytes(1);
    EXPECT_NEAR(alone - process, 6000 * 205 + *particles.contacts_per_step * 90, 1);
    EXPECT_LT(bytes(2), alone);
    config.output.trajectory_every = 10;
    const double with_frames = bytes(1);
    EXPECT_NEAR(with_frames - alone, 6000 * 27, 1);
    config.placement.method = PlacementMethod::dense;
    EXPECT_NEAR(bytes(1) - process, 6000 * 740, 1);
    EXPECT_NEAR(bytes(2) - process + 3000 * 300, 3000 * 920, 1);
}

TEST(Plan, CountsTheMemoryOfTheLog) {
    Config config = gas("0.1");
    const ParticleSummary particles = expected_summary(config);
    const auto with = [&](CollisionChoice log, std::uint64_t every, double seconds) {
        config.output.collisions = log;
        config.output.trajectory_every = every;
        config.output.flush_every_seconds = seconds;
        return make_plan(config, particles, 1).bytes_per_rank;
    };
    const auto of_log = [&](std::uint64_t every, double seconds) {
        return with(CollisionChoice::all, every, seconds) - with(CollisionChoice::none, every, seconds);
    };
    config.output.collisions = CollisionChoice::all;
    const double log = *make_plan(config, particles, 1).collision_log_bytes;
    constexpr double full = 44 << 20;
    ASSERT_LT(log, full);
    const double step = log / 25;                                     // its contacts are kept, and its rows
    EXPECT_NEAR(of_log(10, 0), 1.5 * log * 10 / 25 + 1.5 * step, 1);  // each frame empties its buffer
    for (const std::uint64_t every : {0, 10, 100}) EXPECT_NEAR(of_log(every, 1), 1.5 * log + 1.5 * step, 1);
    for (const std::uint64_t every : {0, 100}) EXPECT_NEAR(of_log(every, 0), 1.5 * log + 1.5 * step, 1);
    config.run.num_steps = 1000;
    EXPECT_NEAR(of_log(0, 1), 1.5 * full + 1.5 * step, 1);
}

TEST(Plan, AllowsTheLargestRankCountAndNoMore) {
    const Config config = gas("0.1");
    const ParticleSummary particles = expected_summary(config);
    const int most = make_plan(config, particles, 1).slabs.largest_rank_count;
    EXPECT_GE(most, 10);
    EXPECT_GE(make_plan(config, particles, most).slabs.narrowest_slab,
              make_plan(config, particles, most).slabs.halo_width);
    EXPECT_THROW(make_plan(config, particles, most + 1), InputError);
    EXPECT_THROW(require_possible(config, most + 1), InputError);
}

/// Those that are too long for the box.
TEST(Plan, DividesLongBallisticSteps) {
    EXPECT_EQ(expected_summary(gas("0.1")).num_parts, 1u);
    const ParticleSummary particles = expected_summary(gas("30"));
    EXPECT_GT(particles.num_parts, 16u);
    EXPECT_LT(particles.two_largest_extents, 10);
    EXPECT_NO_THROW(require_possible(gas("30"), 2));
    EXPECT_NE(describe(gas("30"), particles, make_plan(gas("30"), particles, 1)).find("parts of a step"),
              std::string::npos);
}

/// Those that are too long for the box; it names one that fits.
TEST(Plan, RefusesLongBrownianSteps) {
    const auto brownian = [](const std::string& timestep) {
        return config_of("{name: p, radius: 0.5, diffusion: 1, count: 100}", "type: brownian, kT: 1",
                         "timestep: " + timestep + ", steps: 1");
    };
    // 10 > 0.5 + 0.5 + 2 x 6 sqrt(2 x 0.28)
    EXPECT_NO_THROW(require_possible(brownian("0.28"), 1));
    try {
        require_possible(brownian("0.29"), 1);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("choose less than 0.281"), std::string::npos)
            << error.what();
    }
}

/// Nor contacts of frozen systems.
TEST(Plan, ForetellsNoInelasticContacts) {
    Config config = gas("0.1");
    EXPECT_TRUE(expected_contact_rate(config, 1).has_value());
    Config closed = config;
    closed.box.boundary[1] = Boundary::reflecting;
    EXPECT_FALSE(expected_contact_rate(closed, 1).has_value());
    EXPECT_TRUE(expected_summary(closed).contacts_per_step.has_value());
    config.contacts.restitution = 0.9;
    EXPECT_FALSE(expected_contact_rate(config, 1).has_value());
    EXPECT_FALSE(expected_contact_rate(config_of("{name: ball, radius: 0.5, mass: 1, volume_fraction: 0.6}",
                                                 "type: ballistic, kT: 1", "timestep: 0.1, steps: 1"),
                                       1)
                     .has_value());
}

std::string description_of(const Config& config) {
    const ParticleSummary particles = expected_summary(config);
    return describe(config, particles, make_plan(config, particles, 1));
}

TEST(Plan, NamesShapes) {
    const std::string text = description_of(config_of(
        spheres +
            ", {name: box, shape: {cube: 0.5}, mass: 1, count: 5}, {name: tip, shape: {pyramid: [3, 4]}, "
            "mass: 1, count: 5}",
        "type: ballistic, kT: 1", "timestep: 0.1, steps: 25"));
    using testing::HasSubstr;
    EXPECT_THAT(text,
                HasSubstr("shape of box          8 corners, volume 0.125, radius of the sphere around it "
                          "0.433013\n"));
    EXPECT_THAT(text,
                HasSubstr("shape of tip          5 corners, volume 12, radius of the sphere around it 3\n"));
    EXPECT_THAT(text, HasSubstr("largest radius        3\n"));
    EXPECT_THAT(text, testing::Not(HasSubstr("shape of ball")));
}

/// Where doubles are too coarse for the paths of steps.
TEST(Plan, NotesPathsThatAreRounded) {
    const auto with = [](const std::string& species, const std::string& dynamics,
                         const std::string& timestep) {
        return description_of(parse_config("box: {size: [1e9, 20, 20]}\nspecies: [" + species +
                                               "]\ndynamics: {" + dynamics +
                                               "}\nrun: {timestep: " + timestep + ", steps: 1}\n",
                                           "input.yaml"));
    };
    using testing::HasSubstr;
    const std::string words = "note: box.size: positions are multiples of 1.1e-07 in this box";
    const std::string two =
        "{name: light, radius: 0.5, mass: 1, count: 9}, {name: heavy, radius: 0.5, mass: 4, count: 9}";
    // The heavy ones go half as far.
    EXPECT_THAT(with(two, "type: ballistic, kT: 1", "0.2"),
                HasSubstr(words + ", 1.1e-06 of the path of heavy in a step, 0.1"));
    EXPECT_THAT(with(two, "type: ballistic, kT: 1", "0.3"), testing::Not(HasSubstr(words)));
    const std::string brownian = "{name: p, radius: 0.5, diffusion: 1, count: 9}";
    EXPECT_THAT(with(brownian, "type: brownian, kT: 1", "0.005"),
                HasSubstr(words + ", 1.1e-06 of the path of p in a step, 0.1"));
    EXPECT_THAT(with(brownian, "type: brownian, kT: 1", "0.01"), testing::Not(HasSubstr(words)));
}

// --- what products and births add ----------------------------------------------------------------------------

/// Particles A and others, with these rules.
Config changing(const std::string& species, const std::string& rules,
                const std::string& run = "timestep: 0.01, steps: 200") {
    return parse_config(
        "box: {size: [40, 20, 20]}\nspecies: [{name: A, radius: 0.5, mass: 1, count: 1000}, " + species +
            "]\ndynamics: {type: ballistic, kT: 1}\n" + rules + "run: {" + run +
            "}\noutput: {trajectory_every: 10}\n",
        "input.yaml");
}

std::string growth_of(const Config& config) {
    const ParticleSummary particles = expected_summary(config);
    std::string text;
    for (const std::string& sentence : describe_growth(config, particles, make_plan(config, particles, 1)))
        text += sentence + "\n";
    return text;
}

/// A -> B + B at the rate k, then B -> A at the rate l: dA/dt = l B - k A, dB/dt = 2 k A - l B.
TEST(PlanOfGrowth, CountsBirths) {
    const std::string b = "{name: B, radius: 0.3, mass: 1, count: 0}";
    const auto births = [&](const std::string& decays) {
        return growth_outlook(changing(b, "decays: [" + decays + "]\n", "timestep: 2.0e-4, steps: 10000"))
            .births;
    };
    EXPECT_NEAR(births("{from: A, to: [B, B], rate: 0.5}"), 1000 * (1 - std::exp(-1.0)), 1e-9);
    EXPECT_EQ(births("{from: A, to: [B], rate: 0.5}"), 0);
    EXPECT_NEAR(births("{from: A, to: [B, B], rate: 0.5}, {from: A, to: [], rate: 1.5}"),
                250 * (1 - std::exp(-4.0)), 1e-9);
    // N = 1000 exp(lambda t) terms of the matrix with trace -(k + l) and determinant -k l; k = 1, l = 2.
    const double root = std::sqrt(9 + 4 * 2.0), up = (-3 + root) / 2, down = (-3 - root) / 2, time = 2;
    const auto integral = [&](double lambda) { return std::expm1(lambda * time) / lambda; };
    const double of_up = 1000 * (-1 - down) / (up - down), of_down = 1000 - of_up;
    EXPECT_NEAR(births("{from: A, to: [B, B], rate: 1}, {from: B, to: [A], rate: 2}") /
                    (of_up * integral(up) + of_down * integral(down)),
                1, 1e-3);
}

TEST(PlanOfGrowth, IsInWords) {
    const std::string b = "{name: B, radius: 0.8, mass: 1, count: 0}";
    EXPECT_EQ(growth_of(gas("0.1")), "");
    const std::string reaction = "contacts: {pairs: [{between: [A, A], react: {to: [B]}}]}\n";
    EXPECT_THAT(growth_of(changing(b, reaction)), testing::HasSubstr("radii up to 0.8, more than any"));
    EXPECT_THAT(growth_of(changing(b, "decays: [{from: A, to: [A, A], rate: 0.5}]\n")),
                testing::HasSubstr("about 1705 new particles"));
    const auto merging = [](const std::string& name) {
        return "contacts: {pairs: [{between: [" + name + ", " + name + "], coalesce: {}}]}\n";
    };
    // The mean of the cubes of ln-normal radii is median^3 exp(9 sigma^2 / 2).
    const std::string drops =
        "{name: B, radius: {lognormal: {median: 0.1, sigma: 0.3, min: 0.001, max: 4}}, mass: 1, count: 100}";
    EXPECT_THAT(growth_of(changing(drops, merging("B"))),
                testing::Not(testing::HasSubstr("merged into one")));
    EXPECT_NEAR(growth_outlook(changing(drops, merging("B"))).radius_of_all,
                std::cbrt(100 * 1e-3 * std::exp(4.5 * 0.09)), 1e-6);
    EXPECT_THAT(growth_of(changing(b, merging("A"))),
                testing::HasSubstr("a radius of about 5: with one, at most 2 ranks can go on"));
    const std::string many = "{name: B, radius: 2, mass: 1, count: 100}";
    EXPECT_THAT(growth_of(changing(many, merging("B"))), testing::HasSubstr("too large for the box"));
}

/// Brownian steps of those that are there at the start are refused, where they are too long for the box.
TEST(PlanOfGrowth, NamesStepsThatAreTooLong) {
    const auto with = [](const std::string& diffusion, const std::string& boundary) {
        return growth_of(parse_config("box: {size: [20, 20], boundary: " + boundary +
                                          "}\nspecies: [{name: A, radius: 0.5, diffusion: 1, count: 9}, "
                                          "{name: B, radius: 0.4, diffusion: " +
                                          diffusion +
                                          ", count: 0}]\ndynamics: {type: brownian, kT: 1}\n"
                                          "contacts: {pairs: [{between: [A, A], react: {to: [B]}}]}\n"
                                          "run: {timestep: 0.01, steps: 10}\n",
                                      "input.yaml"));
    };
    EXPECT_THAT(with("50", "[reflecting, periodic]"),  // 2 (0.4 + 6) > 10
                testing::HasSubstr("two products take up 12.8 with 6 standard deviations of their Brownian "
                                   "steps, but half of the box along y is 10"));
    EXPECT_EQ(with("50", "reflecting"), "");
    EXPECT_EQ(with("25", "periodic"), "");  // 2 (0.4 + 4.24)
}

TEST(PlanOfGrowth, CountsRadiusAndMassInFrames) {
    const std::string b = "{name: B, radius: 0.3, mass: 1, count: 0}";
    const auto frame = [](const Config& config) {
        return make_plan(config, expected_summary(config), 1).bytes_per_frame;
    };
    EXPECT_EQ(frame(changing(b, "decays: [{from: A, to: [B], rate: 0.5}]\n")) - frame(changing(b, "")),
              1000u * 16);
}

TEST(Plan, AdvisesShorterSteps) {
    const auto dense = [](const std::string& dynamics, const std::string& timestep) {
        return config_of("{name: ball, radius: 0.5, mass: 1, diffusion: 1, volume_fraction: 0.4}", dynamics,
                         "timestep: " + timestep + ", steps: 1");
    };
    const Config fine = dense("type: ballistic, kT: 1", "0.05"),
                 long_steps = dense("type: ballistic, kT: 1", "0.5");
    EXPECT_EQ(description_of(fine).find("run.timestep"), std::string::npos);
    const std::string text = description_of(long_steps);
    EXPECT_NE(text.find("  note: run.timestep: got 0.5, with about "), std::string::npos) << text;

    EXPECT_EQ(advice_on_timestep(fine, 4), std::nullopt);
    EXPECT_NE(advice_on_timestep(fine, 10).value().find("choose about 0.005, with one"), std::string::npos);
    const Config brownian = dense("type: brownian, kT: 1", "0.05");
    EXPECT_NE(advice_on_timestep(brownian, 10).value().find("choose about 0.0005, with one"),
              std::string::npos);
}

/// A matrix of 364 x 364 numbers for each of 24 distances of panels.
TEST(Plan, CountsTheFarImagesOfGravity) {
    const auto bytes_of = [](const std::string& size, const std::string& more) {
        const Config config = parse_config(
            "box: {size: " + size + "}\nspecies: [{name: A, radius: 0.5, mass: 1, count: 10}]\n" + more +
                "dynamics: {type: ballistic, kT: 1}\nrun: {timestep: 0.1, steps: 1}\noutput: {collisions: "
                "none}\n",
            "input.yaml");
        return make_plan(config, expected_summary(config), 1).bytes_per_rank;
    };
    const std::string gravity = "self_gravity: {constant: 1}\n";
    const double of_matrix = 364.0 * 364 * 8, of_particles = 1e4;
    EXPECT_NEAR(bytes_of("[8, 8, 8]", gravity) - bytes_of("[8, 8, 8]", ""), of_matrix, of_particles);
    EXPECT_NEAR(bytes_of("[8, 8, 256]", gravity) - bytes_of("[8, 8, 256]", ""), 24 * of_matrix, of_particles);
}

TEST(Text, SaysNumbersForPeople) {
    EXPECT_EQ(in_bytes(112), "112 B");
    EXPECT_EQ(in_bytes(1.5e9), "1.5 GB");
    EXPECT_EQ(in_words(0), "0");
    EXPECT_EQ(in_words(1234567), "1.23 million");
    EXPECT_EQ(in_time(0.5), "0.5 s");
    EXPECT_EQ(in_time(200), "3 min 20 s");
    EXPECT_EQ(in_time(18600), "5 h 10 min");
    EXPECT_EQ(in_time(1e8), "27777 h 46 min");
    EXPECT_EQ(in_time(1e10), "317 years");
    EXPECT_EQ(in_time(3.15576e13), "1 million years");
    EXPECT_EQ(in_time(-1), "unknown");
    EXPECT_EQ(in_time(std::numeric_limits<double>::infinity()), "unknown");
}

}  // namespace
}  // namespace ricochet
