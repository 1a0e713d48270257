// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/fuzz_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "tests/support/fuzz_features.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/random_bodies.hpp"
#include "tests/support/reference_decays.hpp"
#include "tests/support/rule_systems.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/solved_system.hpp"

namespace ricochet::test {
namespace {

constexpr double most_contacts = 3000;

Box random_box(HashRandom& random) {
    const int dimension = random.is_one_in(2) ? 2 : 3;
    const double stretch = random.is_one_in(4) ? 200 : 3;
    Vec3 size;
    for (int axis = 0; axis < dimension; ++axis) size[axis] = 4 * random.log_uniform(1, stretch);
    Box box = periodic_box(size);
    set_random_walls(box, random);
    return box;
}

/// Spheres of one to four kinds, random in size, mass and number.
void fill_with_kinds(System& system, HashRandom& random) {
    const double shortest = shortest_edge(system.box);
    const double largest = shortest * (random.is_one_in(4) ? 0.2 : random.log_uniform(0.005, 0.12));
    const double ratio = random.is_one_in(4) ? 1000 : 3;
    const double mass_ratio = random.is_one_in(4) ? 1e12 : 10;
    const double room =
        random.log_uniform(0.005, system.box.dimension == 3 ? 0.25 : 0.4) * system.box.volume();
    const RandomKinds of{
        1 + random.index(4),
        largest,
        ratio,
        room,
        [&](bool is_first) { return is_first ? 1 : random.log_uniform(1 / mass_ratio, mass_ratio); },
        [&](bool is_first) { return 1 + random.index(is_first && ratio > 3 ? 3 : 40); }};
    const std::vector<Kind> kinds = random_kinds(of, system.box.dimension, random);
    fill_at_random(system, kinds, {}, system.box.size, random.bits());
}

/// Spheres that touch in rows and layers, some of them taken out.
void fill_with_lattice(System& system, HashRandom& random) {
    const double spacing = shortest_edge(system.box) / static_cast<double>(4 + random.index(5));
    const double radius = 0.5 * spacing * (random.is_one_in(2) ? 0.98 : 1);
    const bool is_3d = system.box.dimension == 3;
    const auto count = [&](int axis) {
        return std::min(6, static_cast<int>(system.box.size[axis] / spacing));
    };
    for (const Vec3& site :
         lattice_sites({count(0), count(1), is_3d ? count(2) : 1}, {0.5, 0.5, is_3d ? 0.5 : 0})) {
        if (random.is_one_in(3)) continue;
        add_particle(system, spacing * site, {}, radius, random.is_one_in(5) ? 100 : 1);
    }
}

/// Thermal, or all at rest but a few.
void set_random_velocities(System& system, HashRandom& random) {
    give_random_velocities(system, random);
    if (system.particles.size() < 2 || !random.is_one_in(4)) return;
    for (Motion& motion : system.particles.motion)
        if (!random.is_one_in(8)) motion.velocity = {};
}

void set_random_restitution(System& system, HashRandom& random) {
    if (random.is_one_in(2)) return;
    system.restitution = Restitution(random.is_one_in(3) ? random.uniform() : random.uniform(0.7, 1));
    if (random.is_one_in(3)) system.restitution.set(0, wall_species, random.uniform());
    if (random.is_one_in(3)) system.restitution.set(0, 0, random.uniform());
}

/// Mean over the particles, of what is swept over in a gas as dilute; 0 for particles at rest.
double rough_contact_rate(const System& system) {
    const auto count = static_cast<double>(system.particles.size());
    double radius = 0, speed = 0;
    for (std::size_t k = 0; k < system.particles.size(); ++k) {
        radius += system.particles.attributes[k].radius / count;
        speed += norm(system.particles.motion[k].velocity) / count;
    }
    const double area = system.box.dimension == 2 ? 4 * radius : 4 * std::numbers::pi * radius * radius;
    return count / system.box.volume() * area * speed * std::numbers::sqrt2;
}

/// The step in which the fastest particle moves this many half lengths of the shortest periodic edge; in a closed box a
/// few edges.
double longest_step(const System& system, double half_lengths) {
    const double fastest = fastest_speed(system.particles);
    const double edge = shortest_period(system.box, 40 * shortest_edge(system.box));
    return fastest > 0 ? half_lengths * 0.5 * edge / fastest : std::numeric_limits<double>::infinity();
}

void set_random_step(System& system, HashRandom& random) {
    system.num_steps = 1 + static_cast<int>(random.index(4));
    const double pairs = 0.5 * system.num_steps * static_cast<double>(system.particles.size());
    const double contacts = std::min(random.log_uniform(1e-3, 100), most_contacts / std::max(1.0, pairs));
    const double rate = rough_contact_rate(system);
    const double half_lengths = random.is_one_in(4) ? 4 : 0.3;
    system.dt = std::min(rate > 0 ? contacts / rate : 1, longest_step(system, half_lengths));
    if (!std::isfinite(system.dt) || system.dt <= 0) system.dt = 1;
}

/// Makes the box many times as large, and leaves the particles together in a part of it, which a face may cut.
void put_into_void(System& system, HashRandom& random) {
    const bool is_cut = random.is_one_in(2);
    const Vec3 before = system.box.size;
    system.box.size = random.log_uniform(3, 100) * before;
    for (std::size_t k = 0; k < system.particles.size() && is_cut; ++k) {
        Vec3& x = system.particles.motion[k].position;
        for (int axis = 0; axis < system.box.dimension; ++axis)
            if (system.box.is_periodic(axis) && x[axis] < 0.5 * before[axis])
                x[axis] += system.box.size[axis] - before[axis];
    }
}

System random_system(std::uint64_t seed, HashRandom& random) {
    System system = empty_system("fuzz case " + std::to_string(seed), random_box(random), 0.1);
    if (random.is_one_in(6))
        fill_with_lattice(system, random);
    else
        fill_with_kinds(system, random);
    set_random_velocities(system, random);
    set_random_restitution(system, random);
    set_random_step(system, random);
    if (random.is_one_in(6)) put_into_void(system, random);
    freeze_axes_of_some(system, seed);
    if (random.is_one_in(3)) scatter_ids(system, random.bits());
    return system;
}

template <class Value, std::size_t count>
Value one_of(HashRandom& random, const Value (&values)[count]) {
    return values[random.index(count)];
}

/// A standard deviation of velocities for unit mass at which the lightest particle has speeds about 1.
double slow_for_all(const System& system) {
    double lightest = 1;
    for (const Attributes& matter : system.particles.attributes) lightest = std::min(lightest, matter.mass);
    return std::sqrt(lightest);
}

/// Its speeds, about 1, can be far above those that the step was chosen for.
void drive_by_brownian_steps(System& system, SlabRunSettings& settings) {
    settings.drive = brownian(slow_for_all(system), system.box.dimension);
    system.dt = std::min(system.dt, 4 * shortest_edge(system.box));
}

SlabRunSettings random_settings(System& system, HashRandom& random) {
    SlabRunSettings settings;
    settings.num_steps = system.num_steps;
    const TestedSearch& search = search_choices[random.index(search_choices.size())];
    settings.engine = options_for(search, one_of<std::uint64_t>(random, {0, 0, 1, 2, 5, 17}));
    settings.slabs.num_windows = one_of<std::uint64_t>(random, {0, 0, 1, 2, 7, 40});
    settings.slabs.excursion_factor = one_of(random, {0.0, 0.1, 0.5, 1.0});
    settings.cuts_of_step = random_cuts(random.bits());
    if (random.is_one_in(4)) drive_by_brownian_steps(system, settings);
    settings.engine.contact_cap = one_of<std::uint64_t>(random, {5000, 5000, 5000, 60, 6});
    return settings;
}

std::string text_of(const FuzzCase& fuzz) {
    std::ostringstream out;
    const System& system = fuzz.system;
    out << system.name << ": " << system.box.dimension << "D, " << system.particles.size() << " particles, "
        << to_string(TestedSearch{fuzz.settings.engine.search, fuzz.settings.engine.loop}) << ", "
        << fuzz.num_ranks << " ranks, " << fuzz.settings.engine.num_intervals << " intervals, "
        << fuzz.settings.slabs.num_windows << " sub-windows, dt " << system.dt;
    return out.str();
}

/// 1 to 5, and 6 or 7 for most that would have 5, as far as there are slices.
int random_num_ranks(const System& system, std::uint64_t bits) {
    const auto num_slices = static_cast<std::uint64_t>(slice_grid_of(system).num_slices());
    const std::uint64_t num_ranks = 1 + bits % std::min<std::uint64_t>(5, num_slices);
    const std::uint64_t more = num_ranks == 5 ? bits / 5 % 3 : 0;
    return static_cast<int>(std::min(num_ranks + more, num_slices));
}

}  // namespace

FuzzCase run_at_random(System system, HashRandom& random) {
    FuzzCase fuzz;
    fuzz.system = std::move(system);
    fuzz.settings = random_settings(fuzz.system, random);
    fuzz.num_ranks = random_num_ranks(fuzz.system, random.bits());
    fuzz.what = text_of(fuzz);
    return fuzz;
}

namespace {

/// Pairs of heavy particles, each with a light one in the gap. Species 2 is too wide for most gaps, two of species 3
/// for all.
System random_gaps(HashRandom& random) {
    const int dimension = random.is_one_in(2) ? 2 : 3;
    Box box = periodic_box({24, 12, dimension == 3 ? 12.0 : 0});
    set_random_walls(box, random);
    const double heavy = random.log_uniform(1e6, 1e14);
    System system = system_of("", box, 0.05, {{1, heavy}, {0.2, 1}, {0.5, 1}, {0.3, 1}});
    system.world->seed = random.bits();
    const double shift = box.is_periodic(0) ? random.uniform(0, 24) : 0;
    const Vec3 first{3, 3, dimension == 3 ? 3.0 : 0};
    for (Vec3 middle : lattice_sites({4, 2, dimension == 3 ? 2 : 1}, first, {6, 6, 6})) {
        Vec3 half;
        middle.x = std::fmod(middle.x + shift, 24);
        half[static_cast<int>(random.index(static_cast<std::uint64_t>(dimension)))] =
            random.uniform(1.23, 1.6);
        for (const Vec3& x : {middle - half, middle + half})
            add_of_species(system, 0, {std::fmod(x.x + 24, 24), x.y, x.z});
        add_of_species(system, 1, middle, 0.3 * random.normal_vector(dimension));
    }
    if (random.is_one_in(3)) scatter_ids(system, random.bits());
    return system;
}

/// Contacts only bounce. In half of the cases products have no room.
FuzzCase only_decays_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x6f6e6c79);
    const bool have_no_room = random.is_one_in(2);
    System system = have_no_room ? random_gaps(random) : random_system(seed, random);
    if (!have_no_room) give_random_products(system, random);
    system.name = "fuzz case of decays alone " + std::to_string(seed);
    FuzzCase fuzz = run_at_random(std::move(system), random);
    let_decay(fuzz, random);
    if (have_no_room) fuzz.system.world->decays = {{1, {2, absent_species}, 10}, {1, {3, 3}, 5}};
    return fuzz;
}

