// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observable_columns.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ricochet {
namespace {

using Numbers = std::vector<double>;

ObservableColumn scalar(std::string name, std::string meaning, double ObservableSample::*member) {
    return {{std::move(name), {}, std::move(meaning)},
            [member](const ObservableSample& sample, Numbers& out) { out.push_back(sample.*member); }};
}

ObservableColumn momentum() {
    return {{"momentum", {"x", "y", "z"}, "sum of mass * velocity"},
            [](const ObservableSample& sample, Numbers& out) {
                out.insert(out.end(), {sample.momentum.x, sample.momentum.y, sample.momentum.z});
            }};
}

ObservableColumn mean_square_displacement(const ObservedSystem& system) {
    ObservableInfo info{"mean_square_displacement",
                        {},
                        "mean over the particles of a species of |x - x0|^2, x unwrapped, x0 at step 0"};
    if (system.has_changing_particles)
        info.meaning += "; NaN for species that contacts or decays make or change";
    for (const Species& species : system.species) info.labels.push_back(species.name);
    return {std::move(info), [is_product = system.is_product](const ObservableSample& sample, Numbers& out) {
                for (std::size_t s = 0; s < sample.mean_square_displacement.size(); ++s)
                    out.push_back(s < is_product.size() && is_product[s]
                                      ? std::numeric_limits<double>::quiet_NaN()
                                      : sample.mean_square_displacement[s]);
            }};
}

std::string nature_of_contacts(const ObservedSystem& system) {
    const bool has_tethers =
        std::find(system.rule_sticks.begin(), system.rule_sticks.end(), true) != system.rule_sticks.end();
    std::string with = has_tethers ? ", with those where a tether held" : "";
    if (!system.bath_energy) return with;
    return with +
           "; those of straight steps: their number per time grows as timestep^-1/2 and is no encounter rate";
}

using SpeciesPair = std::pair<SpeciesIndex, SpeciesIndex>;

/// In ascending order, each once: a species with itself, with later ones, with the walls.
std::vector<SpeciesPair> species_pairs(std::size_t num_species) {
    std::vector<SpeciesPair> pairs;
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        for (SpeciesIndex b = a; b < num_species; ++b) pairs.emplace_back(a, b);
        pairs.emplace_back(a, wall_species);
    }
    return pairs;
}

ObservableColumn contacts(const ObservedSystem& system) {
    ObservableInfo info{
        "contacts", {}, "contacts since step 0, by pair of species" + nature_of_contacts(system)};
    const std::vector<SpeciesPair> pairs = species_pairs(system.species.size());
    for (const auto& [a, b] : pairs)
        info.labels.push_back(system.species[a].name + "-" +
                              (b == wall_species ? "wall" : system.species[b].name));
    return {std::move(info), [pairs](const ObservableSample& sample, Numbers& out) {
                for (const auto& [a, b] : pairs) out.push_back(static_cast<double>(sample.contacts.at(a, b)));
            }};
}

ObservableColumn wall_pressure(const ObservedSystem& system) {
    ObservableInfo info{
        "wall_pressure", {}, "momentum given to a wall per area and time since the sample before"};
    std::vector<std::size_t> faces;
    for (int face = 0; face < 2 * system.box.dimension; ++face) {
        if (!system.box.has_walls(face / 2)) continue;
        info.labels.push_back(std::string(1, "xyz"[face / 2]) + (face % 2 == 0 ? " low" : " high"));
        faces.push_back(static_cast<std::size_t>(face));
    }
    return {std::move(info), [faces](const ObservableSample& sample, Numbers& out) {
                for (const std::size_t face : faces) out.push_back(sample.wall_pressure[face]);
            }};
}

std::string temperature_text(const ObservedSystem& system) {
    if (system.bath_energy) return "2 energy / (dimension * particles), an energy";
    return "2 energy / (dimension * particles - periodic axes), an energy, without the motion of the centre "
           "of "
           "mass along periodic axes; of a single particle 2 energy / dimension";
}

}  // namespace

std::vector<ObservableColumn> observable_columns(const ObservedSystem& system) {
    const std::string energy_name =
        system.bath_energy ? "dynamics.kT" : "kT = temperature, mean of both samples";
    std::vector<ObservableColumn> columns{
        scalar("energy", "kinetic energy, sum of mass * velocity^2 / 2", &ObservableSample::energy),
        momentum(),
        scalar("temperature", temperature_text(system), &ObservableSample::temperature),
        scalar(
            "pressure",
            "collisional virial of the contacts since the sample before: (N kT + sum of impulse * distance "
            "/ (dimension * time)) / volume, a wall being touched at the distance of a radius, with " +
                energy_name,
            &ObservableSample::pressure),
        scalar("compressibility", "pressure * volume / (N kT), with " + energy_name,
               &ObservableSample::compressibility),
        scalar(
            "collision_rate",
            "collisions of one particle with others per time since the sample before: 2 contacts / (N time)" +
                nature_of_contacts(system),
            &ObservableSample::collision_rate),
        mean_square_displacement(system),
        contacts(system)};
    if (auto walls = wall_pressure(system); walls.info.is_vector()) columns.push_back(std::move(walls));
    return columns;
}

}  // namespace ricochet
