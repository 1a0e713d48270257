// SPDX-License-Identifier: BSD-3-Clause
//
// Every search against the definition: all pairs of bounding spheres that meet, each once; all bounding
// spheres that an enlarged one touches; and few others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "ricochet/core/random.hpp"
#include "search/cells.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

struct Sphere {
    Vec3 midpoint;
    double reach;
};

struct Scene {
    std::string name;
    Box box;
    SearchDomain domain;
    std::vector<Sphere> spheres;
};

/// Bounding spheres with midpoints anywhere in the domain, one in eight on a face of the unit grid, every
/// other one close to the one before; reaches from `least` to `most`, most of them near `least`.
Scene scene(const std::string& name, const Box& box, std::size_t count, double least, double most,
            SearchDomain domain = {}) {
    if (domain.width == 0) domain = {0, box.size.x};
    Scene result{name, box, domain, {}};
    for (std::size_t k = 0; k < count; ++k) {
        RandomSequence random({.seed = 7, .stream = Stream::placement}, k);
        const Vec3 u{random.uniform(), random.uniform(), random.uniform()};
        Vec3 midpoint{domain.lower + u.x * domain.width, u.y * box.size.y, u.z * box.size.z};
        if (k % 2 == 1) {
            const Vec3 other = result.spheres.back().midpoint;
            midpoint.x = other.x;
            for (int axis = domain.width < box.size.x ? 1 : 0; axis < box.dimension; ++axis) {
                const double near = other[axis] + least * (4 * u[axis] - 2);
                if (near >= 0 && near < box.size[axis]) midpoint[axis] = near;
            }
        }
        if (k % 8 == 0) midpoint = {std::floor(midpoint.x), std::floor(midpoint.y), std::floor(midpoint.z)};
        if (midpoint.x < 0) midpoint.x += box.size.x;
        if (midpoint.x >= box.size.x) midpoint.x -= box.size.x;
        const double share = random.uniform();
        result.spheres.push_back({midpoint, least * std::pow(most / least, share * share * share)});
    }
    return result;
}

/// Clusters, each a share of a scene without its void, at lattice points or anywhere; in the domain.
Scene clusters(const std::string& name, const Box& box, Vec3 size, const std::vector<Vec3>& corners,
               SearchDomain domain = {}, double most = 0.6) {
    if (domain.width == 0) domain = {0, box.size.x};
    const Scene one = scene(name, test::periodic_box(size), 1200 / corners.size(), 0.5, most);
    Scene result{name, box, domain, {}};
    for (const Vec3& corner : corners) {
        for (const Sphere& sphere : one.spheres) {
            Vec3 midpoint = sphere.midpoint + corner;
            for (int axis = 0; axis < box.dimension; ++axis)
                if (midpoint[axis] >= box.size[axis]) midpoint[axis] -= box.size[axis];
            result.spheres.push_back({midpoint, sphere.reach});
        }
    }
    return result;
}

/// A cubic lattice of corners of clusters.
std::vector<Vec3> corners(int n, double spacing) {
    std::vector<Vec3> all;
    for (int k = 0; k < n * n * n; ++k)
        all.push_back(spacing * Vec3{k % n + 0.5, k / n % n + 0.25, k / n / n + 0.125});
    return all;
}

/// Spheres that fill a small part of the box.
std::vector<Scene> crowds() {
    using test::periodic_box;
    using test::walled_box;
    const Vec3 cube{11, 11, 11};
    std::vector<Scene> all{
        clusters("a cluster in a void", periodic_box({220, 230, 240}), cube, {{100, 50, 60}}),
        clusters("a cluster in a great void", periodic_box({3e4, 1e4, 2e4}), cube, {{1e4, 5e3, 6e3}}),
        clusters("a cluster across faces", periodic_box({220, 230, 240}), cube, {{215, 224, 60}}),
        clusters("a cluster between walls", walled_box({220, 230, 240}), cube, {{209, 0, 229}}),
        clusters("a cluster in a part", periodic_box({300, 90, 200}), cube, {{290, 50, 60}}, {250, 80}),
        clusters("clusters on a lattice", periodic_box({256, 256, 256}), {6, 6, 6}, corners(2, 128)),
        clusters("a film", periodic_box({24, 24, 5e3}), {24, 24, 3}, {{0, 0, 4e3}}),
        clusters("a thread in a void", walled_box({120, 1e3, 800}), {120, 3, 3}, {{0, 50, 600}}),
        clusters("discs in a void", periodic_box({2e3, 1e3, 0}), {30, 30, 0}, {{1e3, 990, 0}}),
        clusters("a cluster of all sizes", periodic_box({300, 300, 300}), cube, {{99, 9, 9}}, {}, 9)};
    all.push_back(clusters("a cluster in a gas", periodic_box({220, 230, 240}), cube, {{100, 50, 60}}));
    const Scene gas = scene("gas", all.back().box, 300, 0.5, 0.6);
    all.back().spheres.insert(all.back().spheres.end(), gas.spheres.begin(), gas.spheres.end());
    return all;
}

