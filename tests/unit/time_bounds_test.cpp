// SPDX-License-Identifier: BSD-3-Clause
//
// Time bounds, where they differ from other structures: bounds live over steps of driven particles, hold their
// particles, and lose no contact; a state that is restored goes on as if nothing had been.
#include "kinetic/time_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "contact/response.hpp"
#include "dynamics/kicks.hpp"
#include "tests/support/driven_spheres.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

constexpr SearchMethod bounds = search_named("time_bounds");

/// Against all pairs in windows, on one to five ranks, in 1 to 40 windows.
TEST(TimeBounds, HaveBitsOfAllPairsWhereDriven) {
    for (const bool has_walls : {false, true}) {
        const Vec3 size{60, 30, 30};
        System system = spheres(has_walls ? walled_box(size) : periodic_box(size), 250, has_walls ? 3 : 4);
        system.dt = 0.05;
        SlabRunSettings settings = driven(system.dt, 12);
        settings.engine.search = search_named("all_pairs");
        const SlabRun expected = run_on_threads(1, system, settings);
        ASSERT_GT(expected.contacts.size(), 50u);
        settings.engine.search = bounds;
        for (const std::uint64_t num_windows : {1, 7, 40}) {
            settings.slabs.num_windows = num_windows;
            for (const int num_ranks : {1, 2, 3, 5})
                EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
                    << num_ranks << " ranks, " << num_windows << " windows";
        }
    }
}

/// A drive that does not keep to what is expected of it.
TEST(TimeBounds, LoseNoContactWhereKicksAreLarger) {
    System system = spheres(periodic_box({30, 30, 30}), 120, 9);
    system.dt = 0.05;
    SlabRunSettings settings = driven(system.dt, 10);
    settings.engine.search = search_named("all_pairs");
    const SlabRun expected = run_on_threads(1, system, settings);
    settings.engine.search = bounds;
    settings.engine.kicks = {0.1, 0.2, system.dt, 5};
    EXPECT_EQ(first_difference(expected, run_on_threads(1, system, settings)), "");
    settings.engine.kicks = {};
    EXPECT_EQ(first_difference(expected, run_on_threads(1, system, settings)), "");
}

/// The structure alone, without contacts.
class Traffic {
  public:
    Traffic(System system, double side, double dt)
        : system_(std::move(system)), dt_(dt), structure_(system_.box, options(side, dt)) {}

    void begin() { begin({0, system_.box.size.x}); }
    void begin(SearchDomain domain, bool is_rebuilt = false) {
        structure_.begin({.motion = system_.particles.motion,
                          .attributes = system_.particles.attributes.lookup(),
                          .domain = domain,
                          .end = dt_,
                          .is_rebuilt = is_rebuilt},
                         queue_);
    }
    void run_until(double time) {
        std::vector<Slot> found;
        while (queue_.next_time() <= time) {
            const TopologicalEvent event = queue_.pop();
            found.clear();
            if (const auto slot = structure_.process(event, queue_, found)) {
                std::sort(found.begin(), found.end());
                log.push_back(std::to_string(event.time) + " " + std::to_string(*slot) + " " +
                              std::to_string(found.size()));
            }
        }
    }
    /// All that overlap are neighbours, and each sphere is in its bound.
    void check(double time) {
        const auto& motion = system_.particles.motion;
        const ImageLengths images(system_.box);
        const double now = structure_.own_time(time);
        for (Slot a = 0; a < motion.size(); ++a) {
            const TimeBound& bound = structure_.bound_of(a);
            const Vec3 away = minimum_image(position_at(motion[a], time) - bound.centre_at(now), images);
            EXPECT_LE(norm(away) + system_.particles.attributes[a].radius, bound.radius_from(now).c[0]);
            std::vector<Slot> found;
            structure_.neighbours(a, found);
            for (Slot b = 0; b < motion.size(); ++b) {
                const Vec3 apart = position_at(motion[a], time) - position_at(motion[b], time);
                const double distance =
                    system_.particles.attributes[a].radius + system_.particles.attributes[b].radius;
                if (a == b || norm(minimum_image(apart, images)) > distance) continue;
                EXPECT_TRUE(std::find(found.begin(), found.end(), b) != found.end()) << a << " and " << b;
            }
        }
    }
    void finish_step() {
        for (Motion& m : system_.particles.motion) {
            m.position = position_at(m, dt_);
            for (int axis = 0; axis < 3; ++axis)
                m.position[axis] -=
                    system_.box.size[axis] * std::floor(m.position[axis] / system_.box.size[axis]);
            m.time = 0;
        }
    }
    void drive(std::uint64_t step) {
        RandomAccelerations(3, kicks_for(dt_), 10, 4).before_drift(system_.particles, {step, true});
    }
    /// Slots in another order.
    void reverse() {
        Particles other;
        for (std::size_t k = system_.particles.size(); k-- > 0;) other.append(system_.particles, k);
        system_.particles = other;
    }
    void kick(double time) {
        for (Slot slot = 0; slot < 20; ++slot) {
            Motion& m = system_.particles.motion[slot];
            m.position = position_at(m, time);
            m.velocity = -1.0 * m.velocity;
            m.time = time;
            EXPECT_TRUE(structure_.changed(slot, time, queue_));
        }
    }
    void save() {
        structure_.save();
        kept_ = {queue_, system_.particles};
    }
    void restore() {
        structure_.restore();
        queue_ = kept_.queue;
        std::copy(kept_.particles.motion.begin(), kept_.particles.motion.end(),
                  system_.particles.motion.begin());
    }
    const TimeBounds& structure() const { return structure_; }

