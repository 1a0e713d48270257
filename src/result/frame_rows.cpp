// SPDX-License-Identifier: BSD-3-Clause
#include "result/frame_rows.hpp"

#include <string>

#include "hdf5/hdf5_types.hpp"

namespace ricochet {
namespace {

hdf5::Dataset open_values(const ResultReader& reader, const char* name) {
    return reader.open(std::string("/particles/trajectory/") + name + "/value");
}

template <class Number>
void read_numbers(const hdf5::Dataset& dataset, const FrameRowRange& rows, std::vector<Number>& out) {
    out.resize(rows.count);
    dataset.read({{rows.frame, rows.first}, {1, rows.count}}, hdf5::number_type<Number>(), out.data());
}

template <class Number>
void read_triples(const hdf5::Dataset& dataset, const FrameRowRange& rows,
                  std::vector<std::array<Number, 3>>& out) {
    out.resize(rows.count);
    dataset.read({{rows.frame, rows.first, 0}, {1, rows.count, 3}}, hdf5::number_type<Number>(), out.data());
}

/// Removes the values of rows without a particle.
template <class Value>
void compact(const std::vector<std::uint64_t>& ids, std::vector<Value>& values) {
    std::size_t num_kept = 0;
    for (std::size_t row = 0; row < ids.size(); ++row)
        if (ids[row] != absent_id) values[num_kept++] = values[row];
    values.resize(num_kept);
}

/// Radius and mass depend on the frame where particles change.
hdf5::Dataset open_attribute(const ResultReader& reader, const char* name) {
    if (reader.description().has_changing_particles) return open_values(reader, name);
    return reader.open(std::string("/particles/trajectory/") + name);
}

}  // namespace

FrameRows::FrameRows(const ResultReader& reader)
    : reader_(reader),
      has_changing_particles_(reader.description().has_changing_particles),
      id_(open_values(reader, "id")),
      species_(open_values(reader, "species")),
      position_(open_values(reader, "position")),
      velocity_(open_values(reader, "velocity")),
      image_(open_values(reader, "image")),
      radius_(open_attribute(reader, "radius")),
      mass_(open_attribute(reader, "mass")),
      box_edges_(open_values(reader, "box/edges")) {}

double FrameRows::thickness(std::uint64_t frame) const {
    double thickness = 0;
    box_edges_.read({{frame, 2, 2}, {1, 1, 1}}, hdf5::number_type<double>(), &thickness);
    return thickness;
}

std::uint64_t FrameRows::num_particles(std::uint64_t frame) const {
    if (!has_changing_particles_) return num_rows(frame);
    std::uint64_t number = 0;
    std::vector<std::uint64_t> ids;
    for_each_block(*this, frame, [&](const FrameRowRange& rows) {
        read_id(rows, ids);
        number += ids.size();
    });
    return number;
}

template <class Value>
void FrameRows::keep_present(const FrameRowRange& rows, std::vector<Value>& values) const {
    if (!has_changing_particles_) return;
    std::vector<std::uint64_t> ids;
    read_numbers(id_, rows, ids);
    compact(ids, values);
}

void FrameRows::read_attribute(const hdf5::Dataset& dataset, const FrameRowRange& rows,
                               std::vector<double>& out) const {
    out.resize(rows.count);
    if (has_changing_particles_)
        read_numbers(dataset, rows, out);
    else
        dataset.read({{rows.first}, {rows.count}}, hdf5::number_type<double>(), out.data());
    keep_present(rows, out);
}

void FrameRows::read_id(const FrameRowRange& rows, std::vector<std::uint64_t>& out) const {
    read_numbers(id_, rows, out);
    if (has_changing_particles_) std::erase(out, absent_id);
}

void FrameRows::read_species(const FrameRowRange& rows, std::vector<std::uint32_t>& out) const {
    read_numbers(species_, rows, out);
    keep_present(rows, out);
}

void FrameRows::read_position(const FrameRowRange& rows, std::vector<Triple>& out) const {
    read_triples(position_, rows, out);
    keep_present(rows, out);
}

void FrameRows::read_velocity(const FrameRowRange& rows, std::vector<Triple>& out) const {
    read_triples(velocity_, rows, out);
    keep_present(rows, out);
}

void FrameRows::read_image(const FrameRowRange& rows, std::vector<IntegerTriple>& out) const {
    read_triples(image_, rows, out);
    keep_present(rows, out);
}

void FrameRows::read_radius(const FrameRowRange& rows, std::vector<double>& out) const {
    read_attribute(radius_, rows, out);
}

void FrameRows::read_mass(const FrameRowRange& rows, std::vector<double>& out) const {
    read_attribute(mass_, rows, out);
}

std::vector<std::uint64_t> FrameRows::count_by_species(std::uint64_t frame) const {
    std::vector<std::uint64_t> counts(reader_.description().species.size());
    std::vector<std::uint32_t> block;
    for_each_block(*this, frame, [&](const FrameRowRange& rows) {
        read_species(rows, block);
        for (const std::uint32_t species : block)
            if (species < counts.size()) ++counts[species];
    });
    return counts;
}

void FrameRows::read(const FrameRowRange& rows, FrameBlock& out) const {
    read_id(rows, out.id);
    read_species(rows, out.species);
    read_position(rows, out.position);
    read_velocity(rows, out.velocity);
    read_image(rows, out.image);
    read_radius(rows, out.radius);
    read_mass(rows, out.mass);
}

}  // namespace ricochet
