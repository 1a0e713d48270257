// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/torus_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/core/check.hpp"

namespace ricochet {

/// A finaliser of splitmix64.
double scattered(ParticleId id, std::uint64_t which) {
    std::uint64_t z = (id + 1) * 0x9e3779b97f4a7c15u + which * 0xd1b54a32d192ed03u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 11) + 0.5) * 0x1p-53;
}

void TorusFrame::begin(const KineticSetting& setting) {
    if (!setting.is_rebuilt) choose_laps(setting);
    choose_weights(setting);
    scale_ = 0;
    for (int axis = 0; axis < box_.dimension; ++axis) choose_period(setting, axis);
}

void TorusFrame::choose_laps(const KineticSetting& setting) {
    laps_.assign(setting.motion.size(), 0);
    if (!box_.is_periodic(0) || has_box_period(setting, 0)) return;
    const double centre = setting.domain.lower + 0.5 * setting.domain.width;
    for (Slot slot = 0; slot < laps_.size(); ++slot) {
        const Motion& motion = setting.motion[slot];
        const double middle = motion.position.x + 0.5 * (setting.end - motion.time) * motion.velocity.x;
        laps_[slot] = static_cast<std::int32_t>(-std::nearbyint((middle - centre) / box_.size.x));
    }
}

void TorusFrame::choose_weights(const KineticSetting& setting) {
    least_radius_ = std::numeric_limits<double>::infinity();
    largest_radius_ = 0;
    num_present_ = 0;
    const auto num_slots = static_cast<Slot>(setting.motion.size());
    for (Slot slot = 0; slot < num_slots; ++slot) {
        const Attributes& attributes = setting.attributes[slot];
        if (ricochet::is_absent(attributes)) continue;
        ++num_present_;
        least_radius_ = std::min(least_radius_, attributes.radius);
        largest_radius_ = std::max(largest_radius_, attributes.radius);
    }
    weights_.assign(num_slots, 0);
    for (Slot slot = 0; slot < num_slots; ++slot) {
        const Attributes& attributes = setting.attributes[slot];
        if (ricochet::is_absent(attributes)) continue;
        weights_[slot] =
            attributes.radius * attributes.radius + most_added() * scattered(setting.motion[slot].id, 0);
    }
}

/// Whether the slots fill a periodic axis.
bool TorusFrame::has_box_period(const KineticSetting& setting, int axis) const {
    return box_.is_periodic(axis) && (axis > 0 || setting.domain.width >= box_.size.x);
}

/// In the step, as things stand. No centre passes a wall, but as far as walls move in the frame of the step.
double TorusFrame::end_of_path(const KineticSetting& setting, Slot slot, int axis) const {
    const double end = at(setting, slot, setting.end).position[axis];
    const double beyond = setting.beyond_walls;
    return box_.has_walls(axis) ? std::clamp(end, 0 - beyond, box_.size[axis] + beyond) : end;
}

void TorusFrame::choose_period(const KineticSetting& setting, int axis) {
    constexpr double more_room = 4;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Range& room = room_[static_cast<std::size_t>(axis)];
    Range all{infinite, -infinite};
    double farthest = 0;
    for (Slot slot = 0; slot < size(); ++slot) {
        if (!is_present(slot)) continue;
        const double here = at(setting, slot, setting.now).position[axis];
        const double there = end_of_path(setting, slot, axis);
        all = {std::min({all.low, here, there}), std::max({all.high, here, there})};
        farthest = std::max(farthest, std::abs(there - here));
    }
    if (num_present_ == 0) all = {};
    const double beyond = (setting.is_rebuilt ? more_room : 1.0) * (farthest + 2 * largest_radius_);
    room = {all.low - beyond, all.high + beyond};
    if (box_.has_walls(axis))
        room = {std::max(room.low, -setting.beyond_walls),
                std::min(room.high, box_.size[axis] + setting.beyond_walls)};
    period_[axis] = room.high - room.low + 4 * largest_radius_;
    if (has_box_period(setting, axis) || (box_.is_periodic(axis) && period_[axis] >= box_.size[axis])) {
        room = {-infinite, infinite};
        period_[axis] = box_.size[axis];
    }
    scale_ = std::max({scale_, std::abs(all.low), std::abs(all.high), period_[axis], box_.size[axis]});
}

bool TorusFrame::holds(const KineticSetting& setting, Slot slot) const {
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const Range& room = room_[static_cast<std::size_t>(axis)];
        const double end = end_of_path(setting, slot, axis);
        if (!(end >= room.low && end <= room.high)) return false;
    }
    return true;
}

}  // namespace ricochet
