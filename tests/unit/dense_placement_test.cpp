// SPDX-License-Identifier: BSD-3-Clause
//
// Dense starts: without overlap, without order, and the same for every number of ranks.
#include "placement/dense_placement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "geometry/overlap_census.hpp"
#include "placement/bond_order.hpp"
#include "placement/placement.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

struct DenseCase {
    std::string name;
    Box box;
    std::vector<Species> species;
    std::vector<bool> passing;

    friend void PrintTo(const DenseCase& c, std::ostream* out) { *out << c.name; }
};

Species log_normal(double median, double sigma, std::uint64_t count) {
    Species species = particles_of(0, count);
    species.radius_distribution = LogNormalRadius{median, sigma, 0.3 * median, 3 * median};
    return species;
}

/// Fractions far above those of random placement, but for the tiny systems.
std::vector<DenseCase> dense_cases() {
    const Box slit{3, {14, 7, 1.05}, {periodic, reflecting, reflecting}};
    const Box thin{3, {2.5, 12, 12}, {periodic, periodic, periodic}};
    const Box flat{2, {20, 9, 0}, {reflecting, periodic, periodic}};
    return {
        {"equal", cube(10), {particles_of(0.5, 1140)}, {}},                           // 0.60
        {"mixture", cube(10), {particles_of(0.5, 300), particles_of(0.7, 300)}, {}},  // 0.59
        {"log_normal", cube(10), {log_normal(0.5, 0.2, 900)}, {}},                    // 0.56
        {"walls", cube(8, reflecting), {particles_of(0.5, 440)}, {}},                 // 0.45
        {"slit", slit, {particles_of(0.5, 95)}, {}},                                  // nearly discs
        {"one_to_ten", cube(7), {particles_of(0.2, 2500), particles_of(2, 3)}, {}},   // 0.54
        {"discs", square(16), {particles_of(0.5, 85), particles_of(0.7, 85)}, {}},    // 0.77
        {"flat_walls", flat, {particles_of(0.5, 160)}, {}},                           // 0.70
        {"thin_strips", thin, {particles_of(0.5, 380)}, {}},                          // 0.55
        {"two", cube(2.2), {particles_of(0.5, 2)}, {}},
        {"one", cube(3), {particles_of(0.5, 1)}, {}},
        {"passing", cube(8), {particles_of(0.5, 400), particles_of(0.5, 400)}, {true, false, false, false}}};
}

class DensePlacementOf : public testing::TestWithParam<DenseCase> {
  protected:
    /// All particles of the box.
    static Particles placed_on(int num_ranks) {
        Particles result;
        run_ranks(num_ranks, [&](Exchange& exchange) {
            const Population population(GetParam().species, 5, GetParam().passing);
            const DensePlacement placed = place_densely(GetParam().box, population, exchange);
            EXPECT_TRUE(placed.is_complete) << placed.largest_overlap;
            const Particles all = gathered(placed.particles, exchange);
            if (exchange.rank() == 0) result = all;
        });
        return result;
    }
};

