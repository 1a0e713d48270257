// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of a run in progress. The simulation calls a Monitor; the program prints, tests and users of the
// library may do as they like.
#pragma once

#include <cstdint>
#include <string>

namespace ricochet {

/// The progress of a run, over all ranks.
struct Progress {
    std::uint64_t steps_done = 0;
    std::uint64_t first_step = 0;     ///< where this part of the run began
    std::uint64_t num_steps = 0;      ///< 0: not known in advance (equilibration)
    double seconds = 0;               ///< wall time since the first of these steps
    std::int64_t num_collisions = 0;  ///< pair contacts in these steps
    double collisions_per_particle = 0;
    bool has_collision_rate = true;  ///< that of Brownian particles would depend on the timestep
};

class Monitor {
  public:
    virtual ~Monitor() = default;
    Monitor() = default;

    /// A sentence that the user should read. Called on all ranks with the same text.
    virtual void note(const std::string& /*sentence*/) {}
    /// A sentence on the algorithm or the storage, printed with --verbose only. Called like note().
    virtual void detail(const std::string& /*sentence*/) {}
    /// A few times per second, on all ranks.
    virtual void progress(const Progress& /*progress*/) {}
    /// What begins now, of work that comes in turns; called on all ranks. `is_first`: in the first turn of each.
    virtual void turn(const std::string& /*sentence*/, double /*seconds_so_far*/, bool /*is_first*/) {}

  protected:
    Monitor(const Monitor&) = default;
    Monitor& operator=(const Monitor&) = default;
    Monitor(Monitor&&) = default;
    Monitor& operator=(Monitor&&) = default;
};

}  // namespace ricochet
