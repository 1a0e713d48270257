// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/kicks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/math.hpp"
#include "dynamics/normal.hpp"
#include "model/acceleration.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr std::size_t kicks_in_batch = 256;

}  // namespace

Vec3 kicked(Vec3 velocity, Vec3 kick, double speed_limit) {
    const Vec3 next = velocity + kick;
    const double squared = dot(next, next);
    if (squared <= speed_limit * speed_limit) return next;
    const double most = std::max(speed_limit, norm(velocity)), speed = std::sqrt(squared);
    return speed > most ? (most / speed) * next : next;
}

template <class Draw>
void DrawnBySlot::update(std::span<const Motion> motion, std::uint64_t index, Draw&& draw) {
    if (index != index_) ids_.clear();
    index_ = index;
    ids_.resize(motion.size(), no_particle);
    values_.resize(motion.size());
    std::array<ParticleId, kicks_in_batch> ids{};
    std::array<std::size_t, kicks_in_batch> slots{};
    std::array<Vec3, kicks_in_batch> values;
    std::size_t count = 0;
    const auto finish = [&] {
        draw(std::span(ids.data(), count), std::span(values.data(), count));
        for (std::size_t k = 0; k < count; ++k) {
            ids_[slots[k]] = ids[k];
            values_[slots[k]] = values[k];
        }
        count = 0;
    };
    for (std::size_t slot = 0; slot < motion.size(); ++slot) {
        if (ids_[slot] == motion[slot].id) continue;
        slots[count] = slot;
        ids[count++] = motion[slot].id;
        if (count == kicks_in_batch) finish();
    }
    finish();
}

void RandomAccelerations::before_drift(Particles& owned, DrivenStep step) const {
    if (!step.is_recorded) return;
    RICOCHET_CHECK_GT(steps_per_direction_, 0);
    const std::uint64_t index = step.number / steps_per_direction_;
    if (index >= max_random_step)
        throw RunError("the run has used up its 2^48 random directions; start another with a new seed");
    const RandomKey key{.seed = kicks_.seed, .stream = Stream::drive, .step = index};
    drawn_.update(owned.motion, index, [&](std::span<const ParticleId> ids, std::span<Vec3> values) {
        const std::size_t count = ids.size();
        std::array<double, kicks_in_batch> x{}, y{}, z{};
        standard_normals3(key, ids, {x.data(), count}, {y.data(), count},
                          {z.data(), dimension_ == 3 ? count : 0});
        for (std::size_t k = 0; k < count; ++k)
            values[k] = (acceleration_of(kicks_, ids[k]) * kicks_.interval) *
                        direction_of_normals({x[k], y[k], z[k]});
    });
    for (std::size_t slot = 0; slot < owned.size(); ++slot) {
        Vec3& velocity = owned.motion[slot].velocity;
        velocity =
            kicked(velocity, without_axes(drawn_[slot], owned.attributes[slot].frozen_axes), speed_limit_);
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
    drawn_.update(owned.motion, 0, [&](std::span<const ParticleId> ids, std::span<Vec3> values) {
        for (std::size_t k = 0; k < ids.size(); ++k)
            values[k].x = acceleration_of(kicks_, ids[k]) * kicks_.interval;
    });
    for (std::size_t slot = 0; slot < owned.size(); ++slot) {
        Motion& motion = owned.motion[slot];
        const Vec3 missing =
            without_axes(flow_at(motion.position) - motion.velocity, owned.attributes[slot].frozen_axes);
        const double change = drawn_[slot].x, squared = dot(missing, missing);
        const Vec3 kick = squared > change * change ? (change / std::sqrt(squared)) * missing : missing;
        motion.velocity = kicked(motion.velocity, kick, speed_limit_);
    }
}

}  // namespace ricochet
