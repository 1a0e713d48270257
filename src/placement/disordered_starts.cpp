// SPDX-License-Identifier: BSD-3-Clause
#include "placement/disordered_starts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/text.hpp"
#include "geometry/body_room.hpp"
#include "placement/dense_placement.hpp"
#include "placement/random_placement.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {

namespace {

/// Disordered packings of equal particles end below these fractions.
constexpr double densest_3d = 0.66, densest_2d = 0.88;
/// Up to these fractions of the accessible volume a dense start of any sizes succeeds.
constexpr double sure_3d = 0.6, sure_2d = 0.8;

std::optional<BodyRoom> room_beside_bodies(const World& world) {
    return world.bodies.empty() ? std::nullopt : std::optional<BodyRoom>(world);
}

bool are_bodies_passed(const World& world) {
    return std::ranges::any_of(world.rules, [](const SpeciesRule& of) {
        return std::holds_alternative<Pass>(of.rule) && of.b == wall_species && !of.bodies.empty();
    });
}

/// The share of the box in which the centre of the largest may be, by points at random.
double share_of_centres(const World& world, const BodyRoom& room, double largest) {
    constexpr std::uint64_t num_points = 1 << 16;
    const Box& box = world.box;
    std::uint64_t num_free = 0;
    for (std::uint64_t point = 0; point < num_points; ++point) {
        const RandomWords words = random_words({world.seed, Stream::placement, 0}, point, 0);
        const std::array<std::uint64_t, 3> along{
            words[0], words[1], random_words({world.seed, Stream::placement, 0}, point, 1)[0]};
        Vec3 place;
        bool is_off_walls = true;
        for (int axis = 0; axis < box.dimension; ++axis) {
            place[axis] = box.size[axis] * uniform_from(along[static_cast<std::size_t>(axis)]);
            is_off_walls &=
                !box.has_walls(axis) || (place[axis] >= largest && box.size[axis] - place[axis] >= largest);
        }
        num_free += is_off_walls && room.keeps_off(place, largest) ? 1 : 0;
    }
    return static_cast<double>(num_free) / static_cast<double>(num_points);
}

/// The volume of the particles over that in which centres may lie.
double fraction_for_centres(const World& world, const Sizes& sizes) {
    const std::optional<BodyRoom> room = room_beside_bodies(world);
    if (!room) return fraction_of_accessible(world.box, sizes);
    const double share = share_of_centres(world, *room, sizes.largest);
    return sizes.excluding_fraction * known_free_volume(world) / world.box.volume() / std::max(share, 1e-6);
}

std::string of_what_is_left(const World& world) {
    return world.bodies.empty() ? "" : " of what bodies leave";
}

std::string note_of_random(const World& world, const Sizes& sizes, std::uint64_t count) {
    return random_note(world.box, sizes, count) + of_what_is_left(world);
}

std::string note_of_dense(const World& world, const Sizes& sizes, std::uint64_t count) {
    return text_of("placement: ", number_of(count, world.box, sizes), " by the repulsion of soft ",
                   world.box.dimension == 2 ? "discs" : "spheres", ", ", fraction_text(sizes, world.box),
                   of_what_is_left(world));
}

std::string stand_in_note(const World& world, const Sizes& sizes) {
    return text_of("placement: ", fraction_text(sizes, world.box), of_what_is_left(world),
                   " is more than random placement reaches (about ", usable_fraction(world.box),
                   "), so the start is a dense one");
}

/// Why random placement was given up.
std::string note_of_end(const World& world, const Sizes& sizes, std::uint64_t num_placed) {
    if (world.bodies.empty()) return stand_in_note(world, sizes);
    return text_of("placement: random placement beside bodies found room for ", num_placed,
                   " of them, so the start is a dense one");
}

/// Throws InputError where any disordered placement is useless.
void require_room(const World& world, const Sizes& sizes, std::uint64_t count) {
    const Box& box = world.box;
    require_volume(box, sizes, count);
    const double most = box.dimension == 2 ? densest_2d : densest_3d;
    constexpr std::uint64_t few = 20;
    if (!world.bodies.empty() && count < few) return;  // they may fill more of a narrow body
    if (is_of_one_size(sizes) && sizes.excluding_fraction > most)
        refuse_density(box, sizes, count, text_of("disordered ones of one size end below ", most));
}

/// Spheres do not cross bodies with two sides, so that one room may be too full where others are not.
const char* advice_on_rooms(const World& world) {
    const bool has_rooms =
        std::ranges::any_of(world.bodies, [](const Body& body) { return body.side == BodySide::both; });
    return has_rooms ? ", in the fullest of the rooms between bodies (another run.seed fills them otherwise)"
                     : "";
}

[[noreturn]] void refuse_overlaps(const World& world, const Sizes& sizes, std::uint64_t count,
                                  const DensePlacement& dense) {
    refuse_density(
        world.box, sizes, count,
        text_of("the repulsion of soft ", world.box.dimension == 2 ? "discs" : "spheres",
                world.bodies.empty() ? "" : " beside bodies", " left overlaps of ",
                100 * dense.largest_overlap, " % of a diameter after ", dense.num_steps,
                " steps, so it reached ", scaled_fraction(world.box, sizes, 1 - dense.largest_overlap),
                advice_on_rooms(world)));
}

Placement densely_in(const World& world, const std::optional<BodyRoom>& room, const Population& population,
                     const Sizes& sizes, Exchange& exchange) {
    const std::uint64_t count = population.size();
    DensePlacement dense = place_densely(world.box, population, exchange, room ? &*room : nullptr);
    if (!dense.is_complete) refuse_overlaps(world, sizes, count, dense);
    return {std::move(dense.particles),
            {text_of(note_of_dense(world, sizes, count), ", in ", dense.num_steps, " steps")},
            may_equilibrate(world, population),
            0,
            false,
            dense.cpu_seconds};
}

RoomAtRandom room_at_random(const World& world, const std::optional<BodyRoom>& room) {
    if (!room) return {};
    return {&*room, known_free_volume(world) / world.box.volume()};
}

/// About, of the processor this was measured on (note 62 of tests/bench/notes.md).
double dense_seconds(const Box& box, const Sizes& sizes, std::uint64_t count, double fraction) {
    const bool are_equal = is_of_one_size(sizes);
    const double densest = box.dimension == 2 ? 0.843 : are_equal ? 0.639 : 0.647;
    const double gap = std::max(densest - fraction, 0.003);
    const double num_steps = (100 + 0.25 / (gap * gap)) * (are_equal ? 1 : 1.5);
    return static_cast<double>(count) * 1.5e-7 * num_steps;
}

/// Of a start that is not tried.
PlacementForecast guessed_dense(const World& world, const Population& population, const Sizes& sizes,
                                double fraction) {
    const std::uint64_t count = population.size();
    return {{note_of_dense(world, sizes, count)},
            may_equilibrate(world, population),
            0,
            dense_seconds(world.box, sizes, count, fraction)};
}

PlacementForecast guessed_random(const World& world, const Sizes& sizes, std::uint64_t count) {
    return {{note_of_random(world, sizes, count)}, false, 0, random_seconds(world.box, sizes, count)};
}

/// Of very many: by the room for centres.
PlacementForecast guessed_beside_bodies(const World& world, const Population& population,
                                        const Sizes& sizes) {
    const double fraction = fraction_for_centres(world, sizes);
    if (fraction <= usable_fraction(world.box)) return guessed_random(world, sizes, population.size());
    PlacementForecast dense = guessed_dense(world, population, sizes, fraction);
    dense.notes.push_back(stand_in_note(world, sizes));
    return dense;
}

}  // namespace

