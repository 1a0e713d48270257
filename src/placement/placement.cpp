// SPDX-License-Identifier: BSD-3-Clause
#include "placement/placement.hpp"

#include <algorithm>
#include <utility>

#include "core/permutation.hpp"
#include "core/text.hpp"
#include "model/particle_memory.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "parallel/id_blocks.hpp"
#include "placement/disordered_starts.hpp"
#include "placement/lattice_room.hpp"
#include "placement/population.hpp"
#include "placement/shaped_starts.hpp"
#include "placement/start_sizes.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {

namespace {

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

// --- beside bodies -------------------------------------------------------------------------------------------

/// The sites of a lattice that keep off bodies.
struct FreeSites {
    std::vector<std::uint64_t> own;  ///< of this rank's block of sites, ascending
    std::uint64_t num_before = 0;    ///< in the blocks of lower ranks
    std::uint64_t num_all = 0;
};

/// Collective.
template <class KeepsOff>
FreeSites free_sites(const Lattice& lattice, const KeepsOff& keeps_off, Exchange& exchange) {
    FreeSites sites;
    for_each_id(IdBlocks(lattice.num_sites(), exchange.size()), exchange, [&](std::uint64_t site) {
        if (keeps_off(lattice.site(site))) sites.own.push_back(site);
    });
    std::vector<std::int64_t> counts(static_cast<std::size_t>(exchange.size()));
    const auto rank = static_cast<std::size_t>(exchange.rank());
    counts[rank] = static_cast<std::int64_t>(sites.own.size());
    exchange.sum(counts);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (k < rank) sites.num_before += static_cast<std::uint64_t>(counts[k]);
        sites.num_all += static_cast<std::uint64_t>(counts[k]);
    }
    return sites;
}

/// A keyed shuffle of the free sites gives each an id; those from the end of the population on stay empty.
Particles on_free_sites(const Lattice& lattice, const FreeSites& sites, const Population& population) {
    const KeyedPermutation id_of(sites.num_all, shuffle_key(population.seed()));
    std::vector<std::pair<ParticleId, std::uint64_t>> placed;
    for (std::size_t k = 0; k < sites.own.size(); ++k) {
        const ParticleId id = id_of(sites.num_before + k);
        if (id < population.size()) placed.emplace_back(id, sites.own[k]);
    }
    std::sort(placed.begin(), placed.end());
    Particles result;
    reserve_with_spare(result, placed.size());
    for (const auto& [id, site] : placed)
        population.append(id, population.radius(id), lattice.site(site), result);
    return result;
}

struct LatticeBesideBodies {
    Lattice lattice;
    FreeSites sites;
    std::string note;
};

/// Lattices for the particles of a world, and whether they have room on them.
class LatticesOf {
  public:
    LatticesOf(const World& world, const Sizes& sizes)
        : has_shapes_(has_shapes(world)), box_(world.box), sizes_(sizes), bodies_(world), room_(world) {}

    std::pair<Lattice, bool> widest(LatticeKind kind, std::uint64_t count) const {
        if (has_shapes_) return room_.widest(kind, count);
        const Lattice lattice = Lattice::widest(kind, box_, sizes_.largest, count);
        return {lattice, lattice.nearest_distance() >= 2 * sizes_.largest * least_spacing};
    }
    bool keeps_off(Vec3 site) const {
        return has_shapes_ ? room_.keeps_off(site) : bodies_.keeps_off(site, sizes_.largest);
    }
    std::string number_of(std::uint64_t count) const { return ricochet::number_of(count, box_, sizes_); }
    /// What is expected of a lattice.
    std::string requirement() const {
        return has_shapes_ ? "on which some overlap, expected fewer or smaller ones, or a start from a file"
                           : text_of("expected more than ", 2 * sizes_.largest,
                                     ", the largest diameter; take fewer or smaller particles, or a start "
                                     "from a file");
    }

  private:
    bool has_shapes_;
    Box box_;
    Sizes sizes_;
    BodyRoom bodies_;
    RoomOnLattice room_;
};

/// The widest lattices are tried that have ever more sites, until as many keep off bodies as there are particles.
/// Collective.
LatticeBesideBodies lattice_beside_bodies(LatticeKind kind, const World& world, std::uint64_t count,
                                          const Sizes& sizes, Exchange& exchange) {
    constexpr double least_increase = 1.02;
    const LatticesOf lattices(world, sizes);
    for (std::uint64_t num_wanted = count;;) {
        const auto [lattice, has_room] = lattices.widest(kind, num_wanted);
        const double spacing = lattice.nearest_distance();
        if (!has_room)
            throw InputError(text_of("placement.type: got the lattice ", to_string(kind), " for ",
                                     lattices.number_of(count), " beside bodies, which needs a spacing of ",
                                     spacing, " or less in this box, ", lattices.requirement()));
        FreeSites sites_off = free_sites(
            lattice, [&](Vec3 site) { return lattices.keeps_off(site); }, exchange);
        const std::uint64_t num_sites = lattice.num_sites(), num_free = sites_off.num_all;
        if (num_free >= count)
            return {lattice, std::move(sites_off),
                    text_of("placement: ", lattices.number_of(count), " on ", num_free, " of the ", num_sites,
                            " sites of the lattice ", to_string(kind), ", spacing ", spacing,
                            "; bodies are in the way of ", num_sites - num_free)};
        const double increase =
            static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(num_free, 1));
        num_wanted = 1 + static_cast<std::uint64_t>(static_cast<double>(num_sites) *
                                                    std::clamp(increase, least_increase, 2.0));
    }
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

