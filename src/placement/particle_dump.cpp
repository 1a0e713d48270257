// SPDX-License-Identifier: BSD-3-Clause
#include "placement/particle_dump.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "placement/lammps_words.hpp"
#include "placement/text_rows.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

constexpr std::string_view timestep_item = "ITEM: TIMESTEP", count_item = "ITEM: NUMBER OF ATOMS",
                           box_item = "ITEM: BOX BOUNDS", units_item = "ITEM: UNITS",
                           atoms_item = "ITEM: ATOMS";

/// Coordinates in the forms of LAMMPS: x, xu, xs, xsu for each axis.
std::optional<TextColumn> coordinate_named(std::string_view name) {
    const std::size_t axis = std::string_view("xyz").find(name.front());
    if (axis == std::string_view::npos) return std::nullopt;
    const std::string_view form = name.substr(1);
    if (form.empty() || form == "u") return TextColumn{ColumnUse::position, static_cast<int>(axis)};
    if (form == "s" || form == "su") return TextColumn{ColumnUse::scaled_position, static_cast<int>(axis)};
    return std::nullopt;
}

TextColumn dump_column_named(std::string_view name) {
    TextColumn column = column_named(name);
    if (const auto coordinate = coordinate_named(name))
        column.use = coordinate->use, column.axis = coordinate->axis;
    if (name == "type") column.use = ColumnUse::type;
    if (name == "element" || name == "typelabel") column.use = ColumnUse::element;
    if (column.use == ColumnUse::id) column.use = ColumnUse::id_from_1;
    return column;
}

class DumpRows final : public TableSource {
  public:
    DumpRows(OpenText open, const std::string& name, const std::vector<Species>& species, int dimension,
             std::optional<std::uint64_t> frame)
        : open_(std::move(open)),
          lines_(open_(), name),
          rows_(name, species, dimension, "as in ITEM: ATOMS"),
          wanted_(frame) {}

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        if (lines_.number() == 0) read_beginning();
        while (rows_.size() < most_rows && rows_.num_rows() < num_particles_) read_row();
        if (rows_.num_rows() == num_particles_ && rows_.size() > 0) require_end();
        if (rows_.size() == 0) rows_.throw_if_wrong();
        return rows_.take(block);
    }
    std::vector<std::string> notes() const override { return rows_.notes(); }

  private:
    bool next_frame(TextLines& lines);
    void find_last_frame();
    void read_beginning();
    void read_items();
    void read_count();
    void read_box();
    /// Whether the present line, taken apart, has the word.
    bool has_column(std::string_view word) const {
        return std::any_of(values_.begin(), values_.end(),
                           [&](const TextValue& value) { return value.text == word; });
    }
    void read_columns();
    void read_row();
    void require_end();
    void require_line(std::string_view what) {
        if (!lines_.next()) throw InputError(text_of(lines_.place(), "ends here, expected ", what));
    }

    OpenText open_;
    TextLines lines_;
    TextRows rows_;
    std::optional<std::uint64_t> wanted_;
    std::uint64_t num_particles_ = 0;
    std::vector<TextValue> values_;
};

/// Moves to the line that begins the next frame. The style of units stands before the first one.
bool DumpRows::next_frame(TextLines& lines) {
    while (lines.next()) {
        if (lines.line().starts_with(timestep_item)) return true;
        if (lines.line().starts_with(units_item) && lines.next())
            rows_.claims().units = lammps_units(trimmed(lines.line()));
    }
    return false;
}

void DumpRows::find_last_frame() {
    TextLines ahead(open_(), lines_.name());
    std::uint64_t num_frames = 0;
    while (next_frame(ahead)) ++num_frames;
    wanted_ = std::max<std::uint64_t>(num_frames, 1) - 1;
    rows_.note_last_frame(num_frames);
}

void DumpRows::read_beginning() {
    if (!wanted_) find_last_frame();
    for (std::uint64_t frame = 0; frame <= *wanted_; ++frame)
        if (!next_frame(lines_))
            throw InputError(text_of(lines_.name(), ": got ", frame, " frames, expected one of number ",
                                     *wanted_, ", counted from 0"));
    read_items();
}

