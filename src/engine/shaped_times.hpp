// SPDX-License-Identifier: BSD-3-Clause
//
// Contact times of pairs of which one partner is no sphere. The vector functions know spheres only, so what they find
// of such pairs is left out, and the pairs are asked one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contact/response.hpp"
#include "engine/local_motion.hpp"
#include "engine/step_context.hpp"
#include "geometry/shape_table.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

/// Slots, or places in a list, and times in the first `count` places of arrays that have room for more.
struct FoundTimes {
    std::vector<std::uint32_t>& places;
    std::vector<double>& times;
    std::size_t count;
};

class ShapedTimes {
  public:
    /// Refers to both.
    ShapedTimes(const StepContext& context, const LocalMotion& local) : context_(context), local_(local) {}

    /// Whether one of the two is no sphere.
    bool has_shape(Slot a, Slot b) const {
        return context_.has_shapes &&
               context_.shapes.has_shape(local_.attributes(a).species, local_.attributes(b).species);
    }
    /// The contact of two bodies, in any order; the normal is from the lower to the higher id. Contacts after `until`
    /// may be left out. Requires: has_shape().
    ConvexTouch touch_of(Slot a, Slot b, Overlap overlap = Overlap::bounces, double until = never) const {
        if (local_.motion(b).id < local_.motion(a).id) std::swap(a, b);
        return context_.shapes.touch_of(local_.motion(a), local_.attributes(a), local_.motion(b),
                                        local_.attributes(b), context_.images, overlap, until);
    }

    /// The surfaces of the two at a contact. Requires: has_shape(), and the order of ids.
    TouchingSurfaces surfaces_of(Slot low, Slot high, double time, Overlap overlap) const;
    /// Whether the two overlap at a time by more than rounding. Requires: has_shape().
    bool overlap_deeply(Slot low, Slot high, double time) const { return overlap_at(low, high, time) > 0; }

    /// From the first to where the two touch, with this normal from the first to the second. Requires: has_shape().
    Vec3 touching_point(Slot first, Slot second, double time, Vec3 normal) const {
        return context_.shapes.touching_point(separation_at(first, second, time), normal,
                                              local_.attributes(first), local_.attributes(second));
    }

    /// Puts the contacts of bodies into what was found of spheres around them. Keeps those that are ahead, as
    /// find_contacts does. Returns their number, at most that of the others.
    std::size_t correct(Slot slot, std::span<const Slot> others, double until, double ahead_of,
                        const FoundTimes& found) const;
    /// The same of pairs; places are those in `pairs`.
    std::size_t correct(const PairSpan& pairs, double until, const FoundTimes& found) const;

  private:
    double overlap_at(Slot low, Slot high, double time) const;
    Vec3 separation_at(Slot first, Slot second, double time) const {
        return minimum_image(
            position_at(local_.motion(second), time) - position_at(local_.motion(first), time),
            context_.images);
    }
    /// Leaves out what was found of pairs that are no spheres; two_of(place): the two slots of what was found.
    template <class Pairs>
    std::size_t keep_spheres(const FoundTimes& found, Pairs&& two_of) const {
        std::size_t count = 0;
        for (std::size_t k = 0; k < found.count; ++k) {
            const auto [a, b] = two_of(found.places[k]);
            if (has_shape(a, b)) continue;
            found.places[count] = found.places[k];
            found.times[count++] = found.times[k];
        }
        return count;
    }

    const StepContext& context_;
    const LocalMotion& local_;
};

}  // namespace ricochet
