// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/gravity_images.hpp"
#include "model/world_facts.hpp"
#include "plan/step_fit.hpp"
#include "ricochet/core/error.hpp"
#include "theory/contact_rate.hpp"
#include "theory/rate_outlook.hpp"

namespace ricochet {
namespace {

/// Largest resident memory of a rank: measured (note 65 of tests/bench/notes.md).
constexpr double bytes_of_process = 29e6;  ///< with MPI and HDF5
/// Large pages that arrays fill in part: a bound, and what particles take of it.
constexpr double bytes_of_unused_pages = 6e6, unused_bytes_per_particle = 300;
constexpr double bytes_per_own_record = 32;  ///< more, where all differ (model/attribute_list.hpp)
constexpr double bytes_per_copy = 300;       ///< of a neighbour's particle
constexpr double bytes_of_tethers = 128;     ///< more, of either, where there can be tethers
/// More, where particles attract each other: on several ranks; on one 140.
constexpr double bytes_of_gravity = 200;

/// Bytes by particle and by contact of a step.
struct Footprint {
    double particle = 0;  ///< of few kinds: state, search, the way to its owner
    double frame = 0;     ///< more, with a trajectory
    double contact_of_step = 0;
    double dense_start = 0;  ///< in place of the others, while spheres are placed densely
};
constexpr Footprint on_one_rank{205, 27, 90, 740}, on_several_ranks{410, 140, 160, 920};
/// Discs have fewer neighbours.
constexpr double neighbours_of_discs = 0.5;

/// The log is buffered up to a limit (ResultWriter::flush_if_due), or the next frame. More comes before that is seen,
/// in a quarter of a second or in one step. Then ranks exchange it, which takes memory too.
constexpr double bytes_of_full_log = 16 << 20, bytes_of_log_between = 28 << 20, copies_of_log = 1.5;
/// More, by the bytes of the rows of a step: its contacts, and their order.
constexpr double copies_of_step = 1.5;

/// One record of the collision log (result/FORMAT.md), which tells outcomes where contacts do more than bounce.
double bytes_of_record(const World& world) { return has_changing_particles(world) ? 128 : 112; }

std::optional<double> log_bytes(const Config& config, const ParticleSummary& particles,
                                double bytes_per_contact) {
    if (config.output.collisions == CollisionChoice::none) return 0.0;
    if (!particles.contacts_per_step) return std::nullopt;
    return *particles.contacts_per_step * static_cast<double>(config.run.num_steps) * bytes_per_contact;
}

bool has_distributed_radii(const World& world) {
    return std::any_of(world.species.begin(), world.species.end(),
                       [](const Species& species) { return species.radius_distribution.has_value(); });
}

/// More than the steps need, where particles are placed densely.
double bytes_of_start(const Config& config, const Footprint& bytes) {
    if (config.placement.method != PlacementMethod::dense) return 0;
    return bytes.dense_start * (config.box.dimension == 2 ? neighbours_of_discs : 1);
}

double memory_per_rank(const Config& config, const World& world, const ParticleSummary& particles,
                       const RunPlan& plan) {
    const Footprint& bytes = plan.num_ranks == 1 ? on_one_rank : on_several_ranks;
    const double of_tethers = has_tethers(world) ? bytes_of_tethers : 0;
    double per_particle = bytes.particle + of_tethers;
    if (has_distributed_radii(world)) per_particle += bytes_per_own_record;
    if (plan.num_frames > 0) per_particle += bytes.frame;
    if (world.self_gravity) per_particle += bytes_of_gravity;
    const double num_own = static_cast<double>(particles.num_particles) / plan.num_ranks;
    const double of_contacts =
        particles.contacts_per_step.value_or(0) / plan.num_ranks * bytes.contact_of_step;
    const double of_steps =
        num_own * per_particle + of_contacts + plan.copies_per_rank * (bytes_per_copy + of_tethers);
    return plan.bytes_without_particles +
           std::min(bytes_of_unused_pages, num_own * unused_bytes_per_particle) +
           std::max(of_steps, num_own * bytes_of_start(config, bytes));
}

/// A frame writes what is buffered of the log, too, but where it waits for the flush of others.
double memory_of_log(const Config& config, const RunPlan& plan) {
    if (config.output.collisions == CollisionChoice::none) return 0;
    if (!plan.collision_log_bytes) return copies_of_log * (bytes_of_full_log + bytes_of_log_between);
    const auto num_steps = static_cast<double>(std::max<std::uint64_t>(1, config.run.num_steps));
    const std::uint64_t every = config.output.trajectory_every;
    const bool frames_wait = config.output.flush_every_seconds > 0;
    const double share =
        every == 0 || frames_wait ? 1 : std::min(1.0, static_cast<double>(every) / num_steps);
    const double log = *plan.collision_log_bytes * share / plan.num_ranks;
    const double step = *plan.collision_log_bytes / num_steps / plan.num_ranks;
    const double most = bytes_of_full_log + std::max(bytes_of_log_between, step);
    return copies_of_log * std::min(log, most) + copies_of_step * step;
}

/// A rank numbers its particles with 32 bits.
void require_slots(const Config& config, const ParticleSummary& particles, const RunPlan& plan) {
    constexpr double most_slots = most_particles_on_a_rank;
    const double count = static_cast<double>(particles.num_particles);
    const double per_rank = std::ceil(count / plan.num_ranks + plan.copies_per_rank);
    if (per_rank <= most_slots) return;
    throw InputError(fmt::format(
        "{}: species: got {} particles, {:.4g} on each of {} ranks with the copies that it needs of others', "
        "expected at most {:.0f}; take more ranks or fewer particles",
        config.input_name, particles.num_particles, per_rank, plan.num_ranks, most_slots));
}

/// The most ranks that the box could have if another edge were along x.
TurnedBox turned_box(const Box& box, const HaloReach& reach) {
    TurnedBox best;
    for (int axis = 1; axis < box.dimension; ++axis) {
        Box turned = box;
        std::swap(turned.size.x, axis == 1 ? turned.size.y : turned.size.z);
        std::swap(turned.boundary[0], turned.boundary[static_cast<std::size_t>(axis)]);
        const int count = even_slabs(turned, reach, 1).largest_rank_count;
        if (count > best.largest_rank_count) best = {"xyz"[axis], count};
    }
    return best;
}

}  // namespace

std::uint64_t num_outputs(std::uint64_t num_steps, std::uint64_t every) {
    if (every == 0) return 0;
    return 1 + num_steps / every + (num_steps % every == 0 ? 0 : 1);
}

std::uint64_t frame_bytes(const Config& config, std::uint64_t num_rows) {
    const std::uint64_t real = config.output.precision == OutputPrecision::float64 ? 8 : 4;
    constexpr std::uint64_t image_id_species = 24 + 8 + 4;
    const std::uint64_t radius_and_mass = has_changing_particles(world_of(config)) ? 16 : 0;
    return num_rows * (6 * real + image_id_species + radius_and_mass);
}

RunPlan make_plan(const Config& config, const ParticleSummary& particles, int num_ranks) {
    require_unique_images(config, particles);
    if (const auto refusal = refusal_of_steps(config)) throw InputError(*refusal);
    const double radius = particles.largest_radius > 0 ? particles.largest_radius : config.box.size.x;
    const double excursion = config.run.halo_margin * particles.largest_displacement;
    RunPlan plan;
    plan.num_ranks = num_ranks;
    plan.slabs = even_slabs(config.box, {radius, excursion, particles.reach}, num_ranks);

    const auto count = static_cast<double>(particles.num_particles);
    const double halo_share = num_ranks == 1 ? 0 : std::min(1.0, plan.slabs.halo_width / config.box.size.x);
    plan.copies_per_rank = count * halo_share;
    plan.turned = turned_box(config.box, {radius, excursion, particles.reach});
    require_slots(config, particles, plan);
    plan.cell_width = std::pow(2 * config.box.volume() / std::max(count, 1.0), 1.0 / config.box.dimension);
    plan.num_frames = num_outputs(config.run.num_steps, config.output.trajectory_every);
    const World world = world_of(config);
    plan.bytes_per_contact = bytes_of_record(world);
    plan.bytes_per_frame = frame_bytes(config, particles.num_particles);
    plan.num_samples = num_outputs(config.run.num_steps, config.output.observables_every);
    plan.collision_log_bytes = log_bytes(config, particles, plan.bytes_per_contact);
    plan.bytes_of_log = memory_of_log(config, plan);
    plan.bytes_without_particles =
        bytes_of_process + plan.bytes_of_log + (world.self_gravity ? bytes_of_far_images(world.box) : 0);
    plan.bytes_per_rank = memory_per_rank(config, world, particles, plan);
    return plan;
}

void require_possible(const Config& config, int num_ranks) {
    if (config.placement.method != PlacementMethod::file)
        make_plan(config, expected_summary(config), num_ranks);
}

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

}  // namespace ricochet