/// Takes out particles that overlap walls.
void leave_out_what_overlaps_walls(System& system) {
    std::size_t num_kept = 0;
    for (std::size_t k = 0; k < system.particles.size(); ++k) {
        const double radius = system.particles.attributes[k].radius;
        const Vec3 x = system.particles.motion[k].position;
        bool is_inside = true;
        for (int axis = 0; axis < system.box.dimension; ++axis)
            if (system.box.has_walls(axis))
                is_inside = is_inside && x[axis] >= radius && x[axis] <= system.box.size[axis] - radius;
        if (is_inside) system.particles.move_within(k, num_kept++);
    }
    system.particles.resize(num_kept);
}

/// At contacts, or at rates.
System random_tether_system(std::uint64_t seed, bool has_rates, HashRandom& random) {
    if (!random.is_one_in(3))
        return has_rates ? arbitrary_tethered_rate_system(random.bits())
                         : arbitrary_tether_system(random.bits());
    System system = random_system(seed, random);
    if (has_rates)
        give_random_rates(system, random);
    else
        give_random_rules(system, random);
    give_random_tethers(system, random);
    return system;
}

}  // namespace

SlabRunSettings random_slab_settings(const System& system, std::uint64_t seed) {
    HashRandom random(seed);
    SlabRunSettings settings = settings_of_solved(system);
    settings.engine.num_intervals = random.index(6);
    settings.slabs.num_windows = random.index(12);
    settings.slabs.excursion_factor = random.uniform(0.05, 0.8);
    settings.cuts_of_step = random_cuts(seed);
    settings.break_tethers = true;
    if (rules_of(system).have_rates())
        settings.drive = brownian(brownian_speed(system), system.box.dimension);
    return settings;
}

