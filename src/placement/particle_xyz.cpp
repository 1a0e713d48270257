// SPDX-License-Identifier: BSD-3-Clause
#include "placement/particle_xyz.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "placement/text_rows.hpp"
#include "placement/xyz_comment.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

struct Property {
    std::string_view name;
    ColumnUse use;
};

constexpr std::array<Property, 19> xyz_properties{{{"species", ColumnUse::species},
                                                   {"element", ColumnUse::species},
                                                   {"elements", ColumnUse::species},
                                                   {"symbols", ColumnUse::species},
                                                   {"pos", ColumnUse::position},
                                                   {"position", ColumnUse::position},
                                                   {"positions", ColumnUse::position},
                                                   {"velo", ColumnUse::velocity},
                                                   {"vel", ColumnUse::velocity},
                                                   {"velocity", ColumnUse::velocity},
                                                   {"velocities", ColumnUse::velocity},
                                                   {"id", ColumnUse::id},
                                                   {"radius", ColumnUse::radius},
                                                   {"radii", ColumnUse::radius},
                                                   {"mass", ColumnUse::mass},
                                                   {"masses", ColumnUse::mass},
                                                   {"image", ColumnUse::image},
                                                   {"images", ColumnUse::image},
                                                   {"periodic_image", ColumnUse::image}}};

ColumnUse xyz_use(std::string_view name, std::string_view letter) {
    if (same_word(name, "type")) return letter == "S" ? ColumnUse::species : ColumnUse::type;
    for (const Property& known : xyz_properties)
        if (same_word(known.name, name)) return known.use;
    return ColumnUse::ignored;
}

bool has_axes(ColumnUse use) {
    return use == ColumnUse::position || use == ColumnUse::velocity || use == ColumnUse::image;
}

class XyzRows final : public TableSource {
  public:
    XyzRows(OpenText open, const std::string& name, const std::vector<Species>& species, int dimension,
            std::optional<std::uint64_t> frame)
        : open_(std::move(open)),
          lines_(open_(), name),
          rows_(name, species, dimension, "as in Properties"),
          wanted_(frame) {
        rows_.accept_other_name();
    }

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        if (lines_.number() == 0) read_beginning();
        while (rows_.size() < most_rows && rows_.num_rows() < num_particles_) read_row();
        // What follows must be another frame: a row more than the first line says is none.
        if (rows_.num_rows() == num_particles_ && rows_.size() > 0 && has_frame(lines_)) read_count(lines_);
        if (rows_.size() == 0) rows_.throw_if_wrong();
        return rows_.take(block);
    }
    std::vector<std::string> notes() const override { return rows_.notes(); }

  private:
    static bool has_frame(TextLines& lines);
    static std::uint64_t read_count(const TextLines& lines);
    static std::uint64_t skip_frames(TextLines& lines, std::uint64_t most);
    void find_last_frame();
    void read_beginning();
    void read_comment();
    void read_properties(std::string_view properties);
    void read_row();
    void judge_first_name();

    OpenText open_;
    TextLines lines_;
    TextRows rows_;
    std::optional<std::uint64_t> wanted_;
    std::uint64_t num_particles_ = 0;
    std::vector<TextValue> values_;
};

/// Moves to the line with the number of particles of the next frame.
bool XyzRows::has_frame(TextLines& lines) {
    while (lines.next())
        if (!trimmed(lines.line()).empty()) return true;
    return false;
}

std::uint64_t XyzRows::read_count(const TextLines& lines) {
    const auto count = whole_number(trimmed(lines.line()));
    if (!count || *count < 0)
        throw InputError(lines.place() + "got " + excerpt(trimmed(lines.line())) +
                         ", expected the number of particles of a frame");
    return static_cast<std::uint64_t>(*count);
}

/// Returns how many frames there were, at most `most`.
std::uint64_t XyzRows::skip_frames(TextLines& lines, std::uint64_t most) {
    std::uint64_t num_frames = 0;
    for (; num_frames < most && has_frame(lines); ++num_frames) {
        const std::uint64_t num_lines = read_count(lines) + 1;
        for (std::uint64_t k = 0; k < num_lines && lines.next(); ++k) continue;
    }
    return num_frames;
}

void XyzRows::find_last_frame() {
    TextLines ahead(open_(), lines_.name());
    const std::uint64_t num_frames = skip_frames(ahead, ~std::uint64_t{0});
    wanted_ = std::max<std::uint64_t>(num_frames, 1) - 1;
    rows_.note_last_frame(num_frames);
}

