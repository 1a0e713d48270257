// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "config/checked_input.hpp"
#include "config/config_check.hpp"
#include "config/search_rules.hpp"
#include "files/output_path.hpp"
#include "model/box_fit.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"

namespace ricochet::detail {

namespace {

constexpr double largest_count = 1e15;

std::string default_output_file(const std::string& input_name) {
    auto stem = std::filesystem::path(input_name).stem().string();
    std::replace(stem.begin(), stem.end(), ':', '-');
    return (stem.empty() ? "ricochet" : stem) + ".h5md";
}

/// Names, words and defaults.
class Rules : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        complete_defaults();
        check_boundary();
        check_species_names();
        check_radii();
        check_lattice();
        check_velocities();
        check_brownian_restitution();
        check_search_loop();
        check_until_pressure();
        check_drive();
        check_subspace_side();
        complete_collision_pairs();
        check_output_file();
        if (has("placement.path") && config_.placement.path.empty())
            report("placement.path", "got \"\", expected a file name");
    }

  private:
    void check_search_loop() {
        if (is_possible(config_.search, config_.search_loop)) return;
        report("search.loop", fmt::format("got {}, expected queue, restart or precheck with search.method {}",
                                          to_word(config_.search_loop), to_word(config_.search)));
    }

    /// A volume is not known before the pressure has found it.
    void check_until_pressure() {
        if (!has("placement.until_pressure")) return;
        for (std::size_t k = 0; k < config_.species.size(); ++k)
            for (const char* key : {"number_density", "volume_fraction"})
                if (const std::string path = fmt::format("species.{}.{}", k, key); has(path))
                    report(
                        path,
                        "got a density with placement.until_pressure, expected count (the pressure finds the "
                        "size of the box)");
    }

    void check_drive() {
        if (!config_.dynamics.drive) return;
        const DriveOptions& drive = *config_.dynamics.drive;
        const std::string path = "dynamics.drive.";
        if (has(path + "min_acceleration") && has(path + "max_acceleration") &&
            drive.most_acceleration < drive.least_acceleration)
            report(path + "max_acceleration",
                   fmt::format("got {}, expected a number >= min_acceleration = {} (largest acceleration)",
                               drive.most_acceleration, drive.least_acceleration));
        if (!has(path + "redirect_every") || !has("run.timestep")) return;
        if (steps_per_direction(config_)) return;
        report(path + "redirect_every",
               fmt::format("got {}, expected a multiple of run.timestep = {} (kicks come before steps)",
                           drive.redirect_every, config_.run.timestep));
    }

    void check_subspace_side() {
        if (config_.search_options.subspace_side == 0 || !has("search.time_bounds.side") ||
            !has("run.timestep"))
            return;
        double radius = 0;
        for (const Species& species : config_.species) radius = std::max(radius, largest_radius(species));
        const double dt = config_.run.timestep;
        const double acceleration = config_.dynamics.drive ? config_.dynamics.drive->most_acceleration : 0;
        const double least = 2 * radius + acceleration * dt * dt / 4;
        if (config_.search_options.subspace_side > least) return;
        report("search.time_bounds.side",
               fmt::format(
                   "got {}, expected a number > {} (the largest diameter, and what a kick adds to it), or 0",
                   config_.search_options.subspace_side, least));
    }

    /// Fills in defaults that follow from other keys.
    void complete_defaults() {
        for (std::size_t k = 0; k < config_.species.size(); ++k)
            if (auto& solvent = config_.species[k].stokes_einstein)
                if (!has(fmt::format("species.{}.diffusion.stokes_einstein.temperature", k)))
                    solvent->temperature = config_.dynamics.kT;
        const bool from_file = config_.placement.method == PlacementMethod::file;
        const bool is_ballistic = config_.dynamics.type == DynamicsType::ballistic;
        if (is_ballistic && from_file && !has("dynamics.velocities"))
            config_.dynamics.velocities =
                is_given("dynamics.kT") ? StartVelocities::given_or_maxwell : StartVelocities::given;
        if (!has("contacts.walls.restitution")) {
            config_.contacts.wall_restitution = config_.contacts.restitution;
            config_.contacts.wall_bridges = config_.contacts.bridges;
        }
        if (!has("output.file")) config_.output.file = default_output_file(config_.input_name);
    }

    void check_output_file() {
        if (!has("output.file")) return;
        if (config_.output.file.empty()) report("output.file", "got \"\", expected a file name");
        if (const auto problem = find_name_problem(config_.output.file)) report("output.file", *problem);
    }

