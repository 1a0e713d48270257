// SPDX-License-Identifier: BSD-3-Clause
#include "model/particle_hash.hpp"

#include <array>
#include <cstring>

namespace ricochet {

Fingerprint fingerprint(const Particles& particles) {
    Fingerprint sum;
    std::array<std::byte, sizeof(Motion) + sizeof(Attributes) + sizeof(Track)> record{};
    for (std::size_t k = 0; k < particles.size(); ++k) {
        std::memcpy(record.data(), &particles.motion[k], sizeof(Motion));
        std::memcpy(record.data() + sizeof(Motion), &particles.attributes[k], sizeof(Attributes));
        const Track track = particles.track[k];
        std::memcpy(record.data() + sizeof(Motion) + sizeof(Attributes), &track, sizeof(Track));
        sum.add(record);
    }
    return sum;
}

}  // namespace ricochet
