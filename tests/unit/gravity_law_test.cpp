// SPDX-License-Identifier: BSD-3-Clause
//
// The laws of attraction: particles and moments of cells, against sums in the words of textbooks.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/simd.hpp"
#include "gravity/kernels.hpp"
#include "tests/support/gravity_systems.hpp"

namespace ricochet {
namespace {

using test::equal_fields;
using test::fields_of;
using test::gravity_systems;
using test::GravitySystem;
using test::HashRandom;
using test::uniform_sources;
using test::walled_box;

/// In the order of the other particles' list; by powers, unlike the product.
GravityField textbook_field(const GravitySystem& system, std::size_t target) {
    long double x = 0, y = 0, z = 0, potential = 0;
    const auto& own = system.sources[target];
    const long double e = system.law.softening, constant = system.law.constant;
    for (std::size_t k = 0; k < system.sources.size(); ++k) {
        if (k == target) continue;
        const auto& other = system.sources[k];
        const long double dx = static_cast<long double>(other.position.x) - own.position.x;
        const long double dy = static_cast<long double>(other.position.y) - own.position.y;
        const long double dz = static_cast<long double>(other.position.z) - own.position.z;
        const long double distance = std::sqrt(dx * dx + dy * dy + dz * dz + e * e);
        const bool is_square = system.law.form == GravityForm::inverse_square;
        const long double factor = constant * other.mass * std::pow(distance, is_square ? -3.0L : -2.0L);
        x += factor * dx;
        y += factor * dy;
        z += factor * dz;
        potential += constant * other.mass * (is_square ? -1 / distance : std::log(distance));
    }
    return {{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)},
            static_cast<double>(potential)};
}

void expect_near(const GravityField& field, const GravityField& expected, double tolerance) {
    EXPECT_LE(norm(field.acceleration - expected.acceleration), tolerance * norm(expected.acceleration));
    EXPECT_LE(std::abs(field.potential - expected.potential), tolerance * std::abs(expected.potential));
}

TEST(GravityLaw, DirectSumIsThatOfTextbooks) {
    for (GravitySystem system : gravity_systems(203))
        for (const double softening : {0.0, 0.01, 3.0}) {
            system.law.softening = softening;
            const auto fields = fields_of(system, GravityMethod::direct);
            for (std::size_t k = 0; k < fields.size(); ++k)
                // Sums of both signs lose some digits.
                expect_near(fields[k], textbook_field(system, k), 1e-11);
        }
}

TEST(GravityLaw, BothFormsHoldInAnyDimension) {
    for (const Vec3 size : {Vec3{1, 1, 1}, Vec3{1, 1, 0}})
        for (const GravityForm form : {GravityForm::inverse_square, GravityForm::inverse}) {
            GravitySystem system = uniform_sources(size, 70);
            system.law.form = form;
            for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree}) {
                const auto fields = fields_of(system, method, 0.01);
                for (std::size_t k = 0; k < fields.size(); ++k)
                    expect_near(fields[k], textbook_field(system, k), 1e-11);
            }
        }
}

TEST(GravityLaw, TwoParticlesByHand) {
    GravitySystem pair{.name = "pair", .box = walled_box({10, 10, 10}), .law = {.constant = 2}};
    pair.sources = {{{1, 2, 3}, 5, 17}, {{4, 6, 3}, 0.5, 2}};
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree}) {
        pair.law.softening = 0;
        auto fields = fields_of(pair, method);  // 5 apart
        expect_near(fields[0], {{2 * 0.5 * 3 / 125, 2 * 0.5 * 4 / 125, 0}, -2 * 0.5 / 5}, 1e-15);
        expect_near(fields[1], {{-2 * 5 * 3 / 125.0, -2 * 5 * 4 / 125.0, 0}, -2 * 5 / 5.0}, 1e-15);
        pair.law.softening = 12;  // as if 13 apart
        fields = fields_of(pair, method);
        expect_near(fields[0], {{2 * 0.5 * 3 / 2197, 2 * 0.5 * 4 / 2197, 0}, -2 * 0.5 / 13}, 1e-15);
    }
}

TEST(GravityLaw, NoParticlesAndOne) {
    GravitySystem system{.name = "few", .box = walled_box({1, 1, 1}), .law = {}};
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree}) {
        system.sources.clear();
        EXPECT_TRUE(fields_of(system, method).empty());
        system.sources = {{{0.5, 0.5, 0.5}, 1, 0}};
        const auto fields = fields_of(system, method);
        EXPECT_EQ(fields.at(0).acceleration, Vec3{});
        EXPECT_EQ(fields.at(0).potential, 0);
    }
}

/// The potential is an integral of the acceleration, also that of cells.
TEST(GravityLaw, AccelerationIsMinusTheGradient) {
    HashRandom random(8);
    std::vector<PointMass> heap;
    for (int k = 0; k < 50; ++k)
        heap.push_back(
            {{random.uniform(), random.uniform(0, 2), random.uniform(0, 0.5)}, random.uniform(1, 2)});
    const std::array<Moments, 1> cell{moments_of(std::span<const PointMass>(heap))};
    const std::array<std::uint32_t, 1> only{0};
    const PointRange all{0, 50};
    for (const GravityForm form : {GravityForm::inverse_square, GravityForm::inverse})
        for (const bool is_cell : {false, true})
            for (int axis = 0; axis < 3; ++axis) {
                constexpr double h = 1e-4;
                std::array<PointMass, 3> probes;
                for (PointMass& probe : probes) probe = {{3, 1.5, -2}, 1};
                probes[1].position[axis] += h;
                probes[2].position[axis] -= h;
                TargetBatch batch(probes);
                const FieldSums sums{form, 0.04, true};
                if (is_cell)
                    add_cells(sums, cell.data(), only, batch);
                else
                    add_points(sums, heap.data(), std::span(&all, 1), batch);
                const double slope = (batch.potential[1] - batch.potential[2]) / (2 * h);
                EXPECT_NEAR(-slope, batch.sum(0)[axis], 1e-7 * norm(batch.sum(0)));
            }
}

