// SPDX-License-Identifier: BSD-3-Clause
#include "placement/start_sizes.hpp"

#include <algorithm>
#include <span>

#include "model/size_distribution.hpp"
#include "parallel/id_blocks.hpp"
#include "placement/lattice.hpp"
#include "ricochet/core/exact_sum.hpp"

namespace ricochet {

namespace {

/// Random sequential placement of equal particles ends near these volume fractions.
constexpr double saturation_3d = 0.38, saturation_2d = 0.55;
double saturation(const Box& box) { return box.dimension == 2 ? saturation_2d : saturation_3d; }
/// Above this part of those fractions random placement takes too long.
constexpr double usable_part = 0.9;
/// Unequal sizes are tried at random up to this part of them. Parallel cubes end at 0.42, squares at 0.56.
constexpr double gaps_part = 1.2;

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
            volume.add(static_cast<double>(species.count) * mean_content(species, dimension));
        begin = end;
    }
}

double excluding_fraction(const Box& box, double free_volume, const Population& population) {
    const std::vector<Species>& all = population.species();
    double largest = 0;
    for (SpeciesIndex own = 0; own < all.size(); ++own) {
        double volume = 0;
        for (SpeciesIndex other = 0; other < all.size(); ++other)
            if (all[own].count > 0 && !population.species_pass(own, other))
                volume += static_cast<double>(all[other].count) * mean_content(all[other], box.dimension);
        largest = std::max(largest, volume / free_volume);
    }
    return largest;
}

LatticeKind close_lattice(const Box& box) {
    return box.dimension == 2 ? LatticeKind::hexagonal : LatticeKind::fcc;
}

/// What else a user may do. Of a lattice beside bodies it is not known here how many sites it has.
std::string other_starts(const Box& box, const Sizes& sizes, std::uint64_t count) {
    if (sizes.has_bodies)
        return "take fewer or smaller particles, a larger box, smaller bodies, or a start from a file";
    const LatticeKind kind = close_lattice(box);
    const double spacing = Lattice::widest(kind, box, sizes.largest, count).nearest_distance();
    const std::string lattice =
        spacing >= 2 * sizes.largest * least_spacing
            ? text_of("a crystal (placement: {method: lattice, type: ", to_string(kind), "}), ")
            : "";
    return text_of("take fewer or smaller particles, a larger box, ", lattice, "or a start from a file");
}

}  // namespace

Sizes global_sizes(const Box& box, double free_volume, const Population& population, Exchange& exchange) {
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
    const double fraction = ExactSum::from_limbs(limbs).value() / free_volume;
    return {global.largest, global.second_largest, global.smallest, fraction,
            population.has_passing() ? excluding_fraction(box, free_volume, population) : fraction};
}

std::string number_of(std::uint64_t count, const Box& box, const Sizes& sizes) {
    return text_of(count, sizes.has_shapes ? " particles" : box.dimension == 2 ? " discs" : " spheres");
}

std::string fraction_text(const Sizes& sizes, const Box& box) {
    return text_of(box.dimension == 2 ? "area" : "volume", " fraction ", sizes.volume_fraction);
}

[[noreturn]] void refuse_density(const Box& box, const Sizes& sizes, std::uint64_t count,
                                 const std::string& reached, const std::string& first) {
    throw InputError(text_of("placement: got ", number_of(count, box, sizes), " at ",
                             fraction_text(sizes, box), ", which cannot be packed: ", reached, "; ", first,
                             other_starts(box, sizes, count)));
}

double usable_fraction(const Box& box) { return usable_part * saturation(box); }

double most_at_random(const Box& box) { return gaps_part * saturation(box); }

double fraction_of_accessible(const Box& box, const Sizes& sizes) {
    double fraction = sizes.excluding_fraction;
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.has_walls(axis)) fraction *= box.size[axis] / (box.size[axis] - 2 * sizes.largest);
    return fraction;
}

double scaled_fraction(const Box& box, const Sizes& sizes, double scale) {
    return sizes.volume_fraction * scale * scale * (box.dimension == 2 ? 1 : scale);
}

Outlook outlook_of(const Box& box, const Sizes& sizes) {
    const double usable = usable_fraction(box);
    // Beyond it, unequal sizes may still succeed: small ones find room between large ones.
    const double most = is_of_one_size(sizes) ? usable : most_at_random(box);
    return {sizes.excluding_fraction <= most, fraction_of_accessible(box, sizes) <= usable};
}

void require_volume(const Box& box, const Sizes& sizes, std::uint64_t count) {
    if (sizes.excluding_fraction > 1)
        throw InputError(text_of("placement: got ", number_of(count, box, sizes), " at ",
                                 fraction_text(sizes, box),
                                 sizes.has_bodies ? ", which is more than bodies leave of the box"
                                                  : ", which is more than the whole box",
                                 ": take fewer or smaller particles, or a larger box"));
}

std::string random_note(const Box& box, const Sizes& sizes, std::uint64_t count) {
    return text_of("placement: ", number_of(count, box, sizes), " at random, ", fraction_text(sizes, box));
}

double random_seconds(const Box& box, const Sizes& sizes, std::uint64_t count) {
    const double part = std::min(sizes.excluding_fraction / saturation(box), 0.97);
    return static_cast<double>(count) * 2.6e-7 / ((1 - part) * (1 - part));
}

}  // namespace ricochet
