// SPDX-License-Identifier: BSD-3-Clause
#include "placement/text_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <system_error>
#include <type_traits>
#include <utility>

#include "core/text.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

template <class Number>
std::optional<Number> number_from(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

constexpr std::string_view exponent_letters = "eEdD";

/// A whole number, also as tables of real numbers have it: 7 or 7.000e+00.
template <class Integer>
std::optional<Integer> counted(std::string_view text) {
    if (const auto whole = number_from<Integer>(text)) return whole;
    constexpr double most = std::min(0x1p53, static_cast<double>(std::numeric_limits<Integer>::max()));
    const auto real = real_number(text);
    if (!real || !(std::abs(*real) <= most)) return std::nullopt;
    const auto whole = static_cast<std::int64_t>(*real);
    if (static_cast<double>(whole) != *real || (std::is_unsigned_v<Integer> && whole < 0))
        return std::nullopt;
    return static_cast<Integer>(whole);
}

std::string quoted_or_nothing(std::string_view text) { return text.empty() ? "nothing" : excerpt(text); }

}  // namespace

std::optional<double> real_number(std::string_view text) {
    if (const auto number = number_from<double>(text)) return number;
    const std::size_t letter = text.find_first_of("dD");  // Fortran's
    if (letter == std::string_view::npos) return std::nullopt;
    std::string with_e(text);
    with_e[letter] = 'e';
    return number_from<double>(with_e);
}

std::optional<std::int64_t> whole_number(std::string_view text) { return number_from<std::int64_t>(text); }

void DigitCount::add(std::string_view number) {
    constexpr std::size_t none = std::string_view::npos;
    std::size_t point = none, first = none, end = 0;
    int num_digits = 0, exponent = 0;
    for (; end < number.size() && exponent_letters.find(number[end]) == none; ++end) {
        const char letter = number[end];
        if (letter == '.' && point == none) point = end;
        if (letter < '0' || letter > '9' || (num_digits == 0 && letter == '0')) continue;
        if (num_digits++ == 0) first = end;
    }
    if (num_digits == 0) return;
    if (end < number.size())
        exponent = static_cast<int>(number_from<std::int16_t>(number.substr(end + 1)).value_or(0));
    if (point == none) point = end;
    exponent += static_cast<int>(point) - static_cast<int>(first) - (first < point ? 1 : 0);
    most_digits_ = std::max(most_digits_, num_digits);
    largest_exponent_ = std::max(largest_exponent_.value_or(exponent), exponent);
}

double DigitCount::resolution() const {
    if (!largest_exponent_) return 0;
    return number_from<double>(text_of("1e", *largest_exponent_ + 1 - most_digits_)).value_or(0);
}

TextRows::TextRows(std::string file, const std::vector<Species>& species, int dimension,
                   std::string columns_given_by)
    : species_(species), dimension_(dimension), columns_given_by_(std::move(columns_given_by)) {
    table_.places.file = std::move(file);
}

bool TextRows::has(ColumnUse use) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [&](const TextColumn& column) { return column.use == use; });
}

void TextRows::set_columns(const std::vector<TextColumn>& columns, const std::string& place) {
    columns_ = columns;
    if (has(ColumnUse::species))
        for (TextColumn& column : columns_)
            if (column.use == ColumnUse::type) column.use = ColumnUse::ignored;
    check_columns(place);
    remember_columns();
}

void TextRows::check_columns(const std::string& place) const {
    std::vector<std::string> messages;
    const auto require = [&](ColumnUse use, ColumnUse other, Field first) {
        for (int axis = 0; axis < dimension_; ++axis) {
            const auto count = std::count_if(columns_.begin(), columns_.end(), [&](const TextColumn& column) {
                return (column.use == use || column.use == other) && column.axis == axis;
            });
            const std::string name(to_string(static_cast<Field>(static_cast<int>(first) + axis)));
            if (count > 1) messages.push_back(text_of(place, "got several columns ", name, ", expected one"));
            if (count == 0)
                messages.push_back(text_of(place, "got no column ", name, ", expected it in ",
                                           dimension_ == 3 ? "three" : "two", " dimensions",
                                           use == ColumnUse::velocity ? " beside other velocities" : ""));
        }
    };
    require(ColumnUse::position, ColumnUse::scaled_position, Field::x);
    if (has(ColumnUse::velocity)) require(ColumnUse::velocity, ColumnUse::velocity, Field::vx);
    if (has(ColumnUse::scaled_position) && !table_.claims.box)
        messages.push_back(place + "got coordinates as parts of a box, expected the box before them");
    if (!messages.empty()) throw InputError(joined_lines(messages));
}

