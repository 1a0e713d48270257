// SPDX-License-Identifier: BSD-3-Clause
//
// Mutual gravity in boxes with periodic axes: the field of the infinite lattice of images.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "model/gravity_images.hpp"
#include "tests/support/gravity_systems.hpp"
#include "tests/support/lattice_pull.hpp"

namespace ricochet {
namespace {

using test::errors_of;
using test::EwaldSum;
using test::FieldErrors;
using test::fields_of;
using test::GravitySystem;
using test::HashRandom;
using test::periodic_box;
using test::uniform_sources;
using test::walled_box;

GravitySystem masses_in(const Box& box, const GravityLaw& law, std::size_t count, std::uint64_t seed = 1) {
    GravitySystem system = uniform_sources(box.size, count, seed);
    system.box = box;
    system.law = law;
    return system;
}

double root_mean_square(const std::vector<GravityField>& fields) {
    double sum = 0;
    for (const GravityField& field : fields) sum += dot(field.acceleration, field.acceleration);
    return std::sqrt(sum / static_cast<double>(fields.size()));
}
double largest_difference(const std::vector<GravityField>& a, const std::vector<GravityField>& b) {
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        largest = std::max(largest, norm(a[k].acceleration - b[k].acceleration));
    return largest;
}

/// By Ewald's sum; softening is added image by image.
std::vector<GravityField> ewald_fields(const GravitySystem& system) {
    const EwaldSum ewald(system.box, system.law.form);
    std::vector<GravityField> fields;
    for (const GravitySource& target : system.sources) {
        GravityField sum;
        for (const GravitySource& source : system.sources) {
            const GravityField field = ewald.at(source.position - target.position);
            sum.acceleration = sum.acceleration + source.mass * field.acceleration;
            sum.potential += source.mass * field.potential;
        }
        fields.push_back({system.law.constant * sum.acceleration, system.law.constant * sum.potential});
    }
    return fields;
}

// --- against other sums --------------------------------------------------------------------------------------

TEST(PeriodicGravity, IsEwaldsSum) {
    for (const Vec3 size : {Vec3{1, 1, 1}, Vec3{1.7, 1, 1.2}, Vec3{5, 1, 1}, Vec3{20, 60, 20}, Vec3{1, 1, 0},
                            Vec3{1.4, 1, 0}, Vec3{1, 9, 0}})
        for (const GravityForm form : {GravityForm::inverse_square, GravityForm::inverse}) {
            const GravitySystem system = masses_in(periodic_box(size), {form, 1.5, 0}, 16);
            const auto fields = fields_of(system, GravityMethod::direct), expected = ewald_fields(system);
            std::printf("%g %g %g: %.1e of the forces\n", size.x, size.y, size.z,
                        largest_difference(fields, expected) / root_mean_square(expected));
            EXPECT_LT(largest_difference(fields, expected), 1e-5 * root_mean_square(expected))
                << size.x << " " << size.y << " " << size.z << " " << static_cast<int>(form);
            for (std::size_t k = 0; k < fields.size(); ++k)
                EXPECT_NEAR(fields[k].potential, expected[k].potential, 2e-4) << k;
        }
}

TEST(PeriodicGravity, IsTheLimitOfManyImages) {
    using enum GravityForm;
    const std::vector<std::pair<Box, GravityForm>> cases{
        {walled_box({1, 1, 1}, {2}), inverse_square},    {walled_box({1, 1, 1}, {1, 2}), inverse_square},
        {walled_box({1, 1.5, 1}, {1}), inverse_square},  {walled_box({1, 1, 3}, {2}), inverse_square},
        {walled_box({2, 1, 1}, {0, 1}), inverse_square}, {walled_box({1, 1, 1}, {0, 2}), inverse},
        {walled_box({1, 2, 1}, {1, 2}), inverse},        {walled_box({1, 1, 0}, {1}), inverse},
        {walled_box({3, 1, 0}, {0}), inverse},           {walled_box({1, 1, 0}, {0}), inverse_square},
        {walled_box({1, 4, 0}, {1}), inverse_square}};
    for (std::size_t number = 0; number < cases.size(); ++number)
        for (const double softening : {0.0, 0.2}) {
            const auto& [box, form] = cases[number];
            const GravitySystem system = masses_in(box, {form, 1.5, softening}, 12);
            std::vector<GravityField> expected;
            for (const GravitySource& target : system.sources) {
                Vec3 sum;
                for (const GravitySource& source : system.sources)
                    sum = sum + source.mass * test::pull_of_all_images(source.position - target.position,
                                                                       system.box, system.law);
                expected.push_back({system.law.constant * sum, 0});
            }
            const auto fields = fields_of(system, GravityMethod::direct);
            EXPECT_LT(largest_difference(fields, expected), 2e-5 * root_mean_square(expected))
                << "case " << number << ", softened " << softening;
        }
}

/// A lattice of masses in their uniform background: Wigner's numbers (Borwein et al., Lattice Sums Then and Now, 2013).
TEST(PeriodicGravity, HasWignersPotentials) {
    const auto potential_in = [](Vec3 size, GravityForm form) {
        GravitySystem system{.name = "one", .box = periodic_box(size), .law = {form, 1, 0}};
        system.sources = {{{0.2, 0.3, size.z == 0 ? 0 : 0.4}, 1, 3}};
        const GravityField field = fields_of(system, GravityMethod::direct)[0];
        EXPECT_LT(norm(field.acceleration), 1e-4);
        return field.potential;
    };
    EXPECT_NEAR(potential_in({1, 1, 1}, GravityForm::inverse_square), 2.8372974795, 1e-5);
    EXPECT_NEAR(potential_in({1, 1, 0}, GravityForm::inverse_square), 3.9002649200, 1e-5);
    EXPECT_NEAR(potential_in({2, 2, 2}, GravityForm::inverse_square), 2.8372974795 / 2, 1e-5);
}

// --- far from sheets and lines -------------------------------------------------------------------------------

/// What a probe without mass feels of a mass of 2 at (0.5, 0.5, 0.5), or z = 0 in two dimensions, and its images.
GravityField field_of_mass(const Box& box, const GravityLaw& law, Vec3 probe) {
    GravitySystem system{.name = "probe", .box = box, .law = law};
    system.sources = {{{0.5, 0.5, box.dimension == 2 ? 0 : 0.5}, 2, 0}, {probe, 1e-12, 1}};
    return fields_of(system, GravityMethod::direct)[1];
}

TEST(PeriodicGravity, SheetsAttractUniformly) {
    for (const double softening : {0.0, 0.5})
        for (const double height : {4.5, 7.0}) {
            const GravityField field =
                field_of_mass(walled_box({2, 2, 8}, {2}), {.softening = softening}, {1.9, 0.7, 0.5 + height});
            const double softened = std::hypot(height, softening), pull = 2 * std::numbers::pi * 2 / 4;
            EXPECT_NEAR(field.acceleration.z, -pull * height / softened, 1e-4);
            EXPECT_NEAR(field.acceleration.x, 0, 1e-4);
            EXPECT_NEAR(field.potential, pull * (softened - softening), 1e-4);
        }
}

/// In two dimensions a line is a sheet for the law `inverse`.
TEST(PeriodicGravity, LinesAttractByTheirDistance) {
    const double pi = std::numbers::pi;
    for (const double e : {0.0, 0.5}) {
        const double distance = std::hypot(5, e), height = std::hypot(4, e);
        const Box line = walled_box({1, 5, 5}, {1, 2}), flat = walled_box({1, 6, 0}, {1});
        const GravityField square = field_of_mass(line, {GravityForm::inverse_square, 1, e}, {0.2, 3.5, 4.5});
        EXPECT_NEAR(square.acceleration.y, -4 * 3 / (distance * distance), 1e-4);
        EXPECT_NEAR(square.acceleration.z, -4 * 4 / (distance * distance), 1e-4);
        EXPECT_NEAR(square.potential, 4 * std::log(distance), 1e-4);
        const GravityField inverse = field_of_mass(line, {GravityForm::inverse, 1, e}, {0.2, 3.5, 4.5});
        EXPECT_NEAR(inverse.acceleration.y, -2 * pi * 3 / distance, 1e-4);
        EXPECT_NEAR(inverse.potential, 2 * pi * (distance - e), 1e-4);
        const GravityField sheet = field_of_mass(flat, {GravityForm::inverse, 1, e}, {0.2, 4.5, 0});
        EXPECT_NEAR(sheet.acceleration.y, -2 * pi * 4 / height, 1e-4);
        EXPECT_NEAR(sheet.potential, 2 * pi * (height - e), 1e-4);
        const GravityField row = field_of_mass(flat, {GravityForm::inverse_square, 1, e}, {0.2, 4.5, 0});
        EXPECT_NEAR(row.acceleration.y, -4 * 4 / (height * height), 1e-4);
        EXPECT_NEAR(row.potential, 4 * std::log(height), 1e-4);
    }
}

TEST(PeriodicGravity, SumsThatDivergeHaveNoField) {
    EXPECT_FALSE(has_lattice_sum(walled_box({1, 1, 1}, {1}), GravityForm::inverse));
    EXPECT_TRUE(has_lattice_sum(walled_box({1, 1, 1}, {1}), GravityForm::inverse_square));
    EXPECT_TRUE(has_lattice_sum(periodic_box({1, 1, 1}), GravityForm::inverse));
    EXPECT_TRUE(has_lattice_sum(walled_box({1, 1, 1}), GravityForm::inverse));
    EXPECT_TRUE(has_lattice_sum(periodic_box({1, 1, 0}), GravityForm::inverse));
}

// --- symmetries ----------------------------------------------------------------------------------------------

GravitySystem translated(GravitySystem system, Vec3 by) {
    for (GravitySource& source : system.sources)
        for (int axis = 0; axis < 3; ++axis)
            if (system.box.is_periodic(axis))
                source.position[axis] = std::fmod(source.position[axis] + by[axis], system.box.size[axis]);
    return system;
}

/// Forces do not see where the faces are. The tree opens more cells here, so that its own errors are small.
TEST(PeriodicGravity, IsTheSameAfterAnyTranslation) {
    HashRandom random(8);
    for (const Box& box : {periodic_box({1, 1, 1}), periodic_box({2, 1, 1.5}), walled_box({1, 1, 1}, {2}),
                           periodic_box({1, 2, 0})})
        for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree}) {
            const bool is_tree = method == GravityMethod::tree;
            const GravitySystem system = masses_in(box, {GravityForm::inverse_square, 1, 0.01}, 400);
            const auto fields = fields_of(system, method, 0.4);
            for (int repeat = 0; repeat < 3; ++repeat) {
                const Vec3 by{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)};
                const FieldErrors errors = errors_of(fields_of(translated(system, by), method, 0.4), fields);
                EXPECT_LT(errors.median, is_tree ? 3e-3 : 3e-6);
                EXPECT_LT(errors.of_99_percent, is_tree ? 3e-2 : 5e-5);
                EXPECT_LT(errors.of_potential, is_tree ? 5e-3 : 3e-6);
            }
        }
}

