// SPDX-License-Identifier: BSD-3-Clause
//
// Global bond order: tells a crystal from a liquid. A bond connects two particles that are closer than the first
// minimum of the pair distribution: a fixed multiple of the close-packed distance at this density.
//
//   spheres  Q6 = (4 pi/13 sum over m of |mean over bonds of Y6m|^2)^(1/2), of Steinhardt, Nelson and Ronchetti,
//            Phys. Rev. B 28, 784 (1983): 0.575 for fcc, 0.354 for sc, about 1/(number of bonds)^(1/2) for a liquid
//   discs    psi_n = |mean over bonds of exp(i n angle)|, the larger one of n = 4 (square) and 6 (hexagonal)
//
// One orientation of the whole system counts: grains of several orientations have a lower order.
//
// Algorithm: even strips along x. Each strip receives the particles within a bond's length of it and counts the bonds
// of its own particles with those of higher ids. So each bond is counted once, whatever the ranks.
//
// Invariant: bonds and their terms depend on positions alone, in a written order of operations, and sums are exact.
// So the order has the same bits on any number of ranks. It decides when an equilibration ends.
//
// Cost: some 7 bonds per particle with 13 exact sums each, about a microsecond per particle.
#pragma once

#include <cstdint>

#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct BondOrder {
    double value = 0;             ///< from 0 to 1; 0 without bonds
    int symmetry = 6;             ///< the n of psi_n; 6 for spheres
    std::uint64_t num_bonds = 0;  ///< of all ranks

    friend bool operator==(const BondOrder&, const BondOrder&) = default;
};

/// The order of the particles of all ranks, the same on all ranks. Positions lie in the box. Collective.
BondOrder measure_bond_order(Exchange& exchange, const Box& box, const Particles& owned);

/// Whether this is the order of a crystal, rather than that of a liquid of as many bonds.
bool is_crystal(const BondOrder& order, int dimension);
/// Whether there are enough bonds to tell a crystal from a liquid.
bool tells_order(const BondOrder& order, int dimension);
/// Whether it is less than that of a crystal and more than that of a liquid, as near freezing in small systems.
bool is_partly_ordered(const BondOrder& order, int dimension);

}  // namespace ricochet
