// SPDX-License-Identifier: BSD-3-Clause
//
// Uses everything that is installed: runs an input on the ranks it is started on, and counts.
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <cstdio>

#include "ricochet/ricochet.hpp"

namespace {

constexpr const char* input = R"(
title: A small gas
box: {size: [12, 12, 12], boundary: periodic}
species: [{name: sphere, radius: 0.5, mass: 1, count: 500}]
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 20}
output: {file: unused.h5md}
)";

}  // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    ricochet::MpiExchange exchange{boost::mpi::communicator()};
    const ricochet::Config config = ricochet::parse_config(input, "the input");
    ricochet::Monitor silent;
    ricochet::Recorder nothing;
    ricochet::Simulation simulation(exchange, config, silent);
    simulation.run(nothing);
    const ricochet::RunTotals& totals = simulation.totals();
    if (exchange.rank() == 0) {
        std::printf("ricochet %s: %lld collisions\n", ricochet::version(),
                    static_cast<long long>(totals.num_collisions));
        for (const auto& library : ricochet::library_versions())
            std::printf("%s %s\n", library.name.c_str(), library.version.c_str());
    }
    return totals.num_particles == 500 && totals.num_steps == 20 && totals.num_collisions > 0 ? 0 : 1;
}