    std::vector<std::string> log;

  private:
    static EngineOptions options(double side, double dt) {
        EngineOptions options;
        options.search_options.subspace_side = side;
        options.kicks = kicks_for(dt);
        return options;
    }
    struct Kept {
        TopologicalQueue queue;
        Particles particles;
    };
    System system_;
    double dt_;
    TimeBounds structure_;
    TopologicalQueue queue_;
    Kept kept_;
};

/// Also where slots change, which keeps bounds.
TEST(TimeBounds, HoldTheirParticlesOverSteps) {
    constexpr double dt = 0.02;
    for (const double side : {5.0, 6.0, 8.0}) {
        Traffic traffic(spheres(periodic_box({40, 40, 40}), 150, 8), side, dt);
        std::size_t num_reset = 0;
        for (std::uint64_t step = 0; step < 60; ++step) {
            traffic.drive(step);
            if (step % 10 == 9) traffic.reverse();
            traffic.begin();
            if (step > 0) num_reset += traffic.structure().num_reset_at_begin();
            for (const double time : {0.0, 0.3 * dt, dt}) {
                traffic.run_until(time);
                traffic.check(time);
            }
            traffic.finish_step();
        }
        EXPECT_EQ(num_reset, 0u) << "side " << side;
        EXPECT_GT(traffic.log.size(), 100u);
    }
}

/// A step that is done again begins after events of it have taken place, and may have another length.
TEST(TimeBounds, HoldTheirParticlesInAStepDoneAgain) {
    for (const double dt : {0.02, 0.5}) {
        Traffic traffic(spheres(periodic_box({40, 40, 40}), 150, 8), 6, dt);
        for (std::uint64_t step = 0; step < 20; ++step) {
            traffic.drive(step);
            for (const double abandoned_at : {0.7 * dt, 0.2 * dt}) {
                traffic.begin();
                traffic.run_until(abandoned_at);
            }
            traffic.begin();
            for (const double time : {0.0, 0.3 * dt, dt}) {
                traffic.run_until(time);
                traffic.check(time);
            }
            traffic.finish_step();
        }
        EXPECT_GT(traffic.log.size(), 100u);
    }
}

