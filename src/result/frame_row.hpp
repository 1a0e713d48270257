// SPDX-License-Identifier: BSD-3-Clause
//
// The data of one particle in a frame, sent between ranks as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "parallel/row_sources.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// Without a particle, as when it has ended or is not yet, the fill values of all elements. Its position is replaced
/// when it is written (frame_columns.hpp).
struct FrameRow {
    Vec3 position, velocity;
    TrackList::Image image{};
    std::uint64_t id = absent_id;
    double radius = 0;
    double mass = 0;
    std::uint32_t species = absent_species;
    std::uint32_t unused = 0;  ///< explicit padding

    /// Inline, so that where one element is used, the others are not read.
    static FrameRow of(const Particles& particles, std::size_t k) {
        const Motion& motion = particles.motion[k];
        const Attributes& attributes = particles.attributes[k];
        FrameRow row;
        row.position = motion.position;
        row.velocity = motion.velocity;
        row.image = particles.track.image(k);
        row.id = motion.id;
        row.radius = attributes.radius;
        row.mass = attributes.mass;
        row.species = attributes.species;
        return row;
    }
};
static_assert(sizeof(FrameRow) == 104 && std::is_trivially_copyable_v<FrameRow>);
static_assert(absent_id == no_id);

inline std::uint64_t id_of(const FrameRow& row) { return row.id; }

using FrameSources = RowSources<FrameRow>;

}  // namespace ricochet
