// SPDX-License-Identifier: BSD-3-Clause
#include "app/speed_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/readable.hpp"
#include "model/size_distribution.hpp"
#include "search/search_interval.hpp"

namespace ricochet {
namespace {

constexpr double reported_efficiency = 0.8;
constexpr double remarkable_change = 0.05;  ///< of the number of particles

/// The number of search intervals, as the engine will choose them.
double num_intervals(const Config& config, const ParticleSummary& particles) {
    const double dt = config.run.timestep;
    const auto count = static_cast<double>(particles.num_particles);
    const IntervalConditions of{.rest = dt,
                                .density = count / room_volume(config),
                                .radius = particles.mean_radius,
                                .speed = 2 * (particles.mean_reach - particles.mean_radius) / dt,
                                .contact_rate = 2 * *particles.contacts_per_step / (count * dt),
                                .is_flat = config.box.dimension == 2};
    return dt / best_interval(of);
}

}  // namespace

std::optional<ScalingCase> scaling_case(const Config& config, const ParticleSummary& particles,
                                        const RunPlan& plan) {
    if (!particles.contacts_per_step) return std::nullopt;
    ScalingCase of;
    of.num_particles = static_cast<double>(particles.num_particles);
    of.contacts_per_step = *particles.contacts_per_step;
    of.num_intervals = num_intervals(config, particles);
    const double reach =
        particles.mean_radius + (particles.mean_reach - particles.mean_radius) / of.num_intervals;
    of.path = reach / particles.mean_radius - 1;  // a reach is half a path longer than the radius
    of.candidates = of.num_particles * content(2 * reach, config.box.dimension) / room_volume(config);
    of.box_length = config.box.size.x;
    of.halo_width = plan.slabs.halo_width;
    of.sub_window = config.run.sub_window;
    of.is_brownian = config.dynamics.type == DynamicsType::brownian;
    return of;
}

namespace {

std::string speed_line(std::string_view name, const std::string& value) {
    return fmt::format("  {:<22}{}\n", name, value);
}

}  // namespace

std::string describe_speed(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    const auto of = scaling_case(config, particles, plan);
    if (!of)
        return "  no estimate: the contacts per step of this system are not known beforehand; --measure does "
               "some steps\n";
    const ScalingEstimate e = estimate_step(*of, plan.num_ranks);
    const double all_steps = e.seconds_per_step * static_cast<double>(config.run.num_steps);
    const int most = std::min(ranks_at_efficiency(*of, reported_efficiency), plan.slabs.largest_rank_count);
    std::string text =
        fmt::format("  An estimate by a model, with constants measured on {}:\n", MachineConstants().machine);
    const auto line = [&](std::string_view name, const std::string& value) {
        text += speed_line(name, value);
    };
    line("time per step", fmt::format("about {:.3g} s", e.seconds_per_step));
    line("time of all steps",
         fmt::format("about {}, without output, placement and equilibration", in_time(all_steps)));
    line("efficiency", fmt::format("about {:.0f} %; {:.0f} % up to {} {}", 100 * e.efficiency,
                                   100 * reported_efficiency, most, most == 1 ? "rank" : "ranks"));
    if (plan.num_ranks > 1)
        line("per rank and step", fmt::format("{:.0f} messages, {:.0f} collectives, {} sent", e.num_messages,
                                              e.num_collectives, in_bytes(e.num_bytes)));
    return text;
}

namespace {

/// What the time of the run has in it, and has not.
std::string included_text(double seconds_of_writing, const MeasuredSpeed& measured) {
    return fmt::format("with {} for the launch and the writing of results, as on a local disk{}",
                       in_time(seconds_of_writing),
                       measured.num_equilibration_steps ? "" : ", without equilibration");
}

/// Most of the time of short runs.
std::string writing_text(const Config& config, const RunPlan& plan, const MeasuredSpeed& measured) {
    const double frames = static_cast<double>(plan.num_frames) * static_cast<double>(plan.bytes_per_frame);
    std::string text = fmt::format("not measured: {} frame{}, each written by itself, in all {}",
                                   plan.num_frames, plan.num_frames == 1 ? "" : "s", in_bytes(frames));
    if (measured.num_contacts > 0)
        text += fmt::format("; a collision log of {} {}, by the contacts of these steps",
                            config.output.collisions == CollisionChoice::pairs ? "at most" : "about",
                            in_bytes(measured.num_contacts * plan.bytes_per_contact));
    return text;
}

}  // namespace

std::string describe_speed(const Config& config, const RunPlan& plan, const MeasuredSpeed& measured) {
    std::string text = fmt::format("  {} steps were done here, on {} rank{}:\n", measured.num_steps,
                                   measured.num_ranks, measured.num_ranks == 1 ? "" : "s");
    text += speed_line("placement", fmt::format("{:.3g} s", measured.start_seconds));
    text += speed_line("time per step",
                       fmt::format("{:.3g} s, in the later half of them", measured.seconds_per_step));
    if (measured.seconds_per_sample > 0)
        text += speed_line("time per sample",
                           fmt::format("{:.3g} s, of the observables", measured.seconds_per_sample));
    if (measured.num_equilibration_steps.value_or(0) > 0)
        text += speed_line("equilibration", fmt::format("about {:.3g} steps, by the contacts of these",
                                                        *measured.num_equilibration_steps));
    if (std::abs(measured.share_to_come - 1) > remarkable_change)
        text += speed_line("particles to come",
                           fmt::format("{:.2g} times those of the latest step on average, by mean rates, and "
                                       "so the time",
                                       measured.share_to_come));
    const double writing = seconds_of_writing(config, plan, measured);
    return text +
           speed_line("time of the run",
                      fmt::format("about {}, {}", in_time(seconds_of_run(config, measured) + writing),
                                  included_text(writing, measured))) +
           speed_line("writing of results", writing_text(config, plan, measured));
}

}  // namespace ricochet
