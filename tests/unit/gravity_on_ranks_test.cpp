// SPDX-License-Identifier: BSD-3-Clause
//
// Mutual gravity on several ranks: the bits of one rank, and no more of other ranks than leaves may open.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "gravity/near_images.hpp"
#include "gravity/shared_tree.hpp"
#include "gravity/tree.hpp"
#include "tests/support/gravity_systems.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::equal_fields;
using test::fields_of;
using test::gravity_systems;
using test::GravitySystem;
using test::HashRandom;
using test::periodic_gravity_systems;
using test::run_ranks;
using test::tiny_heaps;
using test::uniform_sources;

/// The rank that has source k.
using Distribution = std::function<int(const GravitySystem&, std::size_t k, int num_ranks)>;

int by_slab(const GravitySystem& system, std::size_t k, int num_ranks) {
    const double place = system.sources[k].position.x / system.box.size.x;
    return std::clamp(static_cast<int>(place * num_ranks), 0, num_ranks - 1);
}
int in_turn(const GravitySystem& /*system*/, std::size_t k, int num_ranks) {
    return static_cast<int>(k) % num_ranks;
}
int on_the_last(const GravitySystem& /*system*/, std::size_t /*k*/, int num_ranks) { return num_ranks - 1; }

std::vector<GravityField> fields_on_ranks(const GravitySystem& system, int num_ranks,
                                          const Distribution& rank_of, GravityMethod method) {
    std::vector<GravityField> fields(system.sources.size());
    run_ranks(num_ranks, [&](Exchange& exchange) {
        std::vector<std::size_t> own;
        std::vector<GravitySource> owned;
        for (std::size_t k = 0; k < system.sources.size(); ++k) {
            if (rank_of(system, k, num_ranks) != exchange.rank()) continue;
            own.push_back(k);
            owned.push_back(system.sources[k]);
        }
        const auto found = fields_of(exchange, system, owned, method);
        for (std::size_t k = 0; k < own.size(); ++k)
            fields[own[k]] = found[k];  // no two ranks have one element
    });
    return fields;
}

void expect_bits_of_one_rank(const GravitySystem& system, GravityMethod method,
                             const std::vector<int>& rank_counts = {1, 2, 3, 4, 5, 6, 7}) {
    const auto expected = fields_of(system, method);
    for (const int num_ranks : rank_counts)
        for (const Distribution& rank_of :
             {Distribution(by_slab), Distribution(in_turn), Distribution(on_the_last)})
            EXPECT_TRUE(equal_fields(fields_on_ranks(system, num_ranks, rank_of, method), expected))
                << system.name << " of " << system.sources.size() << ", ranks " << num_ranks;
}
void expect_bits_of_one_rank(const GravitySystem& system) {
    for (const GravityMethod method : {GravityMethod::tree, GravityMethod::direct})
        expect_bits_of_one_rank(system, method);
}

TEST(GravityOnRanks, HasTheBitsOfOne) {
    for (const GravitySystem& system : gravity_systems(2500))
        expect_bits_of_one_rank(system, GravityMethod::tree);
    for (const GravitySystem& system : gravity_systems(500))
        expect_bits_of_one_rank(system, GravityMethod::direct);
}

TEST(GravityOnRanks, HasTheBitsOfOneWithImages) {
    for (const GravitySystem& system : periodic_gravity_systems(1500))
        expect_bits_of_one_rank(system, GravityMethod::tree, {1, 3, 4, 7});
    for (const GravitySystem& system : periodic_gravity_systems(100))
        expect_bits_of_one_rank(system, GravityMethod::direct, {2, 5, 6});
    for (const std::size_t count : {0, 1, 33})
        for (GravitySystem system : {uniform_sources({1, 1, 0}, count, count), tiny_heaps(count, count)}) {
            system.box.boundary.fill(Boundary::periodic);
            expect_bits_of_one_rank(system);
        }
}

/// So few that ranks have none, or that the whole tree is one leaf.
TEST(GravityOnRanks, HasTheBitsOfOneWithFew) {
    for (const std::size_t count : {0, 1, 2, 3, 5, 31, 32, 33, 34, 65, 70, 130})
        for (GravitySystem system : {uniform_sources({1, 1, 1}, count, count), tiny_heaps(count, count)})
            expect_bits_of_one_rank(system);
}

/// Leaves at full depth, of more particles than a rank has, next to others.
TEST(GravityOnRanks, HasTheBitsOfOneWithHeaps) {
    for (const double share : {0.3, 0.9, 1.0})
        for (const Vec3 size : {Vec3{1, 1, 1}, Vec3{1, 1, 0}}) {
            GravitySystem system = uniform_sources(size, 400);
            system.name = "heap";
            const auto num_there = static_cast<std::size_t>(share * 400);
            for (std::size_t k = 0; k < num_there; ++k)
                system.sources[k].position = {0.4, 0.6, size.z == 0 ? 0 : 0.7};
            expect_bits_of_one_rank(system);
        }
}

