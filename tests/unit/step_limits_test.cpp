// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/step_limits.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/exact_sum.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;

Box box_of(Vec3 size, Boundary x = Boundary::periodic) {
    Box box;
    box.size = size;
    box.boundary[0] = x;
    return box;
}

void add(Particles& particles, double radius, double speed) {
    Motion motion;
    motion.velocity = {0, speed, 0};
    Attributes attributes;
    attributes.radius = radius;
    particles.push_back(motion, attributes, {});
}

/// A particle of the given radius and speed on each rank but the last, which has none; the limits as rank 0
/// sees them. Every rank must throw the same or find the same.
StepLimits limits_of(const std::vector<std::pair<double, double>>& particles, const Box& box) {
    StepLimits limits;
    run_ranks(static_cast<int>(particles.size()) + 1, [&](Exchange& exchange) {
        Particles mine;
        const auto rank = static_cast<std::size_t>(exchange.rank());
        if (rank < particles.size()) add(mine, particles[rank].first, particles[rank].second);
        std::string error;
        StepLimits found;
        try {
            found = agree_on_limits(exchange, bounds_of_paths(mine, 0.5, box), box, rank == 1);
            require_nearest_images(exchange, mine, box, found.extents());
        } catch (const RunError& problem) {
            error = problem.what();
        }
        for (const Bytes& other : exchange.all_gather(std::as_bytes(std::span(error))))
            EXPECT_EQ(other.size(), error.size());
        if (rank == 0) limits = found;
        if (!error.empty()) throw RunError(error);
    });
    return limits;
}

std::string refusal(const std::vector<std::pair<double, double>>& particles, const Box& box) {
    try {
        limits_of(particles, box);
    } catch (const RunError& error) {
        return error.what();
    }
    return "";
}

TEST(StepLimits, AreTheLargestOverAllRanks) {
    const auto limits = limits_of({{0.5, 1}, {0.2, 8}, {0.7, 0}}, box_of({100, 100, 100}));
    EXPECT_EQ(limits.max_displacement, 4);
    EXPECT_EQ(limits.max_radius, 0.7);
    EXPECT_TRUE(limits.any_to_any);
}

/// One particle may be larger than a quarter of the box.
TEST(StepLimits, AllowOneGiant) {
    EXPECT_EQ(limits_of({{3, 0}, {0.5, 2}, {0.5, 0}}, box_of({10, 10, 10})).two_largest_extents, 4.5);
}

/// All ranks do, with one sentence.
TEST(StepLimits, RefuseABoxTooSmallForImages) {
    EXPECT_NE(refusal({{3, 0}, {0.5, 3}}, box_of({20, 10, 20})).find("along y is 5"), std::string::npos);
    EXPECT_NE(refusal({{3, 0}, {3, 0}}, box_of({20, 11, 20})).find("of any two particles, 6"),
              std::string::npos);
    // The sum must be less than half of the edge, not equal to it; two of the same size count twice.
    EXPECT_NE(refusal({{2.5, 0}, {2.5, 0}}, box_of({20, 10, 20})), "");
    EXPECT_EQ(refusal({{2.5, 0}, {2.25, 0}}, box_of({20, 10, 20})), "");
}

TEST(StepLimits, TheAdviceFitsTheCause) {
    const std::string for_radii = refusal({{3, 0}, {2, 9}, {2.5, 0}}, box_of({20, 11, 20}));
    EXPECT_NE(for_radii.find("along y is 5.5, but must exceed the radii of any two particles, 5.5: use a "
                             "larger box or smaller particles"),
              std::string::npos)
        << for_radii;
    const std::string for_paths = refusal({{3, 0}, {2, 9}, {2.5, 0}}, box_of({20, 11.5, 20}));
    EXPECT_NE(
        for_paths.find("along y is 5.75, but must exceed the radii and displacements in one step of any "
                       "two particles, 9.5: use a larger box or a smaller timestep"),
        std::string::npos)
        << for_paths;
}

