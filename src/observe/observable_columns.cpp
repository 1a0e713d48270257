// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observable_columns.hpp"

#include <limits>
#include <string>
#include <utility>

#include "model/world_facts.hpp"

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

ObservableColumn mean_square_displacement(const World& world) {
    ObservableInfo info{"mean_square_displacement",
                        {},
                        "mean over the particles of a species of |x - x0|^2, x unwrapped, x0 at step 0"};
    if (has_changing_particles(world))
        info.meaning += "; NaN for species that contacts or decays make or change";
    for (const Species& species : world.species) info.labels.push_back(species.name);
    std::vector<bool> changes;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s) changes.push_back(is_product(world, s));
    return {std::move(info), [changes](const ObservableSample& sample, Numbers& out) {
                for (std::size_t s = 0; s < sample.mean_square_displacement.size(); ++s)
                    out.push_back(changes[s] ? std::numeric_limits<double>::quiet_NaN()
                                             : sample.mean_square_displacement[s]);
            }};
}

std::string nature_of_contacts(const World& world) {
    std::string with = has_tethers(world) ? ", with those where a tether held" : "";
    if (!world.bath_energy) return with;
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

ObservableColumn contacts(const World& world) {
    ObservableInfo info{
        "contacts", {}, "contacts since step 0, by pair of species" + nature_of_contacts(world)};
    const std::vector<SpeciesPair> pairs = species_pairs(world.species.size());
    for (const auto& [a, b] : pairs)
        info.labels.push_back(world.species[a].name + "-" +
                              (b == wall_species ? "wall" : world.species[b].name));
    return {std::move(info), [pairs](const ObservableSample& sample, Numbers& out) {
                for (const auto& [a, b] : pairs) out.push_back(static_cast<double>(sample.contacts.at(a, b)));
            }};
}

ObservableColumn contacts_with_bodies(const World& world) {
    ObservableInfo info{
        "body_contacts", {}, "contacts since step 0, by species and body" + nature_of_contacts(world)};
    for (const Species& species : world.species)
        for (const std::string& part : names_of_body_parts(world.bodies))
            info.labels.push_back(species.name + "-" + part);
    const auto num_species = static_cast<SpeciesIndex>(world.species.size());
    const auto end = static_cast<BodyNumber>(first_body + num_body_parts(world.bodies));
    return {std::move(info), [num_species, end](const ObservableSample& sample, Numbers& out) {
                for (SpeciesIndex a = 0; a < num_species; ++a)
                    for (BodyNumber body = first_body; body < end; ++body)
                        out.push_back(static_cast<double>(sample.contacts.at_body(a, body)));
            }};
}

ObservableColumn body_force(const World& world) {
    ObservableInfo info{
        "body_force",
        {},
        "momentum given to a body, each along the normal of its contact, per time since the sample before"};
    info.labels = names_of_body_parts(world.bodies);
    return {std::move(info), [](const ObservableSample& sample, Numbers& out) {
                out.insert(out.end(), sample.body_force.begin(), sample.body_force.end());
            }};
}

ObservableColumn wall_pressure(const World& world) {
    ObservableInfo info{
        "wall_pressure", {}, "momentum given to a wall per area and time since the sample before"};
    std::vector<std::size_t> faces;
    for (int face = 0; face < 2 * world.box.dimension; ++face) {
        if (!world.box.has_walls(face / 2)) continue;
        info.labels.push_back(name_of_surface(world, static_cast<BodyNumber>(face)));
        faces.push_back(static_cast<std::size_t>(face));
    }
    return {std::move(info), [faces](const ObservableSample& sample, Numbers& out) {
                for (const std::size_t face : faces) out.push_back(sample.wall_pressure[face]);
            }};
}

std::string temperature_text(const World& world) {
    const bool is_thermal = world.bath_energy.has_value() || !bodies_that_give_energy(world).empty();
    if (has_frozen_axes(world))
        return std::string("2 energy / (sum over the particles of the axes that each moves along") +
               (is_thermal ? "), an energy"
                           : ", less one for each periodic axis along which all species move), an energy, "
                             "without the motion of the centre of mass along these");
    if (is_thermal) return "2 energy / (dimension * particles), an energy";
    return "2 energy / (dimension * particles - periodic axes), an energy, without the motion of the centre "
           "of "
           "mass along periodic axes; of a single particle 2 energy / dimension";
}

}  // namespace

std::vector<ObservableColumn> observable_columns(const World& world) {
    const std::string energy_name =
        std::string(world.bath_energy ? "dynamics.kT" : "kT = temperature, mean of both samples") +
        (has_frozen_axes(world)
             ? ", N the sum over the particles of the axes that each moves along, over the dimension"
             : "");
    std::vector<ObservableColumn> columns{
        scalar("energy", "kinetic energy, sum of mass * velocity^2 / 2", &ObservableSample::energy),
        momentum(),
        scalar("temperature", temperature_text(world), &ObservableSample::temperature),
        scalar(
            "pressure",
            "collisional virial of the contacts since the sample before: (N kT + sum of impulse * distance "
            "/ (dimension * time)) / volume, walls and bodies being touched at the distance of a radius, or, "
            "of "
            "shapes, of the centre from the surface, with " +
                energy_name,
            &ObservableSample::pressure),
        scalar("compressibility", "pressure * volume / (N kT), with " + energy_name,
               &ObservableSample::compressibility),
        scalar(
            "collision_rate",
            "collisions of one particle with others per time since the sample before: 2 contacts / (N time)" +
                nature_of_contacts(world),
            &ObservableSample::collision_rate),
        mean_square_displacement(world),
        contacts(world)};
    if (auto walls = wall_pressure(world); walls.info.is_vector()) columns.push_back(std::move(walls));
    if (world.bodies.empty()) return columns;
    columns.push_back(contacts_with_bodies(world));
    columns.push_back(body_force(world));
    return columns;
}

}  // namespace ricochet