TEST(TimeBounds, GoOnFromASavedState) {
    constexpr double dt = 1;
    const System system = spheres(periodic_box({40, 40, 40}), 150, 8);
    Traffic plain(system, 8, dt), disturbed(system, 8, dt);
    for (Traffic* traffic : {&plain, &disturbed}) {
        traffic->begin();
        traffic->run_until(0.2);
        traffic->log.clear();
    }
    disturbed.save();
    disturbed.run_until(0.4);
    disturbed.kick(0.4);
    disturbed.run_until(0.6);
    disturbed.restore();
    disturbed.log.clear();
    plain.run_until(0.9);
    disturbed.run_until(0.9);
    EXPECT_GT(plain.log.size(), 100u);
    EXPECT_EQ(plain.log, disturbed.log);
}

/// A grid that is restored is known by the part of the box for which it was made. So bounds outlive a next step in it.
TEST(TimeBounds, KnowTheGridThatIsRestored) {
    constexpr double dt = 0.02;
    constexpr SearchDomain wide{10, 40}, narrow{12, 36};
    Traffic traffic(spheres(periodic_box({80, 40, 40}), 150, 8), 8, dt);
    for (const SearchDomain& domain : {wide, narrow, wide}) {
        traffic.begin(domain);
        if (traffic.structure().own_time(0) > 0) {
            EXPECT_EQ(traffic.structure().num_reset_at_begin(), 0u);
        }
        traffic.save();
        traffic.begin(domain, true);
        traffic.restore();
        traffic.run_until(dt);
        traffic.check(dt);
        traffic.finish_step();
    }
}

/// The system of the source's first experiment at a subspace side of 8: how often what happens, per second, within 10 %
/// of a prototype. Of the rarest event there are about 270, so its statistical error is 6 %.
TEST(TimeBounds, HaveAsManyEventsAsInAPrototype) {
    System system = spheres(walled_box({200, 200, 200}), 1000, 1);
    system.dt = 0.01;
    SlabRunSettings settings = driven(system.dt, 2000);
    settings.drive = [](Particles& particles, int step) {
        RandomAccelerations(3, kicks_for(0.01), 10, 10)
            .before_drift(particles, {static_cast<std::uint64_t>(step), true});
    };
    settings.engine.search = bounds;
    settings.engine.search_options.subspace_side = 8;
    settings.slabs.num_windows = 1;
    const SlabRun run = run_on_threads(1, system, settings);
    const StepStatistics& counts = run.statistics.engine;
    const auto num_pairs =
        std::count_if(run.contacts.begin(), run.contacts.end(),
                      [](const Contact& contact) { return contact.key.high < first_obstacle_id; });
    const auto expect = [&](const std::string& what, auto count, double prototype) {
        const double rate = static_cast<double>(count) / (settings.num_steps * system.dt);
        RecordProperty(what, std::to_string(rate));
        EXPECT_NEAR(rate, prototype, 0.1 * prototype) << what;
    };
    expect("resets", counts.num_resets, 709);
    expect("crossings", counts.num_entered + counts.num_left, 3459);
    expect("meetings", counts.num_bound_pairs, 143);
    expect("contacts", num_pairs, 13.6);
}

/// Two spheres that pass each other: their bounds meet, are reset, and the spheres become no neighbours.
TEST(TimeBounds, MakeNoNeighboursOfSpheresThatPass) {
    constexpr double dt = 1;
    System system;
    system.box = walled_box({40, 40, 40});
    add_particle(system, {16, 20, 20}, {4, 0, 0}, 1);
    add_particle(system, {24, 22.5, 20}, {-4, 0, 0}, 1);
    system.dt = dt;
    SlabRunSettings settings;
    settings.num_steps = 2;
    settings.engine.kicks = {1, 1, 0.001, 5};
    settings.engine.search_options.subspace_side = 8;
    settings.engine.search = bounds;
    settings.slabs.num_windows = 1;
    const SlabRun run = run_on_threads(1, system, settings);
    EXPECT_EQ(run.contacts.size(), 0u);
    EXPECT_GE(run.statistics.engine.num_bound_pairs, 1u);
    EXPECT_EQ(run.statistics.engine.num_found, 0u);
}

}  // namespace
}  // namespace ricochet::test
