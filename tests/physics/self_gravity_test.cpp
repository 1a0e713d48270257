// SPDX-License-Identifier: BSD-3-Clause
//
// Mutual gravity through the program: Kepler's orbit (V19), and the energy of clouds that collapse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "ricochet/run/simulation.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet::test {
namespace {

/// Energies at each sample, and what contacts took until then.
class EnergyBalance final : public Recorder {
  public:
    explicit EnergyBalance(double mass) : mass_(mass) {}

    void frame(std::uint64_t, double, const Particles&) override {}
    bool wants_contacts() const override { return true; }
    void contacts(std::uint64_t, std::span<const Contact> reported) override {
        for (const Contact& contact : reported) {
            ++num_contacts;
            const double reduced = contact.species_high == wall_species ? mass_ : 0.5 * mass_;
            const double impulse = std::abs(contact.impulse);
            lost += impulse * std::abs(contact.speed) - impulse * impulse / (2 * reduced);
        }
    }
    void sample(std::uint64_t, double, const Sample& sample) override {
        totals.push_back(sample.of("total_energy")[0]);
        potentials.push_back(sample.of("potential_energy")[0]);
        balances.push_back(totals.back() + lost - totals.front());
    }

    std::vector<double> totals, potentials, balances;
    double lost = 0;
    std::uint64_t num_contacts = 0;