    void check_boundary() {
        const auto words = items("box.boundary");
        if (!has("box.size") || words.empty()) return;
        if (words.size() == static_cast<std::size_t>(config_.box.dimension)) return;
        report("box.boundary", fmt::format("got {} words for a box of {} dimensions, expected one per axis",
                                           words.size(), config_.box.dimension));
    }

    void check_species_names() {
        std::set<std::string> seen;
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.name", k);
            const std::string& name = config_.species[k].name;
            if (!has(path)) continue;
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
            if (!has(path + ".min") || !has(path + ".max")) continue;
            if (radii->maximum <= radii->minimum)
                report(path + ".max", fmt::format("got {}, expected a number > min = {} (largest radius)",
                                                  radii->maximum, radii->minimum));
        }
    }

    void check_lattice() {
        if (!has("placement.type") || !has("box.size")) return;
        const auto lattice = config_.placement.lattice;
        const bool flat = lattice == LatticeType::square || lattice == LatticeType::hexagonal;
        if (flat == (config_.box.dimension == 2)) return;
        report("placement.type",
               fmt::format("got {} for a box of {} dimensions, expected {}", to_word(lattice),
                           config_.box.dimension, flat ? "sc or fcc" : "square or hexagonal"));
    }

    void check_velocities() {
        const bool given = config_.dynamics.velocities == StartVelocities::given;
        if (has("dynamics.velocities") && has("placement.method") && given &&
            config_.placement.method != PlacementMethod::file)
            report("dynamics.velocities",
                   "got given, expected maxwell or equal_speed unless placement.method is file");
        if (given || !has("dynamics.type") || is_given("dynamics.kT")) return;
        const Option& temperature = *find_option("dynamics.kT");
        issues_.add(find("dynamics")->place, fmt::format("{}: missing, expected {} ({})", temperature.path,
                                                         expected_value(temperature), temperature.what));
    }

    void check_brownian_restitution() {
        if (!has("dynamics.type") || config_.dynamics.type != DynamicsType::brownian) return;
        std::vector<std::string> paths{"contacts.restitution", "contacts.walls.restitution"};
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k)
            paths.push_back(fmt::format("contacts.pairs.{}.restitution", k));
        for (const std::string& path : paths) {
            const bool is_law = has_section(path);
            if (has(path) && (is_law || number(path) != 1))
                report(path, fmt::format("got {}, expected 1 with brownian dynamics (other values have no "
                                         "equilibrium there)",
                                         is_law ? "bridges" : text(path)));
        }
    }

    void complete_collision_pairs() {
        std::set<std::pair<SpeciesIndex, SpeciesIndex>> seen;
        for (const TreeNode& names : items("output.collisions")) {
            const auto named = pair_named(names, "output.collisions", false);
            if (!named) continue;
            const std::pair<SpeciesIndex, SpeciesIndex> pair = std::minmax(named->a, named->b);
            if (!seen.insert(pair).second) issues_.add(names.place, "output.collisions: got a pair twice");
            config_.output.collision_pairs.push_back(pair);
        }
    }
};

/// What a search asks of the system, once its rules are known.
class SearchRules : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        if (!has("search.method")) return;
        const std::string expected = find_search_problem(config_, config_.search);
        if (!expected.empty())
            report("search.method", fmt::format("got {}, expected {}", to_word(config_.search), expected));
    }
};

