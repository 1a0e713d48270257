// SPDX-License-Identifier: BSD-3-Clause
#include "run/grown_start.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/math.hpp"
#include "core/readable.hpp"
#include "core/text.hpp"
#include "model/box_fit.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "placement/population.hpp"
#include "placement/random_placement.hpp"
#include "placement/start_sizes.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"
#include "run/growth.hpp"
#include "run/growth_cost.hpp"
#include "run/pressure_goal.hpp"

namespace ricochet {

namespace {

std::string growth_note(const Box& box, const Sizes& sizes, std::uint64_t count,
                        const GrowthOptions& options) {
    return text_of("placement: ", number_of(count, box), " grown from ",
                   box.dimension == 2 ? "area" : "volume", " fraction ", options.from, " to ",
                   sizes.volume_fraction, " at rate ", options.rate);
}

bool needs_growth(const Sizes& sizes, const GrowthOptions& options) {
    return sizes.volume_fraction > options.from;
}

std::string no_growth_note(const Box& box, const Sizes& sizes, std::uint64_t count,
                           const GrowthOptions& options) {
    return text_of(random_note(box, sizes, count), ", which is not above placement.from (", options.from,
                   "), so none grow");
}

/// The radii at which the particles fill the fraction where growth begins, over those of the population.
double first_scale(const Box& box, const Sizes& sizes, double from) {
    return edge_of(box.dimension, from / sizes.volume_fraction);
}

[[noreturn]] void refuse_from(double from) {
    throw InputError(text_of("placement.from: got ", from,
                             ", expected less: random placement does not reach this fraction in this box"));
}

/// How dense the particles are at a fraction, in the room that walls leave to centres.
double density_at(const Box& box, const Sizes& sizes, double fraction) {
    Sizes smaller = sizes;
    smaller.largest *= first_scale(box, sizes, fraction);
    smaller.excluding_fraction = fraction;
    return fraction_of_accessible(box, smaller);
}

/// Between walls random placement may not reach the fraction at which growth is to begin. Then it begins lower.
GrowthOptions reachable(const Box& box, const Sizes& sizes, GrowthOptions options) {
    RICOCHET_CHECK(options.rate > 0 && options.from > 0);
    if (options.from > usable_fraction(box)) refuse_from(options.from);
    constexpr double step = 1.0 / 128;
    const double wanted = options.from;
    for (double part = 1; density_at(box, sizes, options.from) > usable_fraction(box); part -= step)
        options.from = part * wanted;
    return options;
}

Placement by_growth(const Box& box, const Population& population, const Sizes& sizes,
                    const GrowthOptions& wanted, Exchange& exchange) {
    const std::uint64_t count = population.size();
    const GrowthOptions options = reachable(box, sizes, wanted);
    if (!needs_growth(sizes, options)) {
        RandomPlacement random = place_randomly(box, population, exchange);
        if (!random.is_complete) refuse_from(options.from);
        return {std::move(random.particles), {no_growth_note(box, sizes, count, options)}, false, 0};
    }
    require_volume(box, sizes, count);
    const GrowthSchedule schedule{options.rate, first_scale(box, sizes, options.from), sizes.largest};
    GrownPlacement grown = place_by_growth(box, population, schedule, exchange);
    if (grown.scale == 0) refuse_from(options.from);
    if (!grown.is_complete)
        refuse_density(
            box, sizes, count,
            text_of("growth at rate ", options.rate, " jammed at ", scaled_fraction(box, sizes, grown.scale),
                    " after ", grown.contacts_per_particle, " contacts per particle"),
            "grow more slowly, ");
    return {std::move(grown.particles),
            {text_of(growth_note(box, sizes, count, options), ", in ", grown.num_steps, " steps with ",
                     std::round(grown.contacts_per_particle), " contacts per particle")},
            true,
            0};
}

/// Equal particles that are to grow beyond this part of the fraction at which they jam may jam: it scatters.
constexpr double sure_part = 0.985;

double rounded_to_thousandths(double x) { return std::round(1000 * x) / 1000; }

/// Nothing is said of unequal particles, which jam elsewhere.
std::optional<std::string> note_on_jamming(const Box& box, const Sizes& sizes, double rate) {
    const double jammed = jammed_fraction(box.dimension, rate);
    if (!is_of_one_size(sizes) || sizes.volume_fraction < sure_part * jammed) return std::nullopt;
    return text_of("placement: the growth may jam: at rate ", rate, " equal ",
                   box.dimension == 2 ? "discs" : "spheres", " jam at about ", rounded_to_thousandths(jammed),
                   "; slower growth comes closer to ", slowest_jammed_fraction(box.dimension));
}

PlacementForecast foreseen_growth(const Box& box, const Population& population, const Sizes& sizes,
                                  const GrowthOptions& wanted) {
    const std::uint64_t count = population.size();
    const GrowthOptions options = reachable(box, sizes, wanted);
    if (!needs_growth(sizes, options))
        return {{no_growth_note(box, sizes, count, options)}, false, 0, random_seconds(box, sizes, count)};
    require_volume(box, sizes, count);
    PlacementForecast forecast{{growth_note(box, sizes, count, options)},
                               true,
                               0,
                               cost_of_growth(box, sizes, count, options).cpu_seconds};
    if (auto note = note_on_jamming(box, sizes, options.rate)) forecast.notes.push_back(*std::move(note));
    return forecast;
}

// --- until a pressure ---

/// Radii at most this part of what unique nearest images allow.
constexpr double images_part = 0.9;

/// How far radii may grow: no packing fills the box, and nearest images stay unique throughout a step.
double most_scale(const Box& box, const Sizes& sizes) {
    double most = edge_of(box.dimension, 1 / sizes.volume_fraction);
    for (int axis = 0; axis < box.dimension; ++axis) {
        const double pair = 2 * (sizes.largest + sizes.second_largest), own = 2 * sizes.largest;
        most = std::min(most, images_part * box.size[axis] / (box.is_periodic(axis) ? pair : own));
    }
    return most;
}

/// The edges of a box in which the particles fill this fraction, over those of the world's.
double scale_at(const World& world, double fraction) {
    return edge_of(world.box.dimension, volume_fraction(world) / fraction);
}

World in_scaled_box(const World& world, double scale) {
    World result = world;
    result.box = scaled_box(world.box, scale);
    result.free_volume.reset();
    return result;
}

/// From their places in the box of growth to those in the box that was found.
void move_into(const Box& box, const Box& of_growth, Particles& particles) {
    for (std::size_t k = 0; k < particles.size(); ++k) {
        Vec3& position = particles.motion[k].position;
        for (int axis = 0; axis < box.dimension; ++axis) {
            const double edge = box.size[axis], x = position[axis] * (edge / of_growth.size[axis]);
            const double radius = particles.attributes[k].radius;
            position[axis] = box.has_walls(axis) ? confined(x, radius, edge) : (x < edge ? x : 0);
        }
    }
}

std::string until_note(const Box& box, std::uint64_t count, const GrowthOptions& options) {
    return text_of("placement: ", number_of(count, box), " grown from ",
                   box.dimension == 2 ? "area" : "volume", " fraction ", options.from, " at rate ",
                   options.rate, " until their reduced pressure pV/(NkT) is ", *options.until_pressure);
}

std::string found_note(const Box& box, double fraction, double pressure) {
    return text_of("placement: the pressure is ", pressure, " at ", box.dimension == 2 ? "area" : "volume",
                   " fraction ", fraction, ", in a box of ", edges_text(box));
}

std::string foreseen_note(const Box& box, double fraction, const GrowthCost& cost) {
    return text_of("placement: the box is not known before it is found; this plan is for ", edges_text(box),
                   ", by an estimate of ", box.dimension == 2 ? "area" : "volume", " fraction ",
                   rounded_to_thousandths(fraction), ", and some ", in_words(cost.contacts_per_particle),
                   " contacts per particle in growth");
}

[[noreturn]] void refuse_pressure(const GrowthOptions& options, const std::string& why) {
    throw InputError(text_of("placement.until_pressure: got ", *options.until_pressure, ", ", why));
}

void require_resolved_pressure(const Box& box, const Sizes& sizes, const GrowthOptions& options) {
    const double finest = finest_pressure(box, sizes.smallest);
    if (*options.until_pressure > finest)
        refuse_pressure(options, text_of("expected at most ", finest,
                                         ": beyond, gaps are less than the places of particles tell in a "
                                         "box this many diameters wide"));
}

void require_many(const Box& box, const Sizes& sizes, const GrowthOptions& options) {
    if (!size_problems(box, sizes.largest, sizes.second_largest).empty())
        refuse_pressure(options, text_of("expected more particles: in the box of about ", edges_text(box),
                                         " that these need, nearest images would not be unique"));
}

[[noreturn]] void refuse_unreached(const Box& box, const Sizes& sizes, const GrowthOptions& options,
                                   const GrownPlacement& grown) {
    refuse_pressure(
        options, text_of("which growth has not reached: at ", box.dimension == 2 ? "area" : "volume",
                         " fraction ", scaled_fraction(box, sizes, grown.scale), " the pressure was ",
                         grown.pressure, " after ", std::round(grown.contacts_per_particle),
                         " contacts per particle; take a lower pressure, slower growth or more particles"));
}

/// In the box of growth.
FoundPlacement until_pressure(const Box& box, const Population& population, const Sizes& sizes,
                              const GrowthOptions& wanted, Exchange& exchange) {
    const GrowthOptions options = reachable(box, sizes, wanted);
    require_resolved_pressure(box, sizes, options);
    const GrowthSchedule schedule{options.rate, first_scale(box, sizes, options.from), sizes.largest,
                                  most_scale(box, sizes)};
    GrownPlacement grown =
        place_by_growth_to(*options.until_pressure, box, population, schedule, sizes.smallest, exchange);
    if (grown.scale == 0) refuse_from(options.from);
    if (!grown.is_complete) refuse_unreached(box, sizes, options, grown);
    const Box found = scaled_box(box, 1 / grown.scale);
    FoundPlacement result{{std::move(grown.particles), {}, true}, {found.size, grown.pressure}};
    move_into(found, box, result.placement.particles);
    result.placement.notes = {
        text_of(until_note(box, population.size(), options), ", in ", grown.num_steps, " steps with ",
                std::round(grown.contacts_per_particle), " contacts per particle"),
        found_note(found, scaled_fraction(box, sizes, grown.scale), grown.pressure)};
    return result;
}

/// The fraction is an estimate, and so is all that follows from it.
PlacementForecast foreseen_until_pressure(const World& world, const GrowthOptions& wanted,
                                          Exchange& exchange) {
    const int dimension = world.box.dimension;
    const World wide = in_scaled_box(world, scale_at(world, wanted.from));
    const double fraction = fraction_at_pressure(dimension, wanted.rate, *wanted.until_pressure);
    const Box dense = scaled_box(world.box, scale_at(world, fraction));
    return with_sizes(wide, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        const GrowthOptions options = reachable(wide.box, sizes, wanted);
        require_resolved_pressure(wide.box, sizes, options);
        require_many(dense, sizes, options);
        Sizes at_end = sizes;
        at_end.volume_fraction = at_end.excluding_fraction = fraction;
        const GrowthCost cost = cost_of_growth(dense, at_end, population.size(), options);
        return PlacementForecast{
            {until_note(dense, population.size(), options), foreseen_note(dense, fraction, cost)},
            true,
            0,
            cost.cpu_seconds};
    });
}

}  // namespace

