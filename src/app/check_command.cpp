// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <string>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/input.hpp"
#include "ricochet/app/diffusion_outlook.hpp"
#include "ricochet/app/equilibration.hpp"
#include "ricochet/app/plan.hpp"
#include "ricochet/app/scaling_model.hpp"
#include "ricochet/app/start.hpp"

namespace ricochet {
namespace {

/// Generated particles are foreseen, those of a file are read and measured.
ParticleSummary summary_of(MpiExchange& exchange, const Config& config) {
    if (config.placement.method != PlacementMethod::file) return expected_summary(config);
    Start start = make_start(exchange, config);
    drive(config, start.particles, 0);
    return measured_summary(exchange, config, start.particles);
}

std::string notes_on(const PlacementForecast& placement, const Config& config) {
    std::string text;
    for (const std::string& note : placement.notes) text += "  note: " + note + "\n";
    for (const std::string& sentence : describe_diffusion(config)) text += "  note: " + sentence + "\n";
    if (placement.needs_equilibration && !config.run.equilibrate)
        text += fmt::format(
            "  note: the lattice is melted before step 0, by {:.0f} to {:.0f} unrecorded collisions per "
            "particle; run.equilibrate.collisions_per_particle sets their number, 0 none\n",
            least_to_melt, most_to_melt);
    return text;
}

}  // namespace

ExitStatus execute(MpiExchange& exchange, const CheckCommand& command) {
    const RunInput input = read_input(exchange, command.input, command.overrides);
    const ParticleSummary particles = summary_of(exchange, input.config);
    const RunPlan plan = make_plan(input.config, particles, command.num_ranks.value_or(exchange.size()));
    const PlacementForecast placement = foresee_placement(exchange, input.config);
    Console console(exchange.rank() == 0);
    console.print("# The input with all defaults:\n" + effective_yaml(input.config));
    console.print("\n# The plan:\n" + describe(input.config, particles, plan) +
                  notes_on(placement, input.config));
    console.print("\n# The speed:\n" + describe_speed(input.config, particles, plan));
    return ExitStatus::done;
}

}  // namespace ricochet