void TextRows::remember_columns() {
    table_.places.column_of.fill(-1);
    table_.places.num_columns = columns_.size();
    for (std::size_t k = 0; k < columns_.size(); ++k)
        if (columns_[k].use != ColumnUse::ignored && columns_[k].use != ColumnUse::image &&
            columns_[k].use != ColumnUse::element)
            table_.places.column_of[static_cast<std::size_t>(field_of(columns_[k]))] = static_cast<int>(k);
    has_types_ = has(ColumnUse::type);
    const auto is_element = [](const TextColumn& column) { return column.use == ColumnUse::element; };
    const auto element = std::find_if(columns_.begin(), columns_.end(), is_element);
    element_column_.reset();
    if (element != columns_.end()) element_column_ = static_cast<std::size_t>(element - columns_.begin());
    table_.has_id = has(ColumnUse::id) || has(ColumnUse::id_from_1);
    table_.has_species = has(ColumnUse::species) || has_types_;
    table_.has_velocity = has(ColumnUse::velocity);
    table_.has_radius = has(ColumnUse::radius) || has(ColumnUse::diameter);
    table_.has_mass = has(ColumnUse::mass) || has(ColumnUse::density);
    table_.has_image = has(ColumnUse::image);
}

void TextRows::set_masses(const std::vector<double>& masses) {
    masses_ = masses;
    table_.has_mass = true;
}

void TextRows::set_type_names(const std::vector<std::string>& names) {
    type_names_ = names;
    const bool is_known = std::any_of(
        names.begin(), names.end(), [&](const std::string& name) { return species_named(name).has_value(); });
    if (is_known) table_.species_names = names;
}

void TextRows::add(const std::vector<TextValue>& values, const TextLines& lines,
                   const std::optional<Vec3>& velocity) {
    ++num_rows_;
    watch_end(lines.ends_within());
    if (values.size() < columns_.size() || (values.size() > columns_.size() && !has_longer_rows_)) {
        wrong_lengths_.add([&] {
            return lines.place() + text_of("got ", values.size(), " values, expected ", columns_.size(), " ",
                                           columns_given_by_);
        });
        return;
    }
    if (values.size() > columns_.size()) ++num_longer_;
    Row row;
    row.motion.velocity = velocity.value_or(Vec3{});
    if (element_column_) read_element(values[*element_column_], lines, row);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        read_value(columns_[k], values[k], lines, row);
        table_.places.text_columns.push_back(values[k].column);
    }
    table_.places.lines.push_back(lines.number());
    table_.particles.push_back(row.motion, row.attributes, row.track);
}

void TextRows::refuse(const TextColumn& column, const TextValue& value, const TextLines& lines,
                      const std::string& expected) {
    wrong_numbers_.add([&] {
        return lines.place(value.column) + name_of(column) + ": got " + quoted_or_nothing(value.text) +
               ", expected " + expected;
    });
}

