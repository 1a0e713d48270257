// SPDX-License-Identifier: BSD-3-Clause
//
// The slacks of model/rounding.hpp against exact arithmetic, in a cube and in boxes of aspect 1:10,000. Exact are
// the sums and products of doubles in long double that occur here, up to its own rounding of 2^-64, which is
// 2,000 times finer than u.
//
// Where rounding can come near to its bound, a slack of a tenth would fail, and the test says so.
#include "model/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/contact_time.hpp"
#include "geometry/path.hpp"
#include "geometry/sphere_grid.hpp"
#include "parallel/slabs.hpp"
#include "parallel/strips.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/bounding_spheres.hpp"
#include "search/candidate_pairs.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

using detail::Strips;
using test::HashRandom;
using test::periodic_box;

using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64);

/// Edges a little above a power of two: coordinates near the far end have the coarsest grid for their size.
const std::vector<Box> boxes{periodic_box({1.002, 1.002, 1.002}), periodic_box({1, 1e4, 0}),
                             periodic_box({1e4, 1, 0}),           periodic_box({1e4, 1, 1}),
                             periodic_box({1, 1, 1e4}),           periodic_box({1, 1e4, 1e4})};

Vec3 anywhere(const Box& box, HashRandom& random) {
    return {box.size.x * random.uniform(), box.size.y * random.uniform(), box.size.z * random.uniform()};
}

/// The far corner, less up to a thousandth.
Vec3 far_corner(const Box& box, HashRandom& random) {
    const auto near_end = [&](double length) { return length * (1 - 1e-3 * random.uniform()); };
    return {near_end(box.size.x), near_end(box.size.y), near_end(box.size.z)};
}

Real exact_norm(Real x, Real y, Real z) { return std::sqrt(x * x + y * y + z * z); }

/// The distance of the nearest images.
Real exact_distance(Vec3 a, Vec3 b, const Box& box) {
    std::array<Real, 3> r{};
    for (int axis = 0; axis < box.dimension; ++axis) {
        const Real length = box.size[axis], apart = Real{a[axis]} - Real{b[axis]};
        r[static_cast<std::size_t>(axis)] = apart - length * std::nearbyint(apart / length);
    }
    return exact_norm(r[0], r[1], r[2]);
}

/// How many of some random reaches are rounded below themselves when they are enlarged by this factor.
int count_lost(double up) {
    HashRandom random(1);
    int num_lost = 0;
    for (int k = 0; k < 100'000; ++k) {
        const double reach = std::ldexp(1 + random.uniform(), k % 40 - 20);
        num_lost += static_cast<double>(static_cast<float>(up * reach)) < reach ? 1 : 0;
    }
    return num_lost;
}

TEST(Rounding, FloatsAreRoundedUp) {
    EXPECT_EQ(count_lost(float_up), 0);
    EXPECT_EQ(count_lost(path_reach_up), 0);
    EXPECT_GT(count_lost(1 + (float_up - 1) / 10), 0);
    EXPECT_GT(count_lost(1 + (path_reach_up - 1) / 10), 0);
}

/// The sphere of a straight path contains its ends.
TEST(Rounding, StraightPathsStayInTheirSpheres) {
    for (const Box& box : boxes) {
        HashRandom random(2);
        Particles particles;
        for (std::uint64_t id = 0; id < 2000; ++id) {
            const Vec3 velocity{random.uniform() - 0.5, random.uniform() - 0.5,
                                box.dimension == 3 ? random.uniform() - 0.5 : 0};
            particles.push_back({.position = far_corner(box, random), .velocity = velocity, .id = id},
                                {.radius = 1e-3, .mass = 1}, {});
        }
        std::vector<BoundingSphere> spheres;
        measure_paths(box, particles, 0, 0.1, 0, spheres);
        for (std::size_t k = 0; k < spheres.size(); ++k) {
            const Motion& m = particles.motion[k];
            const Real half = 0.05L * exact_norm(m.velocity.x, m.velocity.y, m.velocity.z);
            EXPECT_GE(Real{spheres[k].reach}, half + 1e-3L) << k;
        }
    }
}

/// Nearly half-way between two floats, in each coordinate.
Vec3 between_floats(Vec3 at) {
    for (int axis = 0; axis < 3; ++axis) {
        const auto low = static_cast<float>(at[axis]);
        const float high = std::nextafter(low, std::numeric_limits<float>::infinity());
        at[axis] = 0.501 * static_cast<double>(low) + 0.499 * static_cast<double>(high);
    }
    return at;
}

