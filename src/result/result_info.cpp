// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/result/result_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <system_error>

#include "core/hash.hpp"
#include "core/text.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "result/body_table.hpp"
#include "result/description_writer.hpp"
#include "result/frame_rows.hpp"
#include "result/result_reader.hpp"
#include "result/species_shapes.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/phase_clock.hpp"

namespace ricochet {
namespace {

std::string line(const char* name, const std::string& text) {
    return fmt::format("  {:<20}{}\n", name, in_one_line(text));
}

// Continues `hash` over one frame of a dataset [T][N] or [T][N][3], block by block.
template <class Number>
void hash_column(const ResultReader& reader, const char* name, std::uint64_t frame, std::uint64_t& hash) {
    const hdf5::Dataset dataset = reader.open(std::string("/particles/trajectory/") + name + "/value");
    const bool is_vector = dataset.shape().size() == 3;
    std::vector<Number> values;
    const std::uint64_t num_rows = reader.num_rows(frame);
    for (std::uint64_t first = 0; first < num_rows; first += rows_per_block) {
        const auto count = std::min(rows_per_block, num_rows - first);
        hdf5::Block block{{frame, first}, {1, count}};
        if (is_vector) {
            block.offset.push_back(0);
            block.count.push_back(3);
        }
        values.resize(block.num_elements());
        dataset.read(block, hdf5::number_type<Number>(), values.data());
        hash = hash_values(std::span<const Number>(values), hash);
    }
}

template <class Real>
std::uint64_t hash_frame(const ResultReader& reader, std::uint64_t frame) {
    std::uint64_t hash = reader.num_rows(frame);
    hash_column<std::uint64_t>(reader, "id", frame, hash);
    hash_column<Real>(reader, "position", frame, hash);
    hash_column<Real>(reader, "velocity", frame, hash);
    hash_column<std::int64_t>(reader, "image", frame, hash);
    if (!reader.description().has_changing_particles) return hash;
    hash_column<std::uint32_t>(reader, "species", frame, hash);
    hash_column<double>(reader, "radius", frame, hash);
    hash_column<double>(reader, "mass", frame, hash);
    return hash;
}

std::uint64_t hash_frame_of(const ResultReader& reader, std::uint64_t frame) {
    if (frame >= reader.complete().frames)
        throw InputError(
            fmt::format("{}: has {} complete frames, and frame {} (counted from 0) was asked for",
                        reader.path(), reader.complete().frames, frame));
    return reader.description().precision == Precision::float64 ? hash_frame<double>(reader, frame)
                                                                : hash_frame<float>(reader, frame);
}

std::string describe_box(const ResultDescription& description) {
    const Box& box = description.box;
    std::string text;
    for (int axis = 0; axis < box.dimension; ++axis)
        text += fmt::format("{}{} ({})", axis == 0 ? "" : " x ", box.size[axis],
                            box.is_periodic(axis) ? "periodic" : "reflecting");
    if (description.start_pressure)
        text +=
            fmt::format(", found by growth to the pressure pV/(NkT) = {:.6g}", *description.start_pressure);
    return text;
}

/// The total, then the number of each species.
std::string describe_counts(const std::vector<Species>& species, std::uint64_t total) {
    std::string text = fmt::format("{}", total);
    for (const Species& kind : species) text += fmt::format(", {} {}", kind.count, kind.name);
    return text;
}

std::string describe_particles_of(const ResultReader& reader, std::uint64_t frame) {
    const std::vector<std::uint64_t> counts = FrameRows(reader).count_by_species(frame);
    std::vector<Species> kinds = reader.description().species;
    for (std::size_t s = 0; s < kinds.size(); ++s) kinds[s].count = counts[s];
    return describe_counts(kinds, std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

/// The counts of the input, where it has them all; a start from a file leaves them to the first frame.
std::string describe_start(const ResultReader& reader) {
    const ResultDescription& description = reader.description();
    std::uint64_t sum = 0;
    for (const Species& kind : description.species) sum += kind.count;
    if (sum == description.num_particles) return describe_counts(description.species, sum);
    return reader.complete().frames > 0 ? describe_particles_of(reader, 0)
                                        : fmt::format("{}", description.num_particles);
}

std::string describe_particles(const ResultReader& reader) {
    const ResultDescription& description = reader.description();
    const std::uint64_t num_frames = reader.complete().frames;
    std::string text = describe_start(reader);
    if (description.has_changing_particles && num_frames > 0)
        text += "; in the last frame " + describe_particles_of(reader, num_frames - 1);
    if (description.first_new_id) text += fmt::format("; rows for {} particles", reader.num_rows());
    return text;
}

std::string describe_frames(const ResultReader& reader) {
    const std::uint64_t num_complete = reader.complete().frames;
    const auto num_stored = reader.open("/particles/trajectory/species/step").shape().at(0);
    std::string text = fmt::format("{} complete", num_complete);
    if (num_stored > num_complete) text += fmt::format(", {} incomplete", num_stored - num_complete);
    if (num_complete == 0) return text;
    const FrameStamp first = reader.stamp(0), last = reader.stamp(num_complete - 1);
    return text +
           fmt::format(", steps {} to {}, times {} to {}", first.step, last.step, first.time, last.time);
}

std::string describe_collisions(const ResultReader& reader) {
    const CollisionSelection& selection = reader.description().collisions.selection;
    if (selection.mode == CollisionSelection::Mode::none) return "not logged";
    std::string text =
        fmt::format("{} rows, all contacts {}before step {}", reader.complete().collisions,
                    selection.mode == CollisionSelection::Mode::pairs ? "of selected species " : "",
                    reader.complete().steps);
    const hdf5::Dataset log = reader.open("/ricochet/collisions");
    if (hdf5::has_attribute(log.get(), "stopped_because"))
        text += "; " + hdf5::read_text(log.get(), "stopped_because");
    return text;
}

std::string describe_observables(const ResultReader& reader) {
    if (reader.description().observables.empty()) return "none";
    std::string text = fmt::format("{} samples of", reader.complete().samples);
    for (const ObservableInfo& info : reader.description().observables) {
        text += " " + info.name;
        if (info.is_vector()) text += fmt::format("[{}]", info.num_values());
    }
    return text;
}

std::string describe_state(const ResultReader& reader) {
    if (reader.complete().frames == 0) return "no complete frame";
    const std::uint64_t last = reader.complete().frames - 1;
    return fmt::format("step {}, hash {:016x}", reader.stamp(last).step, hash_frame_of(reader, last));
}

/// The seconds of phases, "drive 0.1 0.2 0.3; cells ...", with the words of the program's report.
std::string with_reported_names(std::string text) {
    for (const PhaseName& phase : phase_names) {
        const std::string stored = fmt::format("; {} ", phase.stored);
        const std::size_t at = ("; " + text).find(stored);
        if (at != std::string::npos) text.replace(at, phase.stored.size(), phase.name);
    }
    return text;
}

std::vector<NamedText> provenance_of(const ResultReader& reader) {
    std::vector<NamedText> texts = reader.description().provenance;
    for (NamedText& text : texts)
        if (text.name == "seconds_per_phase") text.text = with_reported_names(text.text);
    return texts;
}

std::string describe_texts(const std::vector<NamedText>& texts) {
    std::string text;
    for (const auto& [name, value] : texts) text += line(("  " + name).c_str(), value);
    return text;
}

}  // namespace

std::string describe_result(const std::string& path, const std::string& progress) {
    const ResultReader reader(path);
    const ResultDescription& description = reader.description();
    const bool is_double = description.precision == Precision::float64;
    const std::string shapes = names_of_shapes(description.species, description.box.dimension);
    std::string text =
        path + "\n" + line("title", description.title) +
        (progress.empty() ? "" : line("progress", progress)) + line("box", describe_box(description)) +
        (description.bodies.empty() ? "" : line("bodies", names_of_bodies(description.bodies))) +
        (shapes.empty() ? "" : line("shapes", shapes)) + line("particles", describe_particles(reader)) +
        line("timestep", fmt::format("{}", description.timestep)) +
        line("seed", fmt::format("{}", description.seed)) + line("run", description.identity.run_id) +
        line("precision", is_double ? "float64" : "float32") + line("frames", describe_frames(reader)) +
        line("collisions", describe_collisions(reader)) + line("observables", describe_observables(reader)) +
        line("state", describe_state(reader));
    text += "  units\n" + describe_texts(description.units);
    text += "  notes\n" + describe_texts(description.notes);
    return text + "  provenance\n" + describe_texts(provenance_of(reader));
}

ResultCondition condition_of_result(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return ResultCondition::absent;
    try {
        const auto provenance = ResultReader(path).description().provenance;
        const auto has = [&provenance](std::string_view name) {
            return std::any_of(provenance.begin(), provenance.end(),
                               [name](const NamedText& text) { return text.name == name; });
        };
        if (has("wall_time_seconds")) return ResultCondition::closed;
        return has(name_of_error) ? ResultCondition::failed : ResultCondition::unfinished;
    } catch (const InputError&) {
        return ResultCondition::foreign;
    } catch (const RunError&) {
        return ResultCondition::foreign;  // a result has its name only once it is readable
    }
}

RunIdentity identity_of_result(const std::string& path) { return ResultReader(path).description().identity; }

std::uint64_t hash_state(const std::string& path, std::uint64_t frame) {
    return hash_frame_of(ResultReader(path), frame);
}

}  // namespace ricochet
