// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/input.hpp"
#include "app/report.hpp"
#include "ricochet/app/plan.hpp"
#include "ricochet/app/result_recorder.hpp"
#include "ricochet/app/simulation.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/io/output_path.hpp"

namespace ricochet {
namespace {

std::string box_text(const Box& box) {
    std::string text;
    for (int axis = 0; axis < box.dimension; ++axis)
        text += fmt::format("{}{:.6g}{}", axis == 0 ? "" : " x ", box.size[axis],
                            box.is_periodic(axis) ? "" : " (walls)");
    return text;
}

std::string heading(const Config& config, int num_ranks) {
    std::string text = fmt::format("ricochet {} ({}) on {} rank{}\n", version(), git_id(), num_ranks,
                                   num_ranks == 1 ? "" : "s");
    if (!config.title.empty()) text += config.title + "\n";
    text +=
        fmt::format("input {}, output {}, seed {}\n", config.input_name, config.output.file, config.run.seed);
    text += fmt::format("box {}, {} dynamics, {} steps of {:.6g}\n", box_text(config.box),
                        to_word(config.dynamics.type), config.run.num_steps, config.run.timestep);
    text += fmt::format("units: length {}, time {}, energy {}\n", config.units.length, config.units.time,
                        config.units.energy);
    if (config.dynamics.type == DynamicsType::brownian)
        for (const NamedText& note : meaning_of_numbers(config))
            text += fmt::format("  {}: {}\n", note.name, note.text);
    return text;
}

RunInput input_of(MpiExchange& exchange, const RunCommand& command) {
    RunInput input = read_input(exchange, command.input, command.overrides);
    if (command.output) input.config.output.file = *command.output;
    return input;
}

}  // namespace

ExitStatus execute(MpiExchange& exchange, const RunCommand& command) {
    const auto start = std::chrono::steady_clock::now();
    const RunInput input = input_of(exchange, command);
    const Config& config = input.config;
    check_output_path(exchange.communicator(), config.output.file, command.force);

    require_possible(config, exchange.size());

    Console console(exchange.rank() == 0);
    console.print(heading(config, exchange.size()));
    Simulation simulation(exchange, config, console);
    ResultRecorder recorder(exchange.communicator(), config, input.text, simulation.num_particles(),
                            command.force, console);
    simulation.run(recorder);
    recorder.close(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());

    console.print(report(exchange, config, simulation));
    console.print(fmt::format("result: {}\n", config.output.file));
    return ExitStatus::done;
}

}  // namespace ricochet
