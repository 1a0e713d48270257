// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/latest_contact_exchange.hpp"

#include <cstring>
#include <vector>

#include "ricochet/core/check.hpp"

namespace ricochet {

/// One number for each copy. Copies are sent in the order of their slots.
void exchange_latest_contacts(Exchange& exchange, const NearFaces& near, const HaloMap& halo,
                              Particles& local) {
    if (exchange.size() == 1) return;
    const std::span<double> latest = local.track.latest_contacts();
    std::vector<Bytes> incoming, outgoing(halo.neighbours.size());
    for (const std::uint32_t slot : near.slots) {
        const std::span<const double> time = latest.subspan(slot, 1);
        for (std::size_t n = 0; n < outgoing.size(); ++n)
            if (halo.holders[slot] >> n & 1) append_records(outgoing[n], time);
    }
    exchange.swap_messages(MessagePhase::halo, halo.neighbours, outgoing, incoming);
    std::size_t first = halo.num_owned;
    for (std::size_t n = 0; n < incoming.size(); ++n) {
        const std::size_t count = halo.incoming[n].size() / sizeof(HaloRecord);
        RICOCHET_CHECK_EQ(incoming[n].size(), count * sizeof(double));
        RICOCHET_CHECK_LE(first + count, latest.size());
        if (count > 0) std::memcpy(&latest[first], incoming[n].data(), incoming[n].size());
        first += count;
    }
}

}  // namespace ricochet
