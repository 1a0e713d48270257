// SPDX-License-Identifier: BSD-3-Clause
//
// Species that are convex bodies: their corners about the centre of mass, and what does not go together with them.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "config/body_shape.hpp"
#include "config/checked_input.hpp"
#include "geometry/polytope.hpp"
#include "geometry/solid_pair.hpp"

namespace ricochet::detail {

namespace {

/// The sphere around a body is a little larger than its corners need, so that rounding leaves nothing outside.
constexpr double radius_up = 1 + 1e-12;

/// All corners of a box about its middle.
std::vector<Vec3> corners_of_box(double edge, int dimension) {
    const double half = edge / 2;
    std::vector<Vec3> corners;
    corners.reserve(8);
    for (int k = 0; k < (dimension == 2 ? 4 : 8); ++k)
        corners.push_back({(k & 1) != 0 ? half : -half, (k & 2) != 0 ? half : -half,
                           dimension == 2 ? 0
                           : (k & 4) != 0 ? half
                                          : -half});
    return corners;
}

/// The centre of mass is at a quarter of the height.
std::vector<Vec3> corners_of_pyramid(const BaseAndHeight& of) {
    const double half = of.base / 2, low = -of.height / 4;
    return {{-half, -half, low},
            {half, -half, low},
            {-half, half, low},
            {half, half, low},
            {0, 0, of.height + low}};
}

/// The centre of mass is at a third of the height.
std::vector<Vec3> corners_of_triangle(const BaseAndHeight& of) {
    const double half = of.base / 2, low = -of.height / 3;
    return {{-half, low, 0}, {half, low, 0}, {0, of.height + low, 0}};
}

class Shapes : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void complete() {
        if (!has("box.size")) return;
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.shape", k);
            const std::string_view word = word_of(path);
            if (!word.empty()) complete(config_.species[k], fmt::format("{}.{}", path, word), word);
        }
    }