Box scaled_box(const Box& box, double scale) {
    Box result = box;
    result.size = scale * box.size;
    return result;
}

double edge_of(int dimension, double content) {
    return dimension == 2 ? std::sqrt(content) : fixed::cube_root(content);
}

std::string edges_text(const Box& box) {
    const std::string of_area = text_of(box.size.x, " x ", box.size.y);
    return box.dimension == 2 ? of_area : text_of(of_area, " x ", box.size.z);
}

Placement place_by_growth(const World& world, const GrowthOptions& options, Exchange& exchange) {
    return with_sizes(world, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        return by_growth(world.box, population, sizes, options, exchange);
    });
}

FoundPlacement place_until_pressure(const World& world, const GrowthOptions& options, Exchange& exchange) {
    RICOCHET_CHECK(options.until_pressure && *options.until_pressure > 1 && world.bodies.empty());
    const World wide = in_scaled_box(world, scale_at(world, options.from));
    return with_sizes(wide, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        return until_pressure(wide.box, population, sizes, options, exchange);
    });
}

PlacementForecast foresee_growth(const World& world, const GrowthOptions& options, Exchange& exchange) {
    if (options.until_pressure) return foreseen_until_pressure(world, options, exchange);
    return with_sizes(world, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        return foreseen_growth(world.box, population, sizes, options);
    });
}

}  // namespace ricochet
