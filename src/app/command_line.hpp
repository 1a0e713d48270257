// SPDX-License-Identifier: BSD-3-Clause
//
// The command line as data. Parsing touches nothing; commands.hpp does what was asked for.
#pragma once

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
};

struct CheckCommand {
    std::string input;
    std::vector<std::string> overrides;
    std::optional<int> num_ranks;  ///< to plan for, on any machine; otherwise those of this run, here
};

struct InfoCommand {
    std::string path;
    bool verify = false;  ///< hold the file against its checksums
};

/// Of a result: all of it, or what can be checked without reading rows.
enum class CheckedPart { all, structure };

/// For the program itself, which starts it as a process of its own (separate_check.hpp).
struct VerifyCommand {
    std::string path;
    CheckedPart what = CheckedPart::all;
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
    std::string key;  ///< empty: all keys
};

/// Help, version, or what is wrong with the command line.
struct Message {
    std::string text;
    ExitStatus status = ExitStatus::done;
};

using Command = std::variant<RunCommand, CheckCommand, InfoCommand, CompareCommand, ExportCommand,
                             ReportCommand, OptionsCommand, VerifyCommand, Message>;

Command parse_command_line(int argc, const char* const* argv);

}  // namespace ricochet