void XyzRows::read_beginning() {
    if (!wanted_) find_last_frame();
    const std::uint64_t num_before = skip_frames(lines_, *wanted_);
    if (num_before < *wanted_ || !has_frame(lines_))
        throw InputError(text_of(lines_.name(), ": got ", num_before, " frames, expected one of number ",
                                 *wanted_, ", counted from 0"));
    num_particles_ = read_count(lines_);
    if (num_particles_ == 0)
        throw InputError(text_of(lines_.place(), "got 0 particles in frame ", *wanted_, ", expected some"));
    if (!lines_.next()) throw InputError(lines_.place() + "got no comment, expected a line of it");
    read_comment();
}

void XyzRows::read_comment() {
    if (const auto properties = xyz_value(lines_.line(), "Properties"))
        read_properties(properties->substr(0, properties->find_first_of(" \t")));
    else {
        rows_.set_columns({{ColumnUse::species},
                           {ColumnUse::position, 0},
                           {ColumnUse::position, 1},
                           {ColumnUse::position, 2}},
                          lines_.place());
        rows_.accept_longer_rows("for a name and three coordinates");
    }
    rows_.claims().box = xyz_box(lines_.line(), lines_.place());
    rows_.claims().units = xyz_units(lines_.line());
}

void XyzRows::read_properties(std::string_view properties) {
    std::vector<TextValue> words;
    split_line(properties, ':', words);
    if (words.size() % 3 != 0)
        throw InputError(lines_.place() + "Properties: got " + excerpt(properties) +
                         ", expected name:type:number of columns for each");
    std::vector<TextColumn> columns;
    std::vector<ColumnUse> seen;
    for (std::size_t k = 0; k + 2 < words.size(); k += 3) {
        const auto count = whole_number(words[k + 2].text);
        if (!count || *count < 1 || *count > 1000)
            throw InputError(lines_.place() + "Properties: got " + excerpt(words[k + 2].text) +
                             " columns of " + excerpt(words[k].text) + ", expected 1 to 1000");
        ColumnUse use = xyz_use(words[k].text, words[k + 1].text);
        if (*count != 1 && (!has_axes(use) || *count > 3)) use = ColumnUse::ignored;
        if (std::find(seen.begin(), seen.end(), use) != seen.end()) use = ColumnUse::ignored;
        if (use == ColumnUse::type && rows_.has_one_species()) use = ColumnUse::ignored;
        if (use != ColumnUse::ignored) seen.push_back(use);
        for (int axis = 0; axis < static_cast<int>(*count); ++axis)
            columns.push_back({use, axis, std::string(words[k].text)});
    }
    rows_.set_columns(columns, lines_.place());
}

void XyzRows::read_row() {
    if (!lines_.next())
        throw InputError(text_of(lines_.name(), ": got ", rows_.num_rows(), " particles of frame ", *wanted_,
                                 ", expected ", num_particles_,
                                 " as its first line says; placement.frame chooses a complete one"));
    split_line(lines_.line(), blanks, values_);
    if (rows_.num_rows() == 0) judge_first_name();
    rows_.add(values_, lines_);
}

/// LAMMPS and OVITO write numbers of types where they know no names. Coordinates without a name are refused.
void XyzRows::judge_first_name() {
    std::vector<TextColumn> columns = rows_.columns();
    const auto is_species = [](const TextColumn& column) { return column.use == ColumnUse::species; };
    const auto species = std::find_if(columns.begin(), columns.end(), is_species);
    const auto k = static_cast<std::size_t>(species - columns.begin());
    if (k >= values_.size() || species == columns.end() || rows_.knows_species(values_[k].text)) return;
    const std::string_view name = values_[k].text;
    if (real_number(name) && !whole_number(name))
        throw InputError(lines_.place(values_[k].column) + "got " + excerpt(name) +
                         ", expected the name of a species before its coordinates");
    if (!whole_number(name) || rows_.has_one_species()) return;
    species->use = ColumnUse::type;
    rows_.set_columns(columns, lines_.place());
}

}  // namespace

std::unique_ptr<TableSource> parse_particle_xyz(const OpenText& open, const std::string& name,
                                                const std::vector<Species>& species, int dimension,
                                                std::optional<std::uint64_t> frame) {
    return std::make_unique<XyzRows>(open, name, species, dimension, frame);
}

}  // namespace ricochet
