// SPDX-License-Identifier: BSD-3-Clause
#include "placement/first_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "geometry/path.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet::detail {

namespace {

/// Proposals for a whole sphere, and for its centre alone.
constexpr std::uint64_t most_for_spheres = 1'000, most_for_centres = 100'000;

}  // namespace

double FirstPlaces::shape_off_walls(SpeciesIndex species, double radius, int axis, double x) const {
    const Attributes attributes = sized(species, radius);
    const auto wall = static_cast<BodyNumber>(2 * axis);
    const double low = shapes_->distance_at_wall(attributes, wall),
                 high = shapes_->distance_at_wall(attributes, static_cast<BodyNumber>(wall + 1));
    const double length = box_.size[axis], gap = wall_gap * (low + high) < length ? wall_gap : 1;
    x = std::max(std::min(x, length - gap * high), gap * low);
    while (length - x < high && x > low) x = std::nextafter(x, 0.0);
    return x;
}

double FirstPlaces::place_between_walls(ParticleId id, double radius, int axis, double u) const {
    const double length = box_.size[axis];
    if (shapes_ == nullptr) {
        const double room = room_at_wall(radius, axis);
        return confined(room + u * (length - 2 * room), room, length);
    }
    const SpeciesIndex species = population_.species_of(id);
    const double low = shape_off_walls(species, radius, axis, 0),
                 high = shape_off_walls(species, radius, axis, length);
    return shape_off_walls(species, radius, axis, low + u * (high - low));
}

Vec3 FirstPlaces::proposal(ParticleId id, double radius, std::uint64_t attempt) const {
    const RandomKey key{population_.seed(), Stream::placement, attempt};
    const RandomWords first = random_words(key, id, 0);
    const std::array<std::uint64_t, 3> words{first[0], first[1], random_words(key, id, 1)[0]};
    Vec3 centre;
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const double u = uniform_from(words[static_cast<std::size_t>(axis)]);
        const double length = box_.size[axis];
        centre[axis] =
            box_.is_periodic(axis) ? wrapped(u * length, length) : place_between_walls(id, radius, axis, u);
    }
    return centre;
}

Vec3 FirstPlaces::drawn(ParticleId id, double radius, std::uint64_t draw) const {
    const std::uint64_t first = draw * most_for_centres;
    if (bodies_ == nullptr) return proposal(id, radius, first);
    const SpeciesIndex species = population_.species_of(id);
    std::optional<Vec3> of_centre;
    for (std::uint64_t k = 0; k < most_for_centres && (k < most_for_spheres || !of_centre); ++k) {
        const Vec3 centre = proposal(id, radius, first + k);
        if (bodies_->keeps_off(centre, radius, species)) return centre;
        if (!of_centre && bodies_->keeps_off(centre, 0, species)) of_centre = centre;
    }
    return of_centre ? *of_centre : proposal(id, radius, first);
}

}  // namespace ricochet::detail
