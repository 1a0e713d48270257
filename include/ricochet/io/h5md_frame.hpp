// SPDX-License-Identifier: BSD-3-Clause
//
// Reads particles from a frame of an H5MD file, our own or another program's, to start a run from it.
//
// Taken are the elements of the group "trajectory", or of the first particles group in alphabetical order:
// position (required), velocity, image, id, species, radius, mass; each may depend on time (a group with
// `value`) or not (a dataset), have any number type, and two or three components. Rows whose id is the fill
// value -1 (systems of varying size) are left out; ids, species and images that are no whole numbers below
// 2^63, and other negative ids, are refused. In our own files only complete frames count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ricochet/core/particles.hpp"

namespace ricochet {

/// Consecutive rows of a frame.
struct RowRange {
    std::uint64_t first = 0;
    std::uint64_t count = ~std::uint64_t{0};  ///< cut to what there is
};

struct H5mdFrame {
    std::uint64_t num_rows = 0;  ///< of the whole frame in the file
    std::uint64_t frame = 0;
    std::uint64_t step = 0;  ///< 0 when the file does not tell
    double time = 0;         ///< 0 when the file does not tell
    int dimension = 3;       ///< components of a position
    bool has_velocity = false, has_image = false, has_id = false;
    bool has_species = false, has_radius = false, has_mass = false;
    /// The rows asked for, in file order. What the file lacks is zero, ids number the rows from 0.
    Particles particles;
};

/// Reads rows of a frame, by default all of the last complete one. So that no rank needs to hold all
/// particles, ranks may ask for different ranges. Throws InputError, naming the file and what is wrong, when
/// there is no such file, frame or element, or a whole number cannot be one. Not collective.
H5mdFrame read_h5md_frame(const std::string& path, std::optional<std::uint64_t> frame = std::nullopt,
                          RowRange rows = {});

}  // namespace ricochet
