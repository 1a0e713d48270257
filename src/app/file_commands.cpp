// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <string>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/page_theory.hpp"
#include "app/report_page.hpp"
#include "app/run_progress.hpp"
#include "app/separate_check.hpp"
#include "config/config_reference.hpp"
#include "core/text.hpp"
#include "export/export.hpp"
#include "files/living_writer.hpp"
#include "observe/observable_list.hpp"
#include "result/result_check.hpp"
#include "result/result_facts.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/compare.hpp"
#include "ricochet/result/result_info.hpp"
#include "run/input.hpp"

namespace ricochet {

namespace {

/// Describes the damage. Throws InputError on all ranks where reading on would end the program. Collective.
void warn_of_damage(Exchange& exchange, const std::string& path) {
    const std::string damage = on_root(exchange, [&] {
        return read_while_written(
            path, [&] { return require_readable(path); },
            [](const std::string& found) { return found.empty(); });
    });
    if (!damage.empty() && exchange.rank() == 0)
        std::fputs(as_message("warning: " + damage + "\n").c_str(), stderr);
}

/// One line on what has been verified. Throws InputError for a file that differs from what was written.
std::string verify(const std::string& path) {
    if (const auto damage = find_damage_apart(path, CheckedPart::all)) throw InputError(*damage);
    if (has_checked_description(path))
        return "verified: all complete rows and their description are as written\n";
    return "verified: all complete rows are as written; the run was ended while it changed their "
           "description, "
           "which therefore has no checksum\n";
}

std::string information(const InfoCommand& command) {
    const std::string verdict = command.verify ? verify(command.path) : "";
    const RunProgress progress = find_progress(command.path);
    if (!command.json) return describe_result(command.path, describe_progress(progress)) + verdict;
    Json facts{{"file", command.path}, {"progress", facts_of_progress(progress)}};
    if (command.verify) facts["verified"] = true;
    facts["result"] = facts_of_result(command.path);
    if (command.theory) facts["theory"] = Json::literal(page_theory(ResultReader(command.path)));
    return facts.text() + '\n';
}

}  // namespace

ExitStatus execute(Exchange& exchange, const InfoCommand& command) {
    if (!command.verify) warn_of_damage(exchange, command.path);
    const std::string text = on_root(
        exchange, [&] { return read_while_written(command.path, [&] { return information(command); }); });
    Console(exchange.rank() == 0).print(text);
    return ExitStatus::done;
}

ExitStatus execute(Exchange& exchange, const VerifyCommand& command) {
    return exchange.rank() == 0 ? static_cast<ExitStatus>(execute_alone(command)) : ExitStatus::done;
}

ExitStatus execute(Exchange& exchange, const CompareCommand& command) {
    for (const std::string& path : {command.path_a, command.path_b}) warn_of_damage(exchange, path);
    const std::string difference = on_root(exchange, [&] {
        const std::string& written = is_being_written(command.path_a) ? command.path_a : command.path_b;
        return read_while_written(
            written, [&] { return find_difference(command.path_a, command.path_b).value_or(std::string()); });
    });
    Console(exchange.rank() == 0)
        .print(difference.empty() ? "identical\n" : "different: " + difference + "\n");
    return difference.empty() ? ExitStatus::done : ExitStatus::run_failed;
}

ExitStatus execute(Exchange& exchange, const ExportCommand& command) {
    warn_of_damage(exchange, command.path);
    const std::string text = on_root(exchange, [&] {
        return export_frames({command.path, export_format_named(command.format), command.frames,
                              command.output, command.force});
    });
    Console(exchange.rank() == 0).print(text);
    return ExitStatus::done;
}

ExitStatus execute(Exchange& exchange, const ReportCommand& command) {
    warn_of_damage(exchange, command.path);
    const std::string text = on_root(exchange, [&] {
        return make_page({command.path, command.folder, command.animation, command.force});
    });
    Console(exchange.rank() == 0).print(text);
    return ExitStatus::done;
}

ExitStatus execute(Exchange& exchange, const OptionsCommand& command) {
    const auto text = [&] {
        if (command.schema) return input_schema();
        if (command.key.empty()) return reference_input();
        return command.key == "observables" ? describe_observables() : describe_options(command.key);
    };
    Console(exchange.rank() == 0).print(text());
    return ExitStatus::done;
}

ExitStatus execute(Exchange& exchange, const Message& message) {
    if (exchange.rank() == 0)
        std::fputs(
            message.status == ExitStatus::done ? message.text.c_str() : as_message(message.text).c_str(),
            message.status == ExitStatus::done ? stdout : stderr);
    return message.status;
}

}  // namespace ricochet
