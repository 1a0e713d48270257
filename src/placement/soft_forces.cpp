// SPDX-License-Identifier: BSD-3-Clause
//
// The forces of soft spheres and shapes: sums of integers, so that their order does not matter.
#include <algorithm>
#include <cmath>

#include "placement/soft_spheres.hpp"

namespace ricochet::detail {

namespace {

/// No body pushes more than at this depth, in radii, however deep a centre is in it.
constexpr double deepest_push = 2;

std::int64_t units_of(double x) { return static_cast<std::int64_t>(x); }

}  // namespace

/// The forces on the owned spheres.
void SoftSpheres::add_forces() {
    forces_.assign(velocities_.size(), {});
    depth_ = touching_ = overlapping_ = 0;
    work_.num_moves += velocities_.size();
    add_pair_forces();
    add_shaped_forces();
    add_body_forces();
}

void SoftSpheres::add_force(std::size_t k, double strength, Vec3 way) {
    Force& force = forces_[k];
    force.x += units_of(strength * way.x);
    force.y += units_of(strength * way.y);
    force.z += units_of(strength * way.z);
}

void SoftSpheres::add_body_forces_on_shape(std::uint32_t k) {
    const double reach = margin_of(k);
    for (const BodyPush& push : pushes_on_shape(sphere(k), reach)) {
        const double depth = std::min((reach - push.clearance) / mean_diameter_, deepest_push);
        add_force(k, depth * per_force_unit, push.away);
        depth_ += 2 * units_of(depth * per_depth_unit);
        touching_ += 2;
        overlapping_ += push.clearance < 0 ? 2 : 0;
    }
}

void SoftSpheres::add_body_forces() {
    work_.num_at_bodies += near_bodies_.size();
    for (const std::uint32_t k : near_bodies_) {
        if (has_shape(k)) {
            add_body_forces_on_shape(k);
            continue;
        }
        const Sphere own = sphere(k);
        const double reach = own.radius * inflation;
        for (const BodyPush& push : pushes_on(own, reach)) {
            const double depth = std::min(1 - push.clearance / reach, deepest_push);
            const double strength = depth * mean_diameter_ / (2 * reach) * per_force_unit;
            add_force(k, strength, push.away);
            depth_ += 2 * units_of(depth * per_depth_unit);
            touching_ += 2;
            overlapping_ += push.clearance < own.radius ? 2 : 0;
        }
    }
}

void SoftSpheres::add_pair_forces() {
    const std::size_t num_owned = velocities_.size();
    work_.num_tests += pairs_.size();
    for (const BallPair& pair : pairs_) {
        const Ball& a = balls_[pair.first];
        const Ball& b = balls_[pair.second];
        const Vec3 r = minimum_image(b.centre - a.centre, images_);
        const double sum = a.radius + b.radius, reach = sum * inflation, squared = dot(r, r);
        if (squared >= reach * reach || squared == 0) continue;
        const double distance = std::sqrt(squared), depth = 1 - distance / reach;
        const double strength = depth * mean_diameter_ / (reach * distance) * per_force_unit;
        const Force f{units_of(strength * r.x), units_of(strength * r.y), units_of(strength * r.z)};
        Force& on_a = forces_[pair.first];
        on_a = {on_a.x - f.x, on_a.y - f.y, on_a.z - f.z};
        const int times = pair.second < num_owned ? 2 : 1;
        if (times == 2) {
            Force& on_b = forces_[pair.second];
            on_b = {on_b.x + f.x, on_b.y + f.y, on_b.z + f.z};
        }
        depth_ += times * units_of(depth * per_depth_unit);
        touching_ += times;
        overlapping_ += squared < sum * sum ? times : 0;
    }
}

void SoftSpheres::add_shaped_forces() {
    const std::size_t num_owned = velocities_.size();
    work_.num_parts += parts_of_list_;
    for (const ShapedPair& pair : shaped_pairs_) {
        const ShapedGap gap = gap_of(pair);
        const ShapedForce force = shapes_->force_of(gap, mean_diameter_);
        if (!(force.depth > 0)) continue;
        const int times = (pair.low < num_owned ? 1 : 0) + (pair.high < num_owned ? 1 : 0);
        if (pair.low < num_owned) add_force(pair.low, -per_force_unit, force.on_high);
        if (pair.high < num_owned) add_force(pair.high, per_force_unit, force.on_high);
        depth_ += times * units_of(force.depth * per_depth_unit);
        touching_ += times;
        overlapping_ += gap.is_overlap() ? times : 0;
    }
}

}  // namespace ricochet::detail
