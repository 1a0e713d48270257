// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/mpi/kept_run.hpp"

#include <utility>

namespace ricochet::test {

KeptRun run_input(const std::string& text, std::unique_ptr<Drive> drive) {
    KeptRun run;
    run.config = parse_config(text, "input.yaml");
    MpiExchange exchange{boost::mpi::communicator()};
    Simulation simulation(exchange, run.config, run.heard);
    if (drive) simulation.add(std::move(drive));
    simulation.run(run.kept);
    run.totals = simulation.totals();
    run.num_owned = simulation.owned().size();
    return run;
}

}  // namespace ricochet::test
