// SPDX-License-Identifier: BSD-3-Clause
//
// The triangulation of moving discs by itself: while discs move and collide it remains closed, turned to the left and
// regular in exact arithmetic, and names all that touch. Without its flips it does not. A state that is restored goes
// on as if nothing had been.
#include "kinetic/delaunay2.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "contact/response.hpp"
#include "kinetic/delaunay.hpp"
#include "tests/support/flight.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/solved_system.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

using Exact = boost::multiprecision::cpp_rational;

/// A gas of discs, dilute or not, with radii of 1:20 or equal ones.
System disc_gas(std::size_t count, double fraction, double ratio, std::uint64_t seed,
                bool has_walls = false) {
    System system;
    const double radius = 0.5, other = radius / ratio;
    const std::size_t num_small = ratio > 1 ? count / 2 : 0;
    const double pi = 3.14159265358979;
    const double area = pi * (static_cast<double>(count - num_small) * radius * radius +
                              static_cast<double>(num_small) * other * other);
    const double side = std::sqrt(area / fraction);
    system.box = has_walls ? walled_box({side, side, 0}) : periodic_box({side, side, 0});
    std::vector<Kind> kinds{{radius, 1, count - num_small}};
    if (num_small > 0) kinds.push_back({other, 1 / ratio, num_small});
    fill_at_random(system, kinds, {0, 0, 0}, system.box.size, seed);
    thermalise(system, 1, seed);
    system.num_steps = 1;
    double fastest = 0;
    for (const Motion& motion : system.particles.motion) fastest = std::max(fastest, norm(motion.velocity));
    system.dt = 0.9 * (0.5 * side - 2 * radius) / (2 * fastest);  // as long as nearest images are unique
    return system;
}

/// The contacts of a step, done once more with the structure.
class Replay {
  public:
    explicit Replay(System system, bool flips = true)
        : flips_(flips),
          solved_(solve(std::move(system))),
          particles_(solved_.system.particles),
          structure_(solved_.system.box, {}) {
        is_built = structure_.begin(setting(0), queue_);
    }

    /// check(time) before each contact, and at the end.
    template <class Check>
    void run(Check&& check) {
        double latest = 0;
        for (const Contact& contact : solved_.steps.at(0).contacts) {
            check(0.5 * (latest + contact.key.time));
            latest = contact.key.time;
            run_until(latest);
            collide(contact);
        }
        const double end = solved_.system.dt;
        check(0.5 * (latest + end));
    }
    void run_until(double time) {
        while (queue_.next_time() <= time) {
            const TopologicalEvent event = queue_.pop();
            if (!flips_) continue;
            std::vector<Slot> found;
            if (structure_.process(event, queue_, found)) ++num_flips;
            ASSERT_FALSE(structure_.is_broken());
        }
    }
    void expect_regular(double time) {
        run_until(time);
        const Triangles& triangles = structure_.triangles();
        ASSERT_EQ(triangles.size(), 2 * particles_.size());
        for (EdgeName edge = 0; edge < 3 * triangles.size(); ++edge) {
            const EdgeName twin = triangles.twin(edge);
            ASSERT_NE(twin, edge);
            ASSERT_EQ(triangles.twin(twin), edge);
            ASSERT_EQ(triangles.corner(Triangles::after(edge)).slot,
                      triangles.corner(Triangles::before(twin)).slot);
            const Quadrilateral corners = triangles.quadrilateral(edge);
            if (edge % 3 == 0) {
                ASSERT_GT(orientation(corners, time), 0);
            }
            if (edge < twin) {
                ASSERT_GE(certificate(corners, time), 0) << edge << " at " << time;
            }
        }
        Exact area = 0;
        for (EdgeName edge = 0; edge < 3 * triangles.size(); edge += 3)
            area += orientation(triangles.quadrilateral(edge), time);
        const Vec3 period = structure_.disc({0, 1, 1}, 0).position - structure_.disc({0, 0, 0}, 0).position;
        EXPECT_NEAR(static_cast<double>(area), 2 * period.x * period.y, 1e-9 * period.x * period.y);
        ++num_checks;
    }
    const Delaunay2& structure() const { return structure_; }
    std::size_t num_contacts() const { return solved_.steps.at(0).contacts.size(); }

