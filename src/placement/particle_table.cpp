// SPDX-License-Identifier: BSD-3-Clause
#include "placement/particle_table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/offenders.hpp"
#include "core/text.hpp"
#include "model/box_fit.hpp"
#include "model/size_distribution.hpp"
#include "placement/population.hpp"

namespace ricochet {

namespace {

Field field_at(Field first, int axis) { return static_cast<Field>(static_cast<int>(first) + axis); }

void reject(const ParticleTable& block, std::size_t row, Field field, const std::string& got_and_expected,
            Offenders& offenders) {
    offenders.add([&] {
        return block.places.of(row, field) + std::string(to_string(field)) + ": got " + got_and_expected;
    });
}

}  // namespace

std::vector<bool> RowChecker::add(ParticleTable& block) {
    file_ = block.places.file;
    num_rows_ += block.particles.size();
    check_claims(block);
    check_ids(block);
    check_species(block);
    check_values(block);
    std::vector<bool> is_placed(block.particles.size(), false);
    if (has_bad_values()) return is_placed;
    complete(block);
    count(block);
    for (std::size_t row = 0; row < is_placed.size(); ++row) {
        is_placed[row] = is_in_box(block, row) && keeps_off_bodies(block, row);
        if (is_placed[row] && reaches_in(block, row)) ++num_reaching_in_;
    }
    return is_placed;
}

bool RowChecker::has_bad_values() const {
    return !contradictions_.empty() || lacks_species_ ||
           bad_ids_.count() + bad_species_.count() + bad_values_.count() > 0;
}

std::vector<std::string> RowChecker::value_messages(const Offenders& repeated_ids) const {
    std::vector<std::string> messages = contradictions_;
    bad_ids_.report(messages, file_, "ids of 2^63 or more");
    repeated_ids.report(messages, file_, "repeated ids");
    if (lacks_species_)
        messages.push_back(text_of(file_,
                                   ": species: got none, expected the species of each particle, as the "
                                   "input has ",
                                   rules_.world.species.size()));
    bad_species_.report(messages, file_, "unknown species");
    bad_values_.report(messages, file_, "values that cannot be used");
    return messages;
}

std::vector<std::string> RowChecker::start_messages(const Offenders& overlaps,
                                                    const std::string& overlap_name) const {
    std::vector<std::string> messages;
    for (std::size_t s = 0; s < counts_.size(); ++s) {
        const Species& species = rules_.world.species[s];
        if (species.count != 0 && species.count != counts_[s])
            messages.push_back(text_of(file_, ": got ", counts_[s], " particles of species ",
                                       excerpt(species.name), ", expected ", species.count,
                                       ", its count in the input"));
    }
    std::vector<std::string> problems = size_problems(rules_.world.box, largest_, second_largest_);
    for (std::string& problem : coarseness_problems(rules_.world.box, smallest_))
        problems.push_back(std::move(problem));
    for (const std::string& problem : problems)
        messages.push_back(rules_.box_place.empty() ? problem : rules_.box_place + ": " + problem);
    outside_.report(messages, file_, "particles outside the box");
    in_bodies_.report(messages, file_, "particles that overlap bodies");
    overlaps.report(messages, file_, overlap_name);
    if (overlaps.count() + outside_.count() + in_bodies_.count() > 0 && !rules_.overlap_advice.empty())
        messages.push_back(file_ + ": " + rules_.overlap_advice);
    return messages;
}

void RowChecker::check_ids(ParticleTable& block) {
    for (std::size_t row = 0; row < block.particles.size(); ++row) {
        ParticleId& id = block.particles.motion[row].id;
        if (!block.has_id) id = block.places.first_row + row;
        if (id >= first_obstacle_id)
            reject(block, row, Field::id, text_of(id, ", expected a number below 2^63"), bad_ids_);
    }
}

void RowChecker::check_species(ParticleTable& block) {
    const std::size_t num_species =
        block.species_names.empty() ? rules_.world.species.size() : block.species_names.size();
    lacks_species_ = !block.has_species && rules_.world.species.size() > 1;
    if (lacks_species_ || !block.has_species) return;
    for (std::size_t row = 0; row < block.particles.size(); ++row) {
        const SpeciesIndex index = block.particles.attributes[row].species;
        if (index >= num_species)
            reject(block, row, Field::species,
                   text_of(index, ", expected an index below ", num_species, ", the number of species"),
                   bad_species_);
        else if (!block.species_names.empty())
            find_by_name(block, row);
    }
}

/// Replaces the file's number of the row's species by that of the input.
void RowChecker::find_by_name(ParticleTable& block, std::size_t row) {
    Attributes attributes = block.particles.attributes[row];
    const std::string& name = block.species_names[attributes.species];
    for (std::size_t s = 0; s < rules_.world.species.size(); ++s)
        if (rules_.world.species[s].name == name) {
            attributes.species = static_cast<SpeciesIndex>(s);
            block.particles.attributes.set(row, attributes);
            return;
        }
    const std::string got =
        name.empty() ? text_of("no name of number ", attributes.species + 1) : excerpt(name);
    reject(block, row, Field::species, got + ", expected one of " + names_of(rules_.world.species),
           bad_species_);
}

void RowChecker::check_value(const ParticleTable& block, std::size_t row, Field field, double value) {
    const bool is_positive_only = field == Field::radius || field == Field::mass;
    const bool must_vanish = rules_.world.box.dimension == 2 && (field == Field::z || field == Field::vz);
    if (!std::isfinite(value) || (is_positive_only && value <= 0))
        reject(block, row, field,
               text_of(exact_text(value), ", expected a ", std::isfinite(value) ? "number" : "finite number",
                       is_positive_only ? " > 0" : ""),
               bad_values_);
    else if (must_vanish && value != 0)
        reject(block, row, field, exact_text(value) + ", expected 0 in two dimensions", bad_values_);
}

void RowChecker::check_values(const ParticleTable& block) {
    for (std::size_t row = 0; row < block.particles.size(); ++row) {
        const Motion& motion = block.particles.motion[row];
        for (int axis = 0; axis < 3; ++axis) {
            check_value(block, row, field_at(Field::x, axis), motion.position[axis]);
            check_value(block, row, field_at(Field::vx, axis), motion.velocity[axis]);
        }
        const Attributes& attributes = block.particles.attributes[row];
        if (block.has_radius) check_value(block, row, Field::radius, attributes.radius);
        if (block.has_radius && shapes_.shape(attributes.species) != nullptr)
            check_radius_of_shape(block, row);
        if (block.has_mass) check_value(block, row, Field::mass, attributes.mass);
    }
}

/// Results have the radius of the sphere around a shape.
void RowChecker::check_radius_of_shape(const ParticleTable& block, std::size_t row) {
    constexpr double rounding = 1e-6;
    const Attributes attributes = block.particles.attributes[row];
    const Species& species = rules_.world.species[attributes.species];
    if (std::abs(attributes.radius - species.radius) <= rounding * species.radius) return;
    reject(block, row, Field::radius,
           text_of(exact_text(attributes.radius), " of species ", excerpt(species.name),
                   ", which has a shape, expected none, or ", exact_text(species.radius),
                   ", that of the sphere around it"),
           bad_values_);
}

/// A position along a periodic axis, and how many boxes away it was.
struct Moved {
    double x = 0;
    std::int64_t image = 0;
};

/// None when the image number would not be exact.
std::optional<Moved> moved_into_box(double x, double length) {
    constexpr double most_images = 1e9;
    double image = std::floor(x / length);
    if (!(std::abs(image) < most_images)) return std::nullopt;
    double inside = std::fma(-image, length, x);
    if (inside < 0) {
        inside += length;
        --image;
    }
    if (inside >= length) {
        inside = 0;
        ++image;
    }
    return Moved{inside, static_cast<std::int64_t>(image)};
}

void RowChecker::move_into_box(ParticleTable& block, std::size_t row) {
    const Box& box = rules_.world.box;
    Vec3& position = block.particles.motion[row].position;
    TrackList::Image image = block.has_image ? block.particles.track.image(row) : TrackList::Image{};
    bool is_wrapped = false;
    for (int axis = 0; axis < box.dimension; ++axis) {
        double& x = position[axis];
        const double length = box.size[axis], origin = block.claims.box ? block.claims.box->origin[axis] : 0;
        if (origin != 0) x -= origin;
        if (!box.is_periodic(axis)) continue;
        if (x >= 0 && x < length) continue;
        if (const auto moved = moved_into_box(x, length)) {
            x = moved->x;
            image[static_cast<std::size_t>(axis)] += moved->image;
            is_wrapped = true;
        }
    }
    num_wrapped_ += is_wrapped ? 1 : 0;
    block.particles.track.set_image(row, image);
}

void RowChecker::stop_along_frozen_axes(Vec3& velocity, std::uint32_t frozen_axes) {
    const Vec3 kept = without_axes(velocity, frozen_axes);
    if (kept != velocity) ++num_stopped_;
    velocity = kept;
}

/// Adds what the file leaves to the input.
void RowChecker::complete(ParticleTable& block) {
    const Box& box = rules_.world.box;
    for (std::size_t row = 0; row < block.particles.size(); ++row) {
        move_into_box(block, row);
        Motion& motion = block.particles.motion[row];
        const Attributes given = block.particles.attributes[row];
        const Species& species = rules_.world.species[given.species];
        const double of_input = radius_of(species, rules_.world.seed, motion.id);
        motion.time = 0;
        const bool is_shape = shapes_.shape(given.species) != nullptr;
        Attributes complete =
            make_attributes(species, given.species, block.has_radius && !is_shape ? given.radius : of_input);
        if (complete.radius != of_input) ++num_other_radii_;
        if (block.has_mass && given.mass != complete.mass) ++num_other_masses_;
        if (block.has_mass) complete.mass = given.mass;
        stop_along_frozen_axes(motion.velocity, complete.frozen_axes);
        block.particles.attributes.set(row, complete);
        Track track{motion.position, block.particles.track.image(row)};
        for (int axis = 0; axis < box.dimension; ++axis)
            track.origin[axis] +=
                static_cast<double>(track.image[static_cast<std::size_t>(axis)]) * box.size[axis];
        block.particles.track.set(row, track);
    }
}

void RowChecker::check_claims(const ParticleTable& block) {
    const FileClaims& claims = block.claims;
    for (std::string& message : contradictions(claims, file_, rules_.world.box, rules_.units))
        if (std::find(contradictions_.begin(), contradictions_.end(), message) == contradictions_.end())
            contradictions_.push_back(std::move(message));
    for (int axis = 0; axis < rules_.world.box.dimension; ++axis)
        if (claims.box && claims.box->origin[axis] != 0) is_shifted_ = true;
    if (note_on_boundary_.empty()) note_on_boundary_ = note_on_boundary(claims, rules_.world.box);
}

std::vector<std::string> RowChecker::notes() const {
    std::vector<std::string> notes;
    if (!note_on_boundary_.empty()) notes.push_back(note_on_boundary_);
    if (is_flat_ && num_rows_ > 1 && rules_.world.box.dimension == 3)
        notes.emplace_back(
            "all positions have z = 0, as in a file of two dimensions; this box has three, and particles are "
            "spheres");
    if (is_shifted_) notes.emplace_back("positions are counted from the lowest corner of the file's box");
    if (num_wrapped_ > 0)
        notes.push_back(text_of(num_wrapped_, " of ", num_rows_,
                                " positions beyond the box were moved into it along periodic axes"));
    if (num_reaching_in_ > 0)
        notes.push_back(text_of(num_reaching_in_, " of ", num_rows_,
                                " particles reach into walls or bodies, which contact rules allow"));
    if (num_other_radii_ > 0)
        notes.push_back(text_of(num_other_radii_, " of ", num_rows_,
                                " radii are those of the file and differ from those of their species"));
    if (num_stopped_ > 0 && !rules_.world.bath_energy)
        notes.push_back(text_of(num_stopped_, " of ", num_rows_,
                                " velocities have parts along axes that the species does not move along "
                                "(species.moves): these parts are left out"));
    if (num_other_masses_ > 0 && !rules_.world.bath_energy)
        notes.push_back(text_of(num_other_masses_, " of ", num_rows_,
                                " masses are those of the file and differ from those of their species"));
    return notes;
}

void RowChecker::count(const ParticleTable& block) {
    for (const Attributes& attributes : block.particles.attributes) {
        ++counts_[attributes.species];
        second_largest_ = std::max(second_largest_, std::min(largest_, attributes.radius));
        largest_ = std::max(largest_, attributes.radius);
        smallest_ = std::min(smallest_, attributes.radius);
    }
    for (const Motion& motion : block.particles.motion) is_flat_ = is_flat_ && motion.position.z == 0;
}

bool RowChecker::is_in_box(const ParticleTable& block, std::size_t row) {
    for (int axis = 0; axis < rules_.world.box.dimension; ++axis)
        if (!check_position(block, row, axis)) return false;
    return true;
}

/// Files are decimal: rounding may move a particle that touches a wall or a body slightly into it.
double slack_of(const ParticleTable& block, double radius) {
    return std::max(default_overlap_tolerance * radius, rounding_of_gap(block.claims.resolution, radius));
}

/// How far the centre must be from walls and bodies.
double RowChecker::room_around(const ParticleTable& block, std::size_t row) const {
    const Attributes& attributes = block.particles.attributes[row];
    return rules_.may_reach_in(attributes.species) ? 0
                                                   : attributes.radius - slack_of(block, attributes.radius);
}

/// How far the centre must be from a wall.
double RowChecker::room_at_wall(const ParticleTable& block, std::size_t row, int wall) const {
    const Attributes& attributes = block.particles.attributes[row];
    if (rules_.may_reach_in(attributes.species) || shapes_.shape(attributes.species) == nullptr)
        return room_around(block, row);
    return shapes_.distance_at_wall(attributes, static_cast<BodyNumber>(wall)) -
           slack_of(block, attributes.radius);
}

/// For a particle whose centre is in the room.
bool RowChecker::reaches_in(const ParticleTable& block, std::size_t row) const {
    const Attributes& attributes = block.particles.attributes[row];
    if (!rules_.may_reach_in(attributes.species)) return false;
    const Box& box = rules_.world.box;
    const Vec3 at = block.particles.motion[row].position;
    const double depth = attributes.radius - slack_of(block, attributes.radius);
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.has_walls(axis) && std::min(at[axis], box.size[axis] - at[axis]) < depth) return true;
    return room_.has_bodies() && room_.body_in_the_way(at, depth, attributes.species).has_value();
}

