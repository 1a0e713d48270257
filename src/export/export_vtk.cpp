// SPDX-License-Identifier: BSD-3-Clause
#include "export/export_vtk.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

#include "core/text.hpp"

namespace ricochet {
namespace {

static_assert(sizeof(Vec3) == 3 * sizeof(double));
static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");

/// The place of the arrays in a .vtp file. Points of PolyData are drawn only as part of a cell: one vertex
/// each.
enum class Place { points, point_data, vertices };

/// One array of the file: its description, and how a block of it is read as bytes.
struct Column {
    const char* name;
    const char* type;
    int num_components;
    std::size_t bytes_per_row;
    Place place;
};

constexpr std::array<Column, 9> columns{{{"position", "Float64", 3, 24, Place::points},
                                         {"id", "UInt64", 1, 8, Place::point_data},
                                         {"species", "UInt32", 1, 4, Place::point_data},
                                         {"velocity", "Float64", 3, 24, Place::point_data},
                                         {"image", "Int64", 3, 24, Place::point_data},
                                         {"radius", "Float64", 1, 8, Place::point_data},
                                         {"mass", "Float64", 1, 8, Place::point_data},
                                         {"connectivity", "Int64", 1, 8, Place::vertices},
                                         {"offsets", "Int64", 1, 8, Place::vertices}}};

template <class Value>
std::string_view bytes_of(const std::vector<Value>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

/// Buffers for one block of any column.
struct ColumnReader {
    const FrameRows& frames;
    FrameBlock block;
    std::vector<std::int64_t> numbers;

    std::string_view count_from(std::uint64_t start, std::uint64_t count) {
        numbers.resize(count);
        std::iota(numbers.begin(), numbers.end(), static_cast<std::int64_t>(start));
        return bytes_of(numbers);
    }

    template <class Value>
    std::string_view read(void (FrameRows::*values_of)(const FrameRowRange&, std::vector<Value>&) const,
                          const FrameRowRange& rows, std::vector<Value>& values) {
        (frames.*values_of)(rows, values);
        return bytes_of(values);
    }

    std::string_view read(std::size_t column, const FrameRowRange& rows) {
        switch (column) {
            case 0:
                return read(&FrameRows::read_position, rows, block.position);
            case 1:
                return read(&FrameRows::read_id, rows, block.id);
            case 2:
                return read(&FrameRows::read_species, rows, block.species);
            case 3:
                return read(&FrameRows::read_velocity, rows, block.velocity);
            case 4:
                return read(&FrameRows::read_image, rows, block.image);
            case 5:
                return read(&FrameRows::read_radius, rows, block.radius);
            case 6:
                return read(&FrameRows::read_mass, rows, block.mass);
            case 7:
                return count_from(rows.first, rows.count);
            default:
                return count_from(rows.first + 1, rows.count);
        }
    }
};

std::string arrays_at(Place place, std::uint64_t num_rows) {
    std::string text;
    std::uint64_t offset = 0;
    for (const Column& column : columns) {
        if (column.place == place)
            text += fmt::format(
                "        <DataArray Name=\"{}\" type=\"{}\" NumberOfComponents=\"{}\" "
                "format=\"appended\" offset=\"{}\"/>\n",
                column.name, column.type, column.num_components, offset);
        offset += sizeof(std::uint64_t) + column.bytes_per_row * num_rows;
    }
    return text;
}

/// The format has no place for units, but its readers leave out comments.
std::string comment_on_units(const ResultDescription& description) {
    std::string text;
    for (const NamedText& unit : stated_units(description))
        text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", unit.name, unit.text);
    return text.empty() ? "" : "<!-- " + text + " -->\n";
}

/// Comments in XML have no "--", no control characters, and only UTF-8.
std::string in_comment(const std::string& name) {
    std::string text;
    for (const char letter : in_one_line(without_controls(name))) {
        if (letter == '-' && text.ends_with('-')) text += ' ';
        text += letter;
    }
    return text;
}

/// "body 0: cell, body 1: post"
std::string comment_on_names(const std::vector<Body>& bodies) {
    std::string text;
    for (std::size_t k = 0; k < bodies.size(); ++k)
        text += fmt::format("{}body {}: {}", k == 0 ? "" : ", ", k, in_comment(bodies[k].name));
    return "<!-- " + text + " -->\n";
}

std::string head_of(const ExportedFrame& frame, std::uint64_t num_rows) {
    const Box& box = frame.description.box;
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "{}<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "  <PolyData>\n    <FieldData>\n"
        "      <DataArray Name=\"TimeValue\" type=\"Float64\" NumberOfTuples=\"1\" format=\"ascii\">{}"
        "</DataArray>\n"
        "      <DataArray Name=\"step\" type=\"UInt64\" NumberOfTuples=\"1\" format=\"ascii\">{}"
        "</DataArray>\n"
        "      <DataArray Name=\"box\" type=\"Float64\" NumberOfTuples=\"3\" format=\"ascii\">{} {} {}"
        "</DataArray>\n    </FieldData>\n"
        "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"0\">\n"
        "      <Points>\n{}      </Points>\n      <Verts>\n{}      </Verts>\n"
        "      <PointData>\n{}      </PointData>\n"
        "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_",
        comment_on_units(frame.description), frame.stamp.time, frame.stamp.step, box.size.x, box.size.y,
        box.dimension == 2 ? frame.thickness : box.size.z, num_rows, num_rows,
        arrays_at(Place::points, num_rows), arrays_at(Place::vertices, num_rows),
        arrays_at(Place::point_data, num_rows));
}

}  // namespace

void write_vtp(OutputFile& file, const ExportedFrame& frame, const FrameRows& frames) {
    file.write(head_of(frame, frame.num_particles));
    ColumnReader reader{frames, {}, {}};
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const std::uint64_t num_bytes = columns[column].bytes_per_row * frame.num_particles;
        file.write({reinterpret_cast<const char*>(&num_bytes), sizeof num_bytes});
        const bool is_of_vertices = columns[column].place == Place::vertices;
        for_each_block(is_of_vertices ? frame.num_particles : frames.num_rows(frame.frame), frame.frame,
                       [&](const FrameRowRange& rows) { file.write(reader.read(column, rows)); });
    }
    file.write("\n  </AppendedData>\n</VTKFile>\n");
}

