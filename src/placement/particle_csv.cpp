// SPDX-License-Identifier: BSD-3-Clause
#include "placement/particle_csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "placement/text_rows.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

/// They tell frames apart; the first that a file has does.
constexpr std::array<std::string_view, 5> frame_columns{"frame", "step", "timestep", "time", "t"};

bool tells_frames(std::string_view text) {
    return std::any_of(frame_columns.begin(), frame_columns.end(),
                       [&](std::string_view name) { return same_word(name, text); });
}

/// Coordinates are x, y, z, or have the names of ParaView.
TextColumn csv_column_named(std::string_view name) {
    constexpr std::array<std::string_view, 6> coordinates{"x", "y", "z", "Points:0", "Points:1", "Points:2"};
    TextColumn column = column_named(name);
    if (same_word(name, "species")) column.use = ColumnUse::species;
    if (same_word(name, "type")) column.use = ColumnUse::type;
    for (std::size_t k = 0; k < coordinates.size(); ++k)
        if (same_word(name, coordinates[k]))
            column = {ColumnUse::position, static_cast<int>(k % 3), column.name};
    return column;
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
    std::optional<std::size_t> frame_column;
    std::string_view frame_name;  ///< as in frame_columns
};

class CsvRows final : public TableSource {
  public:
    CsvRows(OpenText open, const std::string& name, const std::vector<Species>& species, int dimension,
            std::optional<std::uint64_t> frame, std::uint64_t num_bytes)
        : open_(std::move(open)),
          lines_(open_(), name),
          rows_(name, species, dimension, "as in the header"),
          wanted_(frame),
          num_bytes_(num_bytes) {}

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        if (lines_.number() == 0) read_beginning();
        while (rows_.size() < most_rows && next_line()) read_row();
        if (rows_.size() == 0) check_end();
        return rows_.take(block);
    }
    /// From the length of the lines so far.
    std::uint64_t expected_rows() const override {
        const std::uint64_t bytes_read = lines_.bytes_until_end();
        if (header_.frame_column || bytes_read == 0) return 0;
        return static_cast<std::uint64_t>(
            static_cast<double>(rows_.num_rows()) *
            (static_cast<double>(num_bytes_) / static_cast<double>(bytes_read)));
    }
    std::vector<std::string> notes() const override { return rows_.notes(); }

  private:
    void read_beginning();
    std::string find_header();
    bool next_line();
    void read_header(std::string_view header);
    void find_frame_column();
    std::vector<double> find_frames();
    void choose_frame();
    bool is_of_frame() const;
    void read_row();
    void check_end() const;

    OpenText open_;
    TextLines lines_;
    TextRows rows_;
    std::optional<std::uint64_t> wanted_;  ///< frame
    std::uint64_t num_bytes_;              ///< of the text; 0: not known
    Header header_;
    double key_ = 0;  ///< of the frame that is read, in its column
    bool is_named_by_comment_ = false;
    bool is_row_ = false;            ///< the present line is a row that has not been read
    std::vector<TextValue> values_;  ///< of the present line
};

bool has_numbers_only(std::string_view line) {
    std::vector<TextValue> values;
    split_line(line, separator_of(line).letter, values);
    return std::all_of(values.begin(), values.end(), [](const TextValue& v) { return real_number(v.text); });
}

bool names_coordinates(std::string_view line) {
    std::vector<TextValue> values;
    split_line(line, separator_of(line).letter, values);
    return std::any_of(values.begin(), values.end(), [](const TextValue& value) {
        const ColumnUse use = csv_column_named(value.text).use;
        return use == ColumnUse::position || use == ColumnUse::scaled_position;
    });
}

/// The first line of content. Where it names no coordinates, the comment before it, in which NumPy names columns.
std::string CsvRows::find_header() {
    std::string comment;
    while (lines_.next()) {
        const std::string_view content = trimmed(lines_.line());
        if (content.empty()) continue;
        if (content.front() == '#') {
            comment = content.substr(1);
            continue;
        }
        header_.separator = separator_of(content);
        if (names_coordinates(content)) return std::string(lines_.line());
        is_named_by_comment_ = names_coordinates(comment);
        if (is_named_by_comment_) return comment;
        const std::string got = has_numbers_only(content) ? "numbers" : "\"" + excerpt(content) + "\"";
        throw InputError(lines_.place() + "got " + got +
                         ", expected a first line that names the columns, e.g. x,y,z");
    }
    throw InputError(lines_.name() + ": got no header, expected names of columns");
}

bool CsvRows::next_line() { return std::exchange(is_row_, false) || lines_.next_content(); }

void CsvRows::read_beginning() {
    const std::string header = find_header();
    is_row_ = is_named_by_comment_;
    read_header(header);
    rows_.set_columns(header_.columns, lines_.place());
    find_frame_column();
    if (header_.frame_column) choose_frame();
}

