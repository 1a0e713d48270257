// SPDX-License-Identifier: BSD-3-Clause
//
// Steps under mutual gravity against the reference, in every bit: with random rules, decays, tethers, walls, searches,
// sub-windows, intervals, cuts that move, and ranks. The reference finds all forces anew at both ends of each step, on
// one rank. RICOCHET_SELF_GRAVITY_FUZZ=FIRST:COUNT runs other seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "gravity/gravity_kicks.hpp"
#include "model/gravity_images.hpp"
#include "parallel/serial_exchange.hpp"
#include "tests/support/differential.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/lattice_pull.hpp"

namespace ricochet::test {
namespace {

class KicksOfOwn final : public CollectiveDrive {
  public:
    KicksOfOwn(Exchange& exchange, const Box& box, const GravitySetting& setting, double dt)
        : fields_(exchange, box, setting), kicks_(fields_, dt) {}

    void before_drift(Particles& owned, DrivenStep step) override { kicks_.before_drift(owned, step); }
    void after_drift(Particles& owned, DrivenStep step) override { kicks_.after_drift(owned, step); }

  private:
    KeptFields fields_;
    GravityKicks kicks_;
};

void attract(SlabRunSettings& settings, const System& system, const GravitySetting& setting) {
    settings.collective_drive = [box = system.box, setting, dt = system.dt](Exchange& exchange) {
        return std::make_unique<KicksOfOwn>(exchange, box, setting, dt);
    };
}

/// Walls along all axes, as far away as particles need that were across a periodic face.
void close_box(System& system) {
    const double room = 2 * largest_radius(system.particles);
    for (int axis = 0; axis < system.box.dimension; ++axis) {
        if (!system.box.is_periodic(axis)) continue;
        system.box.boundary[static_cast<std::size_t>(axis)] = Boundary::reflecting;
        system.box.size[axis] += 2 * room;
        for (Motion& motion : system.particles.motion) motion.position[axis] += room;
    }
    if (system.world) system.world->box = system.box;
}

bool has_images(const Box& box) { return box.is_periodic(0) || box.is_periodic(1) || box.is_periodic(2); }

/// These would be longer than what a rank sees.
bool has_tethers_across_faces(const System& system) {
    const Particles& all = system.particles;
    bool has_tethers = false;
    for (std::size_t k = 0; k < all.size() && all.track.keeps_tethers(); ++k)
        has_tethers = has_tethers || !all.track.tethers()[k].empty();
    return has_tethers && has_images(system.box);
}

/// Softened, since some start at the same place.
double largest_acceleration(const System& system, GravitySetting setting) {
    setting.law.softening = std::max(setting.law.softening, 1e-3 * shortest_edge(system.box));
    SerialExchange alone;
    KeptFields fields(alone, system.box, setting);
    double largest = 0;
    for (const GravityField& field : fields.at(system.particles, WithPotential::no))
        largest = std::max(largest, norm(field.acceleration));
    return largest;
}

/// Kicks change velocities by a thousandth of the fastest up to as much.
GravitySetting random_gravity(const System& system, HashRandom& random) {
    GravitySetting setting;
    setting.law.form = random.is_one_in(2) ? GravityForm::inverse : GravityForm::inverse_square;
    setting.method = random.is_one_in(3) ? GravityMethod::direct : GravityMethod::tree;
    setting.opening = random.uniform(0.3, 1.5);
    if (random.is_one_in(2))
        setting.law.softening = random.log_uniform(1e-6, 0.1) * shortest_edge(system.box);
    if (!has_lattice_sum(system.box, setting.law.form)) setting.law.form = GravityForm::inverse_square;
    setting.law.constant = 1;
    const double acceleration = largest_acceleration(system, setting);
    const double speed =
        std::max(fastest_speed(system.particles), 1e-3 * shortest_edge(system.box) / system.dt);
    if (acceleration > 0)
        setting.law.constant = random.log_uniform(1e-3, 1) * speed / (acceleration * system.dt);
    return setting;
}

FuzzCase self_gravity_fuzz_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x6d757475616c);
    const std::uint64_t base = random.bits() >> 32;
    FuzzCase (*const kinds[])(std::uint64_t) = {rule_fuzz_case, decay_fuzz_case, tether_fuzz_case, fuzz_case};
    FuzzCase fuzz = kinds[seed % std::size(kinds)](base);
    if (rules_of(fuzz.system).have_rates() || has_tethers_across_faces(fuzz.system)) fuzz = fuzz_case(base);
    if (random.is_one_in(2) || elongation(fuzz.system.box) > 4) close_box(fuzz.system);
    fuzz.settings.num_steps = std::max(3, fuzz.settings.num_steps);
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    attract(fuzz.settings, fuzz.system, random_gravity(fuzz.system, random));
    fuzz.what += ", attracting";
    return fuzz;
}

