// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/continuation.hpp"
#include "core/text.hpp"
#include "files/output_lock.hpp"
#include "files/output_path.hpp"
#include "plan/plan.hpp"
#include "process/launch.hpp"
#include "process/node_memory.hpp"
#include "process/run_keeper.hpp"
#include "process/stop_signals.hpp"
#include "result/xdmf.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/run/result_recorder.hpp"
#include "ricochet/run/simulation.hpp"
#include "run/found_box.hpp"
#include "run/input.hpp"
#include "run/report.hpp"

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
    if (!config.title.empty()) text += in_one_line(config.title) + "\n";
    text +=
        fmt::format("input {}, output {}, seed {}\n", config.input_name, config.output.file, config.run.seed);
    text += fmt::format("box {}{}, {} dynamics, {} steps of {:.6g}\n",
                        config.placement.until_pressure ? "of the shape " : "", box_text(config.box),
                        to_word(config.dynamics.type), config.run.num_steps, config.run.timestep);
    text += fmt::format("units: length {}, time {}, energy {}\n", config.units.length, config.units.time,
                        config.units.energy);
    return text;
}

/// What the numbers of a Brownian run mean. It comes after the notes on the user's species.
std::string meaning_text(const Config& config) {
    if (config.dynamics.type != DynamicsType::brownian) return "";
    std::string text = "what the numbers of the result mean:\n";
    for (const NamedText& note : meaning_of_numbers(config))
        text += fmt::format("  {}: {}\n", note.name, note.text);
    return text;
}

/// Throws InputError on all ranks when the result would replace a file that the run is made from. Links and
/// other names of that file count too. Collective.
void require_other_output(Exchange& exchange, const RunCommand& command, const Config& config) {
    on_root(exchange, [&]() -> std::string {
        const std::string& output = config.output.file;
        const auto refuse_same = [&](const std::string& source, const char* what) {
            std::error_code error;
            if (std::filesystem::equivalent(output, source, error))
                throw InputError(fmt::format("output file {}: is {}; choose another name", output, what));
        };
        refuse_same(command.input, "the input of this run");
        if (config.placement.method == PlacementMethod::file)
            refuse_same(placement_path(config), "the file of particles that placement.path names");
        return "";
    });
}

RunInput input_of(Exchange& exchange, const RunCommand& command) {
    RunInput input = read_input(exchange, command.input, command.overrides);
    if (command.output) {
        if (const auto problem = find_name_problem(*command.output))
            throw InputError("--output: " + *problem);
        input.config.output.file = *command.output;
    }
    require_other_output(exchange, command, input.config);
    return input;
}

/// The index for ParaView (result/xdmf.hpp) belongs to the run where a result or a checkpoint of it exists, or where
/// it names this result.
/// Throws InputError on all ranks where another file would be replaced without --force. Collective.
void require_own_index(Exchange& exchange, const RunCommand& command, const Config& config,
                       const Beginning& beginning) {
    if (command.force || beginning.checkpoint || beginning.replaces_result) return;
    on_root(exchange, [&]() -> std::string {
        const std::string index = xdmf_path(config.output.file);
        std::error_code error;
        if (!std::filesystem::exists(std::filesystem::symlink_status(index, error))) return "";
        if (has_own_xdmf(config.output.file)) return "";
        throw InputError(
            fmt::format("output file {}: {} exists without it, where its index for ParaView is to be; move "
                        "that away, give "
                        "--force to replace it, or choose another name",
                        config.output.file, index));
    });
}

/// The start asks now and then whether to stop. Each time the watchdog learns that the run is alive, and the user how
/// far it has come.
void let_signals_end_the_start(Exchange& exchange, Console& console, Watchdog& watchdog,
                               std::chrono::steady_clock::time_point start) {
    exchange.end_start_when([&console, &watchdog, start](const StartProgress& progress) {
        watchdog.note("placement");
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        if (progress.num_particles > 0) console.start(progress, seconds.count());
        return !received_stop_signal().empty();
    });
}

/// Refuses inputs that need too much memory, before any particle is placed.
void require_room(Exchange& exchange, const Config& config) {
    if (config.placement.method == PlacementMethod::file) return;
    const Config foreseen = in_foreseen_box(config);
    const ParticleSummary particles = expected_summary(foreseen);
    require_memory(exchange, foreseen, particles, make_plan(foreseen, particles, exchange.size()));
}

/// Starts from the checkpoint where there is one, otherwise afresh.
Simulation make_simulation(Exchange& exchange, const Config& config, Monitor& monitor, Beginning& beginning) {
    if (beginning.checkpoint) return {exchange, config, monitor, *std::move(beginning.checkpoint)};
    return {exchange, config, monitor};
}

