// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/engine/step_engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <limits>

#include "engine/coverage.hpp"
#include "engine/holders.hpp"
#include "geometry/obstacle.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

StepStatistics& StepStatistics::operator+=(const StepStatistics& other) {
    using Counters = std::array<std::uint64_t, sizeof(StepStatistics) / sizeof(std::uint64_t)>;
    auto sums = std::bit_cast<Counters>(*this);
    const auto others = std::bit_cast<Counters>(other);
    const std::uint64_t largest = std::max(largest_island, other.largest_island);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += others[k];
    *this = std::bit_cast<StepStatistics>(sums);
    largest_island = largest;
    return *this;
}

double StepEngine::reach(const Particles& particles) const {
    if (!rules_.have_rates() && !rules_.have_tethers()) return beyond_walls_;
    // In each species the lightest and the largest particle have the longest reach.
    constexpr double none_yet = std::numeric_limits<double>::infinity();
    std::vector<Attributes> farthest(rules_.num_species(), {.radius = 0, .mass = none_yet});
    particles.attributes.for_each_present([&farthest](const Attributes& attributes) {
        Attributes& of = farthest[attributes.species];
        of.frozen_axes = attributes.frozen_axes;
        if (attributes.mass < of.mass) of.mass = attributes.mass;
        if (attributes.radius > of.radius) of.radius = attributes.radius;
    });
    double largest = rules_.largest_reach_of_products();
    for (SpeciesIndex k = 0; k < farthest.size(); ++k) {
        farthest[k].species = k;
        if (farthest[k].mass < none_yet) largest = std::max(largest, rules_.reach(farthest[k]));
    }
    RICOCHET_CHECK_LT(largest, none_yet);
    return largest + beyond_walls_;
}

namespace {

const char* remedies(CollapseState collapse) {
    switch (collapse) {
        case CollapseState::impossible:
            return "the system is jammed: lower the density or raise run.contact_cap";
        case CollapseState::slow:
            return "the system is jammed or has many contacts that are too slow to lose energy: lower the "
                   "density, raise scale or exponent of restitution, shorten run.timestep or raise "
                   "run.contact_cap";
        case CollapseState::possible:
            return "the system is jammed or collapsing inelastically: set contacts.collapse, lower the "
                   "density, "
                   "raise restitution or run.contact_cap";
        default:
            return "the system is jammed or has many contacts in contacts.collapse.duration: raise that, "
                   "lower the "
                   "density, raise restitution or run.contact_cap";
    }
}

}  // namespace

namespace {

std::string outgrown_message(std::uint64_t step, const CapHit& hit, const StepEngine& engine) {
    char radii[64];
    std::snprintf(radii, sizeof radii, "got %.9g, expected less than %.9g", hit.radius, hit.room);
    return "step " + std::to_string(step) + ": particle " + std::to_string(hit.particle) +
           " has outgrown the inside of " + engine.name_of_obstacle(hit.outgrown) + ": its radius: " + radii +
           "; use a wider body, smaller products or fewer steps";
}

}  // namespace

std::string cap_message(std::uint64_t step, const CapHit& hit, const StepEngine& engine) {
    if (hit.outgrown != 0) return outgrown_message(step, hit, engine);
    const ParticleId other = hit.key.partner_of(hit.particle);
    const bool is_obstacle = other >= first_obstacle_id;
    char time[32];
    std::snprintf(time, sizeof time, "%.17g", hit.key.time);
    return "step " + std::to_string(step) + ": particle " + std::to_string(hit.particle) + " reached " +
           std::to_string(hit.count) + " contacts at time " + time + " of the step (latest partner " +
           (is_obstacle ? engine.name_of_obstacle(other) : std::to_string(other)) + "); " +
           (is_obstacle ? "where a particle is caught between surfaces, or a wall presses it onto a body, it "
                          "needs more room there; otherwise "
                        : "") +
           remedies(engine.collapse());
}

std::string exhaustion_message(std::uint64_t step) {
    return "step " + std::to_string(step) +
           ": more contacts on one rank than it can number, those included that it computed again: use a "
           "smaller run.timestep or a lower run.contact_cap";
}

namespace {

/// False where a contact was lost, and the step abandoned.
bool resolve_windows(StepEngine& engine, std::uint64_t number, ContactList& contacts) {
    while (StepWindow* const window = engine.next_window()) {
        while (!window->resolve()) window->halve();
        if (window->has_lost_contact()) {
            engine.abandon_step();
            contacts.take_back();
            return false;
        }
        if (window->is_exhausted()) {
            engine.abandon_step();
            throw RunError(exhaustion_message(number));
        }
        if (const auto hit = window->cap_hit()) {
            engine.abandon_step();
            throw RunError(cap_message(number, *hit, engine));
        }
        window->commit(contacts);
    }
    return true;
}

}  // namespace

std::vector<Contact> resolve_step(StepEngine& engine, Particles& particles, double dt,
                                  std::uint64_t num_windows, std::uint64_t number) {
    ContactList contacts;
    const Holders no_holders;
    do {
        engine.begin_step(particles, particles.size(), no_holders,
                          {{0, dt}, contacts.detail(), number, engine.reach(particles)}, Coverage{});
        engine.plan_windows(num_windows);
    } while (!resolve_windows(engine, number, contacts));
    engine.end_step();
    if (engine.num_ended() > 0) particles.remove_absent();
    std::vector<Contact> in_order = contacts.contacts();
    std::sort(in_order.begin(), in_order.end(),
              [](const Contact& p, const Contact& q) { return p.key < q.key; });
    return in_order;
}

}  // namespace ricochet