TEST(SelfGravityFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_SELF_GRAVITY_FUZZ", {0, 400});
    std::uint64_t num_on_ranks = 0, num_changed = 0, num_errors = 0, num_contacts = 0, num_with_images = 0;
    expect_reference_of_seeds(
        self_gravity_fuzz_case, seeds, [&](const FuzzCase& fuzz, const SlabRun& expected) {
            num_on_ranks += fuzz.num_ranks > 1 ? 1 : 0;
            num_with_images += has_images(fuzz.system.box) ? 1 : 0;
            num_errors += expected.error.empty() ? 0 : 1;
            num_contacts += expected.contacts.size();
            num_changed +=
                std::any_of(expected.contacts.begin(), expected.contacts.end(),
                            [](const Contact& contact) { return contact.effect != ContactEffect::bounce; })
                    ? 1
                    : 0;
        });
    std::printf(
        "%s on several ranks, %s with images, %s with particles that change, %s errors, %s contacts\n",
        std::to_string(num_on_ranks).c_str(), std::to_string(num_with_images).c_str(),
        std::to_string(num_changed).c_str(), std::to_string(num_errors).c_str(),
        std::to_string(num_contacts).c_str());
    if (seeds.first > 0) return;
    EXPECT_GE(num_on_ranks, 200u);
    EXPECT_GE(num_with_images, 100u);
    EXPECT_GE(num_changed, 100u);
    EXPECT_LE(num_errors, 60u);  // at caps on contacts
    EXPECT_GE(num_contacts, 20'000u);
}

TEST(LongSelfGravityFuzz, ReferenceBitsOnAnyRanks) {
    expect_reference_of_seeds(self_gravity_fuzz_case, long_seeds);
}

/// A gas that falls together, with mergers.
System collapsing_system(const ContactRule& rule) {
    System system = system_of("collapsing", walled_box({20, 16, 16}), 0.05, {{0.4, 1}}, rule, 12);
    HashRandom random(7);
    for (const Vec3& site : lattice_sites({9, 7, 7}, {2, 2, 2}, {2, 2, 2}))
        if (!random.is_one_in(3))
            add_of_species(system, 0, site + 0.3 * random.normal() * Vec3{0, 0, 1},
                           2 * random.normal_vector(3));
    return system;
}
const GravitySetting by_tree{{GravityForm::inverse_square, 2, 0}, GravityMethod::tree, 0.8};

SlabRunSettings settings_for(const System& system, const GravitySetting& setting) {
    SlabRunSettings settings;
    settings.num_steps = system.num_steps;
    settings.cuts_of_step = random_cuts(3);
    attract(settings, system, setting);
    return settings;
}

TEST(SelfGravityRuns, AnySearchHasTheSameBits) {
    for (const ContactRule& rule : {ContactRule{Bounce{}}, ContactRule{Coalesce{}}}) {
        const System system = collapsing_system(rule);
        SlabRunSettings settings = settings_for(system, by_tree);
        const SlabRun expected = run_reference(system, settings);
        EXPECT_GT(expected.contacts.size(), 50u);
        int num_ranks = 1;
        for (const TestedSearch& search : searches) {
            if (to_string(search).starts_with("delaunay") && std::holds_alternative<Coalesce>(rule)) continue;
            for (const std::uint64_t num_windows : {0, 3}) {
                settings.engine = options_for(search, num_windows);
                settings.slabs.num_windows = num_windows;
                const SlabRun run = run_on_threads(num_ranks, system, settings);
                EXPECT_EQ(first_difference(expected, run), "") << to_string(search) << " on " << num_ranks;
                num_ranks = num_ranks % 5 + 1;
            }
        }
    }
}

TEST(SelfGravityRuns, AnyRanksHaveTheSameBits) {
    const System system = collapsing_system(Coalesce{});
    for (const GravityMethod method : {GravityMethod::tree, GravityMethod::direct})
        for (const GravityForm form : {GravityForm::inverse_square, GravityForm::inverse})
            expect_reference_on_ranks(system, settings_for(system, {{form, 0.3, 0.01}, method, 0.6}));
}

/// A run that goes on from what a checkpoint keeps, on other ranks.
TEST(SelfGravityRuns, StopsHaveTheSameBits) {
    const System system = collapsing_system(Coalesce{});
    SlabRunSettings settings = settings_for(system, by_tree);
    const SlabRun whole = run_on_threads(2, system, settings);
    for (const int step : {1, 5, 11}) {
        settings.first_step = 0;
        settings.num_steps = step;
        System later = system;
        later.particles = run_on_threads(3, system, settings).particles;
        settings.first_step = step;
        settings.num_steps = system.num_steps;
        const SlabRun rest = run_on_threads(5, later, settings);
        EXPECT_EQ(first_difference(whole.particles, rest.particles), "") << "stopped at step " << step;
    }
}

// --- in the tests' own words ---------------------------------------------------------------------------------

struct Body {
    Vec3 position, velocity;
    double mass = 1;
};

/// Of all others, by powers of their distances.
Vec3 pull_on(const std::vector<Body>& bodies, std::size_t target, const GravityLaw& law) {
    long double sum[3] = {};
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        if (k == target) continue;
        const Vec3 way = bodies[k].position - bodies[target].position;
        const long double distance =
            std::sqrt(static_cast<long double>(dot(way, way)) + law.softening * law.softening);
        const long double power =
            law.form == GravityForm::inverse ? distance * distance : distance * distance * distance;
        for (int axis = 0; axis < 3; ++axis) sum[axis] += law.constant * bodies[k].mass * way[axis] / power;
    }
    return {static_cast<double>(sum[0]), static_cast<double>(sum[1]), static_cast<double>(sum[2])};
}

