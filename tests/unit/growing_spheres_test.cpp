// SPDX-License-Identifier: BSD-3-Clause
//
// Spheres that grow in a step. Every contact is at its time, by a plain event loop in extended precision. Bits are the
// same with any search, any sub-windows and any number of ranks.
//
// The plain loop solves |r + u t| = S + G t as it stands, for the contact distance S and its growth G per time. The
// engine solves another equation (geometry/contact_time.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "contact/response.hpp"
#include "geometry/contact_time.hpp"
#include "geometry/obstacle.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

using Real = long double;
using Vector = std::array<Real, 3>;

Real product(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
constexpr Real no_time = 1e300L;

/// The first time from now on at which c + 2 b t + a t^2 falls to zero.
Real first_zero(Real a, Real b, Real c) {
    if (c <= 0) return b < 0 ? 0 : no_time;
    const Real disc = b * b - a * c;
    if (disc < 0 || (a >= 0 && b >= 0)) return no_time;
    const Real root = std::sqrt(disc);
    return b < 0 ? c / (root - b) : -(b + root) / a;
}

struct PlainContact {
    Real time;
    ParticleId low, high;
};

/// One step of a system whose spheres grow, event by event.
class PlainGrowth {
  public:
    PlainGrowth(const System& system, double rate) : box_(system.box), rate_(rate), end_(system.dt) {
        for (std::size_t k = 0; k < system.particles.size(); ++k) {
            const Motion& m = system.particles.motion[k];
            const Attributes& a = system.particles.attributes[k];
            all_.push_back({{m.position.x, m.position.y, m.position.z},
                            {m.velocity.x, m.velocity.y, m.velocity.z},
                            a.radius,
                            a.mass,
                            m.id});
        }
        std::sort(all_.begin(), all_.end(), [](const Ball& a, const Ball& b) { return a.id < b.id; });
    }
    /// Nearest images are looked at anew after so short a time that no flight is long.
    std::vector<PlainContact> run() {
        const Real longest_wait = end_ / 64;
        std::vector<PlainContact> contacts;
        while (now_ < end_) {
            const Event next = first_event();
            const Real wait = std::min(longest_wait, end_ - now_);
            if (next.wait >= wait) {
                advance(wait);
                continue;
            }
            advance(next.wait);
            next.face < 0 ? meet(next.a, next.b) : meet_wall(next.a, next.face);
            const ParticleId a = all_[next.a].id;
            const ParticleId b =
                next.face < 0 ? all_[next.b].id : first_obstacle_id + static_cast<ParticleId>(next.face);
            contacts.push_back({now_, std::min(a, b), std::max(a, b)});
        }
        return contacts;
    }
    /// How far the plain particle k is from where the other is, and how much faster or slower.
    Real distance_from(std::size_t k, const Motion& other) const {
        const Vector there{other.position.x, other.position.y, other.position.z};
        Vector r = nearest(all_[k].x, there);
        const Vector v{other.velocity.x - all_[k].v[0], other.velocity.y - all_[k].v[1],
                       other.velocity.z - all_[k].v[2]};
        return std::sqrt(product(r, r)) + std::sqrt(product(v, v));
    }
    ParticleId id(std::size_t k) const { return all_[k].id; }

  private:
    struct Ball {
        Vector x, v;
        Real radius, mass;
        ParticleId id;
    };
    struct Event {
        Real wait = no_time;
        std::size_t a = 0, b = 0;
        int face = -1;
    };

    Vector nearest(const Vector& from, const Vector& to) const {
        Vector r{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        for (int axis = 0; axis < box_.dimension; ++axis) {
            const Real length = box_.size[axis];
            Real& along = r[static_cast<std::size_t>(axis)];
            if (box_.is_periodic(axis)) along -= length * std::nearbyint(along / length);
        }
        return r;
    }
    Event first_event() const {
        Event first;
        const auto take = [&first](const Event& event) {
            if (event.wait < first.wait) first = event;
        };
        for (std::size_t a = 0; a < all_.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) take({wait_of_pair(a, b), a, b});
            for (int face = 0; face < 2 * box_.dimension; ++face)
                if (box_.has_walls(face / 2)) take({wait_at_wall(a, face), a, 0, face});
        }
        return first;
    }
    Real wait_of_pair(std::size_t a, std::size_t b) const {
        const Vector r = nearest(all_[a].x, all_[b].x);
        const Vector u{all_[b].v[0] - all_[a].v[0], all_[b].v[1] - all_[a].v[1], all_[b].v[2] - all_[a].v[2]};
        const Real growth = rate_ * (all_[a].radius + all_[b].radius);
        const Real distance = (all_[a].radius + all_[b].radius) * (1 + rate_ * now_);
        return first_zero(product(u, u) - growth * growth, product(r, u) - distance * growth,
                          product(r, r) - distance * distance);
    }
    Real wait_at_wall(std::size_t a, int face) const {
        const auto axis = static_cast<std::size_t>(face / 2);
        const Real x = all_[a].x[axis], v = all_[a].v[axis];
        const bool is_high = face % 2 == 1;
        const Real gap = (is_high ? box_.size[face / 2] - x : x) - all_[a].radius * (1 + rate_ * now_);
        const Real approach = (is_high ? v : -v) + rate_ * all_[a].radius;
        if (approach <= 0) return no_time;
        return gap <= 0 ? 0 : gap / approach;
    }
    void advance(Real wait) {
        for (Ball& ball : all_)
            for (std::size_t axis = 0; axis < 3; ++axis) ball.x[axis] += ball.v[axis] * wait;
        now_ += wait;
    }
    /// Elastic in the frame of surfaces that part at `growth`.
    void meet(std::size_t a, std::size_t b) {
        Ball& p = all_[a];
        Ball& q = all_[b];
        const Vector r = nearest(p.x, q.x);
        const Real distance = std::sqrt(product(r, r)), total = p.mass + q.mass;
        const Vector u{q.v[0] - p.v[0], q.v[1] - p.v[1], q.v[2] - p.v[2]};
        const Real change = 2 * (rate_ * (p.radius + q.radius) - product(r, u) / distance);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Real n = r[axis] / distance;
            q.v[axis] += change * n * p.mass / total;
            p.v[axis] -= change * n * q.mass / total;
        }
    }
    void meet_wall(std::size_t a, int face) {
        const auto axis = static_cast<std::size_t>(face / 2);
        const Real outwards = face % 2 == 1 ? 1 : -1;
        all_[a].v[axis] = -all_[a].v[axis] - outwards * 2 * rate_ * all_[a].radius;
    }

    Box box_;
    Real rate_, end_, now_ = 0;
    std::vector<Ball> all_;
};

