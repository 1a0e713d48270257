// SPDX-License-Identifier: BSD-3-Clause
#include "app/page_theory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "model/world_facts.hpp"
#include "result/frame_rows.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"
#include "theory/contact_rate.hpp"
#include "theory/diffusion_outlook.hpp"
#include "theory/hard_sphere_theory.hpp"

namespace ricochet {
namespace {

constexpr std::size_t classes_per_species = 100;  ///< equally wide in ln(radius)

/// Sums over the particles of a class.
struct ClassSums {
    double number = 0;
    double radius = 0;
    double mass = 0;
};

/// The radii of one species, in classes between the smallest and the largest.
struct SpeciesSizes {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;
    std::vector<ClassSums> sums{classes_per_species};

    std::size_t class_of(double radius) const {
        if (largest <= smallest) return 0;
        const double share = std::log(radius / smallest) / std::log(largest / smallest);
        return std::min(static_cast<std::size_t>(share * classes_per_species), classes_per_species - 1);
    }
};

/// Calls visit(species, radius, mass) for all particles.
template <class Visit>
void for_each_particle(const FrameRows& frames, Visit&& visit) {
    std::vector<std::uint32_t> species;
    std::vector<double> radius, mass;
    for_each_block(frames, 0, [&](const FrameRowRange& rows) {
        frames.read_species(rows, species);
        frames.read_radius(rows, radius);
        frames.read_mass(rows, mass);
        for (std::size_t k = 0; k < radius.size(); ++k) visit(species[k], radius[k], mass[k]);
    });
}

std::vector<SpeciesSizes> sizes_of(const FrameRows& frames, std::size_t num_species) {
    std::vector<SpeciesSizes> sizes(num_species);
    for_each_particle(frames, [&](std::uint32_t species, double radius, double mass) {
        if (species >= num_species || !(radius > 0) || !(mass > 0) || !std::isfinite(radius + mass))
            throw InputError("species, radii or masses of the first frame are not those of particles");
        sizes[species].smallest = std::min(sizes[species].smallest, radius);
        sizes[species].largest = std::max(sizes[species].largest, radius);
    });
    for_each_particle(frames, [&](std::uint32_t species, double radius, double mass) {
        ClassSums& sums = sizes[species].sums[sizes[species].class_of(radius)];
        sums.number += 1;
        sums.radius += radius;
        sums.mass += mass;
    });
    return sizes;
}

ClassesBySpecies classes_of(const ResultReader& reader, double volume) {
    ClassesBySpecies classes(reader.description().species.size());
    if (reader.complete().frames == 0) return classes;
    const auto sizes = sizes_of(FrameRows(reader), classes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k)
        for (const ClassSums& sums : sizes[k].sums)
            if (sums.number > 0)
                classes[k].push_back(
                    {sums.number / volume, sums.radius / sums.number, sums.mass / sums.number});
    return classes;
}

std::vector<SizeClass> all_of(const ClassesBySpecies& classes) {
    std::vector<SizeClass> all;
    for (const auto& species : classes) all.insert(all.end(), species.begin(), species.end());
    return all;
}

bool are_equal(const std::vector<SizeClass>& classes) {
    return std::all_of(classes.begin(), classes.end(), [&](const SizeClass& c) {
        return c.radius == classes.front().radius && c.mass == classes.front().mass;
    });
}

std::string equilibrium_of(const Config& config, const std::vector<SizeClass>& classes) {
    const int dimension = config.box.dimension;
    const bool is_equal = are_equal(classes);
    const char* const of_discs = is_equal ? "Liu" : "Liu; Santos, Yuste and Lopez de Haro";
    const char* const of_spheres =
        is_equal ? "Boublik and Kolafa" : "Boublik, Mansoori, Carnahan, Starling and Leland; Kolafa";
    const double rate = contact_rate_density(dimension, classes, config.dynamics.kT) * config.box.volume();
    const double compressibility = mixture_compressibility(dimension, classes);
    if (!std::isfinite(rate) || !std::isfinite(compressibility)) return "";
    return fmt::format(
        R"(, "contact_rate": {}, "rate_of": "Enskog theory", "compressibility": {}, "pressure_of": "{}")",
        rate, compressibility, dimension == 2 ? of_discs : of_spheres);
}

/// Each contact of equal particles takes (1 - e^2) kT on average (cooling.py).
std::string cooling_of(const Config& config, const std::vector<SizeClass>& classes) {
    const auto rules = restitution_of_pairs(world_of(config));
    const auto is_used = [&](const PairRestitution& rule) {
        return rule.b != wall_species && config.species[rule.a].count > 0 && config.species[rule.b].count > 0;
    };
    const auto rule = std::find_if(rules.begin(), rules.end(), is_used);
    if (!are_equal(classes) || std::count_if(rules.begin(), rules.end(), is_used) != 1) return "";
    if (!rule->restitution.is_constant()) return "";  // then the gas does not cool by Haff's law
    const double rate = 2 * contact_rate_density(config.box.dimension, classes, config.dynamics.kT) /
                        classes.front().number_density;
    const double e = rule->restitution.value;
    return fmt::format(R"(, "cooling_rate": {})", (1 - e * e) * rate / (2 * config.box.dimension));
}

std::string brownian_of(const World& world, const ClassesBySpecies& classes) {
    if (has_shapes(world)) return "";
    std::string fractions, biases;
    for (SpeciesIndex s = 0; s < classes.size(); ++s) {
        const char* const comma = s == 0 ? "" : ", ";
        fractions += fmt::format("{}{}", comma, fraction_of(world.box.dimension, classes[s]));
        biases += fmt::format("{}{}", comma, diffusion_bias_of(world, classes, s).value_or(0));
    }
    return fmt::format(R"(, "fractions": [{}], "diffusion_bias": [{}])", fractions, biases);
}

/// Values for a fluid without walls.
std::string bulk_of(const Config& config, const std::vector<SizeClass>& classes) {
    const World world = world_of(config);
    if (classes.empty() || !is_thermal_fluid(config) || !is_bulk(world)) return "";
    if (has_changing_particles(world)) return "";
    if (is_elastic(world)) return equilibrium_of(config, classes);
    return config.dynamics.type == DynamicsType::ballistic ? cooling_of(config, classes) : "";
}

/// Whether contacts or decays merge, end or replace particles: then kinetic energy is not kept.
bool reacts(const World& world) {
    return !world.decays.empty() ||
           std::any_of(world.rules.begin(), world.rules.end(), [](const SpeciesRule& of) {
               return std::holds_alternative<React>(of.rule) || std::holds_alternative<Coalesce>(of.rule);
           });
}

std::string theory_of(const Config& config, const ClassesBySpecies& classes) {
    const World world = world_of(config);
    const std::vector<SizeClass> all = all_of(classes);
    const bool is_brownian = config.dynamics.type == DynamicsType::brownian;
    const bool has_temperature = is_brownian || (!is_driven(config) && !config.self_gravity &&
                                                 !reacts(world) && bodies_that_give_energy(world).empty());
    // Theories of fluids, and of impulses by reduced masses, are for particles that move along all axes.
    const bool is_free = !has_frozen_axes(world);
    const std::string temperature = has_temperature ? fmt::format(R"("kT": {}, )", config.dynamics.kT) : "";
    return temperature +
           fmt::format(R"("elastic": {}, "equal": {}, "reacts": {})", is_free && is_elastic(world),
                       !all.empty() && are_equal(all), reacts(world)) +
           bulk_of(config, all) + (is_brownian && is_free ? brownian_of(world, classes) : "");
}

}  // namespace

std::string page_theory(const ResultReader& reader) {
    try {
        const Config config = parse_config(reader.description().effective_input, reader.path());
        return fmt::format("{{{}}}", theory_of(config, classes_of(reader, room_volume(config))));
    } catch (const InputError&) {
        return "{}";
    } catch (const Hdf5Error&) {
        return "{}";
    }
}

}  // namespace ricochet
