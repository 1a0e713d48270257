// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/body_room.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>
#include <variant>

#include "geometry/shape_table.hpp"

namespace ricochet {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// --- how far a place is from the solid of a shape; negative inside ---------------------------------------------

double distance_to_solid(const BodySphere& sphere, Vec3 place) {
    return norm(place - sphere.centre) - sphere.radius;
}
double distance_to_solid(const BodySpheres& body, Vec3 place) {
    double least = unbounded;
    for (const BodySphere& sphere : body.spheres) least = std::min(least, distance_to_solid(sphere, place));
    return least;
}
double distance_to_solid(const BodyCylinder& cylinder, Vec3 place) {
    const Vec3 r = place - cylinder.point;
    return norm(advanced(r, cylinder.axis, -dot(r, cylinder.axis))) - cylinder.radius;
}
double distance_to_solid(const BodyCapsule& capsule, Vec3 place) {
    const Vec3 line = capsule.to - capsule.from, r = place - capsule.from;
    const double square = dot(line, line);
    const double share = square > 0 ? std::clamp(dot(r, line) / square, 0.0, 1.0) : 0;
    return norm(advanced(r, line, -share)) - capsule.radius;
}
double distance_to_solid(const BodyBox& box, Vec3 place) {
    const Vec3 beyond = max(box.low - place, place - box.high);
    const bool is_flat = box.low.z == box.high.z;
    const double deepest = std::max({beyond.x, beyond.y, is_flat ? -unbounded : beyond.z});
    if (deepest <= 0) return deepest;
    return norm(max(beyond, {}));
}
double distance_to_solid(const BodyPlane& plane, Vec3 place) {
    return dot(place - plane.point, plane.normal);
}

// --- bounds ----------------------------------------------------------------------------------------------------

ObstacleBounds bounds_of_body(const Body& body, int dimension) {
    constexpr ObstacleBounds nowhere{{unbounded, unbounded, unbounded}, {-unbounded, -unbounded, -unbounded}};
    ObstacleBounds all = nowhere;
    for (const ObstacleShape& surface : surfaces_of(body, dimension)) {
        const ObstacleBounds of = bounds_of(surface);
        all = {min(all.low, of.low), max(all.high, of.high)};
    }
    return all;
}

bool is_endless(const ObstacleBounds& bounds, int dimension) {
    for (int axis = 0; axis < dimension; ++axis)
        if (bounds.low[axis] == -unbounded || bounds.high[axis] == unbounded) return true;
    return false;
}

/// By more than they are rounded.
ObstacleBounds widened(ObstacleBounds bounds, int dimension) {
    for (int axis = 0; axis < dimension; ++axis) {
        const double slack = 1e-9 * std::max({std::abs(bounds.low[axis]), std::abs(bounds.high[axis]),
                                              bounds.high[axis] - bounds.low[axis]});
        bounds.low[axis] -= slack;
        bounds.high[axis] += slack;
    }
    return bounds;
}

double outwards(const Body& body, Vec3 place) {
    return std::visit([place](const auto& shape) { return distance_to_solid(shape, place); }, body.shape);
}

/// There may be many of these.
bool is_in_grid(const Body& body) {
    return std::holds_alternative<BodySpheres>(body.shape) ||
           (std::holds_alternative<BodySphere>(body.shape) && body.side == BodySide::outside);
}

}  // namespace

double clearance(const Body& body, Vec3 place) {
    const double distance = outwards(body, place);
    if (body.side == BodySide::both) return std::abs(distance);
    return body.side == BodySide::inside ? -distance : distance;
}

double radius_of_round(const BodyShape& shape) {
    return std::visit(
        [](const auto& of) {
            if constexpr (requires { of.radius; })
                return of.radius;
            else
                return std::numeric_limits<double>::infinity();
        },
        shape);
}

