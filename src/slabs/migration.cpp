// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/migration.hpp"

#include <algorithm>
#include <cstring>

#include "geometry/path.hpp"
#include "model/particle_memory.hpp"
#include "ricochet/core/check.hpp"
#include "slabs/path_bounds.hpp"

namespace ricochet {
namespace {

/// The bytes of a particle in a message.
std::size_t particle_bytes(bool has_tethers) {
    return sizeof(Motion) + sizeof(Attributes) + sizeof(Track) + (has_tethers ? sizeof(Tethers) : 0);
}

/// The leavers' messages; result[r] is for rank r, or with a list of destinations for the rank at that place
/// of the list. A message holds all motions, then all attributes, all tracks, and all tethers where they are kept.
std::vector<Bytes> migration_messages(const MigrationPlan& plan, std::span<const int> destinations,
                                      const Particles& particles) {
    const bool has_tethers = particles.track.keeps_tethers();
    std::vector<std::size_t> counts(destinations.size());
    const auto place_of = [&](const MigrationPlan::Leaver& leaver) {
        const auto place = std::lower_bound(destinations.begin(), destinations.end(), leaver.destination);
        RICOCHET_CHECK(place != destinations.end() && *place == leaver.destination);
        return static_cast<std::size_t>(place - destinations.begin());
    };
    for (const MigrationPlan::Leaver& leaver : plan.leavers) ++counts[place_of(leaver)];
    std::vector<Bytes> messages(destinations.size());
    for (std::size_t n = 0; n < messages.size(); ++n)
        messages[n].reserve(counts[n] * particle_bytes(has_tethers));
    const auto append_of_each = [&](auto&& record_of) {
        for (const MigrationPlan::Leaver& leaver : plan.leavers) {
            const auto record = record_of(leaver.index);
            append_records(messages[place_of(leaver)], std::span(&record, 1));
        }
    };
    append_of_each([&](std::size_t k) { return particles.motion[k]; });
    append_of_each([&](std::size_t k) { return particles.attributes[k]; });
    append_of_each([&](std::size_t k) { return Track(particles.track[k]); });
    if (has_tethers) append_of_each([&](std::size_t k) { return particles.track.tethers()[k]; });
    return messages;
}

template <class Record>
Record record_at(const Bytes& message, std::size_t offset) {
    Record record;
    std::memcpy(&record, message.data() + offset, sizeof record);
    return record;
}

std::size_t num_particles_in(const Bytes& message, bool has_tethers) {
    RICOCHET_CHECK_EQ(message.size() % particle_bytes(has_tethers), 0);
    return message.size() / particle_bytes(has_tethers);
}

/// visit(motion, attributes, track, tethers) of all particles in the message; without tethers where none are kept.
template <class Visit>
void for_each_particle(const Bytes& message, bool has_tethers, Visit&& visit) {
    const std::size_t count = num_particles_in(message, has_tethers);
    const std::size_t attributes_begin = count * sizeof(Motion);
    const std::size_t track_begin = attributes_begin + count * sizeof(Attributes);
    const std::size_t tethers_begin = track_begin + count * sizeof(Track);
    for (std::size_t k = 0; k < count; ++k)
        visit(record_at<Motion>(message, k * sizeof(Motion)),
              record_at<Attributes>(message, attributes_begin + k * sizeof(Attributes)),
              record_at<Track>(message, track_begin + k * sizeof(Track)),
              has_tethers ? record_at<Tethers>(message, tethers_begin + k * sizeof(Tethers)) : Tethers());
}

/// Puts the arrivals where the leavers were; what is over is appended, or the last ones fill the gaps. Uses
/// the messages up.
void replace_leavers(const MigrationPlan& plan, std::vector<Bytes>& messages, Particles& particles) {
    const bool has_tethers = particles.track.keeps_tethers();
    std::size_t num_arrivals = 0;
    for (const Bytes& message : messages) num_arrivals += num_particles_in(message, has_tethers);
    const std::size_t num_replaced = std::min(plan.leavers.size(), num_arrivals);
    if (num_arrivals > num_replaced)
        reserve_with_spare(particles, particles.size() + num_arrivals - num_replaced);
    std::size_t next = 0;
    for (Bytes& message : messages) {
        for_each_particle(message, has_tethers,
                          [&](const Motion& motion, const Attributes& attributes, const Track& track,
                              const Tethers& tethers) {
                              const bool replaces = next < num_replaced;
                              const std::size_t to = replaces ? plan.leavers[next++].index : particles.size();
                              if (!replaces) particles.push_back(motion, attributes, track);
                              particles.motion[to] = motion;
                              particles.attributes.set(to, attributes);
                              particles.track.set(to, track);
                              if (has_tethers) particles.track.tethers()[to] = tethers;
                          });
        Bytes().swap(message);
    }
    std::size_t size = particles.size();
    for (std::size_t k = plan.leavers.size(); k-- > num_replaced;)
        particles.move_within(--size, plan.leavers[k].index);
    particles.resize(size);
}

}  // namespace

MigrationPlan plan_migration(const Particles& particles, std::span<const std::uint32_t> outside, double dt,
                             const Box& box, const SlabDecomposition& slabs, int rank) {
    const std::vector<int> adjacent = slabs.adjacent(rank);
    MigrationPlan plan;
    const PathMidpoint midpoint(box, dt);
    for (const std::uint32_t k : outside) {
        const int owner = slabs.owner(midpoint.x(particles.motion[k]));
        if (owner == rank) continue;
        plan.leavers.push_back({k, owner});
        if (!std::binary_search(adjacent.begin(), adjacent.end(), owner)) plan.is_to_adjacent_slabs = false;
    }
    return plan;
}

MigrationPlan plan_migration(const Particles& particles, double dt, const Box& box,
                             const SlabDecomposition& slabs, int rank) {
    const InnerPart slab = inner_part(slabs, rank, {});
    return plan_migration(particles, bounds_of_paths(particles, dt, box, slab, slab).outside, dt, box, slabs,
                          rank);
}

void migrate(Exchange& exchange, const SlabDecomposition& slabs, const MigrationPlan& plan, bool any_to_any,
             Particles& particles) {
    std::vector<int> destinations;
    if (any_to_any)
        for (int r = 0; r < exchange.size(); ++r) destinations.push_back(r);
    else
        destinations = slabs.adjacent(exchange.rank());

    std::vector<Bytes> outgoing = migration_messages(plan, destinations, particles), incoming;
    if (any_to_any) {
        incoming = exchange.all_to_all(std::move(outgoing));
    } else {
        exchange.swap_messages(MessagePhase::migration, destinations, outgoing, incoming);
        outgoing.clear();
    }
    replace_leavers(plan, incoming, particles);
}

void distribute(Exchange& exchange, const Box& box, const SlabDecomposition& slabs, Particles& particles) {
    migrate(exchange, slabs, plan_migration(particles, 0, box, slabs, exchange.rank()), true, particles);
}

}  // namespace ricochet