    bool is_built = false;
    std::size_t num_flips = 0, num_lost = 0, num_checks = 0;

  private:
    KineticSetting setting(double now) {
        return {.motion = particles_.motion,
                .attributes = particles_.attributes.lookup(),
                .domain = {0, solved_.system.box.size.x},
                .now = now,
                .end = solved_.system.dt};
    }
    Slot slot_of(ParticleId id) const {
        const auto& motion = particles_.motion;
        return static_cast<Slot>(
            std::find_if(motion.begin(), motion.end(), [id](const Motion& m) { return m.id == id; }) -
            motion.begin());
    }
    void collide(const Contact& contact) {
        const double now = contact.key.time;
        const Slot low = slot_of(contact.key.low);
        kick(low, -contact.impulse * contact.normal, now);
        if (contact.key.high < first_obstacle_id) {
            const Slot high = slot_of(contact.key.high);
            std::vector<Slot> found;
            structure_.neighbours(low, found);
            if (std::find(found.begin(), found.end(), high) == found.end()) ++num_lost;
            kick(high, contact.impulse * contact.normal, now);
            EXPECT_TRUE(structure_.changed(high, now, queue_));
        }
        EXPECT_TRUE(structure_.changed(low, now, queue_));
    }
    void kick(Slot slot, Vec3 momentum, double now) {
        Motion& motion = particles_.motion[slot];
        motion.position = position_at(motion, now);
        motion.time = now;
        motion.velocity = motion.velocity + (1 / particles_.attributes[slot].mass) * momentum;
    }

    struct Place {
        Exact x, y, weight;
    };
    Place place(const Corner& corner, double time) const {
        const Motion& motion = particles_.motion[corner.slot];
        const Vec3 period = structure_.disc({0, 1, 1}, 0).position - structure_.disc({0, 0, 0}, 0).position;
        const Exact flight = Exact(time) - Exact(motion.time);
        const double length = solved_.system.box.size.x;
        const Exact period_x(solved_.system.box.is_periodic(0) ? length : period.x);
        const Exact period_y(solved_.system.box.is_periodic(1) ? solved_.system.box.size.y : period.y);
        return {Exact(motion.position.x) + Exact(motion.velocity.x) * flight + corner.x * period_x,
                Exact(motion.position.y) + Exact(motion.velocity.y) * flight + corner.y * period_y,
                Exact(structure_.disc(corner, 0).weight)};
    }
    Exact orientation(const Quadrilateral& corners, double time) const {
        const Place a = place(corners[0], time), b = place(corners[1], time), c = place(corners[2], time);
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    }
    Exact certificate(const Quadrilateral& corners, double time) const {
        const Place d = place(corners[3], time);
        std::array<std::array<Exact, 3>, 3> m;
        for (std::size_t k = 0; k < 3; ++k) {
            const Place p = place(corners[k], time);
            const Exact x = p.x - d.x, y = p.y - d.y;
            m[k] = {x, y, x * x + y * y - p.weight + d.weight};
        }
        const auto minor = [&](std::size_t j, std::size_t k) {
            return m[j][0] * m[k][1] - m[j][1] * m[k][0];
        };
        return -(m[0][2] * minor(1, 2) + m[1][2] * minor(2, 0) + m[2][2] * minor(0, 1));
    }

    bool flips_;
    SolvedSystem solved_;
    Particles particles_;
    Delaunay2 structure_;
    TopologicalQueue queue_;
};

/// Gases in which discs travel by several radii.
std::vector<System> gases(std::uint64_t seed) {
    return {disc_gas(90, 0.3, 1, seed), disc_gas(80, 0.1, 1, seed), disc_gas(90, 0.3, 20, seed),
            disc_gas(60, 0.05, 5, seed, true)};
}

