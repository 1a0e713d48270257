// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/tether_exchange.hpp"

#include <cstring>
#include <vector>

#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

struct TetherRecord {
    std::uint64_t place = 0;  ///< of the copy in the message with the copies
    Tethers tethers;
};
static_assert(sizeof(TetherRecord) == 136);

/// Copies are sent in the order of their slots.
std::vector<Bytes> tether_messages(const NearFaces& near, const HaloMap& halo, const Particles& local) {
    std::vector<Bytes> messages(halo.neighbours.size());
    std::vector<std::uint64_t> num_sent(halo.neighbours.size());
    for (const std::uint32_t slot : near.slots) {
        const NeighbourMask holders = halo.holders[slot];
        for (std::size_t n = 0; n < messages.size(); ++n) {
            if ((holders >> n & 1) == 0) continue;
            const TetherRecord record{num_sent[n]++, local.track.tethers()[slot]};
            if (!record.tethers.empty()) append_records(messages[n], std::span(&record, 1));
        }
    }
    return messages;
}

}  // namespace

void exchange_tethers(Exchange& exchange, const NearFaces& near, const HaloMap& halo, Particles& local) {
    if (exchange.size() == 1) return;
    std::vector<Bytes> incoming, outgoing = tether_messages(near, halo, local);
    exchange.swap_messages(MessagePhase::halo, halo.neighbours, outgoing, incoming);
    std::size_t first = halo.num_owned;
    for (std::size_t n = 0; n < incoming.size(); ++n) {
        for (std::size_t at = 0; at < incoming[n].size(); at += sizeof(TetherRecord)) {
            TetherRecord record;
            std::memcpy(&record, incoming[n].data() + at, sizeof record);
            RICOCHET_CHECK_LT(first + record.place, local.size());
            local.track.tethers()[first + record.place] = record.tethers;
        }
        first += halo.incoming[n].size() / sizeof(HaloRecord);
    }
}

}  // namespace ricochet
