// SPDX-License-Identifier: BSD-3-Clause
#include "result/frame_writer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
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

/// Rows of a frame: with these the places of all elements have different numbers (result_sums.hpp).
constexpr std::uint64_t most_rows = std::uint64_t{1} << 32;

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
      num_first_rows_(description.num_particles),
      first_new_id_(description.first_new_id),
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
    if (first_new_id_)
        rows_ = hdf5::Dataset::create_growing(hdf5::open_group(file, "ricochet").get(), "rows",
                                              hdf5::number_type<std::uint64_t>(), {});
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
    writer.open_columns(hdf5::open_group(file, "particles/trajectory").get());
    writer.open_rows(hdf5::open_group(file, "ricochet").get());
    for (hdf5::Dataset* growing : {&writer.position_, &writer.velocity_, &writer.image_, &writer.id_,
                                   &writer.species_})
        growing->resize(num_frames, writer.num_rows_);
    for (hdf5::Dataset* growing : {&writer.box_edges_, &writer.step_, &writer.time_})
        growing->resize(num_frames);
    if (writer.first_new_id_) writer.rows_.resize(num_frames);
    if (writer.has_changing_particles_) {
        for (hdf5::Dataset* growing : {&writer.radius_, &writer.mass_})
            growing->resize(num_frames, writer.num_rows_);
        writer.read_places(exchange);
    }
    return writer;
}

void FrameWriter::open_columns(hid_t group) {
    const auto open = [&](const char* name) { return hdf5::Dataset::open(group, name); };
    position_ = open("position/value");
    velocity_ = open("velocity/value");
    image_ = open("image/value");
    id_ = open("id/value");
    species_ = open("species/value");
    box_edges_ = open("box/edges/value");
    step_ = open("position/step");
    time_ = open("position/time");
    has_changing_particles_ = hdf5::is_group(group, "radius");
    radius_ = open(has_changing_particles_ ? "radius/value" : "radius");
    mass_ = open(has_changing_particles_ ? "mass/value" : "mass");
}

// The numbers of rows, from the group "ricochet".
void FrameWriter::open_rows(hid_t group) {
    num_rows_ = num_first_rows_ = hdf5::read_number<std::uint64_t>(group, "num_particles");
    if (!hdf5::has_attribute(group, "first_new_id")) return;
    first_new_id_ = hdf5::read_number<std::uint64_t>(group, "first_new_id");
    rows_ = hdf5::Dataset::open(group, "rows");
    if (num_frames_ > 0)
        rows_.read({{num_frames_ - 1}, {1}}, hdf5::number_type<std::uint64_t>(), &num_rows_);
}

