// SPDX-License-Identifier: BSD-3-Clause
#include "result/result_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

#include "files/interrupted_write.hpp"
#include "files/posix_file.hpp"
#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/identity_attributes.hpp"
#include "model/world_facts.hpp"
#include "result/body_table.hpp"
#include "result/collision_row.hpp"
#include "result/description_writer.hpp"
#include "result/result_datasets.hpp"
#include "result/result_seal.hpp"
#include "result/species_shapes.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

Box read_box(hid_t group) {
    Box box;
    box.dimension = hdf5::read_number<std::int32_t>(group, "dimension");
    const auto size = hdf5::read_numbers<double>(group, "size");
    const auto boundary = hdf5::read_texts(group, "boundary");
    if (size.size() != 3 || static_cast<int>(boundary.size()) != box.dimension)
        hdf5::fail("understand the box in", group, "");
    box.size = {size[0], size[1], size[2]};
    for (std::size_t axis = 0; axis < boundary.size(); ++axis)
        box.boundary.at(axis) = boundary[axis] == "periodic" ? Boundary::periodic : Boundary::reflecting;
    return box;
}

void require_known_format(const std::string& path, hid_t file) {
    if (!hdf5::has_object(file, "ricochet/complete"))
        throw InputError(path + ": is an HDF5 file, but not a result of ricochet");
    const auto version =
        hdf5::read_number<std::uint32_t>(hdf5::open_group(file, "ricochet").get(), "format_version");
    if (version > result_format_version)
        throw InputError(fmt::format("{}: has format version {}, and this program knows versions up to {}",
                                     path, version, result_format_version));
}

CollisionSelection::Mode mode_named(const std::string& name) {
    if (name == "all") return CollisionSelection::Mode::all;
    return name == "none" ? CollisionSelection::Mode::none : CollisionSelection::Mode::pairs;
}

}  // namespace

hdf5::Handle open_named_file(const std::string& path) {
    require_regular_file(path);
    if (const auto problem = find_interrupted_write(path)) throw InputError(*problem);
    hdf5::silence_error_printing();
    if (access(path.c_str(), R_OK) != 0) throw InputError(path + ": cannot be read: " + std::strerror(errno));
    if (H5Fis_hdf5(path.c_str()) <= 0) throw InputError(path + ": is not an HDF5 file");
    return hdf5::open_for_reading(path);
}

/// The number in the last of `count` rows; 0 without rows.
std::uint64_t last_step_of(const hdf5::Dataset& steps, std::uint64_t count) {
    std::uint64_t step = 0;
    if (count > 0) steps.read({{count - 1}, {1}}, hdf5::number_type<std::uint64_t>(), &step);
    return step;
}

std::string attribute_as_text(hid_t object, const char* name) {
    const hdf5::Handle attribute(hdf5::checked(H5Aopen(object, name, H5P_DEFAULT), "open", object, name),
                                 H5Aclose);
    const hdf5::Handle type(hdf5::checked(H5Aget_type(attribute.get()), "read the type of", object, name),
                            H5Tclose);
    if (H5Tget_class(type.get()) == H5T_STRING) return hdf5::read_text(object, name);
    if (H5Tget_class(type.get()) == H5T_INTEGER)
        return std::to_string(hdf5::read_number<std::uint64_t>(object, name));
    return fmt::format("{:.6g}", hdf5::read_number<double>(object, name));
}

std::vector<NamedText> read_texts_of(hid_t group) {
    const std::vector<std::string> names = hdf5::attribute_names(group);
    std::vector<NamedText> texts;
    texts.reserve(names.size());
    for (const auto& name : names) texts.push_back({name, attribute_as_text(group, name.c_str())});
    return texts;
}

ResultReader::ResultReader(const std::string& path) : path_(path), file_(open_named_file(path)) {
    require_known_format(path, file_.get());
    complete_ = read_complete_rows(open("/ricochet/complete"));
    if (hdf5::has_object(file_.get(), "/ricochet/checksums"))
        complete_ = untorn(complete_, open("/ricochet/checksums"));
    read_description();
    require_complete_rows();
}

void ResultReader::require_shape(const std::string& dataset, const hdf5::Extents& least) const {
    if (!hdf5::has_object(file_.get(), dataset)) return;
    const hdf5::Extents shape = open(dataset).shape();
    const bool holds = shape.size() >= least.size() &&
                       std::equal(least.begin(), least.end(), shape.begin(), std::less_equal<>());
    if (!holds)
        throw InputError(fmt::format("{}: counts {} complete rows, but {} has the shape {}", path_,
                                     fmt::join(least, " x "), dataset, fmt::join(shape, " x ")));
}

/// Counters and number of particles come from attributes and may have any value. The number of rows of particles is
/// read from a dataset, so the length of that dataset is checked first.
void ResultReader::require_complete_rows() const {
    const std::vector<ResultDataset> datasets = datasets_of(description_);
    for (const ResultDataset& dataset : datasets)
        require_shape(dataset.path(), {dataset.num_rows(complete_, description_.num_particles)});
    for (const ResultDataset& dataset : datasets)
        if (dataset.rows == RowsOf::frame_particles)
            require_shape(dataset.path(), {complete_.frames, num_rows()});
}

hdf5::Dataset ResultReader::open(const std::string& path) const {
    return hdf5::Dataset::open(file_.get(), path.c_str());
}

