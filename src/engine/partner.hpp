// SPDX-License-Identifier: BSD-3-Clause
//
// The partner of a particle in a predicted contact: a particle, a wall, or one that only a neighbour knows.
//
// Layout: 32 bits. Codes below most_local_particles are slots, so one comparison singles out particles. Then
// come bodies that are no particles: the six faces of the box so far. The last code stands for a remote
// event.
//
// Not done: obstacles. Their codes go behind the walls. More than 57 need a lower limit of local particles.
#pragma once

#include <cstdint>

#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

class Partner {
  public:
    /// The slot must be below most_local_particles.
    static constexpr Partner particle(Slot slot) { return Partner(slot); }
    /// face = 2 axis + (0 low, 1 high).
    static constexpr Partner wall(int face) { return Partner(first_wall + static_cast<std::uint32_t>(face)); }
    static constexpr Partner of_remote_event() { return Partner(remote_event); }

    constexpr bool is_particle() const { return code_ < first_wall; }
    constexpr bool is_wall() const { return !is_particle() && !is_of_remote_event(); }
    constexpr bool is_of_remote_event() const { return code_ == remote_event; }

    /// Of a particle only.
    constexpr Slot slot() const { return code_; }
    /// Of a wall only.
    constexpr int face() const { return static_cast<int>(code_ - first_wall); }
    /// Of a wall only: its name in keys.
    constexpr ParticleId wall_id() const { return first_wall_id + (code_ - first_wall); }

    friend constexpr bool operator==(Partner, Partner) = default;

  private:
    explicit constexpr Partner(std::uint32_t code) : code_(code) {}

    static constexpr std::uint32_t first_wall = most_local_particles;
    static constexpr std::uint32_t remote_event = 0xffffffffu;

    std::uint32_t code_;
};
static_assert(sizeof(Partner) == 4);

}  // namespace ricochet
