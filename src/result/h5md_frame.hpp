// SPDX-License-Identifier: BSD-3-Clause
//
// Reads particles from a frame of an H5MD file, our own or another program's, to start a run from it.
//
// A frame is that of one group of particles: of "trajectory", or of the first group in alphabetical order, unless
// one is named. Its elements are position (required), velocity, image, id, species, radius and mass. Each may
// depend on time (a group with `value`) or not (a dataset). Each may have any number type, and two or three
// components. Species may also be texts, their names.
//
// Rows whose id is the fill value -1, or 2^64 - 1, are left out (systems of varying size). Other negative ids are
// refused. So are ids, species and images that are no whole numbers below 2^63. In our own files only complete frames
// count.
//
// What the file says of its box and its units comes along, so that a start can compare it with the input's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/h5md_box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/result/result_description.hpp"

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
    bool is_ours = false;    ///< written by this program
    int dimension = 3;       ///< of the box of our own files, otherwise the components of a position
    bool has_velocity = false, has_image = false, has_id = false;
    bool has_species = false, has_radius = false, has_mass = false;
    /// By number; our own files have them. Where species are texts, those of these rows.
    std::vector<std::string> species_names;
    std::vector<std::string> vmd_names;  ///< by number, in /parameters/vmd_structure; often chemical symbols
    H5mdBox box;                         ///< what the file tells of it
    bool has_float32 = false;            ///< positions have the precision of float32
    std::vector<NamedText> units;  ///< the words for length, time and energy, those that the file states
    std::string velocity_unit;     ///< as the file has it, e.g. "nm ps-1"; empty: not stated
    /// The requested rows, in file order. Missing elements are zero; missing ids number the rows from 0.
    Particles particles;
};

/// The groups below /particles that have positions, in alphabetical order; at least one. Throws InputError when
/// there is none. Not collective.
std::vector<std::string> h5md_groups(const std::string& path);

/// Reads rows of a frame, by default all of the last complete one. Ranks may read different ranges, so that
/// none needs to hold all particles. Throws InputError, naming the file and the error, for a missing file,
/// frame or element, or for an invalid whole number. Not collective.
H5mdFrame read_h5md_frame(const std::string& path, std::optional<std::uint64_t> frame = std::nullopt,
                          RowRange rows = {}, const std::string& group = {});

}  // namespace ricochet
