// SPDX-License-Identifier: BSD-3-Clause
//
// The parts in which a step is done. A step is halved where particles would fly so far that a pair has more
// than one nearest image (step_limits.hpp). Each half is halved again where needed. Parts are done one after
// the other. Each ends with all coordinates taken into the box, so that images are right in the next.
//
// Layout: the dyadic intervals of the step. Halving the part (index, level) gives (2 index, level + 1). After
// a part comes the largest interval that begins at its end and is not known to be too long. Ends of parts are
// multiples of dt / 2^level: the same numbers however the step was divided.
//
// Halves of what is too long serve better than equal parts of the whole step. A part that has been done stays
// done when a later one is too long, so only the start of the current part must be kept.
#pragma once

#include <cmath>
#include <cstdint>

#include "ricochet/model/time_span.hpp"

namespace ricochet {

struct StepPart {
    std::uint64_t index = 0;
    int level = 0;  ///< the part is a 2^-level of the step

    /// Beyond it nothing is gained: radii are what the box is too small for.
    static constexpr int most_halvings = 40;

    bool is_whole() const { return level == 0; }
    bool is_past_end() const { return index >> level != 0; }
    bool is_last() const { return (index + 1) >> level != 0; }
    bool can_be_halved() const { return level < most_halvings; }
    StepPart halved() const { return {2 * index, level + 1}; }
    StepPart next() const {
        StepPart part{index + 1, level};
        for (; part.level > 0 && part.index % 2 == 0; --part.level) part.index /= 2;
        return part;
    }
    /// The span of this part in a step of length dt.
    TimeSpan span_of(double dt) const {
        const double length = std::ldexp(dt, -level);
        return {static_cast<double>(index) * length, static_cast<double>(index + 1) * length};
    }
};

}  // namespace ricochet
