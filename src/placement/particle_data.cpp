// SPDX-License-Identifier: BSD-3-Clause
#include "placement/particle_data.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "placement/text_rows.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

std::string_view without_comment(std::string_view line) { return trimmed(line.substr(0, line.find('#'))); }

/// Sections begin with a capital letter, the header has none.
bool is_section(std::string_view line) { return !line.empty() && line.front() >= 'A' && line.front() <= 'Z'; }

constexpr TextColumn data_id{ColumnUse::id_from_1}, data_type{ColumnUse::type}, data_rest{};

/// The columns before the coordinates.
struct AtomStyle {
    std::string_view name;
    std::vector<TextColumn> columns;
};

const std::vector<AtomStyle>& atom_styles() {
    static const std::vector<AtomStyle> styles{
        {"atomic", {data_id, data_type}},
        {"charge", {data_id, data_type, data_rest}},
        {"bond", {data_id, data_rest, data_type}},
        {"angle", {data_id, data_rest, data_type}},
        {"molecular", {data_id, data_rest, data_type}},
        {"full", {data_id, data_rest, data_type, data_rest}},
        {"sphere", {data_id, data_type, {ColumnUse::diameter}, {ColumnUse::density}}}};
    return styles;
}

class DataRows final : public TableSource {
  public:
    DataRows(OpenText open, const std::string& name, const std::vector<Species>& species, int dimension)
        : open_(std::move(open)),
          lines_(open_(), name),
          velocity_lines_(open_(), name),
          rows_(name, species, dimension, "the first line of Atoms") {}

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        if (lines_.number() == 0) read_beginning();
        while (rows_.size() < most_rows && rows_.num_rows() < num_atoms_) read_row();
        if (rows_.num_rows() == num_atoms_ && rows_.size() > 0) require_end();
        if (rows_.size() == 0) rows_.throw_if_wrong();
        return rows_.take(block);
    }
    std::vector<std::string> notes() const override { return rows_.notes(); }

  private:
    void read_beginning();
    void read_sections();
    void read_header(const TextLines& lines, std::string_view content);
    void read_bounds(const TextLines& lines, int axis);
    void read_mass(const TextLines& lines);
    void choose_columns();
    void read_row();
    void require_end();
    Vec3 read_velocity(std::string_view id);

    OpenText open_;
    TextLines lines_, velocity_lines_;
    TextRows rows_;
    std::uint64_t num_atoms_ = 0, num_types_ = 0;
    StatedBox box_{"xlo xhi", {}, {}, false};
    std::vector<double> masses_;
    std::string style_;
    std::uint64_t first_atom_ = 0, first_velocity_ = 0;  ///< lines of the section's word; 0: no such section
    std::vector<TextValue> values_, velocity_values_;
};

void DataRows::read_beginning() {
    read_sections();
    const std::string& file = lines_.name();
    if (num_atoms_ == 0) throw InputError(file + ": got 0 atoms, expected some");
    if (first_atom_ == 0) throw InputError(file + ": got no section Atoms, expected it");
    if (!box_.edges.empty()) rows_.set_box(box_);
    while (lines_.number() < first_atom_) lines_.next();
    if (!lines_.next_content()) throw InputError(file + ": got no atoms in section Atoms, expected some");
    choose_columns();
    if (!masses_.empty()) rows_.set_masses(masses_);
    if (first_velocity_ == 0) return;
    rows_.promise_velocities();
    while (velocity_lines_.number() < first_velocity_) velocity_lines_.next();
}

/// Reads the header and Masses, and finds the other sections.
void DataRows::read_sections() {
    TextLines ahead(open_(), lines_.name());
    ahead.next();  // the title
    std::string section;
    while (ahead.next_content()) {
        const std::string_view content = without_comment(ahead.line());
        if (is_section(content)) {
            section = content;
            if (section == "Atoms") {
                first_atom_ = ahead.number();
                const std::size_t hash = ahead.line().find('#');
                if (hash != std::string_view::npos) style_ = trimmed(ahead.line().substr(hash + 1));
            }
            if (section == "Velocities") first_velocity_ = ahead.number();
        } else if (section.empty()) {
            read_header(ahead, content);
        } else if (section == "Masses") {
            read_mass(ahead);
        }
    }
}

void DataRows::read_header(const TextLines& lines, std::string_view content) {
    split_line(content, blanks, values_);
    const auto count = whole_number(values_.front().text);
    if (is_atom_count(content))
        num_atoms_ = static_cast<std::uint64_t>(std::max<std::int64_t>(0, count.value_or(0)));
    if (content.ends_with("atom types") && count && *count > 0)
        num_types_ = static_cast<std::uint64_t>(*count);
    constexpr std::array<std::string_view, 3> bounds{"xlo xhi", "ylo yhi", "zlo zhi"};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (content.ends_with(bounds[axis])) read_bounds(lines, static_cast<int>(axis));
    if (content.ends_with("xy xz yz"))
        for (std::size_t k = 0; k < 3; ++k)
            box_.is_skew = box_.is_skew || real_number(values_[k].text).value_or(1) != 0;
}

