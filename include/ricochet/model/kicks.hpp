// SPDX-License-Identifier: BSD-3-Clause
//
// How strongly particles are driven. Each has an acceleration of its own, for the whole run. A drive changes a velocity
// by at most this acceleration times the timestep, before each step (dynamics/kicks.hpp). A search may count on that
// (search/time_bounds.hpp).
#pragma once

#include <cstdint>

#include "ricochet/core/random.hpp"

namespace ricochet {

struct Kicks {
    double least_acceleration = 0, most_acceleration = 0;  ///< length/time^2; 0: nobody is driven
    double interval = 0;                                   ///< time between kicks: the timestep
    std::uint64_t seed = 0;

    /// That of particle `id`, uniform between both.
    double acceleration_of(std::uint64_t id) const {
        if (least_acceleration == most_acceleration) return most_acceleration;
        const RandomWords words = random_words({.seed = seed, .stream = Stream::acceleration, .step = 0}, id);
        return least_acceleration + (most_acceleration - least_acceleration) * uniform_from(words[0]);
    }

    friend bool operator==(const Kicks&, const Kicks&) = default;
};

}  // namespace ricochet
