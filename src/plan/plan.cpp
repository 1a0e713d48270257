// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/readable.hpp"
#include "model/size_distribution.hpp"
#include "parallel/collectives.hpp"
#include "parallel/slabs.hpp"
#include "plan/step_fit.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "search/search_choice.hpp"
#include "slabs/halo.hpp"
#include "slabs/step_limits.hpp"

namespace ricochet {
namespace {

/// Largest resident memory of a rank: measured (note 39 of tests/bench/notes.md).
constexpr double bytes_of_process = 30e6;    ///< with MPI and HDF5
constexpr double bytes_per_particle = 200;   ///< of few kinds, on a single rank: state and search
constexpr double bytes_per_own_record = 32;  ///< more, where all differ (model/attribute_list.hpp)
constexpr double bytes_to_distribute = 45;   ///< more, on several ranks: their way to the owner at the start
constexpr double bytes_per_copy = 300;       ///< of a neighbour's particle
constexpr double bytes_of_frame = 125,
                 bytes_of_gathered_frame = 250;  ///< more, with a trajectory: 1, more ranks
constexpr double bytes_per_contact_of_step = 80;
/// The log is buffered up to a limit (ResultWriter::flush_if_full). Several copies of it are in memory while
/// it is sorted and written.
constexpr double most_bytes_of_log = 64 << 20, copies_of_log = 3.5;
/// One record of the collision log (result/result_writer.hpp).
constexpr double bytes_per_contact = 112;

std::uint64_t num_outputs(std::uint64_t num_steps, std::uint64_t every) {
    if (every == 0) return 0;
    return 1 + num_steps / every + (num_steps % every == 0 ? 0 : 1);
}

std::uint64_t frame_bytes(const Config& config, std::uint64_t num_particles) {
    const std::uint64_t real = config.output.precision == OutputPrecision::float64 ? 8 : 4;
    constexpr std::uint64_t image_id_species = 24 + 8 + 4;
    return num_particles * (6 * real + image_id_species);
}

std::optional<double> log_bytes(const Config& config, const ParticleSummary& particles) {
    if (config.output.collisions == CollisionChoice::none) return 0.0;
    if (!particles.contacts_per_step) return std::nullopt;
    return *particles.contacts_per_step * static_cast<double>(config.run.num_steps) * bytes_per_contact;
}

}  // namespace

namespace {

/// Adds count, fraction, mean radius and mean reach. Sums over the ranks are taken of integers, in billionths
/// of the box. This is accurate enough for a plan, and depends on the number of ranks in the last digit only.
void add_means(Exchange& exchange, const Config& config, const Particles& particles,
               ParticleSummary& summary) {
    double filled = 0;
    double radii = 0;
    double reach = 0;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const double radius = particles.attributes[k].radius;
        filled += content(radius, config.box.dimension);
        radii += radius;
        reach += radius + norm(particles.motion[k].velocity) * config.run.timestep / 2;
    }
    std::array<std::int64_t, 4> sums{
        static_cast<std::int64_t>(particles.size()), std::llround(1e9 * filled / config.box.volume()),
        std::llround(1e9 * reach / config.box.size.x), std::llround(1e9 * radii / config.box.size.x)};
    exchange.sum(sums);
    summary.num_particles = static_cast<std::uint64_t>(sums[0]);
    summary.fraction = 1e-9 * static_cast<double>(sums[1]);
    if (sums[0] == 0) return;
    const double unit = 1e-9 * config.box.size.x / static_cast<double>(sums[0]);
    summary.mean_reach = unit * static_cast<double>(sums[2]);
    summary.mean_radius = unit * static_cast<double>(sums[3]);
}

/// Adds the two largest particles of all ranks, and the two with the largest extent in a Brownian step.
void add_largest(Exchange& exchange, const Config& config, const Particles& particles,
                 ParticleSummary& summary) {
    const bool is_brownian = config.dynamics.type == DynamicsType::brownian;
    std::vector<BrownianReach> radii, reaches;
    const auto keep_two = [](std::vector<BrownianReach>& kept, const BrownianReach& another) {
        kept.push_back(another);
        std::sort(kept.begin(), kept.end(),
                  [](const auto& a, const auto& b) { return b.extent() < a.extent(); });
        if (kept.size() > 2) kept.pop_back();
    };
    for (const Attributes& matter : particles.attributes) {
        const double speed = std::sqrt(config.dynamics.kT / matter.mass);
        keep_two(radii, {matter.radius, 0});
        if (is_brownian) keep_two(reaches, {matter.radius, speed * config.run.timestep});
    }
    summary.two_largest_radii = two_widest(all_gather_records<BrownianReach>(exchange, radii)).radius;
    summary.two_widest = two_widest(all_gather_records<BrownianReach>(exchange, reaches));
}

}  // namespace

