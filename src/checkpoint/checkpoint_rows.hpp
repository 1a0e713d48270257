// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of particles in a checkpoint (layout: checkpoint.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_types.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

/// The complete state of a particle, in memory as in the file.
struct ParticleRow {
    std::uint64_t id = 0;
    Vec3 position, velocity;
    double time =
        0;  ///< of the latest contact, relative to the step's end, where that is kept; else of the motion
    double radius = 0, mass = 0, diffusion = 0;
    std::uint32_t species = 0;
    std::uint32_t frozen_axes = 0;
    Vec3 origin;
    std::array<std::int64_t, 3> image{};
    std::uint64_t absorbed = no_id;  ///< in the file only where particles are born, or can be tethered

    static ParticleRow of(const Particles& particles, std::size_t k);
};
static_assert(sizeof(ParticleRow) == 152 && std::is_trivially_copyable_v<ParticleRow>);
static_assert(sizeof(Vec3) == 24);

/// The same where particles can be tethered.
struct TetheredRow {
    ParticleRow particle;
    std::array<std::uint64_t, Tethers::most> tether_ids{};      ///< no_id beyond num_tethers
    std::array<std::uint16_t, Tethers::most> tether_species{};  ///< 0 beyond num_tethers
    std::uint32_t num_tethers = 0;
    std::uint32_t unused_2 = 0;

    static TetheredRow of(const Particles& particles, std::size_t k);
};
static_assert(sizeof(TetheredRow) == 280 && std::is_trivially_copyable_v<TetheredRow>);

inline std::uint64_t id_of(const ParticleRow& row) { return row.id; }
inline std::uint64_t id_of(const TetheredRow& row) { return row.particle.id; }

/// Bytes of a row in the file, by whether particles are born in the run. Row is ParticleRow or TetheredRow.
template <class Row>
constexpr std::size_t row_bytes(bool has_births) {
    if (has_births || std::is_same_v<Row, TetheredRow>) return sizeof(Row);
    return offsetof(ParticleRow, absorbed);
}

/// The type of rows that lie `bytes` apart: as in memory, or as in the file.
template <class Row>
hdf5::Handle row_type(bool has_births, std::size_t bytes = sizeof(Row));

/// Whether the rows of a file are TetheredRow.
bool has_tethers(const hdf5::Dataset& particles);

/// Prepares a set of particles for `size` rows of this type.
template <class Row>
void make_room_for(Particles& particles, std::size_t size);
/// A time below 0 is that of a latest contact. False, and nothing is added, where a row has more tethers than there
/// can be.
bool add_particle(Particles& particles, const ParticleRow& row);
bool add_particle(Particles& particles, const TetheredRow& row);

}  // namespace ricochet