std::vector<Scene> scenes() {
    using test::periodic_box;
    using test::walled_box;
    std::vector<Scene> all{
        scene("none", periodic_box({10, 10, 10}), 0, 0.5, 0.6),
        scene("one", periodic_box({10, 10, 10}), 1, 0.5, 0.6),
        scene("crowded", periodic_box({10, 11, 12}), 1000, 0.55, 0.7),
        scene("sparse", periodic_box({60, 50, 40}), 1500, 0.5, 0.6),
        scene("very sparse", periodic_box({400, 300, 500}), 500, 0.5, 0.6),
        scene("sizes of one to forty", periodic_box({24, 24, 24}), 1200, 0.1, 4),
        scene("three cells a side", periodic_box({4, 4, 4}), 100, 0.5, 0.65),
        scene("two cells a side", periodic_box({2.7, 2.7, 2.7}), 60, 0.5, 0.65),
        scene("one cell a side", periodic_box({2.1, 2.1, 2.1}), 40, 0.4, 0.5),
        scene("walls", walled_box({12, 12, 12}), 900, 0.5, 0.7),
        scene("walls, sparse", walled_box({50, 60, 40}, {0, 2}), 900, 0.5, 0.7),
        scene("discs", periodic_box({30, 25, 0}), 900, 0.5, 0.7),
        scene("discs, sparse", periodic_box({300, 250, 0}), 900, 0.5, 0.7),
        scene("discs between walls", walled_box({30, 25, 0}), 900, 0.4, 1.5),
        scene("a part", periodic_box({40, 10, 10}), 900, 0.5, 0.7, {8, 14}),
        scene("a part, sparse", periodic_box({400, 60, 60}), 900, 0.5, 0.7, {100, 150}),
        scene("a part around the edge", periodic_box({40, 10, 10}), 900, 0.5, 0.7, {-6, 14}),
        scene("a part beyond the edge", periodic_box({40, 10, 10}), 900, 0.5, 0.7, {31, 14}),
        scene("a part that nearly meets itself", periodic_box({20, 10, 10}), 900, 0.5, 0.7, {-3, 19}),
        scene("a part between walls", walled_box({40, 10, 10}, {0}), 900, 0.5, 0.7, {0, 14}),
        scene("a thin part", periodic_box({40, 30, 30}), 300, 0.5, 0.7, {10, 1.5}),
        scene("longest along y", periodic_box({10, 30, 12}), 1500, 0.5, 0.7),
        scene("longest along z", periodic_box({12, 10, 40}), 1500, 0.5, 0.7),
        scene("longest along z, walls", walled_box({12, 10, 40}, {2}), 1500, 0.5, 0.7),
        scene("a part, longest along z", periodic_box({40, 15, 20}), 900, 0.5, 0.7, {-6, 14}),
        scene("a thread along x", walled_box({1e15, 7, 7}), 200, 0.5, 0.7),
        scene("a thread along y", periodic_box({7, 1e15, 7}), 200, 0.5, 0.7),
        scene("a thread along z, walls", walled_box({7, 7, 1e15}), 200, 0.5, 0.7),
        scene("a thread along z, one level for each", periodic_box({7, 7, 1e15}), 200, 0.01, 1),
        scene("a sheet", periodic_box({1e15, 7, 1e15}), 200, 0.5, 0.7),
        scene("a thread of discs", walled_box({7, 1e15, 0}), 200, 0.5, 0.7),
        scene("a part, a thread along z", periodic_box({40, 15, 1e15}), 200, 0.5, 0.7, {-6, 14}),
    };
    for (Scene& crowd : crowds()) all.push_back(std::move(crowd));
    return all;
}

