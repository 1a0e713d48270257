// SPDX-License-Identifier: BSD-3-Clause
#include "result/xdmf.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "core/text.hpp"
#include "files/output_file.hpp"
#include "files/posix_file.hpp"

namespace ricochet {
namespace {

constexpr std::string_view beginning =
    "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
    "    <Grid Name=\"trajectory\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";

// One dataset of the trajectory group as ParaView sees it.
struct Item {
    const char* dataset;
    const char* number_type;
    int bytes;
    bool is_vector;
    bool is_per_frame;
};

struct Frame {
    std::string file;
    std::uint64_t num_stored = 0;  ///< rows of the datasets
    std::uint64_t num_rows = 0;    ///< of them, those as of this frame
    std::size_t index = 0;
    std::size_t num_frames = 0;
    bool has_changing_particles = false;
};

std::string selection(const Item& item, const Frame& frame) {
    const auto n = frame.num_rows, of = frame.num_stored, t = frame.index, num = frame.num_frames;
    if (!item.is_per_frame) return fmt::format("0:1:{0}:{0}", n);
    if (item.is_vector) return fmt::format("{0} 0 0:1 1 1:1 {1} 3:{2} {3} 3", t, n, num, of);
    return fmt::format("{0} 0:1 1:1 {1}:{2} {3}", t, n, num, of);
}

std::string data_item(const Item& item, const Frame& frame) {
    return fmt::format(R"(<DataItem Dimensions="{}{}" NumberType="{}" Precision="{}" Format="HDF">)"
                       R"({}:/particles/trajectory/{}|{}</DataItem>)",
                       frame.num_rows, item.is_vector ? " 3" : "", item.number_type, item.bytes, frame.file,
                       item.dataset, selection(item, frame));
}

std::string attribute(const char* name, const Item& item, const Frame& frame) {
    return fmt::format("        <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n",
                       name, item.is_vector ? "Vector" : "Scalar", data_item(item, frame));
}

std::string radius_and_mass(const Frame& frame) {
    if (frame.has_changing_particles)
        return attribute("radius", {"radius/value", "Float", 8, false, true}, frame) +
               attribute("mass", {"mass/value", "Float", 8, false, true}, frame);
    return attribute("radius", {"radius", "Float", 8, false, false}, frame) +
           attribute("mass", {"mass", "Float", 8, false, false}, frame);
}

std::string grid(const Frame& frame, double time, int real_bytes) {
    const Item position{"position/value", "Float", real_bytes, true, true};
    return fmt::format(R"(      <Grid Name="particles">
        <Time Value="{:.17g}"/>
        <Topology TopologyType="Polyvertex" NumberOfElements="{}"/>
        <Geometry GeometryType="XYZ">{}</Geometry>
)",
                       time, frame.num_rows, data_item(position, frame)) +
           attribute("velocity", {"velocity/value", "Float", real_bytes, true, true}, frame) +
           attribute("id", {"id/value", "UInt", 8, false, true}, frame) +
           attribute("species", {"species/value", "UInt", 4, false, true}, frame) + radius_and_mass(frame) +
           "      </Grid>\n";
}

/// The result as an index beside it names it.
std::string name_in_xdmf(const std::string& result_path) {
    return escaped_in_xml(std::filesystem::path(result_path).filename().string());
}

}  // namespace

bool has_own_xdmf(const std::string& result_path) {
    const std::string path = xdmf_path(result_path);
    std::error_code error;
    if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, error))) return false;
    std::string head(4096, '\0');
    std::ifstream file(path);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return head.starts_with(beginning) &&
           head.find(fmt::format(">{}:/particles/trajectory/", name_in_xdmf(result_path))) !=
               std::string::npos;
}

std::string xdmf_path(const std::string& result_path) {
    std::filesystem::path path(result_path);
    return path.extension() == ".h5md" ? path.replace_extension(".xdmf").string() : result_path + ".xdmf";
}

void write_xdmf(const std::string& result_path, const XdmfContent& content) {
    const std::string path = xdmf_path(result_path), temporary = path + ".tmp";
    remove_where_possible(temporary);  // a link there would be followed
    OutputFile out(temporary);
    out.write(beginning);
    Frame frame{name_in_xdmf(result_path),     content.num_stored, 0, 0, content.times.size(),
                content.has_changing_particles};
    const int real_bytes = content.precision == Precision::float64 ? 8 : 4;
    for (; frame.index < frame.num_frames; ++frame.index) {
        frame.num_rows = content.num_rows.at(frame.index);
        out.write(grid(frame, content.times[frame.index], real_bytes));
    }
    out.write("    </Grid>\n  </Domain>\n</Xdmf>\n");
    out.close();
    rename_file(temporary, path);
}

}  // namespace ricochet
