// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint/checkpoint_rows.hpp"

#include "model/particle_memory.hpp"

namespace ricochet {
namespace {

void add_fields(hdf5::CompoundBuilder& type, bool has_absorbed) {
    const hid_t f64 = hdf5::number_type<double>(), u64 = hdf5::number_type<std::uint64_t>();
    const hid_t u32 = hdf5::number_type<std::uint32_t>();
    const hdf5::Handle vector = hdf5::triple_type(f64);
    const hdf5::Handle image = hdf5::triple_type(hdf5::number_type<std::int64_t>());
    type.field("id", offsetof(ParticleRow, id), u64)
        .field("position", offsetof(ParticleRow, position), vector.get())
        .field("velocity", offsetof(ParticleRow, velocity), vector.get())
        .field("time", offsetof(ParticleRow, time), f64)
        .field("radius", offsetof(ParticleRow, radius), f64)
        .field("mass", offsetof(ParticleRow, mass), f64)
        .field("diffusion", offsetof(ParticleRow, diffusion), f64)
        .field("species", offsetof(ParticleRow, species), u32)
        .field("frozen_axes", offsetof(ParticleRow, frozen_axes), u32)
        .field("origin", offsetof(ParticleRow, origin), vector.get())
        .field("image", offsetof(ParticleRow, image), image.get());
    if (has_absorbed) type.field("absorbed", offsetof(ParticleRow, absorbed), u64);
}

}  // namespace

template <>
hdf5::Handle row_type<ParticleRow>(bool has_births, std::size_t bytes) {
    hdf5::CompoundBuilder type(bytes);
    add_fields(type, has_births);
    return type.take();
}

template <>
hdf5::Handle row_type<TetheredRow>([[maybe_unused]] bool has_births, std::size_t bytes) {
    const hid_t u32 = hdf5::number_type<std::uint32_t>();
    const hdf5::Handle ids = hdf5::array_type(hdf5::number_type<std::uint64_t>(), Tethers::most);
    const hdf5::Handle species = hdf5::array_type(hdf5::number_type<std::uint16_t>(), Tethers::most);
    hdf5::CompoundBuilder type(bytes);
    add_fields(type, true);
    type.field("tether_ids", offsetof(TetheredRow, tether_ids), ids.get())
        .field("tether_species", offsetof(TetheredRow, tether_species), species.get())
        .field("num_tethers", offsetof(TetheredRow, num_tethers), u32)
        .field("unused_2", offsetof(TetheredRow, unused_2), u32);
    return type.take();
}

bool has_tethers(const hdf5::Dataset& particles) {
    const hdf5::Handle type = particles.type();
    return H5Tget_member_index(type.get(), "tether_ids") >= 0;
}

ParticleRow ParticleRow::of(const Particles& particles, std::size_t k) {
    const Motion& m = particles.motion[k];
    const Attributes& a = particles.attributes[k];
    const Track t = particles.track[k];
    const double time =
        particles.track.keeps_latest_contacts() ? particles.track.latest_contacts()[k] : m.time;
    return {m.id,        m.position, m.velocity,    time,     a.radius, a.mass,
            a.diffusion, a.species,  a.frozen_axes, t.origin, t.image,  t.absorbed};
}

TetheredRow TetheredRow::of(const Particles& particles, std::size_t k) {
    const Tethers& tethers = particles.track.tethers()[k];
    TetheredRow row{.particle = ParticleRow::of(particles, k)};
    row.tether_ids.fill(no_id);
    row.num_tethers = tethers.size();
    for (std::uint32_t t = 0; t < tethers.size(); ++t) {
        row.tether_ids[t] = tethers.partner(t);
        row.tether_species[t] = static_cast<std::uint16_t>(tethers.species(t));
    }
    return row;
}

template <>
void make_room_for<ParticleRow>(Particles& particles, std::size_t size) {
    reserve_with_spare(particles, size);
}

template <>
void make_room_for<TetheredRow>(Particles& particles, std::size_t size) {
    particles.track.keep_tethers();
    reserve_with_spare(particles, size);
}

bool add_particle(Particles& particles, const ParticleRow& row) {
    const bool is_of_contact = row.time < 0;
    particles.push_back({row.position, row.velocity, is_of_contact ? 0 : row.time, row.id},
                        {row.radius, row.mass, row.diffusion, row.species, row.frozen_axes},
                        {row.origin, row.image, row.absorbed});
    if (!is_of_contact) return true;
    particles.track.keep_latest_contacts();
    particles.track.latest_contacts().back() = row.time;
    return true;
}

bool add_particle(Particles& particles, const TetheredRow& row) {
    if (row.num_tethers > Tethers::most) return false;
    add_particle(particles, row.particle);
    Tethers& tethers = particles.track.tethers()[particles.size() - 1];
    for (std::uint32_t t = 0; t < row.num_tethers; ++t) tethers.add(row.tether_ids[t], row.tether_species[t]);
    return true;
}

}  // namespace ricochet