namespace {

/// What the file of a mesh says of its polygons.
struct MeshLabels {
    const char* number;  ///< name of the number of each
    bool are_lines;
    std::string comments;
};

void write_mesh(OutputFile& file, const BodyMesh& mesh, const MeshLabels& labels) {
    const bool is_flat = labels.are_lines;
    struct Array {
        const char *place, *name, *type;
        int num_components;
        std::string_view bytes;
    };
    const char* const cells = is_flat ? "Lines" : "Polys";
    const std::array<Array, 4> arrays{{{"Points", "position", "Float64", 3, bytes_of(mesh.points)},
                                       {cells, "connectivity", "Int64", 1, bytes_of(mesh.connectivity)},
                                       {cells, "offsets", "Int64", 1, bytes_of(mesh.offsets)},
                                       {"CellData", labels.number, "UInt32", 1, bytes_of(mesh.body)}}};
    std::string text = fmt::format(
        "<?xml version=\"1.0\"?>\n{}<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n  <PolyData>\n    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" "
        "NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
        labels.comments, mesh.points.size(), is_flat ? mesh.offsets.size() : 0,
        is_flat ? 0 : mesh.offsets.size());
    std::uint64_t offset = 0;
    std::string_view place;
    for (const Array& array : arrays) {
        if (array.place != place) text += place.empty() ? "" : fmt::format("      </{}>\n", place);
        if (array.place != place) text += fmt::format("      <{}>\n", array.place);
        place = array.place;
        text += fmt::format(
            "        <DataArray Name=\"{}\" type=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
            "offset=\"{}\"/>\n",
            array.name, array.type, array.num_components, offset);
        offset += sizeof offset + array.bytes.size();
    }
    text +=
        fmt::format("      </{}>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_", place);
    file.write(text);
    for (const Array& array : arrays) {
        const std::uint64_t num_bytes = array.bytes.size();
        file.write({reinterpret_cast<const char*>(&num_bytes), sizeof num_bytes});
        file.write(array.bytes);
    }
    file.write("\n  </AppendedData>\n</VTKFile>\n");
}

}  // namespace

void write_vtp_of_bodies(OutputFile& file, const BodyMesh& mesh, const ResultDescription& description) {
    write_mesh(file, mesh,
               {"body", description.box.dimension == 2,
                comment_on_units(description) + comment_on_names(description.bodies)});
}

void write_vtp_of_shape(OutputFile& file, std::uint32_t species, const ResultDescription& description) {
    write_mesh(file, mesh_of_shape(description.species, species, description.box.dimension),
               {"species", false,
                comment_on_units(description) + fmt::format("<!-- species {}: {} -->\n", species,
                                                            in_comment(description.species[species].name))});
}

void write_collection(OutputFile& file, const std::vector<TimedFile>& frames) {
    file.write(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n");
    for (const TimedFile& frame : frames)
        file.write(fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time,
                               escaped_in_xml(frame.name)));
    file.write("  </Collection>\n</VTKFile>\n");
}

}  // namespace ricochet
