// SPDX-License-Identifier: BSD-3-Clause
#include "model/world_facts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "model/size_distribution.hpp"

namespace ricochet {
namespace {

bool is_thermal(const ContactRule& rule) { return std::holds_alternative<Thermal>(rule); }
bool only_bounces(const ContactRule& rule) {
    return std::holds_alternative<Bounce>(rule) || is_thermal(rule);
}

bool is_among(std::span<const SpeciesIndex> products, SpeciesIndex species) {
    return std::find(products.begin(), products.end(), species) != products.end();
}

/// Whether the rule makes such particles. Two products take the partners' places. A partner that already is of its
/// product's species goes on, and is not made. A single product is put at the centre of mass.
bool makes(const SpeciesRule& of, SpeciesIndex species) {
    if (std::holds_alternative<Coalesce>(of.rule)) return of.a == species || of.b == species;
    const React* const react = std::get_if<React>(&of.rule);
    if (react == nullptr) return false;
    const auto [first, second] = react->products;
    if (second == absent_species) return first == species;
    const SpeciesIndex other = of.a == react->first ? of.b : of.a;
    return (first == species && react->first != species) || (second == species && other != species);
}

/// The restitution of the contacts that bounce.
RestitutionLaw restitution_by(const ContactRule& rule) {
    if (const Bounce* const bounce = std::get_if<Bounce>(&rule)) return bounce->restitution;
    if (const React* const react = std::get_if<React>(&rule)) return react->restitution;
    if (const Stick* const stick = std::get_if<Stick>(&rule)) return stick->restitution;
    return {};
}

/// The law by which contacts lose more: one with an exponent before constants, of two constants the lesser.
RestitutionLaw lossier(const RestitutionLaw& a, const RestitutionLaw& b) {
    if (!a.is_constant()) return a;
    return !b.is_constant() || b.value < a.value ? b : a;
}

std::string products_in_words(const World& world, std::span<const SpeciesIndex> products) {
    std::string sum;
    for (const SpeciesIndex product : products)
        if (product != absent_species) sum += (sum.empty() ? "" : " + ") + world.species[product].name;
    return sum.empty() ? "nothing" : sum;
}

std::string partner_of_rule(const World& world, const SpeciesRule& of) {
    if (of.b != wall_species) return world.species[of.b].name;
    const bool is_with_wall = of.bodies.empty() || of.bodies.front() < first_body;
    return is_with_wall ? "wall" : name_of_body_part(world.bodies, of.bodies.front() - first_body);
}

std::string name_of_rule(const World& world, const SpeciesRule& of) {
    std::string name = world.species[of.a].name + " + " + partner_of_rule(world, of);
    if (std::holds_alternative<Pass>(of.rule)) name += " pass";
    if (std::holds_alternative<Stick>(of.rule)) name += " stick";
    if (is_thermal(of.rule)) name += " thermal";
    if (std::holds_alternative<Coalesce>(of.rule)) name += " coalesce";
    if (const React* const react = std::get_if<React>(&of.rule))
        name += " -> " + products_in_words(world, react->products);
    return name;
}

}  // namespace

bool has_changing_particles(const World& world) {
    return !world.decays.empty() || !only_bounces(world.pair_rule) || !only_bounces(world.wall_rule) ||
           !std::all_of(world.rules.begin(), world.rules.end(),
                        [](const SpeciesRule& of) { return only_bounces(of.rule); });
}

std::vector<BodyNumber> bodies_that_give_energy(const World& world) {
    std::set<BodyNumber> found;
    for (BodyNumber face = 0; face < first_body; ++face)
        if (!world.walls[face].rests()) found.insert(face);
    const auto add_body = [&](BodyNumber body) {
        found.insert(body);
        if (body < first_body || body - first_body >= world.bodies.size()) return;
        const std::size_t first = first_patch_of(world.bodies, body - first_body);
        for (std::size_t k = 0; k < world.bodies[body - first_body].patches.size(); ++k)
            found.insert(static_cast<BodyNumber>(first_body + first + k));
    };
    for (const SpeciesRule& of : world.rules) {
        if (!is_thermal(of.rule)) continue;
        for (const BodyNumber body : of.bodies) add_body(body);
        for (int face = 0; of.bodies.empty() && face < 2 * world.box.dimension; ++face)
            if (world.box.has_walls(face / 2)) found.insert(static_cast<BodyNumber>(face));
    }
    return {found.begin(), found.end()};
}

std::string name_of_surface(const World& world, BodyNumber body) {
    if (body >= first_body) return name_of_body_part(world.bodies, body - first_body);
    return std::string(1, "xyz"[body / 2]) + (body % 2 == 0 ? " low" : " high");
}

bool has_tethers(const World& world) {
    return std::holds_alternative<Stick>(world.pair_rule) ||
           std::any_of(world.rules.begin(), world.rules.end(),
                       [](const SpeciesRule& of) { return std::holds_alternative<Stick>(of.rule); });
}

bool has_births(const World& world) {
    return std::any_of(world.decays.begin(), world.decays.end(),
                       [](const DecayChannel& decay) { return decay.is_birth(); });
}

bool sticks(const World& world, SpeciesIndex species) {
    return std::holds_alternative<Stick>(world.pair_rule) ||
           std::any_of(world.rules.begin(), world.rules.end(), [species](const SpeciesRule& of) {
               return std::holds_alternative<Stick>(of.rule) && (of.a == species || of.b == species);
           });
}

bool is_product(const World& world, SpeciesIndex species) {
    return std::any_of(world.rules.begin(), world.rules.end(),
                       [species](const SpeciesRule& of) { return makes(of, species); }) ||
           std::any_of(world.decays.begin(), world.decays.end(),
                       [species](const DecayChannel& decay) { return is_among(decay.products, species); });
}

bool has_frozen_axes(const World& world) {
    return std::any_of(world.species.begin(), world.species.end(),
                       [](const Species& species) { return species.frozen_axes != 0; });
}

bool is_at_rest(const World& world) {
    return std::all_of(world.species.begin(), world.species.end(),
                       [](const Species& species) { return species.frozen_axes == all_axes; });
}

std::string axes_in_words(const Box& box, const Species& species) {
    std::string words;
    for (int axis = 0; axis < box.dimension; ++axis) {
        if ((species.frozen_axes >> axis & 1) != 0) continue;
        if (!words.empty()) words.push_back(' ');
        words.push_back("xyz"[axis]);
    }
    return words.empty() ? "none" : words;
}

std::uint32_t axes_without(std::string_view words, int dimension) {
    if (words == "none") return all_axes;
    std::uint32_t frozen = 0;
    for (int axis = 0; axis < dimension; ++axis)
        if (words.find("xyz"[axis]) == std::string_view::npos) frozen |= 1u << axis;
    return frozen;
}

std::vector<std::string> names_of_rules(const World& world) {
    std::vector<std::string> names;
    names.reserve(world.rules.size());
    for (const SpeciesRule& of : world.rules) names.push_back(name_of_rule(world, of));
    return names;
}

std::vector<std::string> names_of_decays(const World& world) {
    std::vector<std::string> names;
    names.reserve(world.decays.size());
    for (const DecayChannel& decay : world.decays)
        names.push_back(world.species[decay.from].name + " -> " + products_in_words(world, decay.products));
    return names;
}

std::vector<PairRestitution> restitution_of_pairs(const World& world) {
    std::map<std::pair<SpeciesIndex, SpeciesIndex>, RestitutionLaw> rules;
    for (const SpeciesRule& of : world.rules) {
        const RestitutionLaw restitution = restitution_by(of.rule);
        const RestitutionLaw other = of.bodies.empty() ? restitution : restitution_by(world.wall_rule);
        RestitutionLaw& found = rules.try_emplace(std::minmax(of.a, of.b), other).first->second;
        found = lossier(found, restitution);
    }
    const auto num_species = static_cast<SpeciesIndex>(world.species.size());
    for (SpeciesIndex a = 0; a < num_species; ++a) {
        for (SpeciesIndex b = a; b < num_species; ++b)
            rules.try_emplace({a, b}, restitution_by(world.pair_rule));
        rules.try_emplace({a, wall_species}, restitution_by(world.wall_rule));
    }
    std::vector<PairRestitution> all;
    all.reserve(rules.size());
    for (const auto& [pair, restitution] : rules) all.push_back({pair.first, pair.second, restitution});
    return all;
}

bool has_shapes(const World& world) {
    return std::any_of(world.species.begin(), world.species.end(),
                       [](const Species& species) { return !species.corners.empty(); });
}

std::uint64_t num_particles(const World& world) {
    std::uint64_t sum = 0;
    for (const Species& species : world.species) sum += species.count;
    return sum;
}

double largest_radius(const Species& species) {
    return species.radius_distribution ? species.radius_distribution->maximum : species.radius;
}

double room_volume(const World& world) { return world.free_volume.value_or(world.box.volume()); }

double volume_fraction(const World& world) {
    double volume = 0;
    for (const Species& species : world.species)
        volume += static_cast<double>(species.count) * mean_content(species, world.box.dimension);
    return volume / room_volume(world);
}

std::size_t first_patch_of(const std::vector<Body>& bodies, std::size_t body) {
    std::size_t part = bodies.size();
    for (std::size_t k = 0; k < body; ++k) part += bodies[k].patches.size();
    return part;
}

std::size_t num_body_parts(const std::vector<Body>& bodies) { return first_patch_of(bodies, bodies.size()); }

std::size_t body_of_part(const std::vector<Body>& bodies, std::size_t part) {
    if (part < bodies.size()) return part;
    std::size_t body = 0;
    while (part >= first_patch_of(bodies, body + 1)) ++body;
    return body;
}

std::vector<std::string> names_of_body_parts(const std::vector<Body>& bodies) {
    std::vector<std::string> names;
    names.reserve(num_body_parts(bodies));
    for (const Body& body : bodies) names.push_back(body.name);
    for (const Body& body : bodies)
        for (const BodyPatch& patch : body.patches) names.push_back(body.name + "." + patch.name);
    return names;
}

std::string name_of_body_part(const std::vector<Body>& bodies, std::size_t part) {
    if (part < bodies.size()) return bodies[part].name;
    return names_of_body_parts(bodies).at(part);
}

}  // namespace ricochet