FuzzCase fuzz_case(std::uint64_t seed) {
    HashRandom random(seed);
    FuzzCase fuzz = run_at_random(random_system(seed, random), random);
    let_some_fall(fuzz, seed);
    prevent_collapse_of_some(fuzz, seed);
    let_restitution_fall_for_some(fuzz, seed);
    return fuzz;
}

FuzzCase rule_fuzz_case(std::uint64_t seed) {
    HashRandom random(~seed);
    const bool is_fuzz = random.is_one_in(2);
    System system = is_fuzz ? random_system(seed, random) : arbitrary_rule_system(random.bits());
    if (is_fuzz) give_random_rules(system, random);
    system.name = "rule fuzz case " + std::to_string(seed);
    FuzzCase fuzz = run_at_random(std::move(system), random);
    let_some_fall(fuzz, seed);
    prevent_collapse_of_some(fuzz, seed);
    let_restitution_fall_for_some(fuzz, seed);
    return fuzz;
}

FuzzCase rate_fuzz_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x7261746573);
    const bool is_fuzz = random.is_one_in(3);
    System system = is_fuzz ? random_system(seed, random) : arbitrary_rate_system(random.bits());
    if (is_fuzz) give_random_rates(system, random);
    system.name = "rate fuzz case " + std::to_string(seed);
    FuzzCase fuzz = run_at_random(std::move(system), random);
    // A + A -> A + A where three overlap goes on for ever, to and fro across the faces of slabs.
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    fuzz.settings.drive = brownian(brownian_speed(fuzz.system), fuzz.system.box.dimension);
    return fuzz;
}

