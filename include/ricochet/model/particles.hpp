// SPDX-License-Identifier: BSD-3-Clause
//
// What a particle is.
//
// Layout: three arrays in the same order (`Particles`), split by how often a step reads them. `Motion` is one
// cache line and all that prediction reads. `Attributes` is read when a contact is applied. `Track` is
// written when a boundary is crossed, and read when a sample is taken. All travel between ranks as plain
// bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/attribute_list.hpp"
#include "ricochet/model/track_list.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {

/// The name of a particle for the whole run, on every rank. Dense from 0 for generated placements; any value
/// below 2^63 from a file.
using ParticleId = std::uint64_t;
/// Index of a particle in the arrays of its rank. 32 bits: a rank has fewer than 2^32 particles.
using Slot = std::uint32_t;

/// In a contact key an obstacle has the id first_obstacle_id + its number. The number of a wall is its face, 2 axis +
/// (0 low, 1 high).
inline constexpr ParticleId first_obstacle_id = ParticleId{1} << 63;
/// Species index that stands for an obstacle, so far always a wall, in contact records.
inline constexpr SpeciesIndex wall_species = 0xfffffffeu;
/// Species index of an absent particle: one that ended, or a product that does not exist.
inline constexpr SpeciesIndex absent_species = 0xffffffffu;

/// Whether these are of a particle that has ended.
inline bool is_absent(const Attributes& attributes) { return attributes.species == absent_species; }

/// Straight flight: at time t of the step the centre is at position + velocity (t - time).
struct alignas(64) Motion {
    Vec3 position;    ///< centre at `time`; in [0, L) at the start of a step, not wrapped within it
    Vec3 velocity;    ///< length per time
    double time = 0;  ///< within the step, in [0, dt): the latest contact, or 0
    ParticleId id = 0;
};

/// Where a particle on its straight path is at `time` of the step.
inline Vec3 position_at(const Motion& motion, double time) {
    return advanced(motion.position, motion.velocity, time - motion.time);
}
static_assert(sizeof(Motion) == 64 && std::is_trivially_copyable_v<Motion>);

/// A set of particles, e.g. those that one rank owns: element k of each array belongs to the same particle.
struct Particles {
    std::vector<Motion> motion;
    AttributeList attributes;
    TrackList track;

    std::size_t size() const { return motion.size(); }
    /// The number of particles that fit without new memory.
    std::size_t capacity() const {
        return std::min({motion.capacity(), attributes.capacity(), track.capacity()});
    }
    void clear() { resize(0); }
    void resize(std::size_t size) {
        motion.resize(size);
        attributes.resize(size);
        track.resize(size);
    }
    void push_back(const Motion& m, const Attributes& a, const Track& t) {
        motion.push_back(m);
        attributes.push_back(a);
        track.push_back(t);
    }
    /// Adds a copy of particle k of another set.
    void append(const Particles& other, std::size_t k) {
        push_back(other.motion[k], other.attributes[k], other.track[k]);
        track.take_more(size() - 1, other.track, k);
    }
    /// Overwrites particle `to` with particle k of another set.
    void assign(std::size_t to, const Particles& other, std::size_t k) {
        motion[to] = other.motion[k];
        attributes.set(to, other.attributes[k]);
        track.set(to, other.track[k]);
        track.take_more(to, other.track, k);
    }
    /// Adds a copy of particle k.
    void push_back_another(std::size_t k) {
        motion.push_back(motion[k]);
        attributes.push_back_another(k);
        track.push_back(track[k]);
        track.take_more(size() - 1, track, k);
    }
    /// Overwrites particle `to` with particle `from`.
    void move_within(std::size_t from, std::size_t to) {
        motion[to] = motion[from];
        attributes.copy_within(from, to);
        track.copy_within(from, to);
    }
    /// Removes those that have ended; the others keep their order. Returns how many it removed. O(particles).
    std::size_t remove_absent() {
        std::size_t size_now = 0;
        for (std::size_t k = 0; k < size(); ++k) {
            if (is_absent(attributes[k])) continue;
            if (size_now != k) move_within(k, size_now);
            ++size_now;
        }
        const std::size_t num_absent = size() - size_now;
        resize(size_now);
        return num_absent;
    }
    /// Prefetches a particle that is about to be moved.
    void prefetch(std::size_t k) const {
        ricochet::prefetch(&motion[k]);
        track.prefetch(k);
    }
};

}  // namespace ricochet
