// SPDX-License-Identifier: BSD-3-Clause
//
// fmt writes a double in the shortest form that reads back as the same bits, independent of the locale.
#include "export/export_text.hpp"

#include <iterator>
#include <string>
#include <utility>

#include "core/text.hpp"

namespace ricochet {
namespace {

template <class... Values>
void add(TextBuffer& out, fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(out), form, std::forward<Values>(values)...);
}

void add_nothing(TextBuffer& /*out*/) {}

/// The three numbers separated by `separator`, which also comes before the first.
template <class Three>
void add_three(TextBuffer& out, char separator, const Three& three) {
    add(out, "{}{}{}{}{}{}", separator, three[0], separator, three[1], separator, three[2]);
}

const std::string& species_name(const ExportedFrame& frame, std::uint32_t species) {
    static const std::string unknown = "unknown";
    const auto& all = frame.description.species;
    return species < all.size() ? all[species].name : unknown;
}

// --- extended XYZ ------------------------------------------------------------------------------------------

void begin_xyz_frame(TextBuffer& out, const ExportedFrame& frame) {
    const Box& box = frame.description.box;
    const bool is_flat = box.dimension == 2;
    add(out, "{}\n", frame.num_particles);
    add(out, "Lattice=\"{} 0 0 0 {} 0 0 0 {}\" ", box.size.x, box.size.y,
        is_flat ? frame.thickness : box.size.z);
    if (is_flat) add(out, "Origin=\"0 0 {}\" ", -frame.thickness / 2);
    add(out, "Properties=type:S:1:pos:R:3:velo:R:3:id:I:1:radius:R:1:mass:R:1:image:I:3 ");
    add(out, "Time={} Step={} pbc=\"", frame.stamp.time, frame.stamp.step);
    for (int axis = 0; axis < 3; ++axis)
        add(out, "{}{}", axis == 0 ? "" : " ", box.is_periodic(axis) ? 'T' : 'F');
    add(out, "\"");
    for (const NamedText& unit : stated_units(frame.description))
        add(out, " {}_unit=\"{}\"", unit.name, unit.text);
    add(out, "\n");
}

void add_xyz_rows(TextBuffer& out, const ExportedFrame& frame, const FrameBlock& rows) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        add(out, "{}", species_name(frame, rows.species[k]));
        add_three(out, ' ', rows.position[k]);
        add_three(out, ' ', rows.velocity[k]);
        add(out, " {} {} {}", rows.id[k], rows.radius[k], rows.mass[k]);
        add_three(out, ' ', rows.image[k]);
        out.push_back('\n');
    }
}

// --- LAMMPS dump -------------------------------------------------------------------------------------------

void begin_lammps_frame(TextBuffer& out, const ExportedFrame& frame) {
    const Box& box = frame.description.box;
    const bool is_flat = box.dimension == 2;
    add(out, "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS", frame.stamp.step,
        frame.num_particles);
    for (int axis = 0; axis < 3; ++axis) add(out, " {}", box.is_periodic(axis) ? "pp" : "ff");
    add(out, "\n0 {}\n0 {}\n", box.size.x, box.size.y);
    add(out, "{} {}\n", is_flat ? -frame.thickness / 2 : 0.0, is_flat ? frame.thickness / 2 : box.size.z);
    add(out, "ITEM: ATOMS id type element x y z vx vy vz ix iy iz radius mass\n");
}

void add_lammps_rows(TextBuffer& out, const ExportedFrame& frame, const FrameBlock& rows) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        add(out, "{} {} {}", rows.id[k] + 1, rows.species[k] + 1, species_name(frame, rows.species[k]));
        add_three(out, ' ', rows.position[k]);
        add_three(out, ' ', rows.velocity[k]);
        add_three(out, ' ', rows.image[k]);
        add(out, " {} {}\n", rows.radius[k], rows.mass[k]);
    }
}

// --- CSV ---------------------------------------------------------------------------------------------------

void begin_csv_file(TextBuffer& out) {
    add(out, "frame,step,time,id,species,x,y,z,vx,vy,vz,ix,iy,iz,radius,mass\n");
}

void begin_csv_frame(TextBuffer& /*out*/, const ExportedFrame& /*frame*/) {}

void add_csv_rows(TextBuffer& out, const ExportedFrame& frame, const FrameBlock& rows) {
    const std::string head = fmt::format("{},{},{},", frame.frame, frame.stamp.step, frame.stamp.time);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        add(out, "{}{},{}", head, rows.id[k], species_name(frame, rows.species[k]));
        add_three(out, ',', rows.position[k]);
        add_three(out, ',', rows.velocity[k]);
        add_three(out, ',', rows.image[k]);
        add(out, ",{},{}\n", rows.radius[k], rows.mass[k]);
    }
}

}  // namespace

std::vector<NamedText> stated_units(const ResultDescription& description) {
    std::vector<NamedText> stated;
    for (const NamedText& unit : description.units) {
        const bool is_plain = excerpt(unit.text) == unit.text && unit.text.find('"') == std::string::npos &&
                              unit.text.find("--") == std::string::npos;
        if (is_plain && !unit.text.empty() && unit.text != "unstated") stated.push_back(unit);
    }
    return stated;
}

TextFormat text_format(ExportFormat format) {
    if (format == ExportFormat::xyz) return {add_nothing, begin_xyz_frame, add_xyz_rows};
    if (format == ExportFormat::lammps) return {add_nothing, begin_lammps_frame, add_lammps_rows};
    return {begin_csv_file, begin_csv_frame, add_csv_rows};
}

}  // namespace ricochet