// The ranks share the rows of frame 0. Where new ids follow on ids without gaps, all places are known, also
// those of particles that have ended before frame 0. Thickness so far is that of the latest frame.
void FrameWriter::read_places(Exchange& exchange) {
    const IdBlocks blocks(num_first_rows_, exchange.size());
    const std::uint64_t first = blocks.first(exchange.rank());
    std::vector<std::uint64_t> ids(blocks.count(exchange.rank()));
    const bool are_dense = first_new_id_ == num_first_rows_;
    if (are_dense)
        std::iota(ids.begin(), ids.end(), first);
    else if (num_frames_ > 0)
        id_.read({{0, first}, {1, ids.size()}}, hdf5::number_type<std::uint64_t>(), ids.data());
    if (are_dense || num_frames_ > 0) places_ = RowPlaces(exchange, std::move(ids), first);
    if (box_.dimension == 2 && num_frames_ > 0)
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
    storage.is_filled = first_new_id_.has_value();
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

std::array<const hdf5::Dataset*, 7> FrameWriter::columns() const {
    return {&position_, &velocity_, &image_, &id_, &species_, &radius_, &mass_};
}

std::uint64_t FrameWriter::frame_bytes(Exchange& exchange, const Particles& owned) const {
    const std::uint64_t real_bytes = precision_ == Precision::float64 ? 8 : 4;
    const std::uint64_t integer_bytes = 36, radius_and_mass_bytes = has_changing_particles_ ? 16 : 0;
    const std::uint64_t num_rows = rows_with(exchange, owned);
    std::uint64_t num_bytes = num_rows * (6 * real_bytes + integer_bytes + radius_and_mass_bytes) + 1024;
    if (num_rows == num_rows_) return num_bytes;
    for (const hdf5::Dataset* column : columns()) {  // new rows of earlier frames
        hdf5::Extents shape = column->shape();
        num_bytes -= column->chunk_bytes(shape);
        shape.at(1) = num_rows;
        num_bytes += column->chunk_bytes(shape);
    }
    return num_bytes;
}

// The number of rows of a frame of these particles, no fewer than so far.
std::uint64_t FrameWriter::rows_with(Exchange& exchange, const Particles& owned) const {
    if (!first_new_id_) return num_rows_;
    std::uint64_t num_new = 0;
    for (const Motion& motion : owned.motion)
        if (motion.id >= *first_new_id_) num_new = std::max(num_new, motion.id - *first_new_id_ + 1);
    num_new = max_of_ranks(exchange, num_new);
    if (num_new > most_rows - std::min(num_first_rows_, most_rows))
        throw RunError("particle " + std::to_string(*first_new_id_ + num_new - 1) +
                       " is beyond the 4294967296 rows that a frame can have");
    return std::max(num_rows_, num_first_rows_ + num_new);
}

void FrameWriter::write(Exchange& exchange, std::uint64_t step, double time, const Particles& owned) {
    const std::vector<RowBlock> blocks = rows_in_place(exchange, step, owned);
    if (has_changing_particles_ || thickness_ == 0) agree_on_thickness(exchange, owned);
    for (const RowBlock& block : blocks) {
        if (has_changing_particles_ || num_frames_ == 0) write_radius_and_mass(exchange, block);
        if (precision_ == Precision::float64)
            write_reals<double>(exchange, block);
        else
            write_reals<float>(exchange, block);
        write_integers(exchange, block);
    }
    write_series(exchange, step, time);
    ++num_frames_;
}

// The rows that this rank writes. Throws RunError on all ranks.
std::vector<RowBlock> FrameWriter::rows_in_place(Exchange& exchange, std::uint64_t step,
                                                 const Particles& owned) {
    const std::uint64_t num_rows = rows_with(exchange, owned);
    std::vector<FrameRow> rows = to_rows(owned);
    const auto first_new = std::partition(rows.begin(), rows.end(), [&](const FrameRow& row) {
        return !first_new_id_ || row.id < *first_new_id_;
    });
    std::vector<FrameRow> new_rows(first_new, rows.end());
    rows.erase(first_new, rows.end());
    std::optional<std::string> problem;
    std::vector<RowBlock> blocks{old_rows(exchange, step, std::move(rows), problem)};
    if (num_rows > num_first_rows_)
        blocks.push_back(arrange_new_rows(exchange, std::move(new_rows), *first_new_id_, num_first_rows_,
                                          num_rows, problem));
    if (problem) problem = "frame of step " + std::to_string(step) + ": " + *problem;
    throw_together<RunError>(exchange, problem);
    const RowBlock& old = blocks.front();
    if (has_changing_particles_ && !places_.are_known())
        places_ = RowPlaces(exchange, column<std::uint64_t>(old.rows, id_of), old.first);
    num_rows_ = num_rows;
    return blocks;
}

// Of the particles of the first frame, or of their start where that was earlier.
RowBlock FrameWriter::old_rows(Exchange& exchange, std::uint64_t step, std::vector<FrameRow> rows,
                               std::optional<std::string>& problem) const {
    if (!places_.are_known()) {
        if (has_changing_particles_ && step > 0) add_missing(exchange, rows);
        return sorted_rows(exchange, std::move(rows), problem);
    }
    if (step == 0) problem = find_wrong_total(sum_of_ranks(exchange, rows.size()), num_first_rows_);
    return places_.arrange(exchange, std::move(rows), problem);
}

// Rows in the order of ids, then those of add_missing.
RowBlock FrameWriter::sorted_rows(Exchange& exchange, std::vector<FrameRow> rows,
                                  std::optional<std::string>& problem) const {
    rows = sort_across_ranks(exchange, std::move(rows), id_of);
    const GlobalRows place = locate_rows(exchange, rows.size());
    problem = find_wrong_total(place.total, num_first_rows_);
    if (!problem) problem = find_duplicate(rows);
    for (FrameRow& row : rows)
        if (row.id >= first_missing_id) row = absent_row();
    return {place.first, std::move(rows)};
}

// Of those that ended before the first frame, as in a run that was continued with frames, nobody knows the
// ids. Their rows are the last ones, for good. The ranks share them; until they are sorted they have ids that
// no particle has.
void FrameWriter::add_missing(Exchange& exchange, std::vector<FrameRow>& rows) const {
    const std::uint64_t total = sum_of_ranks(exchange, rows.size());
    const IdBlocks missing(num_first_rows_ - std::min(total, num_first_rows_), exchange.size());
    FrameRow row;
    for (std::uint64_t k = missing.first(exchange.rank()); k < missing.last(exchange.rank()); ++k) {
        row.id = first_missing_id + k;
        rows.push_back(row);
    }
}

void FrameWriter::write_radius_and_mass(Exchange& exchange, const RowBlock& block) {
    const auto radius = column<double>(block.rows, [](const FrameRow& row) { return row.radius; });
    const auto mass = column<double>(block.rows, [](const FrameRow& row) { return row.mass; });
    if (has_changing_particles_) {
        append(exchange, radius_, "radius/value", block.first, radius);
        append(exchange, mass_, "mass/value", block.first, mass);
    } else {
        write_constant(exchange, radius_, "radius", block.first, radius);
        write_constant(exchange, mass_, "mass", block.first, mass);
    }
}

void FrameWriter::agree_on_thickness(Exchange& exchange, const Particles& owned) {
    double largest = 0;
    for (std::size_t k = 0; k < owned.size(); ++k) largest = std::max(largest, owned.attributes[k].radius);
    exchange.max(std::span(&largest, 1));
    thickness_ = std::max(thickness_, 2 * largest);
}

void FrameWriter::write_series(Exchange& exchange, std::uint64_t step, double time) {
    const double height = box_.dimension == 3 ? box_.size.z : thickness_;
    const std::array<double, 9> edges{box_.size.x, 0, 0, 0, box_.size.y, 0, 0, 0, height};
    write_from_rank_0(exchange, step_, "position/step", {}, std::span<const std::uint64_t>(&step, 1));
    write_from_rank_0(exchange, time_, "position/time", {}, std::span<const double>(&time, 1));
    write_from_rank_0(exchange, box_edges_, "box/edges/value", {3, 3}, std::span<const double>(edges));
    if (first_new_id_)
        write_from_rank_0(exchange, rows_, "rows", {}, std::span<const std::uint64_t>(&num_rows_, 1));
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
void FrameWriter::write_reals(Exchange& exchange, const RowBlock& block) {
    const auto position = [&](const FrameRow& row, std::size_t axis) {
        return stored_position<Real>(row.position[axis], box_.size[static_cast<int>(axis)]);
    };
    const auto velocity = [](const FrameRow& row, std::size_t axis) {
        return static_cast<Real>(row.velocity[axis]);
    };
    append(exchange, position_, "position/value", block.first, triples<Real>(block.rows, position));
    append(exchange, velocity_, "velocity/value", block.first, triples<Real>(block.rows, velocity));
}

void FrameWriter::write_integers(Exchange& exchange, const RowBlock& block) {
    const auto image = [](const FrameRow& row, std::size_t axis) { return row.image[axis]; };
    const auto species = [](const FrameRow& row) { return row.species; };
    append(exchange, image_, "image/value", block.first, triples<std::int64_t>(block.rows, image));
    append(exchange, id_, "id/value", block.first, column<std::uint64_t>(block.rows, id_of));
    append(exchange, species_, "species/value", block.first, column<std::uint32_t>(block.rows, species));
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
    dataset.resize(num_frames_ + 1, num_rows_);
    dataset.write(exchange, block, hdf5::number_type<Number>(), values.data());
    own_sum_ += first_new_id_
                    ? sum_of_growing_rows(name, num_frames_, first, width, std::as_bytes(std::span(values)),
                                          dataset.fill_value())
                    : sum_of_elements(name, (num_frames_ * num_rows_ + first) * width,
                                      std::span<const Number>(values));
}

}  // namespace ricochet
