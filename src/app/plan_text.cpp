// SPDX-License-Identifier: BSD-3-Clause
#include "app/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/readable.hpp"
#include "kinetic/delaunay3.hpp"
#include "model/world_facts.hpp"
#include "plan/position_outlook.hpp"
#include "result/body_table.hpp"
#include "search/search_choice.hpp"

namespace ricochet {
namespace {

double contacts_per_particle(const ParticleSummary& particles) {
    return 2 * particles.contacts_per_step.value_or(0) /
           static_cast<double>(std::max<std::uint64_t>(1, particles.num_particles));
}

std::string contacts_text(const Config& config, const ParticleSummary& particles) {
    if (!particles.contacts_per_step) return "not known beforehand for this system";
    const bool is_brownian = config.dynamics.type == DynamicsType::brownian;
    return fmt::format("about {:.4g} ({:.3g} collisions per particle){}", *particles.contacts_per_step,
                       contacts_per_particle(particles),
                       is_brownian ? ", of straight steps: no encounter rate" : "");
}

/// Where the triangulation would take several copies of each sphere of a rank.
std::string copies_text(const Box& box, const ParticleSummary& particles, const RunPlan& plan) {
    if (box.dimension == 2) return "";
    const auto num_on_rank =
        static_cast<double>(particles.num_particles) / plan.num_ranks + plan.copies_per_rank;
    const double length = std::min(box.size.x, plan.slabs.narrowest_slab + plan.slabs.halo_width);
    const double enough = enough_for_one_copy({length, box.size.y, box.size.z});
    return num_on_rank >= enough
               ? ""
               : fmt::format(", the more as it takes several copies of fewer than {:.0f} spheres on a rank",
                             enough);
}

std::string search_text(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    const SearchMethod method =
        choose_search(config.search, config.box, particles.num_particles, particles.mean_reach).method;
    std::string text(to_word(method));
    if (method == search_named("cells")) text += fmt::format(", about {:.4g} wide", plan.cell_width);
    text += config.search == SearchMethod::automatic ? ", chosen automatically" : "";
    const SearchLoop loop = loop_of(method, config.search_loop);
    if (loop == SearchLoop::windows) return text;
    text += fmt::format(", loop {}: slower than windows", to_word(loop));
    if (method == search_named("delaunay")) text += copies_text(config.box, particles, plan);
    return config.dynamics.type == DynamicsType::brownian
               ? text + ", the more as each step of Brownian particles begins with a new queue"
               : text;
}

std::string log_text(const Config& config, const RunPlan& plan) {
    if (config.output.collisions == CollisionChoice::none) return "none";
    if (!plan.collision_log_bytes) return fmt::format("{} bytes per contact", plan.bytes_per_contact);
    const std::string size = in_bytes(*plan.collision_log_bytes);
    const double budget = static_cast<double>(config.output.collision_byte_budget);
    if (config.output.collisions == CollisionChoice::pairs) return "at most " + size + ", of all pairs";
    if (*plan.collision_log_bytes <= budget) return "about " + size;
    return fmt::format("would be about {}, ends at output.collision_byte_budget, {}", size, in_bytes(budget));
}

/// The buffer of the collision log is full at times only, or never.
std::string memory_text(const RunPlan& plan) {
    constexpr double remarkable_share = 0.1;
    const std::string most = in_bytes(plan.bytes_per_rank);
    if (plan.bytes_of_log < remarkable_share * plan.bytes_per_rank) return "about " + most;
    return fmt::format("about {}, up to {} while the collision log is written",
                       in_bytes(plan.bytes_per_rank - plan.bytes_of_log), most);
}

std::string plan_line(std::string_view name, const std::string& value) {
    return fmt::format("  {:<22}{}\n", name, value);
}

/// Only the edge along x is cut.
std::string ranks_text(const RunPlan& plan) {
    std::string text = fmt::format("{}; the most that this input can use is {}", plan.num_ranks,
                                   plan.slabs.largest_rank_count);
    if (plan.turned.largest_rank_count > plan.slabs.largest_rank_count)
        text += fmt::format("; turned, with the edge along {} along x, {}", plan.turned.edge,
                            plan.turned.largest_rank_count);
    return text;
}

std::string bodies_text(const Config& config) {
    const World world = world_of(config);
    return fmt::format("{}; they leave {:.4g} of {:.4g}, {:.1f} %, to particles",
                       names_of_bodies(world.bodies), room_volume(world), world.box.volume(),
                       100 * room_volume(world) / world.box.volume());
}

std::string shape_text(const Species& of, int dimension) {
    return fmt::format("{} corners, {} {:.6g}, radius of the {} around it {:.6g}", of.corners.size(),
                       dimension == 2 ? "area" : "volume", of.content, dimension == 2 ? "circle" : "sphere",
                       of.radius);
}

}  // namespace

std::string describe(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    const double trajectory =
        static_cast<double>(plan.num_frames) * static_cast<double>(plan.bytes_per_frame);
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        text += plan_line(name, value);
    };
    if (!config.bodies.empty()) line("bodies", bodies_text(config));
    for (const Species& kind : config.species)
        if (!kind.corners.empty()) line("shape of " + kind.name, shape_text(kind, config.box.dimension));
    line("particles", fmt::format("{}, {} fraction {:.4g}", particles.num_particles,
                                  config.box.dimension == 2 ? "area" : "volume", particles.fraction));
    line("largest radius", fmt::format("{:.6g}", particles.largest_radius));
    line("displacement per step",
         fmt::format("up to about {:.4g}",
                     particles.largest_displacement * static_cast<double>(particles.num_parts)));
    if (particles.num_parts > 1)
        line("parts of a step", fmt::format("{}: whole steps are too long for the box, and results the same; "
                                            "a run.timestep of {:.3g} takes none",
                                            particles.num_parts,
                                            config.run.timestep / static_cast<double>(particles.num_parts)));
    line("contacts per step", contacts_text(config, particles));
    line("ranks", ranks_text(plan));
    line("halo", fmt::format("{:.4g} wide, about {:.0f} copies per rank", plan.slabs.halo_width,
                             plan.copies_per_rank));
    line("search", search_text(config, particles, plan));
    line("memory per rank", memory_text(plan));
    line("trajectory", fmt::format("{} frames of {}, {} in all{}", plan.num_frames,
                                   in_bytes(static_cast<double>(plan.bytes_per_frame)), in_bytes(trajectory),
                                   config.output.compression == OutputCompression::gzip && plan.num_frames > 0
                                       ? ", before gzip packs them"
                                       : ""));
    line("observables", fmt::format("{} samples", plan.num_samples));
    line("collision log", log_text(config, plan));
    if (const auto advice = advice_on_timestep(config, contacts_per_particle(particles)))
        text += "  note: " + *advice + "\n";
    if (const auto note = note_on_positions(config, particles)) text += "  note: " + *note + "\n";
    return text;
}

std::string describe_slabs(const Config& config, const RunPlan& plan) {
    const bool has_moving_cuts = config.run.balance == BalanceChoice::measured && plan.num_ranks > 1;
    return plan_line("slices along x",
                     fmt::format("{}, each {:.4g} wide", plan.slabs.num_slices, plan.slabs.slice_width)) +
           plan_line("slabs",
                     fmt::format("{}, at least {:.4g} wide{}", plan.num_ranks, plan.slabs.narrowest_slab,
                                 has_moving_cuts ? " when even; cuts move to where the work is" : ""));
}

}  // namespace ricochet
