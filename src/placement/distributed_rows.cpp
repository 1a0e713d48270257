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

/// Files are mostly in order.
template <class Record, class Order>
void sort_unless_sorted(std::vector<Record>& records, Order comes_before) {
    if (!std::is_sorted(records.begin(), records.end(), comes_before))
        std::sort(records.begin(), records.end(), comes_before);
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
    reserve_in_large_pages(mine, rows.places.size());
    for (std::size_t k = 0; k < rows.places.size(); ++k)
        mine.push_back({rows.particles.motion[k].id, rows.places[k]});
    sort_unless_sorted(mine, comes_before);
    outbox.reserve_own(num_ranks == 1 ? mine.size() : 0);
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
    sort_unless_sorted(gathered, comes_before);
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
    Sphere sphere;
    std::uint64_t row = 0, line = 0;
    SpeciesIndex species = 0;
    std::uint32_t x_column = 0;

    RowOfId row_of_id() const {
        return {sphere.id, {.row = row, .line = line, .x_column = x_column, .is_placed = 1}};
    }
};

Placed placed_row(const DistributedRows& rows, std::size_t k) {
    const RowPlace& place = rows.places[k];
    const Attributes& attributes = rows.particles.attributes[k];
    const Motion& motion = rows.particles.motion[k];
    return {{motion.position, attributes.radius, motion.id},
            place.row,
            place.line,
            attributes.species,
            place.x_column};
}

/// Those that can touch one of this rank's slab, in file order. Rows that this rank has already are not copied.
class NearSlab {
  public:
    NearSlab(const DistributedRows& rows, std::vector<std::uint32_t> own, std::vector<Placed> arrived)
        : rows_(rows), arrived_(std::move(arrived)), order_(std::move(own)) {
        if (arrived_.empty()) return;
        const auto num_own = static_cast<std::uint32_t>(rows.places.size());
        for (std::size_t k = 0; k < arrived_.size(); ++k)
            order_.push_back(num_own + static_cast<std::uint32_t>(k));
        std::sort(order_.begin(), order_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return row(a) < row(b); });
    }
    std::size_t size() const { return order_.size(); }
    Placed operator[](std::size_t k) const {
        return is_own(order_[k]) ? placed_row(rows_, order_[k]) : arrived(order_[k]);
    }

  private:
    bool is_own(std::uint32_t entry) const { return entry < rows_.places.size(); }
    const Placed& arrived(std::uint32_t entry) const { return arrived_[entry - rows_.places.size()]; }
    std::uint64_t row(std::uint32_t entry) const {
        return is_own(entry) ? rows_.places[entry].row : arrived(entry).row;
    }

    const DistributedRows& rows_;
    std::vector<Placed> arrived_;
    std::vector<std::uint32_t> order_;  ///< indices of own rows, and behind them of those that arrived
};

/// Slabs with about equal numbers of the particles that lie in the box. Collective.
SlabDecomposition equal_slabs(const DistributedRows& rows, const SliceGrid& grid, Exchange& exchange) {
    const auto is_placed = [](const RowPlace& place) { return place.is_placed != 0; };
    Particles some;
    const bool are_all_placed = std::all_of(rows.places.begin(), rows.places.end(), is_placed);
    for (std::size_t k = 0; !are_all_placed && k < rows.places.size(); ++k)
        if (is_placed(rows.places[k])) some.append(rows.particles, k);
    const Particles& placed = are_all_placed ? rows.particles : some;
    const int num_slabs = static_cast<int>(std::min<std::int64_t>(exchange.size(), grid.num_slices()));
    const CostProfile profile(grid, placed, static_cast<std::int64_t>(placed.size()));
    const Cuts cuts = cuts_of_equal_cost(exchange, profile, grid.num_slices(), num_slabs);
    return {grid, with_thickness(cuts, 1)};
}

