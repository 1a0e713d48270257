// SPDX-License-Identifier: BSD-3-Clause
#include "placement/particle_data.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "placement/data_velocities.hpp"
#include "placement/lammps_words.hpp"
#include "placement/text_rows.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

constexpr ColumnUse data_id = ColumnUse::id_from_1, data_type = ColumnUse::type,
                    data_rest = ColumnUse::ignored;

/// The columns before the coordinates.
struct AtomStyle {
    std::string_view name;
    std::vector<ColumnUse> columns;
};

const std::vector<AtomStyle>& atom_styles() {
    static const std::vector<AtomStyle> styles{
        {"atomic", {data_id, data_type}},
        {"charge", {data_id, data_type, data_rest}},
        {"bond", {data_id, data_rest, data_type}},
        {"angle", {data_id, data_rest, data_type}},
        {"molecular", {data_id, data_rest, data_type}},
        {"full", {data_id, data_rest, data_type, data_rest}},
        {"sphere", {data_id, data_type, ColumnUse::diameter, ColumnUse::density}},
        {"bpm/sphere", {data_id, data_rest, data_type, ColumnUse::diameter, ColumnUse::density}}};
    return styles;
}

class DataRows final : public TableSource {
  public:
    DataRows(OpenText open, const std::string& name, const std::vector<Species>& species, int dimension)
        : open_(std::move(open)),
          lines_(open_(), name),
          rows_(name, species, dimension, "as in the first line of Atoms") {}

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
    void read_edge(const TextLines& lines, std::size_t axis);
    double number_at(const TextLines& lines, std::size_t k) const;  ///< of the header's line
    void read_mass(const TextLines& lines);
    void read_label(const TextLines& lines);
    /// The place of a line's type among all, from 0, or none.
    std::optional<std::size_t> type_in_line(std::size_t num_words) const;
    /// What the file calls its types: labels, or else the comments on masses. Some may be empty.
    std::vector<std::string> type_names() const;
    void choose_columns();
    void read_row();
    void require_end();

    OpenText open_;
    TextLines lines_;
    std::optional<DataVelocities> velocities_;
    TextRows rows_;
    std::uint64_t num_atoms_ = 0, num_types_ = 0;
    StatedBox box_{"xlo xhi", {}};
    std::vector<double> masses_;
    std::vector<std::string> labels_, comments_on_masses_;
    std::string style_;
    std::uint64_t first_atom_ = 0, first_velocity_ = 0;  ///< lines of the section's word; 0: no such section
    std::vector<TextValue> values_;
};

void DataRows::read_beginning() {
    read_sections();
    const std::string& file = lines_.name();
    if (num_atoms_ == 0) throw InputError(file + ": got 0 atoms, expected some");
    if (first_atom_ == 0) throw InputError(file + ": got no section Atoms, expected it");
    if (!box_.edges.empty()) rows_.claims().box = box_;
    while (lines_.number() < first_atom_) lines_.next();
    if (!lines_.next_content()) throw InputError(file + ": got no atoms in section Atoms, expected some");
    choose_columns();
    if (!masses_.empty()) rows_.set_masses(masses_);
    rows_.set_type_names(type_names());
    if (first_velocity_ == 0) return;
    rows_.promise_velocities();
    velocities_.emplace(open_, file, first_velocity_, num_atoms_);
}

