// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/parallel/halo.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "parallel/text.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/geometry/path.hpp"

namespace ricochet {
namespace {

constexpr int mask_bits = std::numeric_limits<NeighbourMask>::digits;

/// The same numbers on all ranks, so that all of them throw or none.
void require_few_neighbours(const SlabDecomposition& slabs, double width) {
    constexpr int bits_per_side = mask_bits / 2 - 1;
    if (slabs.num_slabs() <= mask_bits || width < bits_per_side * slabs.smallest_width()) return;
    throw RunError("the halo of " + detail::text(width) + " reaches across too many slabs, the thinnest " +
                   detail::text(slabs.smallest_width()) + ": use fewer ranks or a smaller timestep");
}

HaloRecord record_of(const Motion& motion, const Attributes& attributes, NeighbourMask holders) {
    HaloRecord record;
    record.position = motion.position;
    record.velocity = motion.velocity;
    record.id = motion.id;
    record.radius = attributes.radius;
    record.mass = attributes.mass;
    record.species = attributes.species;
    record.holders = holders;
    return record;
}

/// A copy is not driven, and its diffusion not sent. Where all have the same attributes, it has them too:
/// then one record still stands for all (core/attribute_list.hpp).
Attributes attributes_of(const HaloRecord& record, const AttributeList& local) {
    if (!local.empty()) {
        const Attributes& first = local[0];
        if (first.radius == record.radius && first.mass == record.mass && first.species == record.species)
            return first;
    }
    return {.radius = record.radius, .mass = record.mass, .species = record.species};
}

/// Copies come in the order of their slots.
void put_copy(const HaloRecord& record, std::size_t slot, Particles& local) {
    Motion& motion = local.motion[slot];
    motion.position = record.position;
    motion.velocity = record.velocity;
    motion.time = 0;
    motion.id = record.id;
    local.attributes.push_back(attributes_of(record, local.attributes));
}

/// Which neighbours an owned particle with its midpoint at x must be sent to.
NeighbourMask holders_of(double x, const SlabDecomposition& slabs, const std::vector<int>& neighbours,
                         double width) {
    NeighbourMask holders = 0;
    for (std::size_t n = 0; n < neighbours.size(); ++n)
        if (slabs.distance(x, neighbours[n]) <= width) holders |= NeighbourMask{1} << n;
    return holders;
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

/// Decides who gets copies of the owned particles; returns how many each neighbour gets.
std::vector<std::size_t> choose_holders(const Particles& owned, std::span<const std::uint32_t> near,
                                        double dt, const Box& box, const SlabDecomposition& slabs,
                                        const HaloReach& reach, HaloMap& halo) {
    std::vector<std::size_t> num_copies(halo.neighbours.size());
    halo.holders.assign(owned.size(), 0);
    const PathMidpoint midpoint(box, dt);
    for (const std::uint32_t k : near) {
        const double width = reach.width(owned.attributes[k].radius);
        const NeighbourMask holders = holders_of(midpoint.x(owned.motion[k]), slabs, halo.neighbours, width);
        halo.holders[k] = holders;
        for (std::size_t n = 0; n < num_copies.size(); ++n) num_copies[n] += holders >> n & 1;
    }
    return num_copies;
}

/// Makes the messages, one per neighbour.
void pack_copies(const Particles& owned, std::span<const std::uint32_t> near,
                 const std::vector<std::size_t>& num_copies, HaloMap& halo) {
    std::vector<std::byte*> end;
    halo.outgoing.resize(num_copies.size());
    for (std::size_t n = 0; n < num_copies.size(); ++n) {
        halo.outgoing[n].resize(num_copies[n] * sizeof(HaloRecord));
        halo.num_sent += num_copies[n];
        end.push_back(halo.outgoing[n].data());
    }
    for (const std::uint32_t k : near) {
        const NeighbourMask holders = halo.holders[k];
        if (holders == 0) continue;
        const HaloRecord record = record_of(owned.motion[k], owned.attributes[k], holders);
        for (std::size_t n = 0; n < end.size(); ++n) {
            if (!(holders >> n & 1)) continue;
            std::memcpy(end[n], &record, sizeof record);
            end[n] += sizeof record;
        }
    }
}

/// Appends what the neighbours sent.
void unpack_copies(const SlabDecomposition& slabs, double width, HaloMap& halo, Particles& local) {
    std::size_t size = local.size();
    for (const Bytes& message : halo.incoming) size += message.size() / sizeof(HaloRecord);
    std::size_t slot = local.size();
    local.motion.resize(size);
    local.track.resize(size);
    halo.holders.resize(size);
    for (std::size_t n = 0; n < halo.incoming.size(); ++n) {
        const HolderTranslation translated(halo.neighbours, n, slabs.neighbours(halo.neighbours[n], width));
        const Bytes& message = halo.incoming[n];
        if (message.size() % sizeof(HaloRecord) != 0)
            throw std::logic_error("a halo message is not a whole number of particles");
        for (std::size_t at = 0; at < message.size(); at += sizeof(HaloRecord), ++slot) {
            HaloRecord record;
            std::memcpy(&record, message.data() + at, sizeof record);
            put_copy(record, slot, local);
            halo.holders[slot] = translated(record.holders);
        }
    }
}

}  // namespace

void exchange_halo(Exchange& exchange, const Box& box, const SlabDecomposition& slabs, const HaloReach& reach,
                   std::span<const std::uint32_t> near, double dt, Particles& local, HaloMap& halo) {
    const double width = reach.max_width();
    require_few_neighbours(slabs, width);
    halo.neighbours = slabs.neighbours(exchange.rank(), width);
    halo.num_owned = local.size();
    halo.num_sent = 0;
    halo.holders.clear();
    if (slabs.num_slabs() == 1) return;
    pack_copies(local, near, choose_holders(local, near, dt, box, slabs, reach, halo), halo);
    exchange.swap_messages(MessagePhase::halo, halo.neighbours, halo.outgoing, halo.incoming);
    unpack_copies(slabs, width, halo, local);
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
    coverage.assumed_excursion = reach.excursion;
    coverage.max_radius = reach.max_radius;
    coverage.has_thin_slabs = slabs.smallest_width() < reach.max_width();
    return coverage;
}

}  // namespace ricochet