TEST(PeriodicGravity, IsTheSameInAnyUnits) {
    for (const Box& box :
         {periodic_box({1, 1, 1}), walled_box({1, 1, 2}, {2}), walled_box({1, 1, 1}, {1, 2})})
        for (const double length : {1e-40, 1e-6, 1e15, 1e60}) {
            const double mass = 1e30;
            const GravitySystem system = masses_in(box, {GravityForm::inverse_square, 1, 0.1}, 20);
            GravitySystem scaled = system;
            scaled.box.size = length * box.size;
            scaled.law.softening *= length;
            for (GravitySource& source : scaled.sources) {
                source.position = length * source.position;
                source.mass *= mass;
            }
            auto fields = fields_of(scaled, GravityMethod::direct);
            for (GravityField& field : fields) {
                field.acceleration = length / mass * length * field.acceleration;
                field.potential *= length / mass;
            }
            const FieldErrors errors = errors_of(fields, fields_of(system, GravityMethod::direct));
            EXPECT_LT(errors.largest, 1e-8) << length;
            EXPECT_LT(errors.of_potential, 1e-8) << length;
        }
}

/// Two beside a face attract through it as two beside each other do.
TEST(PeriodicGravity, ActsThroughFaces) {
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree})
        for (int axis = 0; axis < 3; ++axis) {
            GravitySystem pair{.name = "pair", .box = periodic_box({1, 1, 1}), .law = {}};
            pair.sources = {{{0.4, 0.4, 0.4}, 1, 0}, {{0.4, 0.4, 0.4}, 2, 1}};
            GravitySystem across = pair;
            pair.sources[1].position[axis] = 0.42;
            across.sources[0].position[axis] = 0.99;
            across.sources[1].position[axis] = 0.01;
            const auto inside = fields_of(pair, method), through = fields_of(across, method);
            EXPECT_NEAR(inside[0].acceleration[axis], 5000, 1);
            EXPECT_LT(largest_difference(inside, through), 1e-3);
            EXPECT_NEAR(through[0].acceleration[axis], -2 * through[1].acceleration[axis], 1e-3);
        }
}

