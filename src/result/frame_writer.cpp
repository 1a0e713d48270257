// SPDX-License-Identifier: BSD-3-Clause
#include "result/frame_writer.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "hdf5/hdf5_attribute.hpp"
#include "parallel/collectives.hpp"
#include "parallel/global_sort.hpp"
#include "parallel/id_blocks.hpp"
#include "result/result_sums.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

FrameRow to_row(const Motion& motion, const Attributes& attributes, const Track& track) {
    FrameRow row;
    row.id = motion.id;
    row.position = {motion.position.x, motion.position.y, motion.position.z};
    row.velocity = {motion.velocity.x, motion.velocity.y, motion.velocity.z};
    row.image = track.image;
    row.radius = attributes.radius;
    row.mass = attributes.mass;
    row.species = attributes.species;
    return row;
}

std::vector<FrameRow> to_rows(const Particles& owned) {
    std::vector<FrameRow> rows;
    rows.reserve(owned.size());
    for (std::size_t k = 0; k < owned.size(); ++k)
        rows.push_back(to_row(owned.motion[k], owned.attributes[k], owned.track[k]));
    return rows;
}

std::uint64_t id_of(const FrameRow& row) { return row.id; }

/// Above the ids of all particles.
constexpr std::uint64_t first_missing_id = std::uint64_t{1} << 63;

std::optional<std::string> find_duplicate(const std::vector<FrameRow>& sorted) {
    const auto same = [](const FrameRow& a, const FrameRow& b) { return a.id == b.id; };
    const auto found = std::adjacent_find(sorted.begin(), sorted.end(), same);
    if (found == sorted.end()) return std::nullopt;
    return "particle " + std::to_string(found->id) + " exists twice";
}

std::optional<std::string> find_wrong_total(std::uint64_t got, std::uint64_t expected) {
    if (got == expected) return std::nullopt;
    return "there are " + std::to_string(got) + " particles, and " + std::to_string(expected) +
           " were expected";
}

std::vector<std::string> h5md_boundary(const Box& box) {
    const auto word = [&](int axis) { return box.is_periodic(axis) ? "periodic" : "none"; };
    return {word(0), word(1), word(2)};
}

template <class Number, class Get>
std::vector<Number> column(const std::vector<FrameRow>& rows, Get get) {
    std::vector<Number> values;
    values.reserve(rows.size());
    for (const FrameRow& row : rows) values.push_back(get(row));
    return values;
}

// get(row, axis) for all rows, three per row.
template <class Number, class Get>
std::vector<Number> triples(const std::vector<FrameRow>& rows, Get get) {
    std::vector<Number> values;
    values.reserve(3 * rows.size());
    for (const FrameRow& row : rows)
        for (std::size_t axis = 0; axis < 3; ++axis) values.push_back(get(row, axis));
    return values;
}

template <class Real>
Real stored_position(double x, double length) {
    if constexpr (std::is_same_v<Real, float>)
        return rounded_below(x, length);
    else
        return x;
}

}  // namespace

float rounded_below(double x, double length) {
    const auto rounded = static_cast<float>(x);
    return x < length && rounded >= length ? std::nextafter(rounded, 0.0F) : rounded;
}

FrameWriter::FrameWriter(hid_t file, const ResultDescription& description)
    : box_(description.box),
      num_rows_(description.num_particles),
      has_changing_particles_(description.has_changing_particles),
      precision_(description.precision),
      is_compressed_(description.is_compressed) {
    const hdf5::Handle particles = hdf5::create_group(file, "particles");
    const hdf5::Handle group = hdf5::create_group(particles.get(), "trajectory");
    const hdf5::Handle box = hdf5::create_group(group.get(), "box");
    hdf5::write_attribute(box.get(), "dimension", std::int32_t{3});
    hdf5::write_attribute(box.get(), "boundary", h5md_boundary(box_));
    if (precision_ == Precision::float64)
        create_reals<double>(group.get());
    else
        create_reals<float>(group.get());
    create_column<std::int64_t>(group.get(), "image", image_, 0, 3);
    create_column<std::uint64_t>(group.get(), "id", id_, absent_id);
    create_column<std::uint32_t>(group.get(), "species", species_, absent_species);
    create_element(box.get(), "edges", hdf5::number_type<double>(), {3, 3}, {.is_compressed = is_compressed_},
                   box_edges_);
    create_radius_and_mass(group.get());
    if (const auto units = frame_units(description.units)) write_units(*units);
}

