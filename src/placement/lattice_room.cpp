// SPDX-License-Identifier: BSD-3-Clause
#include "placement/lattice_room.hpp"

#include <algorithm>

#include "model/world_facts.hpp"
#include "placement/population.hpp"

namespace ricochet {

namespace {

/// Rounding of a gap, over the sum of both radii.
constexpr double rounding_of_gap_of_shapes = 1e-12;

std::vector<Attributes> kinds_in(const World& world) {
    std::vector<Attributes> kinds;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s)
        if (world.species[s].count > 0)
            kinds.push_back(make_attributes(world.species[s], s, largest_radius(world.species[s])));
    return kinds;
}

}  // namespace

RoomOnLattice::RoomOnLattice(const World& world)
    : box_(world.box), shapes_(world), bodies_(world), kinds_(kinds_in(world)) {
    for (const Attributes& kind : kinds_) largest_ = std::max(largest_, kind.radius);
}

/// The farthest that a centre must be from a wall.
double RoomOnLattice::margin() const {
    double most = 0;
    for (const Attributes& kind : kinds_)
        for (int wall = 0; wall < 2 * box_.dimension; ++wall)
            if (box_.has_walls(wall / 2))
                most = std::max(most, shapes_.distance_at_wall(kind, static_cast<BodyNumber>(wall)));
    return most;
}

/// Whether particles of any two kinds have room on neighbouring sites.
bool RoomOnLattice::is_enough(const Lattice& lattice) const {
    const auto ways = lattice.ways_within(2 * largest_);
    return ways && std::ranges::all_of(*ways, [this](Vec3 way) { return is_enough(way); });
}

bool RoomOnLattice::is_enough(Vec3 way) const {
    for (const Attributes& a : kinds_)
        for (const Attributes& b : kinds_)
            if (gap(way, a, b) < -rounding_of_gap_of_shapes * (a.radius + b.radius)) return false;
    return true;
}

double RoomOnLattice::gap(Vec3 way, const Attributes& a, const Attributes& b) const {
    return shapes_.has_shape(a.species, b.species) ? shapes_.gap(way, a, b).distance
                                                   : norm(way) - (a.radius + b.radius);
}

std::pair<Lattice, bool> RoomOnLattice::widest(LatticeKind kind, std::uint64_t count) const {
    const double off_walls = margin();
    const Lattice first = Lattice::widest(kind, box_, off_walls, count);
    if (is_enough(first)) return {first, true};
    const double more_than_any_spacing = box_.size.x + box_.size.y + box_.size.z;
    const Lattice other =
        Lattice::widest(kind, box_, off_walls > 0 ? off_walls : more_than_any_spacing, count);
    return {other, is_enough(other)};
}

bool RoomOnLattice::keeps_off(Vec3 site) const {
    return std::ranges::all_of(kinds_, [&](const Attributes& kind) {
        // Spheres that may pass a body do not begin in it either.
        const bool is_sphere = shapes_.shape(kind.species) == nullptr;
        return bodies_.keeps_off(site, kind.radius, is_sphere ? absent_species : kind.species);
    });
}

}  // namespace ricochet
