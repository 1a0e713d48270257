// SPDX-License-Identifier: BSD-3-Clause
//
// One contact that changes its partners, by itself: what is conserved, which partner continues, how often chance
// decides. Whole steps with such contacts are compared with the reference (rules_differential_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/rated_reaction.hpp"
#include "contact/response.hpp"
#include "tests/support/systems.hpp"

namespace ricochet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Species species(double radius, double mass, double diffusion) {
    Species of;
    of.radius = radius;
    of.mass = mass;
    of.diffusion = diffusion;
    return of;
}

/// Two particles that touch along x at time 0 and approach each other.
class Touching {
  public:
    Touching(const Attributes& low, const Attributes& high) : low_(low), high_(high) {
        motion_low_ = {.position = {4, 5, 5}, .velocity = {1, 0.5, 0}, .id = 7};
        motion_high_ = {.position = {4 + low.radius + high.radius, 5, 5}, .velocity = {-2, 0, 0.25}, .id = 9};
    }

    template <class Change>
    void change_world(Change&& change) {
        change(world_);
        rules_ = ContactRules(world_);
    }
    Motion& high() { return motion_high_; }
    PairContact contact(std::uint64_t step = 0) const {
        return {0, motion_low_, motion_high_, low_, high_, images_, {&rules_, step, 0, 1}};
    }
    Vec3 momentum() const { return low_.mass * motion_low_.velocity + high_.mass * motion_high_.velocity; }
    Vec3 centre_of_mass() const {
        return (1 / (low_.mass + high_.mass)) *
               (low_.mass * motion_low_.position + high_.mass * motion_high_.position);
    }

  private:
    World world_{.species = {species(0.5, 1, 2), species(0.25, 3, 1), species(0.75, 4, 0.5)}};
    ContactRules rules_{world_};
    ImageLengths images_{test::periodic_box({20, 20, 20})};
    Attributes low_, high_;
    Motion motion_low_, motion_high_;
};

const Attributes a{.radius = 0.5, .mass = 1, .diffusion = 2, .species = 0};
const Attributes b{.radius = 0.25, .mass = 3, .diffusion = 1, .species = 1};

void expect_near(Vec3 x, Vec3 y) { EXPECT_LT(norm(x - y), 1e-14 * (norm(x) + norm(y) + 1)); }

/// The first product continues the first-named partner, wherever its id is.
TEST(Reaction, OneProductHasMomentumAndPlaceOfBoth) {
    for (const SpeciesIndex first : {0u, 1u}) {
        const Touching pair(a, b);
        const ContactOutcome after =
            outcome(React{.first = first, .products = {2, absent_species}}, pair.contact());
        ASSERT_TRUE(after.matter && after.low && after.high);
        EXPECT_EQ(after.effect, ContactEffect::react);
        const Attributes& product = first == 0 ? after.matter->low : after.matter->high;
        const Attributes& ended = first == 0 ? after.matter->high : after.matter->low;
        EXPECT_EQ(product, (Attributes{.radius = 0.75, .mass = 4, .diffusion = 0.5, .species = 2}));
        EXPECT_TRUE(is_absent(ended));
        const NewMotion& motion = first == 0 ? *after.low : *after.high;
        expect_near(motion.position, pair.centre_of_mass());
        expect_near(product.mass * motion.velocity, pair.momentum());
    }
}

TEST(Reaction, TwoProductsPartAsFromABounce) {
    const Touching pair(a, b);
    const ContactOutcome bounced = outcome(Bounce{}, pair.contact());
    const ContactOutcome after = outcome(React{.first = 1, .products = {2, 0}}, pair.contact());
    EXPECT_EQ(after.low->velocity, bounced.low->velocity);
    EXPECT_EQ(after.high->velocity, bounced.high->velocity);
    EXPECT_EQ(after.matter->high.species, 2u);
    EXPECT_EQ(after.matter->low, a);  // of the product's species already
}

/// As products may that overlap a partner.
TEST(Reaction, TwoProductsGoOnWhereTheyPart) {
    Touching pair(a, b);
    pair.high().velocity = {3, 0, 0};
    const ContactOutcome after = outcome(React{.first = 0, .products = {2, 1}}, pair.contact());
    EXPECT_EQ(after.high->velocity, (Vec3{3, 0, 0}));
    EXPECT_EQ(after.impact.impulse, 0);
    EXPECT_LT(after.impact.speed, 0);
}

