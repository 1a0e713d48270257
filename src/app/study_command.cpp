// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "config/search_rules.hpp"
#include "core/text.hpp"
#include "files/output_file.hpp"
#include "files/output_path.hpp"
#include "plan/plan.hpp"
#include "process/node_memory.hpp"
#include "process/stop_signals.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/search/search_method.hpp"
#include "run/found_box.hpp"
#include "run/input.hpp"
#include "study/study.hpp"
#include "study/study_text.hpp"

namespace ricochet {
namespace {

/// all_pairs is left out for more particles, unless it is named: so a study of some tens of steps takes less than a
/// minute.
constexpr std::uint64_t most_for_all_pairs = 5'000;

std::string all_words() {
    std::string text;
    for (const RegisteredSearch& search : registered_searches)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", search.word);
    return text;
}

template <class Enum>
std::optional<Enum> value_of(std::string_view text) {
    for (const Word& word : words_of(Enum()))
        if (word.word == text) return static_cast<Enum>(word.value);
    return std::nullopt;
}

/// The method of a word of search.method, which may be followed by a slash and a word of search.loop. Throws
/// InputError.
StudyMethod method_named(const std::string& name, const Config& config) {
    StudyMethod method{name, config};
    const std::size_t slash = name.find('/');
    const auto search = value_of<SearchMethod>(std::string_view(name).substr(0, slash));
    if (!search || *search == SearchMethod::automatic)
        throw InputError(fmt::format("--search: got {}, expected some of {}", excerpt(name), all_words()));
    method.config.search = *search;
    if (const std::string expected = find_search_problem(config, *search); !expected.empty())
        throw InputError(fmt::format("--search: got {}, expected {}", excerpt(name), expected));
    if (slash == std::string::npos) return method;
    const auto loop = value_of<SearchLoop>(std::string_view(name).substr(slash + 1));
    if (!loop || !is_possible(*search, *loop))
        throw InputError(fmt::format(
            "--search: got {}, expected {} after the slash", excerpt(name),
            has_step_search(*search) ? "windows, queue, restart or precheck" : "queue, restart or precheck"));
    method.config.search_loop = *loop;
    return method;
}

/// Throws InputError for words that are not registered, and for repeated ones.
std::vector<StudyMethod> methods_named(const std::vector<std::string>& names, const Config& config) {
    std::vector<StudyMethod> methods;
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (std::find(names.begin(), name, *name) != name)
            throw InputError(fmt::format("--search: got {} twice, expected each method once", *name));
        methods.push_back(method_named(*name, config));
    }
    return methods;
}

/// All methods that suit the system and this number of particles.
std::vector<StudyMethod> suitable_methods(const Config& config, std::uint64_t num_particles,
                                          Console& console) {
    std::vector<StudyMethod> methods;
    for (const RegisteredSearch& search : registered_searches) {
        const std::string problem = find_search_problem(config, search_named(search.word));
        if (!problem.empty())
            console.print(fmt::format("{} is left out: expected is {}\n", search.word, problem));
        else if (search.word == "all_pairs" && num_particles > most_for_all_pairs)
            console.print(fmt::format(
                "all_pairs is left out: it compares each particle with each, and {} are more than "
                "{}; --search names it all the same\n",
                num_particles, most_for_all_pairs));
        else
            methods.push_back(method_named(std::string(search.word), config));
    }
    return methods;
}

/// Throws InputError on all ranks unless the CSV file can be written and is not the input. Collective.
void check_csv(Exchange& exchange, const StudyCommand& command) {
    if (!command.csv) return;
    check_output_path(exchange, *command.csv, command.force);
    on_root(exchange, [&]() -> std::string {
        std::error_code error;
        if (std::filesystem::equivalent(*command.csv, command.input, error))
            throw InputError(
                fmt::format("--csv: got {}, which is the input; choose another name", excerpt(*command.csv)));
        return "";
    });
}

/// Each method needs the memory of a run. Particles of a file are known only when they are read.
void require_room_for_methods(Exchange& exchange, const Config& config, std::size_t num_methods) {
    if (config.placement.method == PlacementMethod::file) return;
    const Config foreseen = in_foreseen_box(config);
    const ParticleSummary particles = expected_summary(foreseen);
    RunPlan plan = make_plan(foreseen, particles, exchange.size());
    plan.bytes_per_rank *= static_cast<double>(num_methods);
    require_memory(exchange, foreseen, particles, plan);
}

void write_csv(Exchange& exchange, const std::string& path, const StudyResult& study) {
    on_root(exchange, [&]() -> std::string {
        OutputFile file(path);
        file.write(study_csv(study));
        file.close();
        return "";
    });
}

}  // namespace

ExitStatus execute(Exchange& exchange, const StudyCommand& command) {
    const Config config = read_input(exchange, command.input, command.overrides).config;
    std::vector<StudyMethod> methods = methods_named(command.searches, config);
    check_csv(exchange, command);
    require_room_for_methods(exchange, config, methods.empty() ? registered_searches.size() : methods.size());
    Console console(exchange.rank() == 0);
    Checkpoint start = make_study_start(exchange, config, console);
    if (methods.empty()) methods = suitable_methods(config, start.num_particles, console);
    install_stop_signals();
    const StudyPlan plan{command.num_steps, command.steps_per_turn,
                         [] { return !received_stop_signal().empty(); }, command.looks_after_steps};
    const StudyResult study = run_study(exchange, std::move(start), methods, plan, console);
    const bool is_complete = study.num_steps == command.num_steps;
    if (!is_complete)
        console.print(
            fmt::format("ended by a signal after {} of {} steps:\n", study.num_steps, command.num_steps));
    console.print(study_table(study));
    if (command.csv) write_csv(exchange, *command.csv, study);
    return is_complete ? ExitStatus::done : ExitStatus::run_failed;
}

}  // namespace ricochet
