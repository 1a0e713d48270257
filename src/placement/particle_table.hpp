// SPDX-License-Identifier: BSD-3-Clause
//
// A start from a file: the particles as they are read, block by block, and the one checker for all kinds of
// files. The checker reports all mistakes at once, with the places of the first ten of each kind. No mistake
// is left to be found later, during a run.
//
// The checker sees one block at a time and keeps sums only, so files may be larger than the memory of a rank.
// Conflicts between two rows (one id, one place) are found elsewhere (placement/start_file.hpp). The checker
// receives them and puts all messages into one order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/offenders.hpp"
#include "geometry/body_room.hpp"
#include "geometry/shape_table.hpp"
#include "placement/file_claims.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// Properties of a particle that a file may have.
enum class Field : std::uint8_t { id, species, x, y, z, vx, vy, vz, radius, mass };
inline constexpr std::size_t num_fields = 10;
std::string_view to_string(Field field);

/// The names of all species, for messages.
std::string names_of(const std::vector<Species>& species);

/// The positions of a table's values in its file, for messages.
struct TablePlaces {
    std::string file;
    std::uint64_t first_row = 0;              ///< number of the table's first row in the file
    std::vector<std::uint64_t> lines;         ///< of each row, from 1; empty: not a text file
    std::vector<std::uint32_t> text_columns;  ///< from 1, row after row, num_columns each
    std::size_t num_columns = 0;
    std::array<int, num_fields> column_of{};  ///< column of the field; -1 without

    /// Either "file:line:column: " or, where there are no lines, "file: row n: " (rows count from 0).
    std::string of(std::size_t row, Field field) const;
    /// Column of the field's value in its line, from 1. It is 1 where the file lacks the field, 0 where there
    /// are no lines.
    std::uint32_t text_column(std::size_t row, Field field) const;
};

/// Consecutive rows of a file.
struct ParticleTable {
    TablePlaces places;
    /// In file order; what the file lacks is zero. Of the attributes only radius, mass, species and image are
    /// read.
    Particles particles;
    bool has_id = false, has_species = false, has_velocity = false;
    bool has_radius = false, has_mass = false, has_image = false;
    /// What the file calls the species numbered from 0. Empty: the numbers are those of the input.
    std::vector<std::string> species_names;
    bool has_nameless_species = false;  ///< the file numbers its species, and names none
    FileClaims claims;                  ///< of the part of the file that has been read

    /// Without its rows; their memory is kept.
    void clear_rows() {
        particles.clear();
        places.lines.clear();
        places.text_columns.clear();
    }
    /// Exchanges the rows alone: names, columns and claims stay.
    void swap_rows(ParticleTable& other) noexcept {
        std::swap(particles, other.particles);
        places.lines.swap(other.places.lines);
        places.text_columns.swap(other.places.text_columns);
    }
};

/// A file of particles, read from beginning to end.
class TableSource {
  public:
    /// Rows of a block that fits into memory beside a rank's share.
    static constexpr std::uint64_t usual_block = 65'536;

    virtual ~TableSource() = default;
    TableSource() = default;
    TableSource(const TableSource&) = delete;
    TableSource& operator=(const TableSource&) = delete;
    TableSource(TableSource&&) = delete;
    TableSource& operator=(TableSource&&) = delete;

    /// Reads the next rows, at most `most_rows`, into a block without rows; false at the end. A block may be empty.
    /// Throws InputError when the file has mistakes, at its end at the latest.
    virtual bool next(ParticleTable& block, std::uint64_t most_rows) = 0;
    /// About how many rows it has in all, once it has given some; 0: not known. For speed only.
    virtual std::uint64_t expected_rows() const { return 0; }
    /// How the file was understood where that is not obvious, for the user; complete at its end.
    virtual std::vector<std::string> notes() const { return {}; }
    /// What could be done if the particles are refused; empty without advice.
    virtual std::string advice() const { return {}; }
};

/// A pair overlaps when its distance is smaller than the sum of the radii by more than this part of it.
/// Decimal files, and frames written after a contact, are off by rounding.
inline constexpr double default_overlap_tolerance = 1e-9;

/// The rules that check and complete all particles of the file.
struct StartRules {
    World world;
    std::string box_place = {};          ///< where the box was given; messages about the box begin with it
    std::vector<StatedUnit> units = {};  ///< those that the file must have too, if it states units
    /// Whether two of these species may overlap, row after row; empty: none may.
    std::vector<bool> overlap_table = {};

