// SPDX-License-Identifier: BSD-3-Clause
#include "placement/shaped_starts.hpp"

#include <utility>

#include "core/text.hpp"
#include "geometry/shape_table.hpp"
#include "placement/dense_placement.hpp"
#include "placement/disordered_starts.hpp"
#include "placement/lattice_room.hpp"
#include "placement/random_placement.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

/// What fills more of the box cannot move.
constexpr double fullest = 1 - 1e-10;

std::uint64_t most_with_room(LatticeKind kind, const RoomOnLattice& room, std::uint64_t too_many) {
    std::uint64_t fits = 0;
    while (too_many - fits > 1) {
        const std::uint64_t middle = fits + (too_many - fits) / 2;
        (room.widest(kind, middle).second ? fits : too_many) = middle;
    }
    return fits;
}

std::string particles_in_words(std::uint64_t count, const Sizes& sizes, const Box& box) {
    return text_of(count, " particles, ", fraction_text(sizes, box));
}

std::string note_of_random_shapes(const World& world, const Sizes& sizes, std::uint64_t count) {
    return text_of("placement: ", particles_in_words(count, sizes, world.box), ", at random");
}

std::string note_of_dense_shapes(const World& world, const Sizes& sizes, std::uint64_t count) {
    return text_of("placement: ", particles_in_words(count, sizes, world.box),
                   ", by the repulsion of soft shapes");
}

std::string note_of_too_dense_shapes(const World& world, const Sizes& sizes) {
    return text_of("placement: ", fraction_text(sizes, world.box),
                   " is more than random placement reaches, so the start is a dense one");
}

bool is_worth_trying_at_random(const World& world, const Sizes& sizes) {
    return sizes.excluding_fraction <= most_at_random(world.box);
}

[[noreturn]] void refuse_overlapping_shapes(const World& world, const Sizes& sizes, std::uint64_t count,
                                            const DensePlacement& dense) {
    throw InputError(
        text_of("placement: got ", particles_in_words(count, sizes, world.box),
                ", which cannot be packed: the repulsion of soft shapes left overlaps of up to ",
                100 * dense.largest_overlap, " % of a width after ", dense.num_steps,
                " steps; shrunk until none overlap, they fill ",
                scaled_fraction(world.box, sizes, 1 - dense.largest_overlap),
                "; take fewer or smaller particles, a larger box, a lattice, or a start from a file"));
}

/// About, of the processor this was measured on (note 62 of tests/bench/notes.md).
double dense_seconds_of_shapes(std::uint64_t count) { return 1.2e-4 * static_cast<double>(count); }

}  // namespace

Placement shapes_densely(const World& world, const Population& population, const Sizes& sizes,
                         Exchange& exchange) {
    const std::uint64_t count = population.size();
    require_volume(world.box, sizes, count);
    const ShapeTable shapes(world);
    const BodyRoom bodies(world);
    DensePlacement dense =
        place_densely(world.box, population, exchange, bodies.has_bodies() ? &bodies : nullptr, &shapes);
    if (!dense.is_complete) refuse_overlapping_shapes(world, sizes, count, dense);
    return {std::move(dense.particles),
            {text_of(note_of_dense_shapes(world, sizes, count), ", in ", dense.num_steps, " steps")},
            may_equilibrate(world, population),
            0,
            false,
            dense.cpu_seconds};
}

Placement shapes_at_random(const World& world, const Population& population, const Sizes& sizes,
                           Exchange& exchange) {
    const std::uint64_t count = population.size();
    std::string reason = note_of_too_dense_shapes(world, sizes);
    if (is_worth_trying_at_random(world, sizes)) {
        const ShapeTable shapes(world);
        const BodyRoom bodies(world);
        RoomAtRandom room{.shapes = &shapes};
        if (bodies.has_bodies())
            room = {.bodies = &bodies,
                    .free_part = known_free_volume(world) / world.box.volume(),
                    .shapes = &shapes};
        RandomPlacement random = place_randomly(world.box, population, exchange, room);
        if (random.is_complete)
            return {std::move(random.particles),
                    {text_of(note_of_random_shapes(world, sizes, count), ", in ", random.num_rounds,
                             " rounds of proposals")},
                    false,
                    0};
        reason = text_of("placement: random placement found room for ", random.num_placed,
                         " of them, so the start is a dense one");
    }
    Placement dense = shapes_densely(world, population, sizes, exchange);
    dense.notes.push_back(std::move(reason));
    return dense;
}

PlacementForecast foreseen_shapes_densely(const World& world, const Population& population,
                                          const Sizes& sizes, Exchange& exchange) {
    const std::uint64_t count = population.size();
    if (count > most_tried) {
        require_volume(world.box, sizes, count);
        return {{note_of_dense_shapes(world, sizes, count)},
                may_equilibrate(world, population),
                0,
                dense_seconds_of_shapes(count)};
    }
    const Placement tried = shapes_densely(world, population, sizes, exchange);
    return forecast_of(tried, tried.cpu_seconds);
}

PlacementForecast foreseen_shapes_at_random(const World& world, const Population& population,
                                            const Sizes& sizes, Exchange& exchange) {
    const std::uint64_t count = population.size();
    const double seconds = random_seconds(world.box, sizes, count);
    if (!is_worth_trying_at_random(world, sizes)) {
        PlacementForecast dense = foreseen_shapes_densely(world, population, sizes, exchange);
        dense.notes.push_back(note_of_too_dense_shapes(world, sizes));
        return dense;
    }
    if (count > most_tried)
        return {{note_of_random_shapes(world, sizes, count) + ", or densely where that finds no room"},
                false,
                0,
                seconds};
    const Placement tried = shapes_at_random(world, population, sizes, exchange);
    return forecast_of(tried, seconds + tried.cpu_seconds);
}

NotedLattice lattice_of_shapes(LatticeKind kind, const World& world, std::uint64_t count,
                               const Sizes& sizes) {
    const RoomOnLattice room(world);
    const auto [lattice, has_room] = room.widest(kind, count);
    const double spacing = lattice.nearest_distance();
    if (!has_room)
        throw InputError(
            text_of("placement.type: got the lattice ", to_string(kind), " of ", count,
                    " particles with a spacing of ", spacing,
                    " in this box, on which some overlap, expected fewer or smaller ones; at most ",
                    most_with_room(kind, room, count), " fit on it"));
    if (sizes.volume_fraction > fullest)
        throw InputError(
            text_of("placement.type: got ", particles_in_words(count, sizes, world.box),
                    ", expected less than the whole box (those that touch all around cannot move)"));
    return {lattice, text_of("placement: ", count, " particles on the ", lattice.num_sites(),
                             " sites of the lattice ", to_string(kind), ", spacing ", spacing)};
}

}  // namespace ricochet
