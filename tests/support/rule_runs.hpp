// SPDX-License-Identifier: BSD-3-Clause
//
// Systems with rules on their way through the reference's steps.
#pragma once

#include <cstdint>

#include "tests/support/reference.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {

/// The next step, whose number is `step`.
inline StepResult run_step(System& system, std::uint64_t step = 0, std::uint64_t contact_cap = 1000) {
    const World world = world_of(system);
    return reference_step_by_lists(system.box, system.particles, rules_of(system),
                                   {.dt = system.dt,
                                    .step = step,
                                    .contact_cap = contact_cap,
                                    .bodies = world.bodies,
                                    .gravity = world.gravity,
                                    .walls = world.walls,
                                    .whole = system.dt});
}

/// Takes the steps of the system until the contact cap or nearest images that are not unique end them. Calls
/// look(particles before, contacts, particles after) after each. `drive`: at the start of each, so before looks.
template <class Look>
void follow(System system, Look&& look, const Drive& drive = ballistic()) {
    for (std::uint64_t step = 0; step < static_cast<std::uint64_t>(system.num_steps); ++step) {
        drive(system.particles, static_cast<int>(step));
        const Particles before = system.particles;
        const StepResult result = run_step(system, step);
        if (result.exhausted || result.is_too_long) return;
        look(before, result.contacts, system.particles);
    }
}

}  // namespace ricochet::test
