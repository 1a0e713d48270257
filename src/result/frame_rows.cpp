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

void read_constant(const hdf5::Dataset& dataset, const FrameRowRange& rows, std::vector<double>& out) {
    out.resize(rows.count);
    dataset.read({{rows.first}, {rows.count}}, hdf5::number_type<double>(), out.data());
}

}  // namespace

FrameRows::FrameRows(const ResultReader& reader)
    : num_rows_(reader.description().num_particles),
      id_(open_values(reader, "id")),
      species_(open_values(reader, "species")),
      position_(open_values(reader, "position")),
      velocity_(open_values(reader, "velocity")),
      image_(open_values(reader, "image")),
      radius_(reader.open("/particles/trajectory/radius")),
      mass_(reader.open("/particles/trajectory/mass")) {}

void FrameRows::read_id(const FrameRowRange& rows, std::vector<std::uint64_t>& out) const {
    read_numbers(id_, rows, out);
}

void FrameRows::read_species(const FrameRowRange& rows, std::vector<std::uint32_t>& out) const {
    read_numbers(species_, rows, out);
}

void FrameRows::read_position(const FrameRowRange& rows, std::vector<Triple>& out) const {
    read_triples(position_, rows, out);
}

void FrameRows::read_velocity(const FrameRowRange& rows, std::vector<Triple>& out) const {
    read_triples(velocity_, rows, out);
}

void FrameRows::read_image(const FrameRowRange& rows, std::vector<IntegerTriple>& out) const {
    read_triples(image_, rows, out);
}

void FrameRows::read_radius(const FrameRowRange& rows, std::vector<double>& out) const {
    read_constant(radius_, rows, out);
}

void FrameRows::read_mass(const FrameRowRange& rows, std::vector<double>& out) const {
    read_constant(mass_, rows, out);
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
