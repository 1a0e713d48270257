// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/overlap_watch.hpp"

#include <algorithm>

#include "geometry/path.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/search/search_method.hpp"

namespace ricochet {

OverlapWatch::OverlapWatch(const Box& box, BlockStore& store)
    : box_(box),
      images_(box),
      rounding_(separation_slack(box)),
      search_(make_cells(box, {})),
      pairs_(store) {}

bool OverlapWatch::overlap(const LocalMotion& local, Slot slot, Slot other, Vec3 apart) const {
    const double least = deep_overlap_down * local.contact_distance(slot, other) - rounding_;
    const Vec3 nearest = minimum_image(apart, images_);
    return least > 0 && dot(nearest, nearest) < least * least;
}

bool OverlapWatch::overlaps_some(const LocalMotion& local, Slot slot, std::span<const Slot> others,
                                 double now) const {
    const Vec3 position = position_at(local.motion(slot), now);
    return std::any_of(others.begin(), others.end(), [&](Slot other) {
        return overlap(local, slot, other, position_at(local.motion(other), now) - position);
    });
}

bool OverlapWatch::some_overlap(const LocalMotion& local, double now) {
    spheres_.resize(local.size());
    for (Slot slot = 0; slot < local.size(); ++slot) {
        Motion motion = local.motion(slot);
        motion.position = position_at(motion, now);
        for (int axis = 0; axis < box_.dimension; ++axis)
            if (box_.is_periodic(axis))
                motion.position[axis] = wrapped(motion.position[axis], box_.size[axis]);
        spheres_[slot] = bounding_sphere(PathMidpoint(box_, 0)(motion), local.radius(slot));
    }
    search_->build(spheres_, {0, box_.size.x});
    search_->collect_pairs(pairs_);
    bool has_found = false;
    pairs_.consume([&](const PairSpan& pairs) {
        for (std::size_t k = 0; k < pairs.size() && !has_found; ++k) {
            const Slot first = pairs.first[k], second = pairs.second[k];
            has_found =
                overlap(local, first, second,
                        position_at(local.motion(second), now) - position_at(local.motion(first), now));
        }
    });
    return has_found;
}

std::size_t OverlapWatch::memory_bytes() const { return search_->memory_bytes() + bytes_of(spheres_); }

}  // namespace ricochet
