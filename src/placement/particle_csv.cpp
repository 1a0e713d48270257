// SPDX-License-Identifier: BSD-3-Clause
#include "placement/particle_csv.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/offenders.hpp"
#include "core/text.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

struct Value {
    std::string_view text;     ///< without blanks around it
    std::uint32_t column = 1;  ///< where it begins in its line, from 1
};

void split(std::string_view line, std::vector<Value>& values) {
    values.clear();
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t comma = std::min(line.find(',', begin), line.size());
        const std::string_view text = trimmed(line.substr(begin, comma - begin));
        const std::size_t start = text.empty() ? begin : static_cast<std::size_t>(text.data() - line.data());
        values.push_back({text, static_cast<std::uint32_t>(start + 1)});
        begin = comma + 1;
    }
}

/// Iterates over the non-empty lines of a text, and counts all. In memory are two pieces of the text, and the
/// longest line. Its length has a limit, because a file without line ends is no CSV.
class Lines {
  public:
    Lines(ReadText read, std::string name) : read_(std::move(read)), name_(std::move(name)) {}

    bool next() {
        while (next_line()) {
            const std::string_view content = trimmed(line_);
            if (!content.empty() && content.front() != '#') return true;
        }
        return false;
    }
    std::string_view line() const { return line_; }  ///< valid until the next one
    std::uint64_t number() const { return number_; }

  private:
    bool next_line() {
        std::size_t end = text_.find('\n', begin_);
        while (end == std::string::npos && !is_at_end_) end = read_more();
        if (end == std::string::npos && begin_ == text_.size()) return false;
        line_ = std::string_view(text_).substr(begin_, std::min(end, text_.size()) - begin_);
        begin_ += std::min(line_.size() + 1, text_.size() - begin_);
        if (++number_ == 1) skip_byte_order_mark();
        return true;
    }
    /// The end of the line that begins at begin_, if it has been read.
    std::size_t read_more() {
        text_.erase(0, begin_);
        begin_ = 0;
        const std::size_t length = text_.size();
        if (length > most_line_bytes)
            throw InputError(
                text_of(name_, ":", number_ + 1, ": got a line of more than 1 MB, expected CSV"));
        text_.resize(length + piece_bytes);
        const std::size_t got = read_(std::span(text_.data() + length, piece_bytes));
        text_.resize(length + got);
        is_at_end_ = got == 0;
        return text_.find('\n', length);
    }
    void skip_byte_order_mark() {
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        if (line_.starts_with(byte_order_mark)) line_.remove_prefix(byte_order_mark.size());
    }

    static constexpr std::size_t piece_bytes = std::size_t{1} << 18, most_line_bytes = 1'000'000;

    ReadText read_;
    std::string name_;  ///< of the file
    std::string text_;
    std::size_t begin_ = 0;  ///< of the part that has not been returned
    std::string_view line_;
    std::uint64_t number_ = 0;
    bool is_at_end_ = false;
};

std::optional<Field> field_named(std::string_view name) {
    for (std::size_t k = 0; k < num_fields; ++k)
        if (name == to_string(static_cast<Field>(k))) return static_cast<Field>(k);
    return std::nullopt;
}

template <class Number>
std::optional<Number> number_from(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

class Parser final : public TableSource {
  public:
    Parser(ReadText read, const std::string& name, const std::vector<Species>& species, int dimension)
        : lines_(std::move(read), name), species_(species), dimension_(dimension) {
        table_.places.file = name;
        table_.places.column_of.fill(-1);
    }

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        if (lines_.number() == 0) read_beginning();
        while (table_.particles.size() < most_rows && lines_.next()) read_row();
        if (table_.particles.size() == 0) throw_at_end();
        num_rows_ += table_.particles.size();
        const bool has_rows = table_.particles.size() > 0;
        block = table_;
        table_.particles = {};
        table_.places.lines.clear();
        table_.places.text_columns.clear();
        return has_rows;
    }

  private:
    void read_beginning();
    void read_header();
    void check_columns();
    void read_row();
    void throw_at_end();
    void read_value(Field field, const Value& value, Motion& motion, Attributes& attributes);
    void read_species(const Value& value, Attributes& attributes);

    bool has(Field field) const { return table_.places.column_of[static_cast<std::size_t>(field)] >= 0; }
    std::string place(std::uint32_t column) const {
        return text_of(table_.places.file, ":", lines_.number(), ":", column, ": ");
    }
    void throw_if_any() const {
        if (!messages_.empty()) throw InputError(joined_lines(messages_));
    }

    Lines lines_;
    std::vector<Species> species_;
    int dimension_;
    ParticleTable table_;  ///< the block that is being read
    std::uint64_t num_rows_ = 0;
    std::vector<Field> fields_;  ///< of the columns
    std::vector<Value> values_;  ///< of the present line
    std::vector<std::string> messages_;
    Offenders wrong_lengths_, wrong_numbers_, wrong_names_;
};

void Parser::read_beginning() {
    if (!lines_.next()) throw InputError(table_.places.file + ": got no header, expected names of columns");
    read_header();
    check_columns();
    throw_if_any();
}