void TextRows::read_value(const TextColumn& column, const TextValue& value, const TextLines& lines,
                          Row& row) {
    if (column.use == ColumnUse::ignored || column.use == ColumnUse::element) return;
    if (column.use == ColumnUse::species) return read_species(value, lines, row);
    if (column.use == ColumnUse::type) return read_type(value, lines, row);
    if (column.use == ColumnUse::id || column.use == ColumnUse::id_from_1)
        return read_id(column, value, lines, row);
    if (column.use == ColumnUse::image) {
        const auto image = counted<std::int32_t>(value.text);
        if (!image) return refuse(column, value, lines, "a whole number");
        row.track.image[static_cast<std::size_t>(column.axis)] = *image;
        return;
    }
    auto number = number_from<double>(value.text);
    if (!number) {
        number = real_number(value.text);
        const bool has_comma = value.text.find(',') != std::string_view::npos;
        if (!number)
            return refuse(column, value, lines, has_comma ? "a number with a decimal point" : "a number");
        ++num_fortran_;
    }
    if ((column.use == ColumnUse::radius || column.use == ColumnUse::diameter) &&
        row.attributes.radius != 0 &&
        row.attributes.radius != (column.use == ColumnUse::radius ? *number : *number / 2))
        return refuse(column, value, lines,
                      "one size: the radius before it is " + exact_text(row.attributes.radius));
    store(column, value, *number, row);
}

void TextRows::read_id(const TextColumn& column, const TextValue& value, const TextLines& lines, Row& row) {
    const auto id = counted<ParticleId>(value.text);
    const bool is_from_1 = column.use == ColumnUse::id_from_1;
    if (!id || (is_from_1 && *id == 0))
        return refuse(column, value, lines,
                      is_from_1 ? "a whole number from 1 to 2^63" : "a whole number from 0 to 2^63 - 1");
    row.motion.id = *id - (is_from_1 ? 1 : 0);
}

std::optional<std::int64_t> TextRows::type_of(std::string_view text) const {
    if (const auto number = counted<std::int64_t>(text)) return number;
    const auto named = std::find(type_names_.begin(), type_names_.end(), text);
    if (named == type_names_.end()) return std::nullopt;
    return named - type_names_.begin() + 1;
}

std::optional<SpeciesIndex> TextRows::species_named(std::string_view name) const {
    for (std::size_t s = 0; s < species_.size(); ++s)
        if (species_[s].name == name) return static_cast<SpeciesIndex>(s);
    return std::nullopt;
}

void TextRows::read_element(const TextValue& value, const TextLines& lines, Row& row) {
    const auto species = species_named(value.text);
    row.attributes.species = species.value_or(0);
    if (!elements_count_) elements_count_ = species.has_value();
    if (*elements_count_ == species.has_value()) return;
    wrong_names_.add([&] {
        return lines.place(value.column) + columns_[*element_column_].name + ": got " +
               quoted_or_nothing(value.text) + ", expected " +
               (species ? "no species of the input, as in the rows above" : "one of " + names_of(species_));
    });
}

void TextRows::read_type(const TextValue& value, const TextLines& lines, Row& row) {
    const auto type = type_of(value.text);
    const bool has_names = !table_.species_names.empty();
    const std::size_t num_types = has_names ? table_.species_names.size() : species_.size();
    if (elements_count_.value_or(false)) return;
    if (!type || *type < 1 || static_cast<std::uint64_t>(*type) > num_types)
        return refuse({ColumnUse::type}, value, lines,
                      text_of("a whole number from 1 to ", num_types,
                              has_names ? ", the number of types" : ", the number of species"));
    row.attributes.species = static_cast<SpeciesIndex>(*type - 1);
    if (row.attributes.species < masses_.size()) row.attributes.mass = masses_[row.attributes.species];
}

void TextRows::read_species(const TextValue& value, const TextLines& lines, Row& row) {
    for (std::size_t s = 0; s < species_.size(); ++s)
        if (species_[s].name == value.text) {
            row.attributes.species = static_cast<SpeciesIndex>(s);
            if (other_name_.empty()) return;
        }
    if (takes_other_name_ && !value.text.empty()) {
        const bool is_first = num_rows_ == 1;
        if (is_first && species_.front().name != value.text) other_name_ = value.text;
        if (value.text == other_name_) return;
    }
    wrong_names_.add([&] {
        return lines.place(value.column) + "species: got " + quoted_or_nothing(value.text) + ", expected " +
               (other_name_.empty() ? "one of " + names_of(species_)
                                    : excerpt(other_name_) + " as before, for one species");
    });
}