/// A particle on each rank but the last, with its id and species; the refusal of them all.
std::string refusal_of_products(const std::vector<LargestProduct>& largest, Vec3 extents) {
    std::string refusal;
    run_ranks(static_cast<int>(largest.size()) + 1, [&](Exchange& exchange) {
        Particles mine;
        const auto rank = static_cast<std::size_t>(exchange.rank());
        if (rank < largest.size()) {
            for (const double share : {0.5, 1.0}) {
                add(mine, share * largest[rank].radius, 0);
                mine.motion[mine.size() - 1].id = largest[rank].id - (share < 1 ? 1 : 0);
                Attributes attributes = mine.attributes[mine.size() - 1];
                attributes.species = largest[rank].species;
                mine.attributes.set(mine.size() - 1, attributes);
            }
            mine.push_back({}, {.radius = 100, .species = absent_species}, {});
        }
        std::string error;
        try {
            require_nearest_images(exchange, largest_product(mine, mine.size(), 57), box_of({20, 10, 20}),
                                   extents,
                                   [](SpeciesIndex species) { return "drop" + std::to_string(species); });
        } catch (const RunError& problem) {
            error = problem.what();
        }
        for (const Bytes& other : exchange.all_gather(std::as_bytes(std::span(error))))
            EXPECT_EQ(other.size(), error.size());
        if (rank == 0) refusal = error;
    });
    return refusal;
}

/// By one sentence on all ranks: of equal ones the lowest id; those that have ended are none.
TEST(StepLimits, NameWhatHasOutgrownTheBox) {
    const std::vector<LargestProduct> largest{{0, 2, 9, 0}, {0, 2.5, 8, 1}, {0, 2.5, 4, 2}};
    const std::string by_radii = refusal_of_products(largest, {5.5, 5.5, 5.5});
    EXPECT_EQ(
        by_radii,
        "step 57: particles have outgrown the box. The largest is particle 4 of species drop2, of radius "
        "2.5. Of the box, half of its length along y is 5, but must exceed the radii and displacements in "
        "one step of any two particles, 5.5: use a larger box, fewer or smaller particles, or fewer steps");
    const std::string by_paths = refusal_of_products({{0, 2.4, 9, 0}}, {5.5, 5.5, 5.5});
    EXPECT_NE(by_paths.find("or fewer steps; a smaller timestep may help"), std::string::npos) << by_paths;
    EXPECT_NE(by_paths.find(": particles and their displacements have outgrown"), std::string::npos)
        << by_paths;
    EXPECT_EQ(refusal_of_products(largest, {4.9, 4.9, 4.9}), "");
}

TEST(StepLimits, AxesWithWallsHaveNoImages) {
    EXPECT_EQ(refusal({{1, 10}, {1, 10}}, box_of({5, 30, 30}, Boundary::reflecting)), "");
    EXPECT_NE(refusal({{1, 10}, {1, 10}}, box_of({5, 30, 30})), "");
}

/// A single particle must not cross half the box.
TEST(StepLimits, KeepASingleOneWithinHalfTheBox) {
    EXPECT_EQ(refusal({{1, 5}}, box_of({10, 10, 10})), "");
    EXPECT_NE(refusal({{1, 9}}, box_of({10, 10, 10})), "");
}

/// And other numbers that are not finite.
TEST(StepLimits, RefuseVelocitiesThatAreNaN) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(), std::numeric_limits<double>::max()})
        EXPECT_NE(refusal({{1, 0}, {1, bad}}, box_of({100, 100, 100})).find("not a finite number"),
                  std::string::npos);
}

TEST(StepLimits, NoParticlesAtAllHaveLimitsOfZero) {
    const auto limits = limits_of({}, box_of({1, 1, 1}));
    EXPECT_EQ(limits.max_displacement, 0);
    EXPECT_EQ(limits.two_largest_extents, 0);
}

}  // namespace
}  // namespace ricochet