ParticleSummary measured_summary(Exchange& exchange, const Config& config, const Particles& particles) {
    ParticleSummary summary;
    try {
        const PathBounds path_bounds = bounds_of_paths(particles, config.run.timestep, config.box);
        const StepLimits limits = agree_on_limits(exchange, path_bounds, config.box, false);
        summary.largest_radius = limits.max_radius;
        summary.largest_displacement = limits.max_displacement;
        summary.two_largest_extents = limits.two_largest_extents;
    } catch (const RunError& error) {
        throw InputError(config.input_name + ": " + error.what());
    }
    add_largest(exchange, config, particles, summary);
    add_means(exchange, config, particles, summary);
    divide_long_steps(config, summary);
    return summary;
}

namespace {

bool has_distributed_radii(const Config& config) {
    return std::any_of(config.species.begin(), config.species.end(),
                       [](const Species& species) { return species.radius_distribution.has_value(); });
}

double memory_per_rank(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    const bool is_alone = plan.num_ranks == 1;
    double per_particle = bytes_per_particle;
    if (has_distributed_radii(config)) per_particle += bytes_per_own_record;
    if (!is_alone) per_particle += bytes_to_distribute;
    if (plan.num_frames > 0) per_particle += is_alone ? bytes_of_frame : bytes_of_gathered_frame;
    const double of_all = static_cast<double>(particles.num_particles) * per_particle +
                          particles.contacts_per_step.value_or(0) * bytes_per_contact_of_step;
    return plan.bytes_without_particles + plan.copies_per_rank * bytes_per_copy + of_all / plan.num_ranks;
}

double memory_without_particles(const RunPlan& plan) {
    const double log = plan.collision_log_bytes.value_or(most_bytes_of_log) / plan.num_ranks;
    return bytes_of_process + copies_of_log * std::min(log, most_bytes_of_log);
}

/// A rank numbers its particles with 32 bits.
void require_slots(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    constexpr double most_slots = most_local_particles;
    const double count = static_cast<double>(particles.num_particles);
    const double per_rank = std::ceil(count / plan.num_ranks + plan.copies_per_rank);
    if (per_rank <= most_slots) return;
    throw InputError(fmt::format(
        "{}: species: got {} particles, {:.4g} on each of {} ranks with the copies that it needs of others', "
        "expected at most {:.0f}; take more ranks or fewer particles",
        config.input_name, particles.num_particles, per_rank, plan.num_ranks, most_slots));
}

}  // namespace

RunPlan make_plan(const Config& config, const ParticleSummary& particles, int num_ranks) {
    require_unique_images(config, particles);
    const double radius = particles.largest_radius > 0 ? particles.largest_radius : config.box.size.x;
    const SliceGrid grid(config.box, radius);
    RunPlan plan;
    plan.num_ranks = num_ranks;
    plan.num_slices = grid.num_slices();
    plan.slice_width = grid.width();
    plan.halo_width = HaloReach{radius, config.run.halo_margin * particles.largest_displacement}.max_width();
    plan.largest_rank_count = largest_rank_count(grid, plan.halo_width);
    const auto slabs = SlabDecomposition::even(grid, num_ranks);
    check_slab_widths(grid, slabs, plan.halo_width);
    plan.narrowest_slab = slabs.smallest_width();

    const auto count = static_cast<double>(particles.num_particles);
    const double halo_share = num_ranks == 1 ? 0 : std::min(1.0, plan.halo_width / config.box.size.x);
    plan.copies_per_rank = count * halo_share;
    require_slots(config, particles, plan);
    plan.cell_width = std::pow(2 * config.box.volume() / std::max(count, 1.0), 1.0 / config.box.dimension);
    plan.num_frames = num_outputs(config.run.num_steps, config.output.trajectory_every);
    plan.bytes_per_frame = frame_bytes(config, particles.num_particles);
    plan.num_samples = num_outputs(config.run.num_steps, config.output.observables_every);
    plan.collision_log_bytes = log_bytes(config, particles);
    plan.bytes_without_particles = memory_without_particles(plan);
    plan.bytes_per_rank = memory_per_rank(config, particles, plan);
    return plan;
}

