// SPDX-License-Identifier: BSD-3-Clause
//
// Equilibrations before step 0: which starts have one, when it ends, and what is said of the order that is left.
#include "run/equilibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ricochet/run/simulation.hpp"
#include "run/lattice_note.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"

namespace ricochet::test {
namespace {

using testing::StartsWith;

std::vector<EquilibrationMark> marks_of(const std::vector<std::int64_t>& collisions_per_mark) {
    std::vector<EquilibrationMark> marks;
    EquilibrationMark sum;
    for (const std::int64_t collisions : collisions_per_mark) {
        sum.num_steps += 10;
        sum.num_collisions += collisions;
        marks.push_back(sum);
    }
    return marks;
}

/// The spread is that of the last three quarters.
TEST(Equilibration, ComparesRatesOfThreeQuarters) {
    EXPECT_EQ(spread_of_rates(marks_of({5, 5, 5, 5, 5, 5, 5})), std::nullopt);
    EXPECT_EQ(spread_of_rates(marks_of({99, 1, 5, 5, 5, 5, 5, 5})), 0);
    EXPECT_DOUBLE_EQ(spread_of_rates(marks_of({9, 9, 5, 5, 5, 5, 4, 4})).value(), 0.2);
    EXPECT_DOUBLE_EQ(spread_of_rates(marks_of({9, 9, 4, 4, 8, 8, 8, 8, 8})).value(), 0.5);
}

/// Spheres at 0.48, where a dense start comes in place of a random one.
KeptRun run_too_dense(const std::string& equilibrate) {
    return run_input(
        "box: {size: [8, 8, 8]}\nspecies: [{name: ball, radius: 0.5, mass: 1, volume_fraction: 0.48}]\n"
        "dynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.05, steps: 200" +
        equilibrate +
        "}\noutput: {file: none.h5md, trajectory_every: 0, observables_every: 200, collisions: none}\n");
}

std::string note_with(const KeptRun& run, const std::string& words) {
    for (const std::string& note : run.monitor.notes)
        if (note.find(words) != std::string::npos) return note;
    return "";
}

TEST(Equilibration, SettlesADenseStart) {
    const KeptRun run = run_too_dense("");
    EXPECT_NE(note_with(run, "so the start is a dense one"), "");
    const std::string note = note_with(run, "the dense start is equilibrated: ");
    EXPECT_NE(note.find("Q6 is 0.0"), std::string::npos) << note;
    EXPECT_NE(note.find("the contact rates of the last three quarters of them agree within 1 %"),
              std::string::npos)
        << note;
    const double done = std::stod(note.substr(note.find(": ") + 2));
    EXPECT_GE(done, least_to_settle);
    EXPECT_LE(done, most_to_settle);
    // Boublik and Kolafa; 4 % for 470 spheres in 2 collision times of theirs.
    EXPECT_NEAR(run.kept.samples.back().values.compressibility, 10.96, 0.6);
}

/// A dense or grown start is called what it is: a liquid, a glass, a crystal.
TEST(Equilibration, NamesADenseStart) {
    World world;
    world.box = {2, {20, 20, 0}, {}};
    world.species.resize(1);
    world.species[0].count = 400;
    const EquilibrationState state{.num_steps = 100, .num_collisions = 20'000};
    const auto note = [&](double radius, double order, double spread) {
        world.species[0].radius = radius;
        return settled_note(world, state, {order, 6, 1200}, spread, false);
    };
    EXPECT_EQ(
        note(0.44, 0.01, 0.005),
        "the dense start is equilibrated: 100 collisions per particle in 100 steps, not recorded; the "
        "contact rates of the last three quarters of them agree within 1 %; psi6 is 0.01, as of a liquid");
    EXPECT_THAT(note(0.44, 0.01, 0.03), StartsWith("the dense start may not be in equilibrium: 100 coll"));
    EXPECT_THAT(note(0.44, 0.6, 0.005), StartsWith("the dense start has crystallised: 100 coll"));
    EXPECT_THAT(note(0.44, 0.42, 0.005), StartsWith("the dense start has crystallised in part: 100 coll"));
    EXPECT_THAT(note(0.48, 0.01, 0.005),
                testing::HasSubstr("; above 0.7, where freezing begins, a liquid is"));
    EXPECT_THAT(
        note(0.51, 0.01, 0.005),
        testing::HasSubstr("; above about 0.79 it is a glass that ages: averages depend on the time"));
    EXPECT_THAT(settled_note(world, state, {0.01, 6, 1200}, 0.005, true),
                StartsWith("the grown start is equilibrated: 100 coll"));
}

/// Near freezing small systems are neither a liquid nor a crystal.
TEST(Equilibration, NamesAPartOfOrder) {
    World world;
    world.box = {2, {20, 20, 0}, {}};
    world.species.resize(1);
    world.species[0].count = 400;
    world.species[0].radius = 0.469;  // area fraction 0.69
    const EquilibrationState state{.num_steps = 100, .num_collisions = 20'000, .num_sites = 420};
    EXPECT_EQ(melting_note(world, state, {0.42, 6, 1200}, 0.005),
              "the lattice has melted in part: 100 collisions per particle in 100 steps, not recorded; the "
              "contact rates of the last three quarters of them agree within 1 %; psi6 is 0.42, more than a "
              "liquid has (about 0) and less than a crystal; near freezing order comes and goes slowly, so "
              "that averages need long runs");
    EXPECT_THAT(melting_note(world, state, {0.1, 6, 1200}, 0.005), StartsWith("the lattice is melted: "));
    EXPECT_THAT(melting_note(world, state, {0.6, 6, 1200}, 0.005),
                StartsWith("the lattice is not yet melted"));
}

/// Three particles have an order by chance, and are no liquid for it.
TEST(Equilibration, SaysNothingOfTheOrderOfFew) {
    World world;
    world.box = {3, {5, 5, 5}, {}};
    world.species.resize(1);
    world.species[0].count = 3;
    world.species[0].radius = 0.5;
    const EquilibrationState state{.num_steps = 100, .num_collisions = 150};
    EXPECT_EQ(melting_note(world, state, {0.65, 6, 3}, std::nullopt),
              "too few particles to tell whether the lattice is melted: 100 collisions per particle in 100 "
              "steps, not recorded");
    EXPECT_EQ(settled_note(world, state, {0.65, 6, 3}, std::nullopt, false),
              "the dense start is equilibrated: 100 collisions per particle in 100 steps, not recorded");
}

KeptRun run_dense(const std::string& system, const std::string& rest) {
    return run_input(
        system + "dynamics: {type: ballistic, kT: 1}\n" + rest +
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 0, collisions: none}\n");
}

/// A lattice above freezing is equilibrated only where the input says so, and stays a crystal.
TEST(Equilibration, TellsACrystalFromALiquid) {
    const std::string run = "run: {timestep: 0.05, steps: 0, equilibrate: {collisions_per_particle: 100}}\n";
    const KeptRun spheres = run_dense(
        "box: {size: [8, 8, 8]}\nspecies: [{name: ball, radius: 0.5, mass: 1, volume_fraction: 0.6}]\n",
        run + "placement: {method: lattice, type: fcc}\n");
    EXPECT_NE(
        note_with(
            spheres,
            "the start is a crystal with 13 vacancies in 600 sites, which lower its pressure (a count of "
            "600 has none); it does not melt at this density: volume fraction 0.6003 is above 0.494, "
            "where freezing begins; after "),
        "")
        << spheres.monitor.notes.back();
    EXPECT_EQ(note_with(spheres, "melted"), "");
    const KeptRun discs = run_dense(
        "box: {size: [20, 20]}\nspecies: [{name: disc, radius: 0.5, mass: 1, volume_fraction: 0.77}]\n",
        run + "placement: {method: lattice, type: hexagonal}\n");
    EXPECT_NE(note_with(discs, "the start is a crystal with"), "") << discs.monitor.notes.back();
    EXPECT_NE(note_with(discs, "psi6 is 0."), "");
    const KeptRun glass = run_dense(
        "box: {size: [8, 8, 8]}\nspecies: [{name: ball, radius: 0.5, mass: 1, volume_fraction: 0.59}]\n",
        "run: {timestep: 0.05, steps: 0}\n");
    EXPECT_NE(note_with(glass, "glass that ages"), "") << glass.monitor.notes.back();
}

/// A lattice that is not equilibrated is called a crystal.
TEST(Equilibration, NamesACrystalOfNone) {
    const KeptRun full =
        run_dense("box: {size: [8, 8, 8]}\nspecies: [{name: ball, radius: 0.5, mass: 1, count: 500}]\n",
                  "run: {timestep: 0.05, steps: 0}\nplacement: {method: lattice, type: fcc}\n");
    EXPECT_NE(note_with(full, "the start is a crystal without vacancies; it may not melt"), "");
}

/// In a cell too narrow for random placement, and between a wall that swings and one that rests.
TEST(Equilibration, SettlesADenseStartBesideBodies) {
    const KeptRun cell = run_dense(
        "box: {size: [12, 8, 8], boundary: reflecting}\n"
        "bodies: [{name: cell, capsule: {from: [4, 4, 4], to: [8, 4, 4], radius: 4}, side: inside},\n"
        "         {name: nucleoid, sphere: {centre: [6, 4, 4], radius: 1.5}}]\n"
        "species: [{name: ball, radius: 0.3, mass: 1, volume_fraction: 0.4}]\n",
        "run: {timestep: 0.02, steps: 2}\n");
    EXPECT_NE(note_with(cell,
                        " of what bodies leave is more than random placement reaches (about 0.342), so "
                        "the start is a dense one"),
              "");
    EXPECT_NE(note_with(cell, "the dense start is equilibrated: "), "") << cell.monitor.notes.back();
    const KeptRun shaken = run_dense(
        "box: {size: [8, 8, 8], boundary: reflecting}\n"
        "walls: [{face: z-, vibrating: {amplitude: 0.4, frequency: 0.5}}]\n"
        "species: [{name: ball, radius: 0.5, mass: 1, count: 350}]\n",
        "placement: {method: dense}\nrun: {timestep: 0.02, steps: 2}\n");
    EXPECT_NE(note_with(shaken, "by the repulsion of soft spheres"), "");
    EXPECT_NE(note_with(shaken, "the dense start is equilibrated: "), "") << shaken.monitor.notes.back();
}

TEST(Equilibration, OfNoneIsNone) {
    const KeptRun run = run_too_dense(", equilibrate: {collisions_per_particle: 0}");
    EXPECT_NE(note_with(run, "so the start is a dense one"), "");
    EXPECT_EQ(note_with(run, "equilibrated"), "");
    const KeptRun few = run_too_dense(", equilibrate: {collisions_per_particle: 1}");
    EXPECT_EQ(note_with(few, "equilibrated: "), "");
}

/// Brownian particles draw their displacements anew in each step; nothing runs before step 0 unless asked for.
TEST(Equilibration, OfADenseBrownianStartIsNone) {
    const KeptRun run = run_input(
        "box: {size: [8, 8, 8]}\nspecies: [{name: ball, radius: 0.5, diffusion: 1, count: 460}]\n"
        "placement: {method: dense}\ndynamics: {type: brownian, kT: 1}\nrun: {timestep: 0.0001, steps: 2}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 0, collisions: none}\n");
    EXPECT_NE(note_with(run, "by the repulsion of soft spheres"), "");
    EXPECT_EQ(note_with(run, "equilibrated"), "");
}

}  // namespace
}  // namespace ricochet::test
