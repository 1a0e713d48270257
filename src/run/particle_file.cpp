// SPDX-License-Identifier: BSD-3-Clause
#include "run/particle_file.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "files/posix_file.hpp"
#include "placement/particle_csv.hpp"
#include "ricochet/core/error.hpp"
#include "run/contact_rules.hpp"
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

std::unique_ptr<TableSource> open_file(const std::string& path, const Config& config) {
    if (const std::string problem = find_irregularity(path); !problem.empty())
        throw InputError(config.input_name + ": placement.path: got " + path + ": " + problem);
    if (is_hdf5(path)) return open_h5md_start(path, config);
    return open_particle_csv(path, config.species, config.box.dimension);
}

/// Those that a start must share: masses and velocities of a file are Brownian particles' no more.
std::vector<StatedUnit> units_of(const Config& config) {
    std::vector<StatedUnit> units{{"length", config.units.length}};
    if (config.dynamics.type == DynamicsType::ballistic) {
        units.push_back({"time", config.units.time});
        units.push_back({"energy", config.units.energy});
    }
    std::erase_if(units, [](const StatedUnit& unit) { return unit.word == "unstated"; });
    return units;
}

/// Whether a contact or a decay may put one of this species, or a larger one, among others.
std::vector<bool> products_of(const Config& config) {
    std::vector<bool> is_product(config.species.size(), false);
    const auto add = [&](const std::vector<SpeciesIndex>& products) {
        for (const SpeciesIndex product : products) is_product[product] = true;
    };
    for (const DecayRule& decay : config.decays) add(decay.products);
    for (const PairRule& rule : config.contacts.pairs) {
        if (rule.react) add(rule.react->products);
        if (rule.coalesce) add({rule.a, rule.b});
    }
    return is_product;
}

/// Pairs that a run itself may leave overlapping: those that pass or react wherever they are, and products with all.
std::vector<bool> overlap_table(const Config& config) {
    const std::size_t num_species = config.species.size();
    const ContactRules rules = contact_rules(config);
    const std::vector<bool> is_product = products_of(config);
    std::vector<bool> table;
    for (SpeciesIndex a = 0; a < num_species; ++a)
        for (SpeciesIndex b = 0; b < num_species; ++b)
            table.push_back(is_product[a] || is_product[b] || rules.pair_overlap(a, b) != Overlap::bounces);
    return table;
}

}  // namespace

StartFile start_from_file(const Config& config, Exchange& exchange) {
    const std::string path = placement_path(config);
    const StartRules rules{config.box,       config.species,
                           config.run.seed,  config.box_size_place.text,
                           units_of(config), overlap_table(config)};
    StartFile start = deal_from_file([&] { return open_file(path, config); }, rules, exchange);
    const bool needs_velocities = config.dynamics.type == DynamicsType::ballistic &&
                                  config.dynamics.velocities == StartVelocities::given;
    if (needs_velocities && !start.has_velocities)
        throw InputError(path +
                         ": has no velocities (columns vx, vy, vz), expected them because "
                         "dynamics.velocities is given; set it to maxwell or equal_speed");
    return start;
}

std::vector<std::string> notes_on_frames(const Config& config, const StartFile& start, Exchange& exchange) {
    std::vector<std::string> notes;
    const std::string path = placement_path(config);
    for (const std::string& note : start.notes)
        notes.push_back(text_of("placement.path: ", path, ": ", note));
    if (start.has_nameless_species && config.species.size() > 1)
        notes.push_back("placement.path: " + path +
                        " does not name its species: their numbers, from 0, are "
                        "taken as those of " +
                        names_of(config.species));
    if (!has_tethers(config)) return notes;
    std::int64_t is_frame = exchange.rank() == 0 && is_hdf5(path) ? 1 : 0;
    exchange.max(std::span(&is_frame, 1));
    if (is_frame != 0)
        notes.push_back("placement.path: tethers are not in frames: all particles of " + path +
                        " start without");
    return notes;
}

}  // namespace ricochet
