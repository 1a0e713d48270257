// SPDX-License-Identifier: BSD-3-Clause
//
// The data of one particle in a frame, sent between ranks as bytes.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "ricochet/model/particles.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

struct FrameRow {
    Vec3 position, velocity;
    TrackList::Image image{};
    std::uint64_t id = 0;
    double radius = 0;
    double mass = 0;
    std::uint32_t species = 0;
    std::uint32_t unused = 0;  ///< explicit padding
};
static_assert(sizeof(FrameRow) == 104 && std::is_trivially_copyable_v<FrameRow>);

/// The row of a particle that has ended, or is not yet: the fill values of all elements.
inline FrameRow absent_row() {
    FrameRow row;
    row.id = absent_id;
    row.species = absent_species;
    return row;
}

/// Inline, so that where one element is used, the others are not read.
inline FrameRow frame_row_of(const Particles& particles, std::size_t k) {
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

}  // namespace ricochet
