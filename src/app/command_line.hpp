// SPDX-License-Identifier: BSD-3-Clause
//
// The command line as data. Parsing has no side effects; commands.hpp executes the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ricochet/core/error.hpp"

namespace ricochet {

struct RunCommand {
    std::string line;  ///< all words of it, as a shell would take them
    std::string input;
    std::vector<std::string> overrides;  ///< "key=value"; --steps is one of them
    std::optional<std::string> output;
    bool force = false;         ///< replace an existing output file
    bool is_continued = false;  ///< go on from the newest checkpoint where there is one
    std::optional<double> max_hours;
    bool is_verbose = false;  ///< print details of the algorithm too
};

struct CheckCommand {
    std::string input;
    std::vector<std::string> overrides;
    std::optional<int> num_ranks;  ///< to plan for, on any machine; otherwise those of this run, here
    bool is_measured = false;      ///< do some steps, and say how long they take
    bool is_verbose = false;       ///< print details of the algorithm too
};

struct StudyCommand {
    std::string input;
    std::vector<std::string> overrides;
    std::vector<std::string> searches;  ///< their words; empty: all that suit
    std::uint64_t num_steps = 40;
    std::uint64_t steps_per_turn = 4;
    bool looks_after_steps = false;
    std::optional<std::string> csv;
    bool force = false;  ///< replace an existing CSV file
};

struct InfoCommand {
    std::string path;
    bool verify = false;  ///< hold the file against its checksums
    bool json = false;    ///< for programs, in place of the text
    bool theory = false;  ///< what is known of the run, in the JSON
};

/// Which part of a result is checked: all of it, or what can be checked without reading rows.
enum class CheckedPart { all, structure };

/// An internal command: the program starts itself with it, to check a file in a separate process
/// (separate_check.hpp).
struct VerifyCommand {
    std::string path;
    CheckedPart what = CheckedPart::all;
};

/// Put back what a killed run was about to overwrite.
struct RecoverCommand {
    std::string path;
};

struct CompareCommand {
    std::string path_a, path_b;
};

struct ExportCommand {
    std::string path;
    std::string format;
    std::string frames = ":";
    std::string output;
    bool force = false;  ///< replace existing files
};

struct ReportCommand {
    std::string path;
    std::string folder;
    std::optional<std::string> animation;
    bool force = false;  ///< replace an existing page
};

struct OptionsCommand {
    std::string key;      ///< empty: all keys
    bool schema = false;  ///< in place of the explanation
};

/// A text to print: help, version, or an error in the command line.
struct Message {
    std::string text;
    ExitStatus status = ExitStatus::done;
};

using Command =
    std::variant<RunCommand, CheckCommand, StudyCommand, InfoCommand, RecoverCommand, CompareCommand,
                 ExportCommand, ReportCommand, OptionsCommand, VerifyCommand, Message>;

Command parse_command_line(int argc, const char* const* argv);

}  // namespace ricochet