    void check() {
        if (std::ranges::none_of(config_.species, [](const Species& of) { return of.shape.has_value(); }))
            return;
        for (std::size_t k = 0; k < config_.species.size(); ++k)
            if (config_.species[k].shape) check_species(k);
        if (has("placement.method") && config_.placement.method == PlacementMethod::grow)
            report("placement.method",
                   "got grow, expected random, dense, lattice or file, since a species has a shape");
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k)
            check_pair(config_.contacts.pairs[k], fmt::format("contacts.pairs.{}", k));
        for (std::size_t k = 0; k < config_.decays.size(); ++k) check_decay(k);
        for (std::size_t k = 0; k < config_.bodies.size(); ++k) check_body(k);
        for (std::size_t k = 0; k < config_.walls.size(); ++k)
            if (config_.walls[k].vibrating && has(fmt::format("walls.{}.vibrating", k)))
                report(fmt::format("walls.{}.vibrating", k),
                       "got a wall that vibrates beside a species that has a shape, expected velocity, or "
                       "radius");
    }

  private:
    /// The one key of a shape without error; empty where there is none, or several.
    std::string_view word_of(const std::string& path) const {
        std::string_view found;
        for (const Option* row : rows_below("species[].shape")) {
            if (!has(fmt::format("{}.{}", path, key_of(row->path)))) continue;
            if (!found.empty()) return {};
            found = key_of(row->path);
        }
        return found;
    }

    void complete(Species& species, const std::string& path, std::string_view word) {
        const int dimension = config_.box.dimension;
        const bool is_flat = word == "square" || word == "triangle",
                   is_solid = word == "cube" || word == "pyramid";
        if (dimension == 3 ? is_flat : is_solid)
            return report(
                path, fmt::format("got {} in a box of {} dimensions, expected {}", word, dimension,
                                  dimension == 3 ? "cube, pyramid or points" : "square, triangle or points"));
        if (!have_right_numbers(path)) return;
        const ConvexShape& shape = *species.shape;
        std::vector<Vec3> corners;
        if (shape.cube || shape.square)
            corners = corners_of_box(shape.cube ? *shape.cube : *shape.square, dimension);
        if (shape.pyramid) corners = corners_of_pyramid(*shape.pyramid);
        if (shape.triangle) corners = corners_of_triangle(*shape.triangle);
        const auto hull = convex_hull(shape.points.empty() ? corners : shape.points, dimension);
        if (!hull)
            return report(
                path,
                dimension == 3
                    ? "got a flat body, or a needle, expected four points at least that are not in one plane"
                    : "got a flat body, expected three points at least that are not on one line");
        species.corners = shape.points.empty() ? corners : centred(*hull).corners;
        species.radius = radius_up * bounding_radius(species.corners);
        species.content = hull->volume;
    }

    bool have_right_numbers(const std::string& path) {
        for (const TreeNode& point : items(path)) {
            if (point.kind != TreeNode::Kind::list) return true;  // base and height
            if (point.children.size() == static_cast<std::size_t>(config_.box.dimension)) continue;
            issues_.add(point.place,
                        fmt::format("{}: got {} numbers, expected {} in a box of {} dimensions", path,
                                    point.children.size(), config_.box.dimension, config_.box.dimension));
            return false;
        }
        return true;
    }

    void check_species(std::size_t k) {
        const std::string path = fmt::format("species.{}.", k);
        if (config_.species[k].stokes_einstein && has(path + "diffusion"))
            report(path + "diffusion",
                   "got stokes_einstein, which is for spheres, expected a number, since the species has a "
                   "shape");
    }

    /// The sum of a capsule and a shape must be thick enough to be found.
    void check_body(std::size_t k) {
        const std::string path = fmt::format("bodies.{}", k);
        const std::string_view word = word_of_shape(config_.bodies[k]);
        if (word.empty() || !has(fmt::format("{}.{}", path, word)) || !has(path)) return;
        const Body body = body_of(config_.bodies[k]);
        if (body.side == BodySide::inside) return;
        const auto* const capsule = std::get_if<BodyCapsule>(&body.shape);
        if (capsule == nullptr) return;
        for (const Species& species : config_.species) {
            if (species.corners.empty() ||
                SolidPair::has_sum(species.corners, *capsule, config_.box.dimension))
                continue;
            return report(
                fmt::format("{}.{}", path, word),
                fmt::format("got a length of {}, expected less (the shape of species {} is thinner than "
                            "about 3e-5 of that along two axes, or 1e-9 along one, so that no sum "
                            "of both can be found)",
                            norm(capsule->to - capsule->from), species.name));
        }
    }

    bool has_shape(SpeciesIndex s) const { return s < config_.species.size() && config_.species[s].shape; }

    void check_pair(const PairRule& rule, const std::string& path) {
        if (!has(path + ".between")) return;
        // Brownian reactions without a rate happen at a distance too, in the middle of a step.
        const bool is_brownian = config_.dynamics.type == DynamicsType::brownian;
        const bool has_rate =
            (rule.react && (rule.react->rate || is_brownian)) || (rule.pass && rule.pass->rate);
        const bool passes_body = rule.pass && rule.body;
        if (!rule.coalesce && !rule.stick && !has_rate && !passes_body) return;
        const char* const what = rule.coalesce                     ? "coalesce"
                                 : passes_body && !has_rate        ? "a pass through a body"
                                 : rule.stick                      ? "stick"
                                 : rule.react && !rule.react->rate ? "a reaction of brownian particles"
                                                                   : "a rate";
        bool are_spheres = !has_shape(rule.a) && !has_shape(rule.b);
        if (rule.react)
            for (const SpeciesIndex product : rule.react->products)
                are_spheres = are_spheres && !has_shape(product);
        if (!are_spheres)
            report(path, fmt::format(
                             "got {}, which is for spheres, with a species that has a shape, expected other "
                             "rules, or radius",
                             what));
    }

    void check_decay(std::size_t k) {
        const std::string path = fmt::format("decays.{}", k);
        if (!has(path + ".from") || !has(path + ".to")) return;
        const DecayRule& decay = config_.decays[k];
        bool are_spheres = !has_shape(decay.from);
        for (const SpeciesIndex product : decay.products) are_spheres = are_spheres && !has_shape(product);
        if (!are_spheres)
            report(path,
                   "got a species that has a shape, expected spheres (what has a shape does not decay)");
    }
};

}  // namespace

void complete_shapes(const TreeNode& root, Config& config, Issues& issues) {
    Shapes(root, config, issues).complete();
}

void check_beside_shapes(const TreeNode& root, Config& config, Issues& issues) {
    Shapes(root, config, issues).check();
}

}  // namespace ricochet::detail