/// Reads the header and Masses, and finds the other sections.
void DataRows::read_sections() {
    TextLines ahead(open_(), lines_.name());
    ahead.next();  // the title, which ends with the style of units where LAMMPS has written it
    constexpr std::string_view before_style = "units = ";
    if (const std::size_t begin = ahead.line().find(before_style); begin != std::string_view::npos)
        rows_.claims().units = lammps_units(trimmed(ahead.line().substr(begin + before_style.size())));
    std::string section;
    while (ahead.next_content()) {
        const std::string_view content = without_comment(ahead.line());
        if (is_data_section(content)) {
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
        } else if (section == "Atom Type Labels") {
            read_label(ahead);
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
    constexpr std::array<std::string_view, 3> vectors{"avec", "bvec", "cvec"};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (content.ends_with(vectors[axis])) read_edge(lines, axis);
    if (content.ends_with("abc origin"))
        for (std::size_t k = 0; k < 3; ++k) box_.origin[static_cast<int>(k)] = number_at(lines, k);
    if (content.ends_with("xy xz yz"))
        for (std::size_t k = 0; k < 3; ++k) box_.is_skew = box_.is_skew || number_at(lines, k) != 0;
}

double DataRows::number_at(const TextLines& lines, std::size_t k) const {
    const auto number = k < values_.size() ? real_number(values_[k].text) : std::nullopt;
    if (!number)
        throw InputError(lines.place() + "got " + excerpt(trimmed(lines.line())) + ", expected numbers");
    return *number;
}

/// An edge of a box in general position, which newer versions write.
void DataRows::read_edge(const TextLines& lines, std::size_t axis) {
    box_.name = "avec";
    box_.edges.resize(3);
    for (std::size_t k = 0; k < 3; ++k) {
        const double number = number_at(lines, k);
        if (k == axis) box_.edges[k] = number;
        box_.is_skew = box_.is_skew || (k != axis && number != 0);
    }
}

void DataRows::read_bounds(const TextLines& lines, int axis) {
    const double low = number_at(lines, 0), high = number_at(lines, 1);
    if (box_.edges.size() <= static_cast<std::size_t>(axis))
        box_.edges.resize(static_cast<std::size_t>(axis) + 1);
    box_.edges[static_cast<std::size_t>(axis)] = high - low;
    box_.origin[axis] = low;
}

void DataRows::read_mass(const TextLines& lines) {
    split_line(without_comment(lines.line()), blanks, values_);
    const auto type = type_in_line(2);
    const auto mass = type ? real_number(values_[1].text) : std::nullopt;
    if (!mass)
        throw InputError(text_of(lines.place(), "got ", excerpt(trimmed(lines.line())),
                                 ", expected a type from 1 to ", num_types_, " and its mass"));
    if (masses_.empty()) masses_.resize(num_types_);
    masses_[*type] = *mass;
    comments_on_masses_.resize(num_types_);
    const std::size_t hash = lines.line().find('#');
    if (hash != std::string_view::npos) comments_on_masses_[*type] = trimmed(lines.line().substr(hash + 1));
}

void DataRows::read_label(const TextLines& lines) {
    split_line(without_comment(lines.line()), blanks, values_);
    const auto type = type_in_line(2);
    if (!type)
        throw InputError(text_of(lines.place(), "got ", excerpt(trimmed(lines.line())),
                                 ", expected a type from 1 to ", num_types_, " and its label"));
    labels_.resize(num_types_);
    labels_[*type] = values_[1].text;
}

std::optional<std::size_t> DataRows::type_in_line(std::size_t num_words) const {
    if (values_.size() < num_words) return std::nullopt;
    const std::string_view word = values_.front().text;
    const auto label = std::find(labels_.begin(), labels_.end(), word);
    if (label != labels_.end()) return static_cast<std::size_t>(label - labels_.begin());
    const auto type = whole_number(word);
    if (!type || *type < 1 || static_cast<std::uint64_t>(*type) > num_types_) return std::nullopt;
    return static_cast<std::size_t>(*type - 1);
}

std::vector<std::string> DataRows::type_names() const {
    const auto& names = labels_.empty() ? comments_on_masses_ : labels_;
    const bool has_names =
        std::any_of(names.begin(), names.end(), [](const auto& name) { return !name.empty(); });
    return has_names ? names : std::vector<std::string>();
}

/// Chooses the columns by the style and the length of the first line.
void DataRows::choose_columns() {
    split_line(without_comment(lines_.line()), blanks, values_);
    const std::size_t size = values_.size();
    const std::string wanted = style_.empty() && (size == 5 || size == 8) ? "atomic" : style_;
    for (const AtomStyle& style : atom_styles()) {
        if (style.name != wanted) continue;
        std::vector<TextColumn> columns;
        for (const ColumnUse use : style.columns) columns.push_back({use});
        for (int axis = 0; axis < 3; ++axis) columns.push_back({ColumnUse::position, axis});
        for (int axis = 0; axis < 3 && size == columns.size() + 3 - static_cast<std::size_t>(axis); ++axis)
            columns.push_back({ColumnUse::image, axis});
        return rows_.set_columns(columns, lines_.place());
    }
    throw InputError(
        text_of(lines_.name(), ":", first_atom_, ": got Atoms ",
                style_.empty() ? text_of("without a style and with ", size, " columns")
                               : "of style " + excerpt(style_),
                ", expected Atoms # STYLE with atomic, charge, bond, angle, molecular, full, sphere or "
                "bpm/sphere"));
}

void DataRows::read_row() {
    if (rows_.num_rows() > 0 && (!lines_.next_content() || is_data_section(lines_.line())))
        throw InputError(text_of(lines_.place(), "got ", rows_.num_rows(), " atoms, expected ", num_atoms_,
                                 " as the header says"));
    split_line(without_comment(lines_.line()), blanks, values_);
    std::optional<Vec3> velocity;
    if (velocities_ && !values_.empty()) velocity = velocities_->of(values_.front().text);
    rows_.add(values_, lines_, velocity);
}

void DataRows::require_end() {
    if (lines_.next_content() && !is_data_section(lines_.line()))
        throw InputError(
            text_of(lines_.place(), "got more atoms, expected ", num_atoms_, " as the header says"));
    if (!velocities_) return;
    velocities_->require_end();
    rows_.watch_end(velocities_->ends_within());
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
