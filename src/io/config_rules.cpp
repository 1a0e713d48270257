// SPDX-License-Identifier: BSD-3-Clause
#include "io/config_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ricochet/io/output_path.hpp"

namespace ricochet::detail {

namespace {

constexpr std::string_view wall_name = "wall";

class Rules {
  public:
    Rules(const Reader& read, Config& config, Issues& issues)
        : read_(read), config_(config), issues_(issues) {}

    void apply() {
        check_boundary();
        check_species_names();
        check_radii();
        check_lattice();
        check_velocities();
        complete_contact_pairs();
        check_brownian_restitution();
        complete_collision_pairs();
        check_output_file();
        if (read_.has("placement.path") && config_.placement.path.empty())
            report("placement.path", "got \"\", expected a file name");
    }

  private:
    void report(const std::string& path, const std::string& message) {
        issues_.add(read_.place(path), path + ": " + message);
    }

    void check_output_file() {
        if (!read_.has("output.file")) return;
        if (config_.output.file.empty()) report("output.file", "got \"\", expected a file name");
        if (const auto problem = find_name_problem(config_.output.file)) report("output.file", *problem);
    }

    void check_boundary() {
        const auto words = read_.words("box.boundary");
        if (!read_.has("box.size") || !read_.is_list("box.boundary")) return;
        if (words.size() == static_cast<std::size_t>(config_.box.dimension)) return;
        report("box.boundary", fmt::format("got {} words for a box of {} dimensions, expected one per axis",
                                           words.size(), config_.box.dimension));
    }

    void check_species_names() {
        std::set<std::string> seen;
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.name", k);
            const std::string& name = config_.species[k].name;
            if (!read_.has(path)) continue;
            if (name == wall_name)
                report(path, "got wall, expected another name (walls have this one)");
            else if (!seen.insert(name).second)
                report(path, fmt::format("got {} twice, expected names that differ", name));
        }
    }

    void check_radii() {
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.radius.lognormal", k);
            const auto& radii = config_.species[k].radius_distribution;
            if (!read_.has(path + ".min") || !read_.has(path + ".max")) continue;
            if (radii->maximum <= radii->minimum)
                report(path + ".max", fmt::format("got {}, expected a number > min = {} (largest radius)",
                                                  radii->maximum, radii->minimum));
        }
    }

    void check_lattice() {
        if (!read_.has("placement.type") || !read_.has("box.size")) return;
        const auto lattice = config_.placement.lattice;
        const bool flat = lattice == LatticeType::square || lattice == LatticeType::hexagonal;
        if (flat == (config_.box.dimension == 2)) return;
        report("placement.type",
               fmt::format("got {} for a box of {} dimensions, expected {}", to_word(lattice),
                           config_.box.dimension, flat ? "sc or fcc" : "square or hexagonal"));
    }

    void check_velocities() {
        const bool given = config_.dynamics.velocities == StartVelocities::given;
        if (read_.has("dynamics.velocities") && read_.has("placement.method") && given &&
            config_.placement.method != PlacementMethod::file)
            report("dynamics.velocities",
                   "got given, expected maxwell or equal_speed unless placement.method is file");
        if (given || !read_.has("dynamics.type") || find_path(read_.root(), "dynamics.kT") != nullptr) return;
        issues_.add(read_.place("dynamics"),
                    "dynamics.kT: missing, expected a number > 0 (k_B times the temperature)");
    }

    /// The index of a species or wall_species; none (and an issue at `path`) for an unknown name.
    std::optional<SpeciesIndex> species_named(const TreeNode& name, const std::string& path) {
        if (name.text == wall_name) return wall_species;
        std::vector<std::string_view> names{wall_name};
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            if (config_.species[k].name == name.text) return static_cast<SpeciesIndex>(k);
            names.insert(names.end() - 1, config_.species[k].name);
        }
        const std::string guess = did_you_mean(name.text, names);
        issues_.add(name.place, fmt::format("{}: got {}, expected the name of a species or wall{}", path,
                                            describe(name), guess));
        return std::nullopt;
    }

    /// The two species of a list of two names, the lower first; none when it is in error.
    std::optional<std::pair<SpeciesIndex, SpeciesIndex>> pair_named(const TreeNode& names,
                                                                    const std::string& path) {
        const auto a = species_named(names.children[0], path), b = species_named(names.children[1], path);
        if (!a || !b) return std::nullopt;
        if (*a != wall_species || *b != wall_species) return std::minmax(*a, *b);
        issues_.add(names.place, fmt::format("{}: got wall twice, expected at least one species", path));
        return std::nullopt;
    }

    void complete_contact_pairs() {
        std::set<std::pair<SpeciesIndex, SpeciesIndex>> seen;
        for (std::size_t k = 0; k < read_.list_size("contacts.pairs"); ++k) {
            const std::string path = fmt::format("contacts.pairs.{}", k);
            if (!read_.has(path + ".between")) continue;
            const auto pair = pair_named(*find_path(read_.root(), path + ".between"), path + ".between");
            if (!pair) continue;
            if (!seen.insert(*pair).second) report(path + ".between", "got a pair that has a rule already");
            config_.contacts.pairs.push_back(
                {pair->first, pair->second, read_.number(path + ".restitution")});
        }
    }

    void check_brownian_restitution() {
        if (!read_.has("dynamics.type") || config_.dynamics.type != DynamicsType::brownian) return;
        std::vector<std::string> paths{"contacts.restitution", "contacts.walls.restitution"};
        for (std::size_t k = 0; k < read_.list_size("contacts.pairs"); ++k)
            paths.push_back(fmt::format("contacts.pairs.{}.restitution", k));
        for (const std::string& path : paths)
            if (read_.has(path) && read_.number(path) != 1)
                report(path, fmt::format("got {}, expected 1 with brownian dynamics (other values have no "
                                         "equilibrium there)",
                                         read_.text(path)));
    }

    void complete_collision_pairs() {
        if (!read_.is_list("output.collisions")) return;
        std::set<std::pair<SpeciesIndex, SpeciesIndex>> seen;
        const TreeNode& list = *find_path(read_.root(), "output.collisions");
        for (const TreeNode& names : list.children) {
            const auto pair = pair_named(names, "output.collisions");
            if (!pair) continue;
            if (!seen.insert(*pair).second) issues_.add(names.place, "output.collisions: got a pair twice");
            config_.output.collision_pairs.push_back(*pair);
        }
    }

    const Reader& read_;
    Config& config_;
    Issues& issues_;
};

}  // namespace

void apply_rules(const Reader& read, Config& config, Issues& issues) {
    Rules(read, config, issues).apply();
    apply_count_rules(read, config, issues);
}

}  // namespace ricochet::detail
