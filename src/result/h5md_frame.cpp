// SPDX-License-Identifier: BSD-3-Clause
#include "result/h5md_frame.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/text.hpp"
#include "hdf5/complete_rows.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_texts.hpp"
#include "hdf5/hdf5_types.hpp"
#include "result/h5md_box.hpp"
#include "result/result_reader.hpp"
#include "result/vmd_names.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
    throw InputError(path + ": " + problem);
}

hdf5::Handle open_all_particles(const std::string& path, const hdf5::Handle& file) {
    if (!hdf5::has_object(file.get(), "particles"))
        refuse(path, "has no group /particles, so it is not H5MD");
    return hdf5::open_group(file.get(), "particles");
}

/// The names of those that have positions.
std::vector<std::string> groups_of(const std::string& path, const hdf5::Handle& all) {
    std::vector<std::string> groups = hdf5::link_names(all.get());
    if (groups.empty()) refuse(path, "has no particles in /particles");
    std::erase_if(groups,
                  [&](const std::string& name) { return !hdf5::has_object(all.get(), name + "/position"); });
    if (groups.empty()) refuse(path, "has no positions");
    return groups;
}

hdf5::Handle open_particles(const std::string& path, const hdf5::Handle& file, const std::string& group) {
    const hdf5::Handle all = open_all_particles(path, file);
    const std::vector<std::string> groups = groups_of(path, all);
    const auto usual = std::find(groups.begin(), groups.end(), group.empty() ? "trajectory" : group);
    if (usual == groups.end() && !group.empty())
        refuse(path, fmt::format("has no group {} of particles, expected one of {}", excerpt(group),
                                 excerpt(fmt::format("{}", fmt::join(groups, ", ")))));
    return hdf5::open_group(all.get(), (usual == groups.end() ? groups.front() : *usual).c_str());
}

// One element of a particles group: [T][N] or [T][N][D] with time, [N] or [N][D] without.
struct Element {
    hdf5::Dataset dataset;
    bool has_time = false;
    hdf5::Extents shape;

    bool exists() const { return dataset.is_open(); }
    hsize_t num_frames() const { return has_time ? shape.at(0) : 1; }
    hsize_t num_rows() const { return shape.at(has_time ? 1 : 0); }
    std::size_t num_axes() const { return shape.size() - (has_time ? 1 : 0); }
    std::size_t width() const { return num_axes() == 1 ? 1 : static_cast<std::size_t>(shape.back()); }
};

Element open_element(hid_t group, const std::string& name) {
    Element element;
    if (!hdf5::has_object(group, name)) return element;
    element.has_time = hdf5::has_object(group, name + "/value");
    element.dataset = hdf5::Dataset::open(group, (element.has_time ? name + "/value" : name).c_str());
    element.shape = element.dataset.shape();
    return element;
}

