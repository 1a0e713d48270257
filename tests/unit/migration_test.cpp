// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/migration.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "geometry/path.hpp"
#include "parallel/collectives.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;
using test::share_of;

constexpr double length = 12;

Box box_with(Boundary boundary) {
    Box box;
    box.size = {length, 4, 4};
    box.boundary = {boundary, Boundary::periodic, Boundary::periodic};
    return box;
}

/// Particles whose every field is different, so that nothing can be lost or mixed up unseen.
Particles marked_particles(std::size_t count, double largest_speed, std::uint64_t seed) {
    test::HashRandom random(seed);
    Particles particles;
    for (std::size_t k = 0; k < count; ++k) {
        Motion m;
        m.position = {random.uniform(0, length), random.uniform(0, 4), random.uniform(0, 4)};
        m.velocity = {random.uniform(-largest_speed, largest_speed), random.uniform(-1, 1), 0.5};
        m.id = 1000 + 7 * k;
        Attributes a;
        const auto number = static_cast<double>(k);
        a.radius = 0.1 + 1e-6 * number;
        a.mass = 1 + number;
        a.diffusion = number / 3;
        a.species = static_cast<SpeciesIndex>(k % 5);
        particles.push_back(
            m, a, {{number, -number, 0.5}, {static_cast<std::int64_t>(k), -3, std::int64_t{1} << 40}});
    }
    return particles;
}

void expect_owned_by_midpoint(const Particles& owned, double dt, const Box& box,
                              const SlabDecomposition& slabs, int rank) {
    for (const Motion& motion : owned.motion)
        EXPECT_EQ(slabs.owner(PathMidpoint(box, dt).x(motion)), rank) << motion.id;
}

/// Each with as many tethers as its place has remainder.
Particles tethered(Particles particles) {
    particles.track.keep_tethers();
    for (std::size_t k = 0; k < particles.size(); ++k)
        for (std::size_t n = 0; n < k % (Tethers::most + 1); ++n)
            particles.track.tethers()[k].add(particles.motion[k].id + n, static_cast<SpeciesIndex>(n));
    return particles;
}

class MigrationTest : public testing::TestWithParam<int> {};

/// From anywhere to the owners.
TEST_P(MigrationTest, DistributesWithoutLosingABit) {
    for (const Boundary boundary : {Boundary::periodic, Boundary::reflecting}) {
        const Box box = box_with(boundary);
        const auto slabs = SlabDecomposition::even(SliceGrid(box, 0.5), GetParam());
        for (const Particles& all : {marked_particles(500, 1, 1), tethered(marked_particles(500, 1, 1))})
            run_ranks(GetParam(), [&](Exchange& exchange) {
                Particles mine = share_of(exchange, all);
                distribute(exchange, box, slabs, mine);
                expect_owned_by_midpoint(mine, 0, box, slabs, exchange.rank());
                const Particles gathered = gather_particles(exchange, mine);
                if (exchange.rank() == 0) {
                    EXPECT_EQ(test::first_difference(all, gathered), "");
                }
            });
    }
}

/// Tether lists of all lengths travel, also to and from ranks that have no particles.
TEST_P(MigrationTest, BringsTethersAlong) {
    const Box box = box_with(Boundary::periodic);
    const auto slabs = SlabDecomposition::even(SliceGrid(box, 0.5), GetParam());
    Particles all = tethered(marked_particles(100, 0, 2));
    for (Motion& m : all.motion) m.position.x = 0.5;
    run_ranks(GetParam(), [&](Exchange& exchange) {
        Particles mine = share_of(exchange, all);
        distribute(exchange, box, slabs, mine);
        for (const double x : {length - 0.5, 0.5}) {
            for (Motion& m : mine.motion) m.position.x = x;
            migrate(exchange, slabs, plan_migration(mine, 0, box, slabs, exchange.rank()), true, mine);
        }
        const Particles gathered = gather_particles(exchange, mine);
        if (exchange.rank() == 0) {
            EXPECT_EQ(test::first_difference(all, gathered), "");
        }
    });
}

/// Several steps of free flight, with displacements up to a slab and beyond: no particle is lost or doubled, and each
/// is where its midpoint says.
TEST_P(MigrationTest, FollowsMidpointsStepByStep) {
    for (const double largest_speed : {1.0, 30.0}) {
        const Box box = box_with(Boundary::periodic);
        const double dt = 0.2;
        const auto slabs = SlabDecomposition::even(SliceGrid(box, 0.5), GetParam());
        const Particles all = marked_particles(300, largest_speed, 2);
        run_ranks(GetParam(), [&](Exchange& exchange) {
            Particles mine = share_of(exchange, all);
            distribute(exchange, box, slabs, mine);
            std::int64_t num_any_to_any = 0;
            for (int step = 0; step < 10; ++step) {
                const auto plan = plan_migration(mine, dt, box, slabs, exchange.rank());
                const bool any_to_any = exchange.bit_or(plan.is_to_adjacent_slabs ? 0 : 1) != 0;
                num_any_to_any += any_to_any ? 1 : 0;
                migrate(exchange, slabs, plan, any_to_any, mine);
                expect_owned_by_midpoint(mine, dt, box, slabs, exchange.rank());
                for (Motion& m : mine.motion)
                    m.position.x = wrapped(std::fma(m.velocity.x, dt, m.position.x), length);
            }
            // Slow particles need their neighbours only; fast ones fly over slabs when there are many.
            if (largest_speed < 2) {
                EXPECT_EQ(num_any_to_any, 0);
            } else if (GetParam() >= 5) {
                EXPECT_GT(num_any_to_any, 0);
            }
            std::array<std::int64_t, 1> count{static_cast<std::int64_t>(mine.size())};
            exchange.sum(count);
            EXPECT_EQ(count[0], 300);
        });
    }
}

