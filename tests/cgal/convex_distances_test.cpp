// SPDX-License-Identifier: BSD-3-Clause
//
// Contact times of convex shapes against bisection on distances that CGAL finds in exact arithmetic: shapes with each
// other, with spheres, walls and bodies. Of partners that fly straight the distance is a convex function of time: it
// falls until they touch.
//
// CGAL is under the GPL, so that nothing but this test may use it. It is built where CGAL is installed (libcgal-dev),
// and then takes RICOCHET_CGAL_PAIRS pairs of each kind, by default 300.
#include <CGAL/Cartesian.h>
#include <CGAL/Gmpzf.h>
#include <CGAL/Polytope_distance_d.h>
#include <CGAL/Polytope_distance_d_traits_3.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

#include "geometry/convex_pair.hpp"
#include "geometry/solid_pair.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/random_shapes.hpp"

namespace ricochet::test {
namespace {

using Kernel = CGAL::Cartesian<double>;
using Distance = CGAL::Polytope_distance_d<CGAL::Polytope_distance_d_traits_3<Kernel, CGAL::Gmpzf, double>>;

constexpr double never = std::numeric_limits<double>::infinity();

std::vector<Kernel::Point_3> points_of(const std::vector<Vec3>& places, Vec3 shift) {
    std::vector<Kernel::Point_3> points;
    for (const Vec3 place : places)
        points.emplace_back(place.x + shift.x, place.y + shift.y, place.z + shift.z);
    return points;
}

/// Between the hulls of two sets of places, of which the second is moved by r.
double distance_between(const std::vector<Vec3>& first, const std::vector<Vec3>& second, Vec3 r) {
    const auto a = points_of(first, {}), b = points_of(second, r);
    const Distance found(a.begin(), a.end(), b.begin(), b.end());
    if (CGAL::is_zero(found.squared_distance_numerator())) return 0;
    return std::sqrt(CGAL::to_double(found.squared_distance_numerator()) /
                     CGAL::to_double(found.squared_distance_denominator()));
}

/// When a convex function first is at most 0 in [0, end]; infinite if it never is.
double time_by_bisection(const std::function<double(double)>& gap, double end) {
    double low = 0, high = end;
    if (gap(low) <= 0) return 0;
    for (int k = 0; k < 200 && gap(high) > 0; ++k) {  // towards the least gap
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        const double at_a = gap(a), at_b = gap(b);
        if (at_a <= 0)
            high = a;
        else if (at_b <= 0 || at_a > at_b) {
            if (at_b <= 0) high = b;
            low = a;
        } else {
            high = b;
        }
        if (high - low < 1e-14) return never;
    }
    if (gap(high) > 0) return never;
    double before = 0;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (before + high);
        (gap(middle) > 0 ? before : high) = middle;
    }
    return high;
}

int num_pairs() {
    const char* const text = std::getenv("RICOCHET_CGAL_PAIRS");
    return text == nullptr ? 300 : std::atoi(text);
}

/// A partner of a shape: its places about its anchor, and what is round about these.
struct Partner {
    std::vector<Vec3> places;
    double radius = 0;
    std::function<ConvexTouch(Vec3 r, Vec3 u)> touch;
};

using MakePartner = Partner(const Polytope& shape, HashRandom& random);

Polytope polytope_of(const std::vector<Vec3>& corners) { return *convex_hull(corners, 3); }

/// Aims most paths at the partner, some of them past it.
void expect_times_of_bisection(MakePartner& make, std::uint64_t seed) {
    HashRandom random(seed);
    int num_touches = 0, num_misses = 0;
    double most_apart = 0;
    for (int k = 0; k < num_pairs(); ++k) {
        const Polytope shape = polytope_of(random_corners(3, random.uniform(0.2, 1), random));
        const Partner partner = make(shape, random);
        const Vec3 r = random.uniform(1.5, 5) * random.normal_vector(3);
        const Vec3 target = random.uniform(0, 1.3) * random.normal_vector(3);
        const Vec3 u = target - r;
        const auto gap = [&](double time) {
            return distance_between(shape.corners, partner.places, advanced(r, u, time)) - partner.radius;
        };
        if (gap(0) <= 0) continue;
        const double end = 2, expected = time_by_bisection(gap, end);
        const ConvexTouch touch = partner.touch(r, u);
        const double found = touch.time < end ? touch.time : never;
        if ((found < never) != (expected < never)) {
            // What only grazes is in the shape for a moment, and less deep than rounding.
            const double time = std::min(found, expected);
            EXPECT_LT(std::abs(gap(time)), 1e-11) << k;
            continue;
        }
        if (found == never) {
            ++num_misses;
            continue;
        }
        ++num_touches;
        const double approach = -dot(touch.normal, u);
        EXPECT_GT(approach, 0) << k;
        most_apart = std::max(most_apart, std::abs(found - expected) * approach);
        EXPECT_NEAR(found, expected, 1e-10 * std::max(1.0, 1e-3 / approach)) << k;
    }
    std::printf("%d touch, %d miss; times differ by at most %.1e of a length over the speed of approach\n",
                num_touches, num_misses, most_apart);
    EXPECT_GT(num_touches, num_pairs() / 4);
    EXPECT_GT(num_misses, num_pairs() / 20);
}

std::vector<Vec3> box_of(Vec3 size) {
    std::vector<Vec3> corners;
    for (const double x : {0.0, size.x})
        for (const double y : {0.0, size.y})
            for (const double z : {0.0, size.z}) corners.push_back({x, y, z});
    return corners;
}

Partner with_polytope(const Polytope& shape, const std::vector<Vec3>& corners) {
    const Polytope other = centred(polytope_of(corners));
    return {other.corners, 0,
            [pair = SharpPair(shape, other)](Vec3 r, Vec3 u) { return pair.first_touch(r, u); }};
}

Partner with_any(const Polytope& shape, HashRandom& random) {
    return with_polytope(shape, random_corners(3, random.uniform(0.2, 1), random));
}
Partner with_cube(const Polytope& shape, HashRandom& random) {
    const double edge = random.uniform(0.3, 1);
    return with_polytope(shape, box_of({edge, edge, edge}));
}
Partner with_pyramid(const Polytope& shape, HashRandom& random) {
    return with_polytope(shape,
                         {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, random.uniform(0.3, 1.5)}});
}
Partner with_sphere(const Polytope& shape, HashRandom& random) {
    const double radius = random.uniform(0.05, 1);
    return {{Vec3{}}, radius, [pair = RoundedPair(shape), radius](Vec3 r, Vec3 u) {
                return pair.first_touch(r, u, radius);
            }};
}
Partner with_capsule(const Polytope& shape, HashRandom& random) {
    const BodyCapsule capsule{
        {}, random.uniform(0.1, 2) * random.normal_vector(3), random.uniform(0.05, 0.5)};
    return {{capsule.from, capsule.to},
            capsule.radius,
            [pair = SolidPair::beside(shape, capsule), radius = capsule.radius](Vec3 r, Vec3 u) {
                return pair.first_touch(r, u, radius);
            }};
}
/// A plate in one of three cases.
Partner with_box(const Polytope& shape, HashRandom& random) {
    BodyBox box{{}, {random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2)}};
    if (random.is_one_in(3)) box.high.y = 1e-9;
    return {box_of(box.high), 0,
            [pair = SolidPair::beside(shape, box)](Vec3 r, Vec3 u) { return pair.first_touch(r, u, 0); }};
}
/// So much of one that all places near it look like an endless one. Its ends are flat, and far away.
Partner with_cylinder(const Polytope& shape, HashRandom& random) {
    const Vec3 v = random.normal_vector(3), axis = (1 / norm(v)) * v;
    const BodyCylinder cylinder{{}, axis, random.uniform(0.05, 1)};
    return {{-1000.0 * axis, 1000.0 * axis},
            cylinder.radius,
            [pair = SolidPair::beside(shape, cylinder), radius = cylinder.radius](Vec3 r, Vec3 u) {
                return pair.first_touch(r, u, radius);
            }};
}

}  // namespace

TEST(ConvexDistances, WithAnyShape) { expect_times_of_bisection(with_any, 1); }
TEST(ConvexDistances, WithCubes) { expect_times_of_bisection(with_cube, 2); }
TEST(ConvexDistances, WithPyramids) { expect_times_of_bisection(with_pyramid, 3); }
TEST(ConvexDistances, WithSpheres) { expect_times_of_bisection(with_sphere, 4); }
TEST(ConvexDistances, WithCapsules) { expect_times_of_bisection(with_capsule, 5); }
TEST(ConvexDistances, WithBoxes) { expect_times_of_bisection(with_box, 6); }
TEST(ConvexDistances, WithCylinders) { expect_times_of_bisection(with_cylinder, 7); }

}  // namespace ricochet::test
