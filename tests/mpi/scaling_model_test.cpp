// SPDX-License-Identifier: BSD-3-Clause
//
// The limits of the scaling model, and that it foresees what has been counted.
#include "plan/scaling_model.hpp"

#include <gtest/gtest.h>

#include <string>

#include "app/speed_text.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// Equal spheres at volume fraction 0.3 in a box of this many diameters along x; half a contact per particle and step.
ScalingCase gas(double box_length, double edge) {
    ScalingCase of;
    of.num_particles = 0.573 * box_length * edge * edge;
    of.contacts_per_step = 0.5 * of.num_particles;
    of.candidates = 3.7;
    of.path = 0.15;
    of.box_length = box_length;
    of.halo_width = 1.64;
    return of;
}

TEST(ScalingModel, OneRankHasNoNeighbours) {
    const ScalingEstimate e = estimate_step(gas(100, 100), 1);
    EXPECT_EQ(e.num_copies, 0);
    EXPECT_EQ(e.num_messages, 0);
    EXPECT_EQ(e.num_collectives, 0);
    EXPECT_EQ(e.num_bytes, 0);
    EXPECT_EQ(e.talk_seconds, 0);
    EXPECT_EQ(e.efficiency, 1);
    EXPECT_EQ(e.num_owned, gas(100, 100).num_particles);
}

/// And copies from above.
TEST(ScalingModel, TwoRanksHaveOneNeighbour) {
    const ScalingCase of = gas(100, 100);
    const ScalingEstimate two = estimate_step(of, 2), three = estimate_step(of, 3);
    EXPECT_NEAR(two.num_copies, of.num_particles * 1.64 / 100, 1e-6);
    EXPECT_EQ(two.num_copies, three.num_copies);
    EXPECT_EQ(two.num_messages, 2 + two.num_rounds);
    EXPECT_EQ(three.num_messages, 2 * (2 + three.num_rounds));
    EXPECT_EQ(two.num_collectives, 1 + two.num_rounds);
    EXPECT_EQ(two.num_windows, 15);  // 2 * 0.5 / (1.4 * 0.05), rounded up
    EXPECT_EQ(estimate_step(of, 1).num_windows, 20);
}

TEST(ScalingModel, TimeAndEfficiencyFallWithRanks) {
    for (const bool is_brownian : {false, true}) {
        ScalingCase of = gas(200, 200);
        of.is_brownian = is_brownian;
        ScalingEstimate before = estimate_step(of, 1);
        for (int num_ranks = 2; num_ranks <= 121; ++num_ranks) {
            const ScalingEstimate e = estimate_step(of, num_ranks);
            EXPECT_LT(e.efficiency, before.efficiency) << num_ranks;
            EXPECT_LT(e.seconds_per_step, before.seconds_per_step) << num_ranks;
            before = e;
        }
    }
}

/// They are never more than the others own.
TEST(ScalingModel, CopiesAreLimitedByParticles) {
    ScalingCase of = gas(100, 20);
    of.halo_width = 60;
    EXPECT_EQ(estimate_step(of, 2).num_copies, of.num_particles / 2);
}

TEST(ScalingModel, RefusesSlabsThinnerThanTheHalo) {
    const ScalingCase of = gas(16.4, 100);
    EXPECT_NO_THROW(estimate_step(of, 9));
    EXPECT_THROW(estimate_step(of, 11), InputError);
    EXPECT_THROW(estimate_step(of, 0), InputError);
    ScalingCase thin = of;
    thin.halo_width = 15;
    EXPECT_NO_THROW(estimate_step(thin, 2));
    EXPECT_THROW(estimate_step(thin, 3), InputError);
    EXPECT_LE(ranks_at_efficiency(of, 0), 10);
}

TEST(ScalingModel, FindsWhereTheEfficiencyEnds) {
    const ScalingCase of = gas(500, 500);
    const int most = ranks_at_efficiency(of, 0.8);
    EXPECT_GE(estimate_step(of, most).efficiency, 0.8);
    EXPECT_LT(estimate_step(of, most + 1).efficiency, 0.8);
    EXPECT_EQ(ranks_at_efficiency(of, 1), 1);
    // A slab keeps its thickness: ranks grow with the length, not with the cross-section.
    EXPECT_NEAR(ranks_at_efficiency(gas(1000, 500), 0.8) / static_cast<double>(most), 2, 0.1);
    EXPECT_NEAR(ranks_at_efficiency(gas(500, 1000), 0.8) / static_cast<double>(most), 1, 0.1);
}

/// Nanoseconds per particle and step that all ranks work together, less what one would.
double added_nanoseconds(const ScalingCase& of, int num_ranks) {
    return 1e9 / of.num_particles *
           (num_ranks * estimate_step(of, num_ranks).work_seconds - estimate_step(of, 1).work_seconds);
}

