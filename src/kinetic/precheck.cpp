// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/precheck.hpp"

#include <algorithm>

#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet {

Precheck::Precheck(const Box& box) : images_(box), slack_(sphere_slack(box)) {}

void Precheck::begin(const KineticSetting& setting, double until) {
    is_on_ = true;
    setting_ = setting;
    next_ = until;
    speeds_.resize(setting.motion.size());
    for (Slot slot = 0; slot < speeds_.size(); ++slot) speeds_[slot] = norm(setting.motion[slot].velocity);
}

void Precheck::note(double time) {
    if (time > setting_.now) next_ = std::min(next_, time);
}

void Precheck::drop_distant(Slot slot, std::vector<Slot>& others) const {
    const Vec3 position = position_at(setting_.motion[slot], setting_.now);
    const double time_left = next_ - setting_.now;
    const double reach = setting_.attributes[slot].radius + 2 * setting_.reach + slack_;
    std::erase_if(others, [&](Slot other) {
        const Vec3 apart = position_at(setting_.motion[other], setting_.now) - position;
        const double most =
            reach + setting_.attributes[other].radius + (speeds_[slot] + speeds_[other]) * time_left;
        return norm(minimum_image(apart, images_)) > most;
    });
}

std::size_t Precheck::memory_bytes() const { return bytes_of(speeds_); }

}  // namespace ricochet
