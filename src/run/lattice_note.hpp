// SPDX-License-Identifier: BSD-3-Clause
//
// What a start on a lattice is, in words: a liquid after its equilibration, or still a crystal. A steady contact rate
// does not tell them apart, but the order of the bonds does (placement/bond_order.hpp). Above freezing a crystal stays
// one, and its vacancies lower its pressure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "placement/bond_order.hpp"
#include "ricochet/checkpoint/run_state.hpp"
#include "ricochet/config/config.hpp"

namespace ricochet {

/// Whether the particles fill more of the box than at freezing, as equal ones of their volume would freeze.
bool is_above_freezing(const Config& config);

/// For a lattice of so many sites (0: no lattice) above freezing: that it is a crystal with vacancies and does not
/// melt. None below.
std::optional<std::string> crystal_note(const Config& config, std::uint64_t num_sites);

/// The end of the equilibration of a lattice, with the order at that time. `spread`: of the contact rates, where
/// they were compared.
std::string melting_note(const Config& config, const EquilibrationState& state, const BondOrder& order,
                         std::optional<double> spread);

}  // namespace ricochet
