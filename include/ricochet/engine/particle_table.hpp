// SPDX-License-Identifier: BSD-3-Clause
//
// A start that a file gives: the particles as they are read, block by block, and the one checker for all
// kinds of files. The checker reports every kind of mistake at once, names the place of the first ten
// offenders of each, and leaves nothing to be found out later, in the middle of a run.
//
// It sees a block at a time and keeps sums of it only, so that files may be larger than the memory of a rank.
// What two rows can do wrong together (one id, one place) is found elsewhere (parallel/given_start.hpp) and
// told to the checker, which puts all messages into one order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/offenders.hpp"
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
    std::uint64_t first_row = 0;              ///< number of the table's first row in the file
    std::vector<std::uint64_t> lines;         ///< of each row, from 1; empty: not a text file
    std::vector<std::uint32_t> text_columns;  ///< from 1, row after row, num_columns each
    std::size_t num_columns = 0;
    std::array<int, num_fields> column_of{};  ///< the field's place in a row; -1 without

    /// "file:line:column: ", "file: row n: " (rows count from 0) where there are no lines.
    std::string of(std::size_t row, Field field) const;
    /// Of the field's value in its line, from 1; 1 where the file lacks it, 0 where there are no lines.
    std::uint32_t text_column(std::size_t row, Field field) const;
};

/// Consecutive rows of a file.
struct ParticleTable {
    TablePlaces places;
    /// In file order; what the file lacks is zero. Of the attributes only radius, mass, species and image
    /// are read.
    Particles particles;
    bool has_id = false, has_species = false, has_velocity = false;
    bool has_radius = false, has_mass = false, has_image = false;
};

/// A file of particles, read from its beginning to its end.
class TableSource {
  public:
    /// A block that a rank can hold beside its share.
    static constexpr std::uint64_t usual_block = 65'536;

    virtual ~TableSource() = default;
    TableSource() = default;
    TableSource(const TableSource&) = delete;
    TableSource& operator=(const TableSource&) = delete;
    TableSource(TableSource&&) = delete;
    TableSource& operator=(TableSource&&) = delete;

    /// The next rows, at most `most_rows`; false, and no rows, at the end. A block may be empty. Throws
    /// InputError when the file is not good, at its end at the latest.
    virtual bool next(ParticleTable& block, std::uint64_t most_rows) = 0;
};

/// Distances may fall short of the sum of two radii by this part of it before the pair counts as overlapping:
/// decimal files and frames written after a contact are off by rounding.
inline constexpr double default_overlap_tolerance = 1e-9;

/// What all particles of the file are checked against and completed from.
struct StartRules {
    Box box;
    std::vector<Species> species;
    std::uint64_t seed = 0;      ///< of distributed radii
    std::string box_place = {};  ///< where the box was given: messages about it begin with that
};

/// Checks rows and fills in what the file leaves to the input: ids number the rows from 0; one species where
/// the input has only one; radius, mass and diffusion as the species says; velocities zero; a coordinate
/// equal to L along a periodic axis becomes 0.
class RowChecker {
  public:
    /// Keeps a reference to the rules.
    explicit RowChecker(const StartRules& rules) : rules_(rules), counts_(rules.species.size()) {}

    /// The next block. Returns which of its rows have their place in the box, so that they can be compared
    /// with others.
    std::vector<bool> add(ParticleTable& block);

    double largest_radius() const { return largest_; }
    /// Messages on what was read: ids from 2^63 on, `repeated_ids`, species out of range or missing, values
    /// that are not finite, radii and masses that are not positive. Sizes and counts would be guesses where
    /// there are any.
    std::vector<std::string> value_messages(const Offenders& repeated_ids) const;
    /// Messages on what it means: counts other than those of the species (where these are not 0), a box too
    /// small for the sizes, centres outside [0, L) (along an axis with walls: nearer than a radius to one),
    /// `overlaps`, which are called `overlap_name`.
    std::vector<std::string> start_messages(const Offenders& overlaps, const std::string& overlap_name) const;

  private:
    bool has_bad_values() const;
    void check_ids(ParticleTable& block);
    void check_species(const ParticleTable& block);
    void check_values(const ParticleTable& block);
    void check_value(const ParticleTable& block, std::size_t row, Field field, double value);
    void complete(ParticleTable& block) const;
    void count(const ParticleTable& block);
    bool is_in_box(const ParticleTable& block, std::size_t row);
    bool check_position(const ParticleTable& block, std::size_t row, int axis);

    const StartRules& rules_;
    std::string file_;
    bool lacks_species_ = false;
    Offenders bad_ids_, bad_species_, bad_values_, outside_;
    std::vector<std::uint64_t> counts_;  ///< of the species
    double largest_ = 0, second_largest_ = 0;
};

}  // namespace ricochet
