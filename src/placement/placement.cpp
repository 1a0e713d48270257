// SPDX-License-Identifier: BSD-3-Clause
#include "placement/placement.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/offenders.hpp"
#include "core/permutation.hpp"
#include "core/text.hpp"
#include "model/box_fit.hpp"
#include "model/particle_memory.hpp"
#include "model/size_distribution.hpp"
#include "parallel/id_blocks.hpp"
#include "placement/dense_placement.hpp"
#include "placement/population.hpp"
#include "placement/random_placement.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/exact_sum.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {

namespace {

/// Random sequential placement of equal particles ends near these volume fractions.
constexpr double saturation_3d = 0.38, saturation_2d = 0.55;
double saturation(const Box& box) { return box.dimension == 2 ? saturation_2d : saturation_3d; }
/// Above this part of those fractions random placement takes too long.
constexpr double usable_part = 0.9;
/// Unequal sizes are tried at random up to this part of them.
constexpr double gaps_part = 1.2;
/// Disordered packings of equal particles end below these fractions.
constexpr double densest_3d = 0.66, densest_2d = 0.88;
/// Up to these fractions of the accessible volume a dense start of any sizes succeeds.
constexpr double sure_3d = 0.6, sure_2d = 0.8;
/// A forecast tries no dense start of more particles.
constexpr std::uint64_t most_tried = 100'000;
/// Those that touch all around meet without end at the first instant.
constexpr double least_spacing = 1 + 1e-6;

/// The sizes in a population, as all ranks know them.
struct Sizes {
    double largest = 0;
    double second_largest = 0;  ///< may equal the largest
    double smallest = 0;
    double volume_fraction = 0;
    /// The largest part of the box that particles take from those of one species. It is the volume fraction, unless
    /// species pass through each other.
    double excluding_fraction = 0;
};

struct LocalSizes {
    double largest = 0, second_largest = 0, smallest = 0;
};

LocalSizes combined(LocalSizes a, double radius) {
    if (radius > a.largest)
        a.second_largest = std::exchange(a.largest, radius);
    else
        a.second_largest = std::max(a.second_largest, radius);
    a.smallest = a.smallest == 0 ? radius : std::min(a.smallest, radius);
    return a;
}

/// Adds the particles [first, last) of a population. Only those with distributed radii are visited one by
/// one.
void add_sizes(const Population& population, int dimension, ParticleId first, ParticleId last,
               LocalSizes& sizes, ExactSum& volume) {
    ParticleId begin = 0;
    for (const Species& species : population.species()) {
        const ParticleId end = begin + species.count;
        const ParticleId own = std::max(begin, first), own_end = std::min(end, last);
        const bool is_one_size = !species.radius_distribution.has_value();
        for (ParticleId id = own; id < own_end && !is_one_size; ++id) {
            sizes = combined(sizes, population.radius(id));
            volume.add(content(population.radius(id), dimension));
        }
        for (ParticleId id = own; id < std::min(own_end, own + 2) && is_one_size; ++id)
            sizes = combined(sizes, species.radius);
        if (is_one_size && begin >= first && begin < last)
            volume.add(static_cast<double>(species.count) * content(species.radius, dimension));
        begin = end;
    }
}

double excluding_fraction(const Box& box, const Population& population) {
    const std::vector<Species>& all = population.species();
    double largest = 0;
    for (SpeciesIndex own = 0; own < all.size(); ++own) {
        double volume = 0;
        for (SpeciesIndex other = 0; other < all.size(); ++other)
            if (all[own].count > 0 && !population.species_pass(own, other))
                volume += static_cast<double>(all[other].count) * mean_content(all[other], box.dimension);
        largest = std::max(largest, volume / box.volume());
    }
    return largest;
}

/// Collective.
Sizes global_sizes(const Box& box, const Population& population, Exchange& exchange) {
    const IdBlocks blocks(population.size(), exchange.size());
    LocalSizes local;
    ExactSum volume;
    for_each_part(blocks, exchange, [&](ParticleId first, ParticleId last) {
        add_sizes(population, box.dimension, first, last, local, volume);
    });
    LocalSizes global;
    for (const Bytes& message : exchange.all_gather(std::as_bytes(std::span(&local, 1)))) {
        std::vector<LocalSizes> records;
        read_records(std::span<const std::byte>(message), records);
        for (const double radius : {records[0].largest, records[0].second_largest, records[0].smallest})
            if (radius > 0) global = combined(global, radius);
    }
    ExactSum::Limbs limbs = volume.limbs();
    exchange.sum(limbs);
    const double fraction = ExactSum::from_limbs(limbs).value() / box.volume();
    return {global.largest, global.second_largest, global.smallest, fraction,
            population.has_passing() ? excluding_fraction(box, population) : fraction};
}

std::uint64_t shuffle_key(std::uint64_t seed) { return random_words({seed, Stream::permutation, 0}, 0)[0]; }

/// Places this rank's block of ids on the sites of a lattice. Collective; without messages, unless the start
/// is ended.
Particles on_lattice(const Lattice& lattice, const Population& population, Exchange& exchange) {
    const IdBlocks blocks(population.size(), exchange.size());
    const KeyedPermutation site_of(lattice.num_sites(), shuffle_key(population.seed()));
    Particles result;
    reserve_with_spare(result, static_cast<std::size_t>(blocks.count(exchange.rank())));
    for_each_id(blocks, exchange, [&](ParticleId id) {
        population.append(id, population.radius(id), lattice.site(site_of(id)), result);
    });
    return result;
}

/// The largest count for which the lattice keeps centres a largest diameter apart.
std::uint64_t largest_fitting_count(LatticeKind type, const Box& box, const Sizes& sizes,
                                    std::uint64_t too_many) {
    std::uint64_t fits = 0;
    while (too_many - fits > 1) {
        const std::uint64_t middle = fits + (too_many - fits) / 2;
        const Lattice lattice = Lattice::widest(type, box, sizes.largest, middle);
        (lattice.nearest_distance() >= 2 * sizes.largest * least_spacing ? fits : too_many) = middle;
    }
    return fits;
}

std::string number_of(std::uint64_t count, const Box& box) {
    return text_of(count, box.dimension == 2 ? " discs" : " spheres");
}

std::string fraction_text(const Sizes& sizes, const Box& box) {
    return text_of(box.dimension == 2 ? "area" : "volume", " fraction ", sizes.volume_fraction);
}

void check_dimension(LatticeKind kind, const Box& box) {
    if (dimension_of(kind) == box.dimension) return;
    throw InputError(text_of("placement.type: got ", to_string(kind), ", a lattice in ", dimension_of(kind),
                             " dimensions, expected ",
                             box.dimension == 2 ? "square or hexagonal" : "sc or fcc", " in this box"));
}

struct NotedLattice {
    Lattice lattice;
    std::string note;
};

NotedLattice lattice_or_refused(LatticeKind kind, const Box& box, std::uint64_t count, const Sizes& sizes) {
    const Lattice lattice = Lattice::widest(kind, box, sizes.largest, count);
    const double spacing = lattice.nearest_distance(), diameter = 2 * sizes.largest;
    if (spacing < diameter * least_spacing)
        throw InputError(text_of("placement.type: got the lattice ", to_string(kind), " of ",
                                 number_of(count, box), " with a spacing of ", spacing,
                                 " in this box, expected more than ", diameter,
                                 ", the largest diameter (those that touch all around cannot move); at most ",
                                 largest_fitting_count(kind, box, sizes, count), " fit on it"));
    return {lattice, text_of("placement: ", number_of(count, box), " on the ", lattice.num_sites(),
                             " sites of the lattice ", to_string(kind), ", spacing ", spacing)};
}

LatticeKind close_lattice(const Box& box) {
    return box.dimension == 2 ? LatticeKind::hexagonal : LatticeKind::fcc;
}

/// What else a user may do.
std::string other_starts(const Box& box, const Sizes& sizes, std::uint64_t count) {
    const LatticeKind kind = close_lattice(box);
    const double spacing = Lattice::widest(kind, box, sizes.largest, count).nearest_distance();
    const std::string lattice =
        spacing >= 2 * sizes.largest * least_spacing
            ? text_of("a crystal (placement: {method: lattice, type: ", to_string(kind), "}), ")
            : "";
    return text_of("take fewer or smaller particles, a larger box, ", lattice, "or a start from a file");
}

[[noreturn]] void refuse_density(const Box& box, const Sizes& sizes, std::uint64_t count,
                                 const std::string& reached) {
    throw InputError(text_of("placement: got ", number_of(count, box), " at ", fraction_text(sizes, box),
                             ", which cannot be packed: ", reached, "; ", other_starts(box, sizes, count)));
}

double usable_fraction(const Box& box) { return usable_part * saturation(box); }

bool is_of_one_size(const Sizes& sizes) { return sizes.smallest == sizes.largest; }

/// The volume of the particles over the volume in which centres may lie.
double fraction_of_accessible(const Box& box, const Sizes& sizes) {
    double fraction = sizes.excluding_fraction;
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.has_walls(axis)) fraction *= box.size[axis] / (box.size[axis] - 2 * sizes.largest);
    return fraction;
}

