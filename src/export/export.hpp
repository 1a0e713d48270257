// SPDX-License-Identifier: BSD-3-Clause
//
// Frames of a result in the formats of other programs (`ricochet export`). Numbers are those of the file.
// Text has the shortest form that reads back as the same double; binary formats have the same bytes.
//
//   xyz     extended XYZ, all frames in one file. Comment line: Lattice (and Origin for discs), Properties
//           species:S:1:pos:R:3:velo:R:3:id:I:1:radius:R:1:mass:R:1:image:I:3, Time, Step, pbc.
//   lammps  a LAMMPS text dump, all frames in one file: id type x y z vx vy vz ix iy iz radius mass.
//           Ids are 1 + those of the result, since LAMMPS and its readers count atoms from 1. The type is 1 + the
//           index of the species. Bounds pp for a periodic axis, ff for walls. Time is
//           left out, since not all readers accept it.
//   csv     a header, then one line per frame and particle: frame,step,time,id,species,x,y,z,vx,vy,vz,
//           ix,iy,iz,radius,mass; species by name. Frames count from 0 as in the result.
//   vtk     XML PolyData (appended raw data), one file NAME_<frame>.vtp per frame, and their collection
//           NAME.pvd, which ParaView opens with the times. Point data: id, species, velocity, image, radius,
//           mass. Bodies are polygons in NAME_bodies.vtp (body_mesh.hpp), with the number of the body. A
//           species k that is no sphere has its faces about the centre of mass in NAME_shape_k.vtp, for glyphs.
//
// Discs lie at z = 0 in a layer as thick as the largest of them. Positions are wrapped; image unwraps them.
// Absent particles are left out, so that frames may differ in length.
//
// Streaming: some thousand rows are in memory at a time, whatever the size of the file. Disadvantage of the
// VTK form: a frame is read column by column, since its columns follow each other in the file.
#pragma once

#include <cstdint>
#include <string>

namespace ricochet {

enum class ExportFormat { xyz, lammps, csv, vtk };

/// Throws InputError for an unknown word.
ExportFormat export_format_named(const std::string& word);
/// With the dot, e.g. ".xyz".
std::string extension_of(ExportFormat format);

/// Frames first, first + stride, ... below end.
struct FrameSelection {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    std::uint64_t stride = 1;

    std::uint64_t count() const { return (end - first + stride - 1) / stride; }
};

/// Reads "a:b:c" like a slice in Python: from a, below b, every c-th. Each may be left out; negative numbers
/// count from the end; a single number is one frame. Throws InputError for anything else, for a frame that
/// the file does not have, and for an empty selection.
FrameSelection parse_frames(const std::string& text, std::uint64_t num_frames);

struct ExportRequest {
    std::string path;  ///< the result
    ExportFormat format = ExportFormat::xyz;
    std::string frames = ":";  ///< see parse_frames
    std::string output;        ///< empty: the name of the result with the extension of the format
    bool replace = false;      ///< overwrite existing files
};

/// Writes the export and returns a line for the user, and a note where particles are no spheres. Throws InputError
/// for mistakes in the request, before anything is written; RunError when writing fails. Called by one rank.
std::string export_frames(const ExportRequest& request);

}  // namespace ricochet
