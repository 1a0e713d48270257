// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/halo.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/text.hpp"
#include "geometry/path.hpp"
#include "model/particle_memory.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr int mask_bits = std::numeric_limits<NeighbourMask>::digits;

/// The same numbers on all ranks, so that all of them throw or none.
void require_few_neighbours(const SlabDecomposition& slabs, double width) {
    constexpr int bits_per_side = mask_bits / 2 - 1;
    if (slabs.num_slabs() <= mask_bits || width < bits_per_side * slabs.smallest_width()) return;
    throw RunError("the halo of " + text_of(width) + " reaches across too many slabs, the thinnest " +
                   text_of(slabs.smallest_width()) + ": use fewer ranks or a smaller timestep");
}

/// The mask of this many neighbours, at most mask_bits.
NeighbourMask all_of(std::size_t num_neighbours) {
    return num_neighbours == 0 ? 0 : ~NeighbourMask{0} >> (mask_bits - static_cast<int>(num_neighbours));
}

constexpr int species_bits = 29;

HaloRecord record_of(const Motion& motion, const Attributes& attributes, NeighbourMask holders) {
    HaloRecord record;
    record.position = motion.position;
    record.velocity = motion.velocity;
    record.id = motion.id;
    record.radius = attributes.radius;
    record.mass = attributes.mass;
    record.species_and_axes = attributes.species | attributes.frozen_axes << species_bits;
    record.holders = holders;
    return record;
}

/// A copy is not driven, and its diffusion not sent. Where all have the same attributes, it has them too:
/// then one record still stands for all (model/attribute_list.hpp).
void put_attributes(const HaloRecord& record, AttributeList& local) {
    const SpeciesIndex species = record.species_and_axes & ((1u << species_bits) - 1);
    const std::uint32_t frozen_axes = record.species_and_axes >> species_bits;
    const auto is_like = [&](const Attributes& other) {
        return other.radius == record.radius && other.mass == record.mass && other.species == species &&
               other.frozen_axes == frozen_axes;
    };
    if (!local.empty() && is_like(local[0]))
        local.push_back_another(0);
    else
        local.push_back(
            {.radius = record.radius, .mass = record.mass, .species = species, .frozen_axes = frozen_axes});
}

/// Copies come in the order of their slots.
void put_copy(const HaloRecord& record, double time, std::size_t slot, Particles& local) {
    Motion& motion = local.motion[slot];
    motion.position = record.position;
    motion.velocity = record.velocity;
    motion.time = time;
    motion.id = record.id;
    put_attributes(record, local.attributes);
}

/// Which neighbours an owned particle with its midpoint at x must be sent to.
NeighbourMask holders_of(double x, const SlabDecomposition& slabs, const std::vector<int>& neighbours,
                         double width) {
    NeighbourMask holders = 0;
    for (std::size_t n = 0; n < neighbours.size(); ++n)
        if (slabs.distance_down(x, neighbours[n]) <= width) holders |= NeighbourMask{1} << n;
    return holders;
}

/// How far it is, upwards (+1) or downwards (-1), to the first slab that is no neighbour; infinite when there
/// is none.
double gap_to_stranger(const SlabDecomposition& slabs, int rank, int direction,
                       const std::vector<int>& neighbours) {
    const int num_slabs = slabs.num_slabs();
    for (int steps = 1; steps < num_slabs; ++steps) {
        int other = rank + direction * steps;
        if (!slabs.is_periodic() && (other < 0 || other >= num_slabs)) break;
        other = (other + num_slabs) % num_slabs;
        if (!std::binary_search(neighbours.begin(), neighbours.end(), other))
            return direction > 0 ? slabs.gap_above(rank, other) : slabs.gap_above(other, rank);
    }
    return std::numeric_limits<double>::infinity();
}

/// Translates masks of the owner's neighbours into masks of this rank's.
class HolderTranslation {
  public:
    HolderTranslation(const std::vector<int>& own, std::size_t owner, const std::vector<int>& owners_list)
        : owner_bit_(NeighbourMask{1} << owner) {
        for (const int rank : owners_list) {
            const auto found = std::lower_bound(own.begin(), own.end(), rank);
            const bool is_neighbour = found != own.end() && *found == rank;
            bits_.push_back(is_neighbour ? NeighbourMask{1} << (found - own.begin()) : 0);
        }
    }

