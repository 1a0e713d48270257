// SPDX-License-Identifier: BSD-3-Clause
#include "placement/shaped_starts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "geometry/shape_table.hpp"
#include "model/world_facts.hpp"
#include "placement/random_placement.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

/// Rounding of a gap, over the sum of both radii.
constexpr double rounding_of_gap_of_shapes = 1e-12;
/// What fills more of the box cannot move.
constexpr double fullest = 1 - 1e-10;

/// Particles of each species, one of each.
std::vector<Attributes> kinds_in(const World& world) {
    std::vector<Attributes> kinds;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s)
        if (world.species[s].count > 0)
            kinds.push_back(make_attributes(world.species[s], s, largest_radius(world.species[s])));
    return kinds;
}

/// Whether particles of any two species have room on neighbouring sites.
class RoomOnLattice {
  public:
    explicit RoomOnLattice(const World& world) : box_(world.box), shapes_(world), kinds_(kinds_in(world)) {
        for (const Attributes& kind : kinds_) largest_ = std::max(largest_, kind.radius);
    }

    /// The farthest that a centre must be from a wall.
    double margin() const {
        double most = 0;
        for (const Attributes& kind : kinds_)
            for (int wall = 0; wall < 2 * box_.dimension; ++wall)
                if (box_.has_walls(wall / 2))
                    most = std::max(most, shapes_.distance_at_wall(kind, static_cast<BodyNumber>(wall)));
        return most;
    }

    bool is_enough(const Lattice& lattice) const {
        const auto ways = lattice.ways_within(2 * largest_);
        return ways && std::ranges::all_of(*ways, [this](Vec3 way) { return is_enough(way); });
    }

  private:
    bool is_enough(Vec3 way) const {
        for (const Attributes& a : kinds_)
            for (const Attributes& b : kinds_)
                if (gap(way, a, b) < -rounding_of_gap_of_shapes * (a.radius + b.radius)) return false;
        return true;
    }

    double gap(Vec3 way, const Attributes& a, const Attributes& b) const {
        return shapes_.has_shape(a.species, b.species) ? shapes_.gap(way, a, b).distance
                                                       : norm(way) - (a.radius + b.radius);
    }

    Box box_;
    ShapeTable shapes_;
    std::vector<Attributes> kinds_;
    double largest_ = 0;
};

/// The widest lattice, or the full one that is nearly as wide: which of them has room. The first where none has.
std::pair<Lattice, bool> lattice_with_room(LatticeKind kind, const Box& box, std::uint64_t count,
                                           const RoomOnLattice& room) {
    const double margin = room.margin();
    const Lattice first = Lattice::widest(kind, box, margin, count);
    if (room.is_enough(first)) return {first, true};
    const bool has_walls = margin > 0;
    const double more_than_any_spacing = box.size.x + box.size.y + box.size.z;
    const Lattice widest = Lattice::widest(kind, box, has_walls ? margin : more_than_any_spacing, count);
    return {widest, room.is_enough(widest)};
}

std::uint64_t most_with_room(LatticeKind kind, const Box& box, const RoomOnLattice& room,
                             std::uint64_t too_many) {
    std::uint64_t fits = 0;
    while (too_many - fits > 1) {
        const std::uint64_t middle = fits + (too_many - fits) / 2;
        (lattice_with_room(kind, box, middle, room).second ? fits : too_many) = middle;
    }
    return fits;
}

std::string particles_in_words(std::uint64_t count, const Sizes& sizes, const Box& box) {
    return text_of(count, " particles, ", fraction_text(sizes, box));
}

}  // namespace

std::string note_of_shapes(const World& world, const Sizes& sizes, std::uint64_t count) {
    return text_of("placement: ", particles_in_words(count, sizes, world.box), ", at random");
}

Placement shapes_at_random(const World& world, const Population& population, const Sizes& sizes,
                           Exchange& exchange) {
    const ShapeTable shapes(world);
    const BodyRoom bodies(world);
    RoomAtRandom room{.shapes = &shapes};
    if (bodies.has_bodies())
        room = {
            .bodies = &bodies, .free_part = known_free_volume(world) / world.box.volume(), .shapes = &shapes};
    RandomPlacement random = place_randomly(world.box, population, exchange, room);
    if (!random.is_complete)
        throw InputError(
            text_of("placement: got ", particles_in_words(population.size(), sizes, world.box),
                    ", which random placement does not reach: it found room for ", random.num_placed,
                    " of them, and shapes have no dense start yet; take fewer or smaller particles, a "
                    "larger box, a lattice, or a start from a file"));
    return {std::move(random.particles),
            {text_of(note_of_shapes(world, sizes, population.size()), ", in ", random.num_rounds,
                     " rounds of proposals")},
            false,
            0};
}

NotedLattice lattice_of_shapes(LatticeKind kind, const World& world, std::uint64_t count,
                               const Sizes& sizes) {
    const RoomOnLattice room(world);
    const auto [lattice, has_room] = lattice_with_room(kind, world.box, count, room);
    const double spacing = lattice.nearest_distance();
    if (!has_room)
        throw InputError(
            text_of("placement.type: got the lattice ", to_string(kind), " of ", count,
                    " particles with a spacing of ", spacing,
                    " in this box, on which some overlap, expected fewer or smaller ones; at most ",
                    most_with_room(kind, world.box, room, count), " fit on it"));
    if (sizes.volume_fraction > fullest)
        throw InputError(
            text_of("placement.type: got ", particles_in_words(count, sizes, world.box),
                    ", expected less than the whole box (those that touch all around cannot move)"));
    return {lattice, text_of("placement: ", count, " particles on the ", lattice.num_sites(),
                             " sites of the lattice ", to_string(kind), ", spacing ", spacing)};
}

}  // namespace ricochet
