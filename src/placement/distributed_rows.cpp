// SPDX-License-Identifier: BSD-3-Clause
#include "placement/distributed_rows.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <tuple>

#include "core/text.hpp"
#include "geometry/overlap_census.hpp"
#include "geometry/path.hpp"
#include "geometry/shape_table.hpp"
#include "model/rounding.hpp"
#include "parallel/collectives.hpp"
#include "parallel/cuts.hpp"
#include "parallel/outbox.hpp"
#include "parallel/slabs.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet::detail {

namespace {

constexpr std::size_t overlap_search_limit = 1000;
/// Rows of one id beyond this number cannot be among the repeats that are named.
constexpr std::uint64_t most_rows_of_id = Offenders::num_named + 1;

struct RowOfId {
    ParticleId id = 0;
    RowPlace place;
};

bool comes_before(const RowOfId& a, const RowOfId& b) {
    return std::tie(a.id, a.place.row) < std::tie(b.id, b.place.row);
}

/// A row, and an earlier one that excludes it.
struct Conflict {
    RowOfId later, earlier;
    double gap = 0;
};

std::string line_of(const RowPlace& place) {
    return place.line == 0 ? text_of("row ", place.row) : text_of("line ", place.line);
}

std::string where(const std::string& file, const RowPlace& place, std::uint32_t column) {
    return place.line == 0 ? text_of(file, ": row ", place.row, ": ")
                           : text_of(file, ":", place.line, ":", column, ": ");
}

/// Brings the first conflicts of all ranks to rank 0, in the order of `is_earlier`. Every rank sends no more
/// than can be named. Collective.
template <class Order>
std::vector<Conflict> first_conflicts(Exchange& exchange, std::vector<Conflict> mine, Order is_earlier) {
    const auto keep_first = [&](std::vector<Conflict>& conflicts) {
        std::sort(conflicts.begin(), conflicts.end(), is_earlier);
        conflicts.resize(std::min<std::size_t>(conflicts.size(), Offenders::num_named));
    };
    keep_first(mine);
    std::vector<Conflict> all = gather_records<Conflict>(exchange, mine);
    keep_first(all);
    return all;
}

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// Sends the first rows of each id of this rank to the rank that collects this id. Returns how many rows it
/// leaves out.
std::uint64_t send_first_rows(const DistributedRows& rows, Outbox<RowOfId>& outbox, int num_ranks) {
    std::vector<RowOfId> mine;
    for (std::size_t k = 0; k < rows.places.size(); ++k)
        mine.push_back({rows.particles.motion[k].id, rows.places[k]});
    std::sort(mine.begin(), mine.end(), comes_before);
    std::uint64_t num_of_id = 0, num_left_out = 0;
    for (std::size_t k = 0; k < mine.size(); ++k) {
        num_of_id = k > 0 && mine[k].id == mine[k - 1].id ? num_of_id + 1 : 1;
        if (num_of_id > most_rows_of_id)
            ++num_left_out;
        else
            outbox.add(static_cast<int>(mixed(mine[k].id) % static_cast<std::uint64_t>(num_ranks)), mine[k]);
    }
    return num_left_out;
}

}  // namespace

Offenders repeated_ids(const DistributedRows& rows, const std::string& file, Exchange& exchange) {
    Outbox<RowOfId> outbox(exchange);
    std::uint64_t num_repeats = send_first_rows(rows, outbox, exchange.size());
    std::vector<RowOfId> gathered = outbox.deliver();
    std::sort(gathered.begin(), gathered.end(), comes_before);
    std::vector<Conflict> conflicts;
    for (std::size_t k = 1; k < gathered.size(); ++k)
        if (gathered[k].id == gathered[k - 1].id) conflicts.push_back({gathered[k], gathered[k - 1]});
    num_repeats = sum_of_ranks(exchange, num_repeats + conflicts.size());

    Offenders offenders;
    const auto by_row = [](const Conflict& a, const Conflict& b) {
        return a.later.place.row < b.later.place.row;
    };
    const std::vector<Conflict> named = first_conflicts(exchange, std::move(conflicts), by_row);
    for (const Conflict& c : named)
        offenders.add([&] {
            return where(file, c.later.place, c.later.place.id_column) +
                   text_of("id: got ", c.later.id, ", the id of ", line_of(c.earlier.place),
                           " too, expected ids to be unique");
        });
    offenders.add_unnamed(num_repeats - named.size());
    return offenders;
}

