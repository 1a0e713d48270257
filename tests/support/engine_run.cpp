// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/engine_run.hpp"

#include <algorithm>
#include <optional>

#include "ricochet/core/error.hpp"
#include "ricochet/kinetic/engine_choice.hpp"

namespace ricochet::test {

namespace {

std::uint64_t suitable_windows(const ContactForecast& forecast, std::size_t num_particles, double dt) {
    const double expected = 2 * static_cast<double>(forecast.num_contacts) * dt / forecast.time;
    return 1 + static_cast<std::uint64_t>(expected / (0.07 * static_cast<double>(num_particles) + 1));
}

void resolve_window(StepWindow& window, bool halve) {
    window.resolve();
    if (halve) window.halve();
    while (!window.resolve()) window.halve();
}

}  // namespace

std::unique_ptr<StepEngine> engine_for(const System& system, const EngineOptions& options) {
    return make_step_engine(world_of(system), rules_of(system), options);
}

StepResult engine_step(StepEngine& engine, Particles& particles, double dt, const Windows& windows,
                       std::uint64_t step) {
    StepResult result;
    const Holders no_holders;
    ContactList contacts;
    const ContactForecast forecast =
        engine.begin_step(particles, particles.size(), no_holders,
                          {{0, dt}, contacts.detail(), step, engine.reach(particles)}, Coverage{});
    engine.plan_windows(windows.count > 0 ? windows.count : suitable_windows(forecast, particles.size(), dt));
    for (std::uint64_t number = 1; StepWindow* const window = engine.next_window(); ++number) {
        resolve_window(*window, windows.halve_every > 0 && number % windows.halve_every == 0 && number < 200);
        if (window->has_lost_contact()) {
            engine.abandon_step();
            return engine_step(engine, particles, dt, windows, step);
        }
        if (const std::optional<CapHit> hit = window->cap_hit()) {
            const ParticleId other = hit->key.partner_of(hit->particle);
            result.exhausted = CapReached{hit->particle, other, hit->key.time, hit->outgrown};
            engine.abandon_step();
            return result;
        }
        window->commit(contacts);
    }
    engine.end_step();
    if (engine.changes_matter()) particles.remove_absent();
    result.contacts = contacts.contacts();
    std::sort(result.contacts.begin(), result.contacts.end(),
              [](const Contact& a, const Contact& b) { return a.key < b.key; });
    return result;
}

OpenWindow::OpenWindow(System& system, std::size_t num_owned, const Holders& holders,
                       const Coverage& coverage)
    : engine_(engine_for(system)) {
    engine_->begin_step(system.particles, num_owned, holders,
                        {{0, system.dt}, ContactDetail::records, 0, engine_->reach(system.particles)},
                        coverage);
    engine_->plan_windows(1);
    window_ = engine_->next_window();
    window_->resolve();
}

bool OpenWindow::set_remote_events(const std::vector<BoundaryEvent>& events) {
    const bool is_news = window_->set_remote_events(events);
    window_->resolve();
    return is_news;
}

std::vector<Contact> OpenWindow::commit() {
    ContactList contacts;
    window_->commit(contacts);
    return contacts.contacts();
}

EngineRun::EngineRun(System system, const EngineOptions& options)
    : system_(std::move(system)), engine_(engine_for(system_, options)) {}

CollisionSums EngineRun::run(int num_steps) {
    CollisionSums sums;
    for (int step = 0; step < num_steps; ++step) {
        const StepResult result = engine_step(*engine_, system_.particles, system_.dt, {}, num_steps_done_++);
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
