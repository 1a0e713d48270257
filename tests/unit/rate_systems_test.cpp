// SPDX-License-Identifier: BSD-3-Clause
//
// The reference's reactions at rates: their chances in single cases, and that both of its forms agree. And that the
// systems by which engines are compared contain what they are for.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>

#include "tests/support/fuzz_case.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/rule_runs.hpp"
#include "tests/support/scenario.hpp"

namespace ricochet::test {
namespace {

Drive drive_of(const System& system) { return brownian(brownian_speed(system), system.box.dimension); }

// --- single cases --------------------------------------------------------------------------------------------

/// Two spheres with D = 1/2 each, R = 1, for a step of length 1/2: s = 1. From a gap of 1/4 on they are closed to
/// `end_gap`; a gap below 0 makes the chord touch.
System pair_with_rate(double rate, double end_gap) {
    System system = Scenario("pair")
                        .periodic({32, 32, 32})
                        .timestep(0.5)
                        .sphere({14, 16, 16}, {}, 0.5, 0.5)
                        .sphere({15.25, 16, 16}, {(end_gap - 0.25) / 0.5, 0, 0}, 0.5, 0.5)
                        .system();
    system.world = world_with({{0.5, 0.5, 0.5}}, 3, Bounce{});
    make_brownian(*system.world, 0.5, 0.5);
    React end{0, nothing};
    end.rate = rate;
    set_pair(*system.world, 0, 0, end, 0);
    return system;
}

/// Written with std::erfc.
double chance_at_contact(double h, double a, double b) {
    const auto c = [&](double x) {
        const double z = (a + b + x) / std::numbers::sqrt2;
        return x * std::sqrt(2 * std::numbers::pi) * std::exp(z * z) * std::erfc(z);
    };
    return (c(h + 1) - c(1)) / (2 - c(1));
}

/// Expects the reactions of many steps, each with another number.
void expect_reactions(const System& system, double chance, double time, ContactEffect otherwise) {
    constexpr double num_steps = 20'000;
    double num_reactions = 0;
    for (std::uint64_t step = 0; step < static_cast<std::uint64_t>(num_steps); ++step) {
        System run = system;
        const StepResult result = run_step(run, step);
        if (result.contacts.empty()) continue;
        ASSERT_EQ(result.contacts.size(), 1u);
        const Contact& contact = result.contacts[0];
        EXPECT_NEAR(contact.key.time, time, 1e-15);
        if (contact.effect == ContactEffect::react)
            ++num_reactions;
        else
            ASSERT_EQ(contact.effect, otherwise);
    }
    EXPECT_NEAR(num_reactions / num_steps, chance, 4 * std::sqrt(chance * (1 - chance) / num_steps));
}

/// Reactions between chords: as often as the bridge says, at the time of the rule.
TEST(ReferenceRates, MissesReactAsOftenAsTheyShould) {
    constexpr double a = 0.25, b = 0.5, s = 1;
    const double time = 0.5 * (a / (a + b + s));
    const double bridge = std::exp(-2 * a * b);
    expect_reactions(pair_with_rate(std::numeric_limits<double>::infinity(), b), bridge, time,
                     ContactEffect::react);
    for (const double h : {0.5, 5.0})
        expect_reactions(pair_with_rate(4 * std::numbers::pi * h, b), chance_at_contact(h, a, b) * bridge,
                         time, ContactEffect::react);
}

/// Those that do not react bounce. After the reflection they are as far apart as they would overlap.
TEST(ReferenceRates, ChordsReactAsOftenAsTheyShould) {
    for (const double h : {0.5, 5.0})
        expect_reactions(pair_with_rate(4 * std::numbers::pi * h, -0.25), chance_at_contact(h, 0.25, 0.25),
                         0.25, ContactEffect::bounce);
}

TEST(ReferenceRates, NothingHappensBeyondTheCut) {
    const double far = 40.1;  // 2 a b > 20 s^2
    System system = pair_with_rate(std::numeric_limits<double>::infinity(), far);
    system.box = periodic_box({256, 256, 256});
    expect_reactions(system, 0, 0, ContactEffect::react);
}

// --- random systems ------------------------------------------------------------------------------------------

TEST(RateSystems, HaveTwoFormsThatAgree) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const System system = arbitrary_rate_system(seed);
        SCOPED_TRACE(system.name);
        Particles by_scan = system.particles, by_lists = system.particles;
        StepSettings settings{.dt = system.dt, .contact_cap = 300};
        for (settings.step = 0; settings.step < 2; ++settings.step) {
            for (Particles* const particles : {&by_scan, &by_lists})
                drive_of(system)(*particles, static_cast<int>(settings.step));
            const StepResult lists =
                reference_step_by_lists(system.box, by_lists, ContactRules(*system.world), settings);
            if (lists.contacts.size() * system.particles.size() > 40'000) break;
            const StepResult scan =
                reference_step(system.box, by_scan, ContactRules(*system.world), settings);
            ASSERT_EQ(first_difference(scan.contacts, lists.contacts), "");
            ASSERT_EQ(first_difference(by_scan, by_lists), "");
            ASSERT_EQ(scan.is_too_long, lists.is_too_long);
            if (lists.exhausted) break;
        }
    }
}

/// Contacts at rates. Misses are counted of partners that have not had a contact in their step: their radii and paths
/// are known.
struct RateCount {
    std::size_t chord_reactions = 0, declined = 0, misses = 0, coalescing_misses = 0, two_products = 0,
                at_walls = 0, wall_misses = 0, across_faces = 0, overlapping = 0, finite_misses = 0;