TEST(Reaction, WithoutProductsBothEnd) {
    const Touching pair(a, b);
    const ContactOutcome after = outcome(React{.first = 0}, pair.contact());
    EXPECT_TRUE(is_absent(after.matter->low) && is_absent(after.matter->high));
    EXPECT_EQ(after.impact.impulse, 0);
}

TEST(Reaction, CoalescenceConservesAll) {
    for (const int dimension : {2, 3}) {
        Touching pair(a, b);
        pair.change_world([&](World& world) { world.box.dimension = dimension; });
        const ContactOutcome after = outcome(Coalesce{}, pair.contact());
        EXPECT_EQ(after.effect, ContactEffect::coalesce);
        EXPECT_TRUE(is_absent(after.matter->low));  // the heavier continues
        const Attributes& drop = after.matter->high;
        EXPECT_EQ(drop.species, 1u);
        EXPECT_EQ(drop.mass, 4);
        EXPECT_NEAR(std::pow(drop.radius, dimension), std::pow(0.5, dimension) + std::pow(0.25, dimension),
                    1e-15);
        expect_near(drop.mass * after.high->velocity, pair.momentum());
        expect_near(after.high->position, pair.centre_of_mass());
    }
}

/// At equal mass.
TEST(Reaction, CoalescenceKeepsTheLowerId) {
    const ContactOutcome after = outcome(Coalesce{}, Touching(a, a).contact());
    EXPECT_FALSE(is_absent(after.matter->low));
    EXPECT_TRUE(is_absent(after.matter->high));
}

/// D by the new radius, and the effective mass by D.
TEST(Reaction, BrownianDropFollowsStokesEinstein) {
    Touching pair(a, a);
    Species drops = species(0.5, 1, 0);
    drops.stokes_einstein = StokesEinstein{0.1, 2};
    pair.change_world([&](World& world) {
        world.species = {drops};
        test::make_brownian(world, 0.3, 1);
    });
    const Attributes drop = outcome(Coalesce{}, pair.contact()).matter->low;
    EXPECT_NEAR(drop.diffusion, 2 / (6 * 3.14159265358979 * 0.1 * drop.radius), 1e-13);
    EXPECT_EQ(drop.mass, 0.3 / (2 * drop.diffusion));
}

TEST(Reaction, PassChangesNothing) {
    const Touching pair(a, b);
    const ContactOutcome after = outcome(Pass{}, pair.contact());
    EXPECT_FALSE(after.low);
    EXPECT_FALSE(after.high);
    EXPECT_EQ(after.effect, ContactEffect::pass);
    EXPECT_EQ(after.impact.impulse, 0);
    EXPECT_FALSE(after.matter);
}

/// Within four standard errors, and another in each step.
TEST(Reaction, ChanceIsTheProbability) {
    const Touching pair(a, b);
    for (const double probability : {0.01, 0.3, 0.9}) {
        constexpr int count = 20000;
        int num_reacted = 0;
        for (int step = 0; step < count; ++step) {
            const React rule{.first = 0, .products = {2, absent_species}, .probability = probability};
            const ContactOutcome after = outcome(rule, pair.contact(static_cast<std::uint64_t>(step)));
            if (after.effect == ContactEffect::react) ++num_reacted;
        }
        EXPECT_NEAR(num_reacted, count * probability, 4 * std::sqrt(count * probability * (1 - probability)));
    }
}

// --- rates ---------------------------------------------------------------------------------------------------

/// Brownian partners with masses by D = 2 and 1, in a step of length 1.
class Rated {
  public:
    explicit Rated(double gap) : pair_(with_mass(a), with_mass(b)) {
        pair_.change_world([](World& world) { test::make_brownian(world, 0.02, 1); });
        pair_.high().position.x += gap;
        pair_.high().velocity = {1, 0.5, 0};  // as that of the other: they keep their gap
    }
    RatedEvent event(double rate, double chord_time, std::uint64_t step = 0) const {
        return rated_event(rate, pair_.contact(step), chord_time);
    }