namespace {

/// A particle whose position is compared with others.
struct Placed {
    Motion motion;
    RowPlace place;
    double radius = 0;
    SpeciesIndex species = 0;
    std::uint32_t is_owned = 0;  ///< 1 on the rank whose slab contains it
};

/// Slabs with about equal numbers of the particles that lie in the box. Collective.
SlabDecomposition equal_slabs(const DistributedRows& rows, const SliceGrid& grid, Exchange& exchange) {
    Particles placed;
    for (std::size_t k = 0; k < rows.places.size(); ++k)
        if (rows.places[k].is_placed) placed.append(rows.particles, k);
    const int num_slabs = static_cast<int>(std::min<std::int64_t>(exchange.size(), grid.num_slices()));
    const CostProfile profile(grid, placed, static_cast<std::int64_t>(placed.size()));
    const Cuts cuts = cuts_of_equal_cost(exchange, profile, grid.num_slices(), num_slabs);
    return {grid, with_thickness(cuts, 1)};
}

/// All particles that can touch one of this rank's slab, in file order. Collective.
std::vector<Placed> particles_near_slab(const DistributedRows& rows, const Box& box,
                                        const SlabDecomposition& slabs, double largest_radius,
                                        Exchange& exchange) {
    const double slack = path_slack(box);
    Outbox<Placed> outbox(exchange);
    for (std::size_t k = 0; k < rows.places.size(); ++k) {
        if (!rows.places[k].is_placed) continue;
        const Attributes attributes = rows.particles.attributes[k];
        Placed placed{rows.particles.motion[k], rows.places[k], attributes.radius, attributes.species, 1};
        const double x = placed.motion.position.x;
        const int owner = slabs.owner(x);
        outbox.add(owner, placed);
        placed.is_owned = 0;
        const double reach = (placed.radius + largest_radius) * slab_reach_up + slack;
        for (const int slab : slabs.neighbours(owner, reach))
            if (slabs.distance(x, slab) <= reach) outbox.add(slab, placed);
    }
    std::vector<Placed> arrived = outbox.deliver();
    std::sort(arrived.begin(), arrived.end(),
              [](const Placed& a, const Placed& b) { return a.place.row < b.place.row; });
    return arrived;
}

/// The particles as the census takes them.
Particles spheres_of(const std::vector<Placed>& near) {
    Particles particles;
    for (const Placed& placed : near) {
        Attributes attributes;
        attributes.radius = placed.radius;
        particles.push_back(placed.motion, attributes, {});
    }
    return particles;
}

/// The gap between two particles, `of_spheres` that between the spheres around them.
double true_gap(const Placed& a, const Placed& b, double of_spheres, const Box& box,
                const ShapeTable& shapes) {
    if (!shapes.has_shapes() || !shapes.has_shape(a.species, b.species)) return of_spheres;
    const Vec3 r = minimum_image(b.motion.position - a.motion.position, ImageLengths(box));
    return shapes.gap(r, sized(a.species, a.radius), sized(b.species, b.radius)).distance;
}

/// Finds the conflicts that belong to this rank, and counts the overlaps that are none.
std::vector<Conflict> conflicts_of(const std::vector<Placed>& near, const StartRules& rules,
                                   const OverlapLimits& limits, Overlaps& result) {
    const ShapeTable shapes(rules.world);
    const auto gap_of = [&](std::size_t a, std::size_t b, double of_spheres) {
        return true_gap(near[a], near[b], of_spheres, rules.world.box, shapes);
    };
    const auto is_conflict = [&](std::size_t a, std::size_t b, double of_spheres) {
        const double gap = gap_of(a, b, of_spheres);
        if (gap >= -limits.tolerance * (near[a].radius + near[b].radius)) return false;
        const std::uint64_t is_mine = near[std::min(a, b)].is_owned;
        if (rules.may_overlap(near[a].species, near[b].species)) {
            result.num_allowed += is_mine;
            return false;
        }
        if (-gap > rounding_of_gap(limits.resolution, near[a].radius + near[b].radius)) return true;
        result.num_touching += is_mine;
        return false;
    };
    const std::vector<OverlappingPair> found =
        find_overlaps(rules.world.box, spheres_of(near), limits.tolerance, overlap_search_limit, is_conflict);
    result.is_complete = found.size() < overlap_search_limit;
    std::vector<Conflict> conflicts;
    for (const OverlappingPair& o : found)
        if (near[o.first].is_owned != 0)
            conflicts.push_back({{near[o.second].motion.id, near[o.second].place},
                                 {near[o.first].motion.id, near[o.first].place},
                                 gap_of(o.first, o.second, o.gap)});
    return conflicts;
}

}  // namespace

Overlaps overlapping_rows(const DistributedRows& rows, const StartRules& rules, const OverlapLimits& limits,
                          const std::string& file, Exchange& exchange) {
    RICOCHET_CHECK_EQ(rows.places.size(), rows.particles.size());
    const SlabDecomposition slabs =
        equal_slabs(rows, SliceGrid(rules.world.box, limits.largest_radius), exchange);
    Overlaps overlaps;
    std::vector<Conflict> conflicts =
        conflicts_of(particles_near_slab(rows, rules.world.box, slabs, limits.largest_radius, exchange),
                     rules, limits, overlaps);
    const std::uint64_t num_overlaps = sum_of_ranks(exchange, conflicts.size());
    const bool was_cut_off = exchange.bit_or(overlaps.is_complete ? 0 : 1) != 0;
    overlaps.is_complete = !was_cut_off && num_overlaps < overlap_search_limit;
    overlaps.num_allowed = sum_of_ranks(exchange, overlaps.num_allowed);
    overlaps.num_touching = sum_of_ranks(exchange, overlaps.num_touching);
    const auto by_rows = [](const Conflict& a, const Conflict& b) {
        return std::tie(a.earlier.place.row, a.later.place.row) <
               std::tie(b.earlier.place.row, b.later.place.row);
    };
    const std::vector<Conflict> named = first_conflicts(exchange, std::move(conflicts), by_rows);
    for (const Conflict& c : named)
        overlaps.offenders.add([&] {
            return where(file, c.later.place, c.later.place.x_column) +
                   text_of("particle ", c.later.id, " overlaps particle ", c.earlier.id, " of ",
                           line_of(c.earlier.place), ": got a gap of ", c.gap, ", expected no less than 0",
                           -c.gap <= 2 * limits.resolution ? "; write positions with more digits" : "");
        });
    overlaps.offenders.add_unnamed(std::min<std::uint64_t>(num_overlaps, overlap_search_limit) -
                                   named.size());
    return overlaps;
}

}  // namespace ricochet::detail