FuzzCase decay_fuzz_case(std::uint64_t seed) {
    const bool has_rules = seed % 5 != 4;
    FuzzCase fuzz = !has_rules      ? only_decays_case(seed)
                    : seed % 2 == 0 ? rule_fuzz_case(seed)
                                    : rate_fuzz_case(seed);
    HashRandom random(seed ^ 0x6465636179);
    if (has_rules) let_decay(fuzz, random);
    if (has_rules && random.is_one_in(2)) let_parents_pass_all(fuzz);
    fuzz.settings.num_steps = 6;  // as decays need to chain
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    return fuzz;
}

FuzzCase tether_fuzz_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x746574686572);
    const bool has_rates = seed % 2 == 1;
    System system = random_tether_system(seed, has_rates, random);
    system.num_steps = 2 + static_cast<int>(random.index(5));
    system.name = (has_rates ? "tether fuzz case at rates " : "tether fuzz case ") + std::to_string(seed);
    FuzzCase fuzz = run_at_random(std::move(system), random);
    if (has_rates) fuzz.settings.drive = brownian(brownian_speed(fuzz.system), fuzz.system.box.dimension);
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    fuzz.settings.break_tethers = !random.is_one_in(8);
    let_some_fall(fuzz, seed);
    prevent_collapse_of_some(fuzz, seed);
    let_restitution_fall_for_some(fuzz, seed);
    if (!random.is_one_in(3)) return fuzz;
    let_decay(fuzz, random);
    if (random.is_one_in(2)) let_parents_pass_all(fuzz);
    return fuzz;
}

