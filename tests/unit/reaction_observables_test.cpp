// SPDX-License-Identifier: BSD-3-Clause
//
// How often rules have acted: which columns there are, and what is in them.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "observe/observers.hpp"

namespace ricochet {
namespace {

/// Two rules: the first reacts or bounces, the second only bounces.
World world_of_two_rules() {
    World world{.box = {}, .species = std::vector<Species>(3)};
    for (std::size_t s = 0; s < 3; ++s) world.species[s].name = "ABC"[s];
    world.rules = {{0, 1, React{.first = 0, .products = {2, absent_species}}, 0}, {1, 1, Bounce{}, 1}};
    world.decays = {{2, {0, absent_species}, 1}};
    return world;
}

ContactBrief brief(RuleNumber rule, ContactEffect effect) {
    ContactBrief contact{};
    contact.rule = rule;
    contact.effect = effect;
    return contact;
}

/// A rule that only bounces has no column of contacts that do more.
TEST(ReactionObservables, LeaveOutWhatCannotBe) {
    const auto observer = make_reaction_observables(world_of_two_rules());
    for (const ObservableInfo& column : observer->columns()) {
        if (column.name != "outcomes") continue;
        EXPECT_EQ(column.num_values(), 3u);
        EXPECT_EQ(column.labels,
                  (std::vector<std::string>{"A + B -> C", "A + B -> C: bounced", "B + B: bounced"}));
    }
    const std::array contacts{brief(0, ContactEffect::react),  brief(0, ContactEffect::bounce),
                              brief(0, ContactEffect::bounce), brief(1, ContactEffect::bounce),
                              brief(1, ContactEffect::bounce), brief(1, ContactEffect::bounce),
                              brief(0, ContactEffect::decay)};
    observer->add_briefs(contacts);
    std::vector<double> values;
    observer->take_sample({}, values);
    // Particles, contacts by outcome, those let pass, decays.
    EXPECT_EQ(values, (std::vector<double>{0, 0, 0, 1, 2, 3, 0, 1}));
}

}  // namespace
}  // namespace ricochet