void Parser::throw_at_end() {
    if (num_rows_ == 0 && wrong_lengths_.count() == 0)
        messages_.push_back(table_.places.file + ": got a header alone, expected particles below it");
    wrong_lengths_.report(messages_, table_.places.file, "lines of another length");
    wrong_numbers_.report(messages_, table_.places.file, "values that are no numbers");
    wrong_names_.report(messages_, table_.places.file, "unknown species");
    throw_if_any();
}

void Parser::read_header() {
    split(lines_.line(), values_);
    for (const Value& value : values_) {
        const std::optional<Field> field = field_named(value.text);
        const std::string got = place(value.column) + "got column \"" + excerpt(value.text);
        if (!field) {
            messages_.push_back(got + "\", expected id, species, x, y, z, vx, vy, vz, radius or mass");
            continue;
        }
        if (has(*field)) messages_.push_back(got + "\" twice, expected it once");
        table_.places.column_of[static_cast<std::size_t>(*field)] = static_cast<int>(fields_.size());
        fields_.push_back(*field);
    }
    table_.places.num_columns = values_.size();
}

void Parser::check_columns() {
    std::vector<Field> needed{Field::x, Field::y};
    if (dimension_ == 3) needed.push_back(Field::z);
    table_.has_velocity = has(Field::vx) || has(Field::vy) || has(Field::vz);
    if (table_.has_velocity) {
        needed.insert(needed.end(), {Field::vx, Field::vy});
        if (dimension_ == 3) needed.push_back(Field::vz);
    }
    for (const Field field : needed)
        if (!has(field))
            messages_.push_back(place(1) + "got no column " + std::string(to_string(field)) +
                                ", expected it in " + (dimension_ == 3 ? "three" : "two") + " dimensions" +
                                (field >= Field::vx ? " beside other velocities" : ""));
    table_.has_id = has(Field::id);
    table_.has_species = has(Field::species);
    table_.has_radius = has(Field::radius);
    table_.has_mass = has(Field::mass);
}

void Parser::read_row() {
    split(lines_.line(), values_);
    if (values_.size() != fields_.size()) {
        wrong_lengths_.add([&] {
            return place(1) +
                   text_of("got ", values_.size(), " values, expected ", fields_.size(), " as in the header");
        });
        return;
    }
    Motion motion;
    Attributes attributes;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        read_value(fields_[k], values_[k], motion, attributes);
        table_.places.text_columns.push_back(values_[k].column);
    }
    table_.places.lines.push_back(lines_.number());
    table_.particles.push_back(motion, attributes, {});
}

void Parser::read_value(Field field, const Value& value, Motion& motion, Attributes& attributes) {
    if (field == Field::species) return read_species(value, attributes);
    const auto refuse = [&](const char* expected) {
        wrong_numbers_.add([&] {
            return place(value.column) + std::string(to_string(field)) + ": got " +
                   (value.text.empty() ? "nothing" : excerpt(value.text)) + ", expected " + expected;
        });
    };
    if (field == Field::id) {
        const auto id = number_from<ParticleId>(value.text);
        if (!id) return refuse("a whole number from 0 to 2^63 - 1");
        motion.id = *id;
        return;
    }
    const auto number = number_from<double>(value.text);
    if (!number) return refuse("a number");
    const int k = static_cast<int>(field);
    if (field == Field::radius)
        attributes.radius = *number;
    else if (field == Field::mass)
        attributes.mass = *number;
    else if (field >= Field::vx)
        motion.velocity[k - static_cast<int>(Field::vx)] = *number;
    else
        motion.position[k - static_cast<int>(Field::x)] = *number;
}

void Parser::read_species(const Value& value, Attributes& attributes) {
    for (std::size_t s = 0; s < species_.size(); ++s)
        if (species_[s].name == value.text) {
            attributes.species = static_cast<SpeciesIndex>(s);
            return;
        }
    wrong_names_.add([&] {
        return place(value.column) + "species: got " +
               (value.text.empty() ? "nothing" : excerpt(value.text)) + ", expected one of " +
               names_of(species_);
    });
}

/// Text of a file, piece by piece. Stream iterators will not do: they report errors without a reason, or not
/// at all.
ReadText text_of_file(const std::string& path) {
    const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"),
                                          [](std::FILE* opened) { return opened ? std::fclose(opened) : 0; });
    const auto refuse = [path] { throw InputError(path + ": cannot be read: " + std::strerror(errno)); };
    if (!file) refuse();
    return [file, refuse](std::span<char> piece) {
        const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get());
        if (std::ferror(file.get())) refuse();
        return got;
    };
}

}  // namespace

std::unique_ptr<TableSource> parse_particle_csv(ReadText read, const std::string& name,
                                                const std::vector<Species>& species, int dimension) {
    return std::make_unique<Parser>(std::move(read), name, species, dimension);
}

std::unique_ptr<TableSource> open_particle_csv(const std::string& path, const std::vector<Species>& species,
                                               int dimension) {
    return parse_particle_csv(text_of_file(path), path, species, dimension);
}

}  // namespace ricochet
