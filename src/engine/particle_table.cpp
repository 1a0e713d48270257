// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/engine/particle_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ricochet/core/error.hpp"
#include "ricochet/core/offenders.hpp"
#include "ricochet/core/size_distribution.hpp"
#include "ricochet/core/text.hpp"
#include "ricochet/engine/box_fit.hpp"
#include "ricochet/engine/population.hpp"
#include "ricochet/geometry/overlap_census.hpp"

namespace ricochet {

namespace {

constexpr std::size_t overlap_search_limit = 1000;

Field field_at(Field first, int axis) { return static_cast<Field>(static_cast<int>(first) + axis); }

/// The checks one after another; each looks only at rows that the ones before it have not found unusable.
class Checker {
  public:
    Checker(ParticleTable& table, const Box& box, const std::vector<Species>& species, std::uint64_t seed)
        : table_(table),
          particles_(table.particles),
          places_(table.places),
          box_(box),
          species_(species),
          seed_(seed),
          is_usable_(table.particles.size(), true) {}

    void run(double overlap_tolerance) {
        check_ids();
        check_duplicate_ids();
        check_species();
        check_values();
        if (!messages_.empty()) return;  // sizes and counts would be guesses
        complete();
        check_counts();
        check_sizes();
        check_positions();
        check_overlaps(overlap_tolerance);
    }
    const std::vector<std::string>& messages() const { return messages_; }

  private:
    void check_ids();
    void check_duplicate_ids();
    void check_species();
    void check_values();
    void check_value(std::size_t row, Field field, double value, Offenders& offenders);
    void complete();
    void check_counts();
    void check_sizes();
    void check_positions();
    bool check_position(std::size_t row, int axis, Offenders& offenders);
    void check_overlaps(double tolerance);
    std::string overlap_message(std::size_t low, std::size_t high, double gap) const;

    void reject(std::size_t row, Field field, const std::string& got_and_expected, Offenders& offenders) {
        is_usable_[row] = false;
        offenders.add([&] {
            return places_.of(row, field) + std::string(to_string(field)) + ": got " + got_and_expected;
        });
    }
    std::size_t size() const { return particles_.size(); }

    ParticleTable& table_;
    Particles& particles_;
    const TablePlaces& places_;
    const Box& box_;
    const std::vector<Species>& species_;
    std::uint64_t seed_;
    std::vector<bool> is_usable_;
    std::vector<std::string> messages_;
};

void Checker::check_ids() {
    Offenders offenders;
    for (std::size_t row = 0; row < size(); ++row) {
        if (!table_.has_id) particles_.motion[row].id = row;
        const ParticleId id = particles_.motion[row].id;
        if (id >= first_wall_id)
            reject(row, Field::id, text_of(id, ", expected a number below 2^63"), offenders);
    }
    offenders.report(messages_, places_.file, "ids of 2^63 or more");
}

void Checker::check_duplicate_ids() {
    if (!table_.has_id) return;
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto id_and_row = [&](std::size_t row) { return std::pair(particles_.motion[row].id, row); };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return id_and_row(a) < id_and_row(b); });
    std::vector<std::pair<std::size_t, std::size_t>> repeats;  // (row, the row before it with the same id)
    for (std::size_t k = 1; k < size(); ++k)
        if (particles_.motion[order[k]].id == particles_.motion[order[k - 1]].id)
            repeats.emplace_back(order[k], order[k - 1]);
    std::sort(repeats.begin(), repeats.end());
    Offenders offenders;
    for (const auto& [row, earlier] : repeats)
        reject(row, Field::id,
               text_of(particles_.motion[row].id, ", the id of ", places_.of_row(earlier),
                       " too, expected ids to be unique"),
               offenders);
    offenders.report(messages_, places_.file, "repeated ids");
}

void Checker::check_species() {
    if (!table_.has_species && species_.size() > 1) {
        messages_.push_back(text_of(places_.file,
                                    ": species: got none, expected the species of each particle, as "
                                    "the input has ",
                                    species_.size()));
        return;
    }
    Offenders offenders;
    for (std::size_t row = 0; row < size(); ++row) {
        const SpeciesIndex index = particles_.attributes[row].species;
        if (index >= species_.size())
            reject(row, Field::species,
                   text_of(index, ", expected an index below ", species_.size(), ", the number of species"),
                   offenders);
    }
    offenders.report(messages_, places_.file, "unknown species");
}

void Checker::check_value(std::size_t row, Field field, double value, Offenders& offenders) {
    const bool is_positive_only = field == Field::radius || field == Field::mass;
    const bool must_vanish = box_.dimension == 2 && (field == Field::z || field == Field::vz);
    if (!std::isfinite(value) || (is_positive_only && value <= 0))
        reject(
            row, field,
            exact_text(value) + (is_positive_only ? ", expected a number > 0" : ", expected a finite number"),
            offenders);
    else if (must_vanish && value != 0)
        reject(row, field, exact_text(value) + ", expected 0 in two dimensions", offenders);
}

void Checker::check_values() {
    Offenders offenders;
    for (std::size_t row = 0; row < size(); ++row) {
        const Motion& motion = particles_.motion[row];
        for (int axis = 0; axis < 3; ++axis) {
            check_value(row, field_at(Field::x, axis), motion.position[axis], offenders);
            check_value(row, field_at(Field::vx, axis), motion.velocity[axis], offenders);
        }
        const Attributes& attributes = particles_.attributes[row];
        if (table_.has_radius) check_value(row, Field::radius, attributes.radius, offenders);
        if (table_.has_mass) check_value(row, Field::mass, attributes.mass, offenders);
    }
    offenders.report(messages_, places_.file, "values that cannot be used");
}

