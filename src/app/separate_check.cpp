// SPDX-License-Identifier: BSD-3-Clause
#include "app/separate_check.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include "app/child_process.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/result_check.hpp"

namespace ricochet {
namespace {

constexpr unsigned patience_seconds = 60;
constexpr int not_started = 127;
constexpr int ended_by_signal = 128;

/// Throws InputError for what is not a result that could be checked.
std::optional<std::string> find_damage(const VerifyCommand& command) {
    const auto is_alive = [] { alarm(patience_seconds); };
    is_alive();
    return command.what == CheckedPart::structure ? find_damage_of_structure(command.path, is_alive)
                                                  : find_damage_of_result(command.path, is_alive);
}

ChildText check_apart(const std::string& path, CheckedPart what) {
    std::vector<std::string> arguments{"/proc/self/exe", "verify", path};
    if (what == CheckedPart::structure) arguments.emplace_back("--structure");
    return read_child(arguments);
}

std::string breakdown(const std::string& path, int signal) {
    if (signal == SIGALRM)
        return fmt::format("{}: is damaged: reading it came to a stand for {} s", path, patience_seconds);
    return fmt::format("{}: is damaged: the HDF5 library breaks down on it (signal {}, {})", path, signal,
                       strsignal(signal));
}

}  // namespace

std::optional<std::string> find_damage_apart(const std::string& path, CheckedPart what) {
    const ChildText child = check_apart(path, what);
    if (child.status == not_started) {
        try {
            return find_damage({path, what});
        } catch (const InputError& error) {
            return error.what();
        }
    }
    if (child.status > ended_by_signal) return breakdown(path, child.status - ended_by_signal);
    return child.status == 0 ? std::nullopt : std::optional(child.text);
}

std::string require_readable(const std::string& path) {
    const ChildText child = check_apart(path, CheckedPart::structure);
    if (child.status > ended_by_signal) throw InputError(breakdown(path, child.status - ended_by_signal));
    return child.status == static_cast<int>(ExitStatus::run_failed) ? child.text : "";
}

int execute_alone(const VerifyCommand& command) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    try {
        const std::optional<std::string> damage = find_damage(command);
        if (damage) std::fputs(damage->c_str(), stdout);
        return static_cast<int>(damage ? ExitStatus::run_failed : ExitStatus::done);
    } catch (const InputError& error) {
        std::fputs(error.what(), stdout);
        return static_cast<int>(ExitStatus::bad_input);
    }
}

}  // namespace ricochet
