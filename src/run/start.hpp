// SPDX-License-Identifier: BSD-3-Clause
//
// From an input to the particles at time 0: placement, masses, first velocities.
//
// Maxwell velocities are freed of the drift along periodic axes and scaled to exactly kT. Both use exact
// sums, so velocities are the same on any number of ranks. Equal speeds, given velocities and those of a
// single particle are left as they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "placement/placement.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct Start {
    Particles particles;               ///< this rank's share, anywhere in the box
    std::uint64_t num_particles = 0;   ///< of all ranks
    std::vector<std::string> notes;    ///< for the user, the same on all ranks
    bool needs_equilibration = false;  ///< ballistic particles that were placed densely or have grown
    std::uint64_t num_sites = 0;       ///< of the lattice that they are on; 0 without one
};

/// The input in the box of its run.
struct SettledBox {
    Config config;
    std::optional<FoundBox> found{};       ///< the box; none: that of the input
    std::optional<Placement> placement{};  ///< of the particles that growth has left in it
};

/// Where the start grows to a pressure, lets it grow and so finds the box. Collective. Throws InputError on all ranks
/// where growth does not reach the pressure, or where the input is not possible in the box.
SettledBox settle_box(Exchange& exchange, const Config& config);

/// Places the particles, unless they are, and sets their velocities. Collective. Throws InputError on all ranks where
/// the particles cannot be placed or the file of particles is not valid.
/// Requires: the box of `config` is settled.
Start make_start(Exchange& exchange, const Config& config, std::optional<Placement> placed = {});

/// Predicts how make_start will place generated particles, for `ricochet check`. Nothing is known of
/// particles of a file. Collective. Throws InputError on all ranks where make_start will not find room.
PlacementForecast foresee_placement(Exchange& exchange, const Config& config);

}  // namespace ricochet
