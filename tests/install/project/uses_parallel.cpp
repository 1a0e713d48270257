// SPDX-License-Identifier: BSD-3-Clause
//
// Uses the installed parallel library.
#include <boost/mpi.hpp>
#include <functional>
#include <iostream>

#include "ricochet/core/version.hpp"
#include "ricochet/io/library_versions.hpp"

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    const boost::mpi::communicator world;
    const int num_ranks = boost::mpi::all_reduce(world, 1, std::plus<>());
    if (world.rank() == 0) {
        std::cout << "ricochet " << ricochet::version() << " on " << num_ranks << " ranks\n";
        for (const auto& library : ricochet::library_versions())
            std::cout << library.name << " " << library.version << "\n";
    }
    return num_ranks == world.size() ? 0 : 1;
}
