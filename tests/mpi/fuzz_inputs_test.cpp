// SPDX-License-Identifier: BSD-3-Clause
//
// Mutated inputs and files of particles: `check` accepts or refuses each within seconds, in sentences for
// people, and what it accepts can be run. RICOCHET_FUZZ names another number of cases, RICOCHET_FUZZ_SEED the
// first of other ones. A case that fails or ends the program is left in the working folder, in
// fuzz_on_N_ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/mpi/communicator.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "core/text.hpp"
#include "plan/plan.hpp"
#include "ricochet/core/error.hpp"
#include "run/input.hpp"
#include "slabs/work_meter.hpp"
#include "tests/support/mpi/kept_run.hpp"
#include "tests/support/mutation.hpp"

namespace ricochet::test {
namespace {

constexpr double most_seconds = 10;  ///< of this rank's processor, so that other programs do not count
constexpr std::size_t longest_line = 1000, most_lines = 60;
constexpr std::uint64_t most_particles = 600;

const std::vector<std::string> yaml_seeds{
    "title: gas\nbox: {size: [9, 7, 7], boundary: periodic}\nspecies:\n"
    "  - {name: ball, radius: 0.5, mass: 1, volume_fraction: 0.25}\nplacement: {method: random}\n"
    "dynamics: {type: ballistic, kT: 1}\nrun: {timestep: 0.1, steps: 20, seed: 3}\n"
    "output: {file: gas.h5md, trajectory_every: 5, observables_every: 2, collisions: all}\n",
    "box: {size: [12, 9], boundary: [periodic, reflecting]}\nspecies:\n"
    "  - {name: small, radius: 0.2, mass: 1, count: 60}\n  - {name: large, radius: 0.4, mass: 4, count: 20}\n"
    "dynamics: {type: ballistic, kT: 1, velocities: equal_speed}\n"
    "contacts: {restitution: 0.9, walls: {restitution: 0.8}}\nsearch: {method: slices}\n"
    "run: {timestep: 0.05, steps: 30, seed: 5, contact_cap: 100000, sub_window: 0.01}\n"
    "output: {trajectory_every: 3, observables_every: 1, collisions: [[small, large]], precision: float32}\n",
    "units: {length: nm, time: ns, energy: kT}\nbox: {size: [20, 20, 20]}\nspecies:\n"
    "  - name: protein\n    radius: {lognormal: {median: 0.4, sigma: 0.3, min: 0.2, max: 1}}\n"
    "    diffusion: {stokes_einstein: {viscosity: 0.1}}\n    count: 300\ndynamics: {type: brownian, kT: 1}\n"
    "run: {timestep: 0.01, steps: 4, equilibrate: {collisions_per_particle: 1}}\n",
    "box: {size: [7, 7, 7]}\nspecies: [{name: a, radius: 0.5, mass: 1, count: 216}]\n"
    "placement: {method: lattice, type: sc}\ndynamics: {type: ballistic, kT: 1}\nrun: {timestep: 0.01, "
    "steps: 4}\n",
    "box: {size: [8, 8, 8], boundary: [reflecting, periodic, periodic]}\nspecies:\n"
    "  - {name: a, radius: 0.3, mass: 1, diffusion: 1, count: 150}\n"
    "  - {name: b, radius: 0.4, mass: 2, diffusion: 0.5, count: 0}\ndynamics: {type: ballistic, kT: 1}\n"
    "contacts: {restitution: 1, pairs: [{between: [a, a], react: {to: [b, a], probability: 0.5}}, "
    "{between: [b, wall], faces: [x-, x+], react: {to: [a]}}, {between: [a, b], pass: {}}, "
    "{between: [b, b], coalesce: {}}]}\nrun: {timestep: 0.1, steps: 4}\n",
    "box: {size: [8, 8, 8]}\nspecies:\n  - {name: a, radius: 0.3, diffusion: 1, count: 90}\n"
    "  - {name: b, radius: 0.4, diffusion: 0.5, count: 40}\ndynamics: {type: brownian, kT: 1}\n"
    "contacts: {pairs: [{between: [b, a], stick: {length: 1.5, rate: 5, valence: [3, 2], break_rate: 4}}]}\n"
    "run: {timestep: 0.001, steps: 4}\n",
    "box: {size: [20, 12, 12], boundary: [reflecting, periodic, periodic]}\n"
    "species: [{name: ball, radius: 0.5, mass: 1}]\nplacement: {method: file, path: case.csv}\n"
    "dynamics: {type: ballistic, velocities: given}\nrun: {timestep: 0.5, steps: 4}\n"};

const std::vector<std::string> csv_seeds{
    "id,species,x,y,z,vx,vy,vz\n0,ball,2,3,3,1,0,0\n1,ball,6,3,3,0,0,0\n2,ball,7,3,3,0,0,0\n3,ball,8,9,3,0,-"
    "1,0\n",
    "# comment\nx, y, z, vx, vy, vz, radius, "
    "mass\n2,3,3,1,0,0,0.5,1\n6,3,3,0,0,0,0.25,2\n7,7,3,1.5,0,0,1,1e3\n"};

/// An error says where it is: in a file, an option or a key, on a rank, or in a step of the run.
constexpr std::array places{"case.", "--", "placement", "output file", "rank", "step "};

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// One for each number of ranks, which may be tested at the same time.
std::string folder() { return "fuzz_on_" + std::to_string(boost::mpi::communicator().size()) + "_ranks"; }
std::string yaml_path() { return folder() + "/case.yaml"; }

void write(const std::string& path, const std::string& text) {
    if (boost::mpi::communicator().rank() > 0) return;
    std::filesystem::create_directory(folder());
    std::ofstream(path, std::ios::binary) << text;
}

/// What an error says to people, as it is printed: some lines, none of them long, without control characters.
void expect_to_be_sentences(const std::string& text) {
    std::size_t num_lines = 1, length = 0;
    for (const char c : text) {
        length = c == '\n' ? 0 : length + 1;
        num_lines += c == '\n' ? 1 : 0;
        ASSERT_LE(length, longest_line);
        ASSERT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)) << text;
    }
    EXPECT_LE(num_lines, most_lines);
    EXPECT_GT(text.size(), 10u);
    const auto says = [&](const char* word) { return text.find(word) != std::string::npos; };
    EXPECT_TRUE(std::any_of(places.begin(), places.end(), says)) << text;
}

