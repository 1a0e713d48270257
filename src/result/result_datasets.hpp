// SPDX-License-Identifier: BSD-3-Clause
//
// The datasets of a result that have rows, as a table. Checksums follow it, and the check that a file has the rows that
// it counts. FORMAT.md says what they hold.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hdf5/complete_rows.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// What the rows of a dataset belong to.
enum class RowsOf : std::uint8_t {
    start,            ///< particles of the start, whether there are frames or not
    all_frames,       ///< the same particles, written with the first frame
    frames,           ///< a row for each
    frame_particles,  ///< for each frame, a row for each particle
    collisions,
    samples
};

struct ResultDataset {
    std::string group;  ///< with a slash at the end
    std::string name;   ///< in that group; the checksum of the dataset begins with it
    RowsOf rows = RowsOf::frames;
    bool is_other_name = false;  ///< of a dataset that stands in the table already

    std::string path() const { return group + name; }
    /// How many of its rows, along the first axis, a file with these complete rows promises.
    std::uint64_t num_rows(const CompleteRows& complete, std::uint64_t num_particles_at_start) const;
};

/// All of them. An earlier version may not have written the ids of the start.
std::vector<ResultDataset> datasets_of(const ResultDescription& description);

/// The elements of a frame that have a value for each particle.
inline constexpr std::array particle_elements{"id", "species", "position", "velocity", "image"};
/// Those that hold for all frames, unless contacts or decays change particles.
inline constexpr std::array particle_attributes{"radius", "mass"};

}  // namespace ricochet
