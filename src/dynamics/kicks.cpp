// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/kicks.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "dynamics/normal.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// With uniform distribution: that of a vector of independent normal numbers.
Vec3 random_direction(const RandomKey& key, ParticleId id, int dimension) {
    Vec3 normal = standard_normals3(key, id);
    if (dimension == 2) normal.z = 0;
    const double length = norm(normal);
    if (length == 0) return {1, 0, 0};
    return {normal.x / length, normal.y / length, normal.z / length};
}

}  // namespace

Vec3 kicked(Vec3 velocity, Vec3 kick, double speed_limit) {
    const Vec3 next = velocity + kick;
    const double most = std::max(speed_limit, norm(velocity));
    const double speed = norm(next);
    return speed > most ? (most / speed) * next : next;
}

void RandomAccelerations::before_drift(Particles& owned, DrivenStep step) const {
    if (!step.is_recorded) return;
    RICOCHET_CHECK_GT(steps_per_direction_, 0);
    const std::uint64_t index = step.number / steps_per_direction_;
    if (index >= max_random_step)
        throw RunError("the run has used up its 2^48 random directions; start another with a new seed");
    const RandomKey key{.seed = kicks_.seed, .stream = Stream::drive, .step = index};
    for (Motion& motion : owned.motion) {
        const double change = kicks_.acceleration_of(motion.id) * kicks_.interval;
        motion.velocity =
            kicked(motion.velocity, change * random_direction(key, motion.id, dimension_), speed_limit_);
    }
}

VelocityField::VelocityField(const Box& box, const Kicks& kicks, double speed_limit, double flow_speed)
    : kicks_(kicks), speed_limit_(speed_limit) {
    for (int axis = 0; axis < box.dimension; ++axis)
        waves_[axis] = (box.is_periodic(axis) ? 1.0 : 0.5) / box.size[axis];
    // u_x waves_x = -u_y waves_y: without divergence
    amplitude_.x = flow_speed * std::min(1.0, waves_.y / waves_.x);
    amplitude_.y = -flow_speed * std::min(1.0, waves_.x / waves_.y);
}

Vec3 VelocityField::flow_at(Vec3 position) const {
    const fixed::SinCos x = fixed::sincos_2pi(position.x * waves_.x);
    const fixed::SinCos y = fixed::sincos_2pi(position.y * waves_.y);
    const double along_z = fixed::sincos_2pi(position.z * waves_.z).cos;
    return {amplitude_.x * (x.sin * y.cos * along_z), amplitude_.y * (x.cos * y.sin * along_z), 0};
}

void VelocityField::before_drift(Particles& owned, DrivenStep step) const {
    if (!step.is_recorded) return;
    for (Motion& motion : owned.motion) {
        const Vec3 missing = flow_at(motion.position) - motion.velocity;
        const double change = kicks_.acceleration_of(motion.id) * kicks_.interval;
        const double length = norm(missing);
        const Vec3 kick = length > change ? (change / length) * missing : missing;
        motion.velocity = kicked(motion.velocity, kick, speed_limit_);
    }
}

}  // namespace ricochet
