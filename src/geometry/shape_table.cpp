// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/shape_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/contact_time.hpp"
#include "geometry/touching_place.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// Whether bounding spheres that are r apart meet from now on, before the horizon.
bool may_meet(Vec3 r, Vec3 u, double radii, double horizon) {
    constexpr double down = 1 - 1e-9;
    const double reach = closest_up * radii, square = dot(r, r), gap = square - reach * reach;
    if (gap <= 0) return true;
    const double approach = -dot(r, u), speed = dot(u, u);
    if (!(approach > 0 && approach * approach >= down * (speed * gap))) return false;
    // They come nearer until approach / speed. Rounding is relative to the squared distance.
    if (!(horizon * speed < approach)) return true;
    return gap - horizon * (2 * approach - horizon * speed) <= 1e-9 * square;
}

}  // namespace

ShapeTable::ShapeTable(const World& world) {
    const auto has_corners = [](const Species& of) { return !of.corners.empty(); };
    if (std::ranges::none_of(world.species, has_corners)) return;
    const int dimension = world.box.dimension;
    for (const Species& each : world.species) {
        OfSpecies& of = species_.emplace_back();
        if (!has_corners(each)) continue;
        of.shape = convex_hull(each.corners, dimension);
        RICOCHET_CHECK(of.shape.has_value());
        of.with_spheres.emplace(*of.shape);
        for (int face = 0; face < 2 * dimension; ++face) {
            Vec3 outwards;
            outwards[face / 2] = face % 2 == 0 ? -1 : 1;
            of.to_wall[static_cast<std::size_t>(face)] = support(of.shape->corners, outwards);
            Vec3& middle = of.from_foot[static_cast<std::size_t>(face)];
            middle = middle_of(farthest_corners(*of.shape, outwards, {}));
            middle[face / 2] = 0;
        }
    }
    for (std::size_t a = 0; a < species_.size(); ++a)
        for (std::size_t b = 0; b < species_.size(); ++b) {
            const auto &first = species_[a].shape, &second = species_[b].shape;
            if (!first || !second)
                pairs_.emplace_back();
            else if (a <= b)
                pairs_.emplace_back(*first, *second);
            else
                pairs_.push_back(pairs_[b * species_.size() + a].reversed());
        }
    std::vector<std::optional<Polytope>> shapes;
    for (const OfSpecies& of : species_) shapes.push_back(of.shape);
    at_bodies_ = ShapesAtBodies(world, std::move(shapes));
}

ConvexTouch ShapeTable::first_touch(Vec3 r, Vec3 u, const Attributes& first, const Attributes& second,
                                    double horizon) const {
    const OfSpecies &of_first = species_[first.species], &of_second = species_[second.species];
    if (of_first.shape && of_second.shape)
        return pair(first.species, second.species).first_touch(r, u, horizon);
    if (of_first.shape) return of_first.with_spheres->first_touch(r, u, second.radius);
    const ConvexTouch touch = of_second.with_spheres->first_touch(Vec3{} - r, Vec3{} - u, first.radius);
    return {touch.time, Vec3{} - touch.normal};
}

ConvexTouch ShapeTable::touch_of(const Motion& low, const Attributes& attributes_low, const Motion& high,
                                 const Attributes& attributes_high, const ImageLengths& images,
                                 Overlap overlap, double until) const {
    const double start = std::max(low.time, high.time);
    const Vec3 r = minimum_image(position_at(high, start) - position_at(low, start), images);
    const Vec3 u = high.velocity - low.velocity;
    const double horizon = until - start;
    if (!may_meet(r, u, attributes_low.radius + attributes_high.radius, horizon)) return {never, {}};
    if (overlap != Overlap::bounces) {
        const ConvexGap now = gap(r, attributes_low, attributes_high);
        if (now.distance <= 0) return {overlap == Overlap::reacts ? start : never, now.normal};
    }
    const ConvexTouch touch = first_touch(r, u, attributes_low, attributes_high, horizon);
    return {start + touch.time, touch.normal};
}

ConvexGap ShapeTable::gap(Vec3 r, const Attributes& first, const Attributes& second) const {
    const OfSpecies &of_first = species_[first.species], &of_second = species_[second.species];
    if (of_first.shape && of_second.shape) return pair(first.species, second.species).gap(r);
    const auto& polytope = of_first.shape ? of_first : of_second;
    const double radius = of_first.shape ? second.radius : first.radius;
    const ConvexGap gap = polytope.with_spheres->gap(of_first.shape ? r : Vec3{} - r);
    return {gap.distance - radius, of_first.shape ? gap.normal : Vec3{} - gap.normal};
}

std::size_t ShapeTable::num_parts(SpeciesIndex first, SpeciesIndex second) const {
    const Polytope *const of_first = shape(first), *const of_second = shape(second);
    if (of_first != nullptr && of_second != nullptr) return pair(first, second).planes().size();
    const Polytope* const of = of_first != nullptr ? of_first : of_second;
    RICOCHET_CHECK(of != nullptr);
    return of->faces.size() + of->edges.size() + of->corners.size();
}

Vec3 ShapeTable::touching_point(Vec3 r, Vec3 normal, const Attributes& first,
                                const Attributes& second) const {
    const Polytope *const of_first = shape(first.species), *const of_second = shape(second.species);
    if (of_first == nullptr) return first.radius * normal;
    if (of_second == nullptr) return advanced(r, normal, -second.radius);
    return common_place(farthest_corners(*of_first, normal, {}),
                        farthest_corners(*of_second, Vec3{} - normal, r), normal);
}

}  // namespace ricochet
