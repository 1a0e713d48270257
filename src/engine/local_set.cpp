// SPDX-License-Identifier: BSD-3-Clause
//
// Contact times where rules change matter. The vector functions know bounces only, so what they find is held against
// the rule of the pair. What they cannot find are pairs that overlap, part, and react all the same.
#include "engine/local_set.hpp"

namespace ricochet {

/// Whether both are present, and their latest contact was not with each other.
bool LocalSet::may_touch(Slot a, Slot b) const {
    if (matter_.is_absent(a) || matter_.is_absent(b)) return false;
    return matter_.latest_partner(a) != motion_[b].id || matter_.latest_partner(b) != motion_[a].id;
}

/// The contact time of the pair, of which that of a bounce is known.
double LocalSet::time_by_rules(Slot a, Slot b, double time_of_bounce) const {
    if (!may_touch(a, b)) return never;
    const Overlap overlap = rules_->pair_overlap(attributes(a).species, attributes(b).species);
    if (overlap == Overlap::bounces) return time_of_bounce;
    return pair_contact_time(motion_[a], motion_[b], contact_distance(a, b), images_, overlap);
}

double LocalSet::time_by_rules(Slot slot, const Obstacle& obstacle) const {
    if (matter_.is_absent(slot) || matter_.latest_partner(slot) == obstacle_id(obstacle.number)) return never;
    const Attributes& own = attributes(slot);
    return obstacle_contact_time(motion_[slot], own.radius, obstacle.shape,
                                 rules_->wall_overlap(own.species, obstacle.number));
}

/// Whether the two overlap at the later of their times, do not approach, and react for certain.
bool LocalSet::reacts_while_parting(Slot a, Slot b) const {
    if (matter_.is_absent(a) || matter_.is_absent(b)) return false;
    if (rules_->pair_overlap(attributes(a).species, attributes(b).species) != Overlap::reacts) return false;
    const double distance = contact_distance(a, b);
    if (pair_contact_time(motion_[a], motion_[b], distance, images_) < never) return false;
    return may_touch(a, b) &&
           pair_contact_time(motion_[a], motion_[b], distance, images_, Overlap::reacts) < never;
}

/// Corrects the times of those found, keeps those that are ahead or touch, and adds what was not found. Returns their
/// number, at most that of the others.
std::size_t LocalSet::apply_rules(Slot slot, std::span<const Slot> others, double until, double ahead_of,
                                  std::size_t num_found, ContactScratch& scratch) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < num_found; ++k) {
        const Slot other = scratch.found[k];
        const double time = time_by_rules(slot, other, scratch.times[k]);
        if (!(time < until) && !(motion_[other].time > ahead_of)) continue;
        scratch.found[count] = other;
        scratch.times[count++] = time < until ? time : never;
    }
    if (!rules_->may_react_overlapping(attributes(slot).species)) return count;
    for (const Slot other : others) {
        if (motion_[other].time > ahead_of || !reacts_while_parting(slot, other)) continue;
        scratch.found[count] = other;
        scratch.times[count++] = std::max(motion_[slot].time, motion_[other].time);
    }
    return count;
}

}  // namespace ricochet
