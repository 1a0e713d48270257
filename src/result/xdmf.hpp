// SPDX-License-Identifier: BSD-3-Clause
//
// The .xdmf file beside a result: a list of frames, in XML, that lets ParaView (reader Xdmf3) open the
// trajectory. Items name hyperslabs of the HDF5 file in the form "file:dataset|start:stride:count:shape".
//
// A frame shows the rows that there were when it was written, so none of particles that came later.
//
// The first numbers of the shape are those of the frames at the time of writing. So the file is rewritten
// whenever the frames have grown by an eighth, as a temporary file that replaces the old one. The cost per
// frame stays bounded, and the file of a killed run lacks only the newest frames.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// gas.h5md -> gas.xdmf; other names get .xdmf appended.
std::string xdmf_path(const std::string& result_path);

/// Whether the file of that name is one that write_xdmf has written for this result. A link is not.
bool has_own_xdmf(const std::string& result_path);

struct XdmfContent {
    std::uint64_t num_stored = 0;  ///< rows of the datasets
    bool has_changing_particles = false;
    Precision precision = Precision::float64;
    const std::vector<double>& times;            ///< of the frames
    const std::vector<std::uint64_t>& num_rows;  ///< as of each frame; those without a particle have radius 0
};

/// Writes the file for frames at the given times. Throws RunError when it cannot. One rank only.
void write_xdmf(const std::string& result_path, const XdmfContent& content);

}  // namespace ricochet
