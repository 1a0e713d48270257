// SPDX-License-Identifier: BSD-3-Clause
#include "app/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/readable.hpp"
#include "core/text.hpp"

namespace ricochet {
namespace {

constexpr double first_interval = 10, last_interval = 60;  ///< seconds between whole lines

std::string progress_line(const Progress& now, const Progress& before) {
    const double seconds = std::max(now.seconds - before.seconds, 1e-9);
    const double steps_per_second = static_cast<double>(now.steps_done - before.steps_done) / seconds;
    const double collisions_per_second =
        static_cast<double>(now.num_collisions - before.num_collisions) / seconds;
    std::string rates = fmt::format("{} steps/s", in_words(steps_per_second));
    if (now.has_collision_rate)
        rates += fmt::format(", {} pair collisions/s", in_words(collisions_per_second));
    if (now.num_steps == 0)
        return fmt::format("equilibrating: {:.2f} collisions per particle, {}", now.collisions_per_particle,
                           rates);
    const double average = static_cast<double>(now.steps_done - now.first_step) / std::max(now.seconds, 1e-9);
    return fmt::format("step {} of {} ({:.0f} %), {}, {} left", now.steps_done, now.num_steps,
                       100 * static_cast<double>(now.steps_done) / static_cast<double>(now.num_steps), rates,
                       in_time(static_cast<double>(now.num_steps - now.steps_done) / average));
}

/// What cannot be written is lost, and a run goes on. Commands that only print look at the end whether all was
/// written (main.cpp).
void put(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

/// Whether the output goes to a terminal. Open MPI gives its processes a terminal of their own, whatever its
/// own output is. In that case the output of the parent process counts.
bool writes_to_terminal() {
    if (isatty(STDOUT_FILENO) == 0) return false;
    if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return true;
    std::error_code error;
    const std::filesystem::path target =
        std::filesystem::read_symlink(fmt::format("/proc/{}/fd/1", getppid()), error);
    return !error && (target.native().starts_with("/dev/pts/") || target.native().starts_with("/dev/tty"));
}

}  // namespace

Console::Console(bool is_root, bool is_verbose)
    : is_root_(is_root),
      is_verbose_(is_verbose),
      is_terminal_(is_root && writes_to_terminal()),
      next_line_(first_interval) {}

void Console::note(const std::string& sentence) { print("note: " + sentence + "\n"); }

void Console::detail(const std::string& sentence) {
    if (is_verbose_) print(sentence + "\n");
}

void Console::print(std::string_view text) {
    if (!is_root_) return;
    clear_progress();
    put(without_controls(text));
}

void Console::progress(const Progress& now) {
    if (!is_root_) return;
    const bool is_new_phase =
        !has_steps_ || now.steps_done < previous_.steps_done || now.first_step > previous_.steps_done;
    has_steps_ = true;
    if (is_new_phase) {
        previous_ = {.steps_done = now.first_step};
        next_line_ = first_interval;
        clear_progress();
    }
    if (!is_terminal_ && now.seconds < next_line_) return;
    show(progress_line(now, previous_), now.seconds);
    previous_ = now;
}

void Console::start(const StartProgress& now, double seconds) {
    if (!is_root_ || seconds < (is_terminal_ ? 1 : next_line_)) return;
    show(fmt::format("placing: {} of {} particles, {:.0f} s", now.num_placed, now.num_particles, seconds),
         seconds);
}

void Console::turn(const std::string& sentence, double seconds, bool is_first) {
    if (!is_root_) return;
    if (is_terminal_) {
        std::fputs(fmt::format("\r\033[K{}", sentence).c_str(), stderr);
        has_progress_ = true;
        return;
    }
    if (!is_first && seconds < next_line_) return;
    std::fputs((sentence + "\n").c_str(), stderr);
    if (!is_first) next_line_ = seconds + std::clamp(seconds, first_interval, last_interval);
}

void Console::show(const std::string& line, double seconds) {
    if (is_terminal_) {
        put(fmt::format("\r\033[K{}", line));
        has_progress_ = true;
    } else {
        put(line + "\n");
        next_line_ = seconds + std::clamp(seconds, first_interval, last_interval);
    }
}

void Console::clear_progress() {
    if (!has_progress_) return;
    put("\r\033[K");
    has_progress_ = false;
}

}  // namespace ricochet