void check_dimension(LatticeKind kind, const Box& box) {
    if (dimension_of(kind) == box.dimension) return;
    throw InputError(text_of("placement.type: got ", to_string(kind), ", a lattice in ", dimension_of(kind),
                             " dimensions, expected ",
                             box.dimension == 2 ? "square or hexagonal" : "sc or fcc", " in this box"));
}

NotedLattice lattice_or_refused(LatticeKind kind, const Box& box, std::uint64_t count, const Sizes& sizes) {
    const Lattice lattice = Lattice::widest(kind, box, sizes.largest, count);
    const double spacing = lattice.nearest_distance(), diameter = 2 * sizes.largest;
    if (spacing < diameter * least_spacing)
        throw InputError(text_of("placement.type: got the lattice ", to_string(kind), " of ",
                                 number_of(count, box, sizes), " with a spacing of ", spacing,
                                 " in this box, expected more than ", diameter,
                                 ", the largest diameter (those that touch all around cannot move); at most ",
                                 largest_fitting_count(kind, box, sizes, count), " fit on it"));
    return {lattice, text_of("placement: ", number_of(count, box, sizes), " on the ", lattice.num_sites(),
                             " sites of the lattice ", to_string(kind), ", spacing ", spacing)};
}

NotedLattice noted_lattice(LatticeKind kind, const World& world, std::uint64_t count, const Sizes& sizes) {
    if (has_shapes(world)) return lattice_of_shapes(kind, world, count, sizes);
    return lattice_or_refused(kind, world.box, count, sizes);
}

}  // namespace

Placement place_at_random(const World& world, Exchange& exchange, const std::vector<bool>& passing) {
    return with_sizes(world, exchange, passing, [&](const Population& population, const Sizes& sizes) {
        if (has_shapes(world)) return shapes_at_random(world, population, sizes, exchange);
        return random_or_dense(world, population, sizes, exchange);
    });
}

Placement place_densely(const World& world, Exchange& exchange, const std::vector<bool>& passing) {
    return with_sizes(world, exchange, passing, [&](const Population& population, const Sizes& sizes) {
        if (has_shapes(world)) return shapes_densely(world, population, sizes, exchange);
        return densely(world, population, sizes, exchange);
    });
}

Placement place_on_lattice(LatticeKind kind, const World& world, Exchange& exchange) {
    check_dimension(kind, world.box);
    return with_sizes(world, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        if (!world.bodies.empty()) {
            const auto [lattice, sites, note] =
                lattice_beside_bodies(kind, world, population.size(), sizes, exchange);
            return Placement{on_free_sites(lattice, sites, population), {note}, false, sites.num_all};
        }
        const auto [lattice, note] = noted_lattice(kind, world, population.size(), sizes);
        return Placement{on_lattice(lattice, population, exchange), {note}, false, lattice.num_sites()};
    });
}

PlacementForecast foresee_random_placement(const World& world, Exchange& exchange,
                                           const std::vector<bool>& passing) {
    return with_sizes(world, exchange, passing, [&](const Population& population, const Sizes& sizes) {
        if (has_shapes(world)) return foreseen_shapes_at_random(world, population, sizes, exchange);
        return foreseen_random(world, population, sizes, exchange);
    });
}

PlacementForecast foresee_dense_placement(const World& world, Exchange& exchange,
                                          const std::vector<bool>& passing) {
    return with_sizes(world, exchange, passing, [&](const Population& population, const Sizes& sizes) {
        if (has_shapes(world)) return foreseen_shapes_densely(world, population, sizes, exchange);
        return foreseen_dense(world, population, sizes, exchange);
    });
}

PlacementForecast foresee_lattice_placement(LatticeKind kind, const World& world, Exchange& exchange) {
    check_dimension(kind, world.box);
    return with_sizes(world, exchange, {}, [&](const Population& population, const Sizes& sizes) {
        if (!world.bodies.empty()) {
            const auto [lattice, sites, note] =
                lattice_beside_bodies(kind, world, population.size(), sizes, exchange);
            return PlacementForecast{{note}, false, sites.num_all, 0};
        }
        const auto [lattice, note] = noted_lattice(kind, world, population.size(), sizes);
        return PlacementForecast{{note}, false, lattice.num_sites(), 0};
    });
}

}  // namespace ricochet
