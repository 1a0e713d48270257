// SPDX-License-Identifier: BSD-3-Clause
//
// Crystals and liquids are told apart by the order of their bonds, with the same bits on any number of ranks.
#include "placement/bond_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "placement/lattice.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;

constexpr auto periodic = Boundary::periodic;

std::vector<Vec3> sites_of(const Lattice& lattice) {
    std::vector<Vec3> sites;
    for (std::uint64_t k = 0; k < lattice.num_sites(); ++k) sites.push_back(lattice.site(k));
    return sites;
}

/// The bond order of all points; each rank has every n-th.
BondOrder order_on_ranks(int num_ranks, const Box& box, const std::vector<Vec3>& points) {
    BondOrder order;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        Particles owned;
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (static_cast<int>(k) % exchange.size() != exchange.rank()) continue;
            Motion motion;
            motion.position = points[k];
            motion.id = k;
            owned.motion.push_back(motion);
        }
        const BondOrder mine = measure_bond_order(exchange, box, owned);
        if (exchange.rank() == 0) order = mine;
    });
    return order;
}

const Box cube{3, {10, 10, 10}, {periodic, periodic, periodic}};
const Box slit{3, {10, 10, 10}, {Boundary::reflecting, periodic, periodic}};

std::vector<Vec3> random_points(const Box& box, std::uint64_t count) {
    std::vector<Vec3> points;
    for (std::uint64_t k = 0; k < count; ++k) {
        const RandomWords words = random_words({1, Stream::placement, 0}, k);
        const RandomWords more = random_words({1, Stream::placement, 1}, k);
        const double z = box.dimension == 2 ? 0 : uniform_from(more[0]) * box.size.z;
        points.push_back({uniform_from(words[0]) * box.size.x, uniform_from(words[1]) * box.size.y, z});
    }
    return points;
}

/// Values of Steinhardt, Nelson and Ronchetti.
TEST(BondOrder, OfPerfectLattices) {
    const BondOrder fcc =
        order_on_ranks(1, cube, sites_of(Lattice::widest(LatticeKind::fcc, cube, 0.1, 500)));
    EXPECT_EQ(fcc.num_bonds, 3000u);
    EXPECT_NEAR(fcc.value, 0.57452, 1e-5);
    const BondOrder sc = order_on_ranks(1, cube, sites_of(Lattice::widest(LatticeKind::sc, cube, 0.1, 512)));
    EXPECT_EQ(sc.num_bonds, 1536u);
    EXPECT_NEAR(sc.value, 0.35355, 1e-5);
    EXPECT_TRUE(is_crystal(fcc, 3));
    EXPECT_TRUE(is_crystal(sc, 3));
}

/// Also that of a square lattice, which psi_6 does not see.
TEST(BondOrder, OfPerfectLatticesOfDiscs) {
    const Box fits{2, {10, 5 * std::sqrt(3.0), 0}, {periodic, periodic, periodic}};
    const BondOrder six =
        order_on_ranks(1, fits, sites_of(Lattice::widest(LatticeKind::hexagonal, fits, 0.1, 100)));
    EXPECT_EQ(six, (BondOrder{six.value, 6, 300}));
    EXPECT_NEAR(six.value, 1, 1e-12);
    const Box flat{2, {10, 10, 0}, {periodic, periodic, periodic}};
    const BondOrder four =
        order_on_ranks(1, flat, sites_of(Lattice::widest(LatticeKind::square, flat, 0.1, 400)));
    EXPECT_EQ(four, (BondOrder{four.value, 4, 800}));
    EXPECT_NEAR(four.value, 1, 1e-12);
    EXPECT_TRUE(is_crystal(four, 2));
}

TEST(BondOrder, OfRandomPointsIsSmall) {
    const BondOrder order = order_on_ranks(1, cube, random_points(cube, 2000));
    EXPECT_GT(order.num_bonds, 5000u);
    EXPECT_LT(order.value, 4 / std::sqrt(static_cast<double>(order.num_bonds)));
    EXPECT_FALSE(is_crystal(order, 3));
    const Box flat{2, {20, 20, 0}, {periodic, periodic, periodic}};
    EXPECT_FALSE(is_crystal(order_on_ranks(1, flat, random_points(flat, 1000)), 2));
}

TEST(BondOrder, HasTheSameBitsOnAnyNumberOfRanks) {
    for (const Box& box : {cube, slit}) {
        const std::vector<Vec3> points = random_points(box, 700);
        const BondOrder one = order_on_ranks(1, box, points);
        for (const int num_ranks : {2, 3, 7}) EXPECT_EQ(order_on_ranks(num_ranks, box, points), one);
    }
}

/// Between a liquid and a crystal there is order that neither has; in few bonds chance alone makes some.
TEST(BondOrder, TellsAPartOfOrder) {
    const auto part = [](double value, int dimension, std::uint64_t num_bonds) {
        EXPECT_FALSE(is_crystal({value, 6, num_bonds}, dimension) &&
                     is_partly_ordered({value, 6, num_bonds}, dimension));
        return is_partly_ordered({value, 6, num_bonds}, dimension);
    };
    EXPECT_TRUE(part(0.42, 2, 1200));
    EXPECT_FALSE(part(0.18, 2, 1'000'000));
    EXPECT_FALSE(part(0.51, 2, 1200));
    EXPECT_TRUE(part(0.15, 3, 20'000));
    EXPECT_FALSE(part(0.04, 3, 20'000));
    EXPECT_FALSE(part(0.42, 2, 100));
    EXPECT_FALSE(is_partly_ordered(BondOrder{}, 2));
}

/// Three bonds are in some order whatever they are; what is told of a liquid must not be told of them.
TEST(BondOrder, OfFewBondsTellsNothing) {
    EXPECT_FALSE(tells_order({0.65, 6, 3}, 3));
    EXPECT_FALSE(tells_order({0.1, 6, 150}, 3));
    EXPECT_TRUE(tells_order({0.1, 6, 300}, 3));
    EXPECT_FALSE(tells_order({0.65, 6, 3}, 2));
    EXPECT_TRUE(tells_order({0.1, 6, 60}, 2));
    EXPECT_FALSE(tells_order(BondOrder{}, 3));
}

TEST(BondOrder, OfNoneIsZero) {
    EXPECT_EQ(order_on_ranks(2, cube, {}), BondOrder{});
    EXPECT_EQ(order_on_ranks(2, cube, {{1, 1, 1}}), BondOrder{});
    EXPECT_FALSE(is_crystal(BondOrder{}, 3));
}

}  // namespace
}  // namespace ricochet
