// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of text as particles, the same for all text formats: numbers, species, mistakes with their places, and notes on
// how the file was understood. The formats differ in what surrounds the rows, and in what names their columns.
//
// Decimal digits bound what positions can tell. A file with six digits makes spheres overlap that touch. Its resolution
// is the unit of the last digit of its largest coordinate, written with as many significant digits as any coordinate
// has. That is right for a fixed number of decimals and for a fixed number of digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/offenders.hpp"
#include "placement/particle_table.hpp"
#include "placement/text_columns.hpp"
#include "placement/text_lines.hpp"
#include "ricochet/model/species.hpp"

namespace ricochet {

/// The number that the whole text is. Fortran's exponents (6d0) count.
std::optional<double> real_number(std::string_view text);
std::optional<std::int64_t> whole_number(std::string_view text);

/// Significant digits of decimal numbers, and what they leave open.
class DigitCount {
  public:
    void add(std::string_view number);
    /// Unit of the last digit, see above; 0 without numbers.
    double resolution() const;

  private:
    int most_digits_ = 0;
    std::optional<int> largest_exponent_;  ///< 10^exponent <= largest number
};

class TextRows {
  public:
    /// `columns_given_by` says in messages what names the columns, e.g. "as in the header".
    TextRows(std::string file, const std::vector<Species>& species, int dimension,
             std::string columns_given_by);

    /// Sets the columns of the following rows. Types beside names of species are left out. Throws InputError, at
    /// `place`, when coordinates repeat or are missing.
    void set_columns(const std::vector<TextColumn>& columns, const std::string& place);
    /// Rows may be longer than the columns, which `given_by` names.
    void accept_longer_rows(std::string given_by) {
        has_longer_rows_ = true;
        columns_given_by_ = std::move(given_by);
    }
    /// With one species in the input, the one name of the file is taken as that species.
    void accept_other_name() { takes_other_name_ = species_.size() == 1; }
    /// What the file says beside its rows; of the box, edges unscale coordinates.
    FileClaims& claims() { return table_.claims; }
    /// Sets the mass of each type. Every following row has that of its type.
    void set_masses(const std::vector<double>& masses);
    /// Sets the name of each type. Where the input knows one, types are the species of these names.
    void set_type_names(const std::vector<std::string>& names);

    /// Adds the row, or remembers why not. `velocity` is one that the file has elsewhere.
    void add(const std::vector<TextValue>& values, const TextLines& lines,
             const std::optional<Vec3>& velocity = std::nullopt);
    /// Remembers that the text ends within a line (TextLines::ends_within). Rows that are added are watched.
    void watch_end(bool ends_within) { ends_within_line_ = ends_within_line_ || ends_within; }
    /// Adds a note on how the file was understood.
    void note(std::string text) { notes_.push_back(std::move(text)); }
    /// Says that the last of several frames was read.
    void note_last_frame(std::uint64_t num_frames);
    void promise_velocities() { table_.has_velocity = true; }

    std::uint64_t size() const { return table_.particles.size(); }
    std::uint64_t num_rows() const { return num_rows_; }  ///< of all blocks, wrong ones included
    const std::vector<TextColumn>& columns() const { return columns_; }
    ParticleId last_id() const { return table_.particles.motion[size() - 1].id; }
    bool knows_species(std::string_view name) const { return species_named(name).has_value(); }
    bool has_one_species() const { return species_.size() == 1; }
    /// Moves the rows into `block`, whose memory serves the next rows; false when there are none.
    bool take(ParticleTable& block);
    /// Throws InputError when rows had mistakes.
    void throw_if_wrong() const;
    /// First columns without use, then the notes that were added.
    std::vector<std::string> notes() const;

  private:
    struct Row {
        Motion motion;
        Attributes attributes;
        Track track;
    };
    bool has(ColumnUse use) const;
    void check_columns(const std::string& place) const;
    void remember_columns();
    void read_value(const TextColumn& column, const TextValue& value, const TextLines& lines, Row& row);
    void read_id(const TextColumn& column, const TextValue& value, const TextLines& lines, Row& row);
    void read_type(const TextValue& value, const TextLines& lines, Row& row);
    void read_element(const TextValue& value, const TextLines& lines, Row& row);
    std::optional<std::int64_t> type_of(std::string_view text) const;
    std::optional<SpeciesIndex> species_named(std::string_view name) const;
    std::string note_on_types() const;
    std::string ignored_columns() const;
    void read_species(const TextValue& value, const TextLines& lines, Row& row);
    void store(const TextColumn& column, const TextValue& value, double number, Row& row);
    double unscaled(double part, int axis) const;
    void refuse(const TextColumn& column, const TextValue& value, const TextLines& lines,
                const std::string& expected);

    std::vector<Species> species_;
    int dimension_;
    std::string columns_given_by_;
    ParticleTable table_;  ///< the block that is being read
    std::vector<TextColumn> columns_;
    std::vector<double> masses_;           ///< of the types
    std::vector<std::string> type_names_;  ///< of the types
    std::optional<std::size_t> element_column_;
    std::optional<bool> elements_count_;  ///< whether the input knows the first row's element
    bool has_longer_rows_ = false, takes_other_name_ = false, has_types_ = false, ends_within_line_ = false;
    std::uint64_t num_rows_ = 0, num_longer_ = 0, num_fortran_ = 0;
    std::string other_name_;
    std::vector<std::string> notes_;
    DigitCount digits_;
    Offenders wrong_lengths_, wrong_numbers_, wrong_names_;
};

}  // namespace ricochet
