// SPDX-License-Identifier: BSD-3-Clause
#include "run/particle_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/text.hpp"
#include "files/posix_file.hpp"
#include "model/world_facts.hpp"
#include "placement/particle_csv.hpp"
#include "placement/particle_data.hpp"
#include "placement/particle_dump.hpp"
#include "placement/particle_xyz.hpp"
#include "placement/text_lines.hpp"
#include "placement/text_rows.hpp"
#include "ricochet/contact/rules.hpp"
#include "ricochet/core/error.hpp"
#include "run/gzip_text.hpp"
#include "run/h5md_start.hpp"

namespace ricochet {
namespace {

/// Whether the file begins with the signature of HDF5.
bool is_hdf5(const std::string& path) {
    constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    std::array<char, 8> beginning{};
    std::ifstream(path, std::ios::binary).read(beginning.data(), beginning.size());
    return beginning == signature;
}

enum class TextFormat { csv, xyz, dump, data };

/// Tells the format by the first lines. Neither a table nor a data file begins with a number alone.
TextFormat format_of(TextLines lines) {
    constexpr int most_lines = 100;  // a header of LAMMPS is shorter
    if (!lines.next()) return TextFormat::csv;
    if (lines.line().starts_with("\x89HDF"))
        throw InputError(lines.name() + ": got HDF5 packed by gzip, expected it unpacked (gunzip)");
    if (lines.line().starts_with("ITEM:")) return TextFormat::dump;
    while (trimmed(lines.line()).empty() && lines.next()) continue;
    if (whole_number(trimmed(lines.line()))) return TextFormat::xyz;
    if (lines.number() > 1 && is_atom_count(lines.line())) return TextFormat::data;  // its title is blank
    while (lines.number() < most_lines && lines.next())
        if (is_atom_count(lines.line())) return TextFormat::data;
    return TextFormat::csv;
}

/// `num_bytes` is the length of the text, 0 where it is not known.
std::unique_ptr<TableSource> open_text(const OpenText& open, const std::string& path, std::uint64_t num_bytes,
                                       const Config& config) {
    const std::vector<Species>& species = config.species;
    const int dimension = config.box.dimension;
    const std::optional<std::uint64_t> frame = config.placement.frame;
    switch (format_of(TextLines(open(), path))) {
        case TextFormat::xyz:
            return parse_particle_xyz(open, path, species, dimension, frame);
        case TextFormat::dump:
            return parse_particle_dump(open, path, species, dimension, frame);
        case TextFormat::data:
            return parse_particle_data(open, path, species, dimension);
        case TextFormat::csv:
            break;
    }
    return parse_particle_csv(open, path, species, dimension, frame, num_bytes);
}

std::unique_ptr<TableSource> open_file(const std::string& path, const Config& config) {
    if (const std::string problem = find_irregularity(path); !problem.empty())
        throw InputError(config.input_name + ": placement.path: got " + path + ": " + problem);
    if (is_hdf5(path)) return open_h5md_start(path, config);
    const bool is_packed = is_gzip(path);
    std::error_code unknown;
    const std::uintmax_t num_bytes = is_packed ? 0 : std::filesystem::file_size(path, unknown);
    return open_text([path, is_packed] { return is_packed ? text_of_gzip(path) : text_of_file(path); }, path,
                     unknown ? 0 : num_bytes, config);
}

/// Those that a start must share: masses and velocities of a file are Brownian particles' no more.
std::vector<StatedUnit> units_of(const Config& config) {
    std::vector<StatedUnit> units{{"length", config.units.length}};
    if (config.dynamics.type == DynamicsType::ballistic) {
        units.push_back({"time", config.units.time});
        units.push_back({"energy", config.units.energy});
        if (may_keep_velocities(config.dynamics.velocities)) {
            units.push_back({"length", config.units.length, "velocity"});
            units.push_back({"time", config.units.time, "velocity"});
        }
    }
    std::erase_if(units, [](const StatedUnit& unit) { return unit.word == "unstated"; });
    return units;
}

/// Whether a contact or a decay may put one of this species, or a larger one, among others.
std::vector<bool> products_of(const World& world) {
    std::vector<bool> is_product(world.species.size(), false);
    const auto add = [&](const std::array<SpeciesIndex, 2>& products) {
        for (const SpeciesIndex product : products)
            if (product != absent_species) is_product[product] = true;
    };
    for (const DecayChannel& decay : world.decays) add(decay.products);
    for (const SpeciesRule& of : world.rules) {
        if (const React* const react = std::get_if<React>(&of.rule)) add(react->products);
        if (std::holds_alternative<Coalesce>(of.rule)) add({of.a, of.b});
    }
    return is_product;
}

/// For all pairs of species, row after row.
template <class May>
std::vector<bool> overlap_table(const World& world, May&& may) {
    const std::size_t num_species = world.species.size();
    std::vector<bool> table;
    for (SpeciesIndex a = 0; a < num_species; ++a)
        for (SpeciesIndex b = 0; b < num_species; ++b) table.push_back(may(a, b));
    return table;
}

/// Two that rest never meet, so that they may overlap.
bool both_rest(const World& world, SpeciesIndex a, SpeciesIndex b) {
    return world.species[a].frozen_axes == all_axes && world.species[b].frozen_axes == all_axes;
}

/// Those that rest may overlap. So may pairs that a run itself may leave overlapping: those that pass or react wherever
/// they are, and products with all. While a run equilibrates all bounce, so that none but those that rest may overlap
/// before. On the same terms products and those that rest may reach into walls and bodies.
void allow_overlaps(const Config& config, StartRules& rules) {
    const World& world = rules.world;
    const ContactRules contact_rules(world);
    const std::vector<bool> is_product = products_of(world);
    const std::vector<bool> of_run = overlap_table(world, [&](SpeciesIndex a, SpeciesIndex b) {
        return both_rest(world, a, b) || is_product[a] || is_product[b] ||
               contact_rules.pair_overlap(a, b) != Overlap::bounces;
    });
    const std::vector<bool> of_resting =
        overlap_table(world, [&](SpeciesIndex a, SpeciesIndex b) { return both_rest(world, a, b); });
    const bool equilibrates = config.run.equilibrate.value_or(0) > 0;
    rules.overlap_table = equilibrates ? of_resting : of_run;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s)
        rules.reach_table.push_back(both_rest(world, s, s) || (is_product[s] && !equilibrates));
    if (equilibrates && of_run != of_resting)
        rules.overlap_advice =
            "while the run equilibrates all particles bounce, so that none may overlap others, walls or "
            "bodies "
            "at its start; without run.equilibrate those may whose contact rules allow it";
}

}  // namespace

