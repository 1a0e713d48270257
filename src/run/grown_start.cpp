// SPDX-License-Identifier: BSD-3-Clause
#include "run/grown_start.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/math.hpp"
#include "core/text.hpp"
#include "model/size_distribution.hpp"
#include "placement/population.hpp"
#include "placement/random_placement.hpp"
#include "placement/start_sizes.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"
#include "run/growth.hpp"
#include "run/growth_cost.hpp"

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
    const double part = from / sizes.volume_fraction;
    return box.dimension == 2 ? std::sqrt(part) : fixed::cube_root(part);
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
    GrownPlacement grown = place_by_growth(
        box, population, {options.rate, first_scale(box, sizes, options.from), sizes.largest}, exchange);
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

}  // namespace

Placement place_by_growth(const World& world, const GrowthOptions& options, Exchange& exchange) {
    return with_sizes(world, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        return by_growth(world.box, population, sizes, options, exchange);
    });
}

PlacementForecast foresee_growth(const World& world, const GrowthOptions& options, Exchange& exchange) {
    return with_sizes(world, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        return foreseen_growth(world.box, population, sizes, options);
    });
}

}  // namespace ricochet
