// SPDX-License-Identifier: BSD-3-Clause
#include "engine/shaped_times.hpp"

#include "model/rounding.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

TouchingSurfaces ShapedTimes::surfaces_of(Slot low, Slot high, double time, Overlap overlap) const {
    const ConvexTouch touch = touch_of(low, high, overlap);
    RICOCHET_DCHECK_EQ(touch.time, time);
    return {touch.normal, overlap_at(low, high, time)};
}

double ShapedTimes::overlap_at(Slot low, Slot high, double time) const {
    const ConvexGap gap =
        context_.shapes.gap(separation_at(low, high, time), local_.attributes(low), local_.attributes(high));
    const double depth = -gap.distance;
    return depth > (1 - deep_overlap_down) * local_.contact_distance(low, high) ? depth : 0;
}

std::size_t ShapedTimes::correct(Slot slot, std::span<const Slot> others, double until, double ahead_of,
                                 const FoundTimes& found) const {
    std::size_t count = keep_spheres(found, [slot](Slot other) { return std::pair{slot, other}; });
    for (const Slot other : others) {
        if (!has_shape(slot, other)) continue;
        const double time = touch_of(slot, other, Overlap::bounces, until).time;
        const bool is_ahead = local_.motion(other).time > ahead_of;
        if (!(time < until) && !is_ahead) continue;
        found.places[count] = other;
        found.times[count++] = time < until ? time : never;
    }
    return count;
}

std::size_t ShapedTimes::correct(const PairSpan& pairs, double until, const FoundTimes& found) const {
    std::size_t count = keep_spheres(found, [&](std::uint32_t place) {
        return std::pair{pairs.first[place], pairs.second[place]};
    });
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        if (!has_shape(pairs.first[k], pairs.second[k])) continue;
        const double time = touch_of(pairs.first[k], pairs.second[k], Overlap::bounces, until).time;
        if (!(time < until)) continue;
        found.places[count] = static_cast<std::uint32_t>(k);
        found.times[count++] = time;
    }
    return count;
}

}  // namespace ricochet