BodyRoom::BodyRoom(const World& world) : bodies_(world.bodies), shapes_(ShapeTable(world).at_bodies()) {
    for (const Species& species : world.species) radii_.push_back(species.radius);
    add_images(world);
    for (const SpeciesRule& of : world.rules) {
        const bool passes = std::holds_alternative<Pass>(of.rule) && of.b == wall_species;
        if (passes) passed_.resize(world.species.size() * bodies_.size());
        for (const BodyNumber body : of.bodies) {
            const bool is_whole = body >= first_body && body - first_body < bodies_.size();  // no patch
            if (is_whole && !passed_.empty()) passed_[of.a * bodies_.size() + (body - first_body)] = passes;
        }
    }
    for (const Obstacle& obstacle : obstacles_of(world)) {
        if (obstacle.body < first_body) continue;
        (is_in_grid(bodies_[obstacle.body - first_body]) ? spheres_ : surfaces_).push_back(obstacle);
    }
    if (shapes_.has_shapes()) sort_surfaces(world.box);
    std::vector<ObstacleIndex> members(spheres_.size());
    std::iota(members.begin(), members.end(), 0u);
    grid_ = SurfaceGrid(region_of_paths(world.box), spheres_, std::move(members));
}

void BodyRoom::sort_surfaces(const Box& box) {
    std::vector<ObstacleIndex> members;
    for (ObstacleIndex k = 0; k < surfaces_.size(); ++k)
        (is_endless(bounds_of(surfaces_[k].shape), box.dimension) ? endless_surfaces_ : members).push_back(k);
    surface_grid_ = SurfaceGrid(region_of_paths(box), surfaces_, std::move(members));
}

void BodyRoom::add_images(const World& world) {
    const int dimension = world.box.dimension;
    std::vector<Obstacle> bounds_of_images;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        if (is_in_grid(bodies_[k])) continue;
        if (bodies_[k].side == BodySide::inside) {
            everywhere_.push_back({k, {}});
            continue;
        }
        const ObstacleBounds exact = bounds_of_body(bodies_[k], dimension),
                             bounds = widened(exact, dimension);
        const bool is_everywhere = is_endless(bounds, dimension);
        for (const Vec3 shift : image_shifts(world.box, exact)) {
            (is_everywhere ? everywhere_ : images_).push_back({k, shift});
            if (!is_everywhere)
                bounds_of_images.push_back(
                    {.shape = BoxSide{bounds.low + shift, bounds.high + shift, dimension}});
        }
    }
    std::vector<ObstacleIndex> members(images_.size());
    std::iota(members.begin(), members.end(), 0u);
    image_grid_ = SurfaceGrid(region_of_paths(world.box), bounds_of_images, std::move(members));
}

std::optional<std::size_t> BodyRoom::body_in_the_way(Vec3 centre, double radius, SpeciesIndex species) const {
    std::optional<std::size_t> first;
    const auto note = [&](std::size_t body) { first = std::min(first.value_or(body), body); };
    const bool has_shape = shapes_.has_shape(species);
    const double gap = has_shape ? radius - radii_[species] : 0, of_centre = has_shape ? 0 : radius;
    for_each_image({centre, centre}, radius, [&](const Image& image) {
        if (!may_pass(species, image.body) &&
            clearance(bodies_[image.body], centre - image.shift) < of_centre)
            note(image.body);
    });
    const Vec3 room{radius, radius, radius};
    grid_.for_each_in({centre - room, centre + room}, [&](ObstacleIndex index) {
        const Obstacle& sphere = spheres_[index];
        if (has_shape ? is_nearer(gap, centre, species, sphere) : distance_to(centre, sphere.shape) < radius)
            note(sphere.body - first_body);
    });
    if (!has_shape) return first;
    const auto look_at = [&](ObstacleIndex index) {
        const Obstacle& surface = surfaces_[index];
        if (is_nearer(gap, centre, species, surface)) note(surface.body - first_body);
    };
    std::ranges::for_each(endless_surfaces_, look_at);
    surface_grid_.for_each_in({centre - room, centre + room}, look_at);
    return first;
}

void BodyRoom::add_pushes(Vec3 centre, double reach, SpeciesIndex species,
                          std::vector<BodyPush>& pushes) const {
    for_each_image({centre, centre}, reach, [&](const Image& image) {
        if (!may_pass(species, image.body))
            add_body_pushes(bodies_[image.body], centre - image.shift, reach, pushes);
    });
    const Vec3 room{reach, reach, reach};
    grid_.for_each_in({centre - room, centre + room}, [&](ObstacleIndex index) {
        const auto& ball = std::get<Ball>(spheres_[index].shape);
        const BodyPush push = push_off({ball.centre, ball.radius}, centre);
        if (push.clearance < reach) pushes.push_back(push);
    });
}