  private:
    double mass_;
};

void run_balance(const std::string& text, EnergyBalance& balance, const std::string& name = "input.yaml") {
    MpiExchange exchange{boost::mpi::communicator()};
    Listener listener;
    const Config config = parse_config(text, name);
    Simulation simulation(exchange, config, listener);
    simulation.run(balance);
}

// --- Kepler's orbit ------------------------------------------------------------------------------------------

/// Two masses, 1 and 1/4, on an orbit of eccentricity 1/2 and semi-major axis 1, from the apocentre.
EnergyBalance orbit_of(int num_orbits, int steps_per_orbit) {
    MpiRanks world;
    const TemporaryFolder folder(world);
    const double speed = std::sqrt(1.25 / 3);
    std::ofstream(folder.file("start.csv"))
        << "id,species,x,y,z,vx,vy,vz\n0,sun,3.7,4,4,0," << std::to_string(-0.2 * speed)
        << ",0\n1,planet,5.2,4,4,0," << std::to_string(0.8 * speed) << ",0\n";
    const std::string input =
        "box: {size: [8, 8, 8], boundary: reflecting}\n"
        "species: [{name: sun, radius: 1e-3, mass: 1}, {name: planet, radius: 1e-3, mass: 0.25}]\n"
        "placement: {method: file, path: start.csv}\ndynamics: {type: ballistic}\n"
        "self_gravity: {constant: 1}\noutput: {observables_every: 1, trajectory_every: 0}\n"
        "run: {timestep: " +
        std::to_string(2 * std::numbers::pi / std::sqrt(1.25) / steps_per_orbit) +
        ", steps: " + std::to_string(num_orbits * steps_per_orbit) + "}\n";
    EnergyBalance balance(1);
    run_balance(input, balance, folder.file("input.yaml"));
    return balance;
}

/// |dE/E|, the largest of an orbit.
double worst_in(const EnergyBalance& balance, int first_step, int num_steps) {
    double worst = 0;
    for (int k = first_step; k < first_step + num_steps; ++k)
        worst = std::max(worst, std::abs(balance.balances[static_cast<std::size_t>(k)] / balance.totals[0]));
    return worst;
}

void expect_bounded_energy(int num_orbits) {
    const EnergyBalance balance = orbit_of(num_orbits, 1000);
    ASSERT_EQ(balance.totals.size(), static_cast<std::size_t>(1000 * num_orbits + 1));
    const double first = worst_in(balance, 0, 1000), last = worst_in(balance, 1000 * (num_orbits - 1), 1000);
    std::printf("|dE/E| %.3e in the first of %d orbits, %.3e in the last\n", first, num_orbits, last);
    EXPECT_LT(first, 1.1e-4);
    EXPECT_NEAR(last, first, 1e-6);
}

TEST(SelfGravityPhysics, OrbitsKeepTheirEnergy) { expect_bounded_energy(20); }

// V19: 1e4 orbits, of which each is as the first.
TEST(LongSelfGravityPhysics, OrbitsKeepTheirEnergy) { expect_bounded_energy(10'000); }

TEST(SelfGravityPhysics, ErrorsAreOfSecondOrder) {
    const double coarse = worst_in(orbit_of(1, 500), 0, 500), fine = worst_in(orbit_of(1, 1000), 0, 1000);
    EXPECT_NEAR(coarse / fine, 4, 0.1);
}

/// Two discs by the law of two dimensions, of which orbits are no ellipses: the largest change of the energy.
double change_of_rosette(double timestep) {
    MpiRanks world;
    const TemporaryFolder folder(world);
    std::ofstream(folder.file("start.csv"))
        << "id,species,x,y,vx,vy\n0,sun,3.7,4,0,-0.125\n1,planet,5.2,4,0,0.5\n";
    EnergyBalance balance(1);
    run_balance(
        "box: {size: [8, 8], boundary: reflecting}\n"
        "species: [{name: sun, radius: 1e-3, mass: 1}, {name: planet, radius: 1e-3, mass: 0.25}]\n"
        "placement: {method: file, path: start.csv}\ndynamics: {type: ballistic}\n"
        "self_gravity: {constant: 1, law: inverse}\noutput: {observables_every: 1, trajectory_every: 0}\n"
        "run: {timestep: " +
            std::to_string(timestep) + ", steps: " + std::to_string(std::lround(40 / timestep)) + "}\n",
        balance, folder.file("input.yaml"));
    EXPECT_EQ(balance.num_contacts, 0u);
    double worst = 0;
    for (const double change : balance.balances) worst = std::max(worst, std::abs(change));
    return worst;
}

TEST(SelfGravityPhysics, RosettesKeepTheirEnergy) {
    const double coarse = change_of_rosette(0.01), fine = change_of_rosette(0.005);
    std::printf("|dE| %.2e and %.2e\n", coarse, fine);
    EXPECT_LT(coarse, 1e-3);
    EXPECT_NEAR(coarse / fine, 4, 0.3);
}

// --- images --------------------------------------------------------------------------------------------------

/// Elastic spheres that fall into clumps, through all faces: the largest change of the energy over the kinetic one. The
/// tree's forces have no potential, so its energy changes by its errors.
double change_among_images(const std::string& box, const std::string& method, double timestep) {
    EnergyBalance balance(1);
    run_balance("box: {" + box +
                    "}\nspecies: [{name: grain, radius: 0.2, mass: 1, count: 120}]\n"
                    "dynamics: {type: ballistic, kT: 1}\nself_gravity: {constant: 0.3, " +
                    method + "}\noutput: {observables_every: 1, trajectory_every: 0}\nrun: {timestep: " +
                    std::to_string(timestep) + ", steps: " + std::to_string(std::lround(2 / timestep)) +
                    ", seed: 3}\n",
                balance);
    EXPECT_GT(balance.num_contacts, 20u);
    double worst = 0;
    for (const double total : balance.totals) worst = std::max(worst, std::abs(total - balance.totals[0]));
    return worst / (balance.totals[0] - balance.potentials[0]);
}

TEST(SelfGravityPhysics, ImagesKeepTheEnergy) {
    for (const std::string box : {"size: [6, 6, 6], boundary: periodic",
                                  "size: [6, 6, 9], boundary: [periodic, periodic, reflecting]",
                                  "size: [8, 6, 6], boundary: [periodic, reflecting, reflecting]"}) {
        const double direct = change_among_images(box, "method: direct", 0.002);
        const double tree = change_among_images(box, "opening: 0.5", 0.002);
        std::printf("%s: |dE| over the kinetic energy %.2e, by the tree %.2e\n", box.c_str(), direct, tree);
        EXPECT_LT(direct, 1e-3);
        EXPECT_LT(tree, 1e-2);
    }
}

// --- collapse ------------------------------------------------------------------------------------------------

/// A cold cloud falls together and becomes a heap. What contacts have taken is in their records.
void expect_balance(int count, double size) {
    const std::string input =
        "box: {size: [" + std::to_string(size) + ", " + std::to_string(size) + ", " + std::to_string(size) +
        "], boundary: reflecting}\nspecies: [{name: grain, radius: 0.5, mass: 1, count: " +
        std::to_string(count) +
        "}]\ndynamics: {type: ballistic, kT: 0.001}\nself_gravity: {constant: 1}\n"
        "contacts: {restitution: 0.5, collapse: {duration: 0.001}}\n"
        "run: {timestep: 0.007, steps: 1000}\noutput: {observables_every: 20, trajectory_every: 0}\n";
    EnergyBalance balance(1);
    run_balance(input, balance);
    const double scale = std::abs(balance.potentials.back());
    double worst = 0;
    for (const double error : balance.balances) worst = std::max(worst, std::abs(error) / scale);
    std::printf("%llu contacts took %.4g; potential energy %.5g to %.5g; balance within %.2e\n",
                static_cast<unsigned long long>(balance.num_contacts), balance.lost,
                balance.potentials.front(), balance.potentials.back(), worst);
    EXPECT_GT(balance.lost, 0.5 * scale);
    EXPECT_LT(worst, 1e-3);
}

TEST(SelfGravityPhysics, CollapseHasItsEnergy) { expect_balance(1000, 46.4); }
TEST(LongSelfGravityPhysics, CollapseHasItsEnergy) { expect_balance(10'000, 100); }

}  // namespace
}  // namespace ricochet::test
