// SPDX-License-Identifier: BSD-3-Clause
#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string_view>
#include <vector>

#include "ricochet/core/version.hpp"
#include "ricochet/hdf5/library_versions.hpp"
#include "study/study_text.hpp"

namespace ricochet {
namespace {

constexpr const char* exit_statuses =
    "Exit status: 0 done (compare: identical), 1 failed while running (compare: different),\n"
    "2 bad input or usage, 85 stopped at a checkpoint or in its start (by USR1, TERM, INT, --max-hours or\n"
    "the time RICOCHET_STOP_AT, in seconds since 1970): run again with --continue.";

std::string version_text() {
    std::string text = fmt::format("ricochet {} (git {})\n", version(), git_id());
    for (const LibraryVersion& library : library_versions())
        text += fmt::format("  {} {}\n", library.name, library.version);
    return text + fmt::format("  compiler {}\n  flags {}\n", compiler(), compiler_flags());
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
    command
        .add_option(
            "--set", overrides,
            "Set one key of the input, e.g. --set run.timestep=0.05 --set species.0.count=10: each key has a "
            "--set of its own; an empty value removes the key")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
}

void add_steps(CLI::App& command, std::vector<std::string>& overrides) {
    command
        .add_option_function<std::string>(
            "--steps", [&overrides](const std::string& value) { overrides.push_back("run.steps=" + value); },
            "Number of steps, in place of run.steps")
        ->type_name("N");
}

void add_verbose(CLI::App& command, bool& is_verbose) {
    command.add_flag("--verbose", is_verbose, "Print details of the algorithm and of the storage too");
}

/// CLI::Range accepts nan; this check does not.
std::string find_hours_problem(const std::string& text) {
    double hours = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hours);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    return is_number && hours >= 0 && hours <= 1e6 ? "" : "got " + text + ", expected hours from 0 to 1e6";
}

void define_run(CLI::App& app, RunCommand& run) {
    CLI::App* command = app.add_subcommand("run", "Run an input (under mpirun: on all ranks)");
    command->add_option("INPUT", run.input, "Input file (YAML)")->required();
    add_overrides(*command, run.overrides);
    command->add_option("--output", run.output, "Result file, in place of output.file")->type_name("FILE");
    add_steps(*command, run.overrides);
    CLI::Option* force = command->add_flag("--force", run.force, "Replace an existing result file");
    command
        ->add_flag("--continue", run.is_continued,
                   "Go on from the newest checkpoint, on any number of ranks; start where there is none")
        ->excludes(force);
    command
        ->add_option("--max-hours", run.max_hours,
                     "Stop at a checkpoint, with status 85, after this many hours")
        ->type_name("H")
        ->check(find_hours_problem);
    add_verbose(*command, run.is_verbose);
}

void define_check(CLI::App& app, CheckCommand& check) {
    CLI::App* command = app.add_subcommand(
        "check", "Validate an input, print it with all defaults and what a run will need; writes no result");
    command->add_option("INPUT", check.input, "Input file (YAML)")->required();
    add_overrides(*command, check.overrides);
    add_steps(*command, check.overrides);
    CLI::Option* const ranks =
        command
            ->add_option("--ranks", check.num_ranks,
                         "Plan for this many ranks, here or elsewhere (without it: for those of this start, "
                         "with the memory here)")
            ->type_name("N")
            ->check(CLI::Range(1, 1 << 24));
    command
        ->add_flag(
            "--measure", check.is_measured,
            "Place the particles and do 20 steps or more, in memory: how long a step takes here, and the run")
        ->excludes(ranks);
    add_verbose(*command, check.is_verbose);
}

void define_study(CLI::App& app, StudyCommand& study) {
    CLI::App* command = app.add_subcommand(
        "study",
        "Compare searches on an input: what each costs, and that all find the same; writes no result");
    command->footer(describe_study());
    command->add_option("INPUT", study.input, "Input file (YAML)")->required();
    add_overrides(*command, study.overrides);
    command
        ->add_option("--search", study.searches,
                     "Words of search.method, with commas between, each with /windows, /queue, /restart or "
                     "/precheck after it "
                     "where search.loop is to be another (default: all that suit)")
        ->type_name("A,B")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_option("--steps", study.num_steps, "Number of steps, 40 without it")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command->add_option("--turn", study.steps_per_turn, "Steps that a method does in its turn, 4 without it")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command->add_flag("--after-steps", study.looks_after_steps,
                      "Count by one more run which pairs a search for overlaps after each step would find");
    command->add_option("--csv", study.csv, "Write the numbers to this file too")->type_name("FILE");
    command->add_flag("--force", study.force, "Replace an existing CSV file");
}

void define_info(CLI::App& app, InfoCommand& info) {
    CLI::App* command = app.add_subcommand("info", "Say what is in a result file");
    command->add_option("FILE", info.path, "Result file")->required();
    command->add_flag("--verify", info.verify,
                      "Read all complete rows and hold them and their description against the checksums");
    CLI::Option* json = command->add_flag("--json", info.json, "Print JSON, for programs");
    command->add_flag("--theory", info.theory, "With --json: what theory says of the run")->needs(json);
}

/// Not listed by --help.
void define_verify(CLI::App& app, VerifyCommand& verify) {
    CLI::App* command = app.add_subcommand("verify", "Hold a result against its checksums")->group("");
    command->add_option("FILE", verify.path, "Result file")->required();
    command->add_flag_callback("--structure", [&verify] { verify.what = CheckedPart::structure; });
}

void define_recover(CLI::App& app, RecoverCommand& recover) {
    CLI::App* command = app.add_subcommand(
        "recover", "Make the result of a killed run readable, where the run is not to be continued");
    command->add_option("FILE", recover.path, "Result file")->required();
}

void define_compare(CLI::App& app, CompareCommand& compare) {
    CLI::App* command =
        app.add_subcommand("compare", "Compare two results bit by bit: states, collision logs, observables");
    command->add_option("A", compare.path_a, "Result file")->required();
    command->add_option("B", compare.path_b, "Result file")->required();
}

void define_export(CLI::App& app, ExportCommand& exported) {
    CLI::App* command =
        app.add_subcommand("export", "Write frames of a result for OVITO, VMD, ParaView and others");
    command->add_option("FILE", exported.path, "Result file")->required();
    command->add_option("--format", exported.format, "xyz (extended), lammps (dump), csv or vtk (XML)")
        ->type_name("FORMAT")
        ->required();
    command
        ->add_option("--frames", exported.frames,
                     "From frame A, below B, every C-th (all by default); one number is one frame, negative "
                     "ones count from the end")
        ->type_name("A:B:C");
    command->add_option("-o,--output", exported.output, "In place of FILE with the extension of the format")
        ->type_name("OUT");
    command->add_flag("--force", exported.force, "Replace existing files");
}

void define_report(CLI::App& app, ReportCommand& report) {
    CLI::App* command = app.add_subcommand(
        "report", "Make a page with plots and pictures of a result, and the numbers as CSV");
    command->add_option("FILE", report.path, "Result file")->required();
    command->add_option("-o,--output", report.folder, "Folder for report.html and the CSV files")
        ->type_name("DIR")
        ->required();
    command->add_option("--animation", report.animation, "Add an animation of the frames: gif or mp4")
        ->type_name("KIND")
        ->check(CLI::IsMember({"gif", "mp4"}));
    command->add_flag("--force", report.force, "Replace an existing page");
}

void define_options(CLI::App& app, OptionsCommand& options) {
    CLI::App* command =
        app.add_subcommand("options",
                           "Explain a key of inputs and all keys below it, or all observables of results; "
                           "without KEY print an input with every key");
    CLI::Option* key = command->add_option("KEY", options.key,
                                           "For example run.timestep, species or radius; or observables");
    command->add_flag("--schema", options.schema, "Print the JSON Schema of inputs, for editors")
        ->excludes(key);
}

/// Listed here and carried out before anything is parsed (as_flag).
void define_help(CLI::App& app) {
    app.add_subcommand("help", "Explain a command, as COMMAND --help does")
        ->add_option("COMMAND", "For example run; without it this list");
}

/// "help" as --help, "help run" as "run --help"; other arguments as they are.
std::vector<const char*> as_flag(int argc, const char* const* argv) {
    std::vector<const char*> words(argv, argv + argc);
    if (argc < 2 || std::string_view(argv[1]) != "help") return words;
    words.erase(words.begin() + 1);
    words.push_back("--help");
    return words;
}

/// Keeps the arguments of all subcommands together until one is chosen.
struct Arguments {
    RunCommand run;
    CheckCommand check;
    StudyCommand study;
    InfoCommand info;
    RecoverCommand recover;
    CompareCommand compare;
    ExportCommand exported;
    ReportCommand report;
    OptionsCommand options;
    VerifyCommand verify;
};

/// Adds single quotes where a shell would change the word.
std::string quoted(const std::string& word) {
    constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

std::string line_of(int argc, const char* const* argv) {
    std::string line;
    for (int k = 0; k < argc; ++k) line += (k == 0 ? "" : " ") + quoted(argv[k]);
    return line;
}

Command chosen(const CLI::App& app, Arguments& arguments) {
    if (app.got_subcommand("run")) return std::move(arguments.run);
    if (app.got_subcommand("check")) return std::move(arguments.check);
    if (app.got_subcommand("study")) return std::move(arguments.study);
    if (app.got_subcommand("info")) return std::move(arguments.info);
    if (app.got_subcommand("recover")) return std::move(arguments.recover);
    if (app.got_subcommand("export")) return std::move(arguments.exported);
    if (app.got_subcommand("report")) return std::move(arguments.report);
    if (app.got_subcommand("options")) return std::move(arguments.options);
    if (app.got_subcommand("verify")) return std::move(arguments.verify);
    return std::move(arguments.compare);
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
    CLI::App app("ricochet: many moving hard particles, every contact at its exact time", "ricochet");
    app.set_version_flag("--version", version_text, "Print the versions of program and libraries");
    app.footer(exit_statuses);
    app.require_subcommand(1);
    Arguments arguments;
    define_run(app, arguments.run);
    define_check(app, arguments.check);
    define_study(app, arguments.study);
    define_info(app, arguments.info);
    define_recover(app, arguments.recover);
    define_compare(app, arguments.compare);
    define_export(app, arguments.exported);
    define_report(app, arguments.report);
    define_options(app, arguments.options);
    define_verify(app, arguments.verify);
    define_help(app);
    const std::vector<const char*> words = as_flag(argc, argv);
    try {
        app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::CallForHelp&) {
        return Message{app.help(), ExitStatus::done};
    } catch (const CLI::CallForVersion& call) {
        return Message{call.what(), ExitStatus::done};
    } catch (const CLI::ParseError& error) {
        return Message{fmt::format("ricochet: {}\nricochet --help lists the commands.\n", error.what()),
                       ExitStatus::bad_input};
    }
    arguments.run.line = line_of(argc, argv);
    return chosen(app, arguments);
}

}  // namespace ricochet