std::vector<BoundingSphere> swept(const Scene& scene) {
    std::vector<BoundingSphere> spheres;
    for (const Sphere& sphere : scene.spheres)
        spheres.push_back(bounding_sphere(sphere.midpoint, sphere.reach));
    return spheres;
}

double gap(const Scene& scene, const Sphere& a, const Sphere& b) {
    return norm(minimum_image(a.midpoint - b.midpoint, ImageLengths(scene.box))) - a.reach - b.reach;
}

/// What a search may name although it does not meet: within its rounding, which grows with the box.
double tolerance(const Scene& scene) {
    return 1e-4 + 1e-5 * std::max({scene.box.size.x, scene.box.size.y, scene.box.size.z});
}

class SearchStrategy : public testing::TestWithParam<SearchMethod> {};
INSTANTIATE_TEST_SUITE_P(All, SearchStrategy, testing::ValuesIn(test::step_searches),
                         [](const auto& search) { return std::string(to_string(search.param)); });

TEST_P(SearchStrategy, OrdersEverySphereOnce) {
    for (const Scene& scene : scenes()) {
        const auto made = make_search(GetParam(), scene.box);
        BroadPhase& search = *made;
        std::vector<BoundingSphere> spheres = swept(scene);
        search.build(spheres, scene.domain);
        std::set<std::uint32_t> seen(search.order().begin(), search.order().end());
        EXPECT_EQ(search.order().size(), scene.spheres.size()) << scene.name;
        EXPECT_EQ(seen.size(), scene.spheres.size()) << scene.name;
        if (!seen.empty()) {
            EXPECT_EQ(*seen.rbegin(), scene.spheres.size() - 1) << scene.name;
        }
    }
}

template <class Search>
void expect_pairs_that_overlap(Search& search, const Scene& scene) {
    std::vector<BoundingSphere> spheres = swept(scene);
    search.build(spheres, scene.domain);
    BlockStore store;
    CandidatePairs pairs(store);
    search.collect_pairs(pairs);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> times_named;
    pairs.for_each_block([&](const PairSpan& some) {
        for (std::size_t k = 0; k < some.size(); ++k)
            ++times_named[std::minmax(some.first[k], some.second[k])];
    });
    std::size_t num_overlapping = 0;
    for (std::uint32_t a = 0; a < scene.spheres.size(); ++a) {
        for (std::uint32_t b = a + 1; b < scene.spheres.size(); ++b) {
            const double distance = gap(scene, scene.spheres[a], scene.spheres[b]);
            const auto named = times_named.find({a, b});
            if (distance <= 0) {
                ++num_overlapping;
                ASSERT_TRUE(named != times_named.end()) << scene.name << ": " << a << ", " << b;
            }
            if (named == times_named.end()) continue;
            EXPECT_EQ(named->second, 1) << scene.name << ": " << a << ", " << b;
            EXPECT_LE(distance, tolerance(scene)) << scene.name << ": " << a << ", " << b;
        }
    }
    EXPECT_GE(times_named.size(), num_overlapping) << scene.name;
}

/// Each that touches, and few others.
TEST_P(SearchStrategy, NamesEachPairOnce) {
    for (const Scene& scene : scenes()) {
        const auto made = make_search(GetParam(), scene.box);
        BroadPhase& search = *made;
        for (int step = 0; step < 2; ++step) expect_pairs_that_overlap(search, scene);  // the second is tuned
    }
}

/// What was suitable before is kept where it still is: that may not hide what has changed.
TEST_P(SearchStrategy, NamesEachPairAsThingsChange) {
    const Box box = test::periodic_box({80, 30, 30});
    const auto made = make_search(GetParam(), box);
    BroadPhase& search = *made;
    const std::vector<std::pair<double, SearchDomain>> steps{
        {0.50, {20, 34}},       {0.51, {20, 34}},    {0.52, {19.95, 34.1}}, {0.49, {20.1, 33.9}},
        {0.55, {20.1, 33.9}},   {0.8, {20.2, 33.7}}, {0.5, {20.2, 33.7}},   {0.5, {20.2, 20}},
        {0.5, {-5, 20.1}},      {0.5, {-5.05, 20}},  {0.5, {74.95, 20.05}}, {0.5, {0, 80}},
        {0.505, {0.05, 79.95}}, {0.5, {0.1, 78}},    {0.5, {5, 0.5}},       {0.5, {20, 34}}};
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const auto [reach, domain] = steps[k];
        SCOPED_TRACE(k);
        expect_pairs_that_overlap(search, scene("step", box, 900, reach, 1.2 * reach, domain));
    }
}

