// SPDX-License-Identifier: BSD-3-Clause
//
// What `ricochet info` says of a result, for programs.
#pragma once

#include <string>

#include "core/json.hpp"

namespace ricochet {

/// title, box, particles, timestep, seed, run, precision, frames, collisions, observables, state, units, notes and
/// provenance. Numbers are numbers; hashes are texts. Throws InputError when `path` is not a result, Hdf5Error when
/// reading fails. Called by one rank.
Json facts_of_result(const std::string& path);

}  // namespace ricochet