ResultRecorder make_recorder(Exchange& exchange, const Config& config, RunOrigin origin,
                             const Simulation& simulation, const std::optional<ResultPosition>& position,
                             bool replaces, Monitor& monitor, Watchdog& watchdog) {
    const auto is_alive = [&watchdog] { watchdog.note("the opening of the result"); };
    is_alive();
    if (position) return {exchange, config, std::move(origin), simulation, *position, monitor, is_alive};
    if (replaces) remove_checkpoints(exchange, config.output.file);
    return {exchange, config, std::move(origin), simulation, replaces, monitor};
}

/// Closes the result and prints the report, the names of the files, and how to continue. Collective.
ExitStatus conclude(Exchange& exchange, const Config& config, const Simulation& simulation,
                    const RunKeeper& keeper, ResultRecorder& recorder, Console& console, RunEnd end) {
    const bool is_finished = end == RunEnd::finished;
    const RunTimes times = keeper.times();
    const RunReport accounts = report(exchange, config, simulation, times);
    recorder.close(times.wall_seconds, is_finished ? "finished" : "stopped at a checkpoint",
                   accounts.provenance);
    if (is_finished && config.output.checkpoint.keep == 0) keeper.remove_checkpoints();

    console.print(accounts.text);
    if (!accounts.details.empty()) console.detail("details of the steps:\n" + accounts.details);
    console.print(fmt::format("result: {}\n", config.output.file));
    if (is_finished) return ExitStatus::done;
    console.print(fmt::format("checkpoint: {}; run again with --continue\n", keeper.latest_path()));
    return ExitStatus::stopped_resumable;
}

/// Everything up to the last complete step, and why there is no more. Another error on the way is not told: the first
/// one is.
void keep_results(ResultRecorder& recorder, const RunError& error) {
    try {
        recorder.flush_all();
        recorder.note_error(error.what());
    } catch (const RunError&) {
        return;
    }
}

/// Where an error of all ranks ends the run, all that was observed before it counts.
RunEnd run_to_end(Simulation& simulation, ResultRecorder& recorder, RunKeeper& keeper) {
    try {
        return simulation.run(recorder, keeper);
    } catch (const Hdf5Error&) {
        throw;  // of one rank alone, perhaps
    } catch (const RunError& error) {
        keep_results(recorder, error);
        throw;
    }
}

ExitStatus run(Exchange& exchange, const RunCommand& command) {
    const auto start = std::chrono::steady_clock::now();
    install_stop_signals();
    const StopLimits limits = StopLimits::from(start, command.max_hours);
    const RunInput input = input_of(exchange, command);
    const Config& config = input.config;
    Console console(exchange.rank() == 0, command.is_verbose);
    Watchdog watchdog(exchange.rank(), config.run.watchdog);
    check_output_path(exchange, config.output.file, true);
    lock_of_this_process().take(exchange, config.output.file);
    let_signals_end_the_start(exchange, console, watchdog, start);
    Beginning beginning = find_beginning(exchange, command, config, console);
    if (beginning.has_ended) {
        console.print(fmt::format("{}: its run has ended, with all of {} steps; nothing is left to do\n",
                                  config.output.file, config.run.num_steps));
        return ExitStatus::done;
    }
    require_own_index(exchange, command, config, beginning);
    require_room(exchange, config);

    console.print(heading(config, exchange.size()));
    std::optional<ResultPosition> position;
    if (beginning.checkpoint) position = beginning.checkpoint->result;
    RunTimes earlier_times = beginning.checkpoint ? beginning.checkpoint->state.times : RunTimes{};
    watchdog.note("placement");
    Simulation simulation = make_simulation(exchange, config, console, beginning);
    const Config& settled = simulation.config();
    console.print(meaning_text(settled));
    ResultRecorder recorder = make_recorder(
        exchange, settled, {input.text, describe_launch(exchange, command.line), beginning.identity},
        simulation, position, beginning.replaces_result, console, watchdog);
    lock_of_this_process().mark_output(exchange);
    RunKeeper keeper(exchange, settled, simulation, recorder, console, watchdog, limits);
    keeper.describe_run(beginning.identity, start, std::move(earlier_times));
    keep_freed_memory();
    const RunEnd end = run_to_end(simulation, recorder, keeper);
    watchdog.note("the closing of the result");
    return conclude(exchange, settled, simulation, keeper, recorder, console, end);
}

}  // namespace

/// A stop during the placement has the exit status of a stop at a checkpoint, so that job scripts queue the
/// job again. Then `--continue` starts afresh, since there is no checkpoint (continuation.hpp).
ExitStatus execute(Exchange& exchange, const RunCommand& command) {
    try {
        return run(exchange, command);
    } catch (const StoppedAtStart& stop) {
        Console(exchange.rank() == 0).print(std::string(stop.what()) + "\n");
        return ExitStatus::stopped_resumable;
    }
}

}  // namespace ricochet
