// SPDX-License-Identifier: BSD-3-Clause
//
// What particles do to each other by their masses: the field at each particle, of all others, in a box without
// periodic axes.
//
// A field depends on positions, masses and ids alone; ids order the sums (tree.hpp). So it has the same bits on any
// number of ranks, however particles are distributed among them and stored.
//
// The tree's forces on two particles are not exactly opposite: the total momentum drifts by about 1e-5 of the sum of
// |force| per evaluation. A direct sum keeps it to rounding.
//
// Nothing is kept between calls. A step of kick-drift-kick needs one of them (Hairer, Lubich & Wanner, Geometric
// Numerical Integration, section I.3). The field at its end is that at the start of the next step, unless a mass has
// changed or a particle has ended.
//
// Periodic axes are left out. Nearest images do not fit a tree: a large cell belongs to one image in part, and to the
// next one in part. A sum by Ewald's method does: its force is periodic, and so smooth where the nearest image changes
// (Hernquist, Bouchet & Suto, Astrophys. J. Suppl. 75 (1991) 231).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gravity/kernels.hpp"
#include "gravity/whole_leaves.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct GravitySource {
    Vec3 position;
    double mass = 0;  ///< positive
    ParticleId id = 0;
};

struct GravityField {
    Vec3 acceleration;
    double potential = 0;  ///< per mass, without the particle's own; 0 where it was not asked for
};

/// A particle whose acceleration is not a number, the one with the lowest id.
struct GravityFailure {
    ParticleId id = 0;
    /// The lowest id of those at the same place; none where distances are too small to be squared.
    std::optional<ParticleId> other;
};

struct GravityCounts {
    std::uint64_t num_points = 0;  ///< pairs of a target on this rank with a particle
    std::uint64_t num_cells = 0;   ///< pairs of a target on this rank with a cell
    std::uint64_t num_targets = 0;
};

enum class WithPotential : bool { no, yes };

class SelfGravity {
  public:
    /// Keeps the reference to the exchange.
    /// Requires: no axis of the box is periodic; constant and opening are positive.
    SelfGravity(Exchange& exchange, const Box& box, const GravitySetting& setting);

    /// Sets fields[k] to the field at owned[k]. All ranks return the same failure; fields are then of no use.
    /// Requires: positions are finite, masses positive, ids different. Collective.
    std::optional<GravityFailure> find_fields(std::span<const GravitySource> owned, WithPotential potential,
                                              std::vector<GravityField>& fields);

    /// The work of the latest call.
    const GravityCounts& counts() const { return counts_; }

  private:
    std::vector<SortedSource> sources_of(std::span<const GravitySource> owned) const;
    std::vector<GravityField> fields_by_tree(const std::vector<SortedSource>& sorted, const FieldSums& sums);
    std::vector<GravityField> fields_by_pairs(const std::vector<SortedSource>& sorted, const FieldSums& sums);
    void send_back(const std::vector<SortedSource>& sorted, const std::vector<GravityField>& found,
                   std::vector<GravityField>& fields) const;
    std::optional<GravityFailure> agreed_failure(std::span<const GravitySource> owned,
                                                 const std::vector<GravityField>& fields) const;
    GravityField scaled(const TargetBatch& targets, std::size_t k) const;

    Exchange& exchange_;
    CellKeys cell_keys_;
    GravitySetting setting_;
    GravityCounts counts_;
};

}  // namespace ricochet
