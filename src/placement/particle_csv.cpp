// SPDX-License-Identifier: BSD-3-Clause
#include "placement/particle_csv.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "placement/text_rows.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

struct NamedColumn {
    std::string_view name;
    TextColumn column;
};

constexpr std::array<NamedColumn, 13> csv_columns{{{"id", {ColumnUse::id}},
                                                   {"species", {ColumnUse::species}},
                                                   {"x", {ColumnUse::position, 0}},
                                                   {"y", {ColumnUse::position, 1}},
                                                   {"z", {ColumnUse::position, 2}},
                                                   {"vx", {ColumnUse::velocity, 0}},
                                                   {"vy", {ColumnUse::velocity, 1}},
                                                   {"vz", {ColumnUse::velocity, 2}},
                                                   {"ix", {ColumnUse::image, 0}},
                                                   {"iy", {ColumnUse::image, 1}},
                                                   {"iz", {ColumnUse::image, 2}},
                                                   {"radius", {ColumnUse::radius}},
                                                   {"mass", {ColumnUse::mass}}}};
/// They tell frames apart; the first that a file has does.
constexpr std::array<std::string_view, 4> frame_columns{"frame", "step", "timestep", "time"};

TextColumn csv_column_named(std::string_view name) {
    for (const NamedColumn& known : csv_columns)
        if (same_word(known.name, name)) return known.column;
    return {};
}

struct Separator {
    char letter;
    std::string_view name;
};

/// The first that takes the header apart; within quotes none does.
Separator separator_of(std::string_view header) {
    std::vector<TextValue> names;
    for (const Separator& separator :
         {Separator{',', ""}, Separator{';', "semicolons"}, Separator{'\t', "tabs"}}) {
        split_line(header, separator.letter, names);
        if (names.size() > 1) return separator;
    }
    return {blanks, "blanks"};
}

/// The line that names the columns, taken apart.
struct Header {
    Separator separator{',', ""};
    std::vector<TextColumn> columns;
    std::vector<std::string> ignored;
    std::optional<std::size_t> frame_column;
    std::string_view frame_name;
};

class CsvRows final : public TableSource {
  public:
    CsvRows(OpenText open, const std::string& name, const std::vector<Species>& species, int dimension,
            std::optional<std::uint64_t> frame)
        : open_(std::move(open)),
          lines_(open_(), name),
          rows_(name, species, dimension, "the header"),
          wanted_(frame) {}

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        if (lines_.number() == 0) read_beginning();
        while (rows_.size() < most_rows && lines_.next_content()) read_row();
        if (rows_.size() == 0) check_end();
        return rows_.take(block);
    }
    std::vector<std::string> notes() const override;

  private:
    void read_beginning();
    void read_header();
    void find_frame_column();
    void find_last_frame();
    bool is_of_frame();
    void read_row();
    void check_end() const;

    OpenText open_;
    TextLines lines_;
    TextRows rows_;
    std::optional<std::uint64_t> wanted_;  ///< frame
    Header header_;
    std::string key_;                ///< of the frame that is read, in its column
    std::uint64_t num_frames_ = 0;   ///< of which the key was chosen; 0: it was not
    std::vector<TextValue> values_;  ///< of the present line
};

void CsvRows::read_beginning() {
    if (!lines_.next_content())
        throw InputError(lines_.name() + ": got no header, expected names of columns");
    read_header();
    rows_.set_columns(header_.columns, lines_.place());
    find_frame_column();
    if (!header_.frame_column) return;
    if (wanted_)
        key_ = text_of(*wanted_);
    else
        find_last_frame();
}

void CsvRows::read_header() {
    header_.separator = separator_of(lines_.line());
    split_line(lines_.line(), header_.separator.letter, values_);
    if (std::all_of(values_.begin(), values_.end(), [](const TextValue& v) { return real_number(v.text); }))
        throw InputError(lines_.place() +
                         "got numbers, expected a first line that names the columns, e.g. x,y,z");
    std::vector<std::string> repeated;
    for (const TextValue& value : values_) {
        const TextColumn column = csv_column_named(value.text);
        const auto is_same = [&](const TextColumn& other) {
            return other.use == column.use && other.axis == column.axis;
        };
        if (column.use != ColumnUse::ignored &&
            std::any_of(header_.columns.begin(), header_.columns.end(), is_same))
            repeated.push_back(lines_.place(value.column) + "got column \"" + excerpt(value.text) +
                               "\" twice, expected it once");
        header_.columns.push_back(column);
    }
    if (!repeated.empty()) throw InputError(joined_lines(repeated));
}