TEST_P(MigrationTest, RanksWithoutParticlesTakePart) {
    const Box box = box_with(Boundary::periodic);
    const auto slabs = SlabDecomposition::even(SliceGrid(box, 0.5), GetParam());
    run_ranks(GetParam(), [&](Exchange& exchange) {
        Particles mine;
        if (exchange.rank() == 0) mine = marked_particles(1, 0, 3);
        mine.motion.resize(mine.size());
        for (Motion& m : mine.motion) m.position.x = std::nextafter(length, 0);
        distribute(exchange, box, slabs, mine);
        EXPECT_EQ(mine.size(), exchange.rank() == exchange.size() - 1 ? 1u : 0u);
        migrate(exchange, slabs, plan_migration(mine, 0.1, box, slabs, exchange.rank()), false, mine);
        EXPECT_EQ(mine.size(), exchange.rank() == exchange.size() - 1 ? 1u : 0u);
    });
}

INSTANTIATE_TEST_SUITE_P(RankCounts, MigrationTest, testing::Values(1, 2, 3, 4, 5, 7));

TEST(Migration, TheMidpointDecidesNotThePosition) {
    const Box box = box_with(Boundary::periodic);
    const auto slabs = SlabDecomposition::even(SliceGrid(box, 0.5), 3);  // faces 0, 4, 8, 12
    Particles particles = marked_particles(4, 0, 4);
    const double dt = 0.5;
    const double x[]{3.5, 3.5, 0.25, 11.75}, v[]{1.9, 2.0, -4.0, 2.0};
    for (std::size_t k = 0; k < 4; ++k) {
        particles.motion[k].position.x = x[k];
        particles.motion[k].velocity.x = v[k];
    }
    const auto plan = plan_migration(particles, dt, box, slabs, 0);
    // Midpoints: 3.975 stays although the path ends beyond the face; 4 is exactly on it and belongs to the
    // next slab; -0.75 wraps to the last slab; 12.25 wraps to 0.25.
    ASSERT_EQ(plan.leavers.size(), 2u);
    EXPECT_EQ(plan.leavers[0].index, 1u);
    EXPECT_EQ(plan.leavers[0].destination, 1);
    EXPECT_EQ(plan.leavers[1].index, 2u);
    EXPECT_EQ(plan.leavers[1].destination, 2);
    EXPECT_TRUE(plan.is_to_adjacent_slabs);
}

TEST(Migration, GoingBeyondAnAdjacentSlabIsNoticed) {
    const auto slabs = SlabDecomposition::even(SliceGrid(box_with(Boundary::reflecting), 0.5), 3);
    Particles particles = marked_particles(1, 0, 5);
    particles.motion[0].position.x = 11;
    EXPECT_FALSE(plan_migration(particles, 0, box_with(Boundary::reflecting), slabs, 0).is_to_adjacent_slabs);
    EXPECT_TRUE(plan_migration(particles, 0, box_with(Boundary::reflecting), slabs, 1).is_to_adjacent_slabs);
}

/// Even ids stay on rank 0 and odd ones on rank 1, in the places that they have; with as many leavers as
/// arrivals, more, or fewer.
TEST(Migration, FillsPlacesOfLeaversByArrivals) {
    const Box box = box_with(Boundary::periodic);
    const auto slabs = SlabDecomposition::even(SliceGrid(box, 0.5), 2);
    const auto ids_after = [&](const std::array<std::vector<ParticleId>, 2>& before) {
        std::array<std::vector<ParticleId>, 2> after;
        run_ranks(2, [&](Exchange& exchange) {
            const auto rank = static_cast<std::size_t>(exchange.rank());
            Particles mine = marked_particles(before[rank].size(), 0, 6);
            for (std::size_t k = 0; k < mine.size(); ++k) {
                mine.motion[k].id = before[rank][k];
                mine.motion[k].position.x = before[rank][k] % 2 == 0 ? 1 : 7;
            }
            migrate(exchange, slabs, plan_migration(mine, 0, box, slabs, exchange.rank()), false, mine);
            for (const Motion& m : mine.motion) after[rank].push_back(m.id);
        });
        return after;
    };
    using Ids = std::array<std::vector<ParticleId>, 2>;
    EXPECT_EQ(ids_after({{{0, 1, 2, 3, 4}, {10, 11, 12, 13}}}), (Ids{{{0, 10, 2, 12, 4}, {1, 11, 3, 13}}}));
    EXPECT_EQ(ids_after({{{1, 2, 3, 4, 6, 5}, {10}}}), (Ids{{{10, 2, 6, 4}, {1, 3, 5}}}));
    EXPECT_EQ(ids_after({{{1, 3}, {}}}), (Ids{{{}, {1, 3}}}));
}

}  // namespace
}  // namespace ricochet