/// Whether the box is rolled up for it.
bool rolls_up(const Scene& scene) {
    Cells search(scene.box);
    std::vector<BoundingSphere> spheres = swept(scene);
    search.build(spheres, scene.domain);
    return search.turns() != std::array{1, 1, 1};
}

TEST(Cells, RollUpTheVoidAboutClusters) {
    for (const Scene& crowd : crowds()) EXPECT_TRUE(rolls_up(crowd)) << crowd.name;
    EXPECT_FALSE(rolls_up(scene("crowded", test::periodic_box({10, 11, 12}), 1000, 0.55, 0.7)));
    EXPECT_FALSE(rolls_up(scene("very sparse", test::periodic_box({400, 300, 500}), 500, 0.5, 0.6)));
}

/// Where clusters come to lie upon each other, each is tested against the others.
TEST(Cells, PutNoClustersOnALatticeUponEachOther) {
    const Scene some = clusters("lattice", test::periodic_box({256, 256, 256}), {6, 6, 6}, corners(2, 128));
    Cells search(some.box);
    std::vector<BoundingSphere> spheres = swept(some);
    search.build(spheres, some.domain);
    for (const int turns : search.turns()) EXPECT_EQ(turns % 2, 1) << turns;
}

/// A cluster that forms and dissolves again, in a search that is used all the time.
TEST_P(SearchStrategy, NamesEachPairAsClustersForm) {
    const Box box = test::periodic_box({200, 200, 200});
    const auto made = make_search(GetParam(), box);
    const Scene gas = scene("gas", box, 300, 0.5, 0.6);
    for (const double size : {200.0, 12.0, 6.0, 30.0, 200.0}) {
        Scene some = gas;
        for (Sphere& sphere : some.spheres) sphere.midpoint = (size / 200) * sphere.midpoint;
        for (int step = 0; step < 17; ++step) expect_pairs_that_overlap(*made, some);
    }
}

/// The axis along which the first quarter of the bounding spheres in the order lies before the last quarter.
int slowest_axis(const Cells& search, const Scene& scene) {
    const auto sphere = [&](std::size_t k) { return scene.spheres[search.order()[k]].midpoint; };
    const std::size_t size = scene.spheres.size();
    for (const int axis : {0, 1, 2}) {
        double highest = sphere(0)[axis], lowest = sphere(size - 1)[axis];
        for (std::size_t k = 0; k < size / 4; ++k) {
            highest = std::max(highest, sphere(k)[axis]);
            lowest = std::min(lowest, sphere(size - 1 - k)[axis]);
        }
        if (highest < lowest) return axis;
    }
    return -1;
}

TEST(Cells, LieInLayersAcrossTheLongestAxis) {
    const auto slowest_in = [](const Vec3& size) {
        const Scene some = scene("some", test::walled_box(size), 4000, 0.5, 0.501);
        std::vector<BoundingSphere> spheres = swept(some);
        Cells search(some.box);
        search.build(spheres, some.domain);
        return slowest_axis(search, some);
    };
    EXPECT_EQ(slowest_in({20, 20, 20}), 0);
    EXPECT_EQ(slowest_in({20, 24, 20}), 0);  // not clearly the longest
    EXPECT_EQ(slowest_in({20, 30, 20}), 1);
    EXPECT_EQ(slowest_in({20, 30, 40}), 2);
    EXPECT_EQ(slowest_in({50, 30, 40}), 0);
}

/// A little.
TEST(Cells, KeepLayersWhileThePartChanges) {
    const Box box = test::periodic_box({60, 20, 20});
    Cells search(box);
    const std::vector<std::pair<double, int>> widths{{20, 0}, {17, 0}, {15, 1}, {17, 1}, {24, 1}, {26, 0}};
    for (const auto& [width, slowest] : widths) {
        const Scene some = scene("some", box, 4000, 0.5, 0.501, {10, width});
        std::vector<BoundingSphere> spheres = swept(some);
        search.build(spheres, some.domain);
        EXPECT_EQ(slowest_axis(search, some), slowest) << width;
    }
}