/// Any number of particles and ranks, in clusters of all sizes.
TEST(GravityOnRanks, HasTheBitsOfOneForArbitrary) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        HashRandom random(seed);
        GravitySystem system = uniform_sources({1, 1, 1}, random.index(300), seed);
        system.name = "arbitrary " + std::to_string(seed);
        const Vec3 centre{random.uniform(), random.uniform(), random.uniform()};
        for (GravitySource& source : system.sources)
            source.position = centre + random.log_uniform(1e-8, 1) * (source.position - centre);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (random.is_one_in(3)) system.box.boundary[axis] = Boundary::periodic;
        const auto expected = fields_of(system);
        const int num_ranks = 2 + static_cast<int>(random.index(6));
        EXPECT_TRUE(equal_fields(fields_on_ranks(system, num_ranks, in_turn, GravityMethod::tree), expected))
            << system.name << ", ranks " << num_ranks;
    }
}

TEST(GravityOnRanks, AgreesOnFailures) {
    GravitySystem system = uniform_sources({1, 1, 1}, 200);
    system.law.softening = 0;
    // Pairs that different ranks have: the lowest id of all counts.
    ParticleId low = ~ParticleId{0}, high = 0;
    for (std::size_t k = 30; k < 36; ++k) {
        system.sources[k + 91].position = system.sources[k].position;
        const auto [first, second] = std::minmax(system.sources[k].id, system.sources[k + 91].id);
        if (first < low) {
            low = first;
            high = second;
        }
    }
    for (const GravityMethod method : {GravityMethod::tree, GravityMethod::direct})
        run_ranks(3, [&](Exchange& exchange) {
            std::vector<GravitySource> owned;
            for (std::size_t k = 0; k < system.sources.size(); ++k)
                if (in_turn(system, k, 3) == exchange.rank()) owned.push_back(system.sources[k]);
            std::vector<GravityField> fields;
            SelfGravity gravity(exchange, system.box, {system.law, method, 0.8});
            const auto failure = gravity.find_fields(owned, WithPotential::no, fields);
            ASSERT_TRUE(failure);
            EXPECT_EQ(failure->id, low);
            EXPECT_EQ(failure->other, high);
        });
}

struct RankTree {
    std::size_t num_own = 0;
    GravityTree tree;
    FetchedParts fetched;
};

std::vector<RankTree> trees_on_ranks(const GravitySystem& system, int num_ranks) {
    std::vector<RankTree> trees(static_cast<std::size_t>(num_ranks));
    run_ranks(num_ranks, [&](Exchange& exchange) {
        const CellKeys cell_keys(system.box);
        std::vector<SortedSource> sources;
        for (std::size_t k = 0; k < system.sources.size(); ++k) {
            const GravitySource& source = system.sources[k];
            if (in_turn(system, k, num_ranks) == exchange.rank())
                sources.push_back(
                    {cell_keys.key_of(source.position), source.id, {source.position, source.mass}, 0, 0});
        }
        const auto sorted = sort_into_leaves(exchange, cell_keys, std::move(sources));
        RankTree& mine = trees[static_cast<std::size_t>(exchange.rank())];
        mine.num_own = sorted.size();
        mine.tree = build_shared_tree(exchange, cell_keys, Opening(0.8), sorted, near_images(system.box),
                                      &mine.fetched);
    });
    return trees;
}

/// A rank gets particles near its own, and few cells of all that others have.
TEST(GravityOnRanks, FetchesWhatLeavesMayOpen) {
    const GravitySystem system = uniform_sources({8, 1, 1}, 40000);
    std::size_t num_cells = 0;
    for (const RankTree& rank : trees_on_ranks(system, 1)) num_cells += rank.tree.cells.size();
    for (const RankTree& rank : trees_on_ranks(system, 4)) {
        EXPECT_NEAR(static_cast<double>(rank.num_own), 10000, 1000);
        EXPECT_EQ(rank.tree.num_targets, rank.num_own);
        EXPECT_GT(rank.fetched.num_points, 0u);
        EXPECT_LT(rank.fetched.num_points, 6000u);
        EXPECT_LT(rank.tree.cells.size(), num_cells / 2);
        EXPECT_LE(rank.fetched.num_rounds, 8);
    }
}

/// Each rank finds the same cells at the top, in depth-first order.
TEST(GravityOnRanks, RootsAreEqual) {
    for (const GravitySystem& system : gravity_systems(1000)) {
        const Moments root = trees_on_ranks(system, 1).front().tree.moments.front();
        for (const RankTree& rank : trees_on_ranks(system, 3)) {
            EXPECT_EQ(std::memcmp(&rank.tree.moments.front(), &root, sizeof root), 0);
            EXPECT_EQ(rank.tree.cells.front().next, rank.tree.cells.size());
        }
    }
}

}  // namespace
}  // namespace ricochet
