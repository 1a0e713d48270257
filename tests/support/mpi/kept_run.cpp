// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/mpi/kept_run.hpp"

#include <cmath>
#include <limits>

namespace ricochet::test {
namespace {

Vec3 vector_in(const Sample& sample, const char* column) {
    const auto values = sample.of(column);
    return {values[0], values[1], values[2]};
}

/// Walls that are not there have no value.
std::array<double, 6> wall_pressure_in(const Sample& sample) {
    std::array<double, 6> pressure;
    pressure.fill(std::numeric_limits<double>::quiet_NaN());
    for (const ObservableInfo& info : sample.columns)
        for (std::size_t k = 0; info.name == "wall_pressure" && k < info.num_values(); ++k)
            pressure[2 * static_cast<std::size_t>(info.labels[k][0] - 'x') +
                     (info.labels[k].ends_with("high") ? 1 : 0)] = sample.of(info.name)[k];
    return pressure;
}

/// In the order of the columns: each species with itself, with later ones, with the walls.
PairTable contacts_in(const Sample& sample, std::size_t num_species) {
    PairTable contacts(num_species);
    auto next = sample.of("contacts").begin();
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        for (SpeciesIndex b = a; b < num_species; ++b) contacts.at(a, b) = std::llround(*next++);
        contacts.at(a, wall_species) = std::llround(*next++);
    }
    return contacts;
}

}  // namespace

ObservableSample observables_of(const Sample& sample) {
    const auto displacement = sample.of("mean_square_displacement");
    return {.energy = sample.of("energy")[0],
            .momentum = vector_in(sample, "momentum"),
            .temperature = sample.of("temperature")[0],
            .pressure = sample.of("pressure")[0],
            .compressibility = sample.of("compressibility")[0],
            .collision_rate = sample.of("collision_rate")[0],
            .wall_pressure = wall_pressure_in(sample),
            .body_force = {},
            .mean_square_displacement = {displacement.begin(), displacement.end()},
            .contacts = contacts_in(sample, displacement.size())};
}

KeptRun run_input(const std::string& text, const std::function<void(Simulation&)>& prepare) {
    KeptRun run;
    run.config = parse_config(text, "input.yaml");
    MpiExchange exchange{boost::mpi::communicator()};
    Simulation simulation(exchange, run.config, run.monitor);
    prepare(simulation);
    simulation.run(run.kept);
    run.totals = simulation.totals();
    run.num_owned = simulation.owned().size();
    return run;
}

}  // namespace ricochet::test