/// Counts the particles and checks whether they fit. A count from a density or a volume fraction is the
/// nearest integer (halves up). It uses + - * / in a fixed order, so that every machine gets the same count.
/// Log-normal radii enter by their mean content (model/size_distribution.hpp).
class CountRules : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        if (!has("box.size") || !radii_are_good()) return;
        const bool generated = has("placement.method") && config_.placement.method != PlacementMethod::file;
        if (generated) derive_counts();
        // Else its size is found, and no packing is denser than it can be.
        const bool is_box_given = !has("placement.until_pressure");
        if (is_box_given) check_box_size();
        check_coarseness();
        if (generated && counts_are_good_) check_total(is_box_given);
    }

  private:
    /// A radius in error, or a number of a distribution, is 0.
    static bool is_good(const Species& species) {
        const auto& radii = species.radius_distribution;
        if (!radii) return species.radius > 0;
        return std::min({radii->median, radii->sigma, radii->minimum}) > 0 && radii->maximum > radii->minimum;
    }

    bool radii_are_good() const {
        return !config_.species.empty() &&
               std::all_of(config_.species.begin(), config_.species.end(), is_good);
    }

    void derive_counts() {
        const double volume = room_volume(config_);
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.", k);
            const std::string density = path + "number_density", fraction = path + "volume_fraction";
            Species& species = config_.species[k];
            if (has(density))
                species.count = rounded(density, number(density) * volume);
            else if (has(fraction))
                species.count = rounded(
                    fraction, number(fraction) * volume / mean_content(species, config_.box.dimension));
            else
                counts_are_good_ = counts_are_good_ && has(path + "count");
        }
    }

    std::uint64_t rounded(const std::string& path, double count) {
        if (count >= 0.5 && count <= largest_count)
            return static_cast<std::uint64_t>(std::floor(count + 0.5));
        counts_are_good_ = false;
        report(path, fmt::format("got {}, which is {:.3g} particles in this box, expected 1 to 1e15",
                                 text(path), count));
        return 0;
    }

    /// Two particles must fit beside each other, and across a periodic axis no pair may meet two images.
    void check_box_size() {
        double radius = 0;
        for (const Species& species : config_.species) radius = std::max(radius, largest_radius(species));
        for (int axis = 0; axis < config_.box.dimension; ++axis) {
            const double least = (config_.box.is_periodic(axis) ? 4 : 2) * radius;
            if (config_.box.size[axis] > least) continue;
            const TreeNode& item = items("box.size")[static_cast<std::size_t>(axis)];
            issues_.add(item.place,
                        fmt::format("box.size: got {} along {}, expected a number > {} ({} times the "
                                    "largest radius along {} axis)",
                                    item.text, "xyz"[axis], least, config_.box.is_periodic(axis) ? 4 : 2,
                                    config_.box.is_periodic(axis) ? "a periodic" : "a walled"));
        }
    }

    void check_coarseness() {
        double radius = std::numeric_limits<double>::infinity();
        for (const Species& species : config_.species)
            radius = std::min(
                radius, species.radius_distribution ? species.radius_distribution->minimum : species.radius);
        for (const std::string& problem : coarseness_problems(config_.box, radius))
            issues_.add(find("box.size")->place, problem);
    }

    void check_total(bool is_box_given) {
        const World world{
            .box = config_.box, .free_volume = config_.free_volume.value, .species = config_.species};
        // Each of at most 1,000 species has at most 1e15: the sum does not overflow.
        const auto total = static_cast<double>(num_particles(world));
        if (total == 0) report("species", "got no particles at all, expected at least 1");
        if (total > largest_count)
            report("species", fmt::format("got {:.4g} particles in all, expected at most 1e15", total));
        if (!is_box_given) return;
        const double filled = volume_fraction(world);
        const double of_spheres = config_.box.dimension == 2 ? closest_packing_2d : closest_packing_3d;
        // Few spheres may fill more of a narrow body than many can of space.
        const bool fills_space = has_shapes(world) || !config_.bodies.empty();
        const double limit = fills_space ? 1 : of_spheres;
        // What passes through each other needs no room of its own: the placement tells.
        const auto& rules = config_.contacts.pairs;
        const PlacementMethod method = config_.placement.method;
        const bool may_overlap = (method == PlacementMethod::random || method == PlacementMethod::dense) &&
                                 std::any_of(rules.begin(), rules.end(),
                                             [](const PairRule& rule) { return rule.pass.has_value(); });
        if (filled <= limit || may_overlap || !std::isfinite(filled)) return;
        const std::string_view densest = fills_space                  ? "all that is free"
                                         : config_.box.dimension == 2 ? "closest packing of equal discs"
                                                                      : "closest packing of equal spheres";
        report("species", fmt::format("got a volume fraction of {:.4g} in all, expected at most {} ({})",
                                      filled, limit, densest));
    }

    bool counts_are_good_ = true;
};

}  // namespace

void apply_rules(const TreeNode& root, Config& config, Issues& issues, const FileReader& read) {
    complete_shapes(root, config, issues);
    Rules(root, config, issues).apply();
    apply_contact_rules(root, config, issues);
    apply_bodies(root, config, issues, read);
    apply_decays(root, config, issues);
    apply_moves(root, config, issues);
    apply_fields(root, config, issues);
    apply_self_gravity(root, config, issues);
    apply_walls(root, config, issues);
    SearchRules(root, config, issues).apply();
    CountRules(root, config, issues).apply();
    check_room_between_walls(root, config, issues);
    check_beside_shapes(root, config, issues);
}

}  // namespace ricochet::detail