/// What the sizes alone say about a random start.
struct Outlook {
    bool is_worth_trying = false;  ///< at random
    bool is_sure = false;          ///< that trying succeeds
};

/// Throws InputError where any placement is useless.
void require_room(const Box& box, const Sizes& sizes, std::uint64_t count) {
    if (sizes.excluding_fraction > 1)
        throw InputError(text_of("placement: got ", number_of(count, box), " at ", fraction_text(sizes, box),
                                 ", which is more than the whole box: take fewer or smaller particles, or a "
                                 "larger box"));
    const double most = box.dimension == 2 ? densest_2d : densest_3d;
    if (is_of_one_size(sizes) && sizes.excluding_fraction > most)
        refuse_density(box, sizes, count, text_of("disordered ones of one size end below ", most));
}

Outlook outlook_of(const Box& box, const Sizes& sizes) {
    const double usable = usable_fraction(box);
    // Beyond it, unequal sizes may still succeed: small ones find room between large ones.
    const double most = is_of_one_size(sizes) ? usable : gaps_part * saturation(box);
    return {sizes.excluding_fraction <= most, fraction_of_accessible(box, sizes) <= usable};
}

std::string random_note(const Box& box, const Sizes& sizes, std::uint64_t count) {
    return text_of("placement: ", number_of(count, box), " at random, ", fraction_text(sizes, box));
}