  private:
    static Attributes with_mass(Attributes of) {
        of.mass = 0.02 / (2 * of.diffusion);
        return of;
    }
    Touching pair_;
};

TEST(RatedReaction, IsCertainAtInfiniteRate) {
    for (std::uint64_t step = 0; step < 100; ++step) {
        const RatedEvent event = Rated(0).event(infinity, 0.25, step);
        EXPECT_TRUE(event.reacts);
        EXPECT_EQ(event.time, 0.25);
        EXPECT_FALSE(Rated(0).event(0, 0.25, step).reacts);
    }
}

/// exp(-2 a b / s^2) for a plane; s^2 = 2 D tau = 6, and a = b.
TEST(RatedReaction, BetweenChordsFollowsTheBridge) {
    for (const double gap : {0.5, 1.0, 2.0}) {
        constexpr int count = 20000;
        int num_reacted = 0;
        for (std::uint64_t step = 0; step < count; ++step) {
            const RatedEvent event = Rated(gap).event(infinity, infinity, step);
            if (!event.reacts) continue;
            ++num_reacted;
            EXPECT_NEAR(event.time, gap / (2 * gap + std::sqrt(6)), 1e-14);
        }
        const double expected = std::exp(-2 * gap * gap / 6);
        EXPECT_NEAR(num_reacted, count * expected, 4 * std::sqrt(count * expected * (1 - expected)));
    }
}

/// The cut of the rule: 2 a b = 20 s^2.
TEST(RatedReaction, EndsAtTheCut) {
    const double cut = std::sqrt(60);
    for (std::uint64_t step = 0; step < 1000; ++step)
        EXPECT_EQ(Rated(1.001 * cut).event(infinity, infinity, step).time, infinity);
}

TEST(RatedReaction, GrowsWithTheRate) {
    double before = 0;
    for (const double rate : {0.1, 1.0, 10.0, 100.0, 1e4}) {
        int num_reacted = 0;
        for (std::uint64_t step = 0; step < 4000; ++step)
            if (Rated(0).event(rate, 0, step).reacts) ++num_reacted;
        EXPECT_GT(num_reacted, before);
        before = num_reacted;
    }
    EXPECT_GT(before, 3900);
}

/// Cuts at every distance that the reach allows are within the reach.
TEST(RatedReaction, ReachHoldsTheCut) {
    World world = test::plain_world(2);
    test::set_pair(world, 0, 1, React{.first = 0, .products = {1, absent_species}, .rate = 3});
    EXPECT_EQ(ContactRules(world).reach({.mass = 1, .species = 0}), 0);
    test::make_brownian(world, 0.02, 0.1);
    const ContactRules rules(world);
    const double diffusion = 0.7, mass = 0.02 / (2 * diffusion), spread = std::sqrt(2 * 2 * diffusion * 0.1);
    EXPECT_GT(2 * rules.reach({.mass = mass, .species = 0}), std::sqrt(10) * spread);
    EXPECT_LT(2 * rules.reach({.mass = mass, .species = 0}), 1.02 * std::sqrt(10) * spread);
}

/// Where a tether forms between chords, it holds.
TEST(RatedReaction, ReachHoldsNewTethers) {
    World world = test::plain_world();
    world.pair_rule = Stick{.length = 1.1, .rate = 3};
    test::make_brownian(world, 0.02, 0.1);
    const ContactRules rules(world);
    const double mass = 0.02 / (2 * 0.7), spread = std::sqrt(2 * 2 * 0.7 * 0.1);
    double largest_gap = 0;
    for (double gap = 0.1; gap < 100; gap *= 1.001) {
        const double gap_at_end = 10 / gap;  // at the cut
        largest_gap = std::max(largest_gap, gap + (gap_at_end - gap) * (gap / (gap + gap_at_end + 1)));
    }
    EXPECT_GT(largest_gap, std::sqrt(10.0));
    EXPECT_GT(2 * rules.reach({.radius = 0.01, .mass = mass, .species = 0}), largest_gap * spread);
    EXPECT_LT(2 * rules.reach({.radius = 0.01, .mass = mass, .species = 0}), 1.01 * largest_gap * spread);
}

}  // namespace
}  // namespace ricochet
