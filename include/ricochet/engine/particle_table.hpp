// SPDX-License-Identifier: BSD-3-Clause
//
// A start that a file gives: the particles as they were read, and the one checker for all kinds of files. The
// checker reports every kind of mistake at once, names the place of the first ten offenders of each, and
// leaves nothing to be found out later, in the middle of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/core/species.hpp"

namespace ricochet {

/// What a file may say about a particle.
enum class Field : std::uint8_t { id, species, x, y, z, vx, vy, vz, radius, mass };
inline constexpr std::size_t num_fields = 10;
std::string_view to_string(Field field);

/// Where the values of a table stand in its file, for messages.
struct TablePlaces {
    std::string file;
    std::vector<std::uint64_t> lines;         ///< of each row, from 1; empty: not a text file
    std::vector<std::uint32_t> text_columns;  ///< from 1, row after row, num_columns each
    std::size_t num_columns = 0;
    std::array<int, num_fields> column_of{};  ///< the field's place in a row; -1 without

    /// "file:line:column: ", "file: row n: " (rows count from 0) where there are no lines.
    std::string of(std::size_t row, Field field) const;
    std::string of_row(std::size_t row) const;
};

struct ParticleTable {
    TablePlaces places;
    /// In file order; what the file lacks is zero. Of the attributes only radius, mass, species and image
    /// are read.
    Particles particles;
    bool has_id = false, has_species = false, has_velocity = false;
    bool has_radius = false, has_mass = false, has_image = false;
};

/// A start from a file, checked and complete.
struct GivenStart {
    Particles particles;
    bool has_velocities = false;  ///< else they are zero and for the dynamics to draw
};

/// Distances may fall short of the sum of two radii by this part of it before the pair counts as overlapping:
/// decimal files and frames written after a contact are off by rounding.
inline constexpr double default_overlap_tolerance = 1e-9;

/// Checks the table and fills in what it lacks: ids number the rows from 0; one species where the input has
/// only one; radius, mass and diffusion as the species says; velocities zero. Throws InputError with one line
/// per mistake: values that are not finite, radii and masses that are not positive, species out of range, ids
/// from 2^63 on or given twice, centres outside [0, L) (along an axis with walls: nearer than a radius to
/// one), overlaps, counts other than those of the species (where these are not 0), a box too small for the
/// sizes. A coordinate equal to L along a periodic axis becomes 0. O(N).
GivenStart checked_start(ParticleTable table, const Box& box, const std::vector<Species>& species,
                         std::uint64_t seed, double overlap_tolerance = default_overlap_tolerance);

}  // namespace ricochet