std::string dense_note(const Box& box, const Sizes& sizes, std::uint64_t count) {
    return text_of("placement: ", number_of(count, box), " by the repulsion of soft ",
                   box.dimension == 2 ? "discs" : "spheres", ", ", fraction_text(sizes, box));
}

std::string stand_in_note(const Box& box, const Sizes& sizes) {
    return text_of("placement: ", fraction_text(sizes, box), " is more than random placement reaches (about ",
                   usable_fraction(box), "), so the start is a dense one");
}

/// The fraction of the same spheres, shrunk until none overlap.
double reached_fraction(const Box& box, const Sizes& sizes, double overlap) {
    const double shrunk = 1 - overlap;
    return sizes.volume_fraction * shrunk * shrunk * (box.dimension == 2 ? 1 : shrunk);
}

Placement densely(const Box& box, const Population& population, const Sizes& sizes, Exchange& exchange) {
    const std::uint64_t count = population.size();
    require_room(box, sizes, count);
    DensePlacement dense = place_densely(box, population, exchange);
    if (!dense.is_complete)
        refuse_density(box, sizes, count,
                       text_of("the repulsion of soft spheres left overlaps of ", 100 * dense.largest_overlap,
                               " % of a diameter after ", dense.num_steps, " steps, so it reached ",
                               reached_fraction(box, sizes, dense.largest_overlap)));
    // Equilibration lets all bounce, so that overlaps of those that pass would be wrong in it.
    return {std::move(dense.particles),
            {text_of(dense_note(box, sizes, count), ", in ", dense.num_steps, " steps")},
            !population.has_passing(),
            0};
}

Placement random_or_dense(const Box& box, const Population& population, const Sizes& sizes,
                          Exchange& exchange) {
    const std::uint64_t count = population.size();
    require_room(box, sizes, count);
    RandomPlacement random;
    if (outlook_of(box, sizes).is_worth_trying) random = place_randomly(box, population, exchange);
    if (random.is_complete)
        return {std::move(random.particles),
                {text_of(random_note(box, sizes, count), ", in ", random.num_rounds, " rounds of proposals")},
                false,
                0};
    random = {};
    Placement dense = densely(box, population, sizes, exchange);
    dense.notes.push_back(stand_in_note(box, sizes));
    return dense;
}

/// About, of the processor this was measured on (note 62 of tests/bench/notes.md).
double dense_seconds(const Box& box, const Sizes& sizes, std::uint64_t count) {
    const double densest = box.dimension == 2 ? 0.843 : 0.647;
    const double gap = std::max(densest - sizes.excluding_fraction, 0.004);
    return static_cast<double>(count) * 1.5e-7 * (100 + 0.25 / (gap * gap));
}

