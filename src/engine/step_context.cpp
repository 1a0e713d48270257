// SPDX-License-Identifier: BSD-3-Clause
#include "engine/step_context.hpp"

#include <algorithm>

#include "geometry/path.hpp"

namespace ricochet {

void StepContext::keep_midpoints(std::span<const Motion> motion) {
    const PathMidpoint midpoint(box, span.length());
    step_midpoints_x.clear();
    step_midpoints_x.reserve(motion.size());
    for (const Motion& one : motion) step_midpoints_x.push_back(static_cast<float>(midpoint.x(one)));
}

namespace {

/// The path of a particle that is no sphere.
struct SeenPath {
    const StepContext& context;
    const Motion& seen;

    const Motion& motion() const { return seen; }
    Fall fall() const { return {seen, context.frame.acceleration, context.frame.timestep}; }
    Vec3 place_at(double time) const { return context.place_seen(seen, time); }
    double time_of(Vec3 shift, double radius, const ObstacleShape& shape) const {
        Motion shifted = seen;
        shifted.position = seen.position + shift;
        if (!context.falls) return obstacle_contact_time(shifted, radius, shape);
        const FallingFrame& frame = context.frame;
        return falling_contact_time({shifted, frame.acceleration, frame.timestep}, radius, shape);
    }
};

}  // namespace

SurfaceTouch StepContext::touch_at_body(const Motion& motion, const Attributes& of,
                                        const Obstacle& obstacle) const {
    return shapes.at_bodies().first_touch(of.species, obstacle, SeenPath{*this, motion});
}

/// What overlaps without approaching has no contact: then it is the gap that has a normal.
Surface StepContext::surface_of_shape(const Motion& motion, const Attributes& of, const Obstacle& obstacle,
                                      Vec3 centre) const {
    const ShapesAtBodies& bodies = shapes.at_bodies();
    const SurfaceTouch touch = touch_at_body(motion, of, obstacle);
    const Vec3 normal = touch.time < never ? touch.normal : bodies.gap(of.species, obstacle, centre).normal;
    return {bodies.touching_point(of.species, obstacle, centre, normal), normal,
            surface_at(centre, obstacle.shape).is_hollow};
}

SearchDomain StepContext::domain_of_halo() const {
    const double length = box.size.x;
    if (coverage.is_whole_box) return {0, length};
    const bool is_ring = box.is_periodic(0);
    const double lower = std::max(coverage.lower, 0.0);
    const double upper = std::min(coverage.upper + coverage.halo_width, is_ring ? 2 * length : length);
    // Where the gap is narrower than two bounding spheres may reach, the cells are better off with the whole
    // ring.
    const double widest_pair = is_ring ? coverage.halo_width : 0;
    if (upper - lower + widest_pair >= length) return {0, length};
    return {lower, upper - lower};
}

}  // namespace ricochet
