// SPDX-License-Identifier: BSD-3-Clause
//
// Particles that are no spheres at bodies, in a step of the reference. When they touch a surface, and where, geometry
// says: its own tests have another way. What comes of it is in the reference's words.
#include "geometry/falling_times.hpp"
#include "ricochet/core/check.hpp"
#include "tests/support/reference_step.hpp"

namespace ricochet::test {
namespace {

struct SeenPath {
    const StepSettings& settings;
    bool falls;
    Motion seen;

    const Motion& motion() const { return seen; }
    Fall fall() const { return {seen, settings.gravity, settings.whole}; }
    Vec3 place_at(double time) const {
        if (!falls) return advanced(seen.position, seen.velocity, time - seen.time);
        return place_after({seen, settings.gravity, settings.whole}, time - seen.time);
    }
    double time_of(Vec3 shift, double radius, const ObstacleShape& shape) const {
        Motion shifted = seen;
        shifted.position = seen.position + shift;
        return falls ? falling_contact_time({shifted, settings.gravity, settings.whole}, radius, shape)
                     : obstacle_contact_time(shifted, radius, shape);
    }
};

}  // namespace

void ReferenceStep::list_obstacles() {
    if (!shapes_.has_shapes() || settings_.bodies.empty()) return;
    for (const Obstacle& obstacle : obstacles_of({.box = box_, .bodies = settings_.bodies}))
        if (obstacle.body >= first_body) obstacles_.push_back(obstacle);
    RICOCHET_CHECK_EQ(obstacles_.size(), surfaces_.size());
    for (std::size_t k = 0; k < surfaces_.size(); ++k)
        RICOCHET_CHECK_EQ(obstacle_id(obstacles_[k].number), surfaces_[k].id);
}

bool ReferenceStep::is_shape_at(std::size_t i, const BodySurface& /*surface*/) const {
    return shapes_.has_shapes() && shapes_.shape(particles_.attributes[i].species) != nullptr;
}

SurfaceTouch ReferenceStep::touch_of_shape(std::size_t i, const BodySurface& surface) const {
    const SeenPath path{settings_, falls_, in_space(taken_into_box(box_, particles_.motion[i]))};
    return shapes_.at_bodies().first_touch(particles_.attributes[i].species, obstacle_at(surface), path);
}

ConvexGap ReferenceStep::gap_of_shape(std::size_t i, const BodySurface& surface, Vec3 centre) const {
    return shapes_.at_bodies().gap(particles_.attributes[i].species, obstacle_at(surface), centre);
}

Vec3 ReferenceStep::centre_in_space(std::size_t i, double time) const {
    const Motion motion = taken_into_box(box_, particles_.motion[i]);
    const Vec3 place = advanced(motion.position, motion.velocity, time - motion.time);
    return falls_ ? place + shift_at(time) : place;
}

Touched ReferenceStep::touched_by_shape(std::size_t i, const BodySurface& surface, double time) const {
    const Attributes& own = particles_.attributes[i];
    const Vec3 centre = centre_in_space(i, time);
    const SurfaceTouch touch = touch_of_shape(i, surface);
    const ConvexGap gap = gap_of_shape(i, surface, centre);
    const Vec3 normal = touch.time < never ? touch.normal : gap.normal;
    using Surf = BodySurface::Kind;
    const bool is_flat = surface.kind == Surf::flat || surface.kind == Surf::crate;
    Touched at{
        surface.id, surface.body,
        normal,     shapes_.at_bodies().touching_point(own.species, obstacle_at(surface), centre, normal),
        own.radius, surface.from_inside && !is_flat};
    constexpr double deep = 1 - 1e-9;
    at.depth = -gap.distance > (1 - deep) * own.radius ? -gap.distance : 0;
    return at;
}

}  // namespace ricochet::test