    NeighbourMask operator()(NeighbourMask of_owner) const {
        NeighbourMask result = owner_bit_;
        for (std::size_t j = 0; j < bits_.size(); ++j)
            if (of_owner >> j & 1) result |= bits_[j];
        return result;
    }

  private:
    NeighbourMask owner_bit_;
    std::vector<NeighbourMask> bits_;  ///< of the owner's j-th neighbour; 0 where it is not ours
};

/// visit(slot, motion) for slots that lie scattered in memory: each is on its way before its turn.
template <class Visit>
void for_each_motion(std::span<const std::uint32_t> slots, const Particles& particles, Visit&& visit) {
    constexpr std::size_t ahead = 16;
    for (std::size_t k = 0; k < slots.size(); ++k) {
        if (k + ahead < slots.size()) prefetch(&particles.motion[slots[k + ahead]]);
        visit(slots[k], particles.motion[slots[k]]);
    }
}

/// The messages to the neighbours, while they are written over those of the step before.
class MessageWriter {
  public:
    MessageWriter(std::size_t num_neighbours, std::vector<Bytes>& messages)
        : messages_(messages), written_(num_neighbours) {
        messages.resize(num_neighbours);
    }

    /// In its place at once: a copy of what was just put together would wait for that.
    void add(std::size_t neighbour, const Motion& motion, const Attributes& attributes,
             NeighbourMask holders) {
        Bytes& message = messages_[neighbour];
        std::size_t& end = written_[neighbour];
        if (message.size() < end + sizeof(HaloRecord)) make_room(message);
        ::new (message.data() + end) HaloRecord(record_of(motion, attributes, holders));
        end += sizeof(HaloRecord);
    }
    /// Cuts off what has not been written. Returns the number of records in all messages.
    std::uint64_t finish() {
        std::uint64_t num_records = 0;
        for (std::size_t n = 0; n < messages_.size(); ++n) {
            messages_[n].resize(written_[n]);
            num_records += written_[n] / sizeof(HaloRecord);
        }
        return num_records;
    }

  private:
    /// An eighth more, where by itself a vector would double. All the room is overwritten in every step, so it
    /// must not stay as large as one very wide halo has made it.
    static void make_room(Bytes& message) {
        constexpr std::size_t few = 64;
        const std::size_t size = message.size() + message.size() / 8 + few * sizeof(HaloRecord);
        message.reserve(size);
        message.resize(size);
    }

    std::vector<Bytes>& messages_;
    std::vector<std::size_t> written_;  ///< bytes
};

/// Decides which neighbours get copies of the owned particles, and makes the messages. In one pass: to come back for
/// those that are sent would fetch them from memory, or from the last cache, once more.
void pack_copies(const Particles& owned, const NearFaces& near, double dt, const Box& box,
                 const SlabDecomposition& slabs, int rank, const HaloReach& reach, HaloMap& halo) {
    const std::size_t num_neighbours = halo.neighbours.size();
    halo.holders.reset(owned.size());
    halo.straight = PathReach(num_neighbours);
    const NeighbourMask everybody = all_of(num_neighbours);
    // Most are sent to all or to none: how far these reach is summed up in registers.
    FaceReach sent, unsent = near.of_others;
    MessageWriter messages(num_neighbours, halo.outgoing);
    const PathMidpoint midpoint(box, dt);
    const double low = slabs.low(rank), high = slabs.high(rank);
    const double slack = path_slack(box);
    for_each_motion(near.slots, owned, [&](std::uint32_t k, const Motion& motion) {
        const Attributes& attributes = owned.attributes[k];
        const double radius = attributes.radius;
        const double x = midpoint.x(motion);
        const double extent = radius + reach.reaction + 0.5 * dt * std::abs(motion.velocity.x) + slack;
        const FaceReach path{low - (x - extent), (x + extent) - high};
        const NeighbourMask holders = holders_of(x, slabs, halo.neighbours, reach.width(radius));
        if (holders == 0) return unsent.include(path);
        halo.holders.set(k, holders);
        if (holders == everybody)
            sent.include(path);
        else if (halo.straight.may_grow_by(path))
            halo.straight.include(path, holders);
        for (std::size_t n = 0; n < num_neighbours; ++n)
            if (holders >> n & 1) messages.add(n, motion, attributes, holders);
    });
    halo.straight.include(sent, everybody);
    halo.straight.include(unsent, 0);
    halo.num_sent = messages.finish();
}

