// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/study_text.hpp"
#include "core/text.hpp"
#include "files/output_path.hpp"
#include "plan/plan.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/search/search_method.hpp"
#include "run/input.hpp"
#include "run/node_memory.hpp"
#include "run/study.hpp"

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

/// Throws InputError for words that are not registered, and for repeated ones.
void require_searches(const std::vector<std::string>& words) {
    for (auto word = words.begin(); word != words.end(); ++word) {
        const bool is_known =
            std::any_of(registered_searches.begin(), registered_searches.end(),
                        [&](const RegisteredSearch& search) { return search.word == *word; });
        if (!is_known)
            throw InputError(
                fmt::format("--search: got {}, expected some of {}", excerpt(*word), all_words()));
        if (std::find(words.begin(), word, *word) != word)
            throw InputError(fmt::format("--search: got {} twice, expected each method once", *word));
    }
}

/// Those asked for, or all that suit so many particles.
std::vector<std::string> chosen_searches(const std::vector<std::string>& asked, std::uint64_t num_particles,
                                         Console& console) {
    if (!asked.empty()) return asked;
    std::vector<std::string> words;
    for (const RegisteredSearch& search : registered_searches) {
        if (search.word == "all_pairs" && num_particles > most_for_all_pairs) {
            console.print(fmt::format(
                "all_pairs is left out: it compares each particle with each, and {} are more than "
                "{}; --search names it all the same\n",
                num_particles, most_for_all_pairs));
            continue;
        }
        words.emplace_back(search.word);
    }
    return words;
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
void require_room(Exchange& exchange, const Config& config, std::size_t num_methods) {
    if (config.placement.method == PlacementMethod::file) return;
    const ParticleSummary particles = expected_summary(config);
    RunPlan plan = make_plan(config, particles, exchange.size());
    plan.bytes_per_rank *= static_cast<double>(num_methods);
    require_memory(exchange, config, particles, plan);
}

void write_csv(Exchange& exchange, const std::string& path, const StudyResult& study) {
    on_root(exchange, [&]() -> std::string {
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file << study_csv(study);
        file.close();
        if (!file) throw RunError(fmt::format("{}: cannot be written", excerpt(path)));
        return "";
    });
}

}  // namespace

ExitStatus execute(Exchange& exchange, const StudyCommand& command) {
    require_searches(command.searches);
    const Config config = read_input(exchange, command.input, command.overrides).config;
    check_csv(exchange, command);
    require_room(exchange, config,
                 command.searches.empty() ? registered_searches.size() : command.searches.size());
    Console console(exchange.rank() == 0);
    Checkpoint start = make_study_start(exchange, config, console);
    std::vector<StudyMethod> methods;
    for (const std::string& word : chosen_searches(command.searches, start.num_particles, console)) {
        methods.push_back({word, config});
        methods.back().config.search = search_named(word);
    }
    const StudyResult study =
        run_study(exchange, std::move(start), methods, {command.num_steps, command.steps_per_turn}, console);
    console.print(study_table(study));
    if (command.csv) write_csv(exchange, *command.csv, study);
    return ExitStatus::done;
}

}  // namespace ricochet
