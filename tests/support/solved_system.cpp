// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/solved_system.hpp"

#include "tests/support/observe.hpp"
#include "tests/support/rule_runs.hpp"

namespace ricochet::test {

SolvedSystem solve(System system, Drive drive) {
    SolvedSystem solved{system, std::move(drive), {}, {}};
    const ContactRules rules = rules_of(system);
    for (int step = 0; step < system.num_steps; ++step) {
        solved.drive(system.particles, step);
        StepResult result = run_step(system, static_cast<std::uint64_t>(step), solved_contact_cap);
        if (result.is_too_long && rules.change_matter()) break;
        solved.steps.push_back(std::move(result));
        solved.states.push_back(system.particles);
        if (solved.steps.back().exhausted) break;
    }
    return solved;
}

SolvedSystem solve_driven(const System& system) {
    return solve(system, brownian(brownian_speed(system), system.box.dimension));
}

SlabRunSettings settings_of_solved(const System& system) {
    SlabRunSettings settings;
    settings.num_steps = system.num_steps;
    settings.engine.contact_cap = solved_contact_cap;
    return settings;
}

std::unique_ptr<StepEngine> solved_engine_for(const System& system, EngineOptions options) {
    options.contact_cap = solved_contact_cap;
    return engine_for(system, options);
}

std::string first_difference(StepEngine& engine, const SolvedSystem& solved, const Windows& windows) {
    Particles particles = solved.system.particles;
    for (std::size_t step = 0; step < solved.steps.size(); ++step) {
        const StepResult& expected = solved.steps[step];
        solved.drive(particles, static_cast<int>(step));
        const StepResult actual = engine_step(engine, particles, solved.system.dt, windows, step);
        const std::string where = solved.system.name + ", " + std::to_string(windows.count) +
                                  " windows, step " + std::to_string(step) + ": ";
        if (expected.exhausted != actual.exhausted) return where + "contact cap reached differently";
        if (expected.exhausted) return "";
        std::string difference = first_difference(expected.contacts, actual.contacts);
        if (difference.empty()) difference = first_difference(solved.states[step], particles);
        if (!difference.empty()) return where + difference;
    }
    return "";
}

std::string first_difference(const SolvedSystem& solved, const EngineOptions& options,
                             const Windows& windows) {
    return first_difference(*solved_engine_for(solved.system, options), solved, windows);
}

}  // namespace ricochet::test
