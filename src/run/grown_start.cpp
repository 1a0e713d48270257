// SPDX-License-Identifier: BSD-3-Clause
#include "run/grown_start.hpp"

#include <algorithm>
#include <cmath>
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

namespace ricochet {

namespace {

/// About, of the processor this was measured on (note 62 of tests/bench/notes.md).
constexpr double seconds_per_contact = 3e-7;

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

/// Throws InputError where random placement does not reach the fraction at which growth begins.
void require_growth(const Box& box, const Sizes& sizes, std::uint64_t count, const GrowthOptions& options) {
    require_volume(box, sizes, count);
    RICOCHET_CHECK(options.rate > 0 && options.from > 0);
    const double scale = first_scale(box, sizes, options.from);
    Sizes at_first = sizes;
    at_first.largest *= scale;
    at_first.excluding_fraction = options.from;
    if (fraction_of_accessible(box, at_first) > usable_fraction(box)) refuse_from(options.from);
}

Placement by_growth(const Box& box, const Population& population, const Sizes& sizes,
                    const GrowthOptions& options, Exchange& exchange) {
    const std::uint64_t count = population.size();
    if (!needs_growth(sizes, options)) {
        RandomPlacement random = place_randomly(box, population, exchange);
        if (!random.is_complete) refuse_from(options.from);
        return {std::move(random.particles), {no_growth_note(box, sizes, count, options)}, false, 0};
    }
    require_growth(box, sizes, count, options);
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

/// Contacts per particle, about. In a fluid of equal particles in equilibrium they are 2/(sqrt(pi) rate) times the
/// integral of (Z - 1)/fraction (Carnahan and Starling; discs: Henderson without his correction).
double contacts_in_growth(const Box& box, const Sizes& sizes, std::uint64_t count,
                          const GrowthOptions& options) {
    constexpr int num_parts = 64;
    const double width = (sizes.volume_fraction - options.from) / num_parts;
    double sum = 0;
    for (int k = 0; k < num_parts; ++k) {
        const double f = std::min(options.from + (k + 0.5) * width, box.dimension == 2 ? 0.83 : 0.63);
        const double room = 1 - f;
        sum += box.dimension == 2 ? (2 - f) / (room * room) : (4 - 2 * f) / (room * room * room);
    }
    const double mean = sizes.volume_fraction * box.volume() / static_cast<double>(count);
    const double ratio = content(sizes.largest, box.dimension) / mean;
    const double size_ratio = box.dimension == 2 ? std::sqrt(ratio) : fixed::cube_root(ratio);
    return size_ratio * sum * width * 2 / (std::sqrt(fixed::pi) * options.rate);
}

PlacementForecast foreseen_growth(const Box& box, const Population& population, const Sizes& sizes,
                                  const GrowthOptions& options) {
    const std::uint64_t count = population.size();
    if (!needs_growth(sizes, options))
        return {{no_growth_note(box, sizes, count, options)}, false, 0, random_seconds(box, sizes, count)};
    require_growth(box, sizes, count, options);
    const double seconds =
        static_cast<double>(count) * seconds_per_contact * contacts_in_growth(box, sizes, count, options);
    return {{growth_note(box, sizes, count, options)}, true, 0, seconds};
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