/// Fills in what the file left to the input.
void Checker::complete() {
    for (std::size_t row = 0; row < size(); ++row) {
        Motion& motion = particles_.motion[row];
        const Attributes given = particles_.attributes[row];
        const Species& species = species_[given.species];
        const double radius = table_.has_radius ? given.radius : radius_of(species, seed_, motion.id);
        motion.time = 0;
        for (int axis = 0; axis < box_.dimension; ++axis)
            if (box_.is_periodic(axis) && motion.position[axis] == box_.size[axis]) motion.position[axis] = 0;
        Attributes& complete = particles_.attributes[row];
        complete = make_attributes(species, given.species, radius);
        if (table_.has_mass) complete.mass = given.mass;
        Track& track = particles_.track[row];
        track = {motion.position, table_.has_image ? track.image : Track().image};
        for (int axis = 0; axis < box_.dimension; ++axis)
            track.origin[axis] +=
                static_cast<double>(track.image[static_cast<std::size_t>(axis)]) * box_.size[axis];
    }
}

void Checker::check_counts() {
    std::vector<std::uint64_t> counts(species_.size());
    for (const Attributes& attributes : particles_.attributes) ++counts[attributes.species];
    for (std::size_t s = 0; s < species_.size(); ++s)
        if (species_[s].count != 0 && species_[s].count != counts[s])
            messages_.push_back(text_of(places_.file, ": got ", counts[s], " particles of species ",
                                        species_[s].name, ", expected ", species_[s].count,
                                        ", its count in the input"));
}

void Checker::check_sizes() {
    double largest = 0, second_largest = 0;
    for (const Attributes& attributes : particles_.attributes) {
        second_largest = std::max(second_largest, std::min(largest, attributes.radius));
        largest = std::max(largest, attributes.radius);
    }
    for (const std::string& problem : size_problems(box_, largest, second_largest))
        messages_.push_back(problem);
}

bool Checker::check_position(std::size_t row, int axis, Offenders& offenders) {
    const double x = particles_.motion[row].position[axis], length = box_.size[axis];
    const double radius = particles_.attributes[row].radius;
    // Files are decimal: a particle that touches a wall may reach through it by rounding.
    const double slack = default_overlap_tolerance * radius;
    const bool is_inside =
        box_.is_periodic(axis) ? x >= 0 && x < length : x >= radius - slack && length - x >= radius - slack;
    if (is_inside) return true;
    reject(row, field_at(Field::x, axis),
           box_.is_periodic(axis)
               ? text_of(exact_text(x), ", expected a number in [0, ", exact_text(length), ")")
               : text_of(exact_text(x), ", expected a centre at least its radius ", exact_text(radius),
                         " from the walls at 0 and ", exact_text(length)),
           offenders);
    return false;
}

void Checker::check_positions() {
    Offenders offenders;
    for (std::size_t row = 0; row < size(); ++row)
        for (int axis = 0; axis < box_.dimension; ++axis)
            if (!check_position(row, axis, offenders)) break;
    offenders.report(messages_, places_.file, "particles outside the box");
}

std::string Checker::overlap_message(std::size_t low, std::size_t high, double gap) const {
    return text_of(places_.of(high, Field::x), "particle ", particles_.motion[high].id, " overlaps particle ",
                   particles_.motion[low].id, " of ", places_.of_row(low), ": got a gap of ", gap,
                   ", expected no less than 0");
}

void Checker::check_overlaps(double tolerance) {
    Particles usable;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < size(); ++row)
        if (is_usable_[row]) {
            usable.append(particles_, row);
            rows.push_back(row);
        }
    Offenders offenders;
    const std::vector<Overlap> overlaps = find_overlaps(box_, usable, tolerance, overlap_search_limit);
    for (const Overlap& o : overlaps)
        offenders.add([&] { return overlap_message(rows[o.first], rows[o.second], o.gap); });
    offenders.report(messages_, places_.file,
                     overlaps.size() < overlap_search_limit ? "overlaps" : "overlaps, at least");
}

}  // namespace

std::string_view to_string(Field field) {
    constexpr std::array<std::string_view, num_fields> names{"id", "species", "x",  "y",      "z",
                                                             "vx", "vy",      "vz", "radius", "mass"};
    return names[static_cast<std::size_t>(field)];
}

std::string TablePlaces::of(std::size_t row, Field field) const {
    if (lines.empty()) return text_of(file, ": row ", row, ": ");
    const int column = column_of[static_cast<std::size_t>(field)];
    const std::uint32_t start =
        column < 0 ? 1 : text_columns[row * num_columns + static_cast<std::size_t>(column)];
    return text_of(file, ":", lines[row], ":", start, ": ");
}

std::string TablePlaces::of_row(std::size_t row) const {
    return lines.empty() ? text_of("row ", row) : text_of("line ", lines[row]);
}

GivenStart checked_start(ParticleTable table, const Box& box, const std::vector<Species>& species,
                         std::uint64_t seed, double overlap_tolerance) {
    Checker checker(table, box, species, seed);
    checker.run(overlap_tolerance);
    if (!checker.messages().empty()) throw InputError(joined_lines(checker.messages()));
    return {std::move(table.particles), table.has_velocity};
}

}  // namespace ricochet