/// Of all kinds of systems; half of them only bounce.
FuzzCase body_fuzz_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x626f64696573);
    const bool has_rates = seed % 8 == 5 || seed % 16 == 1;
    System system = seed % 4 == 0    ? arbitrary_rule_system(random.bits())
                    : seed % 8 == 5  ? arbitrary_rate_system(random.bits())
                    : seed % 16 == 1 ? arbitrary_tethered_rate_system(random.bits())
                    : seed % 16 == 9 ? arbitrary_tether_system(random.bits())
                                     : random_system(seed, random);
    give_random_bodies(system, random);
    system.name = "body fuzz case " + std::to_string(seed);
    FuzzCase fuzz = run_at_random(std::move(system), random);
    if (seed % 8 == 0 || seed % 16 == 5) let_decay(fuzz, random);
    if (has_rates) fuzz.settings.drive = brownian(brownian_speed(fuzz.system), fuzz.system.box.dimension);
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    let_some_fall(fuzz, seed);
    prevent_collapse_of_some(fuzz, seed);
    let_restitution_fall_for_some(fuzz, seed);
    return fuzz;
}

/// Of all kinds without rates. Half are among bodies, and most have walls.
FuzzCase gravity_fuzz_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x66616c6c);
    const bool has_tethers = seed % 8 == 6;  // which walls would cut
    System system = seed % 4 == 3 ? arbitrary_rule_system(random.bits())
                    : has_tethers ? arbitrary_tether_system(random.bits())
                                  : random_system(seed, random);
    for (int axis = 0; axis < system.box.dimension && !has_tethers; ++axis)
        if (random.is_one_in(2)) system.box.boundary[static_cast<std::size_t>(axis)] = Boundary::reflecting;
    if (system.world) system.world->box = system.box;
    leave_out_what_overlaps_walls(system);
    if (random.is_one_in(2)) give_random_bodies(system, random);
    system.name = "gravity fuzz case " + std::to_string(seed);
    FuzzCase fuzz = run_at_random(std::move(system), random);
    if (seed % 16 == 3) let_decay(fuzz, random);
    fuzz.settings.engine.contact_cap = std::min<std::uint64_t>(fuzz.settings.engine.contact_cap, 500);
    let_fall(fuzz, random);
    prevent_collapse_of_some(fuzz, seed);
    let_restitution_fall_for_some(fuzz, seed);
    return fuzz;
}

FuzzCase surface_fuzz_case(std::uint64_t seed) {
    HashRandom random(seed ^ 0x73757266616365);
    const std::uint64_t base = random.bits();
    FuzzCase (*const kinds[])(std::uint64_t) = {gravity_fuzz_case, gravity_fuzz_case, rule_fuzz_case,
                                                body_fuzz_case,    decay_fuzz_case,   tether_fuzz_case};
    FuzzCase fuzz = kinds[seed % std::size(kinds)](base >> 32);
    if (rules_of(fuzz.system).have_rates()) fuzz = gravity_fuzz_case(base >> 32);
    if (!random.is_one_in(3)) move_some_walls(fuzz, random);
    if (random.is_one_in(2)) heat_some_surfaces(fuzz, random);
    return fuzz;
}

}  // namespace ricochet::test
