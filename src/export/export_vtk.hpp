// SPDX-License-Identifier: BSD-3-Clause
//
// The VTK form of export.hpp. A frame is an XML PolyData file whose numbers follow the XML text as raw bytes
// (format "appended", encoding "raw"). The length in bytes, an unsigned 64-bit integer, precedes each array.
// The collection lists the frames with their times. Bodies, which rest, have a file of their own.
#pragma once

#include <string>
#include <vector>

#include "export/body_mesh.hpp"
#include "export/export_text.hpp"
#include "files/output_file.hpp"

namespace ricochet {

struct TimedFile {
    double time = 0;
    std::string name;  ///< relative to the collection
};

/// Writes a whole .vtp file, column by column.
void write_vtp(OutputFile& file, const ExportedFrame& frame, const FrameRows& frames);

/// Writes a whole .vtp file of polygons, or in two dimensions of outlines, with the number of the body of each.
void write_vtp_of_bodies(OutputFile& file, const BodyMesh& mesh, const ResultDescription& description);

/// Writes a whole .vtp file of polygons: a species that is no sphere, about its centre of mass.
void write_vtp_of_shape(OutputFile& file, std::uint32_t species, const ResultDescription& description);

/// Writes the .pvd file.
void write_collection(OutputFile& file, const std::vector<TimedFile>& frames);

}  // namespace ricochet
