// SPDX-License-Identifier: BSD-3-Clause
//
// Particles that flow together on 1 to 4 ranks: masses and elementary parts are exact in every step, also where they
// merge across faces of slabs and of the box. And chains of 1,000 reactions at one instant, against what their
// definition says.
//
// Masses are whole numbers, whose sums are exact in any order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/support/rule_systems.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/slab_run.hpp"

namespace ricochet::test {
namespace {

// --- mass and parts ------------------------------------------------------------------------------------------

/// A particle that is present at the start of a step.
struct Present {
    Motion motion;
    Attributes attributes;
    std::thread::id rank;  ///< ranks are threads
};
using Census = std::map<ParticleId, Present>;

/// The census of every step, of all ranks together.
struct Records {
    std::mutex mutex;
    std::vector<Census> of_step;
    bool has_twice = false;  ///< whether some particle is on two ranks
};

/// Looks at the particles of all ranks, and changes nothing.
Drive taking_records(const std::shared_ptr<Records>& records) {
    return [records](Particles& particles, int step) {
        const std::lock_guard guard(records->mutex);
        const auto number = static_cast<std::size_t>(step);
        if (records->of_step.size() <= number) records->of_step.resize(number + 1);
        for (std::size_t k = 0; k < particles.size(); ++k)
            records->has_twice |=
                !records->of_step[number]
                     .insert({particles.motion[k].id,
                              {particles.motion[k], particles.attributes[k], std::this_thread::get_id()}})
                     .second;
    };
}

/// What has flowed together into a particle, as the log says.
struct Drop {
    double mass = 0;
    int parts = 1;
};

/// Drops by id, as the contacts make them; and where they merge.
class Replay {
  public:
    Replay(const System& system, bool has_ranks) : box_(system.box), has_ranks_(has_ranks) {
        for (std::size_t k = 0; k < system.particles.size(); ++k)
            drops_[system.particles.motion[k].id].mass = system.particles.attributes[k].mass;
    }

    void merge(const Contact& contact, const Census& before) {
        if (contact.effect != ContactEffect::coalesce) return;
        const bool low_continues = contact.product_low != absent_species;
        EXPECT_NE(low_continues, contact.product_high != absent_species);
        const ParticleId ended = low_continues ? contact.key.high : contact.key.low;
        Drop& drop = drops_.at(low_continues ? contact.key.low : contact.key.high);
        drop.mass += drops_.at(ended).mass;
        drop.parts += drops_.at(ended).parts;
        drops_.erase(ended);
        ++num_mergers;
        const Present &low = before.at(contact.key.low), &high = before.at(contact.key.high);
        num_across_slabs += has_ranks_ && low.rank != high.rank ? 1 : 0;
        num_across_box += is_across_box(high.motion.position - low.motion.position) ? 1 : 0;
    }

    /// Expects this census of the particles that are there.
    void expect(const Census& census) const {
        double mass = 0;
        ASSERT_EQ(census.size(), drops_.size());
        for (const auto& [id, present] : census) {
            ASSERT_TRUE(drops_.contains(id));
            EXPECT_EQ(present.attributes.mass, drops_.at(id).mass);
            mass += present.attributes.mass;
        }
        const double of_all =
            std::accumulate(drops_.begin(), drops_.end(), 0.0,
                            [](double sum, const auto& of) { return sum + of.second.mass; });
        EXPECT_EQ(mass, of_all);
    }
    int num_parts() const {
        return std::accumulate(drops_.begin(), drops_.end(), 0,
                               [](int sum, const auto& of) { return sum + of.second.parts; });
    }

    int num_mergers = 0, num_across_slabs = 0, num_across_box = 0;

  private:
    bool is_across_box(Vec3 apart) const {
        for (int axis = 0; axis < box_.dimension; ++axis)
            if (std::abs(apart[axis]) > 0.5 * box_.size[axis]) return true;
        return false;
    }