bool RowChecker::keeps_off_bodies(const ParticleTable& block, std::size_t row) {
    if (!room_.has_bodies()) return true;
    const Vec3 at = block.particles.motion[row].position;
    const Attributes& attributes = block.particles.attributes[row];
    auto body = room_.body_in_the_way(at, room_around(block, row), attributes.species);
    const bool is_clear = !body;
    if (is_clear && rules_.may_reach_in(attributes.species) && !attributes.rests())
        body = room_.body_too_narrow(at, attributes.radius, attributes.species);
    if (!body) return true;
    const std::string what =
        is_clear
            ? text_of(", where a radius of ", exact_text(attributes.radius), " does not fit into the body ")
        : rules_.may_reach_in(attributes.species) ? ", where the centre is in the body "
        : shapes_.shape(attributes.species) != nullptr
            ? ", where the shape overlaps the body "
            : text_of(", where a radius of ", exact_text(attributes.radius), " overlaps the body ");
    reject(block, row, Field::x,
           text_of(exact_text(at.x), " with y ", exact_text(at.y),
                   rules_.world.box.dimension == 3 ? " and z " + exact_text(at.z) : "", what,
                   rules_.world.bodies[*body].name, ", expected a place clear of it"),
           in_bodies_);
    return false;
}

std::string RowChecker::distance_in_words(const ParticleTable& block, std::size_t row, int axis) const {
    const Attributes& attributes = block.particles.attributes[row];
    if (rules_.may_reach_in(attributes.species)) return "between";
    if (shapes_.shape(attributes.species) == nullptr)
        return text_of("at least its radius ", exact_text(attributes.radius), " from");
    const auto low = static_cast<BodyNumber>(2 * axis), high = static_cast<BodyNumber>(2 * axis + 1);
    return text_of("at least ", exact_text(shapes_.distance_at_wall(attributes, low)), " and ",
                   exact_text(shapes_.distance_at_wall(attributes, high)), " from");
}

