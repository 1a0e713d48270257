// SPDX-License-Identifier: BSD-3-Clause
#include "export/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/readable.hpp"
#include "core/text.hpp"
#include "export/body_mesh.hpp"
#include "export/export_text.hpp"
#include "export/export_vtk.hpp"
#include "files/living_writer.hpp"
#include "files/output_file.hpp"
#include "files/output_path.hpp"
#include "files/posix_file.hpp"
#include "result/frame_rows.hpp"
#include "result/xdmf.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> format_words{"xyz", "lammps", "csv", "vtk"};

std::vector<std::string_view> split_at_colons(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

[[noreturn]] void refuse_frames(const std::string& text, std::uint64_t num_frames) {
    throw InputError(
        fmt::format("--frames {}: expected a:b:c (from frame a, below b, every c-th; c > 0) or one frame, "
                    "and the file has "
                    "{} complete frame{}, 0 to {}; negative numbers count from the end",
                    text, num_frames, num_frames == 1 ? "" : "s", num_frames - 1));
}

/// A whole number, counted from the end when negative; `missing` where there is no text. None when the text
/// is no number, or lies before the first frame.
std::optional<std::int64_t> frame_number(std::string_view text, std::int64_t num_frames,
                                         std::int64_t missing) {
    if (text.empty()) return missing;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    if (number < 0) number += num_frames;
    if (number < 0) return std::nullopt;
    return number;
}

std::vector<std::uint64_t> numbers_of(const FrameSelection& selection) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t frame = selection.first; frame < selection.end; frame += selection.stride)
        numbers.push_back(frame);
    return numbers;
}

struct Export {
    const ResultReader& reader;
    const FrameRows& frames;
    std::vector<std::uint64_t> numbers;
    fs::path output;

    ExportedFrame frame(std::uint64_t number) const {
        return {reader.description(), frames.thickness(number), number, frames.num_particles(number),
                reader.stamp(number)};
    }
};

fs::path vtp_path(const fs::path& collection, std::uint64_t frame) {
    return collection.parent_path() / fmt::format("{}_{:06}.vtp", collection.stem().string(), frame);
}

fs::path bodies_path(const fs::path& collection) {
    return collection.parent_path() / (collection.stem().string() + "_bodies.vtp");
}

/// The file of a species' shape, with the number that the species has among the points.
fs::path shape_path(const fs::path& collection, std::uint32_t species) {
    return collection.parent_path() / fmt::format("{}_shape_{}.vtp", collection.stem().string(), species);
}

std::vector<std::uint32_t> species_with_shapes(const ResultDescription& description) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t k = 0; k < description.species.size(); ++k)
        if (!description.species[k].corners.empty()) found.push_back(k);
    return found;
}

/// All files that an export creates; the one that the user opens comes first.
std::vector<fs::path> files_of(const Export& work, ExportFormat format) {
    std::vector<fs::path> files{work.output};
    if (format == ExportFormat::vtk)
        for (const std::uint64_t number : work.numbers) files.push_back(vtp_path(work.output, number));
    if (format == ExportFormat::vtk && !work.reader.description().bodies.empty())
        files.push_back(bodies_path(work.output));
    if (format == ExportFormat::vtk)
        for (const std::uint32_t species : species_with_shapes(work.reader.description()))
            files.push_back(shape_path(work.output, species));
    return files;
}

/// Where paths lead to, so that names in one folder can be compared.
fs::path resolved(const fs::path& path) {
    std::error_code error;
    const fs::path absolute = fs::weakly_canonical(fs::absolute(path_behind_links(path.string())), error);
    return error ? path : absolute;
}

/// Whether a name is one of those that runs give to what they keep beside a result: locks, journals, checkpoints.
bool is_beside_result(const fs::path& file, const std::string& result) {
    const fs::path own = resolved(result), other = resolved(file);
    if (other == resolved(xdmf_path(result))) return has_own_xdmf(result);
    if (own.parent_path() != other.parent_path()) return false;
    const std::string name = other.filename().string(), beginning = own.filename().string();
    if (!name.starts_with(beginning)) return false;
    const std::string rest = name.substr(beginning.size());
    return rest.starts_with(".lock") || rest.starts_with(".undo") || rest.starts_with(".checkpoint-");
}

void require_room_for_names(const std::vector<fs::path>& files, const ExportRequest& request) {
    std::error_code ignored;
    for (const fs::path& file : files) {
        const std::string problem = find_output_problem(file.string(), request.replace);
        if (!problem.empty()) throw InputError(problem);
        if (fs::equivalent(file, request.path, ignored))
            throw InputError("output " + file.string() + ": is the result itself");
        if (is_beside_result(file, request.path))
            throw InputError(
                "output " + file.string() +
                ": is a file of the result's own, or would be taken for one; choose another name");
    }
}

void write_text(const Export& work, const TextFormat& format) {
    OutputFile file(work.output.string());
    TextBuffer text;
    FrameBlock block;
    const auto flush = [&] {
        file.write({text.data(), text.size()});
        text.clear();
    };
    format.begin_file(text);
    for (const std::uint64_t number : work.numbers) {
        const ExportedFrame frame = work.frame(number);
        format.begin_frame(text, frame);
        for_each_block(work.frames, number, [&](const FrameRowRange& rows) {
            work.frames.read(rows, block);
            format.add_rows(text, frame, block);
            flush();
        });
    }
    flush();
    file.close();
}