    const Box& box_;
    bool has_ranks_;
    std::map<ParticleId, Drop> drops_;
};

struct Sums {
    double mass = 0, content = 0, mass_velocity = 0;
    Vec3 momentum;
};

Sums sums_of(const Census& census, int dimension) {
    Sums sums;
    for (const auto& [id, present] : census) {
        const double mass = present.attributes.mass;
        sums.mass += mass;
        sums.content += std::pow(present.attributes.radius, dimension);
        sums.mass_velocity += mass * norm(present.motion.velocity);
        sums.momentum = sums.momentum + mass * present.motion.velocity;
    }
    return sums;
}

System drops(int dimension) {
    System system;
    system.name = std::to_string(dimension) + "D";
    const Vec3 size = dimension == 3 ? Vec3{24, 12, 12} : Vec3{24, 48, 0};
    system.box = periodic_box(size);
    const std::size_t count = dimension == 3 ? 180 : 90;
    fill_at_random(system, {{0.5, 5, count}, {0.4, 3, count}, {0.3, 1, count}}, {}, size, 3);
    thermalise(system, 4, 4);
    system.dt = 0.1;
    system.world = world_with({{0.5, 5}, {0.4, 3}, {0.3, 1}}, dimension, Coalesce{});
    scatter_ids(system, 5);
    return system;
}

/// A step more than the steps that the records are of.
void expect_exact_sums(const System& system, int num_ranks) {
    const auto records = std::make_shared<Records>();
    SlabRunSettings settings;
    settings.num_steps = 31;
    settings.cuts_of_step = random_cuts(11);
    settings.drive = taking_records(records);
    const SlabRun run = run_on_threads(num_ranks, system, settings);
    ASSERT_EQ(run.error, "");
    ASSERT_EQ(records->of_step.size(), 31u);
    EXPECT_FALSE(records->has_twice);
    const int dimension = system.box.dimension;
    const Sums at_start = sums_of(records->of_step[0], dimension);
    Replay replay(system, num_ranks > 1);
    std::size_t contact = 0;
    for (std::size_t step = 0; step < records->of_step.size(); ++step) {
        const Census& census = records->of_step[step];
        const Sums sums = sums_of(census, dimension);
        replay.expect(census);
        EXPECT_EQ(replay.num_parts(), static_cast<int>(system.particles.size()));
        EXPECT_EQ(sums.mass, at_start.mass);
        EXPECT_NEAR(sums.content, at_start.content, 1e-13 * at_start.content);
        EXPECT_LT(norm(sums.momentum - at_start.momentum), 1e-13 * at_start.mass_velocity);
        for (; contact < run.contacts_until_step[step]; ++contact)
            replay.merge(run.contacts[contact], census);
    }
    std::cout << system.name << ", " << num_ranks << " ranks: " << replay.num_mergers << " mergers, "
              << replay.num_across_slabs << " across slabs, " << replay.num_across_box << " across the box\n";
    EXPECT_GT(replay.num_mergers, static_cast<int>(system.particles.size()) / 2);
    EXPECT_GE(replay.num_across_box, 10);
    if (num_ranks > 1) {
        EXPECT_GE(replay.num_across_slabs, 10);
    }
}

/// And so are volumes and momenta, to rounding.
TEST(MergersOnSlabs, KeepMassAndPartsExactly) {
    for (const int dimension : {2, 3})
        for (const int num_ranks : {1, 2, 3, 4}) expect_exact_sums(drops(dimension), num_ranks);
}

// --- chains of 1,000 at one instant --------------------------------------------------------------------------

constexpr int num_links = fewer_if_sanitized(1000);

/// Touching spheres of diameter 1 in a row along x, across the face of the box. The first is of species 0, the others
/// of species 1, and all are at rest. `shift`: of the ids, which go around.
System touching_row(std::string name, const World& world, double width, int shift = 0) {
    constexpr double length = 1088, first = length - num_links * 388 / 1000;
    System system;
    system.name = std::move(name);
    system.box = periodic_box({length, width, width});
    system.dt = 0.5;
    system.world = world;
    for (int k = 0; k <= num_links; ++k) {
        const SpeciesIndex species = k == 0 ? 0 : 1;
        const Species& matter = world.species[species];
        const double x = std::fmod(first + k, length);
        add_particle(system, {x, 0.5 * width, 0.5 * width}, {}, matter.radius, matter.mass);
        system.particles.attributes.edit(static_cast<std::size_t>(k)).species = species;
        system.particles.motion.back().id = static_cast<ParticleId>((k + shift) % (num_links + 1));
    }
    return system;
}

/// Calls look(run) with that of the reference, and with runs on 1 to 4 ranks, which must be the same.
template <class Look>
void expect_chain(const System& system, Look&& look) {
    SlabRunSettings settings;
    settings.num_steps = 2;
    settings.cuts_of_step = random_cuts(13);
    const SlabRun expected = run_reference(system, settings);
    look(expected);
    for (const int num_ranks : {1, 2, 3, 4})
        EXPECT_EQ(first_difference(expected, run_on_threads(num_ranks, system, settings)), "")
            << system.name << " on " << num_ranks << " ranks";
}

/// The k-th contact is the k-th of 1,000 generations, of these two.
template <class Ids>
void expect_links(const SlabRun& run, Ids&& ids) {
    ASSERT_GE(run.contacts.size(), static_cast<std::size_t>(num_links));
    for (std::uint64_t k = 0; k < num_links; ++k) {
        const auto [one, other] = ids(k);
        const ContactKey key{0, k, std::min(one, other), std::max(one, other)};
        EXPECT_EQ(run.contacts[k].key, key) << k;
        EXPECT_EQ(run.contacts[k].effect, ContactEffect::react);
    }
}

/// A + B -> A + A: each that has changed makes the next one change.
TEST(ChainOnSlabs, InfectsAThousand) {
    constexpr int shift = 400;
    World world = world_with({{}, {}}, 3, Bounce{});
    set_pair(world, 0, 1, React{0, {0, 0}}, 0);
    expect_chain(touching_row("infection", world, 8, shift), [&](const SlabRun& run) {
        const auto id = [](std::uint64_t k) { return (k + shift) % (num_links + 1); };
        expect_links(run, [&](std::uint64_t k) { return std::pair(id(k), id(k + 1)); });
        EXPECT_EQ(run.contacts.size(), static_cast<std::size_t>(num_links));
        EXPECT_EQ(run.particles.size(), static_cast<std::size_t>(num_links) + 1);
        for (const Attributes& a : run.particles.attributes) EXPECT_EQ(a.species, 0u);
    });
}

/// A + B -> A, in the place of a heavy B: A reaches the end of the row at once.
TEST(ChainOnSlabs, HopsOverAThousand) {
    World world = world_with({{0.5, 1}, {0.5, 0x1p60}}, 3, Bounce{});
    set_pair(world, 0, 1, React{0, {0, absent_species}}, 0);
    const System system = touching_row("hopping", world, 8);
    expect_chain(system, [&](const SlabRun& run) {
        expect_links(run, [](std::uint64_t k) { return std::pair(ParticleId{0}, k + 1); });
        ASSERT_EQ(run.particles.size(), 1u);
        EXPECT_EQ(run.particles.motion[0].position, system.particles.motion.back().position);
        EXPECT_EQ(run.particles.track[0].image[0], 1);
    });
}

/// A heavy sphere at the corner of the box, and light ones around it on a spiral. Each is just in reach of the sphere
/// when it has swallowed those before.
System onion() {
    constexpr double light = 0.02;
    System system;
    system.name = "merging";
    system.box = periodic_box({16, 12, 12});
    system.dt = 0.5;
    system.world = world_with({{0.5, 0x1p50}, {light, 1}}, 3, Bounce{});
    set_pair(*system.world, 0, 1, Coalesce{}, 0);
    add_particle(system, {}, {}, 0.5, 0x1p50);
    double cube = 0.125;
    for (int k = 0; k < num_links; ++k) {
        const double z = 1 - (2 * k + 1.0) / num_links, phi = k * std::numbers::pi * (3 - std::sqrt(5.0));
        const double rho = std::sqrt(1 - z * z), reach = (std::cbrt(cube) + light) * (1 - 1e-12);
        Vec3 x = reach * Vec3{rho * std::cos(phi), rho * std::sin(phi), z};
        for (int axis = 0; axis < 3; ++axis) x[axis] += x[axis] < 0 ? system.box.size[axis] : 0;
        add_particle(system, x, {}, light, 1);
        system.particles.attributes.edit(system.particles.size() - 1).species = 1;
        cube += light * light * light;
    }
    return system;
}

/// Into one, with all of their mass and volume.
TEST(ChainOnSlabs, MergesAThousand) {
    expect_chain(onion(), [&](const SlabRun& run) {
        ASSERT_EQ(run.contacts.size(), static_cast<std::size_t>(num_links));
        for (std::uint64_t k = 0; k < num_links; ++k) {
            EXPECT_EQ(run.contacts[k].key, (ContactKey{0, k, 0, k + 1}));
            EXPECT_EQ(run.contacts[k].effect, ContactEffect::coalesce);
        }
        ASSERT_EQ(run.particles.size(), 1u);
        EXPECT_EQ(run.particles.attributes[0].mass, 0x1p50 + num_links);
        EXPECT_NEAR(run.particles.attributes[0].radius, std::cbrt(0.125 + num_links * 8e-6), 1e-13);
    });
}

}  // namespace
}  // namespace ricochet::test
