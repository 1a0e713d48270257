// SPDX-License-Identifier: BSD-3-Clause
//
// What a group of particles of an H5MD file says of its box and of its units. Both are optional in H5MD.
//
// box/edges are D lengths or a D x D matrix of edge vectors, for all frames or one per frame of the positions. So is
// box/offset, the lowest corner, which older files and HAL's MD have. box/boundary is one word per axis. Units
// are the attributes `unit` of position and of its time; our own files have all words in /ricochet/units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hdf5/hdf5_handle.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

struct H5mdBox {
    std::vector<double> edges;               ///< along the axes; empty when the file does not tell
    bool is_skew = false;                    ///< some edge is not along its axis
    std::vector<double> offset = {};         ///< the lowest corner; empty: not stated
    std::vector<std::string> boundary = {};  ///< the word of each axis, periodic or none; empty: not stated
};

/// The box of the group in this frame of its positions. Throws InputError, which names the file, when box/edges or
/// box/offset has another shape than those of H5MD.
H5mdBox read_h5md_box(const std::string& path, hid_t group, std::uint64_t frame);

/// The words for length and time, those that the group states.
std::vector<NamedText> read_unit_attributes(hid_t group);

/// The unit of velocities as the file has it, e.g. "nm ps-1"; empty where it has none.
std::string read_velocity_unit(hid_t group);
/// The words of the input that made the result, without "unstated".
std::vector<NamedText> read_our_units(hid_t ricochet_group);

}  // namespace ricochet