void CsvRows::find_frame_column() {
    const auto is_known = [](std::string_view text) {
        return std::any_of(frame_columns.begin(), frame_columns.end(),
                           [&](std::string_view name) { return same_word(name, text); });
    };
    for (const std::string_view name : frame_columns)
        for (std::size_t k = 0; k < values_.size() && !header_.frame_column; ++k)
            if (same_word(name, values_[k].text)) {
                header_.frame_column = k;
                header_.frame_name = name;
            }
    for (std::size_t k = 0; k < values_.size(); ++k)
        if (header_.columns[k].use == ColumnUse::ignored && !is_known(values_[k].text))
            header_.ignored.push_back(values_[k].text.empty() ? text_of("number ", k + 1)
                                                              : excerpt(values_[k].text));
    if (wanted_ && header_.frame_name != "frame")
        throw InputError(text_of(lines_.place(),
                                 "got no column frame, expected it because placement.frame is ", *wanted_));
}

/// Reads the whole text once. The largest number is that of the last frame, since lines may be sorted by particles.
void CsvRows::find_last_frame() {
    TextLines ahead(open_(), lines_.name());
    ahead.next_content();
    std::set<double> numbers;
    std::string latest;
    while (ahead.next_content()) {
        split_line(ahead.line(), header_.separator.letter, values_);
        if (*header_.frame_column >= values_.size()) continue;
        const TextValue& key = values_[*header_.frame_column];
        if (!numbers.empty() && key.text == latest) continue;
        latest = key.text;
        const auto number = real_number(key.text);
        if (!number)
            throw InputError(text_of(ahead.place(key.column), header_.frame_name, ": got ",
                                     key.text.empty() ? "nothing" : excerpt(key.text),
                                     ", expected a number"));
        if (numbers.empty() || *number > *numbers.rbegin()) key_ = latest;
        numbers.insert(*number);
    }
    num_frames_ = numbers.size();
}

/// Whether the present line is of the frame that is read. Lines too short to tell are, so that they are refused.
bool CsvRows::is_of_frame() {
    if (!header_.frame_column || *header_.frame_column >= values_.size()) return true;
    return values_[*header_.frame_column].text == key_;
}

void CsvRows::read_row() {
    split_line(lines_.line(), header_.separator.letter, values_);
    if (is_of_frame()) rows_.add(values_, lines_);
}

void CsvRows::check_end() const {
    rows_.throw_if_wrong();
    if (rows_.num_rows() > 0) return;
    if (wanted_ && header_.frame_column)
        throw InputError(text_of(lines_.name(), ": got no line of frame ", *wanted_,
                                 ", expected the number placement.frame in column frame"));
    throw InputError(lines_.name() + ": got a header alone, expected particles below it");
}

std::vector<std::string> CsvRows::notes() const {
    std::vector<std::string> notes;
    if (!header_.separator.name.empty())
        notes.push_back(text_of("columns are separated by ", header_.separator.name));
    std::string ignored;
    for (const std::string& name : header_.ignored) ignored += (ignored.empty() ? "" : ", ") + name;
    if (!ignored.empty())
        notes.push_back(text_of(header_.ignored.size() == 1 ? "column " : "columns ", ignored,
                                " without use here ", header_.ignored.size() == 1 ? "was" : "were",
                                " left out"));
    if (num_frames_ > 1)
        notes.push_back(text_of(header_.frame_name, " ", excerpt(key_), ", the last of ", num_frames_,
                                " frames, was read",
                                header_.frame_name == "frame" ? " (placement.frame chooses another)" : ""));
    for (const std::string& note : rows_.notes()) notes.push_back(note);
    return notes;
}

}  // namespace

std::unique_ptr<TableSource> parse_particle_csv(const OpenText& open, const std::string& name,
                                                const std::vector<Species>& species, int dimension,
                                                std::optional<std::uint64_t> frame) {
    return std::make_unique<CsvRows>(open, name, species, dimension, frame);
}

std::unique_ptr<TableSource> open_particle_csv(const std::string& path, const std::vector<Species>& species,
                                               int dimension) {
    return parse_particle_csv([path] { return text_of_file(path); }, path, species, dimension);
}

}  // namespace ricochet
