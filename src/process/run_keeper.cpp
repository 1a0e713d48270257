// SPDX-License-Identifier: BSD-3-Clause
#include "process/run_keeper.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "process/stop_signals.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/core/error.hpp"
#include "run/report.hpp"

namespace ricochet {
namespace {

using Clock = std::chrono::steady_clock;

/// Reasons that a rank may give at a beat: bit k of the flags stands for reason k. The last is no reason to
/// stop.
constexpr std::array<std::string_view, 6> reasons{"signal USR1", "signal TERM",      "signal INT",
                                                  "--max-hours", "RICOCHET_STOP_AT", ""};
constexpr std::uint64_t save_flag = std::uint64_t{1} << (reasons.size() - 1);

std::uint64_t flag_of(std::string_view reason) {
    for (std::size_t k = 0; k < reasons.size(); ++k)
        if (reasons[k] == reason) return std::uint64_t{1} << k;
    return 0;
}

std::string_view reason_of(std::uint64_t flags) {
    for (std::size_t k = 0; k < reasons.size(); ++k)
        if ((flags >> k) & 1U) return reasons[k];
    return "";
}

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

double stop_time_in(const char* text) {
    double seconds = 0;
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, seconds);
    if (error != std::errc() || rest != end || !std::isfinite(seconds))
        throw InputError(std::string("RICOCHET_STOP_AT: got ") + text +
                         ", expected a time in seconds since 1970");
    return seconds;
}

}  // namespace

StopLimits StopLimits::from(Clock::time_point start, std::optional<double> max_hours) {
    StopLimits limits;
    if (max_hours)
        limits.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(3600 * *max_hours));
    if (const char* text = std::getenv("RICOCHET_STOP_AT"); text != nullptr && *text != '\0')
        limits.stop_at = stop_time_in(text);
    return limits;
}

RunKeeper::RunKeeper(Exchange& exchange, const Config& config, const Simulation& simulation,
                     ResultRecorder& recorder, Monitor& monitor, Watchdog& watchdog, StopLimits limits)
    : exchange_(exchange),
      config_(config),
      simulation_(simulation),
      recorder_(recorder),
      monitor_(monitor),
      watchdog_(watchdog),
      limits_(limits) {}

Interruption RunKeeper::ask(const StepEnd& end) {
    if (end.is_last) return Interruption::save;
    const bool is_due = is_due_by_steps(end);
    const std::uint64_t flags = end.is_beat ? exchange_.bit_or(own_flags()) : 0;
    if ((flags & ~save_flag) != 0) {
        monitor_.note(std::string(reason_of(flags)) + ": stopping at a checkpoint, " +
                      (end.is_recorded ? "step " : "equilibration step ") + std::to_string(end.step));
        return Interruption::stop;
    }
    return is_due || flags != 0 ? Interruption::save : Interruption::none;
}

std::uint64_t RunKeeper::own_flags() const {
    std::uint64_t flags = 0;
    if (const auto signal = received_stop_signal(); !signal.empty())
        flags |= flag_of("signal " + std::string(signal));
    if (limits_.deadline && Clock::now() >= *limits_.deadline) flags |= flag_of("--max-hours");
    if (limits_.stop_at && seconds_since_1970() >= *limits_.stop_at) flags |= flag_of("RICOCHET_STOP_AT");
    const std::chrono::duration<double, std::ratio<60>> minutes = Clock::now() - latest_save_;
    const double every = config_.output.checkpoint.every_minutes;
    if (every > 0 && exchange_.rank() == 0 && minutes.count() >= every) flags |= save_flag;
    return flags;
}

/// False at the step from which a run starts or continues, where nothing has changed yet.
bool RunKeeper::is_due_by_steps(const StepEnd& end) const {
    const std::uint64_t every = config_.output.checkpoint.every_steps;
    return end.is_recorded && every > 0 && end.step > 0 && end.step % every == 0;
}

void RunKeeper::describe_run(RunIdentity identity, Clock::time_point start, RunTimes earlier) {
    identity_ = std::move(identity);
    start_ = start;
    earlier_ = std::move(earlier);
}

RunTimes RunKeeper::times() const {
    const std::chrono::duration<double> wall = Clock::now() - start_;
    double seconds = wall.count();
    exchange_.max(std::span(&seconds, 1));  // a checkpoint has the same on all ranks
    return times_so_far(exchange_, simulation_, seconds, earlier_);
}

void RunKeeper::save(const RunState& state, const Particles& owned) {
    CheckpointHeader header;
    header.state = state;
    header.state.times = times();
    header.identity = identity_;
    header.result = recorder_.flush_all();
    header.effective_input = effective_yaml(config_);
    header.num_particles = simulation_.num_particles();
    latest_path_ =
        write_checkpoint(exchange_, config_.output.file, header, owned, config_.output.checkpoint.keep);
    latest_save_ = Clock::now();
}

void RunKeeper::remove_checkpoints() const {
    remove_checkpoints_of(exchange_, config_.output.file, identity_);
}

}  // namespace ricochet