void CsvRows::read_header(std::string_view header) {
    split_line(header, separator_of(header).letter, values_);
    std::vector<std::string> repeated;
    for (const TextValue& value : values_) {
        TextColumn column = csv_column_named(value.text);
        if (column.use == ColumnUse::type && rows_.has_one_species()) column.use = ColumnUse::ignored;
        if (value.text.empty()) column.name = text_of("number ", header_.columns.size() + 1);
        if (tells_frames(value.text)) column.name.clear();
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
    if (!header_.separator.name.empty())
        rows_.note(text_of("columns are separated by ", header_.separator.name));
}

void CsvRows::find_frame_column() {
    for (const std::string_view name : frame_columns)
        for (std::size_t k = 0; k < values_.size() && !header_.frame_column; ++k)
            if (same_word(name, values_[k].text)) {
                header_.frame_column = k;
                header_.frame_name = name;
            }
    if (wanted_ && !header_.frame_column)
        throw InputError(text_of(lines_.place(),
                                 "got no column frame, step or time, expected one because "
                                 "placement.frame is ",
                                 *wanted_));
}

/// Reads the whole text once, since lines may be sorted by particles. Returns the numbers of its frames, ascending.
std::vector<double> CsvRows::find_frames() {
    TextLines ahead(open_(), lines_.name());
    if (!is_named_by_comment_) ahead.next_content();
    std::set<double> numbers;
    std::string latest;
    while (ahead.next_content()) {
        split_line(ahead.line(), header_.separator.letter, values_);
        if (*header_.frame_column >= values_.size()) continue;
        const TextValue& key = values_[*header_.frame_column];
        if (!numbers.empty() && key.text == latest) continue;
        latest = key.text;
        const auto number = real_number(key.text);
        if (!number || !std::isfinite(*number))
            throw InputError(text_of(ahead.place(key.column), header_.frame_name, ": got ",
                                     key.text.empty() ? "nothing" : excerpt(key.text),
                                     number ? ", expected a finite number" : ", expected a number"));
        numbers.insert(*number);
    }
    return {numbers.begin(), numbers.end()};
}

/// The last frame by default. placement.frame is the number itself in a column frame. Frames that another column tells
/// are counted from 0.
void CsvRows::choose_frame() {
    const std::vector<double> frames = find_frames();
    if (frames.empty()) return;  // the end of the text says it
    const bool is_by_number = wanted_ && header_.frame_name == "frame";
    std::uint64_t chosen = wanted_.value_or(frames.size() - 1);
    if (is_by_number) {
        const auto found = std::find(frames.begin(), frames.end(), static_cast<double>(*wanted_));
        chosen = static_cast<std::uint64_t>(found - frames.begin());
    }
    if (chosen >= frames.size())
        throw InputError(text_of(
            lines_.name(), ": got ", frames.size(), " frames, of ", header_.frame_name, " ",
            exact_text(frames.front()), " to ", exact_text(frames.back()), ", expected one of number ",
            *wanted_, is_by_number ? " as placement.frame is" : ", counted from 0, as placement.frame is"));
    key_ = frames[chosen];
    if (frames.size() == 1 || is_by_number) return;
    const std::string which = wanted_ ? text_of("number ", chosen, " (from 0)") : "the last";
    rows_.note(text_of(header_.frame_name, " ", exact_text(key_), ", ", which, " of ", frames.size(),
                       " frames, was read", wanted_ ? "" : " (placement.frame chooses another)"));
}

/// Whether the present line is of the frame that is read. Lines too short to tell are, so that they are refused.
bool CsvRows::is_of_frame() const {
    if (!header_.frame_column || *header_.frame_column >= values_.size()) return true;
    return real_number(values_[*header_.frame_column].text) == key_;
}

void CsvRows::read_row() {
    split_line(lines_.line(), header_.separator.letter, values_);
    rows_.watch_end(lines_.ends_within());
    if (is_of_frame()) rows_.add(values_, lines_);
}

void CsvRows::check_end() const {
    rows_.throw_if_wrong();
    if (rows_.num_rows() == 0)
        throw InputError(lines_.name() + ": got a header alone, expected particles below it");
}

}  // namespace

std::unique_ptr<TableSource> parse_particle_csv(const OpenText& open, const std::string& name,
                                                const std::vector<Species>& species, int dimension,
                                                std::optional<std::uint64_t> frame, std::uint64_t num_bytes) {
    return std::make_unique<CsvRows>(open, name, species, dimension, frame, num_bytes);
}

std::unique_ptr<TableSource> open_particle_csv(const std::string& path, const std::vector<Species>& species,
                                               int dimension) {
    return parse_particle_csv([path] { return text_of_file(path); }, path, species, dimension);
}

}  // namespace ricochet
