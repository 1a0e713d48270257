// SPDX-License-Identifier: BSD-3-Clause
#include "engine/surface_contacts.hpp"

#include "geometry/falling_times.hpp"
#include "geometry/path.hpp"
#include "model/rounding.hpp"

namespace ricochet {

Vec3 SurfaceContacts::centre(Slot slot, const Obstacle& obstacle, double time) const {
    const Motion& motion = local_.motion(slot);
    const Vec3 centre = obstacle.body < first_body ? position_at(motion, time)
                                                   : position_at(context_.obstacles.in_box(motion), time);
    Vec3 seen = context_.falls ? centre + context_.frame.place_at(time) : centre;
    if (context_.is_moving(obstacle))
        seen[static_cast<int>(obstacle.body / 2)] -= context_.walls[obstacle.body].place_at(time);
    return seen;
}

Surface SurfaceContacts::surface(Slot slot, const Obstacle& obstacle, double time) const {
    const Vec3 at = centre(slot, obstacle, time);
    const Attributes& own = local_.attributes(slot);
    if (context_.is_shape_at_body(own, obstacle)) [[unlikely]]
        return context_.surface_of_shape(
            context_.seen_by_bodies(context_.obstacles.in_box(local_.motion(slot))), own, obstacle, at);
    Surface touched = surface_at(at, obstacle.shape);
    if (context_.has_shapes && obstacle.body < first_body) [[unlikely]]
        touched.point = touched.point + context_.shapes.offset_at_wall(own, obstacle.body);
    return touched;
}

double SurfaceContacts::overlap(Slot slot, const Obstacle& obstacle, double time) const {
    const Attributes& own = local_.attributes(slot);
    const Vec3 at = centre(slot, obstacle, time);
    if (context_.is_shape_at_body(own, obstacle)) [[unlikely]] {
        const double depth = -context_.gap_to(obstacle, own, at);
        return depth > (1 - deep_overlap_down) * own.radius ? depth : 0;
    }
    const double radius = context_.radius_towards(obstacle, own);
    const double distance = distance_at_contact(at, obstacle.shape);
    if (!reaches_into(distance, radius)) return 0;
    return context_.changes_matter && ruled_.may_pass(slot, obstacle.body) ? 0 : radius - distance;
}

double SurfaceContacts::distance(Slot slot, const Obstacle& obstacle, double time) const {
    const Attributes& own = local_.attributes(slot);
    if (!context_.is_shape_at_body(own, obstacle)) return context_.radius_towards(obstacle, own);
    const Surface touched = surface(slot, obstacle, time);
    return dot(touched.point - centre(slot, obstacle, time), touched.normal);
}

}  // namespace ricochet
