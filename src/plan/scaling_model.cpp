// SPDX-License-Identifier: BSD-3-Clause
#include "plan/scaling_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "slabs/halo.hpp"
#include "slabs/window_count.hpp"
#include "slabs/window_exchange.hpp"

namespace ricochet {
namespace {

double contacts_per_particle(const ScalingCase& of) {
    return of.num_particles > 0 ? of.contacts_per_step / of.num_particles : 0;
}

/// From 0, where the local particles fit into the caches, to 1, where hardly any do.
double part_in_memory(double num_local, const MachineConstants& machine) {
    const double part = std::log(std::max(num_local, 1.0) / machine.small_particles) /
                        std::log(machine.large_particles / machine.small_particles);
    return std::clamp(part, 0.0, 1.0);
}

/// Nanoseconds of a particle's step without its contacts, among `num_local` particles.
double particle_time(const ScalingCase& of, double num_local, const MachineConstants& machine) {
    const double search = of.num_intervals * (machine.per_particle + machine.per_candidate * of.candidates);
    return std::lerp(1.0, machine.growth_in_memory, part_in_memory(num_local, machine)) *
           (search + (of.is_brownian ? machine.per_drive : 0));
}

/// Nanoseconds of a particle's contacts in a step among `num_local` particles.
double contact_time_of_particle(const ScalingCase& of, double num_local, const MachineConstants& machine) {
    const double contact =
        std::lerp(machine.per_contact_small, machine.per_contact_large, part_in_memory(num_local, machine));
    return contacts_per_particle(of) * contact * (1 + machine.growth_with_path * of.path / (1 + of.path));
}

double seconds_alone(const ScalingCase& of, double num_owned, const MachineConstants& machine) {
    return 1e-9 * num_owned *
           (particle_time(of, num_owned, machine) + contact_time_of_particle(of, num_owned, machine));
}

double seconds_with_neighbours(const ScalingCase& of, const ScalingEstimate& e,
                               const MachineConstants& machine) {
    const double num_local = e.num_owned + e.num_copies;
    const double particle = particle_time(of, num_local, machine);
    const double contacts = contact_time_of_particle(of, num_local, machine);
    return 1e-9 * (e.num_owned * (particle + contacts) +
                   e.num_copies * (machine.per_copy + machine.copy_share * particle +
                                   machine.copy_contact_share * contacts));
}

bool has_thick_slabs(const ScalingCase& of, int num_ranks) {
    return num_ranks <= 2 || of.box_length / num_ranks >= of.halo_width;
}

void require_possible(const ScalingCase& of, int num_ranks) {
    if (num_ranks < 1) throw InputError(fmt::format("ranks: got {}, expected at least 1", num_ranks));
    if (has_thick_slabs(of, num_ranks)) return;
    throw InputError(
        fmt::format("ranks: got {}, with slabs {:.4g} thick, expected at most {}: the halo is {:.4g} wide",
                    num_ranks, of.box_length / num_ranks,
                    std::max(2, static_cast<int>(of.box_length / of.halo_width)), of.halo_width));
}

/// Adds messages to the neighbours and the reductions over all ranks.
void add_talk(const ScalingCase& of, int num_ranks, const MachineConstants& machine, ScalingEstimate& e) {
    const double num_events =
        machine.events_per_contact * 2 * contacts_per_particle(of) * e.num_copies / e.num_windows;
    e.num_rounds = e.num_windows * (1 + std::log2(1 + machine.changes_per_event * num_ranks * num_events));
    const double num_neighbours = num_ranks == 2 ? 1 : 2;
    e.num_messages = num_neighbours * (2 + e.num_rounds);
    e.num_collectives = 1 + e.num_rounds;
    e.num_bytes = e.num_copies * sizeof(HaloRecord) +
                  e.num_rounds * (num_events * bytes_of_boundary_event + num_neighbours * bytes_of_bounds);
    e.talk_seconds = 1e-9 * (e.num_messages * machine.per_message +
                             e.num_collectives * machine.per_collective * std::log2(num_ranks)) +
                     e.num_bytes / machine.bytes_per_second;
}

}  // namespace

ScalingEstimate estimate_step(const ScalingCase& of, int num_ranks, const MachineConstants& machine) {
    require_possible(of, num_ranks);
    ScalingEstimate e;
    e.num_owned = of.num_particles / num_ranks;
    e.num_windows =
        std::max(1.0, std::ceil(2 * contacts_per_particle(of) / adapted_to_ranks(of.sub_window, num_ranks)));
    e.num_rounds = e.num_windows;
    const double alone = seconds_alone(of, e.num_owned, machine);
    e.work_seconds = alone;
    if (num_ranks > 1) {
        e.num_copies =
            std::min(of.num_particles * of.halo_width / of.box_length, of.num_particles - e.num_owned);
        e.work_seconds = seconds_with_neighbours(of, e, machine);
        add_talk(of, num_ranks, machine, e);
    }
    e.seconds_per_step = e.work_seconds + e.talk_seconds;
    if (e.seconds_per_step > 0) e.efficiency = alone / e.seconds_per_step;
    return e;
}

int ranks_at_efficiency(const ScalingCase& of, double least, const MachineConstants& machine) {
    const auto is_enough = [&](int num_ranks) {
        return has_thick_slabs(of, num_ranks) && estimate_step(of, num_ranks, machine).efficiency >= least;
    };
    int enough = 1, too_many = 2;
    for (; too_many < 1 << 24 && is_enough(too_many); too_many *= 2) enough = too_many;
    while (too_many - enough > 1) {
        const int middle = enough + (too_many - enough) / 2;
        (is_enough(middle) ? enough : too_many) = middle;
    }
    return enough;
}

}  // namespace ricochet
