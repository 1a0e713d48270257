// SPDX-License-Identifier: BSD-3-Clause
//
// Systems with what the reference makes of their steps, for comparison with the engine on one slab.
//
// Where contacts change particles, comparison ends where the reference says that nearest images are not unique:
// searches may stop at half the box.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/engine_run.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {

/// The contact cap of systems that are solved.
inline constexpr std::uint64_t solved_contact_cap = 300;

struct SolvedSystem {
    System system;
    Drive drive;  ///< at the start of every step
    std::vector<StepResult> steps;
    std::vector<Particles> states;  ///< after each step
};

SolvedSystem solve(System system, Drive drive = ballistic());
/// At the speed of its Brownian particles.
SolvedSystem solve_driven(const System& system);

/// For as many steps as the system has, with the contact cap of the solutions.
SlabRunSettings settings_of_solved(const System& system);
/// With that cap.
std::unique_ptr<StepEngine> solved_engine_for(const System& system, EngineOptions options);

/// "" if the engine reproduces every step of the solution, otherwise the first difference.
std::string first_difference(StepEngine& engine, const SolvedSystem& solved, const Windows& windows);
/// Of a new engine.
std::string first_difference(const SolvedSystem& solved, const EngineOptions& options,
                             const Windows& windows);

}  // namespace ricochet::test