void kick_all(std::vector<Body>& bodies, const GravityLaw& law, double half_step) {
    std::vector<Vec3> pulls;
    for (std::size_t k = 0; k < bodies.size(); ++k) pulls.push_back(pull_on(bodies, k, law));
    for (std::size_t k = 0; k < bodies.size(); ++k)
        bodies[k].velocity = bodies[k].velocity + half_step * pulls[k];
}

/// Five that do not touch, so that nothing but kicks bends their paths.
void expect_own_orbits(int dimension, const GravityLaw& law, const std::vector<int>& rank_counts) {
    const Vec3 size = dimension == 3 ? Vec3{40, 40, 40} : Vec3{40, 40, 0};
    System system = empty_system("five", walled_box(size), 0.02, 100);
    HashRandom random(5);
    std::vector<Body> bodies;
    for (int k = 0; k < 5; ++k) {
        Body body{{12.0 + 4 * k, 20 + random.uniform(-4, 4), 20 + random.uniform(-4, 4)},
                  0.3 * random.normal_vector(dimension),
                  random.uniform(0.5, 2)};
        if (dimension == 2) body.position.z = 0;
        bodies.push_back(body);
        add_particle(system, body.position, body.velocity, 1e-3, body.mass);
    }
    for (int step = 0; step < system.num_steps; ++step) {
        kick_all(bodies, law, 0.5 * system.dt);
        for (Body& body : bodies) body.position = body.position + system.dt * body.velocity;
        kick_all(bodies, law, 0.5 * system.dt);
    }
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree})
        for (const int num_ranks : rank_counts) {
            const SlabRun run = run_on_threads(num_ranks, system, settings_for(system, {law, method, 0.8}));
            EXPECT_TRUE(run.contacts.empty());
            for (std::size_t k = 0; k < bodies.size(); ++k) {
                EXPECT_LE(norm(run.particles.motion[k].position - bodies[k].position), 1e-10) << k;
                EXPECT_LE(norm(run.particles.motion[k].velocity - bodies[k].velocity), 1e-10) << k;
            }
        }
}

TEST(SelfGravityRuns, HaveOrbitsOfOwnSums) {
    for (const GravityForm form : {GravityForm::inverse_square, GravityForm::inverse})
        for (const double softening : {0.0, 0.5})
            for (const int dimension : {2, 3}) expect_own_orbits(dimension, {form, 2, softening}, {1, 3});
}

/// Of all images of all, by Ewald's sum.
Vec3 pull_of_images_on(const std::vector<Body>& bodies, std::size_t target, const Box& box) {
    const EwaldSum ewald(box, GravityForm::inverse_square);
    Vec3 sum;
    for (const Body& body : bodies)
        sum = sum + body.mass * ewald.at(body.position - bodies[target].position).acceleration;
    return sum;
}

