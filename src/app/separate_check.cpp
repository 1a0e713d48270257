// SPDX-License-Identifier: BSD-3-Clause
#include "app/separate_check.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include "app/child_process.hpp"
#include "files/interrupted_write.hpp"
#include "result/result_check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr unsigned patience_seconds = 60;
constexpr int first_signal = 128, last_signal = 192;

/// What a check has found.
struct Verdict {
    ExitStatus status = ExitStatus::done;  ///< run_failed: damaged; bad_input: not a result to be checked
    std::string sentence;                  ///< "sound", or what is wrong
    bool is_breakdown = false;             ///< of HDF5, while it read the file

    bool is_sound() const { return status == ExitStatus::done; }
};

Verdict check(const VerifyCommand& command, const std::function<void()>& on_piece) {
    try {
        const auto damage = command.what == CheckedPart::structure
                                ? find_damage_of_structure(command.path, on_piece)
                                : find_damage_of_result(command.path, on_piece);
        return damage ? Verdict{ExitStatus::run_failed, *damage} : Verdict{ExitStatus::done, "sound"};
    } catch (const InputError& error) {
        return {ExitStatus::bad_input, error.what()};
    }
}

Verdict breakdown(const std::string& path, int signal) {
    const std::string cause =
        signal == SIGALRM
            ? fmt::format("reading it came to a stand for {} s", patience_seconds)
            : fmt::format("the HDF5 library breaks down on it (signal {}, {})", signal, strsignal(signal));
    return {ExitStatus::run_failed, fmt::format("{}: is damaged: {}", path, cause), true};
}

/// Checks in this process where no other can be started, or where another program was started, as below a
/// debugger.
Verdict check_apart(const std::string& path, CheckedPart what) {
    std::vector<std::string> arguments{"/proc/self/exe", "verify"};
    if (what == CheckedPart::structure) arguments.emplace_back("--structure");
    arguments.insert(arguments.end(), {"--", path});
    const ChildText child = read_child(arguments);
    if (child.status > first_signal && child.status < last_signal)
        return breakdown(path, child.status - first_signal);
    const bool has_answered = !child.text.empty() && child.status <= static_cast<int>(ExitStatus::bad_input);
    if (!has_answered) return check({path, what}, [] {});
    return {static_cast<ExitStatus>(child.status), child.text};
}

}  // namespace

std::optional<std::string> find_damage_apart(const std::string& path, CheckedPart what) {
    const Verdict verdict = check_apart(path, what);
    return verdict.is_sound() ? std::nullopt : std::optional(verdict.sentence);
}

std::string require_readable(const std::string& path) {
    if (const auto problem = find_interrupted_write(path)) throw InputError(*problem);
    const Verdict verdict = check_apart(path, CheckedPart::structure);
    if (verdict.is_breakdown) throw InputError(verdict.sentence);
    return verdict.status == ExitStatus::run_failed ? verdict.sentence : "";
}

int execute_alone(const VerifyCommand& command) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    const auto is_alive = [] { alarm(patience_seconds); };
    is_alive();
    const Verdict verdict = check(command, is_alive);
    std::fputs(verdict.sentence.c_str(), stdout);
    return static_cast<int>(verdict.status);
}

}  // namespace ricochet
