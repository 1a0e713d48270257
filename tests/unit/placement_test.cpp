// SPDX-License-Identifier: BSD-3-Clause
//
// Generated starts: complete, without overlap, random, and the same for every number of ranks (threads here,
// MPI in tests/mpi/placement_test.cpp).
#include "placement/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "geometry/overlap_census.hpp"
#include "placement/random_placement.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

struct WholeStart {
    Particles particles;
    std::vector<std::string> notes;
    bool needs_equilibration = false;
};

WholeStart start_on(int num_ranks, const Place& place) {
    WholeStart result;
    run_ranks(num_ranks, [&](Exchange& exchange) {
        const Placement placement = place(exchange);
        const Particles all = gathered(placement.particles, exchange);
        if (exchange.rank() == exchange.size() - 1)
            result = {all, placement.notes, placement.needs_equilibration};
    });
    return result;
}

WholeStart random_start(const Box& box, const std::vector<Species>& species, std::uint64_t seed = 5) {
    return start_on(
        1, [&](Exchange& exchange) { return place_at_random(start_world(box, species, seed), exchange); });
}

std::string refusal_on(int num_ranks, const Place& place) {
    std::vector<std::string> messages(static_cast<std::size_t>(num_ranks));
    run_ranks(num_ranks, [&](Exchange& exchange) {
        try {
            place(exchange);
        } catch (const InputError& error) {
            messages[static_cast<std::size_t>(exchange.rank())] = error.what();
        }
    });
    for (const std::string& message : messages) EXPECT_EQ(message, messages.front());
    return messages.front();
}

std::string refused_random(const Box& box, const std::vector<Species>& species) {
    return refusal_on(
        3, [&](Exchange& exchange) { return place_at_random(start_world(box, species), exchange); });
}

class PlacementOf : public testing::TestWithParam<PlacementCase> {};