/// Largest distance of midpoints from those of their spheres, in sphere_slack.
double worst_midpoint(const Box& box) {
    HashRandom random(3);
    Real worst = 0;
    for (int k = 0; k < 20'000; ++k) {
        const Vec3 midpoint = between_floats(far_corner(box, random));
        worst = std::max(worst, exact_distance(bounding_sphere(midpoint, 1).midpoint(), midpoint, box));
    }
    return static_cast<double>(worst / Real{sphere_slack(box)});
}

TEST(Rounding, MidpointsOfSpheresAreWithinTheSlack) {
    for (const Box& box : boxes) EXPECT_LT(worst_midpoint(box), 0.105);
    EXPECT_GT(worst_midpoint(boxes.front()), 0.1);
}

TEST(Rounding, MidpointsAlongXAreWithinTheSlack) {
    for (const Box& box : boxes) {
        HashRandom random(4);
        Real worst = 0;
        for (int k = 0; k < 20'000; ++k) {
            const double x = between_floats(far_corner(box, random)).x;
            worst = std::max(worst, std::abs(Real{static_cast<float>(x)} - Real{x}));
        }
        EXPECT_LT(worst, 0.061L * Real{face_slack(box)});
    }
}

/// Two midpoints whose distance is the sum of the reaches, up to the rounding of doubles.
struct TouchingPair {
    Vec3 first, second;
    double reach = 0;  ///< of each
};

/// Partners lie in any direction, across faces too; reaches vary.
std::vector<TouchingPair> touching_pairs(const Box& box, double largest_reach, std::size_t count) {
    HashRandom random(5);
    const double shortest = std::min(box.size.x, box.size.y);
    std::vector<TouchingPair> pairs;
    while (pairs.size() < count) {
        const Vec3 first = pairs.size() % 2 == 0 ? anywhere(box, random) : far_corner(box, random);
        Vec3 second = first;
        const double distance = std::min(2 * largest_reach, 0.45 * shortest) * (0.1 + 0.9 * random.uniform());
        const Vec3 direction{random.uniform() - 0.5, random.uniform() - 0.5,
                             box.dimension == 3 ? random.uniform() - 0.5 : 0};
        for (int axis = 0; axis < box.dimension; ++axis) {
            second[axis] += distance / norm(direction) * direction[axis];
            second[axis] -= box.size[axis] * std::floor(second[axis] / box.size[axis]);
        }
        const Real apart = exact_distance(first, second, box);
        const double reach = std::nextafter(static_cast<double>(apart / 2), 2 * largest_reach);
        pairs.push_back({first, second, reach});
    }
    return pairs;
}

bool contains(const CandidatePairs& found, const std::vector<Slot>& partner) {
    std::vector<bool> is_found(partner.size(), false);
    found.for_each_block([&](const PairSpan& some) {
        for (std::size_t k = 0; k < some.size(); ++k)
            if (partner[some.first[k]] == some.second[k])
                is_found[some.first[k]] = is_found[some.second[k]] = true;
    });
    return std::find(is_found.begin(), is_found.end(), false) == is_found.end();
}

TEST(Rounding, SearchesFindSpheresThatJustTouch) {
    for (const Box& box : boxes) {
        for (const RegisteredSearch& registered : registered_searches) {
            if (registered.make == nullptr) continue;
            const std::vector<TouchingPair> pairs = touching_pairs(box, 0.02, 500);
            std::vector<BoundingSphere> spheres;
            std::vector<Slot> partner;
            for (const TouchingPair& pair : pairs) {
                const auto slot = static_cast<Slot>(spheres.size());
                spheres.push_back(bounding_sphere(pair.first, pair.reach));
                spheres.push_back(bounding_sphere(pair.second, pair.reach));
                partner.insert(partner.end(), {slot + 1, slot});
            }
            const auto search = registered.make(box, {});
            BlockStore store;
            CandidatePairs found(store);
            search->build(spheres, {0, box.size.x});
            search->collect_pairs(found);
            EXPECT_TRUE(contains(found, partner))
                << registered.word << " " << box.size.x << " " << box.size.y;
        }
    }
}

/// In grids of as many cells as there may be, along the long axis.
TEST(Rounding, GridsFindCentresAtTheEdgeOfAQuery) {
    for (const Box& box : boxes) {
        const double longest = std::max({box.size.x, box.size.y, box.size.z});
        const auto pairs = touching_pairs(box, 20 * longest / (1 << 20), test::fewer_if_sanitized(2000));
        SphereGrid grid(box, longest / (1 << 20), pairs.size());
        for (std::size_t k = 0; k < pairs.size(); ++k) grid.insert({pairs[k].second, 0, k});
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto is_partner = [&](const Sphere& sphere) { return sphere.id == k; };
            EXPECT_TRUE(grid.any_near(pairs[k].first, 2 * pairs[k].reach, is_partner))
                << box.size.x << " " << k;
        }
    }
}

