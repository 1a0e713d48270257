// SPDX-License-Identifier: BSD-3-Clause
//
// The VTK form of export.hpp: a frame as XML PolyData whose numbers follow the XML text as raw bytes
// (format "appended", encoding "raw": each array behind its length in bytes, an unsigned 64-bit integer), and
// the collection of the frames with their times.
#pragma once

#include <string>
#include <vector>

#include "app/export_text.hpp"
#include "app/output_file.hpp"

namespace ricochet {

struct TimedFile {
    double time = 0;
    std::string name;  ///< relative to the collection
};

/// Writes a whole .vtp file, column by column.
void write_vtp(OutputFile& file, const ExportedFrame& frame, const FrameRows& frames);

/// Writes the .pvd file.
void write_collection(OutputFile& file, const std::vector<TimedFile>& frames);

}  // namespace ricochet