/// Appends what the neighbours sent.
void unpack_copies(const SlabDecomposition& slabs, double width, double time, HaloMap& halo,
                   Particles& local) {
    std::size_t size = local.size();
    for (const Bytes& message : halo.incoming) size += message.size() / sizeof(HaloRecord);
    std::size_t slot = local.size();
    reserve_with_spare(local, size);
    local.motion.resize(size);
    local.track.resize(size);
    halo.holders.resize(size);
    for (std::size_t n = 0; n < halo.incoming.size(); ++n) {
        const HolderTranslation translated(halo.neighbours, n, slabs.neighbours(halo.neighbours[n], width));
        const Bytes& message = halo.incoming[n];
        RICOCHET_CHECK_EQ(message.size() % sizeof(HaloRecord), 0);
        for (std::size_t at = 0; at < message.size(); at += sizeof(HaloRecord), ++slot) {
            HaloRecord record;
            std::memcpy(&record, message.data() + at, sizeof record);
            put_copy(record, time, slot, local);
            halo.holders.set(static_cast<Slot>(slot), translated(record.holders));
        }
    }
}

}  // namespace

void exchange_halo(Exchange& exchange, const Box& box, const SlabDecomposition& slabs, const HaloReach& reach,
                   const NearFaces& near, TimeSpan span, Particles& local, HaloMap& halo) {
    const double width = reach.max_width();
    require_few_neighbours(slabs, width);
    halo.neighbours = slabs.neighbours(exchange.rank(), width);
    halo.num_owned = local.size();
    halo.num_sent = 0;
    if (slabs.num_slabs() == 1) return;
    pack_copies(local, near, span.length(), box, slabs, exchange.rank(), reach, halo);
    exchange.swap_messages(MessagePhase::halo, halo.neighbours, halo.outgoing, halo.incoming);
    unpack_copies(slabs, width, span.begin, halo, local);
}

bool may_have_missed(const SlabDecomposition& slabs, int rank, const HaloMap& halo, const PathReach& mine,
                     std::span<const FaceBounds> theirs) {
    for (std::size_t n = 0; n < halo.neighbours.size(); ++n) {
        const double gap = slabs.gap_above(halo.neighbours[n], rank);
        if (mine.unsent_below(n) + theirs[n].owned_above >= gap) return true;
    }
    return false;
}

double least_reach_in_question(const SlabDecomposition& slabs, int rank, int neighbour,
                               const FaceBounds& theirs) {
    return slabs.gap_above(rank, neighbour) - theirs.unsent_below;
}

bool reaches_non_neighbours(const SlabDecomposition& slabs, int rank, const HaloMap& halo,
                            const FaceReach& mine) {
    return mine.upper >= 0.5 * gap_to_stranger(slabs, rank, +1, halo.neighbours) ||
           mine.lower >= 0.5 * gap_to_stranger(slabs, rank, -1, halo.neighbours);
}

void drop_copies(const HaloMap& halo, Particles& local) { local.resize(halo.num_owned); }

Coverage coverage_of(const SlabDecomposition& slabs, int rank, const HaloMap& halo, const HaloReach& reach) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Coverage coverage;
    coverage.is_whole_box = halo.neighbours.empty();
    const bool has_below = !halo.neighbours.empty() && (slabs.is_periodic() || rank > 0);
    const bool has_above = !halo.neighbours.empty() && (slabs.is_periodic() || rank + 1 < slabs.num_slabs());
    coverage.lower = has_below ? slabs.low(rank) : -infinity;
    coverage.upper = has_above ? slabs.high(rank) : infinity;
    coverage.halo_width = reach.max_width();
    const auto& neighbours = halo.neighbours;
    const auto num_lower = std::lower_bound(neighbours.begin(), neighbours.end(), rank) - neighbours.begin();
    coverage.lower_ranks = all_of(static_cast<std::size_t>(num_lower));
    coverage.straight = halo.straight;
    return coverage;
}

}  // namespace ricochet
