// SPDX-License-Identifier: BSD-3-Clause
//
// Spheres that fly and bounce in a triangulation, without an engine: the triangulation's events take place in time, and
// each contact is found by comparing all with all.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "contact/response.hpp"
#include "search/delaunay3.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

/// From 285 to 15 in a periodic box 300 long.
inline System slab_across_a_face() {
    System slab;
    slab.name = "slab";
    slab.box = periodic_box({300, 9, 9});
    fill_at_random(slab, {{0.5, 1, 400}}, {}, {30, 9, 9}, 21);
    thermalise(slab, 1, 22);
    for (Motion& motion : slab.particles.motion) motion.position.x += motion.position.x < 15 ? 285 : -15;
    return slab;
}

/// Of equal mass, elastic.
class Flight {
  public:
    /// With a step that ends late, and the whole box.
    explicit Flight(System system) : Flight(std::move(system), late, {}) {}
    /// Where they are all in a part of the box, which is not empty.
    Flight(System system, double end, SearchDomain part)
        : system_(std::move(system)),
          particles_(system_.particles),
          images_(system_.box),
          delaunay_(system_.box, {}),
          end_(end),
          domain_(part.width > 0 ? part : SearchDomain{0, system_.box.size.x}) {
        soonest_.assign(particles_.size(), {late, 0});
        for (Slot slot = 0; slot < particles_.size(); ++slot) search(slot);
        if (!begin(0)) throw std::runtime_error(system_.name + ": there is no triangulation");
    }

    bool begin(double now, bool is_rebuilt = false) {
        return delaunay_.begin({.motion = particles_.motion,
                                .attributes = particles_.attributes.lookup(),
                                .domain = domain_,
                                .now = now,
                                .end = end_,
                                .is_rebuilt = is_rebuilt},
                               queue_);
    }
    /// Follows the triangulation; without flips where asked.
    void pass_until(double time, bool flips = true) {
        std::vector<Slot> found;
        while (queue_.next_time() <= time) {
            const TopologicalEvent event = queue_.pop();
            found.clear();
            if (!flips) continue;
            if (const auto slot = delaunay_.process(event, queue_, found))
                log.emplace_back(event.time, *slot, found);
            if (delaunay_.is_broken()) rebuild(event.time);
        }
        now_ = time;
    }
    /// Takes the next contact. The two must be neighbours.
    void bounce(bool flips = true) {
        const auto first = std::min_element(soonest_.begin(), soonest_.end());
        const auto a = static_cast<Slot>(first - soonest_.begin());
        const auto [time, b] = *first;
        pass_until(time, flips);
        std::vector<Slot> neighbours;
        delaunay_.neighbours(a, neighbours);
        if (std::find(neighbours.begin(), neighbours.end(), b) == neighbours.end()) ++num_lost;
        ++num_contacts;
        Motion &p = particles_.motion[a], &q = particles_.motion[b];
        for (Motion* motion : {&p, &q}) {
            motion->position = position_at(*motion, time);
            motion->time = time;
        }
        const Vec3 apart = minimum_image(q.position - p.position, images_);
        const Vec3 normal = (1 / norm(apart)) * apart;
        const double speed = dot(p.velocity - q.velocity, normal);
        p.velocity = p.velocity - speed * normal;
        q.velocity = q.velocity + speed * normal;
        change(a);
        change(b);
    }
    void kick(double now) {
        pass_until(now);
        HashRandom random(77);
        for (Slot slot = 0; slot < particles_.size(); slot += 9) {
            Motion& motion = particles_.motion[slot];
            motion.position = position_at(motion, now);
            motion.time = now;
            motion.velocity = random.normal_vector(3);
            change(slot);
        }
    }
    void save() {
        delaunay_.save();
        saved_ = {particles_.motion, queue_, soonest_, log.size(), now_};
    }
    void restore() {
        delaunay_.restore();
        std::copy(saved_.motion.begin(), saved_.motion.end(), particles_.motion.begin());
        queue_ = saved_.queue;
        soonest_ = saved_.soonest;
        log.resize(saved_.log_size);
        now_ = saved_.now;
    }
    double now() const { return now_; }
    const System& system() const { return system_; }
    Delaunay3& delaunay() { return delaunay_; }

    std::vector<std::tuple<double, Slot, std::vector<Slot>>> log;  ///< of flips: time, slot, new neighbours
    int num_lost = 0;  ///< contacts of two that were no neighbours
    int num_rebuilt = 0;
    std::uint64_t num_contacts = 0;
    std::uint64_t num_renewed = 0;  ///< certificates, because velocities have changed

  private:
    static constexpr double late = 1e3;

    /// As the engine does.
    void rebuild(double now) {
        constexpr int most = 20;
        if (++num_rebuilt > most || !begin(now, true))
            throw std::runtime_error(system_.name + ": the triangulation cannot be kept");
    }
    void change(Slot slot) {
        const std::uint64_t num_before = delaunay_.counts().certificates;
        const bool is_held = delaunay_.changed(slot, now_, queue_);
        num_renewed += delaunay_.counts().certificates - num_before;
        if (!is_held) rebuild(now_);
        search(slot);
        for (Slot other = 0; other < particles_.size(); ++other)
            if (soonest_[other].second == slot) search(other);
    }
    void search(Slot slot) {
        soonest_[slot] = {late, slot};
        for (Slot other = 0; other < particles_.size(); ++other) {
            if (other == slot) continue;
            const double time = contact_time_of(slot, other);
            soonest_[slot] = std::min(soonest_[slot], {time, other});
            if (time < soonest_[other].first) soonest_[other] = {time, slot};
        }
    }
    /// With the nearest image at present and its neighbours.
    double contact_time_of(Slot a, Slot b) const {
        const Motion &p = particles_.motion[a], &q = particles_.motion[b];
        const Vec3 near = minimum_image(position_at(q, now_) - position_at(p, now_), images_);
        const Vec3 rate = q.velocity - p.velocity;
        const double reach = particles_.attributes[a].radius + particles_.attributes[b].radius;
        double soonest = late;
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z) {
                    const Vec3 size = system_.box.size;
                    const Vec3 apart = near + Vec3{x * size.x, y * size.y, z * size.z};
                    const double approach = dot(apart, rate), squared = dot(rate, rate);
                    if (!(approach < 0)) continue;
                    const double root = approach * approach - squared * (dot(apart, apart) - reach * reach);
                    if (root > 0)
                        soonest =
                            std::min(soonest, now_ + std::max(0.0, (-approach - std::sqrt(root)) / squared));
                }
        return soonest;
    }

    struct Saved {
        std::vector<Motion> motion;
        TopologicalQueue queue;
        std::vector<std::pair<double, Slot>> soonest;
        std::size_t log_size = 0;
        double now = 0;
    };

    System system_;
    Particles& particles_;
    ImageLengths images_;
    Delaunay3 delaunay_;
    double end_;
    SearchDomain domain_;
    TopologicalQueue queue_;
    std::vector<std::pair<double, Slot>> soonest_;  ///< by slot: its next contact, and with whom
    double now_ = 0;
    Saved saved_;
};

}  // namespace ricochet::test