bool may_equilibrate(const World& world, const Population& population) {
    return !population.has_passing() && !are_bodies_passed(world);
}

PlacementForecast forecast_of(const Placement& placement, double cpu_seconds) {
    return {placement.notes, placement.needs_equilibration, placement.num_sites, cpu_seconds};
}

Placement densely(const World& world, const Population& population, const Sizes& sizes, Exchange& exchange) {
    require_room(world, sizes, population.size());
    return densely_in(world, room_beside_bodies(world), population, sizes, exchange);
}

Placement random_or_dense(const World& world, const Population& population, const Sizes& sizes,
                          Exchange& exchange) {
    const std::uint64_t count = population.size();
    require_room(world, sizes, count);
    const std::optional<BodyRoom> room = room_beside_bodies(world);
    std::string reason = stand_in_note(world, sizes);
    if (outlook_of(world.box, sizes).is_worth_trying) {
        RandomPlacement random = place_randomly(world.box, population, exchange, room_at_random(world, room));
        if (random.is_complete)
            return {std::move(random.particles),
                    {text_of(note_of_random(world, sizes, count), ", in ", random.num_rounds,
                             " rounds of proposals")},
                    false,
                    0};
        reason = note_of_end(world, sizes, random.num_placed);
    }
    Placement dense = densely_in(world, room, population, sizes, exchange);
    dense.notes.push_back(std::move(reason));
    return dense;
}

PlacementForecast foreseen_dense(const World& world, const Population& population, const Sizes& sizes,
                                 Exchange& exchange) {
    const std::uint64_t count = population.size();
    require_room(world, sizes, count);
    const double fraction = fraction_for_centres(world, sizes);
    const bool is_sure = world.bodies.empty() && fraction <= (world.box.dimension == 2 ? sure_2d : sure_3d);
    if (is_sure || count > most_tried) return guessed_dense(world, population, sizes, fraction);
    const Placement tried = densely(world, population, sizes, exchange);
    return forecast_of(tried, tried.cpu_seconds);
}

PlacementForecast foreseen_random(const World& world, const Population& population, const Sizes& sizes,
                                  Exchange& exchange) {
    const std::uint64_t count = population.size();
    const bool has_bodies = !world.bodies.empty();
    require_room(world, sizes, count);
    const Outlook outlook = outlook_of(world.box, sizes);
    if (outlook.is_sure && !has_bodies) return guessed_random(world, sizes, count);
    if (has_bodies && count > most_tried) return guessed_beside_bodies(world, population, sizes);
    if (outlook.is_worth_trying) {
        const Placement tried = random_or_dense(world, population, sizes, exchange);
        return forecast_of(tried, random_seconds(world.box, sizes, count) + tried.cpu_seconds);
    }
    PlacementForecast dense = foreseen_dense(world, population, sizes, exchange);
    dense.notes.push_back(stand_in_note(world, sizes));
    return dense;
}

}  // namespace ricochet