template <class Real>
void FrameWriter::create_reals(hid_t group) {
    create_column<Real>(group, "position", position_, 0, 3);
    create_column<Real>(group, "velocity", velocity_, 0, 3);
}

void FrameWriter::create_radius_and_mass(hid_t group) {
    for (const auto& [name, dataset] : {std::pair("radius", &radius_), std::pair("mass", &mass_)}) {
        if (has_changing_particles_)
            create_column<double>(group, name, *dataset);
        else
            *dataset = hdf5::Dataset::create_fixed(group, name, hdf5::number_type<double>(), {num_rows_});
    }
}

void FrameWriter::write_units(const FrameUnits& units) {
    hdf5::write_attribute(time_.get(), "unit", units.time);
    hdf5::write_attribute(velocity_.get(), "unit", units.velocity);
    for (const hdf5::Dataset* lengths : {&position_, &box_edges_, &radius_})
        hdf5::write_attribute(lengths->get(), "unit", units.length);
}

FrameWriter FrameWriter::reopen(Exchange& exchange, hid_t file, const ResultDescription& description,
                                std::uint64_t num_frames, std::uint64_t own_sum) {
    FrameWriter writer;
    writer.box_ = description.box;
    writer.precision_ = description.precision;
    writer.num_frames_ = num_frames;
    writer.own_sum_ = own_sum;
    const hdf5::Handle group = hdf5::open_group(file, "particles/trajectory");
    const auto open = [&](const char* name) { return hdf5::Dataset::open(group.get(), name); };
    writer.position_ = open("position/value");
    writer.velocity_ = open("velocity/value");
    writer.image_ = open("image/value");
    writer.id_ = open("id/value");
    writer.species_ = open("species/value");
    writer.box_edges_ = open("box/edges/value");
    writer.step_ = open("position/step");
    writer.time_ = open("position/time");
    writer.num_rows_ = writer.id_.shape().at(1);
    writer.has_changing_particles_ = hdf5::is_group(group.get(), "radius");
    writer.radius_ = open(writer.has_changing_particles_ ? "radius/value" : "radius");
    writer.mass_ = open(writer.has_changing_particles_ ? "mass/value" : "mass");
    for (hdf5::Dataset* growing : {&writer.position_, &writer.velocity_, &writer.image_, &writer.id_,
                                   &writer.species_, &writer.box_edges_, &writer.step_, &writer.time_})
        growing->resize(num_frames);
    if (writer.has_changing_particles_) {
        for (hdf5::Dataset* growing : {&writer.radius_, &writer.mass_}) growing->resize(num_frames);
        if (num_frames > 0) writer.read_places(exchange);
    }
    return writer;
}

// The ranks share the rows of frame 0. Thickness so far is that of the latest frame.
void FrameWriter::read_places(Exchange& exchange) {
    const IdBlocks blocks(num_rows_, exchange.size());
    const std::uint64_t first = blocks.first(exchange.rank());
    std::vector<std::uint64_t> ids(blocks.count(exchange.rank()));
    id_.read({{0, first}, {1, ids.size()}}, hdf5::number_type<std::uint64_t>(), ids.data());
    places_ = RowPlaces(exchange, std::move(ids), first);
    if (box_.dimension == 2)
        box_edges_.read({{num_frames_ - 1, 2, 2}, {1, 1, 1}}, hdf5::number_type<double>(), &thickness_);
}

std::vector<double> FrameWriter::read_times() const {
    std::vector<double> times(num_frames_);
    time_.read({{0}, {num_frames_}}, hdf5::number_type<double>(), times.data());
    return times;
}

// `width` numbers per particle. Where particles may be absent, or come later, readers find the fill value.
template <class Number>
void FrameWriter::create_column(hid_t group, const char* name, hdf5::Dataset& value, Number fill_value,
                                hsize_t width) {
    hdf5::Storage storage{.is_compressed = is_compressed_};
    storage.has_growing_rows = has_changing_particles_;
    if (has_changing_particles_) storage.fill_value = &fill_value;
    hdf5::Extents row{num_rows_};
    if (width > 1) row.push_back(width);
    create_element(group, name, hdf5::number_type<Number>(), row, storage, value);
}