/// The cells of a coordinate and of an end of a query there, computed as the grid does, differ by less than the
/// slack, and by more than a tenth of it.
TEST(Rounding, CellsAreWithinTheSlack) {
    constexpr double num_cells = 1 << 20;
    HashRandom random(6);
    Real worst = 0;
    for (int k = 0; k < 200'000; ++k) {
        const double length = 1 + random.uniform(), per_length = num_cells / length;
        const double centre = length * random.uniform(), reach = length * random.uniform();
        const double computed = (centre + reach) * per_length;
        const Real exact = (Real{centre} + Real{reach}) / Real{length} * num_cells;
        const double cell = centre * per_length;
        const Real exact_cell = Real{centre} / Real{length} * num_cells;
        worst = std::max(worst, std::abs(Real{computed} - exact) + std::abs(Real{cell} - exact_cell));
    }
    EXPECT_LT(worst, Real{cell_slack});
    EXPECT_GT(worst, Real{cell_slack} / 10);
}

TEST(Rounding, LevelsFindSpheresThatJustTouch) {
    for (const Box& box : boxes) {
        const std::vector<TouchingPair> pairs = touching_pairs(box, 0.02, 1000);
        SphereLevels levels(box, 0.04, {});
        for (std::size_t k = 0; k < pairs.size(); ++k) levels.insert({pairs[k].second, pairs[k].reach, k});
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto is_partner = [&](const Sphere& sphere) { return sphere.id == k; };
            EXPECT_TRUE(
                levels.any_touching(pairs[k].first, pairs[k].reach, 0, num_size_classes - 1, is_partner));
        }
    }
}

