// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/engine_run.hpp"

#include <algorithm>
#include <optional>

#include "ricochet/core/error.hpp"

namespace ricochet::test {

namespace {

std::uint64_t suitable_windows(const StepEngine& engine, std::size_t num_particles, double dt) {
    const double expected = 2 * static_cast<double>(engine.num_predicted()) * dt / engine.predicted_time();
    return 1 + static_cast<std::uint64_t>(expected / (0.07 * static_cast<double>(num_particles) + 1));
}

void resolve_window(StepEngine& engine, bool halve) {
    engine.resolve();
    if (halve) {
        engine.halve_window();
        engine.resolve();
    }
    while (engine.is_overloaded()) {
        engine.halve_window();
        engine.resolve();
    }
}

}  // namespace

ContactRules rules_of(const Restitution& restitution, SpeciesIndex num_species) {
    ContactRules rules(num_species, restitution.common());
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        rules.set_wall(a, restitution(a, wall_species));
        for (SpeciesIndex b = a; b < num_species; ++b) rules.set_pair(a, b, restitution(a, b));
    }
    return rules;
}

std::unique_ptr<StepEngine> engine_for(const System& system, const EngineOptions& options) {
    SpeciesIndex num_species = 1;
    for (const Attributes& a : system.particles.attributes)
        num_species = std::max(num_species, a.species + 1);
    return make_step_engine(system.box, rules_of(system.restitution, num_species), options);
}

StepResult engine_step(StepEngine& engine, Particles& particles, double dt, const Windows& windows) {
    StepResult result;
    const Holders nobody;
    engine.begin_step(particles, particles.size(), nobody, {0, dt}, Coverage{});
    engine.plan_windows(windows.count > 0 ? windows.count : suitable_windows(engine, particles.size(), dt));
    for (std::uint64_t window = 1; engine.has_window(); ++window) {
        engine.begin_window();
        resolve_window(engine, windows.halve_every > 0 && window % windows.halve_every == 0 && window < 200);
        if (const std::optional<CapHit> hit = engine.cap_hit()) {
            const ParticleId other = hit->particle == hit->key.low ? hit->key.high : hit->key.low;
            result.exhausted = CapReached{hit->particle, other, hit->key.time};
            engine.abandon_step();
            result.contacts.clear();
            return result;
        }
        engine.commit_window();
        engine.contacts().for_each([&](const Contact& contact) { result.contacts.push_back(contact); });
    }
    engine.end_step();
    std::sort(result.contacts.begin(), result.contacts.end(),
              [](const Contact& a, const Contact& b) { return a.key < b.key; });
    return result;
}

EngineRun::EngineRun(System system, const EngineOptions& options)
    : system_(std::move(system)), engine_(engine_for(system_, options)) {}

CollisionSums EngineRun::run(int num_steps) {
    CollisionSums sums;
    for (int step = 0; step < num_steps; ++step) {
        const StepResult result = engine_step(*engine_, system_.particles, system_.dt);
        if (result.exhausted) throw RunError(system_.name + ": contact cap reached");
        sums.add(result.contacts);
    }
    elapsed_ = num_steps * system_.dt;
    return sums;
}

CollisionSums EngineRun::run_collisions(double per_particle) {
    const CollisionSums trial = run(20);
    const double rate = trial.collision_rate(system_.particles.size(), elapsed_);
    return run(1 + static_cast<int>(per_particle / (rate * system_.dt)));
}

}  // namespace ricochet::test