INSTANTIATE_TEST_SUITE_P(Starts, PlacementOf, testing::ValuesIn(placement_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(PlacementOf, IsTheSameForEveryNumberOfRanks) {
    const WholeStart one = start_on(1, GetParam().place);
    for (const int num_ranks : {2, 3, 4, 5, 6, 7}) {
        const WholeStart other = start_on(num_ranks, GetParam().place);
        EXPECT_TRUE(same_bits(one.particles, other.particles)) << num_ranks << " ranks";
        EXPECT_EQ(one.notes, other.notes);
        EXPECT_EQ(one.needs_equilibration, other.needs_equilibration);
    }
}

/// The pairs of a start that overlap, one with both ids below `num_passing`, the others.
std::array<std::size_t, 2> overlaps_of(const Box& box, const Particles& particles, ParticleId num_passing) {
    std::array<std::size_t, 2> counts{};
    for (const OverlappingPair& pair : find_overlaps(box, particles, 0, 100'000))
        ++counts[particles.motion[pair.first].id < num_passing &&
                         particles.motion[pair.second].id < num_passing
                     ? 0
                     : 1];
    return counts;
}

/// Species that pass through each other overlap at the start, as points do; others do not, on any number of ranks.
TEST(RandomPlacement, LetsOverlapWhatPasses) {
    std::vector<Species> species(2);
    species[0].radius = species[1].radius = 0.5;
    species[0].count = 500;
    const Box box = cube(10);
    const auto place = [&](Exchange& exchange) {
        return place_at_random(start_world(box, species), exchange, {true, false, false, false});
    };
    // N points in a volume V have N^2/2 (4 pi d^3 / 3) / V pairs closer than d. Four standard errors.
    EXPECT_NEAR(static_cast<double>(overlaps_of(box, start_on(1, place).particles, 500)[0]), 523.6, 92);
    species[0].count = 400;
    species[1].count = 100;
    const WholeStart one = start_on(1, place);
    EXPECT_EQ(one.particles.size(), 500u);
    EXPECT_GT(overlaps_of(box, one.particles, 400)[0], 100u);
    EXPECT_EQ(overlaps_of(box, one.particles, 400)[1], 0u);
    for (const int num_ranks : {2, 5})
        EXPECT_TRUE(same_bits(one.particles, start_on(num_ranks, place).particles)) << num_ranks << " ranks";
    // Together these are more than random placement reaches without overlaps.
    species[0].count = 1500;
    species[1].count = 0;
    EXPECT_FALSE(start_on(1, place).needs_equilibration);
}

/// And keeps off the walls.
TEST_P(PlacementOf, LeavesNoOverlap) {
    const Box& box = GetParam().box;
    const Particles particles = start_on(3, GetParam().place).particles;
    EXPECT_EQ(count_overlaps(box, particles), 0u);
    for (std::size_t k = 0; k < particles.size(); ++k)
        for (int axis = 0; axis < 3; ++axis) {
            const double x = particles.motion[k].position[axis], radius = particles.attributes[k].radius;
            EXPECT_GE(x, box.has_walls(axis) ? radius : 0);
            if (axis >= box.dimension) {
                EXPECT_EQ(x, 0);
            } else {
                EXPECT_LT(x, box.size[axis]);
                EXPECT_GE(box.size[axis] - x, box.has_walls(axis) ? radius : 0);
            }
        }
}

TEST_P(PlacementOf, GivesSpeciesIdsAndAttributes) {
    const Particles particles = start_on(2, GetParam().place).particles;
    std::size_t k = 0;
    for (std::size_t s = 0; s < GetParam().species.size(); ++s) {
        const Species& species = GetParam().species[s];
        for (std::uint64_t n = 0; n < species.count; ++n, ++k) {
            ASSERT_LT(k, particles.size());
            const Motion& motion = particles.motion[k];
            const Attributes& attributes = particles.attributes[k];
            EXPECT_EQ(motion.id, k);
            EXPECT_EQ(motion.velocity, Vec3{});
            EXPECT_EQ(attributes.species, s);
            EXPECT_EQ(attributes.radius, radius_of(species, 5, k));
            EXPECT_EQ(attributes.mass, species.mass);
            EXPECT_EQ(attributes.diffusion, diffusion_of(species, attributes.radius));
            EXPECT_EQ(particles.track[k].origin, motion.position);
        }
    }
    EXPECT_EQ(k, particles.size());
}

TEST(RandomPlacement, DependsOnTheSeed) {
    const WholeStart one = random_start(cube(10), {particles_of(0.5, 50)}, 1);
    const WholeStart two = random_start(cube(10), {particles_of(0.5, 50)}, 2);
    for (std::size_t k = 0; k < 50; ++k)
        EXPECT_NE(one.particles.motion[k].position, two.particles.motion[k].position);
}

TEST(RandomPlacement, SaysHowItWasDone) {
    const WholeStart start = random_start(cube(10), {particles_of(0.5, 10)});
    ASSERT_EQ(start.notes.size(), 1u);
    EXPECT_EQ(start.notes[0],
              "placement: 10 spheres at random, volume fraction 0.00523599, in 2 rounds of proposals");
    EXPECT_FALSE(start.needs_equilibration);
}

/// Chi-square of the counts in n^3 equal cells, per degree of freedom.
double chi_square(const Particles& particles, double length, int n) {
    std::vector<double> counts(static_cast<std::size_t>(n * n * n));
    for (const Motion& m : particles.motion) {
        const auto cell = [&](double x) { return static_cast<std::size_t>(x / length * n); };
        const auto side = static_cast<std::size_t>(n);
        ++counts[cell(m.position.x) + side * (cell(m.position.y) + side * cell(m.position.z))];
    }
    const double mean = static_cast<double>(particles.size()) / static_cast<double>(counts.size());
    double sum = 0;
    for (const double count : counts) sum += (count - mean) * (count - mean) / mean;
    return sum / static_cast<double>(counts.size() - 1);
}

TEST(RandomPlacement, IsUniform) {
    // 511 degrees of freedom: standard deviation 0.063. Exclusion narrows the counts: at this density the
    // compressibility is 0.92 of that of points.
    const WholeStart start = random_start(cube(60), {particles_of(0.5, 4000)});
    EXPECT_NEAR(chi_square(start.particles, 60, 8), 0.93, 0.25);
}

/// Beside walls too; species are mixed.
TEST(RandomPlacement, IsUniformAndMixed) {
    const WholeStart start =
        random_start(cube(40, reflecting), {particles_of(1, 200), particles_of(0.5, 2000)});
    // Centres of species 1 lie uniformly in [0.5, 39.5]: mean 20, variance 39^2/12.
    Vec3 sum;
    double sum_of_squares = 0;
    for (std::size_t k = 200; k < 2200; ++k) {
        const Vec3 r = start.particles.motion[k].position - Vec3{20, 20, 20};
        sum = sum + r;
        sum_of_squares += dot(r, r);
    }
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(sum[axis] / 2000, 0, 4 * 11.26 / std::sqrt(2000.0));
    EXPECT_NEAR(sum_of_squares / 6000, 39 * 39 / 12.0, 4 * 39 * 39 / 12.0 * std::sqrt(0.8 / 6000));
}

/// Number of pairs whose distance lies in [low, high), divided by that of an ideal gas of N points.
double pair_distribution(const Particles& particles, const Box& box, double low, double high) {
    const ImageLengths images(box);
    double pairs = 0;
    for (std::size_t a = 0; a < particles.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const double d =
                norm(minimum_image(particles.motion[a].position - particles.motion[b].position, images));
            pairs += d >= low && d < high;
        }
    const auto n = static_cast<double>(particles.size());
    const double shell = content(high, 3) - content(low, 3);
    return pairs / (0.5 * n * (n - 1) * shell / box.volume());
}

/// The pair distribution is that of random sequential addition.
TEST(RandomPlacement, HasTheSequentialDistribution) {
    // phi 0.1, where random addition is, to this accuracy, the hard-sphere fluid: g at contact about
    // (1 - phi/2)/(1 - phi)^3 = 1.30 less a few per cent, 1 from two diameters on.
    const Box box = cube(25);
    const WholeStart start = random_start(box, {particles_of(0.5, 2984)});
    EXPECT_EQ(pair_distribution(start.particles, box, 0.5, 1.0), 0);
    EXPECT_NEAR(pair_distribution(start.particles, box, 1.0, 1.1), 1.22, 0.08);
    EXPECT_NEAR(pair_distribution(start.particles, box, 2.5, 3.5), 1.0, 0.02);
}

/// Beyond the limit of equal sizes.
TEST(RandomPlacement, FillsGapsBetweenLargeOnes) {
    // Total volume fraction 0.40 with sizes 1:10; the lattice cannot take it.
    const Box box = cube(20);
    const WholeStart start = random_start(box, {particles_of(2, 57), particles_of(0.2, 40000)});
    EXPECT_EQ(start.particles.size(), 40057u);
    EXPECT_EQ(count_overlaps(box, start.particles), 0u);
    EXPECT_FALSE(start.needs_equilibration);
}

/// Beyond the limit of equal sizes.
TEST(RandomPlacement, PlacesADistributionOfSizes) {
    // E. coli's proteins at 0.42, twice the density of the cytoplasm: large ones must come first.
    Species protein = particles_of(0, 3000);
    protein.radius_distribution = LogNormalRadius{3.03, 0.324, 0.5, 10};
    const Box box = cube(111);
    const WholeStart start = random_start(box, {protein});
    EXPECT_EQ(start.particles.size(), 3000u);
    EXPECT_EQ(count_overlaps(box, start.particles), 0u);
    EXPECT_NE(start.notes.at(0).find("at random, volume fraction 0.4"), std::string::npos) << start.notes[0];
}

/// It gives way to a dense start.
TEST(RandomPlacement, IsDenseBeyondItsLimit) {
    const WholeStart start = random_start(cube(10), {particles_of(0.5, 700)});
    EXPECT_TRUE(start.needs_equilibration);
    ASSERT_EQ(start.notes.size(), 2u);
    EXPECT_EQ(start.notes[0].rfind("placement: 700 spheres by the repulsion of soft spheres, volume fraction "
                                   "0.366519, in ",
                                   0),
              0u)
        << start.notes[0];
    EXPECT_EQ(start.notes[1],
              "placement: volume fraction 0.366519 is more than random placement reaches (about 0.342), so "
              "the start is a dense one");
    EXPECT_EQ(count_overlaps(cube(10), start.particles), 0u);
}

/// Sizes that find no room at random do by repulsion.
TEST(RandomPlacement, IsDenseForMixtures) {
    const WholeStart start = random_start(cube(10), {particles_of(0.7, 260), particles_of(0.5, 260)});
    EXPECT_NE(start.notes.at(0).find("soft spheres, volume fraction 0.5"), std::string::npos)
        << start.notes[0];
}

TEST(RandomPlacement, RefusesWhatNoPackingHolds) {
    EXPECT_EQ(refused_random(cube(10), {particles_of(0.5, 1500)}),
              "placement: got 1500 spheres at volume fraction 0.785398, which cannot be packed: disordered "
              "ones of one size end below 0.66; take fewer or smaller particles, a larger box, or a start "
              "from a file");
    EXPECT_EQ(refused_random(cube(10), {particles_of(0.5, 1300)}),
              "placement: got 1300 spheres at volume fraction 0.680678, which cannot be packed: disordered "
              "ones of one size end below 0.66; take fewer or smaller particles, a larger box, a crystal "
              "(placement: {method: lattice, type: fcc}), or a start from a file");
    EXPECT_EQ(refused_random(square(10), {particles_of(0.5, 120)}),
              "placement: got 120 discs at area fraction 0.942478, which cannot be packed: disordered ones "
              "of one size end below 0.88; take fewer or smaller particles, a larger box, or a start from a "
              "file");
}

TEST(RandomPlacement, RefusesMixturesThatFindNoRoom) {
    const std::string message = refused_random(cube(10), {particles_of(1, 125), particles_of(0.5, 400)});
    EXPECT_NE(message.find("placement: got 525 spheres at volume fraction 0.733038, which cannot be packed: "
                           "the repulsion of soft spheres left overlaps of "),
              std::string::npos)
        << message;
    EXPECT_NE(message.find(", so it reached 0.5"), std::string::npos) << message;
}

/// The method may be asked for at any fraction.
TEST(DenseStart, IsDenseWhereAskedFor) {
    const auto place = [](Exchange& exchange) {
        return place_densely(start_world(cube(10), {particles_of(0.5, 300)}), exchange);
    };
    const WholeStart start = start_on(2, place);
    EXPECT_TRUE(start.needs_equilibration);
    ASSERT_EQ(start.notes.size(), 1u);
    EXPECT_EQ(start.notes[0].rfind("placement: 300 spheres by the repulsion of soft spheres", 0), 0u);
    EXPECT_EQ(count_overlaps(cube(10), start.particles), 0u);
}

TEST(RandomPlacement, RefusesWhatExceedsTheBox) {
    EXPECT_EQ(refused_random(cube(3, reflecting), {particles_of(1.6, 1)}),
              "box.size: got 3 between the walls of axis x, expected at least 3.2, the diameter of the "
              "largest particle\n"
              "box.size: got 3 between the walls of axis y, expected at least 3.2, the diameter of the "
              "largest particle\n"
              "box.size: got 3 between the walls of axis z, expected at least 3.2, the diameter of the "
              "largest particle");
    EXPECT_EQ(refused_random({3, {20, 3, 20}, {periodic, periodic, periodic}},
                             {particles_of(1, 5), particles_of(0.25, 5)}),
              "box.size: got 3 along the periodic axis y, expected more than 4, twice the largest contact "
              "distance, so that nearest images are unique");
}

/// Larger than a quarter of the box.
TEST(RandomPlacement, AllowsOneGiant) {
    const Box box = cube(10);
    const WholeStart start = random_start(box, {particles_of(4, 1), particles_of(0.25, 300)});
    EXPECT_EQ(start.particles.size(), 301u);
    EXPECT_EQ(count_overlaps(box, start.particles), 0u);
}

struct Foreseen {
    std::vector<std::string> notes;
    bool needs_equilibration = false;
    std::string refusal;
};

/// On two ranks.
Foreseen foreseen_random(const Box& box, const std::vector<Species>& species) {
    Foreseen result;
    result.refusal = refusal_on(2, [&](Exchange& exchange) {
        PlacementForecast forecast = foresee_random_placement(start_world(box, species), exchange);
        if (exchange.rank() == 0)
            result.notes = forecast.notes, result.needs_equilibration = forecast.needs_equilibration;
        return Placement{};
    });
    return result;
}

TEST(PlacementForecast, IsWhatThePlacementDoes) {
    const Box slit{3, {20, 20, 1.01}, {periodic, periodic, reflecting}};
    const std::vector<std::pair<Box, std::vector<Species>>> cases{
        {cube(10), {particles_of(0.5, 600)}},  {cube(10), {particles_of(0.5, 700)}},
        {cube(10), {particles_of(0.5, 1100)}}, {cube(10), {particles_of(0.5, 300), particles_of(0.3, 1200)}},
        {slit, {particles_of(0.5, 200)}},      {slit, {particles_of(0.5, 262)}}};
    for (const auto& [box, species] : cases) {
        const WholeStart start = random_start(box, species);
        const Foreseen foreseen = foreseen_random(box, species);
        EXPECT_EQ(foreseen.needs_equilibration, start.needs_equilibration);
        ASSERT_EQ(foreseen.notes.size(), start.notes.size());
        EXPECT_EQ(start.notes[0].rfind(foreseen.notes[0], 0), 0u) << start.notes[0] << foreseen.notes[0];
        EXPECT_EQ(foreseen.notes.back().substr(0, 30), start.notes.back().substr(0, 30));
    }
}

TEST(PlacementForecast, RefusesWhatPlacementDoes) {
    Species protein = particles_of(0, 1000);
    protein.radius_distribution = LogNormalRadius{1, 0.3, 0.3, 3};
    const std::vector<std::pair<Box, std::vector<Species>>> cases{
        {cube(10), {particles_of(0.5, 1500)}},
        {cube(10), {particles_of(0.5, 450), particles_of(0.7, 450)}},     // 0.88
        {cube(10), {particles_of(0.5, 400), particles_of(0.7, 370)}},     // 0.74
        {cube(21), {protein}},                                            // 0.73
        {square(30), {particles_of(0.5, 350), particles_of(0.7, 350)}}};  // 0.90
    for (const auto& [box, species] : cases) {
        const std::string refusal = refused_random(box, species);
        EXPECT_NE(refusal, "");
        EXPECT_EQ(foreseen_random(box, species).refusal, refusal);
    }
}

TEST(PlacementForecast, OfTooManyTakesNoTime) {
    EXPECT_NE(foreseen_random(cube(10), {particles_of(0.5, 1'000'000'000'000'000)})
                  .refusal.find("which is more than the whole box"),
              std::string::npos);
}

TEST(RandomPlacement, OfNothingIsEmpty) {
    EXPECT_EQ(random_start(cube(3), {particles_of(0.5, 0)}).particles.size(), 0u);
}

/// Too many, and the wrong dimension.
TEST(LatticePlacement, RefusesWhatDoesNotFit) {
    const std::vector<Species> species{particles_of(0.5, 1001)};
    EXPECT_EQ(refusal_on(2,
                         [&](Exchange& e) {
                             return place_on_lattice(LatticeKind::sc, start_world(cube(10), species, 1), e);
                         }),
              "placement.type: got the lattice sc of 1001 spheres with a spacing of 0.909091 in this box, "
              "expected more than 1, the largest diameter (those that touch all around cannot move); at most "
              "729 fit "
              "on it");
    const std::vector<Species> touching{particles_of(0.5, 1000)};
    const auto place_touching = [&](Exchange& e) {
        return place_on_lattice(LatticeKind::sc, start_world(cube(10), touching, 1), e);
    };
    EXPECT_NE(refusal_on(1, place_touching).find("with a spacing of 1 in this box, expected more than 1"),
              std::string::npos);
    EXPECT_EQ(refusal_on(2,
                         [&](Exchange& e) {
                             return place_on_lattice(LatticeKind::sc, start_world(square(99), species, 1), e);
                         }),
              "placement.type: got sc, a lattice in 3 dimensions, expected square or hexagonal in this box");
}

TEST(LatticePlacement, ShufflesSpeciesAndVacancies) {
    const std::vector<Species> species{particles_of(0.4, 2000), particles_of(0.3, 1300)};
    const Particles particles =
        start_on(1, [&](Exchange& e) {
            return place_on_lattice(LatticeKind::sc, start_world(cube(15), species, 1), e);
        }).particles;
    // Binomial, 607 +- 19 of species 1 in the lower 7 of 15 layers.
    int low = 0, low_of_all = 0;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const bool is_low = particles.motion[k].position.z < 7.4;  // between two layers
        low_of_all += is_low;
        low += is_low && k >= 2000;
    }
    EXPECT_NEAR(low, low_of_all * 13 / 33.0, 60);
    EXPECT_NEAR(low_of_all, 3300 * 7 / 15.0, 30);
}

TEST(EndOfStart, IsWantedOnOneRankAndHappensOnAll) {
    Species sphere;
    sphere.radius = 0.5;
    sphere.count = 500;
    const std::vector<Species> species{sphere};
    for (const bool is_on_lattice : {false, true}) {
        std::array<std::string, 3> messages;
        run_ranks(3, [&](Exchange& exchange) {
            int times_asked = 0;
            exchange.end_start_when(
                [&](const StartProgress&) { return exchange.rank() == 1 && ++times_asked == 2; });
            try {
                if (is_on_lattice)
                    place_on_lattice(LatticeKind::sc, start_world(cube(10), species, 1), exchange);
                else
                    place_at_random(start_world(cube(10), species, 1), exchange);
            } catch (const StoppedAtStart& error) {
                messages[static_cast<std::size_t>(exchange.rank())] = error.what();
            }
        });
        for (const std::string& message : messages)
            EXPECT_THAT(message, testing::HasSubstr("before the first step"));
    }
}

TEST(EndOfStart, IsAskedWithThePlacedParticles) {
    Species sphere;
    sphere.radius = 0.5;
    sphere.count = 500;
    run_ranks(3, [&](Exchange& exchange) {
        std::vector<std::uint64_t> placed;
        exchange.end_start_when([&](const StartProgress& progress) {
            if (progress.num_particles == 0) return false;  // before the first round
            EXPECT_EQ(progress.num_particles, 500);
            placed.push_back(progress.num_placed);
            return false;
        });
        place_at_random(start_world(cube(10), {sphere}, 1), exchange);
        ASSERT_GT(placed.size(), 2);
        EXPECT_EQ(placed.front(), 0);
        EXPECT_TRUE(std::is_sorted(placed.begin(), placed.end()));
        EXPECT_GT(placed.back(), 400);
        EXPECT_LT(placed.back(), 500);
    });
}

}  // namespace
}  // namespace ricochet::test
