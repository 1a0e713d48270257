// SPDX-License-Identifier: BSD-3-Clause
#include "config/config_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "files/output_path.hpp"
#include "model/size_distribution.hpp"

namespace ricochet::detail {

namespace {

/// The densest packing of equal spheres (Kepler) and equal discs (Thue): pi/sqrt(18) and pi/sqrt(12).
constexpr double closest_packing_3d = 0.74048, closest_packing_2d = 0.9069;
constexpr double largest_count = 1e15;
constexpr std::string_view wall_name = "wall";

std::string default_output_file(const std::string& input_name) {
    auto stem = std::filesystem::path(input_name).stem().string();
    std::replace(stem.begin(), stem.end(), ':', '-');
    return (stem.empty() ? "ricochet" : stem) + ".h5md";
}

class Rules {
  public:
    Rules(const Reader& read, Config& config, Issues& issues)
        : read_(read), config_(config), issues_(issues) {}

    void apply() {
        complete_defaults();
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

    /// Fills in defaults that follow from other keys.
    void complete_defaults() {
        for (std::size_t k = 0; k < config_.species.size(); ++k)
            if (auto& solvent = config_.species[k].stokes_einstein)
                if (!read_.has(fmt::format("species.{}.diffusion.stokes_einstein.temperature", k)))
                    solvent->temperature = config_.dynamics.kT;
        const bool from_file = config_.placement.method == PlacementMethod::file;
        const bool is_ballistic = config_.dynamics.type == DynamicsType::ballistic;
        if (is_ballistic && from_file && !read_.has("dynamics.velocities"))
            config_.dynamics.velocities = StartVelocities::given;
        if (!read_.has("contacts.walls.restitution"))
            config_.contacts.wall_restitution = config_.contacts.restitution;
        if (!read_.has("output.file")) config_.output.file = default_output_file(config_.input_name);
    }

    void check_output_file() {
        if (!read_.has("output.file")) return;
        if (config_.output.file.empty()) report("output.file", "got \"\", expected a file name");
        if (const auto problem = find_name_problem(config_.output.file)) report("output.file", *problem);
    }

    void check_boundary() {
        const auto words = read_.items("box.boundary");
        if (!read_.has("box.size") || words.empty()) return;
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
        if (given || !read_.has("dynamics.type") || read_.is_given("dynamics.kT")) return;
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
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k) {
            const std::string path = fmt::format("contacts.pairs.{}.between", k);
            if (!read_.has(path)) continue;
            const auto pair = pair_named(*read_.find(path), path);
            if (!pair) continue;
            if (!seen.insert(*pair).second) report(path, "got a pair that has a rule already");
            config_.contacts.pairs[k].a = pair->first;
            config_.contacts.pairs[k].b = pair->second;
        }
    }

    void check_brownian_restitution() {
        if (!read_.has("dynamics.type") || config_.dynamics.type != DynamicsType::brownian) return;
        std::vector<std::string> paths{"contacts.restitution", "contacts.walls.restitution"};
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k)
            paths.push_back(fmt::format("contacts.pairs.{}.restitution", k));
        for (const std::string& path : paths)
            if (read_.has(path) && read_.number(path) != 1)
                report(path, fmt::format("got {}, expected 1 with brownian dynamics (other values have no "
                                         "equilibrium there)",
                                         read_.text(path)));
    }

    void complete_collision_pairs() {
        std::set<std::pair<SpeciesIndex, SpeciesIndex>> seen;
        for (const TreeNode& names : read_.items("output.collisions")) {
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

/// Counts the particles and checks whether they fit. A count from a density or a volume fraction is the
/// nearest integer (halves up). It uses + - * / in a fixed order, so that every machine gets the same count.
/// Log-normal radii enter by their mean content (model/size_distribution.hpp).
class CountRules {
  public:
    CountRules(const Reader& read, Config& config, Issues& issues)
        : read_(read), config_(config), issues_(issues) {}

    void apply() {
        if (!read_.has("box.size") || !radii_are_good()) return;
        const bool generated =
            read_.has("placement.method") && config_.placement.method != PlacementMethod::file;
        if (generated) derive_counts();
        check_box_size();
        if (generated && counts_are_good_) check_total();
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
        const double volume = config_.box.volume();
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}", k);
            Species& species = config_.species[k];
            if (read_.has(path + ".number_density"))
                species.count =
                    rounded(path + ".number_density", read_.number(path + ".number_density") * volume);
            else if (read_.has(path + ".volume_fraction"))
                species.count =
                    rounded(path + ".volume_fraction", read_.number(path + ".volume_fraction") * volume /
                                                           mean_content(species, config_.box.dimension));
            else
                counts_are_good_ = counts_are_good_ && read_.has(path + ".count");
        }
    }

    std::uint64_t rounded(const std::string& path, double count) {
        if (count >= 0.5 && count <= largest_count)
            return static_cast<std::uint64_t>(std::floor(count + 0.5));
        counts_are_good_ = false;
        issues_.add(read_.place(path),
                    fmt::format("{}: got {}, which is {:.3g} particles in this box, expected 1 to "
                                "1e15",
                                path, read_.text(path), count));
        return 0;
    }

    /// Two particles must fit beside each other, and across a periodic axis no pair may meet two images.
    void check_box_size() {
        double radius = 0;
        for (const Species& species : config_.species) radius = std::max(radius, largest_radius(species));
        for (int axis = 0; axis < config_.box.dimension; ++axis) {
            const double least = (config_.box.is_periodic(axis) ? 4 : 2) * radius;
            if (config_.box.size[axis] > least) continue;
            const TreeNode& item = read_.items("box.size")[static_cast<std::size_t>(axis)];
            issues_.add(item.place,
                        fmt::format("box.size: got {} along {}, expected a number > {} ({} times the "
                                    "largest radius along {} axis)",
                                    item.text, "xyz"[axis], least, config_.box.is_periodic(axis) ? 4 : 2,
                                    config_.box.is_periodic(axis) ? "a periodic" : "a walled"));
        }
    }

    /// As a floating-point number: the sum of integers may overflow.
    void check_sum() {
        double sum = 0;
        for (const Species& species : config_.species) sum += static_cast<double>(species.count);
        if (sum > largest_count)
            issues_.add(read_.place("species"),
                        fmt::format("species: got {:.4g} particles in all, expected at most 1e15", sum));
    }

    void check_total() {
        if (num_particles(config_) == 0)
            issues_.add(read_.place("species"), "species: got no particles at all, expected at least 1");
        check_sum();
        const double filled = volume_fraction(config_);
        const double limit = config_.box.dimension == 2 ? closest_packing_2d : closest_packing_3d;
        if (filled <= limit) return;
        issues_.add(
            read_.place("species"),
            fmt::format("species: got a volume fraction of {:.4g} in all, expected at most {} (closest "
                        "packing of equal {})",
                        filled, limit, config_.box.dimension == 2 ? "discs" : "spheres"));
    }

    const Reader& read_;
    Config& config_;
    Issues& issues_;
    bool counts_are_good_ = true;
};

}  // namespace

void apply_rules(const Reader& read, Config& config, Issues& issues) {
    Rules(read, config, issues).apply();
    CountRules(read, config, issues).apply();
}

}  // namespace ricochet::detail