std::uint64_t ResultReader::num_steps() const {
    std::uint64_t num_steps = complete_.steps;
    const hdf5::Handle provenance = hdf5::open_group(file_.get(), "/ricochet/provenance");
    if (hdf5::has_attribute(provenance.get(), "num_steps"))
        num_steps = std::max(num_steps, hdf5::read_number<std::uint64_t>(provenance.get(), "num_steps"));
    num_steps =
        std::max(num_steps, last_step_of(open("/particles/trajectory/species/step"), complete_.frames));
    if (description_.observables.empty()) return num_steps;
    const std::string first = "/ricochet/observables/" + description_.observables.front().name;
    return std::max(num_steps, last_step_of(open(first + "/step"), complete_.samples));
}

FrameStamp ResultReader::stamp(std::uint64_t frame) const {
    FrameStamp stamp;
    open("/particles/trajectory/position/step")
        .read({{frame}, {1}}, hdf5::number_type<std::uint64_t>(), &stamp.step);
    open("/particles/trajectory/position/time")
        .read({{frame}, {1}}, hdf5::number_type<double>(), &stamp.time);
    return stamp;
}

std::uint64_t ResultReader::num_rows(std::uint64_t frame) const {
    if (!description_.first_new_id) return description_.num_particles;
    std::uint64_t number = 0;
    open("/ricochet/rows").read({{frame}, {1}}, hdf5::number_type<std::uint64_t>(), &number);
    return number;
}

std::uint64_t ResultReader::num_rows() const {
    return complete_.frames > 0 ? num_rows(complete_.frames - 1) : description_.num_particles;
}

std::vector<Body> ResultReader::bodies_with_spheres() const {
    return read_bodies_with_spheres(hdf5::open_group(file_.get(), "ricochet").get());
}

void ResultReader::read_description() {
    const hdf5::Handle group = hdf5::open_group(file_.get(), "ricochet");
    const auto texts_of = [&](const char* name) {
        return read_texts_of(hdf5::open_group(group.get(), name).get());
    };
    description_.title = hdf5::read_text(group.get(), "title");
    description_.box = read_box(group.get());
    if (hdf5::has_attribute(group.get(), "start_pressure"))
        description_.start_pressure = hdf5::read_number<double>(group.get(), "start_pressure");
    description_.bodies = read_bodies(group.get());
    description_.hash_of_bodies = hash_of_bodies(group.get());
    description_.num_particles = hdf5::read_number<std::uint64_t>(group.get(), "num_particles");
    description_.has_changing_particles = hdf5::has_attribute(group.get(), "changing_particles");
    if (hdf5::has_attribute(group.get(), "first_new_id"))
        description_.first_new_id = hdf5::read_number<std::uint64_t>(group.get(), "first_new_id");
    description_.timestep = hdf5::read_number<double>(group.get(), "timestep");
    description_.seed = hdf5::read_number<std::uint64_t>(group.get(), "seed");
    const bool is_double = hdf5::read_text(group.get(), "precision") == "float64";
    description_.precision = is_double ? Precision::float64 : Precision::float32;
    description_.units = texts_of("units");
    description_.notes = texts_of("notes");
    description_.provenance = texts_of("provenance");
    if (hdf5::has_object(group.get(), "identity"))
        description_.identity = read_identity(hdf5::open_group(group.get(), "identity").get());
    const hdf5::Handle input = hdf5::open_group(group.get(), "input");
    description_.input_text = hdf5::read_text(input.get(), "text");
    description_.effective_input = hdf5::read_text(input.get(), "effective");
    read_species(group.get());
    read_observables(group.get());
    read_collision_options(group.get());
}

void ResultReader::read_species(hid_t group) {
    const hdf5::Handle species = hdf5::open_group(group, "species");
    const auto names = hdf5::read_texts(species.get(), "name");
    const auto counts = hdf5::read_numbers<std::uint64_t>(species.get(), "count");
    std::vector<std::string> axes;
    if (hdf5::has_attribute(species.get(), "moves")) axes = hdf5::read_texts(species.get(), "moves");
    for (std::size_t k = 0; k < std::min(names.size(), counts.size()); ++k) {
        Species kind;
        kind.name = names[k];
        kind.count = counts[k];
        if (k < axes.size()) kind.frozen_axes = axes_without(axes[k], description_.box.dimension);
        description_.species.push_back(kind);
    }
    read_shapes(group, description_.species);
}

void ResultReader::read_observables(hid_t group) {
    const hdf5::Handle all = hdf5::open_group(group, "observables");
    for (const auto& name : hdf5::link_names(all.get())) {
        const hdf5::Handle one = hdf5::open_group(all.get(), name.c_str());
        const hdf5::Extents shape = hdf5::Dataset::open(one.get(), "value").shape();
        ObservableInfo info;
        info.name = name;
        if (shape.size() == 2) info.labels.resize(shape[1]);
        info.meaning = hdf5::read_text(one.get(), "meaning");
        if (hdf5::has_attribute(one.get(), "labels")) info.labels = hdf5::read_texts(one.get(), "labels");
        description_.observables.push_back(std::move(info));
    }
}

void ResultReader::read_collision_options(hid_t group) {
    const hdf5::Dataset log = hdf5::Dataset::open(group, "collisions");
    CollisionLogOptions& options = description_.collisions;
    options.has_outcomes = has_outcomes(log);
    options.byte_budget = hdf5::read_number<std::uint64_t>(log.get(), "byte_budget");
    options.selection.mode = mode_named(hdf5::read_text(log.get(), "selection"));
    if (!hdf5::has_attribute(log.get(), "pairs")) return;
    const auto flat = hdf5::read_numbers<std::uint32_t>(log.get(), "pairs");
    for (std::size_t k = 0; k + 1 < flat.size(); k += 2)
        options.selection.pairs.emplace_back(partner_in_file(flat[k]), partner_in_file(flat[k + 1]));
}

}  // namespace ricochet
