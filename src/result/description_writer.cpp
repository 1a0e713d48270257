// SPDX-License-Identifier: BSD-3-Clause
#include "result/description_writer.hpp"

#include <fmt/format.h>

#include <array>

#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/identity_attributes.hpp"
#include "model/world_facts.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/hdf5/library_versions.hpp"

namespace ricochet {
namespace {

std::vector<std::string> boundary_words(const Box& box) {
    std::vector<std::string> words(static_cast<std::size_t>(box.dimension), "reflecting");
    for (std::size_t axis = 0; axis < words.size(); ++axis)
        if (box.is_periodic(static_cast<int>(axis))) words[axis] = "periodic";
    return words;
}

void write_box_and_run(hid_t group, const ResultDescription& description) {
    const Box& box = description.box;
    const std::array<double, 3> size{box.size.x, box.size.y, box.size.z};
    const bool is_plain = !description.has_changing_particles && !description.collisions.has_outcomes;
    hdf5::write_attribute(group, "format_version",
                          is_plain ? plain_result_format_version : result_format_version);
    hdf5::write_attribute(group, "title", description.title);
    hdf5::write_attribute(group, "dimension", static_cast<std::int32_t>(box.dimension));
    hdf5::write_attribute(group, "size", std::span<const double>(size));
    hdf5::write_attribute(group, "boundary", boundary_words(box));
    if (description.start_pressure)
        hdf5::write_attribute(group, "start_pressure", *description.start_pressure);
    hdf5::write_attribute(group, "num_particles", description.num_particles);
    if (description.has_changing_particles)
        hdf5::write_attribute(group, "changing_particles", std::int32_t{1});
    if (description.first_new_id) hdf5::write_attribute(group, "first_new_id", *description.first_new_id);
    hdf5::write_attribute(group, "timestep", description.timestep);
    hdf5::write_attribute(group, "seed", description.seed);
    const bool is_double = description.precision == Precision::float64;
    hdf5::write_attribute(group, "precision", std::string(is_double ? "float64" : "float32"));
}

void write_species(hid_t parent, const Box& box, const std::vector<Species>& species) {
    std::vector<std::string> names, axes;
    std::vector<std::uint64_t> counts;
    bool has_frozen_axes = false;
    for (const Species& kind : species) {
        names.push_back(kind.name);
        counts.push_back(kind.count);
        axes.push_back(axes_in_words(box, kind));
        has_frozen_axes = has_frozen_axes || kind.frozen_axes != 0;
    }
    const hdf5::Handle group = hdf5::create_group(parent, "species");
    hdf5::write_attribute(group.get(), "name", names);
    hdf5::write_attribute(group.get(), "count", std::span<const std::uint64_t>(counts));
    if (has_frozen_axes) hdf5::write_attribute(group.get(), "moves", axes);
}

void write_provenance(hid_t parent, const ResultDescription& description, int num_ranks) {
    const hdf5::Handle group = hdf5::create_group(parent, "provenance");
    hdf5::write_attribute(group.get(), "program", std::string("ricochet ") + version());
    hdf5::write_attribute(group.get(), "git", std::string(git_id()));
    hdf5::write_attribute(group.get(), "compiler", std::string(compiler()));
    hdf5::write_attribute(group.get(), "compiler_flags", std::string(compiler_flags()));
    for (const LibraryVersion& library : library_versions())
        hdf5::write_attribute(group.get(), library.name.c_str(), library.version);
    hdf5::write_attribute(group.get(), "ranks", static_cast<std::int32_t>(num_ranks));
    write_texts(group.get(), description.provenance);
}

std::array<NamedText, 2> input_texts(const ResultDescription& description) {
    return {{{"text", description.input_text}, {"effective", description.effective_input}}};
}

void write_text_group(hid_t parent, const char* name, std::span<const NamedText> texts) {
    write_texts(hdf5::create_group(parent, name).get(), texts);
}

}  // namespace

void write_h5md_group(hid_t file, const std::string& author) {
    const std::array<std::int32_t, 2> h5md_version{1, 1};
    const hdf5::Handle group = hdf5::create_group(file, "h5md");
    hdf5::write_attribute(group.get(), "version", std::span<const std::int32_t>(h5md_version));
    const hdf5::Handle author_group = hdf5::create_group(group.get(), "author");
    hdf5::write_attribute(author_group.get(), "name", author);
    const hdf5::Handle creator = hdf5::create_group(group.get(), "creator");
    hdf5::write_attribute(creator.get(), "name", std::string("ricochet"));
    hdf5::write_attribute(creator.get(), "version", std::string(version()));
}

void write_description(hid_t ricochet_group, const ResultDescription& description, int num_ranks) {
    write_box_and_run(ricochet_group, description);
    write_species(ricochet_group, description.box, description.species);
    write_text_group(ricochet_group, "units", description.units);
    write_text_group(ricochet_group, "notes", description.notes);
    write_text_group(ricochet_group, "input", input_texts(description));
    write_identity(hdf5::create_group(ricochet_group, "identity").get(), description.identity);
    write_provenance(ricochet_group, description, num_ranks);
}

void rewrite_input(hid_t ricochet_group, const ResultDescription& description) {
    const hdf5::Handle group = hdf5::open_group(ricochet_group, "input");
    write_texts(group.get(), input_texts(description));
}

void note_continuation(hid_t file, const ResultDescription& description) {
    hdf5::write_attribute(hdf5::open_group(file, "h5md/author").get(), "name", description.author);
    const hdf5::Handle group = hdf5::open_group(file, "ricochet/provenance");
    std::string text;
    for (const auto& [name, value] : description.provenance) {
        if (!text.empty()) text += "; ";
        text += fmt::format("{}: {}", name, value);
    }
    int part = 2;
    while (hdf5::has_attribute(group.get(), ("part_" + std::to_string(part)).c_str())) ++part;
    hdf5::write_attribute(group.get(), ("part_" + std::to_string(part)).c_str(), text);
}

void remove_end(hid_t ricochet_group) {
    const hdf5::Handle group = hdf5::open_group(ricochet_group, "provenance");
    for (const char* name : {"wall_time_seconds", "num_steps", "end", "seconds_per_phase",
                             "computing_seconds", "balance", "parts", name_of_error.data()})
        hdf5::remove_attribute(group.get(), name);
}

void link_observables(hid_t file) {
    hdf5::link_object(hdf5::open_group(file, "ricochet/observables").get(), file, "observables");
}

void unlink_observables(hid_t file) {
    if (hdf5::has_object(file, "observables")) hdf5::remove_link(file, "observables");
}

void write_texts(hid_t group, std::span<const NamedText> texts) {
    for (const auto& [name, text] : texts) hdf5::write_attribute(group, name.c_str(), text);
}

}  // namespace ricochet