StartFile start_from_file(const Config& config, Exchange& exchange) {
    const std::string path = placement_path(config);
    StartRules rules{
        .world = world_of(config), .box_place = config.box_size_place.text, .units = units_of(config)};
    allow_overlaps(config, rules);
    StartFile start = deal_from_file([&] { return open_file(path, config); }, rules, exchange);
    const bool needs_velocities = config.dynamics.type == DynamicsType::ballistic &&
                                  config.dynamics.velocities == StartVelocities::given;
    if (needs_velocities && !start.has_velocities)
        throw InputError(
            path +
            ": has no velocities (columns vx, vy, vz), expected them with dynamics.velocities: given, "
            "the default for a file without dynamics.kT; to draw them give dynamics.kT, and "
            "dynamics.velocities: maxwell");
    return start;
}

std::vector<std::string> notes_on_frames(const Config& config, const StartFile& start, Exchange& exchange) {
    std::vector<std::string> notes;
    const std::string path = placement_path(config);
    for (const std::string& note : start.notes)
        notes.push_back(text_of("placement.path: ", path, ": ", note));
    const bool is_ballistic = config.dynamics.type == DynamicsType::ballistic;
    if (!start.has_velocities && config.dynamics.velocities == StartVelocities::given_or_maxwell &&
        is_ballistic)
        notes.push_back("placement.path: " + path +
                        " has no velocities: they are drawn at dynamics.kT (dynamics.velocities: maxwell)");
    if (start.has_velocities && is_ballistic && !may_keep_velocities(config.dynamics.velocities))
        notes.push_back("placement.path: velocities of " + path +
                        " are replaced by new ones; dynamics.velocities: given keeps them");
    if (start.has_nameless_species && config.species.size() > 1)
        notes.push_back("placement.path: " + path +
                        " does not name its species: their numbers, from 0, are "
                        "taken as those of " +
                        names_of(config.species));
    if (!has_tethers(world_of(config))) return notes;
    std::int64_t is_frame = exchange.rank() == 0 && is_hdf5(path) ? 1 : 0;
    exchange.max(std::span(&is_frame, 1));
    if (is_frame != 0)
        notes.push_back("placement.path: tethers are not in frames: all particles of " + path +
                        " start without");
    return notes;
}

}  // namespace ricochet
