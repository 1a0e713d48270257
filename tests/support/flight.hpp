// SPDX-License-Identifier: BSD-3-Clause
//
// Spheres (discs) that fly and bounce in a triangulation, without an engine: the triangulation's events take place in
// time, and each contact is found by comparing all with all.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "contact/response.hpp"
#include "kinetic/delaunay3.hpp"
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

/// The flight of particles of equal mass, which bounce elastically.
template <class Triangulation>
class FlightIn {
  public:
    /// With a step that ends late, and the whole box.
    explicit FlightIn(System system) : FlightIn(std::move(system), late, {}) {}
    /// Where they are all in a part of the box, which is not empty.
    FlightIn(System system, double end, SearchDomain part)
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
        const bool is_built = delaunay_.begin({.motion = particles_.motion,
                                               .attributes = particles_.attributes.lookup(),
                                               .domain = domain_,
                                               .now = now,
                                               .end = end_,
                                               .is_rebuilt = is_rebuilt},
                                              queue_);
        if (!is_built) return false;
        named_.resize(particles_.size());
        for (Slot slot = 0; slot < particles_.size(); ++slot) name_neighbours(slot);
        return true;
    }
    /// Follows the triangulation; without flips where asked.
    void pass_until(double time, bool flips = true) {
        std::vector<Slot> found;
        while (queue_.next_time() <= time) {
            const TopologicalEvent event = queue_.pop();
            found.clear();
            if (!flips) continue;
            if (const auto slot = delaunay_.process(event, queue_, found)) {
                log.emplace_back(event.time, *slot, found);
                for (const Slot other : found) name(*slot, other);
            }
            if (delaunay_.is_broken()) rebuild(event.time);
        }
        now_ = time;
    }
    /// Takes the next contact. The two must be neighbours, and have been named since either got its motion.
    void bounce(bool flips = true) {
        const auto first = std::min_element(soonest_.begin(), soonest_.end());
        const auto a = static_cast<Slot>(first - soonest_.begin());
        const auto [time, b] = *first;
        pass_until(time, flips);
        std::vector<Slot> neighbours;
        delaunay_.neighbours(a, neighbours);
        if (std::find(neighbours.begin(), neighbours.end(), b) == neighbours.end()) ++num_lost;
        if (named_[a].count(b) == 0) ++num_unnamed;
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
            motion.velocity = random.normal_vector(system_.box.dimension);
            change(slot);
        }
    }
    void save() {
        delaunay_.save();
        saved_ = {particles_.motion, queue_, soonest_, named_, log.size(), now_};
    }
    void restore() {
        delaunay_.restore();
        std::copy(saved_.motion.begin(), saved_.motion.end(), particles_.motion.begin());
        queue_ = saved_.queue;
        soonest_ = saved_.soonest;
        named_ = saved_.named;
        log.resize(saved_.log_size);
        now_ = saved_.now;
    }
    double now() const { return now_; }
    const System& system() const { return system_; }
    Triangulation& delaunay() { return delaunay_; }

    std::vector<std::tuple<double, Slot, std::vector<Slot>>> log;  ///< of flips: time, slot, new neighbours
    int num_lost = 0;     ///< contacts of two that were no neighbours
    int num_unnamed = 0;  ///< contacts of two that were never named as neighbours
    int num_rebuilt = 0;
    std::uint64_t num_contacts = 0;
    std::uint64_t num_renewed = 0;  ///< certificates, because velocities have changed

  private:
    static constexpr double late = 1e3;

    std::uint64_t num_certificates() const {
        if constexpr (requires { delaunay_.counts(); })
            return delaunay_.counts().certificates;
        else
            return delaunay_.num_certificates();
    }
    /// As the engine does.
    void rebuild(double now) {
        constexpr int most = 20;
        if (++num_rebuilt > most || !begin(now, true))
            throw std::runtime_error(system_.name + ": the triangulation cannot be kept");
    }
    void change(Slot slot) {
        const std::uint64_t num_before = num_certificates();
        const bool is_held = delaunay_.changed(slot, now_, queue_);
        num_renewed += num_certificates() - num_before;
        if (!is_held) rebuild(now_);
        for (const Slot other : named_[slot]) named_[other].erase(slot);
        named_[slot].clear();
        name_neighbours(slot);
        search(slot);
        for (Slot other = 0; other < particles_.size(); ++other)
            if (soonest_[other].second == slot) search(other);
    }
    void name(Slot a, Slot b) {
        named_[a].insert(b);
        named_[b].insert(a);
    }
    void name_neighbours(Slot slot) {
        std::vector<Slot> neighbours;
        delaunay_.neighbours(slot, neighbours);
        for (const Slot other : neighbours) name(slot, other);
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
        std::vector<std::set<Slot>> named;
        std::size_t log_size = 0;
        double now = 0;
    };

    System system_;
    Particles& particles_;
    ImageLengths images_;
    Triangulation delaunay_;
    double end_;
    SearchDomain domain_;
    TopologicalQueue queue_;
    std::vector<std::pair<double, Slot>> soonest_;  ///< by slot: its next contact, and the partner
    std::vector<std::set<Slot>> named_;             ///< by slot: partners for which contacts were looked for
    double now_ = 0;
    Saved saved_;
};
using Flight = FlightIn<Delaunay3>;

/// Run on with a kick, built anew, restored, and run: the flips of a run that nothing has disturbed.
template <class Triangulation>
void expect_goes_on_from_what_was_saved(const System& system) {
    FlightIn<Triangulation> flight(system), undisturbed(system);
    for (int k = 0; k < 40; ++k) flight.bounce();
    flight.save();
    for (int k = 0; k < 40; ++k) flight.bounce();
    flight.kick(flight.now());
    for (int k = 0; k < 40; ++k) flight.bounce();
    EXPECT_TRUE(flight.begin(flight.now(), true));
    for (int k = 0; k < 10; ++k) flight.bounce();
    flight.restore();
    for (int k = 0; k < 80; ++k) flight.bounce();
    for (int k = 0; k < 120; ++k) undisturbed.bounce();
    EXPECT_EQ(flight.log, undisturbed.log) << system.name;
    EXPECT_GT(flight.log.size(), 100u) << system.name;
    EXPECT_EQ(flight.num_lost + flight.num_unnamed, 0) << system.name;
}

}  // namespace ricochet::test