/// Collective.
NearSlab particles_near_slab(const DistributedRows& rows, const Box& box, const SlabDecomposition& slabs,
                             double largest_radius, Exchange& exchange) {
    const double slack = path_slack(box);
    Outbox<Placed> outbox(exchange);
    std::vector<std::uint32_t> own;
    for (std::size_t k = 0; k < rows.places.size(); ++k) {
        if (!rows.places[k].is_placed) continue;
        const auto send = [&](int rank) {
            if (rank == exchange.rank())
                own.push_back(static_cast<std::uint32_t>(k));
            else
                outbox.add(rank, placed_row(rows, k));
        };
        const double x = rows.particles.motion[k].position.x;
        const int owner = slabs.owner(x);
        send(owner);
        const double reach = (rows.particles.attributes[k].radius + largest_radius) * slab_reach_up + slack;
        for (const int slab : slabs.neighbours(owner, reach))
            if (slabs.distance(x, slab) <= reach) send(slab);
    }
    return {rows, std::move(own), outbox.deliver()};
}

/// The gap between two particles, `of_spheres` that between the spheres around them.
double true_gap(const Placed& a, const Placed& b, double of_spheres, const Box& box,
                const ShapeTable& shapes) {
    if (!shapes.has_shapes() || !shapes.has_shape(a.species, b.species)) return of_spheres;
    const Vec3 r = minimum_image(b.sphere.centre - a.sphere.centre, ImageLengths(box));
    return shapes.gap(r, sized(a.species, a.sphere.radius), sized(b.species, b.sphere.radius)).distance;
}

/// Finds the conflicts that belong to this rank, and counts the overlaps that are none.
template <class IsOwned>
std::vector<Conflict> conflicts_of(const NearSlab& near, const IsOwned& is_owned, const StartRules& rules,
                                   const OverlapLimits& limits, Overlaps& result) {
    const ShapeTable shapes(rules.world);
    const auto gap_of = [&](std::size_t a, std::size_t b, double of_spheres) {
        return true_gap(near[a], near[b], of_spheres, rules.world.box, shapes);
    };
    const auto is_conflict = [&](std::size_t a, std::size_t b, double of_spheres) {
        const double gap = gap_of(a, b, of_spheres);
        const double sum_of_radii = near[a].sphere.radius + near[b].sphere.radius;
        if (gap >= -limits.tolerance * sum_of_radii) return false;
        const std::uint64_t is_mine = is_owned(near[std::min(a, b)]) ? 1 : 0;
        if (rules.may_overlap(near[a].species, near[b].species)) {
            result.num_allowed += is_mine;
            return false;
        }
        if (-gap > rounding_of_gap(limits.resolution, sum_of_radii)) return true;
        result.num_touching += is_mine;
        return false;
    };
    const std::vector<OverlappingPair> found = find_overlaps(
        rules.world.box, near.size(), [&](std::size_t k) { return near[k].sphere; }, limits.tolerance,
        overlap_search_limit, is_conflict);
    result.is_complete = found.size() < overlap_search_limit;
    std::vector<Conflict> conflicts;
    for (const OverlappingPair& o : found)
        if (is_owned(near[o.first]))
            conflicts.push_back(
                {near[o.second].row_of_id(), near[o.first].row_of_id(), gap_of(o.first, o.second, o.gap)});
    return conflicts;
}

}  // namespace

Overlaps overlapping_rows(const DistributedRows& rows, const StartRules& rules, const OverlapLimits& limits,
                          const std::string& file, Exchange& exchange) {
    RICOCHET_CHECK_EQ(rows.places.size(), rows.particles.size());
    const SlabDecomposition slabs =
        equal_slabs(rows, SliceGrid(rules.world.box, limits.largest_radius), exchange);
    const NearSlab near = particles_near_slab(rows, rules.world.box, slabs, limits.largest_radius, exchange);
    const auto is_owned = [&](const Placed& placed) {
        return slabs.owner(placed.sphere.centre.x) == exchange.rank();
    };
    Overlaps overlaps;
    std::vector<Conflict> conflicts = conflicts_of(near, is_owned, rules, limits, overlaps);
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
