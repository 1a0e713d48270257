// SPDX-License-Identifier: BSD-3-Clause
//
// Recipe: a contact rule. A rule is a value; what comes of a contact is a function of the two partners and of nothing
// else. By this one partners lose more the faster they meet, as viscoelastic grains do.
//
// In the program the struct stands in model/world.hpp, where ContactRule names it, and its functions are declared in
// contact/response.hpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "contact/encounter.hpp"

namespace {

using namespace ricochet;

struct Viscoelastic {
    double loss = 0;  ///< of restitution, per speed of approach
};

ContactOutcome outcome(const Viscoelastic& rule, const PairContact& contact) {
    const double speed = -geometry_of(contact).normal_velocity;
    return ricochet::outcome(Bounce{std::max(0.0, 1 - rule.loss * speed)}, contact);
}

/// Two spheres of masses 1 and 3 meet at time 0.5 with speed 2: they part with speed 1.
TEST(Recipe, ContactRule) {
    const Motion low{.position = {1, 1, 1}, .velocity = {2, 0.5, 0}, .id = 4};
    const Motion high{.position = {3, 1, 1}, .velocity = {0, 0.5, 0}, .id = 9};
    const Attributes light{.radius = 0.5, .mass = 1}, heavy{.radius = 0.5, .mass = 3};
    const ImageLengths images{Box{3, {20, 20, 20}}};
    const ContactOutcome slower =
        outcome(Viscoelastic{0.25}, PairContact{0.5, low, high, light, heavy, images});
    EXPECT_EQ(slower.low->velocity, (Vec3{-0.25, 0.5, 0}));
    EXPECT_EQ(slower.high->velocity, (Vec3{0.75, 0.5, 0}));
    EXPECT_EQ(slower.impact.speed, 2);
    EXPECT_EQ(slower.impact.impulse, 2.25);
}

}  // namespace
