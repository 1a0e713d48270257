// SPDX-License-Identifier: BSD-3-Clause
//
// The acceleration of a driven particle, the same for the whole run.
#pragma once

#include "ricochet/core/random.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// That of particle `id`, uniform between both.
inline double acceleration_of(const Kicks& kicks, ParticleId id) {
    const double least = kicks.least_acceleration, most = kicks.most_acceleration;
    if (least == most) return most;
    const RandomKey key{.seed = kicks.seed, .stream = Stream::acceleration, .step = 0};
    return least + (most - least) * uniform_from(random_words(key, id)[0]);
}

}  // namespace ricochet
