// SPDX-License-Identifier: BSD-3-Clause
#include "process/stop_signals.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <ctime>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

struct StopSignal {
    int number;
    std::string_view name;
};
constexpr std::array<StopSignal, 3> stop_signals{{{SIGUSR1, "USR1"}, {SIGTERM, "TERM"}, {SIGINT, "INT"}}};

std::atomic<int> first_signal{0};
std::atomic<double> first_time{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<double>::is_always_lock_free);

/// Seconds of a clock that is allowed in signal handlers.
double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

extern "C" void note_stop_signal(int number) {
    if (first_signal.load() == 0) {
        first_time.store(now());
        first_signal.store(number);
    } else if (now() - first_time.load() > grace_seconds) {
        std::signal(number, SIG_DFL);
        std::raise(number);  // delivered when the handler returns
    }
}

std::atomic<bool> is_printing{false};

/// Calls only what is allowed in signal handlers.
extern "C" void end_program(int /*number*/) {
    constexpr std::string_view line =
        "stopped by a signal before the first step: nothing was written; give the same command again\n";
    if (is_printing.load() && write(STDOUT_FILENO, line.data(), line.size()) < 0) is_printing = false;
    _exit(static_cast<int>(ExitStatus::stopped_resumable));
}

void install(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const StopSignal& signal : stop_signals) sigaction(signal.number, &action, nullptr);
}

}  // namespace

void let_stop_signals_end_the_start(bool is_root) {
    is_printing = is_root;
    install(end_program);
}

void install_stop_signals() { install(note_stop_signal); }

std::string_view received_stop_signal() {
    const int number = first_signal.load();
    for (const StopSignal& signal : stop_signals)
        if (signal.number == number) return signal.name;
    return "";
}

}  // namespace ricochet
