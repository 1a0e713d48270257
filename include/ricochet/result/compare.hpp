// SPDX-License-Identifier: BSD-3-Clause
//
// Whether two results are identical, bit by bit (`ricochet compare`): box, bodies, timestep, species, the particles in
// every complete frame, the collision log, the observables. What may differ between equal runs is left out:
// wall time, ranks, search, versions, the texts of the input.
#pragma once

#include <optional>
#include <string>

namespace ricochet {

/// One line about the first difference, in the order: box, bodies, timestep and species, radii and masses, frames,
/// collision log, observables. Nothing when the results are identical. When one file has more frames (rows, samples),
/// the common ones are compared first. If these agree, the difference in number is reported. Throws
/// InputError when a file is not a result, Hdf5Error when reading fails. Reads in blocks of some megabytes.
/// Called by one rank.
std::optional<std::string> find_difference(const std::string& path_a, const std::string& path_b);

}  // namespace ricochet