double random_seconds(const Box& box, const Sizes& sizes, std::uint64_t count) {
    const double part = std::min(sizes.excluding_fraction / saturation(box), 0.97);
    return static_cast<double>(count) * 3e-7 / ((1 - part) * (1 - part));
}

PlacementForecast forecast_of(const Placement& placement, double cpu_seconds) {
    return {placement.notes, placement.needs_equilibration, placement.num_sites, cpu_seconds};
}

PlacementForecast foreseen_dense(const Box& box, const Population& population, const Sizes& sizes,
                                 Exchange& exchange) {
    const std::uint64_t count = population.size();
    require_room(box, sizes, count);
    const double seconds = dense_seconds(box, sizes, count);
    const bool is_sure = fraction_of_accessible(box, sizes) <= (box.dimension == 2 ? sure_2d : sure_3d);
    if (!is_sure && count <= most_tried)
        return forecast_of(densely(box, population, sizes, exchange), seconds);
    return {{dense_note(box, sizes, count)}, !population.has_passing(), 0, seconds};
}

PlacementForecast foreseen_random(const Box& box, const Population& population, const Sizes& sizes,
                                  Exchange& exchange) {
    const std::uint64_t count = population.size();
    require_room(box, sizes, count);
    const Outlook outlook = outlook_of(box, sizes);
    const double seconds = random_seconds(box, sizes, count);
    if (outlook.is_sure) return {{random_note(box, sizes, count)}, false, 0, seconds};
    if (outlook.is_worth_trying) {
        const Placement tried = random_or_dense(box, population, sizes, exchange);
        return forecast_of(tried, tried.needs_equilibration ? dense_seconds(box, sizes, count) : seconds);
    }
    PlacementForecast dense = foreseen_dense(box, population, sizes, exchange);
    dense.notes.push_back(stand_in_note(box, sizes));
    return dense;
}

/// Calls use(population, sizes on all ranks) if the sizes fit into the box.
template <class Use>
auto with_sizes(const World& world, Exchange& exchange, const std::vector<bool>& passing, Use&& use) {
    const Population population(world.species, world.seed, passing);
    if (population.size() == 0) return decltype(use(population, Sizes{})){};
    const Sizes sizes = global_sizes(world.box, population, exchange);
    const auto problems = size_problems(world.box, sizes.largest, sizes.second_largest);
    if (!problems.empty()) throw InputError(joined_lines(problems));
    return use(population, sizes);
}

}  // namespace

Placement place_at_random(const World& world, Exchange& exchange, const std::vector<bool>& passing) {
    return with_sizes(world, exchange, passing, [&](const Population& population, const Sizes& sizes) {
        return random_or_dense(world.box, population, sizes, exchange);
    });
}

Placement place_densely(const World& world, Exchange& exchange, const std::vector<bool>& passing) {
    return with_sizes(world, exchange, passing, [&](const Population& population, const Sizes& sizes) {
        return densely(world.box, population, sizes, exchange);
    });
}

Placement place_on_lattice(LatticeKind kind, const World& world, Exchange& exchange) {
    check_dimension(kind, world.box);
    return with_sizes(world, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        const auto [lattice, note] = lattice_or_refused(kind, world.box, population.size(), sizes);
        return Placement{on_lattice(lattice, population, exchange), {note}, false, lattice.num_sites()};
    });
}

PlacementForecast foresee_random_placement(const World& world, Exchange& exchange,
                                           const std::vector<bool>& passing) {
    return with_sizes(world, exchange, passing, [&](const Population& population, const Sizes& sizes) {
        return foreseen_random(world.box, population, sizes, exchange);
    });
}

PlacementForecast foresee_dense_placement(const World& world, Exchange& exchange,
                                          const std::vector<bool>& passing) {
    return with_sizes(world, exchange, passing, [&](const Population& population, const Sizes& sizes) {
        return foreseen_dense(world.box, population, sizes, exchange);
    });
}

PlacementForecast foresee_lattice_placement(LatticeKind kind, const World& world, Exchange& exchange) {
    check_dimension(kind, world.box);
    return with_sizes(world, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        const auto [lattice, note] = lattice_or_refused(kind, world.box, population.size(), sizes);
        return PlacementForecast{{note}, false, lattice.num_sites(), 0};
    });
}

}  // namespace ricochet
