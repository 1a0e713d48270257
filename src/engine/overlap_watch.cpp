// SPDX-License-Identifier: BSD-3-Clause
#include "engine/overlap_watch.hpp"

#include <algorithm>

#include "contact/response.hpp"
#include "geometry/path.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/search_method.hpp"

namespace ricochet {

OverlapWatch::OverlapWatch(const Box& box, BlockStore& store)
    : box_(box), rounding_(separation_slack(box)), search_(make_cells(box, {})), pairs_(store) {}

bool OverlapWatch::overlap(const LocalSet& set, Slot slot, Slot other, Vec3 apart) const {
    const double least = deep_overlap_down * set.contact_distance(slot, other) - rounding_;
    const Vec3 nearest = minimum_image(apart, set.images());
    return least > 0 && dot(nearest, nearest) < least * least;
}

bool OverlapWatch::overlaps_some(const LocalSet& set, Slot slot, std::span<const Slot> others,
                                 double now) const {
    const Vec3 position = position_at(set.motion(slot), now);
    return std::any_of(others.begin(), others.end(), [&](Slot other) {
        return overlap(set, slot, other, position_at(set.motion(other), now) - position);
    });
}

bool OverlapWatch::some_overlap(const LocalSet& set, double now) {
    spheres_.resize(set.size());
    for (Slot slot = 0; slot < set.size(); ++slot) {
        Motion motion = set.motion(slot);
        motion.position = position_at(motion, now);
        for (int axis = 0; axis < box_.dimension; ++axis)
            if (box_.is_periodic(axis))
                motion.position[axis] = wrapped(motion.position[axis], box_.size[axis]);
        spheres_[slot] = bounding_sphere(PathMidpoint(box_, 0)(motion), set.radius(slot));
    }
    search_->build(spheres_, {0, box_.size.x});
    search_->collect_pairs(pairs_);
    bool has_found = false;
    pairs_.consume([&](const PairSpan& pairs) {
        for (std::size_t k = 0; k < pairs.size() && !has_found; ++k) {
            const Slot first = pairs.first[k], second = pairs.second[k];
            has_found = overlap(set, first, second,
                                position_at(set.motion(second), now) - position_at(set.motion(first), now));
        }
    });
    return has_found;
}

std::size_t OverlapWatch::memory_bytes() const { return search_->memory_bytes() + bytes_of(spheres_); }

}  // namespace ricochet
