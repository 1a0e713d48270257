// SPDX-License-Identifier: BSD-3-Clause
#include "result/frame_columns.hpp"

#include <algorithm>
#include <cmath>

#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_file.hpp"
#include "parallel/collectives.hpp"
#include "result/result_sums.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

std::vector<std::string> h5md_boundary(const Box& box) {
    const auto word = [&](int axis) { return box.is_periodic(axis) ? "periodic" : "none"; };
    return {word(0), word(1), word(2)};
}

/// So few that a piece of any column stays in the second cache until it has been summed up.
constexpr std::uint64_t rows_at_once = 2048;

/// A particle in the lowest row that has one.
struct FirstParticle {
    std::uint64_t row = no_id;  ///< no_id where no row has one
    Vec3 position;
};

FirstParticle first_particle_of(std::span<const FrameSources> blocks) {
    FirstParticle first;
    for (const FrameSources& block : blocks)
        for (std::uint64_t k = 0; k < block.num_rows() && block.first_row() + k < first.row; ++k)
            if (block.has_particle(k))
                first = {block.first_row() + k,
                         block.value(k, [](const FrameRow& row) { return row.position; })};
    return first;
}

/// What rows without a particle show as their position: that of the frame's first particle, or 0 where it has none.
/// Programs that do not know the mark of such rows then draw no point where nothing is. Collective.
Vec3 agree_on_place_of_absent(Exchange& exchange, std::span<const FrameSources> blocks) {
    const FirstParticle own = first_particle_of(blocks);
    FirstParticle first;
    for (const FirstParticle& one : all_gather_records(exchange, std::span(&own, 1)))
        if (one.row < first.row) first = one;
    return first.position;
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

FrameColumns::FrameColumns(hid_t file, const ResultDescription& description)
    : box_size_(description.box.size),
      num_rows_(description.num_particles),
      num_first_rows_(description.num_particles),
      first_new_id_(description.first_new_id),
      has_changing_particles_(description.has_changing_particles),
      precision_(description.precision),
      is_compressed_(description.is_compressed) {
    RICOCHET_CHECK(has_changing_particles_ || !first_new_id_);
    const hdf5::Handle particles = hdf5::create_group(file, "particles");
    const hdf5::Handle group = hdf5::create_group(particles.get(), "trajectory");
    const hdf5::Handle box = hdf5::create_group(group.get(), "box");
    hdf5::write_attribute(box.get(), "dimension", std::int32_t{3});
    hdf5::write_attribute(box.get(), "boundary", h5md_boundary(description.box));
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
void FrameColumns::create_reals(hid_t group) {
    create_column<Real>(group, "position", position_, 0, 3);
    create_column<Real>(group, "velocity", velocity_, 0, 3);
}

void FrameColumns::create_radius_and_mass(hid_t group) {
    for (const auto& [name, dataset] : {std::pair("radius", &radius_), std::pair("mass", &mass_)}) {
        if (has_changing_particles_)
            create_column<double>(group, name, *dataset);
        else
            *dataset = hdf5::Dataset::create_fixed(group, name, hdf5::number_type<double>(), {num_rows_});
    }
}

void FrameColumns::write_units(const FrameUnits& units) {
    hdf5::write_attribute(time_.get(), "unit", units.time);
    hdf5::write_attribute(velocity_.get(), "unit", units.velocity);
    for (const hdf5::Dataset* lengths : {&position_, &box_edges_, &radius_})
        hdf5::write_attribute(lengths->get(), "unit", units.length);
}

FrameColumns FrameColumns::reopen(hid_t file, const ResultDescription& description, std::uint64_t num_frames,
                                  std::uint64_t own_sum) {
    FrameColumns columns;
    columns.box_size_ = description.box.size;
    columns.precision_ = description.precision;
    columns.num_frames_ = num_frames;
    columns.own_sum_ = own_sum;
    columns.open_elements(hdf5::open_group(file, "particles/trajectory").get());
    columns.open_rows(hdf5::open_group(file, "ricochet").get());
    columns.cut_back();
    return columns;
}

void FrameColumns::open_elements(hid_t group) {
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
void FrameColumns::open_rows(hid_t group) {
    num_rows_ = num_first_rows_ = hdf5::read_number<std::uint64_t>(group, "num_particles");
    if (!hdf5::has_attribute(group, "first_new_id")) return;
    first_new_id_ = hdf5::read_number<std::uint64_t>(group, "first_new_id");
    rows_ = hdf5::Dataset::open(group, "rows");
    if (num_frames_ > 0) rows_.read({{num_frames_ - 1}, {1}}, hdf5::number_type<std::uint64_t>(), &num_rows_);
}

void FrameColumns::cut_back() {
    for (hdf5::Dataset* column : {&position_, &velocity_, &image_, &id_, &species_})
        column->resize(num_frames_, num_rows_);
    if (has_changing_particles_)
        for (hdf5::Dataset* column : {&radius_, &mass_}) column->resize(num_frames_, num_rows_);
    for (hdf5::Dataset* series : {&box_edges_, &step_, &time_}) series->resize(num_frames_);
    if (first_new_id_) rows_.resize(num_frames_);
}

std::vector<double> FrameColumns::read_times() const {
    std::vector<double> times(num_frames_);
    time_.read({{0}, {num_frames_}}, hdf5::number_type<double>(), times.data());
    return times;
}

std::vector<std::uint64_t> FrameColumns::read_rows() const {
    std::vector<std::uint64_t> rows(num_frames_, num_rows_);
    if (first_new_id_) rows_.read({{0}, {num_frames_}}, hdf5::number_type<std::uint64_t>(), rows.data());
    return rows;
}

std::vector<std::uint64_t> FrameColumns::read_first_ids(std::uint64_t first, std::uint64_t count) const {
    std::vector<std::uint64_t> ids(count);
    id_.read({{0, first}, {1, count}}, hdf5::number_type<std::uint64_t>(), ids.data());
    return ids;
}

double FrameColumns::read_thickness() const {
    double thickness = 0;
    if (num_frames_ > 0)
        box_edges_.read({{num_frames_ - 1, 2, 2}, {1, 1, 1}}, hdf5::number_type<double>(), &thickness);
    return thickness;
}

// `width` numbers per particle. Where particles may be absent, or come later, readers find the fill value.
template <class Number>
void FrameColumns::create_column(hid_t group, const char* name, hdf5::Dataset& value, Number fill_value,
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
void FrameColumns::create_element(hid_t group, const char* name, hid_t type, const hdf5::Extents& row,
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

std::uint64_t FrameColumns::frame_bytes(std::uint64_t num_rows) const {
    const std::uint64_t real_bytes = precision_ == Precision::float64 ? 8 : 4;
    const std::uint64_t integer_bytes = 36, radius_and_mass_bytes = has_changing_particles_ ? 16 : 0;
    std::uint64_t num_bytes = num_rows * (6 * real_bytes + integer_bytes + radius_and_mass_bytes) + 1024;
    if (num_rows == num_rows_) return num_bytes;
    // New rows of earlier frames.
    for (const hdf5::Dataset* column : {&position_, &velocity_, &image_, &id_, &species_, &radius_, &mass_})
        num_bytes += column->chunk_bytes(num_frames_, num_rows) - column->chunk_bytes(num_frames_, num_rows_);
    return num_bytes;
}

void FrameColumns::append(Exchange& exchange, const FrameHead& head, std::span<const FrameSources> blocks,
                          std::uint64_t num_rows) {
    num_rows_ = num_rows;
    place_of_absent_ = has_changing_particles_ ? agree_on_place_of_absent(exchange, blocks) : Vec3{};
    for (const FrameSources& block : blocks) {
        if (has_changing_particles_ || num_frames_ == 0) write_radius_and_mass(exchange, block);
        if (precision_ == Precision::float64)
            write_reals<double>(exchange, block);
        else
            write_reals<float>(exchange, block);
        write_integers(exchange, block);
    }
    write_head(exchange, head);
    ++num_frames_;
}

void FrameColumns::write_radius_and_mass(Exchange& exchange, const FrameSources& block) {
    const char* const radius = has_changing_particles_ ? "radius/value" : "radius";
    const char* const mass = has_changing_particles_ ? "mass/value" : "mass";
    write_rows<double, 1>(exchange, radius_, radius, block,
                          [](const FrameRow& row) { return std::array{row.radius}; });
    write_rows<double, 1>(exchange, mass_, mass, block,
                          [](const FrameRow& row) { return std::array{row.mass}; });
}

void FrameColumns::write_head(Exchange& exchange, const FrameHead& head) {
    write_from_rank_0(exchange, step_, "position/step", {}, std::span<const std::uint64_t>(&head.step, 1));
    write_from_rank_0(exchange, time_, "position/time", {}, std::span<const double>(&head.time, 1));
    write_from_rank_0(exchange, box_edges_, "box/edges/value", {3, 3}, std::span<const double>(head.edges));
    if (first_new_id_)
        write_from_rank_0(exchange, rows_, "rows", {}, std::span<const std::uint64_t>(&num_rows_, 1));
}

// Rank 0 writes one row, the others none.
template <class Number>
void FrameColumns::write_from_rank_0(Exchange& exchange, hdf5::Dataset& dataset, const char* name,
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

template <class Real>
void FrameColumns::write_reals(Exchange& exchange, const FrameSources& block) {
    const Vec3 size = box_size_, place_of_absent = place_of_absent_;
    write_rows<Real, 3>(exchange, position_, "position/value", block, [=](const FrameRow& row) {
        const Vec3 position = row.id == absent_id ? place_of_absent : row.position;
        return std::array{stored_position<Real>(position.x, size.x),
                          stored_position<Real>(position.y, size.y),
                          stored_position<Real>(position.z, size.z)};
    });
    write_rows<Real, 3>(exchange, velocity_, "velocity/value", block, [](const FrameRow& row) {
        return std::array{static_cast<Real>(row.velocity.x), static_cast<Real>(row.velocity.y),
                          static_cast<Real>(row.velocity.z)};
    });
}

void FrameColumns::write_integers(Exchange& exchange, const FrameSources& block) {
    write_rows<std::int64_t, 3>(exchange, image_, "image/value", block,
                                [](const FrameRow& row) { return row.image; });
    write_rows<std::uint64_t, 1>(exchange, id_, "id/value", block,
                                 [](const FrameRow& row) { return std::array{row.id}; });
    write_rows<std::uint32_t, 1>(exchange, species_, "species/value", block,
                                 [](const FrameRow& row) { return std::array{row.species}; });
}

// Writes `width` values for each row of the block, into the new frame, or into a dataset that all frames share.
template <class Number, std::size_t width, class Field>
void FrameColumns::write_rows(Exchange& exchange, hdf5::Dataset& dataset, const char* name,
                              const FrameSources& block, Field field) {
    const std::span<Number> values = room_for<Number>(width * block.num_rows());
    const std::vector<std::byte> fill_value = first_new_id_ ? dataset.fill_value() : std::vector<std::byte>();
    for (std::uint64_t begin = 0; begin < block.num_rows(); begin += rows_at_once) {
        const std::uint64_t end = std::min(begin + rows_at_once, block.num_rows());
        Number* next = values.data() + width * begin;
        for (std::uint64_t row = begin; row < end; ++row)
            for (const Number number : block.value(row, field)) *next++ = number;
        const auto piece = std::span<const Number>(values).subspan(width * begin, width * (end - begin));
        own_sum_ += sum_of_rows(name, block.first_row() + begin, width, piece, fill_value);
    }
    hdf5::Block place{{block.first_row()}, {block.num_rows()}};
    if (dataset.is_chunked()) {
        dataset.resize(num_frames_ + 1, num_rows_);
        place = {{num_frames_, block.first_row()}, {1, block.num_rows()}};
    }
    if (width > 1) {
        place.offset.push_back(0);
        place.count.push_back(width);
    }
    dataset.write(exchange, place, hdf5::number_type<Number>(), values.data());
}

// The contribution of rows of the new frame, from row `first` on.
template <class Number>
std::uint64_t FrameColumns::sum_of_rows(const char* name, std::uint64_t first, std::uint64_t width,
                                        std::span<const Number> values,
                                        std::span<const std::byte> fill_value) const {
    if (first_new_id_)
        return sum_of_growing_rows(name, num_frames_, first, width, std::as_bytes(values), fill_value);
    return sum_of_elements(name, (num_frames_ * num_rows_ + first) * width, values);
}

// Uninitialised numbers, in memory that all columns use in turn.
template <class Number>
std::span<Number> FrameColumns::room_for(std::uint64_t count) {
    if (memory_.size() < count * sizeof(Number)) resize_for_overwrite(memory_, count * sizeof(Number));
    return {reinterpret_cast<Number*>(memory_.data()), count};
}

}  // namespace ricochet