void BodyRoom::add_pushes_on_shape(Vec3 centre, double reach, SpeciesIndex species,
                                   std::vector<BodyPush>& pushes) const {
    for_each_image({centre, centre}, 0, [&](const Image& image) {
        if (!may_pass(species, image.body))
            add_body_pushes(bodies_[image.body], centre - image.shift, 0, pushes);
    });
    const auto add = [&](const Obstacle& surface) {
        if (!may_pass(species, surface.body - first_body))
            shapes_.add_pushes(species, surface, centre, reach, pushes);
    };
    const double around = radii_[species] + reach;
    const Vec3 room{around, around, around};
    const ObstacleBounds bounds{centre - room, centre + room};
    grid_.for_each_in(bounds, [&](ObstacleIndex index) { add(spheres_[index]); });
    for (const ObstacleIndex index : endless_surfaces_) add(surfaces_[index]);
    surface_grid_.for_each_in(bounds, [&](ObstacleIndex index) { add(surfaces_[index]); });
}

std::optional<std::size_t> BodyRoom::body_too_narrow(Vec3 centre, double radius, SpeciesIndex species) const {
    if (shapes_.has_shape(species)) return std::nullopt;  // body_in_the_way looks at all of it
    std::optional<std::size_t> first;
    for_each_image({centre, centre}, 0, [&](const Image& image) {
        const Body& body = bodies_[image.body];
        if (body.side == BodySide::outside || may_pass(species, image.body)) return;
        if (radius_of_round(body.shape) <= radius && outwards(body, centre - image.shift) < 0)
            first = std::min(first.value_or(image.body), image.body);
    });
    return first;
}

bool BodyRoom::are_on_one_side(Vec3 a, Vec3 b, SpeciesIndex species) const {
    bool is_parted = false;
    for_each_image({min(a, b), max(a, b)}, 0, [&](const Image& image) {
        const Body& body = bodies_[image.body];
        if (body.side != BodySide::both || may_pass(species, image.body)) return;
        is_parted |= (outwards(body, a - image.shift) < 0) != (outwards(body, b - image.shift) < 0);
    });
    return !is_parted;
}

// --- volumes ---------------------------------------------------------------------------------------------------

