// SPDX-License-Identifier: BSD-3-Clause
#include "theory/product_outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <variant>

namespace ricochet {
namespace {

/// The radius of the largest sphere inside.
struct InnerRadius {
    int dimension;

    double operator()(const BodySphere& body) const { return body.radius; }
    double operator()(const BodyCapsule& body) const { return body.radius; }
    double operator()(const BodyCylinder& body) const { return body.radius; }
    double operator()(const BodyBox& body) const {
        double shortest = std::numeric_limits<double>::infinity();
        for (int axis = 0; axis < dimension; ++axis)
            shortest = std::min(shortest, body.high[axis] - body.low[axis]);
        return 0.5 * shortest;
    }
    // A half-space has room for all. Lists of spheres have no inside.
    double operator()(const BodyPlane& /*body*/) const { return std::numeric_limits<double>::infinity(); }
    double operator()(const BodySpheres& /*body*/) const { return std::numeric_limits<double>::infinity(); }
};

std::vector<bool> are_products(const World& world) {
    std::vector<bool> result(world.species.size());
    const auto add = [&](const std::array<SpeciesIndex, 2>& products) {
        for (const SpeciesIndex product : products)
            if (product != absent_species) result[product] = true;
    };
    for (const SpeciesRule& of : world.rules)
        if (const auto* const react = std::get_if<React>(&of.rule)) add(react->products);
    for (const DecayChannel& decay : world.decays) add(decay.products);
    return result;
}

/// Its surface is then met by the species' centres.
bool may_pass(const World& world, SpeciesIndex species, BodyNumber body) {
    return std::any_of(world.rules.begin(), world.rules.end(), [&](const SpeciesRule& of) {
        const bool is_of_body = std::find(of.bodies.begin(), of.bodies.end(), body) != of.bodies.end();
        return is_of_body && (of.a == species || of.b == species) && std::holds_alternative<Pass>(of.rule);
    });
}

double largest_of(const Species& species) {
    return species.radius_distribution ? species.radius_distribution->maximum : species.radius;
}

}  // namespace

std::vector<std::string> describe_products(const World& world) {
    std::vector<std::string> sentences;
    const std::vector<bool> is_product = are_products(world);
    for (std::size_t k = 0; k < world.bodies.size(); ++k) {
        const Body& body = world.bodies[k];
        if (body.side != BodySide::both) continue;
        const double room = std::visit(InnerRadius{world.box.dimension}, body.shape);
        for (SpeciesIndex s = 0; s < world.species.size(); ++s) {
            const double radius = largest_of(world.species[s]);
            if (!is_product[s] || radius < room ||
                may_pass(world, s, first_body + static_cast<BodyNumber>(k)))
                continue;
            sentences.push_back(fmt::format(
                "bodies: {} has no room for the product {}: its radius is {:.4g}, expected less than "
                "{:.4g}; one that forms inside is caught, touches the surface without end, and ends the "
                "run at run.contact_cap",
                body.name, world.species[s].name, radius, room));
        }
    }
    return sentences;
}

}  // namespace ricochet