struct GrowingSystem {
    System system;
    double rate;

    friend void PrintTo(const GrowingSystem& of, std::ostream* out) { *out << of.system.name; }
};

System gas(const std::string& name, const Box& box, const std::vector<Kind>& kinds, double dt,
           std::uint64_t seed) {
    System system;
    system.name = name;
    system.box = box;
    system.dt = dt;
    system.num_steps = 1;
    fill_at_random(system, kinds, {}, box.size, seed);
    thermalise(system, 1, seed + 1);
    return system;
}

/// Slow and fast growth: at 1.5 and diameters of 1 all surfaces move faster than particles do.
std::vector<GrowingSystem> growing_systems() {
    return {
        {gas("equal", periodic_box({6, 6, 6}), {{0.5, 1, 100}}, 0.3, 1), 0.1},
        {gas("fast", periodic_box({7, 6, 6}), {{0.5, 1, 90}}, 0.08, 2), 1.5},
        {gas("at_rest_nearly", periodic_box({6, 6, 6}), {{0.5, 1e6, 100}}, 0.15, 3), 0.7},
        {gas("mixture", periodic_box({9, 6, 6}), {{0.3, 0.5, 90}, {0.9, 3, 20}}, 0.2, 4), 0.2},
        {gas("heavy_and_light", periodic_box({12, 9, 9}), {{0.5, 1e6, 150}, {0.35, 1, 400}}, 0.12, 9), 1.2},
        {gas("at_rest_in_walls", walled_box({6, 6, 6}), {{0.5, 1e6, 90}}, 0.15, 10), 0.7},
        {gas("walls", walled_box({6, 6, 6}), {{0.5, 1, 70}}, 0.3, 5), 0.3},
        {gas("slit", walled_box({7, 3, 7}, {1}), {{0.4, 1, 80}, {0.5, 2, 30}}, 0.2, 6), 0.3},
        {gas("discs", periodic_box({9, 7, 0}), {{0.5, 1, 32}}, 0.3, 7), 0.2},
        {gas("disc_mixture_in_walls", walled_box({12, 10, 0}, {0}), {{0.3, 1, 60}, {0.6, 1, 30}}, 0.2, 8),
         0.4},
    };
}

class GrowthOf : public testing::TestWithParam<GrowingSystem> {};

INSTANTIATE_TEST_SUITE_P(Systems, GrowthOf, testing::ValuesIn(growing_systems()),
                         [](const auto& tested) { return tested.param.system.name; });

