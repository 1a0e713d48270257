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

/// What only some runs keep of a particle; the same on all ranks.
struct KeptMore {
    explicit KeptMore(const TrackList& track)
        : tethers(track.keeps_tethers()), latest_contacts(track.keeps_latest_contacts()) {}

    /// The bytes of a particle in a message.
    std::size_t particle_bytes() const {
        return sizeof(Motion) + sizeof(Attributes) + sizeof(Track) + (tethers ? sizeof(Tethers) : 0) +
               (latest_contacts ? sizeof(double) : 0);
    }

    bool tethers, latest_contacts;
};

/// The leavers' messages; result[r] is for rank r, or with a list of destinations for the rank at that place
/// of the list. A message holds all motions, then all attributes, all tracks, and where they are kept all tethers and
/// all times of latest contacts.
std::vector<Bytes> migration_messages(const MigrationPlan& plan, std::span<const int> destinations,
                                      const Particles& particles) {
    const KeptMore more(particles.track);
    std::vector<std::size_t> counts(destinations.size());
    const auto place_of = [&](const MigrationPlan::Leaver& leaver) {
        const auto place = std::lower_bound(destinations.begin(), destinations.end(), leaver.destination);
        RICOCHET_CHECK(place != destinations.end() && *place == leaver.destination);
        return static_cast<std::size_t>(place - destinations.begin());
    };
    for (const MigrationPlan::Leaver& leaver : plan.leavers) ++counts[place_of(leaver)];
    std::vector<Bytes> messages(destinations.size());
    for (std::size_t n = 0; n < messages.size(); ++n) messages[n].reserve(counts[n] * more.particle_bytes());
    const auto append_of_each = [&](auto&& record_of) {
        for (const MigrationPlan::Leaver& leaver : plan.leavers) {
            const auto record = record_of(leaver.index);
            append_records(messages[place_of(leaver)], std::span(&record, 1));
        }
    };
    append_of_each([&](std::size_t k) { return particles.motion[k]; });
    append_of_each([&](std::size_t k) { return particles.attributes[k]; });
    append_of_each([&](std::size_t k) { return Track(particles.track[k]); });
    if (more.tethers) append_of_each([&](std::size_t k) { return particles.track.tethers()[k]; });
    if (more.latest_contacts)
        append_of_each([&](std::size_t k) { return particles.track.latest_contacts()[k]; });
    return messages;
}

template <class Record>
Record record_at(const Bytes& message, std::size_t offset) {
    Record record;
    std::memcpy(&record, message.data() + offset, sizeof record);
    return record;
}

std::size_t num_particles_in(const Bytes& message, const KeptMore& more) {
    RICOCHET_CHECK_EQ(message.size() % more.particle_bytes(), 0);
    return message.size() / more.particle_bytes();
}

/// A message as the sets of records that it holds.
class ParticlesInMessage {
  public:
    /// Refers to `message`.
    ParticlesInMessage(const Bytes& message, const KeptMore& more)
        : message_(message),
          more_(more),
          count_(num_particles_in(message, more)),
          attributes_(count_ * sizeof(Motion)),
          track_(attributes_ + count_ * sizeof(Attributes)),
          tethers_(track_ + count_ * sizeof(Track)),
          latest_contacts_(tethers_ + (more.tethers ? count_ * sizeof(Tethers) : 0)) {}

    std::size_t size() const { return count_; }
    /// Overwrites particle `to`, or adds one where `to` is their number.
    void put(std::size_t k, std::size_t to, Particles& particles) const {
        const auto motion = record_at<Motion>(message_, k * sizeof(Motion));
        const auto attributes = record_at<Attributes>(message_, attributes_ + k * sizeof(Attributes));
        const auto track = record_at<Track>(message_, track_ + k * sizeof(Track));
        if (to == particles.size()) particles.push_back(motion, attributes, track);
        particles.motion[to] = motion;
        particles.attributes.set(to, attributes);
        particles.track.set(to, track);
        if (more_.tethers)
            particles.track.tethers()[to] = record_at<Tethers>(message_, tethers_ + k * sizeof(Tethers));
        if (more_.latest_contacts)
            particles.track.latest_contacts()[to] =
                record_at<double>(message_, latest_contacts_ + k * sizeof(double));
    }

  private:
    const Bytes& message_;
    KeptMore more_;
    std::size_t count_;
    std::size_t attributes_, track_, tethers_, latest_contacts_;  ///< where these records begin
};

/// Puts the arrivals where the leavers were; what is over is appended, or the last ones fill the gaps. Uses
/// the messages up.
void replace_leavers(const MigrationPlan& plan, std::vector<Bytes>& messages, Particles& particles) {
    const KeptMore more(particles.track);
    std::size_t num_arrivals = 0;
    for (const Bytes& message : messages) num_arrivals += num_particles_in(message, more);
    const std::size_t num_replaced = std::min(plan.leavers.size(), num_arrivals);
    if (num_arrivals > num_replaced)
        reserve_with_spare(particles, particles.size() + num_arrivals - num_replaced);
    std::size_t next = 0;
    for (Bytes& message : messages) {
        const ParticlesInMessage arrivals(message, more);
        for (std::size_t k = 0; k < arrivals.size(); ++k) {
            const bool replaces = next < num_replaced;
            arrivals.put(k, replaces ? plan.leavers[next++].index : particles.size(), particles);
        }
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
