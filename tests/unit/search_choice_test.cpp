// SPDX-License-Identifier: BSD-3-Clause
#include "search/search_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace ricochet {
namespace {

Box box_of(Vec3 size, int dimension = 3) {
    Box box;
    box.dimension = dimension;
    box.size = size;
    return box;
}

TEST(SearchChoice, KeepsWhatTheInputAsksFor) {
    EXPECT_EQ(choose_search(search_named("slices"), box_of({30, 30, 30}), 100'000, 0.6).method,
              search_named("slices"));
}

TEST(SearchChoice, TakesCellsForAFluidOfAnyDensity) {
    for (const double length : {38.0, 100.0, 1000.0}) {
        EXPECT_EQ(
            choose_search(SearchMethod::automatic, box_of({length, length, length}), 32'000, 0.6).method,
            search_named("cells"));
    }
    EXPECT_EQ(choose_search(SearchMethod::automatic, box_of({200, 200, 0}, 2), 20'000, 0.6).method,
              search_named("cells"));
}

TEST(SearchChoice, TakesSlicesForAChannelAlongX) {
    EXPECT_EQ(choose_search(SearchMethod::automatic, box_of({5000, 4, 4}), 10'000, 0.6).method,
              search_named("slices"));
}

/// As measured (tests/bench/studies): each reaches few rows, and slices only save the grid.
TEST(SearchChoice, TakesCellsInDiluteGases) {
    EXPECT_EQ(choose_search(SearchMethod::automatic, box_of({1, 1, 0}, 2), 1861, 7e-4).method,
              search_named("cells"));
    for (const double length : {20.0, 800.0})
        EXPECT_EQ(choose_search(SearchMethod::automatic, box_of({length, length, length}), 300, 0.6).method,
                  search_named("cells"));
    for (const std::uint64_t count : {30, 60})
        EXPECT_EQ(choose_search(SearchMethod::automatic, box_of({20, 20, 20}), count, 0.6).method,
                  search_named("slices"));
}

/// As measured (note 53 of tests/bench/notes.md).
TEST(SearchChoice, TakesCellsFromAHundredOn) {
    for (const double length : {8.06, 17.4})
        EXPECT_EQ(choose_search(SearchMethod::automatic, box_of({length, length, length}), 100,
                                length < 10 ? 0.6 : 1.3)
                      .method,
                  search_named("cells"));
    EXPECT_EQ(choose_search(SearchMethod::automatic, box_of({8.06, 8.06, 8.06}), 15, 0.6).method,
              search_named("all_pairs"));
}

/// The grid of tests/bench/grid.py: all its fractions and sizes, discs and spheres, and paths from none to those of the
/// dilute gas. Before slices were measured, discs at a fraction of 0.001 had them.
TEST(SearchChoice, TakesCellsOnTheBenchmarkGrid) {
    constexpr double disc = std::numbers::pi / 4, sphere = std::numbers::pi / 6, mean_speed = 1.6;
    for (const double fraction : {0.001, 0.01, 0.1, 0.3, 0.49}) {
        for (const std::uint64_t count : {4'000u, 10'000u, 32'000u, 100'000u, 256'000u, 1'000'000u}) {
            const double content = static_cast<double>(count) / fraction;
            const double square = std::sqrt(disc * content), cube = std::cbrt(sphere * content);
            for (const double timestep : {0.0, 0.1, 0.3, 1.0}) {
                const double reach = 0.5 + 0.5 * mean_speed * timestep;
                for (const Box& box : {box_of({square, square, 0}, 2), box_of({cube, cube, cube})})
                    EXPECT_EQ(choose_search(SearchMethod::automatic, box, count, reach).method,
                              search_named("cells"))
                        << box.dimension << "D, fraction " << fraction << ", " << count << ", reach "
                        << reach;
            }
        }
    }
}

TEST(SearchChoice, TakesAllPairsForAHandful) {
    const SearchChoice choice = choose_search(SearchMethod::automatic, box_of({10, 10, 10}), 1, 0.6);
    EXPECT_EQ(choice.method, search_named("all_pairs"));
    EXPECT_NE(choice.reason.find("1 particles in all"), std::string::npos);
}

}  // namespace
}  // namespace ricochet