TEST_P(GrowthOf, TouchWhenPlainMotionSays) {
    const auto& [system, rate] = GetParam();
    PlainGrowth plain(system, rate);
    const std::vector<PlainContact> expected = plain.run();
    SlabRunSettings settings;
    settings.num_steps = 1;
    settings.growth = rate;
    const SlabRun run = run_on_threads(1, system, settings);
    ASSERT_EQ(run.error, "");
    ASSERT_GT(expected.size(), system.particles.size() / 4);
    ASSERT_EQ(run.contacts.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(run.contacts[k].key.time, static_cast<double>(expected[k].time), 1e-12) << k;
        EXPECT_EQ(run.contacts[k].key.low, expected[k].low) << k;
        EXPECT_EQ(run.contacts[k].key.high, expected[k].high) << k;
    }
    for (std::size_t k = 0; k < run.particles.size(); ++k) {
        ASSERT_EQ(run.particles.motion[k].id, plain.id(k));
        EXPECT_LT(static_cast<double>(plain.distance_from(k, run.particles.motion[k])), 1e-9) << k;
    }
}

/// Steps that are too long for the box are done in parts; radii grow through all of them.
TEST(GrowingSpheres, TouchInHalvesOfAStep) {
    const System system = gas("small_box", periodic_box({3, 3.5, 3}), {{0.1, 1, 60}}, 1, 11);
    constexpr double rate = 0.8;
    PlainGrowth plain(system, rate);
    const std::vector<PlainContact> expected = plain.run();
    SlabRunSettings settings;
    settings.num_steps = 1;
    settings.growth = rate;
    for (const int num_ranks : {1, 2}) {
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        ASSERT_EQ(run.error, "");
        EXPECT_GT(run.statistics.num_halved_spans, 0u);
        ASSERT_GT(expected.size(), 15u);
        ASSERT_EQ(run.contacts.size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
            EXPECT_NEAR(run.contacts[k].key.time, static_cast<double>(expected[k].time), 1e-11) << k;
            EXPECT_EQ(run.contacts[k].key.low, expected[k].low) << k;
            EXPECT_EQ(run.contacts[k].key.high, expected[k].high) << k;
        }
    }
}

/// Radii are those that the step before has left.
Drive enlarging(double factor) {
    return [factor](Particles& particles, int step) {
        if (step > 0) particles.attributes.change_all([factor](Attributes& a) { a.radius *= factor; });
    };
}

TEST_P(GrowthOf, HaveTheSameBitsOnAnyRanks) {
    const auto& [system, rate] = GetParam();
    SlabRunSettings settings;
    settings.drive = enlarging(std::fma(rate, system.dt / 3, 1.0));
    settings.num_steps = 3;
    settings.growth = rate;
    System shorter = system;
    shorter.dt = system.dt / 3;
    const SlabRun one = run_on_threads(1, shorter, settings);
    ASSERT_EQ(one.error, "");
    for (const SearchMethod search : step_searches) {
        settings.engine.search = search;
        for (const int num_ranks : {1, 2, 3, 4}) {
            settings.slabs.num_windows = static_cast<std::uint64_t>(3 * num_ranks - 2);
            settings.engine.num_intervals = static_cast<std::uint64_t>(num_ranks % 3);
            EXPECT_EQ(first_difference(one, run_on_threads(num_ranks, shorter, settings)), "")
                << to_string(search) << " on " << num_ranks << " ranks";
        }
    }
}

/// Random systems that grow by up to a third in a step, against one rank that compares all pairs in many sub-windows.
void compare_arbitrary_systems(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t seed = first; seed < end; ++seed) {
        System system = arbitrary_system(seed);
        HashRandom random(seed);
        SlabRunSettings settings;
        settings.num_steps = 2;
        settings.growth = random.uniform(0, 0.3) / system.dt;
        settings.drive = enlarging(std::fma(settings.growth, system.dt, 1.0));
        settings.engine.contact_cap = 120;  // some jam
        settings.engine.search = search_named("all_pairs");
        settings.slabs.num_windows = 40;
        const SlabRun expected = run_on_threads(1, system, settings);
        settings.engine.search = step_searches[seed % step_searches.size()];
        settings.slabs.num_windows = 1 + seed % 7;
        const int num_ranks = 1 + static_cast<int>(seed / 2 % 4);
        EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
            << system.name << ", seed " << seed << " on " << num_ranks << " ranks";
    }
}

TEST(GrowingSpheres, ArbitraryOnesHaveTheSameBits) { compare_arbitrary_systems(0, fewer_if_sanitized(45u)); }
TEST(LongGrowingSpheres, ArbitraryHaveTheSameBits) { compare_arbitrary_systems(45, 400); }

