// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/io/particle_csv.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "ricochet/core/error.hpp"
#include "ricochet/core/offenders.hpp"
#include "ricochet/core/text.hpp"

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

/// Walks through the lines that hold something, counting all.
class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(text) {
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
    }
    bool next() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            const std::string_view content = trimmed(line_);
            if (!content.empty() && content.front() != '#') return true;
        }
        return false;
    }
    std::string_view line() const { return line_; }
    std::uint64_t number() const { return number_; }

  private:
    std::string_view rest_, line_;
    std::uint64_t number_ = 0;
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

class Parser {
  public:
    Parser(const std::string& name, const std::vector<Species>& species, int dimension)
        : species_(species), dimension_(dimension) {
        table_.places.file = name;
        table_.places.column_of.fill(-1);
    }

    ParticleTable parse(std::string_view text) {
        Lines lines(text);
        if (!lines.next())
            throw InputError(table_.places.file + ": got no header, expected names of columns");
        read_header(lines);
        check_columns(lines.number());
        throw_if_any();
        while (lines.next()) read_row(lines);
        if (table_.particles.size() == 0 && wrong_lengths_.count() == 0)
            messages_.push_back(table_.places.file + ": got a header alone, expected particles below it");
        wrong_lengths_.report(messages_, table_.places.file, "lines of another length");
        wrong_numbers_.report(messages_, table_.places.file, "values that are no numbers");
        wrong_names_.report(messages_, table_.places.file, "unknown species");
        throw_if_any();
        return std::move(table_);
    }

  private:
    void read_header(const Lines& lines);
    void check_columns(std::uint64_t line);
    void read_row(const Lines& lines);
    void read_value(Field field, const Value& value, std::uint64_t line, Motion& motion,
                    Attributes& attributes);
    void read_species(const Value& value, std::uint64_t line, Attributes& attributes);

    bool has(Field field) const { return table_.places.column_of[static_cast<std::size_t>(field)] >= 0; }
    std::string place(std::uint64_t line, std::uint32_t column) const {
        return text_of(table_.places.file, ":", line, ":", column, ": ");
    }
    void throw_if_any() const {
        if (!messages_.empty()) throw InputError(joined_lines(messages_));
    }

    const std::vector<Species>& species_;
    int dimension_;
    ParticleTable table_;
    std::vector<Field> fields_;  ///< of the columns
    std::vector<Value> values_;  ///< of the present line
    std::vector<std::string> messages_;
    Offenders wrong_lengths_, wrong_numbers_, wrong_names_;
};

void Parser::read_header(const Lines& lines) {
    split(lines.line(), values_);
    for (const Value& value : values_) {
        const std::optional<Field> field = field_named(value.text);
        const std::string got =
            place(lines.number(), value.column) + "got column \"" + std::string(value.text);
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

void Parser::check_columns(std::uint64_t line) {
    std::vector<Field> needed{Field::x, Field::y};
    if (dimension_ == 3) needed.push_back(Field::z);
    table_.has_velocity = has(Field::vx) || has(Field::vy) || has(Field::vz);
    if (table_.has_velocity) {
        needed.insert(needed.end(), {Field::vx, Field::vy});
        if (dimension_ == 3) needed.push_back(Field::vz);
    }
    for (const Field field : needed)
        if (!has(field))
            messages_.push_back(place(line, 1) + "got no column " + std::string(to_string(field)) +
                                ", expected it in " + (dimension_ == 3 ? "three" : "two") + " dimensions" +
                                (field >= Field::vx ? " beside other velocities" : ""));
    table_.has_id = has(Field::id);
    table_.has_species = has(Field::species);
    table_.has_radius = has(Field::radius);
    table_.has_mass = has(Field::mass);
}

void Parser::read_row(const Lines& lines) {
    split(lines.line(), values_);
    if (values_.size() != fields_.size()) {
        wrong_lengths_.add([&] {
            return place(lines.number(), 1) +
                   text_of("got ", values_.size(), " values, expected ", fields_.size(), " as in the header");
        });
        return;
    }
    Motion motion;
    Attributes attributes;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        read_value(fields_[k], values_[k], lines.number(), motion, attributes);
        table_.places.text_columns.push_back(values_[k].column);
    }
    table_.places.lines.push_back(lines.number());
    table_.particles.push_back(motion, attributes, {});
}

void Parser::read_value(Field field, const Value& value, std::uint64_t line, Motion& motion,
                        Attributes& attributes) {
    if (field == Field::species) return read_species(value, line, attributes);
    const auto refuse = [&](const char* expected) {
        wrong_numbers_.add([&] {
            return place(line, value.column) + std::string(to_string(field)) + ": got " +
                   (value.text.empty() ? "nothing" : std::string(value.text)) + ", expected " + expected;
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

void Parser::read_species(const Value& value, std::uint64_t line, Attributes& attributes) {
    for (std::size_t s = 0; s < species_.size(); ++s)
        if (species_[s].name == value.text) {
            attributes.species = static_cast<SpeciesIndex>(s);
            return;
        }
    wrong_names_.add([&] {
        std::string known;
        for (const Species& s : species_) known += (known.empty() ? "" : ", ") + s.name;
        return place(line, value.column) + "species: got " +
               (value.text.empty() ? "nothing" : std::string(value.text)) + ", expected one of " + known;
    });
}

/// The whole file. Not by stream iterators: they report no error, or one without a reason.
std::string content_of(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    std::string text;
    std::array<char, 1 << 16> buffer;
    std::size_t got = 0;
    if (file)
        while ((got = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0)
            text.append(buffer.data(), got);
    if (!file || std::ferror(file.get()))
        throw InputError(path + ": cannot be read: " + std::strerror(errno));
    return text;
}

}  // namespace

ParticleTable parse_particle_csv(std::string_view text, const std::string& name,
                                 const std::vector<Species>& species, int dimension) {
    return Parser(name, species, dimension).parse(text);
}

ParticleTable read_particle_csv(const std::string& path, const std::vector<Species>& species, int dimension) {
    return parse_particle_csv(content_of(path), path, species, dimension);
}

}  // namespace ricochet