/// When paths become a little shorter.
TEST(Cells, LeaveSpheresInTheirPlaces) {
    const Scene few = scene("some", test::periodic_box({80, 30, 30}), 60'000, 0.5, 0.6, {20, 34});
    std::vector<BoundingSphere> spheres = swept(few);
    Cells search(few.box);
    for (int step = 0; step < 2; ++step)
        search.build(spheres, few.domain);  // the second is tuned by the first
    const std::vector<Slot> before(search.order().begin(), search.order().end());
    std::vector<std::size_t> place(before.size());
    for (std::size_t k = 0; k < before.size(); ++k) place[before[k]] = k;
    for (BoundingSphere& sphere : spheres) sphere.reach *= 0.98F;
    search.build(spheres, {19.98, 34.03});
    std::size_t farthest = 0;
    for (std::size_t k = 0; k < before.size(); ++k) {
        const std::size_t was = place[search.order()[k]];
        farthest = std::max(farthest, was > k ? was - k : k - was);
    }
    EXPECT_LT(farthest, 10U);  // cells along a row are shorter or longer, and hold a few
}

/// And finds it from then on.
TEST_P(SearchStrategy, NamesWhatEnlargedSpheresMeet) {
    for (Scene scene : scenes()) {
        if (scene.spheres.size() < 2) continue;
        const auto made = make_search(GetParam(), scene.box);
        BroadPhase& search = *made;
        std::vector<BoundingSphere> spheres = swept(scene);
        search.build(spheres, scene.domain);
        const double shortest = std::min({scene.box.size.x, scene.box.size.y,
                                          scene.box.dimension == 3 ? scene.box.size.z : scene.box.size.y});
        for (int round = 0; round < 60; ++round) {
            RandomSequence random({.seed = 11, .stream = Stream::placement},
                                  static_cast<std::uint64_t>(round));
            const auto slot = static_cast<Slot>(random.below(scene.spheres.size()));
            Sphere& sphere = scene.spheres[slot];
            // Excursions of up to a fifth of the box, a few of them much longer than the rest.
            const double excursion = 0.2 * shortest * std::pow(random.uniform(), 3);
            const Vec3 away = 0.5 * excursion * Vec3{0.6, -0.8, 0};
            const PathPart path{sphere.midpoint + away, sphere.midpoint + 2 * away};
            const double radius = 0.25;
            const bool is_contained = excursion + radius < sphere.reach - tolerance(scene);
            if (is_contained) {
                EXPECT_FALSE(search.outgrows(spheres[slot], path, radius)) << scene.name;
                continue;
            }
            if (!search.outgrows(spheres[slot], path, radius)) {
                EXPECT_LE(excursion + radius, sphere.reach + tolerance(scene)) << scene.name;
                continue;
            }
            std::vector<Slot> found;
            search.enlarge(slot, path, radius, found);
            EXPECT_FALSE(search.outgrows(spheres[slot], path, radius)) << scene.name;
            sphere.reach = std::max(sphere.reach, excursion + radius);
            for (Slot other = 0; other < scene.spheres.size(); ++other) {
                if (other == slot || gap(scene, sphere, scene.spheres[other]) > 0) continue;
                EXPECT_TRUE(std::find(found.begin(), found.end(), other) != found.end())
                    << scene.name << ": round " << round;
            }
        }
    }
}

/// By nearest image, the end of such a path looks as near as its start; and what it passes half-way is far
/// from both.
TEST_P(SearchStrategy, HoldsAPathRoundTheBox) {
    const Box box = test::periodic_box({10, 12, 14});
    std::vector<BoundingSphere> spheres{bounding_sphere({1, 1, 1}, 0.5), bounding_sphere({5.9, 1, 1}, 0.5)};
    const auto made = make_search(GetParam(), box);
    BroadPhase& search = *made;
    search.build(spheres, {0, 10});
    const PathPart first{{1, 1, 1}, {4.5, 1, 1}}, second{{4.5, 1, 1}, {9.2, 1, 1}};
    EXPECT_TRUE(search.outgrows(spheres[0], second, 0.1));
    std::vector<Slot> found;
    search.enlarge(0, first, 0.1, found);
    EXPECT_TRUE(search.outgrows(spheres[0], second, 0.1));
    search.enlarge(0, second, 0.1, found);
    EXPECT_THAT(found, testing::Contains(Slot{1}));
    EXPECT_FALSE(search.outgrows(spheres[0], second, 0.1));
    EXPECT_FALSE(search.outgrows(spheres[0], {{11.2, 1, 1}, {10.8, 1, 1}},
                                 0.1));  // nearest image of the bounding sphere
}

}  // namespace
}  // namespace ricochet