bool RowChecker::check_position(const ParticleTable& block, std::size_t row, int axis) {
    const Box& box = rules_.world.box;
    const double x = block.particles.motion[row].position[axis], length = box.size[axis];
    const double low = room_at_wall(block, row, 2 * axis), high = room_at_wall(block, row, 2 * axis + 1);
    const bool is_inside = box.is_periodic(axis) ? x >= 0 && x < length : x >= low && length - x >= high;
    if (is_inside) return true;
    reject(block, row, field_at(Field::x, axis),
           box.is_periodic(axis)
               ? text_of(exact_text(x), ", expected a position less than 1e9 boxes of ", exact_text(length),
                         " away")
               : text_of(exact_text(x), ", expected a centre ", distance_in_words(block, row, axis),
                         " the walls at 0 and ", exact_text(length),
                         x < 0 ? "; add half of box.size to coordinates of a box about the origin" : ""),
           outside_);
    return false;
}

std::string names_of(const std::vector<Species>& species) {
    std::string names;
    for (const Species& one : species) names += (names.empty() ? "" : ", ") + excerpt(one.name);
    return names;
}

std::string_view to_string(Field field) {
    constexpr std::array<std::string_view, num_fields> names{"id", "species", "x",  "y",      "z",
                                                             "vx", "vy",      "vz", "radius", "mass"};
    return names[static_cast<std::size_t>(field)];
}

std::string TablePlaces::of(std::size_t row, Field field) const {
    if (lines.empty()) return text_of(file, ": row ", first_row + row, ": ");
    return text_of(file, ":", lines[row], ":", text_column(row, field), ": ");
}

std::uint32_t TablePlaces::text_column(std::size_t row, Field field) const {
    if (lines.empty()) return 0;
    const int column = column_of[static_cast<std::size_t>(field)];
    return column < 0 ? 1 : text_columns[row * num_columns + static_cast<std::size_t>(column)];
}

}  // namespace ricochet