// The first element gets step and time, the others get links to them. Links are made from the datasets
// themselves, so the group of the first element is not kept open.
void FrameWriter::create_element(hid_t group, const char* name, hid_t type, const hdf5::Extents& row,
                                 const hdf5::Storage& storage, hdf5::Dataset& value) {
    const hdf5::Handle element = hdf5::create_group(group, name);
    value = hdf5::Dataset::create_growing(element.get(), "value", type, row, storage);
    if (!step_.is_open()) {
        step_ = hdf5::Dataset::create_growing(element.get(), "step", hdf5::number_type<std::uint64_t>(), {});
        time_ = hdf5::Dataset::create_growing(element.get(), "time", hdf5::number_type<double>(), {});
    } else {
        hdf5::link_object(step_.get(), element.get(), "step");
        hdf5::link_object(time_.get(), element.get(), "time");
    }
}

std::uint64_t FrameWriter::frame_bytes() const {
    const std::uint64_t real_bytes = precision_ == Precision::float64 ? 8 : 4;
    const std::uint64_t integer_bytes = 36, radius_and_mass_bytes = has_changing_particles_ ? 16 : 0;
    return num_rows_ * (6 * real_bytes + integer_bytes + radius_and_mass_bytes) + 1024;
}

void FrameWriter::write(Exchange& exchange, std::uint64_t step, double time, const Particles& owned) {
    std::uint64_t first = 0;
    const std::vector<FrameRow> rows = rows_in_place(exchange, step, owned, first);
    if (has_changing_particles_ || num_frames_ == 0) write_radius_and_mass(exchange, rows, first);
    if (has_changing_particles_ || thickness_ == 0) agree_on_thickness(exchange, rows);
    write_series(exchange, step, time);
    if (precision_ == Precision::float64)
        write_reals<double>(exchange, rows, first);
    else
        write_reals<float>(exchange, rows, first);
    write_integers(exchange, rows, first);
    ++num_frames_;
}

// The rows that this rank writes, from row `first` of the frame on. Throws RunError on all ranks.
std::vector<FrameRow> FrameWriter::rows_in_place(Exchange& exchange, std::uint64_t step,
                                                 const Particles& owned, std::uint64_t& first) {
    std::optional<std::string> problem;
    std::vector<FrameRow> rows;
    if (places_.are_known()) {
        rows = places_.arrange(exchange, to_rows(owned), problem);
        first = places_.first_row();
    } else {
        rows = to_rows(owned);
        if (has_changing_particles_ && step > 0) add_missing(exchange, rows);
        rows = sorted_rows(exchange, std::move(rows), problem, first);
    }
    if (problem) problem = "frame of step " + std::to_string(step) + ": " + *problem;
    throw_together<RunError>(exchange, problem);
    if (has_changing_particles_ && !places_.are_known())
        places_ = RowPlaces(exchange, column<std::uint64_t>(rows, id_of), first);
    return rows;
}

// Rows in the order of ids, then those of add_missing.
std::vector<FrameRow> FrameWriter::sorted_rows(Exchange& exchange, std::vector<FrameRow> rows,
                                               std::optional<std::string>& problem,
                                               std::uint64_t& first) const {
    rows = sort_across_ranks(exchange, std::move(rows), id_of);
    const GlobalRows place = locate_rows(exchange, rows.size());
    first = place.first;
    problem = find_wrong_total(place.total, num_rows_);
    if (!problem) problem = find_duplicate(rows);
    for (FrameRow& row : rows)
        if (row.id >= first_missing_id) row = absent_row();
    return rows;
}

// Of those that ended before the first frame, as in a run that was continued with frames, nobody knows the
// ids. Their rows are the last ones, for good. The ranks share them; until they are sorted they have ids that
// no particle has.
void FrameWriter::add_missing(Exchange& exchange, std::vector<FrameRow>& rows) const {
    const std::uint64_t total = sum_of_ranks(exchange, rows.size());
    const IdBlocks missing(num_rows_ - std::min(total, num_rows_), exchange.size());
    FrameRow row;
    for (std::uint64_t k = missing.first(exchange.rank()); k < missing.last(exchange.rank()); ++k) {
        row.id = first_missing_id + k;
        rows.push_back(row);
    }
}

void FrameWriter::write_radius_and_mass(Exchange& exchange, const std::vector<FrameRow>& rows,
                                        std::uint64_t first) {
    const auto radius = column<double>(rows, [](const FrameRow& row) { return row.radius; });
    const auto mass = column<double>(rows, [](const FrameRow& row) { return row.mass; });
    if (has_changing_particles_) {
        append(exchange, radius_, "radius/value", first, radius);
        append(exchange, mass_, "mass/value", first, mass);
    } else {
        write_constant(exchange, radius_, "radius", first, radius);
        write_constant(exchange, mass_, "mass", first, mass);
    }
}

