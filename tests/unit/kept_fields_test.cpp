// SPDX-License-Identifier: BSD-3-Clause
//
// Fields that are kept have the bits of fields that are found, and are found anew when and only when they must be.
#include "gravity/kept_fields.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "model/reorder.hpp"
#include "parallel/serial_exchange.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/gravity_systems.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

constexpr auto with = WithPotential::yes, without = WithPotential::no;
const GravitySetting by_tree{{GravityForm::inverse_square, 2, 0}, GravityMethod::tree, 0.8};

System fifty_spheres() {
    System system = empty_system("fifty", walled_box({10, 10, 10}), 0.1);
    fill_at_random(system, {{0.3, 1, 30}, {0.4, 2, 20}}, {}, system.box.size, 4);
    return system;
}

std::vector<GravityField> fresh(Exchange& exchange, const Box& box, const Particles& owned) {
    KeptFields fields(exchange, box, by_tree);
    const auto found = fields.at(owned, with);
    return {found.begin(), found.end()};
}

bool have_bits_of(std::span<const GravityField> fields, const std::vector<GravityField>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k)
        if (fields[k].acceleration != expected[k].acceleration ||
            fields[k].potential != expected[k].potential)
            return false;
    return fields.size() == expected.size();
}

struct Change {
    std::string name;
    std::function<void(Particles&)> change;
    bool is_seen = true;  ///< whether fields must be found anew
};

void reverse(Particles& particles) {
    std::vector<std::uint32_t> order;
    for (std::size_t k = particles.size(); k-- > 0;) order.push_back(static_cast<std::uint32_t>(k));
    reorder(particles, std::move(order));
}

const std::vector<Change> changes{
    {"nothing", [](Particles&) {}, false},
    {"other velocities",
     [](Particles& p) {
         p.motion[3].velocity = {1, 2, 3};
     },
     false},
    {"another order", reverse, false},
    {"another species", [](Particles& p) { p.attributes.edit(3).species = 1; }, false},
    {"another place", [](Particles& p) { p.motion[3].position.x += 1e-9; }},
    {"another mass", [](Particles& p) { p.attributes.edit(3).mass *= 1.5; }},
    {"another id", [](Particles& p) { p.motion[3].id += 1000; }},
    {"one fewer", [](Particles& p) { p.resize(p.size() - 1); }},
    {"one more",
     [](Particles& p) {
         p.push_back_another(0);
         p.motion.back().id = 777;
         p.motion.back().position = {1e-3, 1e-3, 1e-3};
     }},
    {"another order and place",
     [](Particles& p) {
         reverse(p);
         p.motion[3].position.y += 1e-9;
     }},
};

TEST(KeptFields, AreFoundAnewWhereTheyMust) {
    for (const Change& change : changes)
        for (const int num_ranks : {1, 2, 3}) {
            const System system = fifty_spheres();
            run_ranks(num_ranks, [&](Exchange& exchange) {
                Particles mine = share_of(exchange, system.particles);
                KeptFields fields(exchange, system.box, by_tree);
                fields.at(mine, with);
                if (exchange.rank() == 0) change.change(mine);  // the other ranks do not know
                const auto kept = fields.at(mine, with);
                EXPECT_EQ(fields.num_found(), change.is_seen ? 2u : 1u) << change.name << " on " << num_ranks;
                EXPECT_TRUE(have_bits_of(kept, fresh(exchange, system.box, mine))) << change.name;
            });
        }
}

/// Particles go to the next rank and back.
TEST(KeptFields, AreFoundAnewOnOtherRanks) {
    const System system = fifty_spheres();
    for (const int num_ranks : {2, 3})
        run_ranks(num_ranks, [&](Exchange& exchange) {
            KeptFields fields(exchange, system.box, by_tree);
            for (int turn = 0; turn < 3; ++turn) {
                Particles mine;
                for (std::size_t k = 0; k < system.particles.size(); ++k)
                    if ((static_cast<int>(k) + turn) % num_ranks == exchange.rank())
                        mine.append(system.particles, k);
                const auto found = fields.at(mine, with);
                EXPECT_TRUE(have_bits_of(found, fresh(exchange, system.box, mine)));
            }
            EXPECT_EQ(fields.num_found(), 3u);
        });
}

TEST(KeptFields, HavePotentialsWhereAsked) {
    const System system = fifty_spheres();
    SerialExchange alone;
    KeptFields fields(alone, system.box, by_tree);
    const auto first = fields.at(system.particles, without);
    const std::vector<GravityField> without_potential(first.begin(), first.end());
    const auto second = fields.at(system.particles, with);
    EXPECT_EQ(fields.num_found(), 2u);
    for (std::size_t k = 0; k < second.size(); ++k) {
        EXPECT_EQ(second[k].acceleration, without_potential[k].acceleration);
        EXPECT_LT(second[k].potential, 0);
    }
    fields.at(system.particles, without);
    EXPECT_EQ(fields.num_found(), 2u);
}

TEST(KeptFields, SumForces) {
    const System system = fifty_spheres();
    SerialExchange alone;
    KeptFields fields(alone, system.box, {{}, GravityMethod::direct, 0.8});
    fields.at(system.particles, without);
    EXPECT_GT(fields.forces().gross, 1);
    EXPECT_LT(norm(fields.forces().net), 1e-13 * fields.forces().gross);
    EXPECT_EQ(fields.counts().num_targets, 50u);
}

TEST(KeptFields, AreForgottenAfterAFailure) {
    System system = fifty_spheres();
    SerialExchange alone;
    KeptFields fields(alone, system.box, by_tree);
    fields.at(system.particles, without);
    Particles together = system.particles;
    together.motion[7].position = together.motion[5].position;
    for (int k = 0; k < 2; ++k) EXPECT_THROW(fields.at(together, without), RunError);
    EXPECT_TRUE(have_bits_of(fields.at(system.particles, with), fresh(alone, system.box, system.particles)));
}

TEST(KeptFields, MayBeNone) {
    SerialExchange alone;
    KeptFields fields(alone, walled_box({2, 2, 2}), by_tree);
    EXPECT_TRUE(fields.at({}, with).empty());
}

}  // namespace
}  // namespace ricochet::test
