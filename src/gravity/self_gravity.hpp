// SPDX-License-Identifier: BSD-3-Clause
//
// What particles do to each other by their masses: the field at each particle, of all others.
//
// A field depends on positions, masses and ids alone; ids order the sums (tree.hpp). So it has the same bits on any
// number of ranks, however particles are distributed among them and stored.
//
// The tree's forces on two particles are not exactly opposite: the total momentum drifts by about 1e-5 of the sum of
// |force| per evaluation. A direct sum keeps it to rounding, with periodic axes to 1e-6 of this sum.
//
// Nothing is kept between calls. A step of kick-drift-kick needs one of them (Hairer, Lubich & Wanner, Geometric
// Numerical Integration, section I.3). The field at its end is that at the start of the next step, unless a mass has
// changed or a particle has ended.
//
// Periodic axes: the field is that of all particles in all images of the box, without end. So it is continuous where a
// particle leaves through one face and enters through the other. The box and the images beside it are summed one by
// one, or by the tree (near_images.hpp). All images beyond them are one smooth function (far_images.hpp).
//
// Where all axes are periodic the mean density exerts no force: a uniform background of the opposite mass is part of
// the field. Without it the sum of forces would depend on its order, and infinite space would have no equilibrium
// (Jeans's swindle: Binney & Tremaine, Galactic Dynamics, section 5.2.2). Where some axes are open there is no
// background: a sheet with periodic x and y attracts as an infinite sheet does.
//
// The potential contains that of the particle's own images; lattice_kernel.hpp says where it is zero. It is relative,
// but the same function as long as the box is, so orbits conserve the energy.
//
// Errors with periodic axes: the far part's is below 1e-4 G m/L^2 for each mass m and the shortest periodic edge L. The
// tree's is as without them. In a nearly uniform system forces almost cancel, but errors do not: `opening` must be
// smaller there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gravity/far_images.hpp"
#include "gravity/kernels.hpp"
#include "gravity/tree.hpp"
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
    std::uint64_t num_points = 0;  ///< pairs of a target on this rank with a particle, or an image
    std::uint64_t num_cells = 0;   ///< pairs of a target on this rank with a cell, or an image
    std::uint64_t num_targets = 0;
};

enum class WithPotential : bool { no, yes };

class SelfGravity {
  public:
    /// Keeps the reference to the exchange.
    /// Requires: constant and opening are positive; with periodic axes as FarImages.
    SelfGravity(Exchange& exchange, const Box& box, const GravitySetting& setting);

    /// Sets fields[k] to the field at owned[k]. All ranks return the same failure; fields are then of no use.
    /// Requires: positions are finite, masses positive, ids different. Collective.
    std::optional<GravityFailure> find_fields(std::span<const GravitySource> owned, WithPotential potential,
                                              std::vector<GravityField>& fields);

    /// The work of the latest call.
    const GravityCounts& counts() const { return counts_; }

  private:
    std::vector<SortedSource> sources_of(std::span<const GravitySource> owned) const;
    Opening opening() const;
    std::vector<GravityField> fields_by_tree(const std::vector<SortedSource>& sorted, const FieldSums& sums);
    std::vector<GravityField> fields_by_pairs(const std::vector<SortedSource>& sorted, const FieldSums& sums);
    void send_back(const std::vector<SortedSource>& sorted, const std::vector<GravityField>& found,
                   std::vector<GravityField>& fields) const;
    std::optional<GravityFailure> agreed_failure(std::span<const GravitySource> owned,
                                                 const std::vector<GravityField>& fields) const;
    GravityField scaled(const TargetBatch& targets, std::size_t k) const;
    void add_far_images(const std::vector<SortedSource>& sorted, bool with_potential,
                        std::vector<GravityField>& found);

    Exchange& exchange_;
    Box box_;
    CellKeys cell_keys_;
    GravitySetting setting_;
    std::vector<Vec3> near_images_;
    std::optional<FarImages> far_images_;  ///< with periodic axes
    GravityCounts counts_;
};

}  // namespace ricochet