void FrameWriter::agree_on_thickness(Exchange& exchange, const std::vector<FrameRow>& rows) {
    double largest = 0;
    for (const FrameRow& row : rows) largest = std::max(largest, row.radius);
    exchange.max(std::span(&largest, 1));
    thickness_ = std::max(thickness_, 2 * largest);
}

void FrameWriter::write_series(Exchange& exchange, std::uint64_t step, double time) {
    const double height = box_.dimension == 3 ? box_.size.z : thickness_;
    const std::array<double, 9> edges{box_.size.x, 0, 0, 0, box_.size.y, 0, 0, 0, height};
    write_from_rank_0(exchange, step_, "position/step", {}, std::span<const std::uint64_t>(&step, 1));
    write_from_rank_0(exchange, time_, "position/time", {}, std::span<const double>(&time, 1));
    write_from_rank_0(exchange, box_edges_, "box/edges/value", {3, 3}, std::span<const double>(edges));
}

// Rank 0 writes one row, the others none.
template <class Number>
void FrameWriter::write_from_rank_0(Exchange& exchange, hdf5::Dataset& dataset, const char* name,
                                    const hdf5::Extents& row, std::span<const Number> values) {
    const bool is_root = exchange.rank() == 0;
    hdf5::Block block{{num_frames_}, {1}};
    block.offset.resize(1 + row.size(), 0);
    block.count.insert(block.count.end(), row.begin(), row.end());
    if (!is_root) block.count.assign(block.count.size(), 0);
    dataset.resize(num_frames_ + 1);
    dataset.write(exchange, block, hdf5::number_type<std::remove_const_t<Number>>(), values.data());
    if (is_root) own_sum_ += sum_of_elements(name, num_frames_ * values.size(), values);
}

// Values of all particles, from the one with the index `first` on.
void FrameWriter::write_constant(Exchange& exchange, hdf5::Dataset& dataset, const char* name,
                                 std::uint64_t first, const std::vector<double>& values) {
    dataset.write(exchange, {{first}, {values.size()}}, hdf5::number_type<double>(), values.data());
    own_sum_ += sum_of_elements(name, first, std::span<const double>(values));
}

template <class Real>
void FrameWriter::write_reals(Exchange& exchange, const std::vector<FrameRow>& rows, std::uint64_t first) {
    const auto position = [&](const FrameRow& row, std::size_t axis) {
        return stored_position<Real>(row.position[axis], box_.size[static_cast<int>(axis)]);
    };
    const auto velocity = [](const FrameRow& row, std::size_t axis) {
        return static_cast<Real>(row.velocity[axis]);
    };
    append(exchange, position_, "position/value", first, triples<Real>(rows, position));
    append(exchange, velocity_, "velocity/value", first, triples<Real>(rows, velocity));
}

void FrameWriter::write_integers(Exchange& exchange, const std::vector<FrameRow>& rows, std::uint64_t first) {
    const auto image = [](const FrameRow& row, std::size_t axis) { return row.image[axis]; };
    const auto species = [](const FrameRow& row) { return row.species; };
    append(exchange, image_, "image/value", first, triples<std::int64_t>(rows, image));
    append(exchange, id_, "id/value", first, column<std::uint64_t>(rows, id_of));
    append(exchange, species_, "species/value", first, column<std::uint32_t>(rows, species));
}

// Writes the particles of the new frame from index `first` on, one or three values each.
template <class Number>
void FrameWriter::append(Exchange& exchange, hdf5::Dataset& dataset, const char* name, std::uint64_t first,
                         const std::vector<Number>& values) {
    const bool is_vector = dataset.shape().size() == 3;
    const std::uint64_t width = is_vector ? 3 : 1;
    hdf5::Block block{{num_frames_, first}, {1, values.size() / width}};
    if (is_vector) {
        block.offset.push_back(0);
        block.count.push_back(3);
    }
    dataset.resize(num_frames_ + 1);
    dataset.write(exchange, block, hdf5::number_type<Number>(), values.data());
    own_sum_ +=
        sum_of_elements(name, (num_frames_ * num_rows_ + first) * width, std::span<const Number>(values));
}

}  // namespace ricochet
