// SPDX-License-Identifier: BSD-3-Clause
//
// Growth to a pressure: fluids in equilibrium have it where theory says, and jammed packings are as dense as those of
// others. Their pressure rises with the fraction by the law of free volume.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/world_facts.hpp"
#include "parallel/serial_exchange.hpp"
#include "placement/population.hpp"
#include "run/growing_gas.hpp"
#include "run/grown_start.hpp"
#include "run/growth.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"
#include "theory/hard_sphere_theory.hpp"

namespace ricochet::test {
namespace {

/// The fraction at which particles have a pressure, and the pressure.
struct State {
    double fraction = 0, pressure = 0;
};

State state_at(World world, double rate, double pressure) {
    State state;
    run_ranks(1, [&](Exchange& exchange) {
        const FoundPlacement found = place_until_pressure(world, {rate, 0.3, pressure}, exchange);
        world.box.size = found.found.size;
        state = {volume_fraction(world), found.found.pressure};
    });
    return state;
}

/// Slow growth to 10, and 100 collisions per particle later: the fluid has this pressure, at the fraction of theory.
TEST(PressureOfGrowth, IsThatOfAFluidInEquilibrium) {
    const State found = state_at(start_world(cube(1), {particles_of(0.5, 4000)}), 0.01, 10);
    EXPECT_NEAR(equal_sphere_compressibility(3, found.fraction) / found.pressure, 1, 0.02);
    const KeptRun run = run_input(
        "box: {size: [1, 1, 1]}\nspecies: [{name: ball, radius: 0.5, mass: 1, count: 4000}]\n"
        "placement: {method: grow, rate: 0.01, until_pressure: 10}\ndynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.01, steps: 200}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 200, collisions: none}\n");
    EXPECT_NEAR(run.kept.samples.back().values.compressibility, 10, 0.25);
}

/// Above freezing the fluid is metastable, and relaxes slowly: 0.555 by Carnahan and Starling is 19.2.
TEST(LongPressure, IsNearThatOfAMetastableFluid) {
    const KeptRun run = run_input(
        "box: {size: [1, 1, 1]}\nspecies: [{name: ball, radius: 0.5, mass: 1, count: 4000}]\n"
        "placement: {method: grow, rate: 0.01, until_pressure: 20}\ndynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.01, steps: 300}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 300, collisions: none}\n");
    EXPECT_NEAR(run.kept.samples.back().values.compressibility, 20, 1);
    const State found = state_at(start_world(cube(1), {particles_of(0.5, 4000)}), 0.01, 20);
    EXPECT_NEAR(equal_sphere_compressibility(3, found.fraction) / found.pressure, 1, 0.06);
}

/// Random close packing of equal spheres is at 0.64 (Lubachevsky, Stillinger & Pinson, J. Stat. Phys. 64 (1991) 501).
TEST(LongPressure, JamsSpheresAtRandomClosePacking) {
    const World world = start_world(cube(1), {particles_of(0.5, 1000)});
    const State jammed = state_at(world, 0.01, 1e6);
    EXPECT_NEAR(jammed.fraction, 0.643, 0.004);
    EXPECT_NEAR(jammed.pressure / 1e6, 1, 0.02);
}

/// Bidisperse discs 1:1.4 jam at 0.84 (O'Hern and others, Phys. Rev. E 68 (2003) 011306).
TEST(LongPressure, JamsDiscsWhereOthersDo) {
    const World discs = start_world(square(1), {particles_of(0.5, 500), particles_of(0.7, 500)});
    EXPECT_NEAR(state_at(discs, 0.01, 1e6).fraction, 0.845, 0.006);
}

/// The pressure of a packing whose radii shrink by a part x is 1/x, as Z = d/(1 - f/f_J) says (Salsburg & Wood, J.
/// Chem. Phys. 37 (1962) 798). It is less by the share of particles that rattle in cages, some 2 to 5 %.
TEST(LongPressure, FollowsTheLawOfFreeVolume) {
    SerialExchange exchange;
    const World world = start_world(cube(9.56), {particles_of(0.5, 500)});  // 0.3
    const Population population(world.species, world.seed);
    const GrownPlacement jammed =
        place_by_growth_to(1e9, world.box, population, {0.01, 1, 0.5, 1.45}, 0.5, exchange);
    ASSERT_TRUE(jammed.is_complete);
    for (const double x : {1e-6, 1e-5, 1e-4}) {
        const double scale = jammed.scale * (1 - x);
        Particles shrunk = jammed.particles;
        shrunk.attributes.change_all([scale](Attributes& a) { a.radius *= scale; });
        GrowingGas gas(world.box, population, {scale, 1.45, 0.5}, exchange, std::move(shrunk));
        gas.step(1e-9, 1e-16);  // so short that its contacts tell how long the next may be
        while (gas.contacts_per_particle() < 20) gas.step(0, 1);
        gas.begin_stretch();
        while (gas.contacts_per_particle() < 200) gas.step(0, 1);
        EXPECT_GT(gas.pressure() * x, 0.93) << x;
        EXPECT_LT(gas.pressure() * x, 1.005) << x;
    }
}

}  // namespace
}  // namespace ricochet::test