double TextRows::unscaled(double part, int axis) const {
    const std::optional<StatedBox>& box = table_.claims.box;
    const auto k = static_cast<std::size_t>(axis);
    return box && k < box->edges.size() ? std::fma(part, box->edges[k], box->origin[axis]) : part;
}

void TextRows::store(const TextColumn& column, const TextValue& value, double number, Row& row) {
    switch (column.use) {
        case ColumnUse::position:
            digits_.add(value.text);
            row.motion.position[column.axis] = number;
            break;
        case ColumnUse::scaled_position:
            digits_.add(value.text);
            row.motion.position[column.axis] = unscaled(number, column.axis);
            break;
        case ColumnUse::velocity:
            row.motion.velocity[column.axis] = number;
            break;
        case ColumnUse::radius:
            row.attributes.radius = number;
            break;
        case ColumnUse::diameter:
            row.attributes.radius = number / 2;
            break;
        case ColumnUse::mass:
            row.attributes.mass = number;
            break;
        default: {
            const double radius = row.attributes.radius;
            row.attributes.mass = number * 4 / 3 * std::numbers::pi * radius * radius * radius;
        }
    }
}

bool TextRows::take(ParticleTable& block) {
    const bool has_rows = size() > 0;
    double largest_edge = 1;
    if (has(ColumnUse::scaled_position) && table_.claims.box)
        for (const double edge : table_.claims.box->edges) largest_edge = std::max(largest_edge, edge);
    table_.claims.resolution = digits_.resolution() * largest_edge;
    ParticleTable rows = std::move(block);
    rows.clear_rows();
    rows.swap_rows(table_);
    block = table_;
    block.swap_rows(rows);
    return has_rows;
}

void TextRows::throw_if_wrong() const {
    std::vector<std::string> messages;
    wrong_lengths_.report(messages, table_.places.file, "lines of another length");
    wrong_numbers_.report(messages, table_.places.file, "values that are no numbers");
    wrong_names_.report(messages, table_.places.file, "unknown species");
    if (!messages.empty()) throw InputError(joined_lines(messages));
}

void TextRows::note_last_frame(std::uint64_t num_frames) {
    if (num_frames > 1)
        note(text_of("frame ", num_frames - 1, ", the last of ", num_frames,
                     " frames, was read (placement.frame chooses another)"));
}

std::string TextRows::ignored_columns() const {
    std::string names, latest;
    for (const TextColumn& column : columns_) {
        if (column.use != ColumnUse::ignored || column.name.empty() || column.name == latest) continue;
        latest = column.name;
        names += (names.empty() ? "" : ", ") + excerpt(latest);
    }
    return names;
}

std::string TextRows::note_on_types() const {
    if (elements_count_.value_or(false))
        return "species were read by their names in column " + columns_[*element_column_].name;
    if (!table_.species_names.empty())
        return "types were read as species by the names that the file has for them";
    const bool has_other_names = element_column_ || !type_names_.empty();
    return "types, from 1, were read as species in the order of the input: " + names_of(species_) +
           (has_other_names ? "; none of the file's names for them is one of these" : "");
}

std::vector<std::string> TextRows::notes() const {
    std::vector<std::string> notes = notes_;
    if (const std::string ignored = ignored_columns(); !ignored.empty())
        notes.insert(notes.begin(), "columns without use here were left out: " + ignored);
    if (num_longer_ > 0)
        notes.push_back(
            text_of("values without a name were left out in ", num_longer_, " of ", num_rows_, " rows"));
    if (num_fortran_ > 0) notes.push_back(text_of(num_fortran_, " numbers like 6d0 were read as 6e0"));
    if (!other_name_.empty())
        notes.push_back(text_of("the only species is called ", excerpt(other_name_), " and was read as ",
                                excerpt(species_.front().name)));
    if (has_types_ && species_.size() > 1) notes.push_back(note_on_types());
    if (has(ColumnUse::id_from_1)) notes.emplace_back("ids, from 1, were lowered by 1");
    if (ends_within_line_)
        notes.emplace_back("its last line has no line end: if the file was cut, so was the last number");
    return notes;
}

}  // namespace ricochet
