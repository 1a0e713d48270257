// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/engine/step_engine.hpp"

#include <algorithm>
#include <cstdio>

#include "ricochet/core/error.hpp"
#include "ricochet/engine/window_resolver.hpp"
#include "ricochet/search/all_pairs.hpp"
#include "ricochet/search/cells.hpp"
#include "ricochet/search/slices.hpp"

namespace ricochet {

std::string_view to_string(SearchMethod method) {
    switch (method) {
        case SearchMethod::automatic:
            return "auto";
        case SearchMethod::cells:
            return "cells";
        case SearchMethod::slices:
            return "slices";
        case SearchMethod::all_pairs:
            return "all_pairs";
    }
    return "unknown";
}

StepStatistics& StepStatistics::operator+=(const StepStatistics& other) {
    num_predicted += other.num_predicted;
    num_legs += other.num_legs;
    num_pairs += other.num_pairs;
    num_islands += other.num_islands;
    num_island_runs += other.num_island_runs;
    num_merges += other.num_merges;
    num_repairs += other.num_repairs;
    num_searches += other.num_searches;
    num_candidates += other.num_candidates;
    num_enlarged += other.num_enlarged;
    largest_island = std::max(largest_island, other.largest_island);
    seconds_cells += other.seconds_cells;
    seconds_later_legs += other.seconds_later_legs;
    return *this;
}

std::unique_ptr<StepEngine> make_step_engine(const Box& box, const ContactRules& rules,
                                             const EngineOptions& options) {
    switch (options.search) {
        case SearchMethod::all_pairs:
            return std::make_unique<WindowResolver<AllPairs>>(box, rules, options);
        case SearchMethod::slices:
            return std::make_unique<WindowResolver<Slices>>(box, rules, options);
        case SearchMethod::cells:
        case SearchMethod::automatic:
            break;
    }
    return std::make_unique<WindowResolver<Cells>>(box, rules, options);
}

std::string cap_message(std::uint64_t step, const CapHit& hit) {
    const ParticleId other = hit.particle == hit.key.low ? hit.key.high : hit.key.low;
    char time[32];
    std::snprintf(time, sizeof time, "%.17g", hit.key.time);
    return "step " + std::to_string(step) + ": particle " + std::to_string(hit.particle) + " reached " +
           std::to_string(hit.count) + " contacts at time " + time + " of the step (latest partner " +
           (other >= first_wall_id ? "wall face " + std::to_string(other - first_wall_id)
                                   : std::to_string(other)) +
           "); the system is jammed or collapsing inelastically: lower the density, raise restitution or "
           "run.contact_cap";
}

std::vector<Contact> resolve_step(StepEngine& engine, Particles& particles, double dt,
                                  std::uint64_t num_windows) {
    std::vector<Contact> contacts;
    const Holders nobody;
    engine.begin_step(particles, particles.size(), nobody, {0, dt}, Coverage{});
    engine.plan_windows(num_windows);
    while (engine.has_window()) {
        engine.begin_window();
        engine.resolve();
        while (engine.is_overloaded()) {
            engine.halve_window();
            engine.resolve();
        }
        if (const auto hit = engine.cap_hit()) {
            engine.abandon_step();
            throw RunError(cap_message(0, *hit));
        }
        engine.commit_window();
        engine.contacts().for_each([&](const Contact& contact) { contacts.push_back(contact); });
    }
    engine.end_step();
    std::sort(contacts.begin(), contacts.end(),
              [](const Contact& p, const Contact& q) { return p.key < q.key; });
    return contacts;
}

}  // namespace ricochet
