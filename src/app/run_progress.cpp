// SPDX-License-Identifier: BSD-3-Clause
#include "app/run_progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "files/file_clock.hpp"
#include "files/living_writer.hpp"
#include "result/result_reader.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/result_info.hpp"

namespace ricochet {
namespace {

/// A number of complete steps, and when it was reached.
struct Milestone {
    std::uint64_t num_steps = 0;
    double seconds = 0;
};

std::optional<std::uint64_t> steps_of_input(const std::string& path, const std::string& effective_input) {
    try {
        return parse_config(effective_input, path).run.num_steps;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

bool is_continued(const ResultDescription& description) {
    return std::any_of(description.provenance.begin(), description.provenance.end(),
                       [](const NamedText& text) { return text.name == "part_2"; });
}

/// From where the speed is known: the begin of the run, or a checkpoint that this part of it has written.
std::optional<Milestone> find_first_milestone(const ResultReader& reader, double since) {
    if (!is_continued(reader.description())) return Milestone{0, since};
    std::optional<Milestone> first;
    for (const std::string& checkpoint : list_checkpoints(reader.path())) {
        const Milestone found{step_of_checkpoint(checkpoint), time_of_last_write(checkpoint)};
        if (found.seconds > since && (!first || found.seconds < first->seconds)) first = found;
    }
    return first;
}

std::optional<double> find_expected_end(const ResultReader& reader, const RunProgress& progress) {
    if (!progress.last_step || !progress.writer || progress.writer->since <= 0) return std::nullopt;
    const auto first = find_first_milestone(reader, progress.writer->since);
    const double now = time_of_last_write(reader.path());
    if (!first || progress.num_steps <= first->num_steps || now <= first->seconds) return std::nullopt;
    const double per_step =
        (now - first->seconds) / static_cast<double>(progress.num_steps - first->num_steps);
    return now +
           per_step * (static_cast<double>(*progress.last_step) - static_cast<double>(progress.num_steps));
}

/// Hours and minutes where this host is; the day too where it is not today.
std::string clock_text(double seconds, double now) {
    const std::tm time = fmt::localtime(static_cast<std::time_t>(seconds));
    const std::string day = fmt::format("{:%F}", time);
    const bool is_today = day == fmt::format("{:%F}", fmt::localtime(static_cast<std::time_t>(now)));
    return (is_today ? "" : day + " ") + fmt::format("{:%H:%M}", time);
}

std::string utc_text(double seconds) {
    return fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string process_of(const LockHolder& writer) {
    return writer.process.substr(0, writer.process.find(' '));
}

std::string describe_writer(const RunProgress& progress) {
    if (!progress.writer) return "";
    const LockHolder& writer = *progress.writer;
    std::string text = fmt::format(", by process {} on host {}{}{}", process_of(writer), writer.host,
                                   writer.job.empty() ? "" : ", ", writer.job);
    if (writer.since > 0) text += ", since " + clock_text(writer.since, writer.renewed);
    if (progress.expected_end) text += ", ends about " + clock_text(*progress.expected_end, writer.renewed);
    return text;
}

const char* word_of(RunProgress::State state) {
    constexpr std::array<const char*, 5> words{"running", "ended", "stopped", "failed", "killed"};
    return words[static_cast<std::size_t>(state)];
}

}  // namespace

RunProgress find_progress(const std::string& path) {
    using State = RunProgress::State;
    RunProgress progress;
    // First: while this reads on, a run may end.
    const bool is_written = is_being_written(path);
    if (is_written) progress.writer = find_living_writer(path);
    const ResultReader reader(path);
    progress.num_steps = reader.num_steps();
    progress.last_step = steps_of_input(path, reader.description().effective_input);
    progress.can_go_on = !list_checkpoints(path).empty();
    const ResultCondition condition = condition_of_result(path);
    const bool is_at_end = progress.last_step && progress.num_steps >= *progress.last_step;
    if (condition == ResultCondition::closed)
        progress.state = is_at_end ? State::ended : State::stopped;
    else if (is_written)
        progress.state = State::running;
    else
        progress.state = condition == ResultCondition::failed ? State::failed : State::killed;
    if (progress.state == State::running) progress.expected_end = find_expected_end(reader, progress);
    return progress;
}

std::string describe_progress(const RunProgress& progress) {
    const std::string of = progress.last_step ? fmt::format(" of {}", *progress.last_step) : "";
    const std::string steps = fmt::format("{}{} steps", progress.num_steps, of);
    const char* const word = word_of(progress.state);
    if (progress.state == RunProgress::State::running)
        return fmt::format("{}: {}{}", word, steps, describe_writer(progress));
    if (progress.state == RunProgress::State::ended) return fmt::format("{} after {}", word, steps);
    const bool has_failed = progress.state == RunProgress::State::failed;
    return fmt::format("{} after {}; {}", has_failed ? "ended by an error" : word, steps,
                       progress.can_go_on ? "--continue goes on" : "no checkpoint is there to go on from");
}

Json facts_of_progress(const RunProgress& progress) {
    Json facts{
        {"state", word_of(progress.state)}, {"steps", progress.num_steps}, {"can_go_on", progress.can_go_on}};
    if (progress.last_step) facts["of"] = *progress.last_step;
    if (progress.state != RunProgress::State::running || !progress.writer) return facts;
    facts["host"] = progress.writer->host;
    facts["process"] = process_of(*progress.writer);
    if (!progress.writer->job.empty()) facts["job"] = progress.writer->job;
    if (progress.writer->since > 0) facts["since"] = utc_text(progress.writer->since);
    if (progress.expected_end) facts["expected_end"] = utc_text(*progress.expected_end);
    return facts;
}

}  // namespace ricochet