    /// Whether particles of this species may reach into walls and bodies, up to their centres; empty: none may.
    std::vector<bool> reach_table = {};

    std::string overlap_advice = {};  ///< follows overlaps that are refused; empty: none

    bool may_overlap(SpeciesIndex a, SpeciesIndex b) const {
        return !overlap_table.empty() && overlap_table[a * world.species.size() + b];
    }
    bool may_reach_in(SpeciesIndex species) const { return !reach_table.empty() && reach_table[species]; }
};

/// Checks rows and completes them from the input. Missing ids number the rows from 0. Species that the file
/// names are those of the input with the same names. A missing species is the only one of the input. Radius, mass and
/// diffusion are those of the species. Missing velocities are zero.
///
/// Positions are counted from the lowest corner of the box that the file states. Along a periodic axis a coordinate
/// equal to L becomes 0. One beyond the box goes to its image in the box, and the image number keeps the unwrapped
/// position. Notes tell how many.
class RowChecker {
  public:
    /// Keeps a reference to the rules.
    explicit RowChecker(const StartRules& rules)
        : rules_(rules), room_(rules.world), shapes_(rules.world), counts_(rules.world.species.size()) {}

    /// Checks the next block. Returns which of its rows lie in the box and can be compared with others.
    std::vector<bool> add(ParticleTable& block);

    double largest_radius() const { return largest_; }
    /// What was changed, and which of the input's values the file replaces. For the user.
    std::vector<std::string> notes() const;
    /// Messages about values: ids from 2^63 on, `repeated_ids`, species unknown or missing, values that
    /// are not finite, radii and masses that are not positive. When there are any, sizes and counts would be
    /// guesses.
    std::vector<std::string> value_messages(const Offenders& repeated_ids) const;
    /// Messages about the system: counts other than those of the species (where these are not 0), a box too
    /// small for the sizes, and centres outside [0, L]. Along an axis with walls, centres must be a radius
    /// away, and everywhere from bodies, or in the room where they may reach in. Then `overlaps`, which are called
    /// `overlap_name`.
    std::vector<std::string> start_messages(const Offenders& overlaps, const std::string& overlap_name) const;

  private:
    bool has_bad_values() const;
    void check_ids(ParticleTable& block);
    void check_species(ParticleTable& block);
    void find_by_name(ParticleTable& block, std::size_t row);
    void check_values(const ParticleTable& block);
    void check_radius_of_shape(const ParticleTable& block, std::size_t row);
    void check_value(const ParticleTable& block, std::size_t row, Field field, double value);
    void complete(ParticleTable& block);
    void stop_along_frozen_axes(Vec3& velocity, std::uint32_t frozen_axes);
    void count(const ParticleTable& block);
    bool is_in_box(const ParticleTable& block, std::size_t row);
    bool check_position(const ParticleTable& block, std::size_t row, int axis);
    bool keeps_off_bodies(const ParticleTable& block, std::size_t row);
    double room_around(const ParticleTable& block, std::size_t row) const;
    double room_at_wall(const ParticleTable& block, std::size_t row, int wall) const;
    std::string distance_in_words(const ParticleTable& block, std::size_t row, int axis) const;
    bool reaches_in(const ParticleTable& block, std::size_t row) const;
    void check_claims(const ParticleTable& block);
    void move_into_box(ParticleTable& block, std::size_t row);

    const StartRules& rules_;
    BodyRoom room_;
    ShapeTable shapes_;
    std::string file_;
    bool lacks_species_ = false;
    std::vector<std::string> contradictions_;  ///< of the file and the input
    Offenders bad_ids_, bad_species_, bad_values_, outside_, in_bodies_;
    std::uint64_t num_rows_ = 0, num_wrapped_ = 0, num_other_radii_ = 0, num_other_masses_ = 0,
                  num_stopped_ = 0, num_reaching_in_ = 0;
    bool is_shifted_ = false;
    bool is_flat_ = true;  ///< all positions have z = 0
    std::string note_on_boundary_;
    std::vector<std::uint64_t> counts_;  ///< of the species
    double largest_ = 0, second_largest_ = 0, smallest_ = std::numeric_limits<double>::infinity();
};

}  // namespace ricochet
