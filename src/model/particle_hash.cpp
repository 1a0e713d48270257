// SPDX-License-Identifier: BSD-3-Clause
#include "model/particle_hash.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

namespace ricochet {

Fingerprint fingerprint(const Particles& particles) {
    Fingerprint sum;
    constexpr std::size_t bytes_with_absorbed = sizeof(Motion) + sizeof(Attributes) + sizeof(Track);
    // Without the id where there is none: hashes of systems without births must not depend on it. Likewise of tethers
    // and of latest contacts.
    constexpr std::size_t bytes = bytes_with_absorbed - sizeof(Track::absorbed);
    std::array<std::byte, bytes_with_absorbed + sizeof(Tethers) + sizeof(double)> record{};
    for (std::size_t k = 0; k < particles.size(); ++k) {
        std::memcpy(record.data(), &particles.motion[k], sizeof(Motion));
        std::memcpy(record.data() + sizeof(Motion), &particles.attributes[k], sizeof(Attributes));
        const Track track = particles.track[k];
        std::memcpy(record.data() + sizeof(Motion) + sizeof(Attributes), &track, sizeof(Track));
        std::size_t size = track.absorbed == no_id ? bytes : bytes_with_absorbed;
        if (particles.track.keeps_tethers() && !particles.track.tethers()[k].empty()) {
            std::memcpy(record.data() + size, &particles.track.tethers()[k], sizeof(Tethers));
            size += sizeof(Tethers);
        }
        if (particles.track.keeps_latest_contacts()) {
            std::memcpy(record.data() + size, &particles.track.latest_contacts()[k], sizeof(double));
            size += sizeof(double);
        }
        sum.add(std::span(record).first(size));
    }
    return sum;
}

}  // namespace ricochet
