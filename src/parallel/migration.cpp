// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/parallel/migration.hpp"

#include <algorithm>
#include <stdexcept>

#include "ricochet/geometry/path.hpp"
#include "ricochet/parallel/path_survey.hpp"

namespace ricochet {
namespace {

constexpr std::size_t particle_bytes = sizeof(Motion) + sizeof(Attributes) + sizeof(Track);

Bytes pack(const Particles& particles) {
    Bytes message;
    message.reserve(particles.size() * particle_bytes);
    append_records(message, std::span<const Motion>(particles.motion));
    for (const Attributes& attributes : particles.attributes)
        append_records(message, std::span(&attributes, 1));
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const Track track = particles.track[k];
        append_records(message, std::span(&track, 1));
    }
    return message;
}

void unpack(const Bytes& message, Particles& particles) {
    if (message.size() % particle_bytes != 0)
        throw std::logic_error("a migration message is not a whole number of particles");
    const std::size_t count = message.size() / particle_bytes;
    read_records(message, 0, count, particles.motion);
    std::vector<Attributes> attributes;
    read_records(message, count * sizeof(Motion), count, attributes);
    for (const Attributes& of_one : attributes) particles.attributes.push_back(of_one);
    std::vector<Track> tracks;
    read_records(message, count * (sizeof(Motion) + sizeof(Attributes)), count, tracks);
    for (const Track& of_one : tracks) particles.track.push_back(of_one);
}

/// Copies of the leavers; result[r] is for rank r, or with a list of destinations for the rank at that place
/// of the list.
std::vector<Particles> parcels_of(const MigrationPlan& plan, std::span<const int> destinations,
                                  const Particles& particles) {
    std::vector<Particles> parcels(destinations.size());
    for (const MigrationPlan::Leaver& leaver : plan.leavers) {
        const auto place = std::lower_bound(destinations.begin(), destinations.end(), leaver.destination);
        if (place == destinations.end() || *place != leaver.destination)
            throw std::logic_error("a particle leaves for a rank that is no neighbour");
        parcels[static_cast<std::size_t>(place - destinations.begin())].append(particles, leaver.index);
    }
    return parcels;
}

/// Puts the arrivals where the leavers were; what is over is appended, or the last ones fill the gaps.
void replace_leavers(const MigrationPlan& plan, const Particles& arrivals, Particles& particles) {
    const std::size_t num_replaced = std::min(plan.leavers.size(), arrivals.size());
    for (std::size_t k = 0; k < num_replaced; ++k) particles.assign(plan.leavers[k].index, arrivals, k);
    for (std::size_t k = num_replaced; k < arrivals.size(); ++k) particles.append(arrivals, k);
    std::size_t size = particles.size();
    for (std::size_t k = plan.leavers.size(); k-- > num_replaced;)
        particles.move_within(--size, plan.leavers[k].index);
    particles.resize(size);
}

}  // namespace

MigrationPlan plan_migration(const Particles& particles, std::span<const std::uint32_t> near, double dt,
                             const Box& box, const SlabDecomposition& slabs, int rank) {
    const std::vector<int> adjacent = slabs.adjacent(rank);
    MigrationPlan plan;
    const PathMidpoint midpoint(box, dt);
    for (const std::uint32_t k : near) {
        const int owner = slabs.owner(midpoint.x(particles.motion[k]));
        if (owner == rank) continue;
        plan.leavers.push_back({k, owner});
        if (!std::binary_search(adjacent.begin(), adjacent.end(), owner)) plan.is_to_adjacent_slabs = false;
    }
    return plan;
}

MigrationPlan plan_migration(const Particles& particles, double dt, const Box& box,
                             const SlabDecomposition& slabs, int rank) {
    const PathSurvey survey = survey_paths(particles, dt, box, inner_part(slabs, rank, 0));
    return plan_migration(particles, survey.near, dt, box, slabs, rank);
}

void migrate(Exchange& exchange, const SlabDecomposition& slabs, const MigrationPlan& plan, bool any_to_any,
             Particles& particles) {
    std::vector<int> destinations;
    if (any_to_any)
        for (int r = 0; r < exchange.size(); ++r) destinations.push_back(r);
    else
        destinations = slabs.adjacent(exchange.rank());

    std::vector<Bytes> outgoing, incoming;
    for (const Particles& parcel : parcels_of(plan, destinations, particles))
        outgoing.push_back(pack(parcel));
    if (any_to_any)
        incoming = exchange.all_to_all(std::move(outgoing));
    else
        exchange.swap_messages(MessagePhase::migration, destinations, outgoing, incoming);
    Particles arrivals;
    for (const Bytes& message : incoming) unpack(message, arrivals);
    replace_leavers(plan, arrivals, particles);
}

void distribute(Exchange& exchange, const Box& box, const SlabDecomposition& slabs, Particles& particles) {
    migrate(exchange, slabs, plan_migration(particles, 0, box, slabs, exchange.rank()), true, particles);
}

}  // namespace ricochet
