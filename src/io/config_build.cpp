// SPDX-License-Identifier: BSD-3-Clause
//
// From the checked tree to a Config. Values in error read as harmless stand-ins, so that all that is left to
// find is found in the same pass; the rules that tie keys together are in config_rules.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/config_reader.hpp"
#include "io/config_rules.hpp"
#include "io/input_text.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet {

namespace {

using detail::Reader;

Box read_box(const Reader& read) {
    Box box;
    const auto size = read.numbers("box.size");
    box.dimension = size.size() == 2 ? 2 : 3;
    box.size = {size[0], size[1], box.dimension == 3 ? size[2] : 0};
    const auto words = read.words("box.boundary");
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(box.dimension); ++axis) {
        const std::size_t word = words.size() == 1 ? words[0] : axis < words.size() ? words[axis] : 0;
        box.boundary[axis] = static_cast<Boundary>(word);
    }
    return box;
}

void read_radius(const Reader& read, const std::string& path, Species& species) {
    const std::string section = path + ".radius.lognormal";
    if (!read.has(section)) {
        species.radius = read.number(path + ".radius");
        return;
    }
    species.radius_distribution =
        LogNormalRadius{read.number(section + ".median"), read.number(section + ".sigma"),
                        read.number(section + ".min"), read.number(section + ".max")};
}

void read_diffusion(const Reader& read, const std::string& path, Species& species) {
    const std::string section = path + ".diffusion.stokes_einstein";
    if (!read.has(section)) {
        species.diffusion = read.has(path + ".diffusion") ? read.number(path + ".diffusion") : 0;
        return;
    }
    const std::string temperature = section + ".temperature";
    species.stokes_einstein =
        StokesEinstein{read.number(section + ".viscosity"),
                       read.number(read.has(temperature) ? temperature : "dynamics.kT")};
}

Species read_species(const Reader& read, const std::string& path) {
    Species species;
    species.name = read.text(path + ".name");
    read_radius(read, path, species);
    read_diffusion(read, path, species);
    if (read.has(path + ".mass")) species.mass = read.number(path + ".mass");
    if (read.has(path + ".count")) species.count = read.integer(path + ".count");
    return species;
}

std::vector<Species> read_all_species(const Reader& read) {
    std::vector<Species> all;
    for (std::size_t k = 0; k < read.list_size("species"); ++k)
        all.push_back(read_species(read, fmt::format("species.{}", k)));
    return all;
}

PlacementOptions read_placement(const Reader& read) {
    PlacementOptions placement;
    placement.method = read.word<PlacementMethod>("placement.method");
    if (read.has("placement.type")) placement.lattice = read.word<LatticeType>("placement.type");
    if (read.has("placement.path")) placement.path = read.text("placement.path");
    if (read.has("placement.frame") && read.text("placement.frame") != "last")
        placement.frame = read.integer("placement.frame");
    return placement;
}

DynamicsOptions read_dynamics(const Reader& read) {
    DynamicsOptions dynamics;
    dynamics.type = read.word<DynamicsType>("dynamics.type");
    if (read.has("dynamics.kT")) dynamics.kT = read.number("dynamics.kT");
    const bool from_file = read.word<PlacementMethod>("placement.method") == PlacementMethod::file;
    if (dynamics.type == DynamicsType::ballistic && from_file) dynamics.velocities = StartVelocities::given;
    if (read.has("dynamics.velocities"))
        dynamics.velocities = read.word<StartVelocities>("dynamics.velocities");
    return dynamics;
}

std::optional<double> read_equilibrate(const Reader& read) {
    const char* const path = "run.equilibrate.collisions_per_particle";
    if (!read.has(path)) return std::nullopt;
    return read.number(path, 0);
}

RunOptions read_run(const Reader& read) {
    return {.timestep = read.number("run.timestep"),
            .num_steps = read.integer("run.steps"),
            .seed = read.integer("run.seed"),
            .equilibrate = read_equilibrate(read),
            .contact_cap = read.integer("run.contact_cap"),
            .sub_window = read.number("run.sub_window"),
            .halo_margin = read.number("run.halo_margin"),
            .balance = read.word<BalanceChoice>("run.balance"),
            .watchdog = read.number("run.watchdog", 0)};
}

std::string default_output_file(const std::string& input_name) {
    auto stem = std::filesystem::path(input_name).stem().string();
    std::replace(stem.begin(), stem.end(), ':', '-');
    return (stem.empty() ? "ricochet" : stem) + ".h5md";
}

OutputOptions read_output(const Reader& read, const std::string& input_name) {
    OutputOptions output;
    output.file = read.has("output.file") ? read.text("output.file") : default_output_file(input_name);
    output.author = read.text("output.author");
    output.trajectory_every = read.integer("output.trajectory_every");
    output.observables_every = read.integer("output.observables_every");
    output.collisions = read.is_list("output.collisions") ? CollisionChoice::pairs
                                                          : read.word<CollisionChoice>("output.collisions");
    output.collision_byte_budget = read.integer("output.collision_byte_budget");
    output.precision = read.word<OutputPrecision>("output.precision");
    output.compression = read.word<OutputCompression>("output.compression");
    output.checkpoint = {.every_steps = read.integer("output.checkpoint.every_steps"),
                         .every_minutes = read.number("output.checkpoint.every_minutes", 0),
                         .keep = read.integer("output.checkpoint.keep")};
    return output;
}

Config build_config(const Reader& read, const std::string& name) {
    Config config;
    config.input_name = name;
    config.title = read.text("title");
    config.units = {read.text("units.length"), read.text("units.time"), read.text("units.energy")};
    config.box = read_box(read);
    config.species = read_all_species(read);
    config.placement = read_placement(read);
    config.dynamics = read_dynamics(read);
    config.contacts.restitution = read.number("contacts.restitution");
    config.contacts.wall_restitution = read.number(
        read.has("contacts.walls.restitution") ? "contacts.walls.restitution" : "contacts.restitution");
    config.search = read.word<SearchMethod>("search.method");
    config.run = read_run(read);
    config.output = read_output(read, name);
    return config;
}

}  // namespace

Config parse_config(const std::string& text, const std::string& name,
                    std::span<const std::string> overrides) {
    detail::Issues issues(name, overrides);
    detail::TreeNode root = detail::parse_yaml(text, 0, issues);
    issues.throw_if_any();
    detail::apply_overrides(root, overrides, issues);
    issues.throw_if_any();
    detail::check_tree(root, issues);
    const Reader reader(root);
    Config config = build_config(reader, name);
    if (reader.has("box.size")) config.box_size_place.text = issues.where(reader.place("box.size"));
    if (reader.has("run.timestep")) config.timestep_place.text = issues.where(reader.place("run.timestep"));
    detail::apply_rules(reader, config, issues);
    issues.throw_if_any();
    return config;
}

Config load_config(const std::string& path, std::span<const std::string> overrides) {
    return parse_config(read_input_text(path), path, overrides);
}

}  // namespace ricochet