/// What `work` refuses with; nothing where it does not.
template <class Work>
std::string refusal_of(Work&& work) {
    try {
        work();
    } catch (const InputError& error) {
        return error.what();
    } catch (const RunError& error) {
        return error.what();
    }
    return "";
}

/// The refusal by `check`, whose own output is left out.
std::string refusal_of_check(MpiExchange& exchange) {
    testing::internal::CaptureStdout();
    std::string refusal = refusal_of([&] { execute(exchange, CheckCommand{yaml_path(), {}, {}}); });
    testing::internal::GetCapturedStdout();
    return refusal;
}

/// Ends a run after three steps, of the equilibration or recorded.
class Brief final : public Interruptions {
  public:
    Interruption ask(const StepEnd& end) override {
        return end.step >= 3 ? Interruption::stop : Interruption::none;
    }
};

void run_briefly(MpiExchange& exchange) {
    const Config config = read_input(exchange, yaml_path(), {}).config;
    if (config.placement.method != PlacementMethod::file) {
        const ParticleSummary particles = expected_summary(config);
        if (particles.num_particles > most_particles || particles.contacts_per_step.value_or(0) > 1e4) return;
    }
    Listener monitor;
    Simulation simulation(exchange, config, monitor);
    Keeper keeper;
    Brief brief;
    simulation.run(keeper, brief);
}

void try_case(std::uint64_t seed) {
    SCOPED_TRACE("RICOCHET_FUZZ=1 RICOCHET_FUZZ_SEED=" + std::to_string(seed));
    HashRandom random(seed);
    const bool is_of_particles = random.index(4) == 0;
    const std::string& yaml =
        is_of_particles ? yaml_seeds.back() : yaml_seeds[random.index(yaml_seeds.size())];
    const std::string& csv = csv_seeds[random.index(csv_seeds.size())];
    write(yaml_path(), is_of_particles ? yaml : mutated(yaml, yaml_seeds, random));
    write(folder() + "/case.csv", is_of_particles ? mutated(csv, csv_seeds, random) : csv);
    MpiExchange exchange{boost::mpi::communicator()};
    const double start = thread_cpu_seconds();
    std::string refusal = refusal_of_check(exchange);
    if (refusal.empty()) refusal = refusal_of([&] { run_briefly(exchange); });
    if (!refusal.empty()) expect_to_be_sentences(as_message(refusal));
    EXPECT_LT(thread_cpu_seconds() - start, most_seconds);
}

void try_cases(std::uint64_t number, std::uint64_t first_seed) {
    for (std::uint64_t seed = first_seed; seed < first_seed + number && !testing::Test::HasFailure(); ++seed)
        try_case(seed);
    if (testing::Test::HasFailure() || boost::mpi::communicator().rank() > 0) return;
    std::filesystem::remove_all(folder());
}

TEST(FuzzInputs, AreAcceptedOrRefused) {
    try_cases(number_in("RICOCHET_FUZZ", 300), number_in("RICOCHET_FUZZ_SEED", 1));
}

/// Refused in sentences.
TEST(LongFuzzInputs, AreAcceptedOrRefused) { try_cases(20'000, 1'000'000); }

}  // namespace
}  // namespace ricochet::test