/// Whether HDF5 converts the elements of a dataset to numbers.
bool holds_numbers(const hdf5::Dataset& dataset) {
    const H5T_class_t kind = H5Tget_class(dataset.type().get());
    return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

constexpr const char* expected_whole_number = "a whole number between -2^63 and 2^63";

struct Source {
    std::string path;
    hdf5::Handle group;
    std::uint64_t frame = 0;
    RowRange rows;
    Element position;

    Element open(const std::string& name, std::size_t num_axes) const;
    void require_fit(const Element& element, const std::string& name, std::size_t num_axes) const;
    hdf5::Block block_of(const Element& element) const;
    template <class Number>
    std::vector<Number> read(const Element& element) const;
    std::vector<std::int64_t> read_whole_numbers(const Element& element, const char* name) const;
    [[noreturn]] void refuse_value(const char* name, std::size_t row, const std::string& got,
                                   const char* expected) const;
    void require_numbers(const Element& element, const std::string& name) const;
};

void Source::refuse_value(const char* name, std::size_t row, const std::string& got,
                          const char* expected) const {
    refuse(path, fmt::format("row {}: {}: got {}, expected {}", rows.first + row, name, got, expected));
}

void Source::require_numbers(const Element& element, const std::string& name) const {
    if (!holds_numbers(element.dataset)) refuse(path, fmt::format("{} holds no numbers", name));
}

// Opens an optional element and makes sure that it fits the positions.
Element Source::open(const std::string& name, std::size_t num_axes) const {
    Element element = open_element(group.get(), name);
    if (!element.exists()) return element;
    require_numbers(element, name);
    require_fit(element, name, num_axes);
    return element;
}

void Source::require_fit(const Element& element, const std::string& name, std::size_t num_axes) const {
    const bool fits = element.num_axes() == num_axes && element.num_rows() == position.num_rows() &&
                      element.num_frames() > (element.has_time ? frame : 0) &&
                      (num_axes == 1 || element.width() == position.width());
    if (!fits) refuse(path, fmt::format("the shape of {} does not fit that of position", name));
}

// The rows asked for.
hdf5::Block Source::block_of(const Element& element) const {
    hdf5::Block block{{rows.first}, {rows.count}};
    if (element.has_time) {
        block.offset.insert(block.offset.begin(), frame);
        block.count.insert(block.count.begin(), 1);
    }
    if (element.num_axes() == 2) {
        block.offset.push_back(0);
        block.count.push_back(element.width());
    }
    return block;
}

// The rows asked for, converted to Number.
template <class Number>
std::vector<Number> Source::read(const Element& element) const {
    const hdf5::Block block = block_of(element);
    std::vector<Number> values(block.num_elements());
    element.dataset.read(block, hdf5::number_type<Number>(), values.data());
    return values;
}

// Reads whole numbers from any number type. HDF5 would cut off fractions and clamp large values.
std::vector<std::int64_t> Source::read_whole_numbers(const Element& element, const char* name) const {
    const hdf5::Handle type = element.dataset.type();
    const bool is_real = H5Tget_class(type.get()) == H5T_FLOAT;
    const bool is_unsigned = !is_real && H5Tget_sign(type.get()) == H5T_SGN_NONE;
    if (!is_real && !is_unsigned) return read<std::int64_t>(element);
    std::vector<std::int64_t> numbers;
    const auto convert = [&](const auto& values, const auto& fits) {
        numbers.reserve(values.size());
        for (const auto value : values) {
            if (!fits(value))
                refuse_value(name, numbers.size() / element.width(), fmt::format("{}", value),
                             expected_whole_number);
            numbers.push_back(static_cast<std::int64_t>(value));
        }
    };
    if (is_real)
        convert(read<double>(element), [](double x) { return std::trunc(x) == x && std::abs(x) < 0x1p63; });
    else
        convert(read<std::uint64_t>(element), [](std::uint64_t n) { return n >> 63 == 0; });
    return numbers;
}

// Calls assign(row, value) for an element with one number per row; returns whether the file has it.
template <class Assign>
bool read_scalars(const Source& source, const char* name, Assign assign) {
    const Element element = source.open(name, 1);
    if (!element.exists()) return false;
    const auto values = source.read<double>(element);
    for (std::size_t row = 0; row < values.size(); ++row) assign(row, values[row]);
    return true;
}

// Calls assign(row, axis, value) for values of an element with two or three numbers per row.
template <class Number, class Assign>
void assign_vectors(const Element& element, const std::vector<Number>& values, Assign assign) {
    const std::size_t width = element.width();
    for (std::size_t k = 0; k < values.size(); ++k) assign(k / width, static_cast<int>(k % width), values[k]);
}

template <class Assign>
bool read_vectors(const Source& source, const char* name, Assign assign) {
    const Element element = source.open(name, 2);
    if (element.exists()) assign_vectors(element, source.read<double>(element), assign);
    return element.exists();
}

void read_images(const Source& source, H5mdFrame& result) {
    const Element element = source.open("image", 2);
    result.has_image = element.exists();
    if (!result.has_image) return;
    const auto assign = [&](std::size_t row, int axis, std::int64_t n) {
        TrackList::Image image = result.particles.track.image(row);
        image.at(static_cast<std::size_t>(axis)) = n;
        result.particles.track.set_image(row, image);
    };
    assign_vectors(element, source.read_whole_numbers(element, "image"), assign);
}

/// Species as text: each row has the name. They are numbered as they appear in these rows.
void read_species_names(const Source& source, const Element& element, H5mdFrame& result) {
    source.require_fit(element, "species", 1);
    std::map<std::string, SpeciesIndex> number_of;
    result.species_names.clear();
    const auto texts = hdf5::read_texts_of_block(element.dataset, source.block_of(element));
    for (std::size_t row = 0; row < texts.size(); ++row) {
        const auto next = static_cast<SpeciesIndex>(number_of.size());
        const auto [known, is_new] = number_of.try_emplace(texts[row], next);
        if (is_new) result.species_names.push_back(texts[row]);
        result.particles.attributes.edit(row).species = known->second;
    }
    result.has_species = true;
}

// Rows without a particle may have any species number.
void read_species_numbers(const Source& source, const std::vector<bool>& is_live, H5mdFrame& result) {
    const Element element = source.open("species", 1);
    result.has_species = element.exists();
    if (!result.has_species) return;
    const auto numbers = source.read_whole_numbers(element, "species");
    for (std::size_t row = 0; row < numbers.size(); ++row) {
        if (!is_live[row]) continue;
        if (numbers[row] < 0 || numbers[row] >= wall_species)
            source.refuse_value("species", row, fmt::format("{}", numbers[row]), "the number of a species");
        result.particles.attributes.edit(row).species = static_cast<SpeciesIndex>(numbers[row]);
    }
}

void read_species(const Source& source, const std::vector<bool>& is_live, H5mdFrame& result) {
    const Element element = open_element(source.group.get(), "species");
    if (element.exists() && hdf5::holds_texts(element.dataset))
        return read_species_names(source, element, result);
    read_species_numbers(source, is_live, result);
    if (element.exists() && result.species_names.empty())
        result.species_names = hdf5::names_of_enumeration(element.dataset.type());
}

void read_stamp(const Source& source, H5mdFrame& result) {
    if (!source.position.has_time) return;
    const auto read = [&](const char* name, hid_t type, void* value) {
        if (!hdf5::has_object(source.group.get(), name)) return;
        const auto series = hdf5::Dataset::open(source.group.get(), name);
        // H5MD also allows a fixed increment, a scalar; then the stamp is left at 0.
        if (series.shape().size() == 1) series.read({{source.frame}, {1}}, type, value);
    };
    read("position/step", hdf5::number_type<std::uint64_t>(), &result.step);
    read("position/time", hdf5::number_type<double>(), &result.time);
}

void read_columns(const Source& source, H5mdFrame& result) {
    auto& motion = result.particles.motion;
    auto& attributes = result.particles.attributes;
    read_vectors(source, "position", [&](auto row, int axis, double x) { motion[row].position[axis] = x; });
    result.has_velocity = read_vectors(source, "velocity",
                                       [&](auto row, int axis, double v) { motion[row].velocity[axis] = v; });
    result.has_radius = read_scalars(source, "radius",
                                     [&](auto row, double radius) { attributes.edit(row).radius = radius; });
    result.has_mass =
        read_scalars(source, "mass", [&](auto row, double mass) { attributes.edit(row).mass = mass; });
}

/// Ids as signed numbers, in which the fill value of unsigned 64-bit ids, 2^64 - 1, is -1.
std::vector<std::int64_t> read_signed_ids(const Source& source, const Element& element) {
    const hdf5::Handle type = element.dataset.type();
    const bool is_u64 = H5Tget_class(type.get()) == H5T_INTEGER && H5Tget_size(type.get()) == 8 &&
                        H5Tget_sign(type.get()) == H5T_SGN_NONE;
    if (!is_u64) return source.read_whole_numbers(element, "id");
    std::vector<std::int64_t> ids;
    for (const std::uint64_t id : source.read<std::uint64_t>(element)) {
        if (id >> 63 != 0 && id != absent_id)
            source.refuse_value("id", ids.size(), fmt::format("{}", id), expected_whole_number);
        ids.push_back(static_cast<std::int64_t>(id));
    }
    return ids;
}

// Reads ids, and finds the rows in use: those whose id is not the fill value -1.
std::vector<bool> read_ids(const Source& source, H5mdFrame& result) {
    std::vector<bool> is_live(result.particles.size(), true);
    for (std::size_t row = 0; row < result.particles.size(); ++row)
        result.particles.motion[row].id = source.rows.first + row;
    const Element element = source.open("id", 1);
    result.has_id = element.exists();
    if (!result.has_id) return is_live;
    const auto ids = read_signed_ids(source, element);
    for (std::size_t row = 0; row < ids.size(); ++row) {
        if (ids[row] < -1)
            source.refuse_value("id", row, fmt::format("{}", ids[row]),
                                "a number from 0 to 2^63 - 1, or -1 for a row without a particle");
        is_live[row] = ids[row] >= 0;
        result.particles.motion[row].id = static_cast<std::uint64_t>(ids[row]);
    }
    return is_live;
}

void keep_live(Particles& particles, const std::vector<bool>& is_live) {
    std::size_t num_kept = 0;
    for (std::size_t row = 0; row < is_live.size(); ++row) {
        if (!is_live[row]) continue;
        particles.move_within(row, num_kept++);
    }
    particles.resize(num_kept);
}

std::uint64_t count_frames(const hdf5::Handle& file, const Element& position) {
    if (!hdf5::has_object(file.get(), "ricochet/complete")) return position.num_frames();
    const auto complete = read_complete_rows(hdf5::Dataset::open(file.get(), "ricochet/complete"));
    return std::min<std::uint64_t>(complete.frames, position.num_frames());
}

void read_start_box(const Source& source, H5mdFrame& result) {
    result.box = read_h5md_box(source.path, source.group.get(), source.frame);
    const hdf5::Handle type = source.position.dataset.type();
    result.has_float32 = H5Tget_class(type.get()) == H5T_FLOAT && H5Tget_size(type.get()) < sizeof(double);
}

/// What only our own files tell of their box and species.
void read_our_description(const hdf5::Handle& file, H5mdFrame& result) {
    if (!hdf5::has_object(file.get(), "ricochet")) return;
    const hdf5::Handle group = hdf5::open_group(file.get(), "ricochet");
    result.is_ours = true;
    if (hdf5::has_attribute(group.get(), "dimension"))
        result.dimension = hdf5::read_number<std::int32_t>(group.get(), "dimension");
    if (hdf5::has_object(group.get(), "units")) result.units = read_our_units(group.get());
    if (!hdf5::has_object(group.get(), "species")) return;
    const hdf5::Handle species = hdf5::open_group(group.get(), "species");
    if (hdf5::has_attribute(species.get(), "name"))
        result.species_names = hdf5::read_texts(species.get(), "name");
}

}  // namespace