void require_possible(const Config& config, int num_ranks) {
    if (config.placement.method != PlacementMethod::file)
        make_plan(config, expected_summary(config), num_ranks);
}

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

std::string search_text(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    const SearchMethod method =
        choose_search(config.search, config.box, particles.num_particles, particles.mean_reach).method;
    std::string text(to_word(method));
    if (method == search_named("cells")) text += fmt::format(", about {:.4g} wide", plan.cell_width);
    return text + (config.search == SearchMethod::automatic ? ", chosen automatically" : "");
}

std::string log_text(const Config& config, const RunPlan& plan) {
    if (config.output.collisions == CollisionChoice::none) return "none";
    if (!plan.collision_log_bytes) return "112 bytes per contact";
    const std::string size = in_bytes(*plan.collision_log_bytes);
    const double budget = static_cast<double>(config.output.collision_byte_budget);
    if (config.output.collisions == CollisionChoice::pairs) return "at most " + size + ", of all pairs";
    if (*plan.collision_log_bytes <= budget) return "about " + size;
    return fmt::format("would be about {}, ends at output.collision_byte_budget, {}", size, in_bytes(budget));
}

}  // namespace

/// Brownian velocities fall as the root of the timestep, and contacts per step with it.
std::optional<std::string> advice_on_timestep(const Config& config, double contacts_per_particle) {
    if (!(contacts_per_particle > many_contacts_per_particle)) return std::nullopt;
    const bool is_brownian = config.dynamics.type == DynamicsType::brownian;
    const double shorter = config.run.timestep / (is_brownian ? contacts_per_particle * contacts_per_particle
                                                              : contacts_per_particle);
    return fmt::format(
        "run.timestep: got {:.6g}, with about {:.2g} collisions per particle in each step; choose about "
        "{:.2g}, with one: long steps need wide halos on several ranks, and a signal to stop is heeded at "
        "the end of a step only",
        config.run.timestep, contacts_per_particle, shorter);
}

namespace {

std::string plan_line(std::string_view name, const std::string& value) {
    return fmt::format("  {:<22}{}\n", name, value);
}

}  // namespace

std::string describe(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    const double trajectory =
        static_cast<double>(plan.num_frames) * static_cast<double>(plan.bytes_per_frame);
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        text += plan_line(name, value);
    };
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
    line("ranks",
         fmt::format("{}; the most that this input can use is {}", plan.num_ranks, plan.largest_rank_count));
    line("halo",
         fmt::format("{:.4g} wide, about {:.0f} copies per rank", plan.halo_width, plan.copies_per_rank));
    line("search", search_text(config, particles, plan));
    line("memory per rank", "about " + in_bytes(plan.bytes_per_rank));
    line("trajectory",
         fmt::format("{} frames of {}, {} in all", plan.num_frames,
                     in_bytes(static_cast<double>(plan.bytes_per_frame)), in_bytes(trajectory)));
    line("observables", fmt::format("{} samples", plan.num_samples));
    line("collision log", log_text(config, plan));
    if (const auto advice = advice_on_timestep(config, contacts_per_particle(particles)))
        text += "  note: " + *advice + "\n";
    return text;
}

std::string describe_slabs(const Config& config, const RunPlan& plan) {
    const bool has_moving_cuts = config.run.balance == BalanceChoice::measured && plan.num_ranks > 1;
    return plan_line("slices along x",
                     fmt::format("{}, each {:.4g} wide", plan.num_slices, plan.slice_width)) +
           plan_line("slabs",
                     fmt::format("{}, at least {:.4g} wide{}", plan.num_ranks, plan.narrowest_slab,
                                 has_moving_cuts ? " when even; cuts move to where the work is" : ""));
}

}  // namespace ricochet
