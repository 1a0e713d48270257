// SPDX-License-Identifier: BSD-3-Clause
#include "app/progress_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <optional>

#include "files/living_writer.hpp"
#include "result/result_reader.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/result_info.hpp"

namespace ricochet {
namespace {

/// A time, in seconds since 1970 on the clock of the file system, at which so many steps were done.
struct Milestone {
    std::uint64_t num_steps = 0;
    double seconds = 0;
};

struct ResultProgress {
    Milestone now;                           ///< what is complete in the file
    std::optional<std::uint64_t> num_steps;  ///< of the input; none where this version cannot read it
    bool is_continued = false;
};

double time_of_last_write(const std::string& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 ? static_cast<double>(found.st_mtime) : 0;
}

std::optional<std::uint64_t> steps_of_input(const std::string& path, const std::string& effective_input) {
    try {
        return parse_config(effective_input, path).run.num_steps;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

ResultProgress read_progress(const std::string& path) {
    const ResultReader reader(path);
    const ResultDescription& description = reader.description();
    const bool is_continued = std::any_of(description.provenance.begin(), description.provenance.end(),
                                          [](const NamedText& text) { return text.name == "part_2"; });
    return {{reader.complete().steps, time_of_last_write(path)},
            steps_of_input(path, description.effective_input),
            is_continued};
}

/// From where the speed of this part of the run is known: its start, or a checkpoint that it has written.
std::optional<Milestone> find_first_milestone(const std::string& path, const ResultProgress& progress,
                                              double since) {
    if (!progress.is_continued) return Milestone{0, since};
    std::optional<Milestone> first;
    for (const std::string& checkpoint : list_checkpoints(path)) {
        const Milestone found{step_of_checkpoint(checkpoint), time_of_last_write(checkpoint)};
        if (found.seconds > since && (!first || found.seconds < first->seconds)) first = found;
    }
    return first;
}

/// The time at which the run ends if it goes on as it did so far.
std::optional<double> expected_end(const ResultProgress& progress, const Milestone& first) {
    const double seconds = progress.now.seconds - first.seconds;
    if (!progress.num_steps || progress.now.num_steps <= first.num_steps || seconds <= 0) return std::nullopt;
    const double done = static_cast<double>(progress.now.num_steps - first.num_steps);
    const double left =
        static_cast<double>(*progress.num_steps) - static_cast<double>(progress.now.num_steps);
    return progress.now.seconds + left * (seconds / done);
}

/// Hours and minutes where this host is; the day too where it is not today.
std::string clock_text(double seconds, double now) {
    const std::tm time = fmt::localtime(static_cast<std::time_t>(seconds));
    const std::string day = fmt::format("{:%F}", time);
    const bool is_today = day == fmt::format("{:%F}", fmt::localtime(static_cast<std::time_t>(now)));
    return (is_today ? "" : day + " ") + fmt::format("{:%H:%M}", time);
}

std::string describe_running(const std::string& path, const ResultProgress& progress,
                             const LockHolder& writer) {
    std::string text =
        fmt::format(", by process {} on host {}{}{}", writer.process.substr(0, writer.process.find(' ')),
                    writer.host, writer.job.empty() ? "" : ", ", writer.job);
    if (writer.since <= 0) return text;
    text += ", since " + clock_text(writer.since, writer.renewed);
    const auto first = find_first_milestone(path, progress, writer.since);
    const auto end = first ? expected_end(progress, *first) : std::nullopt;
    return end ? text + ", ends about " + clock_text(*end, writer.renewed) : text;
}

}  // namespace

std::string describe_progress(const std::string& path) {
    const ResultProgress progress = read_progress(path);
    const std::string of = progress.num_steps ? fmt::format(" of {}", *progress.num_steps) : "";
    const std::string steps = fmt::format("{}{} steps", progress.now.num_steps, of);
    if (is_being_written(path)) {
        const auto writer = find_living_writer(path);
        return "running: " + steps + (writer ? describe_running(path, progress, *writer) : "");
    }
    const bool is_closed = condition_of_result(path) == ResultCondition::closed;
    if (is_closed && progress.now.num_steps >= progress.num_steps) return "ended after " + steps;
    const char* const what = is_closed ? "stopped" : "killed";
    const bool can_go_on = !list_checkpoints(path).empty();
    return fmt::format("{} after {}; {}", what, steps,
                       can_go_on ? "--continue goes on" : "no checkpoint is there to go on from");
}

}  // namespace ricochet