/// Four on their way through faces, whose places are not wrapped here.
TEST(SelfGravityRuns, HaveOrbitsOfEwaldsSum) {
    const Vec3 size{6, 5, 8};
    System system = empty_system("four", periodic_box(size), 0.05, 60);
    HashRandom random(11);
    std::vector<Body> bodies;
    for (int k = 0; k < 4; ++k) {
        bodies.push_back({{0.3 + 1.7 * k, random.uniform(0, 5), random.uniform(0, 8)},
                          Vec3{k < 2 ? 1.5 : -1.5, 0, 0} + 0.3 * random.normal_vector(3),
                          random.uniform(0.5, 2)});
        add_particle(system, bodies.back().position, bodies.back().velocity, 1e-3, bodies.back().mass);
    }
    const auto kick = [&] {
        std::vector<Vec3> pulls;
        for (std::size_t k = 0; k < bodies.size(); ++k)
            pulls.push_back(pull_of_images_on(bodies, k, system.box));
        for (std::size_t k = 0; k < bodies.size(); ++k)
            bodies[k].velocity = bodies[k].velocity + 0.5 * system.dt * pulls[k];
    };
    for (int step = 0; step < system.num_steps; ++step) {
        kick();
        for (Body& body : bodies) body.position = body.position + system.dt * body.velocity;
        kick();
    }
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree}) {
        const SlabRun run = run_on_threads(3, system, settings_for(system, {{}, method, 0.8}));
        int num_passed = 0;
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            const Vec3 apart = run.particles.motion[k].position - bodies[k].position;
            EXPECT_LE(norm(minimum_image(apart, ImageLengths(system.box))), 1e-4) << k;
            EXPECT_LE(norm(run.particles.motion[k].velocity - bodies[k].velocity), 1e-4) << k;
            num_passed += norm(apart) > 1 ? 1 : 0;
        }
        EXPECT_GE(num_passed, 2) << "through faces";
    }
}

/// Two that fall onto each other bounce: by a closed form for the first step in which they touch.
TEST(SelfGravityRuns, BounceBetweenKicks) {
    System system = empty_system("pair", walled_box({10, 10, 10}), 0.5, 1);
    add_particle(system, {4, 5, 5}, {}, 0.5, 1);
    add_particle(system, {6, 5, 5}, {}, 0.5, 1);
    const GravityLaw law{GravityForm::inverse_square, 16, 0};
    const SlabRun run = run_on_threads(2, system, settings_for(system, {law, GravityMethod::direct, 0.8}));
    // The kick is 16/4 * 0.25 = 1: they meet after 0.5, at the very end of the step; a little earlier in the next.
    ASSERT_EQ(run.particles.size(), 2u);
    const double pull_at_end =
        16 / std::pow(run.particles.motion[1].position.x - run.particles.motion[0].position.x, 2.0);
    const double speed_after = run.contacts.empty() ? 1 : -1;
    EXPECT_NEAR(run.particles.motion[0].velocity.x, speed_after + 0.25 * pull_at_end, 1e-12);
    EXPECT_EQ(run.particles.motion[0].velocity.x, -run.particles.motion[1].velocity.x);
}

/// What rests attracts, and is not moved; what moves along x is kicked along x alone.
TEST(SelfGravityRuns, FrozenAxesHaveNoKicks) {
    System system = empty_system("resting", walled_box({12, 12, 12}), 0.1, 4);
    add_particle(system, {6, 6, 6}, {}, 0.5, 50);
    add_particle(system, {3, 8, 6}, {}, 0.1, 1);
    add_particle(system, {9, 8, 6}, {}, 0.1, 1);
    system.particles.attributes.edit(0).frozen_axes = all_axes;
    system.particles.attributes.edit(1).frozen_axes = 6;  // moves along x
    expect_reference_on_ranks(system, settings_for(system, by_tree), {1, 2, 3});
    const SlabRun run = run_on_threads(2, system, settings_for(system, by_tree));
    EXPECT_EQ(run.particles.motion[0].position, (Vec3{6, 6, 6}));
    EXPECT_EQ(run.particles.motion[0].velocity, Vec3{});
    EXPECT_EQ(run.particles.motion[1].position.y, 8);
    EXPECT_GT(run.particles.motion[1].velocity.x, 0.5);
    EXPECT_LT(run.particles.motion[2].velocity.y, -0.2);
}

TEST(SelfGravityRuns, OnePlaceEndsTheRun) {
    for (const GravityMethod method : {GravityMethod::direct, GravityMethod::tree})
        for (const int num_ranks : {1, 2, 4}) {
            System system = system_of("one place", walled_box({8, 8, 8}), 0.1, {{0.5, 1}}, Pass{}, 2);
            add_of_species(system, 0, {1, 1, 1});
            add_of_species(system, 0, {4, 4, 4});
            add_of_species(system, 0, {4, 4, 4});
            add_of_species(system, 0, {7, 1, 1});
            GravitySetting setting{{}, method, 0.8};
            const std::string error = run_on_threads(num_ranks, system, settings_for(system, setting)).error;
            EXPECT_EQ(
                error,
                "self_gravity: particles 1 and 2 are at the same place, where their attraction has no limit; "
                "expected self_gravity.softening > 0, or particles that keep apart");
            setting.law.softening = 1e-3;
            EXPECT_EQ(run_on_threads(num_ranks, system, settings_for(system, setting)).error, "");
        }
}

}  // namespace
}  // namespace ricochet::test