/// The table in the model's design note, with the halo's width such that there are as many copies as the
/// engine made. Work, on one rank and of two together.
void expect_measured(const ScalingCase& of, double on_one, double on_two) {
    EXPECT_NEAR(1e9 * estimate_step(of, 1).work_seconds / of.num_particles, on_one, 0.2 * on_one);
    EXPECT_NEAR(on_one + added_nanoseconds(of, 2), on_two, 0.2 * on_two);
}

TEST(ScalingModel, ForeseesMeasuredWork) {
    const auto measured_case = [](double num_particles, double contacts, double candidates, double path,
                                  double copies, bool is_brownian) {
        constexpr double length = 100;
        return ScalingCase{num_particles, contacts * num_particles, candidates, path,
                           length,        copies * length / 2,      is_brownian};
    };
    expect_measured(measured_case(1e5, 0.0040, 0.10, 0.092, 0.0148, true), 25, 30);
    expect_measured(measured_case(1e5, 0.0510, 1.04, 0.092, 0.0323, true), 44, 48);
    expect_measured(measured_case(1e5, 0.2908, 3.13, 0.092, 0.0472, true), 163, 187);
    expect_measured(measured_case(1e6, 0.0509, 1.04, 0.092, 0.0152, true), 69, 82);
    expect_measured(measured_case(3.2e4, 0.1252, 1.47, 0.226, 0.0614, false), 65, 87);
    expect_measured(measured_case(3.2e4, 0.3735, 3.36, 0.118, 0.0726, false), 158, 196);
    expect_measured(measured_case(2.56e5, 0.3751, 3.36, 0.118, 0.0373, false), 234, 280);
    expect_measured(measured_case(1e6, 0.0500, 0.79, 1.149, 0.0284, false), 87, 96);
    expect_measured(measured_case(1e6, 0.1250, 1.47, 0.226, 0.0204, false), 110, 109);
    expect_measured(measured_case(1e6, 0.3749, 3.36, 0.118, 0.0236, false), 250, 266);
    expect_measured(measured_case(1e6, 0.5015, 4.44, 0.042, 0.0202, false), 311, 333);
}

/// What unit tests count (traffic_test.cpp): 440 particles per rank at volume fraction 0.2, slabs 8 thick,
/// 0.28 contacts of each in a step.
TEST(ScalingModel, ForeseesCountedBytes) {
    const int num_ranks = 64;
    ScalingCase of{440.0 * num_ranks, 0.14 * 440 * num_ranks, 2, 0.1, 8.0 * num_ranks, 1.6, true};
    EXPECT_NEAR(estimate_step(of, num_ranks).num_bytes / 8'460, 1, 0.1);
}

Config config_of(const std::string& dynamics) {
    return parse_config(
        "box: {size: [80, 40, 40]}\nspecies: [{name: ball, radius: 0.5, mass: 1, volume_fraction: 0.3}]\n"
        "dynamics: {type: ballistic, kT: 1}\ncontacts: {" +
            dynamics + "}\nrun: {timestep: 0.1, steps: 3600}\n",
        "input.yaml");
}

std::string speed_of(const Config& config, int num_ranks) {
    const ParticleSummary particles = expected_summary(config);
    return describe_speed(config, particles, make_plan(config, particles, num_ranks));
}

TEST(ScalingModel, CountsTheLegsOfLongSteps) {
    const auto case_of = [](double timestep) {
        Config config = config_of("restitution: 1");
        config.run.timestep = timestep;
        const ParticleSummary particles = expected_summary(config);
        return scaling_case(config, particles, make_plan(config, particles, 1)).value();
    };
    const ScalingCase one = case_of(0.05), many = case_of(0.8);
    EXPECT_EQ(one.num_intervals, 1);
    EXPECT_NEAR(many.num_intervals, 12, 2);
    EXPECT_NEAR(many.candidates / one.candidates, 1, 0.2);
    // A contact costs as much in a long step.
    EXPECT_NEAR(estimate_step(many, 1).seconds_per_step / estimate_step(one, 1).seconds_per_step, 16, 3);
}

TEST(ScalingModel, IsDescribedAsAnEstimate) {
    const std::string text = speed_of(config_of("restitution: 1"), 4);
    for (const char* part : {"An estimate by a model", "AMD EPYC", "time per step", "time of all steps",
                             "efficiency", "% up to ", "messages"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    EXPECT_EQ(
        speed_of(config_of("restitution: 0.9"), 4),
        "  no estimate: the contacts per step of this system are not known beforehand; --measure does some "
        "steps\n");
}

}  // namespace
}  // namespace ricochet