void write_bodies(const Export& work) {
    const ResultDescription& description = work.reader.description();
    if (description.bodies.empty()) return;
    OutputFile file(bodies_path(work.output).string());
    write_vtp_of_bodies(file, mesh_of(work.reader.bodies_with_spheres(), description.box), description);
    file.close();
}

void write_shape_files(const Export& work) {
    for (const std::uint32_t species : species_with_shapes(work.reader.description())) {
        OutputFile file(shape_path(work.output, species).string());
        write_vtp_of_shape(file, species, work.reader.description());
        file.close();
    }
}

void write_vtk(const Export& work) {
    write_bodies(work);
    write_shape_files(work);
    std::vector<TimedFile> written;
    for (const std::uint64_t number : work.numbers) {
        const fs::path path = vtp_path(work.output, number);
        const ExportedFrame frame = work.frame(number);
        OutputFile file(path.string());
        write_vtp(file, frame, work.frames);
        file.close();
        written.push_back({frame.stamp.time, path.filename().string()});
    }
    OutputFile collection(work.output.string());
    write_collection(collection, written);
    collection.close();
}

fs::path output_of(const ExportRequest& request) {
    if (request.output.empty()) return fs::path(request.path).replace_extension(extension_of(request.format));
    if (request.format == ExportFormat::vtk && fs::path(request.output).extension() != ".pvd")
        throw InputError("output " + request.output +
                         ": the format vtk writes a collection of files, expected a name that ends in .pvd");
    return request.output;
}

/// XML has neither control characters nor bytes that are not UTF-8.
void require_name_for_xml(const fs::path& output) {
    const std::string name = output.stem().string();
    if (in_one_line(without_controls(name)) != name)
        throw InputError("output " + excerpt(output.string()) +
                         ": the format vtk names its files in XML, expected a name in UTF-8 without control "
                         "characters; --output gives another");
}

/// What the format leaves out of shapes; empty where all are spheres.
std::string note_on_shapes(const Export& work, ExportFormat format) {
    std::string names, files;
    for (const std::uint32_t k : species_with_shapes(work.reader.description())) {
        const char* const comma = names.empty() ? "" : ", ";
        names += comma + work.reader.description().species[k].name;
        files += comma + shape_path(work.output, k).filename().string();
    }
    if (names.empty()) return "";
    return fmt::format(
        "note: {}: points are centres of mass, and radius is that of the sphere around the shape{}\n", names,
        format == ExportFormat::vtk ? fmt::format("; glyphs for the points of each species are in {}", files)
                                    : "");
}

}  // namespace

ExportFormat export_format_named(const std::string& word) {
    const auto found = std::find(format_words.begin(), format_words.end(), word);
    if (found == format_words.end())
        throw InputError("--format " + word + ": unknown, expected xyz, lammps, csv or vtk");
    return static_cast<ExportFormat>(found - format_words.begin());
}

std::string extension_of(ExportFormat format) {
    switch (format) {
        case ExportFormat::xyz:
            return ".xyz";
        case ExportFormat::lammps:
            return ".lammpstrj";
        case ExportFormat::csv:
            return ".csv";
        default:
            return ".pvd";
    }
}

FrameSelection parse_frames(const std::string& text, std::uint64_t num_frames) {
    const auto parts = split_at_colons(text);
    const auto total = static_cast<std::int64_t>(num_frames);
    if (parts.size() > 3 || text.empty()) refuse_frames(text, num_frames);
    const auto first = frame_number(parts[0], total, 0);
    const auto end = parts.size() == 1 ? std::optional<std::int64_t>(first.value_or(0) + 1)
                                       : frame_number(parts[1], total, total);
    const auto stride = parts.size() < 3 ? std::optional<std::int64_t>(1) : frame_number(parts[2], 0, 1);
    const bool is_valid = first && end && stride && *stride > 0 && *first < *end && *end <= total;
    if (!is_valid) refuse_frames(text, num_frames);
    return {static_cast<std::uint64_t>(*first), static_cast<std::uint64_t>(*end),
            static_cast<std::uint64_t>(*stride)};
}

std::string export_frames(const ExportRequest& request) {
    const auto opened =
        read_while_written(request.path, [&] { return std::make_unique<ResultReader>(request.path); });
    const ResultReader& reader = *opened;
    if (reader.complete().frames == 0) throw InputError(request.path + ": has no complete frame");
    const FrameSelection selection = parse_frames(request.frames, reader.complete().frames);
    const FrameRows frames(reader);
    const Export work{reader, frames, numbers_of(selection), output_of(request)};
    if (request.format == ExportFormat::vtk) require_name_for_xml(work.output);
    const std::vector<fs::path> files = files_of(work, request.format);
    require_room_for_names(files, request);
    if (request.format == ExportFormat::vtk)
        write_vtk(work);
    else
        write_text(work, text_format(request.format));
    std::uint64_t num_bytes = 0;
    for (const fs::path& file : files) num_bytes += fs::file_size(file);
    return fmt::format("{}: {} of {} frames, {}\n", work.output.string(), selection.count(),
                       reader.complete().frames, in_bytes(static_cast<double>(num_bytes))) +
           note_on_shapes(work, request.format);
}

}  // namespace ricochet