namespace {

double volume_of(const BodySphere& sphere, const Box& box) {
    const double area = std::numbers::pi * sphere.radius * sphere.radius;
    return box.dimension == 2 ? area : 4 * area * sphere.radius / 3;
}
double volume_of(const BodySpheres& body, const Box& box) {
    double sum = 0;
    for (const BodySphere& sphere : body.spheres) sum += volume_of(sphere, box);
    return sum;
}
double volume_of(const BodyCapsule& capsule, const Box& box) {
    const double length = norm(capsule.to - capsule.from);
    const double across =
        box.dimension == 2 ? 2 * capsule.radius : std::numbers::pi * capsule.radius * capsule.radius;
    return across * length + volume_of(BodySphere{{}, capsule.radius}, box);
}
double volume_of(const BodyCylinder& cylinder, const Box& box) {
    const double length = dot(abs(cylinder.axis), box.size);
    return length *
           (box.dimension == 2 ? 2 * cylinder.radius : std::numbers::pi * cylinder.radius * cylinder.radius);
}
double volume_of(const BodyBox& of, const Box& box) {
    const Vec3 size = of.high - of.low;
    return size.x * size.y * (box.dimension == 2 ? 1 : size.z);
}
double volume_of(const BodyPlane& /*plane*/, const Box& /*box*/) { return 0; }

/// Whether these bounds lie in the box, but for axes along which the body is endless.
bool is_in_box(const ObstacleBounds& bounds, const Box& box) {
    for (int axis = 0; axis < box.dimension; ++axis) {
        const bool is_endless = bounds.low[axis] == -unbounded && bounds.high[axis] == unbounded;
        if (!is_endless && (bounds.low[axis] < 0 || bounds.high[axis] > box.size[axis])) return false;
    }
    return true;
}

bool are_apart(const ObstacleBounds& a, const ObstacleBounds& b, int dimension) {
    for (int axis = 0; axis < dimension; ++axis)
        if (a.high[axis] <= b.low[axis] || b.high[axis] <= a.low[axis]) return true;
    return false;
}

/// Whether all corners of the bounds are inside the body, which is convex.
bool is_within(const Body& body, const ObstacleBounds& bounds, int dimension) {
    for (int corner = 0; corner < (1 << dimension); ++corner) {
        Vec3 at = bounds.low;
        for (int axis = 0; axis < dimension; ++axis)
            if ((corner >> axis) % 2 == 1) at[axis] = bounds.high[axis];
        if (!(clearance(body, at) >= 0)) return false;
    }
    return true;
}

/// Whether the volumes of these bodies may be added and taken off.
bool are_separate(const World& world, const std::vector<ObstacleBounds>& bounds) {
    constexpr std::size_t most_compared = 10'000;  // with each other
    if (bounds.size() > most_compared) return false;
    const int dimension = world.box.dimension;
    std::size_t num_inside = 0;
    for (const Body& body : world.bodies) num_inside += body.side == BodySide::inside ? 1 : 0;
    if (num_inside > 1) return false;
    for (std::size_t k = 0; k < bounds.size(); ++k) {
        const Body& body = world.bodies[k];
        if (body.side == BodySide::both) continue;
        const auto* const many = std::get_if<BodySpheres>(&body.shape);
        const bool is_plane = std::holds_alternative<BodyPlane>(body.shape);
        const auto* const cylinder = std::get_if<BodyCylinder>(&body.shape);
        const auto is_along_axis = [](Vec3 a) {
            return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)}) == 1;
        };
        const bool is_oblique = cylinder != nullptr && !is_along_axis(cylinder->axis);
        if (is_plane || is_oblique || (many != nullptr && many->spheres.size() > 1) ||
            !is_in_box(bounds[k], world.box))
            return false;
        for (std::size_t j = 0; j < k; ++j) {
            const Body& other = world.bodies[j];
            if (other.side == BodySide::both) continue;
            const bool is_nested = (body.side == BodySide::inside && is_within(body, bounds[j], dimension)) ||
                                   (other.side == BodySide::inside && is_within(other, bounds[k], dimension));
            if (!is_nested && (body.side != other.side || !are_apart(bounds[j], bounds[k], dimension)))
                return false;
        }
    }
    return true;
}

/// The share of evenly spread points that no body holds. The points are multiples of irrational numbers.
double free_share_of_points(const World& world) {
    constexpr std::uint64_t num_points = 1u << 20;
    // The powers of the root of x^4 = x + 1, as shares of 2^64: no other multiples spread better.
    constexpr std::array<std::uint64_t, 3> steps{0xd1b54a32d192ed03u, 0xabc98388fb8fac03u,
                                                 0x8cb92ba72f3d8dd7u};
    const BodyRoom room(world);
    std::uint64_t num_free = 0;
    for (std::uint64_t k = 1; k <= num_points; ++k) {
        Vec3 place;
        for (int axis = 0; axis < world.box.dimension; ++axis)
            place[axis] = world.box.size[axis] *
                          (0x1p-64 * static_cast<double>(k * steps[static_cast<std::size_t>(axis)]));
        num_free += room.keeps_off(place, 0) ? 1 : 0;
    }
    return static_cast<double>(num_free) / static_cast<double>(num_points);
}

}  // namespace

double free_volume(const World& world) {
    const Box& box = world.box;
    if (world.bodies.empty()) return box.volume();
    std::vector<ObstacleBounds> bounds;
    bounds.reserve(world.bodies.size());
    for (const Body& body : world.bodies) bounds.push_back(bounds_of_body(body, box.dimension));
    if (!are_separate(world, bounds)) return box.volume() * free_share_of_points(world);
    double sum = box.volume();
    for (const Body& body : world.bodies) {
        const double volume =
            std::visit([&box](const auto& shape) { return volume_of(shape, box); }, body.shape);
        if (body.side == BodySide::outside) sum -= volume;
        if (body.side == BodySide::inside) sum += volume - box.volume();
    }
    return sum;
}

}  // namespace ricochet