std::vector<std::string> h5md_groups(const std::string& path) {
    const hdf5::Handle file = open_named_file(path);
    return groups_of(path, open_all_particles(path, file));
}

H5mdFrame read_h5md_frame(const std::string& path, std::optional<std::uint64_t> frame, RowRange rows,
                          const std::string& group) {
    const hdf5::Handle file = open_named_file(path);
    Source source;
    source.path = path;
    source.group = open_particles(path, file, group);
    source.position = open_element(source.group.get(), "position");
    if (source.position.num_axes() != 2 || source.position.width() < 2 || source.position.width() > 3)
        refuse(path, "has positions of neither two nor three components");
    source.require_numbers(source.position, "position");
    const std::uint64_t num_frames = count_frames(file, source.position);
    source.frame = frame.value_or(num_frames - 1);
    if (source.frame >= num_frames)
        refuse(path, fmt::format("has {} complete frames, and frame {} (counted from 0) was asked for",
                                 num_frames, frame ? fmt::format("{}", *frame) : "the last"));
    H5mdFrame result;
    result.num_rows = source.position.num_rows();
    result.frame = source.frame;
    result.dimension = static_cast<int>(source.position.width());
    result.units = read_unit_attributes(source.group.get());
    result.velocity_unit = read_velocity_unit(source.group.get());
    read_our_description(file, result);
    read_start_box(source, result);
    source.rows.first = std::min(rows.first, result.num_rows);
    source.rows.count = std::min(rows.count, result.num_rows - source.rows.first);
    result.particles.resize(source.rows.count);
    read_stamp(source, result);
    read_columns(source, result);
    read_images(source, result);
    const std::vector<bool> is_live = read_ids(source, result);
    read_species(source, is_live, result);
    result.vmd_names = read_vmd_names(file.get());
    keep_live(result.particles, is_live);
    return result;
}

}  // namespace ricochet