/// The error of what a heap's moments give at `distance`: of the acceleration, and of the potential over the distance.
double error_of_moments(const FieldSums& sums, double distance) {
    HashRandom random(9);
    std::vector<PointMass> heap;
    for (int k = 0; k < 30; ++k)
        heap.push_back({{random.uniform(), random.uniform(), random.uniform()}, random.uniform(1, 2)});
    const std::array<Moments, 1> cell{moments_of(std::span<const PointMass>(heap))};
    const PointRange all{0, 30};
    const std::array<std::uint32_t, 1> only{0};
    const std::array<PointMass, 2> probes{PointMass{cell[0].centre + distance * Vec3{0.48, 0.6, -0.64}, 1},
                                          PointMass{cell[0].centre + distance * Vec3{-0.6, 0.8, 0}, 1}};
    TargetBatch by_points(probes), by_cell(probes);
    add_points(sums, heap.data(), std::span(&all, 1), by_points);
    add_cells(sums, cell.data(), only, by_cell);
    double error = 0;
    for (std::size_t k = 0; k < probes.size(); ++k) {
        error = std::max(
            {error, norm(by_cell.sum(k) - by_points.sum(k)) / norm(by_points.sum(k)),
             std::abs(by_cell.potential[k] - by_points.potential[k]) / (distance * norm(by_points.sum(k)))});
    }
    return error;
}

TEST(GravityLaw, MomentsAreRightToThirdOrder) {
    for (const GravityForm form : {GravityForm::inverse_square, GravityForm::inverse})
        for (const double softening : {0.0, 5.0}) {
            const FieldSums sums{form, softening * softening, true};
            const double near = error_of_moments(sums, 20), far = error_of_moments(sums, 80);
            EXPECT_LT(near, 1e-4);
            EXPECT_NEAR(near / far, 4 * 4 * 4, 20);
        }
}

/// Each lane adds its sources in the same order, whatever the length of vectors.
TEST(GravityLaw, AllTargetsGiveTheSameBits) {
    for (const GravitySystem& system : gravity_systems(500))
        for (const GravityForm form : {GravityForm::inverse_square, GravityForm::inverse}) {
            GravitySystem with_form = system;
            with_form.law.form = form;
            const auto expected = fields_of(with_form);
            for (const SimdTarget& target : supported_simd_targets()) {
                const ForcedSimdTarget forced(target);
                EXPECT_TRUE(equal_fields(fields_of(with_form), expected))
                    << target.name << ", " << system.name;
            }
        }
}

TEST(GravityLaw, PotentialsDoNotChangeForces) {
    SerialExchange exchange;
    for (const GravitySystem& system : gravity_systems(500)) {
        SelfGravity gravity(exchange, system.box, {.law = system.law});
        std::vector<GravityField> with, without;
        gravity.find_fields(system.sources, WithPotential::yes, with);
        gravity.find_fields(system.sources, WithPotential::no, without);
        for (std::size_t k = 0; k < with.size(); ++k) {
            EXPECT_EQ(with[k].acceleration, without[k].acceleration);
            EXPECT_EQ(without[k].potential, 0);
        }
    }
}

std::optional<GravityFailure> failure_of(const GravitySystem& system, GravityMethod method) {
    SerialExchange exchange;
    std::vector<GravityField> fields;
    return SelfGravity(exchange, system.box, {system.law, method, 0.8})
        .find_fields(system.sources, WithPotential::yes, fields);
}

TEST(GravityLaw, OnePlaceNeedsSoftening) {
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree}) {
        GravitySystem system = uniform_sources({1, 1, 1}, 300);
        system.law.softening = 0;
        EXPECT_FALSE(failure_of(system, method));
        for (const std::size_t k : {40, 200}) system.sources[k].position = system.sources[100].position;
        const auto failure = failure_of(system, method);
        ASSERT_TRUE(failure);
        std::vector<ParticleId> ids{system.sources[40].id, system.sources[100].id, system.sources[200].id};
        std::sort(ids.begin(), ids.end());
        EXPECT_EQ(failure->id, ids[0]);
        EXPECT_EQ(failure->other, ids[1]);

        // Apart, but with a distance of which the square is zero.
        system.sources.resize(2);
        system.sources[0].position = {0, 0, 0};
        system.sources[1].position = {1e-200, 0, 0};
        EXPECT_TRUE(failure_of(system, method));
        EXPECT_FALSE(failure_of(system, method)->other);
    }
}

TEST(GravityLaw, AllAtOnePlaceWithSoftening) {
    GravitySystem system{.name = "heap", .box = walled_box({1, 1, 1}), .law = {.softening = 0.5}};
    for (ParticleId id = 0; id < 100; ++id) system.sources.push_back({{0.1, 0.2, 0.3}, 1, id});
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree})
        for (const GravityField& field : fields_of(system, method)) {
            EXPECT_EQ(field.acceleration, Vec3{});
            EXPECT_DOUBLE_EQ(field.potential, -99 / 0.5);
        }
}

}  // namespace
}  // namespace ricochet