TEST(GrowingPair, TouchesWhereRadiiMeet) {
    const Box box = periodic_box({1e3, 1e3, 1e3});  // no flight is so long

    const ImageLengths images(box);
    HashRandom random(5);
    int num_touching = 0;
    for (int k = 0; k < 2000; ++k) {
        Motion a{.position = {1, 1, 1}, .velocity = random.normal_vector(3), .time = 0.1, .id = 1};
        Motion b{.position = Vec3{1, 1, 1} + 1.2 * random.normal_vector(3),
                 .velocity = random.normal_vector(3),
                 .time = 0.2,
                 .id = 2};
        const double rate = random.uniform(0, 2), distance = 0.5;
        const double time = pair_contact_time(a, b, distance, GrowingSpheres{images, rate});
        EXPECT_EQ(time, pair_contact_time(b, a, distance, GrowingSpheres{images, rate}));
        if (time == never || time == 0.2) continue;
        ++num_touching;
        EXPECT_GT(time, 0.2);
        const double apart = norm(minimum_image(position_at(b, time) - position_at(a, time), images));
        EXPECT_NEAR(apart / (distance * (1 + rate * time)), 1, 1e-12);
    }
    EXPECT_GT(num_touching, 200);
}

/// A contact leaves surfaces that part, however slowly they approached. Else it would come again at the same instant.
TEST(GrowingPair, PartsAfterAContact) {
    const ImageLengths images(periodic_box({1e3, 1e3, 1e3}));
    HashRandom random(7);
    int num_slow = 0;
    for (int k = 0; k < 20'000; ++k) {
        const double rate = random.uniform(0.01, 2), time = random.uniform(), distance = 1.3;
        const double apart = distance * std::fma(rate, time, 1.0);
        Vec3 n = random.normal_vector(3);
        n = (1 / norm(n)) * n;
        const double slow = random.uniform(-1, 1) * 0x1p-50;  // of the approach
        Motion low{
            .position = random.normal_vector(3), .velocity = random.normal_vector(3), .time = time, .id = 1};
        Motion high{.position = advanced(low.position, n, apart),
                    .velocity = advanced(low.velocity, n, rate * distance + slow),
                    .time = time,
                    .id = 2};
        const Attributes small{.radius = 0.5, .mass = 2}, large{.radius = 0.8, .mass = 3};
        if (pair_contact_time(low, high, distance, GrowingSpheres{images, rate}) > time) continue;
        ++num_slow;
        const ContactOutcome after =
            outcome_of_growing(PairContact{time, low, high, small, large, images}, rate);
        low.velocity = after.low->velocity;
        high.velocity = after.high->velocity;
        EXPECT_EQ(pair_contact_time(low, high, distance, GrowingSpheres{images, rate}), never);
    }
    EXPECT_GT(num_slow, 2000);
}

/// Likewise a contact with a wall, which the particle may fly away from.
TEST(GrowingPair, PartsAfterAContactWithAWall) {
    const Box box = walled_box({10, 10, 10});
    HashRandom random(8);
    for (int k = 0; k < 20'000; ++k) {
        const double rate = random.uniform(0.01, 2), time = random.uniform(), radius = 0.7;
        const Wall wall = wall_at(box, static_cast<int>(random.index(6)));
        const double out = wall.is_high ? 1 : -1;
        Motion motion{.position = {5, 5, 5}, .velocity = random.normal_vector(3), .time = time, .id = 1};
        motion.position[wall.axis] = wall.position - out * radius * std::fma(rate, time, 1.0);
        if (k % 2 == 0) motion.velocity[wall.axis] = -out * (rate * radius - random.uniform() * 0x1p-51);
        if (growing_obstacle_contact_time(motion, radius, wall, rate) > time + 1e-9) continue;
        const Attributes own{.radius = radius, .mass = 2};
        const ContactOutcome after = outcome_of_growing(
            ObstacleContact{time, motion, own, surface_at(motion.position, wall).normal}, rate);
        EXPECT_LE(out * after.low->velocity[wall.axis], -rate * radius);
        motion.velocity = after.low->velocity;
        EXPECT_EQ(growing_obstacle_contact_time(motion, radius, wall, rate), never);
    }
}

/// Without growth the times are those of spheres that do not grow.
TEST(GrowingPair, TouchesAsOthersAtRateZero) {
    const ImageLengths images(periodic_box({10, 10, 10}));
    HashRandom random(6);
    for (int k = 0; k < 500; ++k) {
        const Motion a{.position = {}, .velocity = random.normal_vector(3), .time = 0, .id = 1};
        const Motion b{
            .position = random.normal_vector(3), .velocity = random.normal_vector(3), .time = 0, .id = 2};
        EXPECT_EQ(pair_contact_time(a, b, 0.3, images),
                  pair_contact_time(a, b, 0.3, GrowingSpheres{images, 0}));
    }
}

}  // namespace
}  // namespace ricochet::test
