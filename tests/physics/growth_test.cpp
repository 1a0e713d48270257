// SPDX-License-Identifier: BSD-3-Clause
//
// What growth leaves: a fluid in equilibrium where it is slow, and packings as dense as others have found.
#include <gtest/gtest.h>

#include <string>

#include "ricochet/core/error.hpp"
#include "run/grown_start.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/placement_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

/// The compressibility factor of 4,000 spheres that have grown to freezing, from the first collisions on.
double compressibility_after(const std::string& rate) {
    const KeptRun run = run_input(
        "box: {size: [16.2, 16.2, 16.2]}\nspecies: [{name: ball, radius: 0.5, mass: 1, volume_fraction: "
        "0.494}]\n"
        "placement: {method: grow, rate: " +
        rate +
        "}\ndynamics: {type: ballistic, kT: 1}\n"
        "run: {timestep: 0.01, steps: 40, equilibrate: {collisions_per_particle: 0}}\n"
        "output: {file: none.h5md, trajectory_every: 0, observables_every: 40, collisions: none}\n");
    return run.kept.samples.back().values.compressibility;
}

/// Carnahan and Starling: 12.5. Fast growth leaves spheres that nearly touch.
TEST(Growth, LeavesAFluidInEquilibriumWhenSlow) {
    EXPECT_NEAR(compressibility_after("0.01"), 12.5, 0.35);
    EXPECT_GT(compressibility_after("0.3"), 14);
}

/// The fraction at which growth jams, from its sentence.
double jammed_fraction(const World& world, double rate) {
    std::string sentence;
    run_ranks(1, [&](Exchange& exchange) {
        try {
            place_by_growth(world, {rate, 0.3}, exchange);
        } catch (const InputError& error) {
            sentence = error.what();
        }
    });
    const std::string before = " jammed at ";
    const std::size_t at = sentence.find(before);
    return at == std::string::npos ? 0 : std::stod(sentence.substr(at + before.size()));
}

/// Random close packing of equal spheres is at 0.64 (Lubachevsky, Stillinger & Pinson, J. Stat. Phys. 64 (1991) 501),
/// and lower where growth is fast.
TEST(LongGrowth, JamsAtRandomClosePacking) {
    const World equal = start_world(cube(15.2), {particles_of(0.5, 4427)});
    EXPECT_NEAR(jammed_fraction(equal, 0.01), 0.644, 0.004);
    EXPECT_NEAR(jammed_fraction(equal, 0.1), 0.622, 0.005);
}

/// Bidisperse discs 1:1.4 jam at 0.84 (O'Hern and others, Phys. Rev. E 68 (2003) 011306).
TEST(LongGrowth, DiscsJamWhereOthersDo) {
    const World discs = start_world(square(54), {particles_of(0.5, 1100), particles_of(0.7, 1100)});
    EXPECT_NEAR(jammed_fraction(discs, 0.003), 0.845, 0.006);
}

}  // namespace
}  // namespace ricochet::test