TEST(PeriodicGravity, PerfectLatticesHaveNoForces) {
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree}) {
        GravitySystem lattice{.name = "lattice", .box = periodic_box({8, 8, 8}), .law = {}};
        for (int x = 0; x < 8; ++x)
            for (int y = 0; y < 8; ++y)
                for (int z = 0; z < 8; ++z)
                    lattice.sources.push_back({{x + 0.3, y + 0.7, z + 0.1}, 1, lattice.sources.size()});
        // the nearest neighbour's alone is 1
        const double force = root_mean_square(fields_of(lattice, method, 0.3));
        EXPECT_LT(force, method == GravityMethod::tree ? 3e-3 : 1e-5);
    }
}

/// Where masses form a cluster, errors are those of open boxes. Where they are uniform, forces nearly cancel and errors
/// do not.
TEST(PeriodicGravity, TreeErrorsAreSmall) {
    std::vector<GravitySystem> systems{test::plummer_sphere(5000), uniform_sources({1, 1, 1}, 5000),
                                       uniform_sources({1, 2, 0}, 5000), uniform_sources({3, 1, 1}, 5000)};
    for (GravitySystem& system : systems) {
        system.box.boundary.fill(Boundary::periodic);
        const bool is_cluster = system.name == "plummer";
        const auto exact = fields_of(system, GravityMethod::direct);
        const FieldErrors errors = errors_of(fields_of(system), exact);
        EXPECT_LE(errors.median, is_cluster ? 5e-3 : 3e-2) << system.name;
        EXPECT_LE(errors.of_99_percent, is_cluster ? 1.8e-2 : 0.3) << system.name;
        const FieldErrors narrow = errors_of(fields_of(system, GravityMethod::tree, 0.5), exact);
        EXPECT_LE(narrow.median, 7e-3) << system.name;
        EXPECT_LE(narrow.of_99_percent, 5e-2) << system.name;
        EXPECT_LE(narrow.of_potential, 2e-2) << system.name;
        const FieldErrors none = errors_of(fields_of(system, GravityMethod::tree, 1e-3), exact);
        EXPECT_LT(none.of_99_percent, 1e-9) << system.name;
        std::printf("%s: %.1e, %.1e, potential %.1e; opening 0.5: %.1e, %.1e, potential %.1e\n",
                    system.name.c_str(), errors.median, errors.of_99_percent, errors.of_potential,
                    narrow.median, narrow.of_99_percent, narrow.of_potential);
    }
}

TEST(PeriodicGravity, DirectForcesAreOpposite) {
    for (const Box& box : {periodic_box({1, 1, 1}), walled_box({1, 1, 1}, {2}), periodic_box({1, 1, 0})}) {
        const GravitySystem system = masses_in(box, {GravityForm::inverse_square, 1, 0}, 300);
        const auto fields = fields_of(system, GravityMethod::direct);
        Vec3 net;
        double gross = 0;
        for (std::size_t k = 0; k < fields.size(); ++k) {
            net = net + system.sources[k].mass * fields[k].acceleration;
            gross += system.sources[k].mass * norm(fields[k].acceleration);
        }
        EXPECT_LT(norm(net), 1e-6 * gross);
    }
}

}  // namespace
}  // namespace ricochet