TEST(Rounding, StripsFindOwnersAtTheEdgeOfAReach) {
    for (const Box& box : boxes) {
        for (const int num_ranks : {1, 3, 1000, 100'000}) {
            const Strips strips(box, num_ranks);
            HashRandom random(7);
            for (int k = 0; k < 200; ++k) {
                const double x = box.size.x * random.uniform(), other = box.size.x * random.uniform();
                // The other lies at the face of a strip, just above or just below.
                const double face = std::floor(other / box.size.x * num_ranks) * box.size.x / num_ranks;
                const double there = std::clamp(k % 2 == 0 ? face : std::nextafter(face, 0), 0.0, x);
                bool is_found = false;
                strips.for_each_within(x, std::nextafter(x - there, 2 * box.size.x),
                                       [&](int rank) { is_found = is_found || rank == strips.owner(there); });
                EXPECT_TRUE(is_found) << num_ranks << " " << x << " " << there;
            }
        }
    }
}

/// Distances from slabs, which decide where copies go.
TEST(Rounding, DistancesFromSlabsAreWithinTheSlack) {
    for (const Box& box : boxes) {
        const SliceGrid grid(box, 1e-3);
        const auto slabs = SlabDecomposition::even(grid, 7);
        HashRandom random(8);
        for (int k = 0; k < 2000; ++k) {
            const double x = box.size.x * random.uniform();
            for (int slab = 0; slab < 7; ++slab) {
                const double distance = slabs.distance(x, slab);
                const Real length = box.size.x, low = slabs.low(slab), high = slabs.high(slab);
                const bool is_inside = Real{x} >= low && Real{x} < high;
                const Real below = std::fmod(low - Real{x} + length, length);
                const Real above = std::fmod(Real{x} - high + length, length);
                const Real exact = is_inside ? 0 : std::min(below, above);
                EXPECT_LE(Real{distance}, exact * Real{slab_reach_up} + 1e-16L * length) << x << " " << slab;
            }
        }
    }
}

/// What the slacks of paths along x, and of two particles that could have touched, allow for.
TEST(Rounding, EndsOfPathsAreWithinTheSlack) {
    for (const Box& box : boxes) {
        const double dt = 0.1;
        const PathMidpoint midpoint(box, dt);
        HashRandom random(10);
        for (int k = 0; k < 2000; ++k) {
            const Motion motion{.position = anywhere(box, random), .velocity = {random.uniform(-1, 1), 0, 0}};
            const Real half = 0.5L * Real{dt} * Real{motion.velocity.x}, length = box.size.x;
            Real exact = Real{motion.position.x} + half;
            exact -= length * std::floor(exact / length);
            const Real off = std::abs(Real{midpoint.x(motion)} - exact);
            EXPECT_LE(std::min(off, length - off) + 2e-16L * length, Real{path_slack(box)});
        }
        EXPECT_EQ(excursion_slack(box), 4e-6 * box.size.x);
    }
}

/// By how much the distance of a particle, after a short flight, from another is too large; in separation_slack.
Real worst_distance(const Box& box) {
    HashRandom random(12);
    const ImageLengths images(box);
    Real worst = 0;
    for (int k = 0; k < 5000; ++k) {
        const auto component = [&random] { return random.uniform(-1, 1); };
        const Vec3 velocity{component(), component(), box.dimension == 3 ? component() : 0};
        const Vec3 from = far_corner(box, random);
        const double flight = 0.01 * random.uniform();
        const Vec3 other = advanced(from, velocity, 1.5 * flight);
        const double computed = norm(minimum_image(advanced(from, velocity, flight) - other, images));
        std::array<Real, 3> r{};
        for (int axis = 0; axis < box.dimension; ++axis)
            r[static_cast<std::size_t>(axis)] =
                Real{from[axis]} + Real{flight} * Real{velocity[axis]} - Real{other[axis]};
        worst = std::max(worst, Real{computed} - exact_norm(r[0], r[1], r[2]) * Real{closest_up});
    }
    return worst / Real{separation_slack(box)};
}

/// The last box is so large that a relative slack alone would not do.
TEST(Rounding, ClosestDistancesAreWithinTheSlack) {
    for (const Box& box : boxes) EXPECT_LT(worst_distance(box), 0.17L);
    const Real worst = worst_distance(periodic_box({1.01 * 0x1p26, 1.01 * 0x1p26, 1.01 * 0x1p26}));
    EXPECT_LT(worst, 0.17L);
    EXPECT_GT(worst, 0.001L);
}

/// Pairs that touch by a hair, or miss by one: the filter loses none that the contact time finds.
TEST(Rounding, GrazingPairsPassTheFilter) {
    for (const Box& box : boxes) {
        const ImageLengths images(box);
        const double until = 1;
        std::vector<Motion> motions;
        std::vector<Slot> first, second;
        std::vector<double> distances;
        HashRandom random(9);
        for (std::uint64_t k = 0; k < 4000; ++k) {
            const Vec3 at = k % 2 == 0 ? anywhere(box, random) : far_corner(box, random);
            const double distance = 0.02, speed = 0.3 * random.uniform(), ahead = 0.2 * random.uniform();
            const double offset = distance * (1 + 1e-15 * static_cast<double>(k % 21) - 1e-14);
            motions.push_back({.position = at, .velocity = {speed, 0, 0}, .id = 2 * k});
            Vec3 other{at.x + ahead, at.y + offset, at.z};
            for (int axis = 0; axis < box.dimension; ++axis)
                other[axis] -= box.size[axis] * std::floor(other[axis] / box.size[axis]);
            motions.push_back({.position = other, .velocity = {-speed, 0, 0}, .id = 2 * k + 1});
            first.push_back(static_cast<Slot>(2 * k));
            second.push_back(static_cast<Slot>(2 * k + 1));
            distances.push_back(distance);
        }
        const std::size_t room = contacts_room(first.size());
        distances.resize(room);
        std::vector<std::uint32_t> indices(room);
        std::vector<double> times(room);
        indices.resize(find_pair_contacts(first, second, motions.data(), distances.data(), images, until,
                                          indices.data(), times.data()));
        std::vector<std::uint32_t> expected;
        for (std::uint32_t k = 0; k < first.size(); ++k)
            if (pair_contact_time(motions[2 * k], motions[2 * k + 1], distances[k], images) < until)
                expected.push_back(k);
        EXPECT_EQ(indices, expected) << box.size.x << " " << box.size.y;
        EXPECT_GT(expected.size(), first.size() / 20);
        EXPECT_LT(expected.size(), first.size() * 19 / 20);
    }
}

/// Whether generated particles that count as apart with this factor are so for the contact time too.
int count_touching(double up) {
    int num_touching = 0;
    for (const Box& box : boxes) {
        const ImageLengths images(box);
        for (const TouchingPair& pair : touching_pairs(box, 0.02, 2000)) {
            for (const double radius : {pair.reach / up, std::nextafter(pair.reach / up, 0)}) {
                if (overlapping({pair.first, radius, 0}, {pair.second, radius, 1}, images, up)) continue;
                const Vec3 r = minimum_image(pair.second - pair.first, images);
                const Real gap = Real{r.x} * Real{r.x} + Real{r.y} * Real{r.y} + Real{r.z} * Real{r.z} -
                                 Real{2 * radius} * Real{2 * radius};
                num_touching += gap < 0 ? 1 : 0;
            }
        }
    }
    return num_touching;
}

TEST(Rounding, GeneratedParticlesDoNotTouch) {
    EXPECT_EQ(count_touching(apart_up), 0);
    EXPECT_GT(count_touching(1), 0);
}

}  // namespace
}  // namespace ricochet
