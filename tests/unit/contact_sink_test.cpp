// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/engine/contact_sink.hpp"

#include <gtest/gtest.h>

#include <array>

namespace ricochet {
namespace {

Contact contact(double time, SpeciesIndex high) {
    Contact c;
    c.key.time = time;
    c.species_high = high;
    return c;
}

/// It keeps what is added until then.
TEST(ContactList, ForgetsAStepThatIsGivenUp) {
    ContactList list;
    list.add_records(std::array{contact(1, 0), contact(2, 0)});
    list.add_records(std::array{contact(3, 0)});
    ASSERT_EQ(list.contacts().size(), 3u);
    EXPECT_EQ(list.contacts()[2].key.time, 3);
    list.take_back();
    EXPECT_TRUE(list.contacts().empty());
    list.add_records(std::array{contact(4, 0)});
    ASSERT_EQ(list.contacts().size(), 1u);
    EXPECT_EQ(list.contacts()[0].key.time, 4);
}

/// Pairs and walls.
TEST(ContactCounter, CountsAStepThatStands) {
    const ContactBrief pair{.impulse = 1, .distance = 1};
    const ContactBrief wall{.impulse = 1, .distance = 1, .species_high = wall_species, .body = 3};
    ContactCounter counter;
    counter.add_briefs(std::array{pair, wall});
    counter.take_back();
    counter.add_briefs(std::array{pair, wall, pair});
    counter.add_briefs(std::array{pair});
    EXPECT_EQ(counter.num_pairs(), 3);
    EXPECT_EQ(counter.num_with_walls(), 1);
}

}  // namespace
}  // namespace ricochet