void DumpRows::read_items() {
    while (!lines_.line().starts_with(atoms_item)) {
        if (lines_.line().starts_with(count_item)) read_count();
        if (lines_.line().starts_with(box_item))
            read_box();
        else
            require_line(atoms_item);
    }
    read_columns();
    if (num_particles_ == 0)
        throw InputError(text_of(lines_.place(), "got 0 atoms in frame ", *wanted_, ", expected some"));
}

void DumpRows::read_count() {
    require_line("the number of atoms");
    const auto count = whole_number(trimmed(lines_.line()));
    if (!count || *count < 0)
        throw InputError(lines_.place() + "got " + excerpt(trimmed(lines_.line())) +
                         ", expected a number of atoms");
    num_particles_ = static_cast<std::uint64_t>(*count);
}

void DumpRows::read_box() {
    StatedBox box{std::string(box_item.substr(6)), {}};
    box.boundary = lammps_boundary(lines_.line().substr(box_item.size()));
    const bool is_general = lines_.line().find("abc origin") != std::string_view::npos;
    for (int axis = 0; axis < 3; ++axis) {
        require_line("the bounds of the box");
        split_line(lines_.line(), blanks, values_);
        std::vector<double> numbers;
        for (const TextValue& value : values_) numbers.push_back(real_number(value.text).value_or(0));
        const std::size_t num_expected = is_general ? 4 : 2;
        if (numbers.size() < num_expected)
            throw InputError(text_of(lines_.place(), "got ", excerpt(lines_.line()), ", expected ",
                                     num_expected, " numbers on the box"));
        if (is_general) {
            const auto along = static_cast<std::size_t>(axis);
            box.edges.push_back(numbers[along]);
            box.origin[axis] = numbers[3];
            for (std::size_t k = 0; k < 3; ++k) box.is_skew = box.is_skew || (k != along && numbers[k] != 0);
        } else {
            box.edges.push_back(numbers[1] - numbers[0]);
            box.origin[axis] = numbers[0];
            box.is_skew = box.is_skew || (numbers.size() > 2 && numbers[2] != 0);
        }
    }
    rows_.claims().box = box;
    require_line(atoms_item);
}

void DumpRows::read_columns() {
    split_line(lines_.line().substr(atoms_item.size()), blanks, values_);
    const bool has_types = has_column("type"), has_labels = has_column("typelabel");
    std::vector<TextColumn> columns;
    for (const TextValue& value : values_) {
        TextColumn column = dump_column_named(value.text);
        if (has_labels && value.text == "element") column.use = ColumnUse::ignored;
        const auto is_coordinate = [](ColumnUse use) {
            return use == ColumnUse::position || use == ColumnUse::scaled_position;
        };
        // The file may give a coordinate in several forms: the first is read.
        const bool is_repeated = std::any_of(columns.begin(), columns.end(), [&](const TextColumn& other) {
            return other.axis == column.axis && is_coordinate(other.use) && is_coordinate(column.use);
        });
        if (is_repeated) column.use = ColumnUse::ignored;
        if (column.use == ColumnUse::element && !has_types) {
            column.use = ColumnUse::species;
            rows_.accept_other_name();
        }
        columns.push_back(column);
    }
    // Unwrapped coordinates contain the images.
    if (has_column("xu") || has_column("xsu"))
        for (TextColumn& column : columns)
            if (column.use == ColumnUse::image) column = {};
    rows_.set_columns(columns, lines_.place());
}

void DumpRows::read_row() {
    if (!lines_.next() || lines_.line().starts_with("ITEM:"))
        throw InputError(text_of(lines_.place(), "got ", rows_.num_rows(), " atoms of frame ", *wanted_,
                                 ", expected ", num_particles_,
                                 " as NUMBER OF ATOMS says; placement.frame chooses a complete one"));
    split_line(lines_.line(), blanks, values_);
    rows_.add(values_, lines_);
}

void DumpRows::require_end() {
    if (!lines_.next() || trimmed(lines_.line()).empty() || lines_.line().starts_with("ITEM:")) return;
    throw InputError(text_of(lines_.place(), "got more atoms of frame ", *wanted_, ", expected ",
                             num_particles_, " as NUMBER OF ATOMS says"));
}

}  // namespace

std::unique_ptr<TableSource> parse_particle_dump(const OpenText& open, const std::string& name,
                                                 const std::vector<Species>& species, int dimension,
                                                 std::optional<std::uint64_t> frame) {
    return std::make_unique<DumpRows>(open, name, species, dimension, frame);
}

}  // namespace ricochet
