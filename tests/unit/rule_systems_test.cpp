// SPDX-License-Identifier: BSD-3-Clause
//
// What the reference promises for every system with rules: particles are what the contacts say, the absent touch
// nothing, both forms agree. And that the systems contain what they are for.
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <variant>

#include "tests/support/fuzz_case.hpp"
#include "tests/support/observe.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/rule_runs.hpp"

namespace ricochet::test {
namespace {

/// By species, and of all.
std::map<SpeciesIndex, std::int64_t> census(const Particles& particles) {
    std::map<SpeciesIndex, std::int64_t> counts;
    for (const Attributes& a : particles.attributes) ++counts[a.species];
    return counts;
}

/// Changes the counts by the particles that the contacts remove and add.
void apply(std::map<SpeciesIndex, std::int64_t>& counts, const std::vector<Contact>& contacts) {
    for (const Contact& contact : contacts) {
        --counts[contact.species_low];
        ++counts[contact.product_low];
        --counts[contact.species_high];
        ++counts[contact.product_high];
    }
    counts.erase(absent_species);
    std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
}

std::vector<System> rule_systems() {
    std::vector<System> systems = rule_degenerate_systems();
    for (std::uint64_t seed = 0; seed < 100; ++seed) systems.push_back(arbitrary_rule_system(seed));
    return systems;
}

/// No particle is created or lost, and every particle is what the contacts say.
TEST(RuleSystems, ParticlesAreWhatTheContactsSay) {
    for (const System& system : rule_systems())
        follow(system, [&](const Particles& before, const auto& contacts, const Particles& after) {
            auto counts = census(before);
            apply(counts, contacts);
            EXPECT_EQ(counts, census(after)) << system.name;
        });
}

/// After its end.
TEST(RuleSystems, NothingAbsentTouches) {
    for (const System& system : rule_systems())
        follow(system, [&](const Particles&, const std::vector<Contact>& contacts, const Particles& after) {
            std::set<ParticleId> ended;
            for (const Contact& contact : contacts) {
                EXPECT_FALSE(ended.contains(contact.key.low) || ended.contains(contact.key.high));
                if (contact.product_low == absent_species) ended.insert(contact.key.low);
                if (contact.product_high == absent_species) ended.insert(contact.key.high);
            }
            for (const Motion& motion : after.motion) EXPECT_FALSE(ended.contains(motion.id));
            for (const Attributes& a : after.attributes) EXPECT_NE(a.species, absent_species);
        });
}

/// But those that were let pass.
TEST(RuleSystems, PartnersMeetAgainOnlyAfterOthers) {
    for (const System& system : rule_systems())
        follow(system, [&](const Particles&, const std::vector<Contact>& contacts, const Particles&) {
            std::map<ParticleId, ParticleId> latest;
            for (const Contact& contact : contacts) {
                const auto [low, high] = std::pair(contact.key.low, contact.key.high);
                const bool with_wall = contact.species_high == wall_species;
                const auto of_low = latest.find(low), of_high = latest.find(high);
                const bool is_of_low = of_low != latest.end() && of_low->second == high;
                const bool is_of_high = with_wall || (of_high != latest.end() && of_high->second == low);
                EXPECT_FALSE(is_of_low && is_of_high) << system.name;
                if (contact.effect == ContactEffect::let_pass) continue;
                latest[low] = high;
                if (!with_wall) latest[high] = low;
            }
        });
}

TEST(RuleSystems, ContactsComeInTheOrderOfTheirKeys) {
    for (const System& system : rule_systems())
        follow(system, [&](const Particles&, const std::vector<Contact>& contacts, const Particles&) {
            for (std::size_t k = 1; k < contacts.size(); ++k)
                EXPECT_LT(contacts[k - 1].key, contacts[k].key) << system.name;
        });
}

// --- the systems ---------------------------------------------------------------------------------------------

/// Two forms, also of long steps' parts.
TEST(RuleSystems, HasTwoFormsThatAgreeInEveryBit) {
    for (const System& system : rule_systems()) {
        SCOPED_TRACE(system.name);
        Particles by_scan = system.particles, by_lists = system.particles;
        StepSettings settings{.dt = system.dt, .contact_cap = 300};
        for (settings.step = 0; settings.step < 2; ++settings.step) {
            const StepResult lists =
                reference_step_by_lists(system.box, by_lists, ContactRules(*system.world), settings);
            if (lists.contacts.size() * system.particles.size() > 40'000) break;  // a minute of scans
            const StepResult scan =
                reference_step(system.box, by_scan, ContactRules(*system.world), settings);
            ASSERT_EQ(first_difference(scan.contacts, lists.contacts), "");
            ASSERT_EQ(first_difference(by_scan, by_lists), "");
            ASSERT_EQ(scan.exhausted, lists.exhausted);
            ASSERT_EQ(scan.is_too_long, lists.is_too_long);
            if (lists.exhausted) break;
        }
    }
}

TEST(RuleSystems, StartWithUniqueImages) {
    for (const System& system : rule_systems()) EXPECT_NO_THROW(require_unique_images(system));
}

struct EffectCount {
    std::array<std::size_t, 5> of_effect{};
    std::array<std::size_t, 4> of_rule{};
    std::size_t num_ended = 0, num_at_walls = 0, num_two = 0, num_unlikely = 0, num_parting = 0;
    std::size_t num_caught = 0;  ///< between walls, after eight bounces at one instant

    void add(const System& system, const std::vector<Contact>& contacts) {
        const ContactRules rules = rules_of(system);
        for (const Contact& contact : contacts) {
            const bool with_wall = contact.species_high == wall_species;
            const ContactRule& rule = with_wall ? rules.at_body(contact.species_low, contact.body)
                                                : rules.pair(contact.species_low, contact.species_high);
            const auto* const reaction = std::get_if<React>(&rule);
            const bool reacts = contact.effect == ContactEffect::react;
            ++of_effect[static_cast<std::size_t>(contact.effect)];
            ++of_rule[rule.index()];
            num_ended += reacts && contact.product_low == absent_species &&
                         (with_wall || contact.product_high == absent_species);
            num_at_walls += reacts && with_wall;
            num_two += reacts && !with_wall && reaction->products[1] != absent_species;
            num_unlikely += reacts && reaction->probability < 1;
            num_parting += contact.speed < 0;
            num_caught += with_wall && contact.key.generation >= 8;
        }
    }
};

std::ostream& operator<<(std::ostream& out, const EffectCount& count) {
    const auto& [bounce, pass, react, coalesce, let_pass] = count.of_effect;
    return out << "bounce " << bounce << ", pass " << pass << ", react " << react << " (ended "
               << count.num_ended << ", two products " << count.num_two << ", p < 1 " << count.num_unlikely
               << ", at walls " << count.num_at_walls << "), coalesce " << coalesce << ", let_pass "
               << let_pass << ", parting " << count.num_parting << ", caught " << count.num_caught;
}

/// Teeth: all that rules can do happens in the systems by which engines are compared. Pairs that are let pass are rare:
/// those hard cases have them that are made for it, and systems with decays (DecayFuzz).
void expect_everything(const EffectCount& count, std::size_t few) {
    for (std::size_t effect = 0; effect < count.of_effect.size(); ++effect) {
        if (effect == static_cast<std::size_t>(ContactEffect::let_pass)) continue;
        EXPECT_GE(count.of_effect[effect], few);
    }
    EXPECT_GE(count.num_caught, few);
    for (const std::size_t number : count.of_rule) EXPECT_GE(number, 10 * few);
    EXPECT_GE(count.num_ended, 10 * few);
    EXPECT_GE(count.num_two, 10 * few);
    EXPECT_GE(count.num_unlikely, 10 * few);
    EXPECT_GE(count.num_parting, 10 * few);
}

TEST(RuleSystems, ContainEverythingThatRulesCanDo) {
    EffectCount degenerate, arbitrary;
    const auto count = [](const System& system, EffectCount& into) {
        follow(system,
               [&](const Particles&, const auto& contacts, const Particles&) { into.add(system, contacts); });
    };
    for (const System& system : rule_degenerate_systems()) count(system, degenerate);
    for (std::uint64_t seed = 0; seed < 200; ++seed) count(arbitrary_rule_system(seed), arbitrary);
    std::cout << "hard cases: " << degenerate << "\n200 arbitrary systems: " << arbitrary << "\n";
    expect_everything(degenerate, 1);
    EXPECT_GE(degenerate.of_effect[static_cast<std::size_t>(ContactEffect::let_pass)], 5u);
    expect_everything(arbitrary, 3);
    EXPECT_GE(arbitrary.num_at_walls, 30u);
}

/// By the reference, up to a step that ends with an error.
void count_contacts(const FuzzCase& fuzz, EffectCount& into) {
    Particles particles = fuzz.system.particles;
    StepSettings settings{.dt = fuzz.system.dt, .contact_cap = fuzz.settings.engine.contact_cap};
    for (int step = 0; step < fuzz.settings.num_steps; ++step) {
        settings.step = static_cast<std::uint64_t>(step);
        fuzz.settings.drive(particles, step);
        try {
            const StepResult result =
                reference_long_step(fuzz.system.box, particles, ContactRules(*fuzz.system.world), settings);
            if (result.exhausted) return;
            into.add(fuzz.system, result.contacts);
        } catch (const std::runtime_error&) {  // a product too large for the box
            return;
        }
    }
}

/// Those of the fuzzer, too, contain everything that rules can do.
TEST(RuleSystems, OfTheFuzzerContainEverything) {
    EffectCount count;
    for (std::uint64_t seed = 0; seed < 300; ++seed) count_contacts(rule_fuzz_case(seed), count);
    expect_everything(count, 3);
    EXPECT_GE(count.num_at_walls, 30u);
    std::cout << "300 fuzz cases: " << count << "\n";
}

}  // namespace
}  // namespace ricochet::test
