// SPDX-License-Identifier: BSD-3-Clause
//
// Particles that fly, get other motions and end in a kinetic structure, without an engine: what each structure must do
// by itself. At any time all particles near enough to touch are neighbours, and a state that is restored goes on as if
// nothing had been.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "contact/response.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

struct Scene {
    std::string name;
    Box box;
    SearchDomain domain;
    double largest_radius;
};

inline std::vector<Scene> scenes() {
    return {{"cube", periodic_box({16, 16, 16}), {0, 16}, 1},
            {"plane", periodic_box({40, 40, 0}), {0, 40}, 1},
            {"closed", walled_box({16, 12, 10}), {0, 16}, 1},
            {"part of a ring", periodic_box({64, 8, 8}), {56, 20}, 0.5},
            {"part of a closed box", walled_box({64, 8, 8}), {20, 20}, 0.5},
            {"few cells", periodic_box({9, 7, 13}), {0, 9}, 1},
            {"wide cells", periodic_box({12, 12, 0}), {0, 12}, 1.9},
            {"thin ring", periodic_box({100, 5, 0}), {95, 12}, 1}};
}

/// Particles of a scene under way in the structure.
template <class Structure>
class Traffic {
  public:
    Traffic(const Scene& scene, std::uint64_t seed)
        : scene_(scene), random_(seed), images_(scene.box), structure_(scene.box, EngineOptions{}) {
        for (int k = 0; k < 100; ++k) {
            Vec3 position = place();
            if (k % 5 == 0) position.x = std::floor(position.x);
            add_particle(system_, position, velocity(), random_.uniform(0.2, 1.0) * scene.largest_radius);
        }
        particles_.attributes.edit(0).radius = scene.largest_radius;
        begin(0, false);
    }

    void begin(double now, bool is_rebuilt) {
        structure_.begin({.motion = particles_.motion,
                          .attributes = particles_.attributes.lookup(),
                          .domain = scene_.domain,
                          .reach = 0.05,
                          .now = now,
                          .end = 100,
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
                log.emplace_back(event.time, *slot, found);
            }
        }
    }
    /// Particles get other velocities, one jumps, and one ends.
    void kick(double now, bool ends_one) {
        for (Slot slot = 0; slot < 10; ++slot) {
            Motion& motion = particles_.motion[slot * 5];
            motion.position = slot == 3 ? place() : position_at(motion, now);
            motion.velocity = velocity();
            motion.time = now;
            if (slot == 4 && ends_one) particles_.attributes.edit(slot * 5) = absent_attributes;
            EXPECT_TRUE(structure_.changed(slot * 5, now, queue_));
        }
    }
    void save() {
        structure_.save();
        saved_ = {particles_, queue_, log.size()};
    }
    void restore() {
        structure_.restore();
        std::copy(saved_.particles.motion.begin(), saved_.particles.motion.end(), particles_.motion.begin());
        for (std::size_t k = 0; k < particles_.size(); ++k)
            particles_.attributes.edit(k) = saved_.particles.attributes[k];
        queue_ = saved_.queue;
        log.resize(saved_.log_size);
    }
    /// The number of pairs that are near enough to touch.
    int expect_all_near_are_neighbours(double now) const {
        int num_near = 0;
        for (Slot a = 0; a < particles_.size(); ++a) {
            if (is_absent(particles_.attributes[a])) continue;
            std::vector<Slot> found;
            structure_.neighbours(a, found);
            const std::set<Slot> all(found.begin(), found.end());
            EXPECT_EQ(all.size(), found.size()) << scene_.name;
            EXPECT_EQ(all.count(a), 0u);
            for (Slot b = 0; b < particles_.size(); ++b) {
                if (b == a) continue;
                const Vec3 apart =
                    position_at(particles_.motion[b], now) - position_at(particles_.motion[a], now);
                const double reach = particles_.attributes[a].radius + particles_.attributes[b].radius + 0.1;
                if (is_absent(particles_.attributes[b])) {
                    EXPECT_EQ(all.count(b), 0u) << scene_.name;
                } else if (norm(minimum_image(apart, images_)) <= reach) {
                    ++num_near;
                    EXPECT_EQ(all.count(b), 1u) << scene_.name << " at " << now << ": " << a << ", " << b;
                }
            }
        }
        return num_near;
    }
    Structure& structure() { return structure_; }
    const Scene& scene() const { return scene_; }
    Particles& particles() { return particles_; }
    TopologicalQueue& queue() { return queue_; }

    std::vector<std::tuple<double, Slot, std::vector<Slot>>> log;  ///< of events: time, slot, new neighbours

  private:
    /// Anywhere in the box.
    Vec3 place() {
        const Vec3 size = scene_.box.size;
        return {random_.uniform(0, size.x), random_.uniform(0, size.y),
                size.z > 0 ? random_.uniform(0, size.z) : 0};
    }
    Vec3 velocity() { return 3 * random_.normal_vector(scene_.box.dimension); }

    struct Saved {
        Particles particles;
        TopologicalQueue queue;
        std::size_t log_size = 0;
    };

    Scene scene_;
    HashRandom random_;
    ImageLengths images_;
    System system_;
    Particles& particles_ = system_.particles;
    Structure structure_;
    TopologicalQueue queue_;
    Saved saved_;
};

/// Also after other motions, and wherever paths lead.
template <class Structure>
void expect_all_who_are_near() {
    for (const Scene& scene : scenes())
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            Traffic<Structure> traffic(scene, seed);
            int num_near = traffic.expect_all_near_are_neighbours(0);
            for (int k = 1; k <= 40; ++k) {
                const double now = 0.1 * k;
                traffic.run_until(now);
                if (k % 8 == 0) traffic.kick(now, true);
                num_near += traffic.expect_all_near_are_neighbours(now);
            }
            EXPECT_GT(num_near, 5) << scene.name;
        }
}

/// Run on with a kick, restored, and run: the events of a run that nothing has disturbed.
template <class Structure>
void expect_goes_on_from_what_was_saved() {
    std::size_t num_events = 0;
    for (const Scene& scene : scenes()) {
        Traffic<Structure> traffic(scene, 9), undisturbed(scene, 9);
        traffic.run_until(1);
        traffic.save();
        traffic.run_until(1.5);
        traffic.kick(1.5, true);
        traffic.run_until(2);
        traffic.particles().attributes.edit(0).radius = 3 * scene.largest_radius;
        traffic.begin(2, true);
        traffic.run_until(2.5);
        traffic.restore();
        traffic.run_until(4);
        undisturbed.run_until(4);
        EXPECT_EQ(traffic.log, undisturbed.log) << scene.name;
        num_events += undisturbed.log.size();
    }
    EXPECT_GT(num_events, 1000u);
}

}  // namespace ricochet::test