TEST(Delaunay2, StaysRegularInExactArithmetic) {
    std::size_t num_flips = 0, num_checks = 0;
    for (const System& system : gases(1)) {
        Replay replay(system);
        ASSERT_TRUE(replay.is_built);
        int count = 0;
        replay.run([&](double time) {
            if (count++ % 5 == 0) replay.expect_regular(time);
        });
        if (HasFatalFailure()) return;
        EXPECT_EQ(replay.num_lost, 0u);
        num_flips += replay.num_flips;
        num_checks += replay.num_checks;
    }
    EXPECT_GT(num_flips, 300u);
    EXPECT_GT(num_checks, 20u);
}

/// By 5 least radii: only flips bring those together that touch.
TEST(Delaunay2, LosesContactsWithoutFlips) {
    std::size_t num_lost = 0, num_contacts = 0;
    for (const System& system : gases(2)) {
        Replay with(system), without(system, false);
        ASSERT_TRUE(with.is_built && without.is_built);
        with.run([](double) {});
        without.run([](double) {});
        EXPECT_EQ(with.num_lost, 0u);
        num_lost += without.num_lost;
        num_contacts += without.num_contacts();
    }
    EXPECT_GT(num_lost, num_contacts / 20);
}

System lattice(bool is_square, double gap, std::uint64_t seed) {
    System system;
    constexpr int n = 8;
    const double a = 1 + gap, height = is_square ? a : a * 0.8660254037844387;
    system.box = periodic_box({n * a, n * height, 0});
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            add_particle(system, {(i + (is_square || j % 2 == 0 ? 0.0 : 0.5)) * a, j * height, 0}, {});
    thermalise(system, 1, seed);
    system.dt = gap > 0 ? 0.1 : 0.001;
    return system;
}

TEST(Delaunay2, BuildsLatticesAndFewDiscs) {
    for (const bool is_square : {true, false})
        for (const double gap : {1e-15, 1e-9, 0.01, 1.0}) {
            Replay replay(lattice(is_square, gap, 3));
            ASSERT_TRUE(replay.is_built) << is_square << gap;
            replay.expect_regular(1e-6 * gap);
        }
    for (std::size_t count = 2; count < 12; ++count) {
        const System system = disc_gas(count, 0.02, 1, count);
        Replay replay(system);
        ASSERT_TRUE(replay.is_built) << count;
        replay.run([&](double time) { replay.expect_regular(time); });
        EXPECT_EQ(replay.num_lost, 0u);
    }
}

TEST(Delaunay2, GoesOnFromWhatWasSaved) {
    for (const System& system : {disc_gas(90, 0.3, 1, 3), disc_gas(80, 0.1, 1, 3), disc_gas(90, 0.3, 20, 3)})
        expect_goes_on_from_what_was_saved<Delaunay2>(system);
}

/// Then cells take over.
TEST(Delaunay2, SaysWhereDiscsOverlap) {
    System system = disc_gas(50, 0.1, 1, 4);
    system.particles.motion[7].position = system.particles.motion[3].position + Vec3{0.3, 0.2, 0};
    TopologicalQueue queue;
    const KineticSetting setting{.motion = system.particles.motion,
                                 .attributes = system.particles.attributes.lookup(),
                                 .domain = {0, system.box.size.x},
                                 .end = 0.1};
    Delaunay2 alone(system.box, {});
    EXPECT_FALSE(alone.begin(setting, queue));
    Delaunay structure(system.box, {});
    structure.begin(setting, queue);
    EXPECT_TRUE(structure.uses_cells());
    std::vector<Slot> found;
    structure.neighbours(3, found);
    EXPECT_EQ(std::count(found.begin(), found.end(), 7u), 1);
}

/// Many are possible at one instant, but not for ever.
TEST(FlipCount, EndsFlipsAtOneInstant) {
    constexpr std::size_t size = 100, many = 2000;
    FlipCount count;
    for (std::size_t k = 0; k < 10 * many; ++k)
        EXPECT_FALSE(count.is_endless(static_cast<double>(k / many), size));
    std::size_t more = 0;
    while (!count.is_endless(11, size) && more < 10 * many) ++more;
    EXPECT_GE(more, many);
    EXPECT_LT(more, 2 * many);
}

}  // namespace
}  // namespace ricochet::test