INSTANTIATE_TEST_SUITE_P(Starts, DensePlacementOf, testing::ValuesIn(dense_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(DensePlacementOf, IsTheSameOnAnyRanks) {
    const Particles one = placed_on(1);
    for (const int num_ranks : {2, 3, 4, 5})
        EXPECT_TRUE(same_bits(one, placed_on(num_ranks))) << num_ranks << " ranks";
}

TEST_P(DensePlacementOf, LeavesNoOverlap) {
    const Box& box = GetParam().box;
    const Particles particles = placed_on(2);
    const auto counts = [&](std::size_t a, std::size_t b, double) {
        const std::size_t num_species = GetParam().species.size();
        const std::size_t pair =
            particles.attributes[a].species * num_species + particles.attributes[b].species;
        return GetParam().passing.empty() || !GetParam().passing[pair];
    };
    EXPECT_TRUE(find_overlaps(box, particles, 0, 1, counts).empty());
    for (std::size_t k = 0; k < particles.size(); ++k)
        for (int axis = 0; axis < box.dimension; ++axis) {
            const double x = particles.motion[k].position[axis], radius = particles.attributes[k].radius;
            EXPECT_GE(x, box.has_walls(axis) ? radius : 0);
            EXPECT_LT(x, box.size[axis]);
            EXPECT_GE(box.size[axis] - x, box.has_walls(axis) ? radius : 0);
        }
}

/// Species that pass through each other are not pushed apart.
TEST(DensePlacement, LetsOverlapWhatPasses) {
    run_ranks(2, [](Exchange& exchange) {
        const Population population({particles_of(0.5, 700)}, 5, {true});
        const DensePlacement placed = place_densely(cube(8), population, exchange);
        EXPECT_EQ(placed.num_steps, 0u);
        const Particles all = gathered(placed.particles, exchange);
        EXPECT_GT(count_overlaps(cube(8), all), 500u);
    });
}

BondOrder order_of(const Box& box, const std::vector<Species>& species) {
    BondOrder order;
    run_ranks(1, [&](Exchange& exchange) {
        const DensePlacement placed = place_densely(box, Population(species, 5), exchange);
        order = measure_bond_order(exchange, box, placed.particles);
    });
    return order;
}

/// A liquid has about 1/sqrt(number of bonds).
TEST(DensePlacement, LeavesNoCrystal) {
    const auto limit = [](const BondOrder& order) {
        return 3 / std::sqrt(static_cast<double>(order.num_bonds));
    };
    const BondOrder spheres = order_of(cube(12), {particles_of(0.5, 1980)});
    EXPECT_LT(spheres.value, std::max(limit(spheres), 0.04));
    const BondOrder discs = order_of(square(40), {particles_of(0.5, 555), particles_of(0.7, 555)});
    EXPECT_LT(discs.value, std::max(limit(discs), 0.06));
}

struct Foretold {
    std::string name;
    Box box;
    std::vector<Species> species;
    bool is_tried = false;
};

/// What a start is said to cost is what its operations cost: where it is tried they are counted, elsewhere guessed.
/// Walls, unequal sizes and the last percent before jamming cost many times what a fraction alone tells.
TEST(DensePlacement, TellsItsTime) {
    const std::vector<Foretold> cases{
        {"equal", cube(10), {particles_of(0.5, 1050)}},
        {"mixture", cube(10), {particles_of(0.5, 280), particles_of(0.7, 280)}},
        {"nearly_jammed", cube(8), {particles_of(0.5, 606)}, true},
        {"walls", cube(7, reflecting), {particles_of(0.9, 30), particles_of(0.2, 1500)}, true}};
    for (const Foretold& c : cases)
        run_ranks(1, [&](Exchange& exchange) {
            const PlacementForecast forecast =
                foresee_dense_placement(start_world(c.box, c.species), exchange);
            const DensePlacement placed = place_densely(c.box, Population(c.species, 5), exchange);
            ASSERT_TRUE(placed.is_complete) << c.name;
            const double ratio = forecast.cpu_seconds / placed.cpu_seconds;
            EXPECT_GT(ratio, c.is_tried ? 0.99 : 0.5) << c.name;
            EXPECT_LT(ratio, c.is_tried ? 1.01 : 2) << c.name;
        });
}

TEST(DensePlacement, DependsOnTheSeed) {
    run_ranks(1, [](Exchange& exchange) {
        const std::vector<Species> species{particles_of(0.5, 500)};
        const DensePlacement one = place_densely(cube(8), Population(species, 1), exchange);
        const DensePlacement two = place_densely(cube(8), Population(species, 2), exchange);
        EXPECT_NE(one.particles.motion[7].position, two.particles.motion[7].position);
    });
}

/// Beyond the densest packing a minimum with overlaps is left, the same on any ranks.
TEST(DensePlacement, SaysWhatIsTooDense) {
    std::vector<double> overlaps;
    for (const int num_ranks : {1, 3})
        run_ranks(num_ranks, [&](Exchange& exchange) {
            const Population population({particles_of(0.5, 700)}, 5);  // 0.72
            const DensePlacement placed = place_densely(cube(8), population, exchange);
            EXPECT_FALSE(placed.is_complete);
            EXPECT_EQ(placed.particles.size(), 0u);
            EXPECT_LT(placed.num_steps, 20'000u);
            if (exchange.rank() == 0) overlaps.push_back(placed.largest_overlap);
        });
    EXPECT_EQ(overlaps[0], overlaps[1]);
    EXPECT_GT(overlaps[0], 0.01);
    EXPECT_LT(overlaps[0], 0.3);
}

}  // namespace
}  // namespace ricochet::test
