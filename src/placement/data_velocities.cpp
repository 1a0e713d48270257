// SPDX-License-Identifier: BSD-3-Clause
#include "placement/data_velocities.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "placement/lammps_words.hpp"
#include "placement/text_rows.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

constexpr std::uint64_t most_sorted = std::uint64_t{1} << 23;

}  // namespace

DataVelocities::DataVelocities(OpenText open, const std::string& name, std::uint64_t first_line,
                               std::uint64_t num_atoms)
    : open_(std::move(open)),
      lines_(section(open_, name, first_line)),
      first_line_(first_line),
      num_atoms_(num_atoms) {}

TextLines DataVelocities::section(const OpenText& open, const std::string& name, std::uint64_t first_line) {
    TextLines lines(open(), name);
    while (lines.number() < first_line && lines.next()) continue;
    return lines;
}

bool DataVelocities::next(Row& row) {
    if (!lines_.next_content() || is_data_section(lines_.line())) return false;
    ends_within_ = ends_within_ || lines_.ends_within();
    split_line(without_comment(lines_.line()), blanks, values_);
    const auto id = values_.empty() ? std::nullopt : whole_number(values_[0].text);
    bool is_complete = id.has_value() && values_.size() >= 4;
    if (is_complete) row.id = *id;
    for (std::size_t axis = 0; axis < 3 && is_complete; ++axis) {
        const auto number = real_number(values_[axis + 1].text);
        is_complete = number.has_value();
        row.velocity[static_cast<int>(axis)] = number.value_or(0);
    }
    if (!is_complete)
        throw InputError(lines_.place() + "got " + excerpt(trimmed(lines_.line())) +
                         ", expected an id and three numbers");
    return true;
}

Vec3 DataVelocities::of(std::string_view id) {
    const std::int64_t wanted = whole_number(id).value_or(-1);
    Row row{};
    if (sorted_.empty()) {
        if (next(row) && row.id == wanted) return row.velocity;
        sort();
    }
    const auto before = [](const Row& one, std::int64_t other) { return one.id < other; };
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), wanted, before);
    if (found == sorted_.end() || found->id != wanted)
        throw InputError(text_of(lines_.name(), ":", first_line_, ": Velocities: got none of atom ",
                                 excerpt(id), ", expected one for each of ", num_atoms_, " atoms"));
    return found->velocity;
}

void DataVelocities::sort() {
    if (num_atoms_ > most_sorted)
        throw InputError(text_of(lines_.place(),
                                 "got velocities in another order than atoms, expected one order of ",
                                 num_atoms_, " atoms (other orders are read up to ", most_sorted, ")"));
    lines_ = section(open_, lines_.name(), first_line_);
    Row row{};
    while (sorted_.size() < num_atoms_ && next(row)) sorted_.push_back(row);
    std::sort(sorted_.begin(), sorted_.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
    const auto is_same = [](const Row& a, const Row& b) { return a.id == b.id; };
    const auto repeated = std::adjacent_find(sorted_.begin(), sorted_.end(), is_same);
    if (repeated != sorted_.end())
        throw InputError(text_of(lines_.name(), ":", first_line_, ": Velocities: got atom ", repeated->id,
                                 " twice, expected it once"));
}

void DataVelocities::require_end() {
    if (Row row{}; next(row))
        throw InputError(
            text_of(lines_.place(), "got more velocities, expected one for each of ", num_atoms_, " atoms"));
}

}  // namespace ricochet
