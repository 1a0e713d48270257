// SPDX-License-Identifier: BSD-3-Clause
//
// What a start on a lattice, a dense or a grown one is after its equilibration, in words: a liquid, a glass or a
// crystal. A steady contact rate does not tell them apart, but the order of the bonds does (placement/bond_order.hpp).
// Above freezing a crystal stays one, and its vacancies lower its pressure. Above the fraction of the glass a liquid
// does not reach equilibrium: it ages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "placement/bond_order.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {

/// Whether the particles fill more of the box than at freezing, as equal ones of their volume would freeze.
bool is_above_freezing(const World& world);

/// Says that a lattice above freezing is a crystal with vacancies, which may not melt. None below freezing, and
/// without a lattice (`num_sites` is 0).
std::optional<std::string> crystal_note(const World& world, std::uint64_t num_sites);

/// Says how the equilibration of a lattice ended, with its order at that time. `spread` is that of the contact rates,
/// where they were compared.
std::string melting_note(const World& world, const EquilibrationState& state, const BondOrder& order,
                         std::optional<double> spread);

/// The same for a dense start, or one that has grown. Of shapes nothing is said of order: liquids of parallel ones have
/// some.
std::string settled_note(const World& world, const EquilibrationState& state, const BondOrder& order,
                         std::optional<double> spread, bool has_grown);

}  // namespace ricochet