void DataRows::read_bounds(const TextLines& lines, int axis) {
    const auto low = real_number(values_[0].text), high = real_number(values_[1].text);
    if (!low || !high)
        throw InputError(lines.place() + "got " + excerpt(trimmed(lines.line())) + ", expected two numbers");
    if (box_.edges.size() <= static_cast<std::size_t>(axis))
        box_.edges.resize(static_cast<std::size_t>(axis) + 1);
    box_.edges[static_cast<std::size_t>(axis)] = *high - *low;
    box_.origin[axis] = *low;
}

void DataRows::read_mass(const TextLines& lines) {
    split_line(without_comment(lines.line()), blanks, values_);
    const auto type = whole_number(values_.front().text);
    const auto mass = values_.size() > 1 ? real_number(values_[1].text) : std::nullopt;
    const bool is_type = type && *type >= 1 && static_cast<std::uint64_t>(*type) <= num_types_;
    if (!is_type || !mass)
        throw InputError(text_of(lines.place(), "got ", excerpt(trimmed(lines.line())),
                                 ", expected a type from 1 to ", num_types_, " and its mass"));
    if (masses_.empty()) masses_.resize(num_types_);
    masses_[static_cast<std::size_t>(*type - 1)] = *mass;
}

/// Chooses the columns by the style and the length of the first line.
void DataRows::choose_columns() {
    split_line(without_comment(lines_.line()), blanks, values_);
    const std::size_t size = values_.size();
    const std::string wanted = style_.empty() && (size == 5 || size == 8) ? "atomic" : style_;
    for (const AtomStyle& style : atom_styles()) {
        if (style.name != wanted) continue;
        std::vector<TextColumn> columns = style.columns;
        for (int axis = 0; axis < 3; ++axis) columns.push_back({ColumnUse::position, axis});
        for (int axis = 0; axis < 3 && size == columns.size() + 3 - static_cast<std::size_t>(axis); ++axis)
            columns.push_back({ColumnUse::image, axis});
        return rows_.set_columns(columns, lines_.place());
    }
    throw InputError(
        text_of(lines_.name(), ":", first_atom_, ": got Atoms ",
                style_.empty() ? text_of("without a style and with ", size, " columns")
                               : "of style " + excerpt(style_),
                ", expected Atoms # STYLE with atomic, charge, bond, angle, molecular, full or sphere"));
}

void DataRows::read_row() {
    if (rows_.num_rows() > 0 && (!lines_.next_content() || is_section(trimmed(lines_.line()))))
        throw InputError(text_of(lines_.place(), "got ", rows_.num_rows(), " atoms, expected ", num_atoms_,
                                 " as the header says"));
    split_line(without_comment(lines_.line()), blanks, values_);
    std::optional<Vec3> velocity;
    if (first_velocity_ != 0) velocity = read_velocity(values_.front().text);
    rows_.add(values_, lines_, velocity);
}

void DataRows::require_end() {
    const auto has_more = [](TextLines& lines) {
        return lines.next_content() && !is_section(trimmed(lines.line()));
    };
    if (has_more(lines_))
        throw InputError(
            text_of(lines_.place(), "got more atoms, expected ", num_atoms_, " as the header says"));
    if (first_velocity_ != 0 && has_more(velocity_lines_))
        throw InputError(text_of(velocity_lines_.place(), "got more velocities, expected one for each of ",
                                 num_atoms_, " atoms"));
}

Vec3 DataRows::read_velocity(std::string_view id) {
    const bool has_line = velocity_lines_.next_content();
    if (has_line) split_line(without_comment(velocity_lines_.line()), blanks, velocity_values_);
    if (!has_line || velocity_values_.front().text != id)
        throw InputError(
            velocity_lines_.place() + "got " +
            (has_line ? "velocity of " + excerpt(velocity_values_.front().text) : "no velocity") +
            ", expected that of atom " + excerpt(id) + ": write both sections in one order");
    Vec3 velocity;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis) + 1;
        const auto number =
            k < velocity_values_.size() ? real_number(velocity_values_[k].text) : std::nullopt;
        if (!number)
            throw InputError(velocity_lines_.place() + "got " + excerpt(trimmed(velocity_lines_.line())) +
                             ", expected an id and three numbers");
        velocity[axis] = *number;
    }
    return velocity;
}

}  // namespace

bool is_atom_count(std::string_view line) {
    std::vector<TextValue> values;
    split_line(without_comment(line), blanks, values);
    return values.size() == 2 && values[1].text == "atoms" && whole_number(values[0].text).has_value();
}

std::unique_ptr<TableSource> parse_particle_data(const OpenText& open, const std::string& name,
                                                 const std::vector<Species>& species, int dimension) {
    return std::make_unique<DataRows>(open, name, species, dimension);
}

}  // namespace ricochet
