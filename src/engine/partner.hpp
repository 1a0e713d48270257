// SPDX-License-Identifier: BSD-3-Clause
//
// The partner of a particle in a predicted contact: a particle, an obstacle, or one that only a neighbour knows.
//
// Layout: 32 bits. Codes below most_local_particles are slots, so one comparison singles out particles. Then
// come obstacles, by their places in the search. The last code stands for a remote event.
#pragma once

#include <cstdint>

#include "ricochet/core/check.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/particles.hpp"
#include "search/obstacle_search.hpp"

namespace ricochet {

class Partner {
  public:
    /// The slot must be below most_local_particles.
    static constexpr Partner particle(Slot slot) {
        RICOCHET_DCHECK_LT(slot, most_local_particles);
        return Partner(slot);
    }
    /// The index must be below most_obstacles.
    static constexpr Partner obstacle(ObstacleIndex index) {
        RICOCHET_DCHECK_LT(index, most_obstacles);
        return Partner(first_obstacle + index);
    }
    static constexpr Partner of_remote_event() { return Partner(remote_event); }

    constexpr bool is_particle() const { return code_ < first_obstacle; }
    constexpr bool is_obstacle() const { return !is_particle() && !is_of_remote_event(); }
    constexpr bool is_of_remote_event() const { return code_ == remote_event; }

    /// The slot of a partner that is a particle.
    constexpr Slot slot() const {
        RICOCHET_DCHECK(is_particle());
        return code_;
    }
    /// The place of a partner that is an obstacle.
    constexpr ObstacleIndex obstacle_index() const {
        RICOCHET_DCHECK(is_obstacle());
        return code_ - first_obstacle;
    }

    friend constexpr bool operator==(Partner, Partner) = default;

  private:
    explicit constexpr Partner(std::uint32_t code) : code_(code) {}

    static constexpr std::uint32_t first_obstacle = most_local_particles;
    static constexpr std::uint32_t remote_event = 0xffffffffu;

  public:
    static constexpr ObstacleIndex most_obstacles = remote_event - first_obstacle;

  private:
    std::uint32_t code_;
};
static_assert(sizeof(Partner) == 4);

}  // namespace ricochet