    void add(const System& system, const Particles& before, const std::vector<Contact>& contacts);

  private:
    void add_pair(const System& system, const Contact& contact, bool reacts, double gap);
};

std::ostream& operator<<(std::ostream& out, const RateCount& count) {
    return out << "chord reactions " << count.chord_reactions << ", declined " << count.declined
               << ", misses " << count.misses << " (coalesce " << count.coalescing_misses << ", two products "
               << count.two_products << ", finite rate " << count.finite_misses << ", across slab faces "
               << count.across_faces << "), overlapping " << count.overlapping << "; at walls "
               << count.at_walls << ", of them misses " << count.wall_misses;
}

void RateCount::add_pair(const System& system, const Contact& contact, bool reacts, double gap) {
    if (!reacts) {
        ++declined;
        return;
    }
    const double rounding = 1e-9 * contact.distance;
    overlapping += gap < -rounding;
    chord_reactions += std::abs(gap) <= rounding;
    if (gap <= rounding) return;
    ++misses;
    coalescing_misses += contact.effect == ContactEffect::coalesce;
    two_products += contact.product_low != absent_species && contact.product_high != absent_species;
    finite_misses += std::isfinite(*rules_of(system).pair_rate(contact.species_low, contact.species_high));
}

/// Slab faces: those of three ranks, where the particles are at the start of the step.
void RateCount::add(const System& system, const Particles& before, const std::vector<Contact>& contacts) {
    const auto slabs =
        even_slabs(system, static_cast<int>(std::min<std::int64_t>(3, slice_grid_of(system).num_slices())));
    std::map<ParticleId, std::size_t> index;
    for (std::size_t k = 0; k < before.size(); ++k) index[before.motion[k].id] = k;
    std::set<ParticleId> touched;
    const ContactRules rules = rules_of(system);
    for (const Contact& contact : contacts) {
        const bool with_wall = contact.species_high == wall_species;
        const bool is_first = touched.insert(contact.key.low).second;
        if (!with_wall && !(touched.insert(contact.key.high).second && is_first)) continue;
        const bool reacts =
            contact.effect == ContactEffect::react || contact.effect == ContactEffect::coalesce;
        const std::size_t low = index.at(contact.key.low);
        const Motion& motion = before.motion[low];
        if (with_wall) {
            const std::size_t face = contact.key.high - first_obstacle_id;
            if (!is_first || !reacts || !rules.body_rate(contact.species_low, contact.body)) continue;
            const int axis = static_cast<int>(face) / 2;
            const double x = motion.position[axis] + contact.key.time * motion.velocity[axis];
            const double distance = face % 2 == 1 ? system.box.size[axis] - x : x;
            ++at_walls;
            wall_misses += distance > (1 + 1e-9) * before.attributes[low].radius;
        } else if (rules.pair_rate(contact.species_low, contact.species_high)) {
            const std::size_t high = index.at(contact.key.high), before_misses = misses;
            add_pair(system, contact, reacts,
                     contact.distance - before.attributes[low].radius - before.attributes[high].radius);
            const bool is_across =
                slabs.owner(motion.position.x) != slabs.owner(before.motion[high].position.x);
            across_faces += is_across ? misses - before_misses : 0;
        }
    }
}

/// Teeth: all that rates can do happens in the systems by which engines are compared.
void expect_everything(const RateCount& count) {
    EXPECT_GE(count.chord_reactions, 200u);
    EXPECT_GE(count.declined, 100u);
    EXPECT_GE(count.misses, 200u);
    EXPECT_GE(count.finite_misses, 50u);
    EXPECT_GE(count.coalescing_misses, 20u);
    EXPECT_GE(count.two_products, 20u);
    EXPECT_GE(count.across_faces, 30u);
    EXPECT_GE(count.overlapping, 10u);
    EXPECT_GE(count.at_walls, 50u);
    EXPECT_GE(count.wall_misses, 20u);
}

TEST(RateSystems, ContainEverythingThatRatesDo) {
    RateCount count;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const System system = arbitrary_rate_system(seed);
        follow(
            system,
            [&](const Particles& before, const auto& contacts, const Particles&) {
                count.add(system, before, contacts);
            },
            drive_of(system));
    }
    std::cout << "300 arbitrary systems: " << count << "\n";
    expect_everything(count);
}

/// By the reference, up to a step that ends with an error.
void count_contacts(const FuzzCase& fuzz, RateCount& into) {
    Particles particles = fuzz.system.particles;
    StepSettings settings{.dt = fuzz.system.dt, .contact_cap = fuzz.settings.engine.contact_cap};
    for (int step = 0; step < fuzz.settings.num_steps; ++step) {
        settings.step = static_cast<std::uint64_t>(step);
        fuzz.settings.drive(particles, step);
        const Particles before = particles;
        try {
            const StepResult result =
                reference_long_step(fuzz.system.box, particles, ContactRules(*fuzz.system.world), settings);
            if (result.exhausted) return;
            into.add(fuzz.system, before, result.contacts);
        } catch (const std::runtime_error&) {  // too large for the box
            return;
        }
    }
}

TEST(RateSystems, OfTheFuzzerContainEverything) {
    RateCount count;
    for (std::uint64_t seed = 0; seed < 300; ++seed) count_contacts(rate_fuzz_case(seed), count);
    std::cout << "300 fuzz cases: " << count << "\n";
    expect_everything(count);
}

}  // namespace
}  // namespace ricochet::test
