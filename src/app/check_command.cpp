// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/plan_text.hpp"
#include "app/speed_text.hpp"
#include "core/readable.hpp"
#include "files/output_path.hpp"
#include "plan/growth_outlook.hpp"
#include "plan/plan.hpp"
#include "process/node_memory.hpp"
#include "ricochet/core/error.hpp"
#include "run/drives.hpp"
#include "run/equilibration.hpp"
#include "run/found_box.hpp"
#include "run/input.hpp"
#include "run/lattice_note.hpp"
#include "run/measured_species.hpp"
#include "run/measured_speed.hpp"
#include "run/measured_summary.hpp"
#include "run/start.hpp"
#include "theory/contact_rate.hpp"
#include "theory/diffusion_outlook.hpp"
#include "theory/drive_outlook.hpp"
#include "theory/mass_outlook.hpp"
#include "theory/product_outlook.hpp"
#include "theory/rate_outlook.hpp"

namespace ricochet {
namespace {

/// Expected values for generated particles. Particles from a file are read and measured, and what the run will
/// say of them is added to the notes. Estimates take their numbers and sizes.
ParticleSummary summary_of(Exchange& exchange, const Config& config, Config& for_estimates,
                           std::string& notes) {
    for_estimates = config;
    if (config.placement.method != PlacementMethod::file) {
        for_estimates = in_foreseen_box(config);
        ParticleSummary summary = expected_summary(for_estimates);
        if (const auto pressure = config.placement.until_pressure)
            summary.contacts_per_step =
                contact_rate_at_pressure(for_estimates, *pressure, config.dynamics.kT) * config.run.timestep;
        return summary;
    }
    Start start = make_start(exchange, config);
    for (const std::string& note : start.notes) notes += "  note: " + note + "\n";
    make_drives(config).start(start.particles);
    for_estimates = config_for_estimates(exchange, config, start.particles);
    return measured_summary(exchange, config, start.particles);
}

/// Most radii that a check draws from distributions: more would take too long.
constexpr std::uint64_t most_drawn = 20'000'000;

std::uint64_t num_drawn(const Config& config) {
    std::uint64_t sum = 0;
    for (const Species& species : config.species) sum += species.radius_distribution ? species.count : 0;
    return sum;
}

/// None where that would take too long.
std::optional<PlacementForecast> foreseen_placement(Exchange& exchange, const Config& config) {
    if (num_drawn(config) > most_drawn) return std::nullopt;
    return foresee_placement(exchange, config);
}

bool settles_first(const std::optional<PlacementForecast>& placement) {
    return placement && placement->needs_equilibration;
}

std::string notes_on_placement(const Config& config, const std::optional<PlacementForecast>& foreseen) {
    if (!foreseen)
        return "  note: whether this many particles of distributed radii can be placed is not looked at\n";
    const PlacementForecast& placement = *foreseen;
    std::string text;
    for (const std::string& note : placement.notes) text += "  note: " + note + "\n";
    if (placement.cpu_seconds >= 0.05)
        text += fmt::format("  note: the placement takes about {} s of CPU time, shared by all ranks\n",
                            placement.cpu_seconds < 10 ? fmt::format("{:.1g}", placement.cpu_seconds)
                                                       : fmt::format("{:.0f}", placement.cpu_seconds));
    if (const auto note = crystal_note(world_of(config), placement.num_sites))
        text += "  note: " + *note + "\n";
    else if (placement.needs_equilibration && !config.run.equilibrate)
        text += fmt::format(
            "  note: the {} start is equilibrated before step 0, by {:.0f} unrecorded collisions per "
            "particle{}; "
            "run.equilibrate.collisions_per_particle sets their number, 0 none\n",
            config.placement.method == PlacementMethod::grow ? "grown" : "dense", least_to_settle,
            is_above_freezing(world_of(config)) ? "" : fmt::format(" or up to {:.0f}", most_to_settle));
    return text;
}

std::string notes_on_diffusion(const Config& config) {
    std::string text;
    const World world = world_of(config);
    for (const auto& sentences :
         {describe_diffusion(config), describe_masses(world), describe_rates(world), describe_decays(world),
          describe_tethers(world), describe_drive(config), describe_forces(config), describe_walls(config),
          describe_thermal_walls(config), describe_rest(config), describe_self_gravity(config),
          describe_products(world)})
        for (const std::string& sentence : sentences) text += "  note: " + sentence + "\n";
    return text;
}

std::string notes_on_growth(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    std::string text;
    for (const std::string& sentence : describe_growth(config, particles, plan))
        text += "  note: " + sentence + "\n";
    return text;
}

/// Compares the memory of all ranks together with that of this machine, since other nodes are not known.
std::string note_on_memory(const RunPlan& plan) {
    const double needed = plan.num_ranks * plan.bytes_per_rank;
    const double available = available_memory().value_or(std::numeric_limits<double>::infinity());
    if (needed <= available) return "";
    return fmt::format(
        "  note: {} ranks need about {} of memory together, and {} are available on this machine\n",
        plan.num_ranks, in_bytes(needed), in_bytes(available));
}

/// What a run would be refused for now, and not when its output has another place.
std::string note_on_output(Exchange& exchange, const std::string& path) {
    try {
        check_output_path(exchange, path, false);
    } catch (const InputError& refusal) {
        return fmt::format("  note: `run` would be refused as things are: {}\n", refusal.what());
    }
    return "";
}

}  // namespace

ExitStatus execute(Exchange& exchange, const CheckCommand& command) {
    const RunInput input = read_input(exchange, command.input, command.overrides);
    check_output_name(exchange, input.config.output.file);
    std::string notes;
    Config config;
    const ParticleSummary particles = summary_of(exchange, input.config, config, notes);
    const RunPlan plan = make_plan(config, particles, command.num_ranks.value_or(exchange.size()));
    if (!command.num_ranks) require_memory(exchange, config, particles, plan);
    const auto placement = foreseen_placement(exchange, input.config);
    notes += notes_on_placement(input.config, placement) + notes_on_diffusion(config) +
             notes_on_growth(config, particles, plan) + note_on_memory(plan) +
             note_on_output(exchange, input.config.output.file);
    Console console(exchange.rank() == 0);
    console.print("# The input with all defaults:\n" + effective_yaml(input.config));
    console.print("\n# The plan:\n" + describe(config, particles, plan) + notes);
    console.print("\n# The speed:\n" + describe_speed(config, particles, plan));
    if (command.is_measured)
        console.print("\n# The speed, measured:\n" +
                      describe_speed(input.config, plan,
                                     measure_speed(exchange, input.config, settles_first(placement))));
    if (command.is_verbose) console.print("\n# Details:\n" + describe_slabs(config, plan));
    return ExitStatus::done;
}

}  // namespace ricochet
