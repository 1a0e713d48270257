// SPDX-License-Identifier: BSD-3-Clause
//
// The bodies of an input: their names and sizes, the files of their spheres, and whether the box and the particles have
// room for them. Each body has at most one issue about its shape and place, the first that is found.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "config/body_shape.hpp"
#include "config/checked_input.hpp"
#include "config/config_member.hpp"
#include "config/sphere_table.hpp"
#include "geometry/body_room.hpp"
#include "model/world_facts.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet::detail {

namespace {

/// Rounding of a sum of two lengths, over the box.
constexpr double place_rounding = 1e-12;
/// The largest radius of a body, over the box.
constexpr double most_over_box = 1e9;

bool is_flat_word(std::string_view word) {
    return word == "disc" || word == "stadium" || word == "rectangle" || word == "line";
}

/// The word for three dimensions.
std::string_view full_word(std::string_view word) {
    return word == "disc" ? "sphere" : word == "stadium" ? "capsule" : word == "rectangle" ? "box" : "plane";
}

bool is_curved_inside(const BodyOptions& of) {
    const bool is_round = of.sphere || of.disc || of.capsule || of.stadium || of.cylinder;
    return is_round && of.side != BodySide::outside;
}

class BodyList : CheckedInput {
  public:
    BodyList(const TreeNode& root, Config& config, Issues& issues, const FileReader& read)
        : CheckedInput(root, config, issues), read_(read) {
        for (const Species& species : config.species)
            largest_radius_ = std::max(largest_radius_, largest_radius(species));
    }

    void apply() {
        if (config_.bodies.empty()) return;
        check_names();
        for (std::size_t k = 0; k < config_.bodies.size(); ++k) {
            const std::string path = fmt::format("bodies.{}", k);
            const std::string_view word = word_of_shape(config_.bodies[k]);
            path_ = fmt::format("{}.{}", path, word);
            if (has_one_shape(path) && has(path) && has(path_) && has("box.size"))
                check_body(config_.bodies[k], path);
        }
        check_amount();
        check_patch_rules();
        check_membranes();
        check_common_inside();
        check_placement();
        check_restitution();
        if (issues_.size() == 0 && has_all_bodies(config_)) complete_free_volume();
    }

  private:
    bool has_one_shape(const std::string& path) const {
        const std::vector<std::string_view> shapes = keys_of_group("shape");
        return std::count_if(shapes.begin(), shapes.end(), [&](std::string_view shape) {
                   return is_given(fmt::format("{}.{}", path, shape));
               }) == 1;
    }

    void check_names() {
        std::set<std::string> seen;
        for (std::size_t k = 0; k < config_.bodies.size(); ++k) {
            const std::string path = fmt::format("bodies.{}.name", k);
            const std::string& name = config_.bodies[k].name;
            if (!has(path)) continue;
            if (name == wall_name)
                report(path, "got wall, expected another name (walls have this one)");
            else if (name.find('.') != std::string::npos)
                report(path, fmt::format("got {}, expected a name without a dot", name));
            else if (is_species(name))
                report(path, fmt::format("got {}, which is a species, expected another name", name));
            else if (!seen.insert(name).second)
                report(path, fmt::format("got {} twice, expected names that differ", name));
        }
    }

    bool is_species(const std::string& name) const {
        return std::any_of(config_.species.begin(), config_.species.end(),
                           [&](const Species& species) { return species.name == name; });
    }

    /// One issue at a key of the shape; at the shape itself for "". Returns false.
    bool refuse(std::string_view key, const std::string& message) {
        report(key.empty() ? path_ : fmt::format("{}.{}", path_, key), message);
        return false;
    }

    void check_body(BodyOptions& options, const std::string& path) {
        if (!has_all_keys() || !has_right_dimension() || !check_directions(options) || !check_sizes(options))
            return;
        if (options.spheres && !complete_spheres(*options.spheres)) return;
        check_patches(options, path);
        const Body body = body_of(options);
        num_parts_ += num_parts(body);
        if (has(path + ".side") && check_side(body, path + ".side") && check_periodic(body))
            check_place(body);
    }

    /// Of a body whose shape is right.
    void check_patches(BodyOptions& options, const std::string& path) {
        std::set<std::string> seen;
        num_patches_ += options.patches.size();
        for (std::size_t k = 0; k < options.patches.size(); ++k) {
            const std::string at = fmt::format("{}.patches.{}", path, k);
            const PatchOptions& patch = options.patches[k];
            const std::string place = at + (patch.direction ? ".direction" : ".centre");
            if (has(at + ".name") && patch.name.find('.') != std::string::npos)
                report(at + ".name", fmt::format("got {}, expected a name without a dot", patch.name));
            else if (has(at + ".name") && !seen.insert(patch.name).second)
                report(at + ".name", fmt::format("got {} twice, expected names that differ", patch.name));
            const std::size_t num_numbers = items(place).size();
            const auto dimension = static_cast<std::size_t>(config_.box.dimension);
            if (!has(place) || !has(at + ".radius")) continue;
            if (num_numbers != dimension)
                report(place, fmt::format("got {} numbers, expected {} in a box of {} dimensions",
                                          num_numbers, dimension, dimension));
            else
                check_patch(options, k, place);
        }
    }

    void check_patch(const BodyOptions& options, std::size_t k, const std::string& place) {
        const PatchOptions& patch = options.patches[k];
        if (patch.direction && num_axes_along(*patch.direction) == 0)
            return report(place, "got only zeros, expected a direction");
        const Body body = body_of(options);
        if (patch.direction && !surface_point(body.shape, *patch.direction))
            return report(
                place,
                fmt::format("got a direction, expected centre (there is no one middle of {})", word()));
        const bool are_many = std::holds_alternative<BodySpheres>(body.shape);  // not looked at one by one
        const double distance = are_many ? 0 : std::abs(clearance(body, body.patches[k].centre));
        if (distance > patch.radius)
            report(place, fmt::format("got a place {:.4g} from the surface, expected at most the radius {}",
                                      distance, patch.radius));
    }

    std::string_view word() const { return std::string_view(path_).substr(path_.rfind('.') + 1); }

    bool has_all_keys() const {
        if (word() == "spheres") return find(path_)->kind != TreeNode::Kind::map || has(path_ + ".file");
        for (const Option* row : rows_below(fmt::format("bodies[].{}", word())))
            if (!has(fmt::format("{}.{}", path_, key_of(row->path)))) return false;
        return true;
    }

    bool has_right_dimension() {
        const int dimension = config_.box.dimension;
        if (dimension == 3 && is_flat_word(word()))
            return refuse(
                "", fmt::format("got {} in a box of 3 dimensions, expected {}", word(), full_word(word())));
        if (dimension == 2 && word() == "cylinder")
            return refuse("",
                          "got cylinder in a box of 2 dimensions, expected disc, stadium, rectangle or line");
        for (const Option* row : rows_below(fmt::format("bodies[].{}", word()))) {
            const std::string_view key = key_of(row->path);
            const std::size_t got = items(fmt::format("{}.{}", path_, key)).size();
            if (row->kind != OptionKind::numbers || got == static_cast<std::size_t>(dimension)) continue;
            return refuse(key, fmt::format("got {} numbers, expected {} in a box of {} dimensions", got,
                                           dimension, dimension));
        }
        return true;
    }

    bool check_directions(const BodyOptions& options) {
        const bool is_good = (!options.cylinder || num_axes_along(options.cylinder->axis) > 0) &&
                             (!options.plane || num_axes_along(options.plane->normal) > 0) &&
                             (!options.line || num_axes_along(options.line->normal) > 0);
        return is_good ||
               refuse(options.cylinder ? "axis" : "normal", "got only zeros, expected a direction");
    }

    bool check_sizes(const BodyOptions& options) {
        for (const auto& capsule : {options.capsule, options.stadium})
            if (capsule && capsule->from == capsule->to)
                return refuse("to", fmt::format("got the same point as from, expected another one, or a {}",
                                                config_.box.dimension == 2 ? "disc" : "sphere"));
        for (const auto& box : {options.box, options.rectangle})
            for (int axis = 0; box && axis < config_.box.dimension; ++axis)
                if (box->low[axis] >= box->high[axis])
                    return refuse("high", fmt::format("got {} along {}, expected a number > low = {}",
                                                      box->high[axis], "xyz"[axis], box -> low[axis]));
        return true;
    }

    bool complete_spheres(SphereListOptions& list) {
        if (list.file) return !read_ || read_file(list);
        const std::size_t num_numbers = static_cast<std::size_t>(config_.box.dimension) + 1;
        const auto all = items(path_);
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::string problem;
            if (all[k].children.size() != num_numbers)
                problem = fmt::format("got {} numbers, expected {}, the last of which is the radius",
                                      all[k].children.size(), num_numbers);
            else if (!(list.spheres[k].radius > 0))
                problem = fmt::format("got the radius {}, expected a number > 0", list.spheres[k].radius);
            if (problem.empty()) continue;
            issues_.add(all[k].place, fmt::format("{}.{}: {}", path_, k, problem));
            return false;
        }
        return true;
    }

    bool read_file(SphereListOptions& list) {
        try {
            const std::string file = body_file_path(config_, list);
            list.spheres = parse_sphere_table(read_(file), file, config_.box.dimension);
        } catch (const InputError& error) {
            return refuse("", error.what());
        }
        const std::string hash = hash_of_spheres(list.spheres);
        const bool is_expected = !list.hash || *list.hash == hash;
        if (!is_expected)
            refuse("hash", fmt::format("got {}, but the spheres of {} have {}: the file has changed",
                                       *list.hash, *list.file, hash));
        list.hash = hash;
        return is_expected;
    }

    bool check_side(const Body& body, const std::string& path) {
        const bool is_plane = std::holds_alternative<BodyPlane>(body.shape);
        const bool are_spheres = std::holds_alternative<BodySpheres>(body.shape);
        std::string expected;
        if (are_spheres && body.side != BodySide::outside)
            expected = "outside for spheres";
        else if (is_plane && body.side == BodySide::inside)
            expected = fmt::format("outside or both for a {}", word());
        if (!expected.empty()) report(path, fmt::format("got {}, expected {}", to_word(body.side), expected));
        return expected.empty();
    }

    /// The first periodic axis that the direction has a part along.
    std::optional<int> periodic_axis_along(Vec3 direction) const {
        for (int axis = 0; axis < config_.box.dimension; ++axis)
            if (direction[axis] != 0 && config_.box.is_periodic(axis)) return axis;
        return std::nullopt;
    }

    bool check_periodic(const Body& body) {
        const auto* const cylinder = std::get_if<BodyCylinder>(&body.shape);
        const auto* const plane = std::get_if<BodyPlane>(&body.shape);
        if (cylinder == nullptr && plane == nullptr) return true;
        const Vec3 direction = cylinder ? cylinder->axis : plane->normal;
        const auto axis = periodic_axis_along(direction);
        const bool is_oblique = num_axes_along(direction) > 1;
        if (!axis || (!is_oblique && (cylinder || body.side == BodySide::both))) return true;
        if (is_oblique)
            return refuse(
                cylinder ? "axis" : "normal",
                fmt::format("got a direction oblique to {}, which is periodic, expected one along an axis "
                            "of the box (images of the {} would cross it)",
                            "xyz"[*axis], word()));
        return refuse("normal",
                      fmt::format("got a normal along {}, which is periodic, expected side: both, or walls "
                                  "along {} (images of the {} have no outside in common)",
                                  "xyz"[*axis], "xyz"[*axis], word()));
    }

    /// A surface that is flatter than the box is precise would let particles in.
    bool is_round_enough(const BodyShape& shape) {
        const double most =
            most_over_box * std::max({config_.box.size.x, config_.box.size.y, config_.box.size.z});
        const double radius = radius_of_round(shape);
        return std::isinf(radius) || radius <= most ||
               refuse("", fmt::format(
                              "got the radius {}, expected at most {:g}, {:g} times the longest edge of "
                              "the box; use a {}",
                              radius, most, most_over_box, config_.box.dimension == 2 ? "line" : "plane"));
    }

    bool check_place(const Body& body) {
        if (!is_round_enough(body.shape)) return false;
        if (const auto* const many = std::get_if<BodySpheres>(&body.shape)) return check_spheres(*many);
        if (misses(body.shape, config_.box) ||
            (body.side == BodySide::both && covers(body.shape, config_.box)))
            return refuse(
                "", fmt::format("got a {} that does not reach into the box, expected one that does", word()));
        if (body.side == BodySide::outside && covers(body.shape, config_.box))
            return refuse("",
                          fmt::format("got a {} that fills the box, expected one that leaves room", word()));
        if (body.side != BodySide::inside && !is_shorter_than_box(body.shape)) return false;
        return body.side != BodySide::inside || check_inside(body.shape);
    }

    /// Along periodic axes; otherwise its images would overlap.
    bool is_shorter_than_box(const BodyShape& shape) {
        const Extent extent = extent_of(shape);
        for (int axis = 0; axis < config_.box.dimension; ++axis) {
            const double width = extent.high[axis] - extent.low[axis], edge = config_.box.size[axis];
            if (config_.box.is_periodic(axis) && std::isfinite(width) && width >= edge)
                return refuse(
                    "",
                    fmt::format("got a width of {} along {}, expected less than the periodic edge {} (its "
                                "images would overlap)",
                                width, "xyz"[axis], edge));
        }
        return true;
    }

    bool check_spheres(const BodySpheres& body) {
        for (std::size_t k = 0; k < body.spheres.size(); ++k) {
            const BodyShape sphere = body.spheres[k];
            const bool is_beside = misses(sphere, config_.box);
            if (is_beside || covers(sphere, config_.box))
                return refuse("", fmt::format("got a sphere {} of {} that {}, expected spheres that {}",
                                              k + 1, body.spheres.size(),
                                              is_beside ? "does not reach into the box" : "fills the box",
                                              is_beside ? "do" : "leave room"));
            if (!is_round_enough(sphere) || !is_shorter_than_box(sphere)) return false;
        }
        return true;
    }

    /// Particles inside must not leave the box, and the largest must have room.
    bool check_inside(const BodyShape& shape) {
        const Box& box = config_.box;
        const Extent extent = extent_of(shape);
        const auto* const cylinder = std::get_if<BodyCylinder>(&shape);
        if (cylinder && num_axes_along(cylinder->axis) > 1)
            return refuse("axis",
                          "got an oblique axis with side inside, expected one along an axis of the box (an "
                          "endless cylinder would lead out of it; a capsule has ends)");
        for (int axis = 0; axis < box.dimension; ++axis) {
            const double low = extent.low[axis], high = extent.high[axis],
                         slack = place_rounding * box.size[axis];
            if (cylinder && num_axes_along(cylinder->axis) == 1 && cylinder->axis[axis] != 0) continue;
            if (low < -slack || high > box.size[axis] + slack)
                return refuse(
                    "", fmt::format("got {} to {} along {}, expected an inside within the box, from 0 to {}",
                                    low, high, "xyz"[axis], box.size[axis]));
            if (high - low <= 2 * largest_radius_)
                return refuse("",
                              fmt::format("got a width of {} inside along {}, expected more than {}, {}",
                                          high - low, "xyz"[axis], 2 * largest_radius_, largest_in_words()));
            auto& common_high = common_high_[static_cast<std::size_t>(axis)];
            common_low_[axis] = std::max(common_low_[axis], low);
            common_high = std::min(common_high.value_or(high), high);
        }
        const double width = 2 * radius_of_round(shape);
        if (width <= 2 * largest_radius_)
            return refuse("", fmt::format("got an inside that is {} wide, expected more than {}, {}", width,
                                          2 * largest_radius_, largest_in_words()));
        return true;
    }

    const char* largest_in_words() const {
        const bool has_shapes = std::ranges::any_of(
            config_.species, [](const Species& species) { return !species.corners.empty(); });
        return has_shapes ? "the largest diameter of a particle (of a shape, that of the sphere around it)"
                          : "the largest diameter of a particle";
    }

    void check_amount() {
        constexpr std::size_t most_numbers = 65'000;  // in a contact
        if (config_.bodies.size() + num_patches_ > most_numbers)
            report("bodies", fmt::format("got {} bodies and patches, expected at most {}",
                                         config_.bodies.size() + num_patches_, most_numbers));
        if (static_cast<double>(num_parts_) > most_spheres)
            report("bodies", fmt::format("got {} spheres, faces and edges in all, expected at most {:.0f}",
                                         num_parts_, most_spheres));
    }

    /// Its centre passes the body, and its surface would touch the patch.
    void check_patch_rules() {
        const std::vector<PairRule>& rules = config_.contacts.pairs;
        for (std::size_t k = 0; k < rules.size(); ++k) {
            const auto passes = [&](const PairRule& of) {
                return of.pass && !of.patch && of.body == rules[k].body && of.a == rules[k].a;
            };
            if (!rules[k].patch || std::none_of(rules.begin(), rules.end(), passes)) continue;
            report(fmt::format("contacts.pairs.{}.between", k),
                   fmt::format("got a patch of {}, which {} passes, expected a species that does not",
                               config_.bodies[*rules[k].body].name, config_.species[rules[k].a].name));
        }
    }

    /// What has just met a membrane does not meet it again. Two with one surface would be met in turn for ever.
    void check_membranes() {
        const std::vector<PairRule>& rules = config_.contacts.pairs;
        for (std::size_t k = 0; k < rules.size(); ++k)
            for (std::size_t m = 0; m < k; ++m) {
                if (!rules[k].pass || !rules[m].pass || rules[k].a != rules[m].a) continue;
                if (!rules[k].body || !rules[m].body || rules[k].body == rules[m].body) continue;
                const BodyOptions &one = config_.bodies[*rules[m].body],
                                  &other = config_.bodies[*rules[k].body];
                if (body_of(one).shape != body_of(other).shape) continue;
                report(fmt::format("contacts.pairs.{}.pass", k),
                       fmt::format("got {}, which has the same surface as {}, expected one membrane there",
                                   other.name, one.name));
            }
    }

    /// Particles are inside all bodies that have them inside.
    void check_common_inside() {
        for (int axis = 0; axis < config_.box.dimension; ++axis) {
            const auto& high = common_high_[static_cast<std::size_t>(axis)];
            if (!high || *high - common_low_[axis] > 2 * largest_radius_) continue;
            return report("bodies",
                          fmt::format("got several with side: inside that have no room in common along {}, "
                                      "expected one, or some within each other",
                                      "xyz"[axis]));
        }
    }

    void check_placement() {
        if (!has("placement.method") || config_.placement.method != PlacementMethod::grow) return;
        report("placement.method",
               "got grow with bodies, expected random, dense, lattice or file (bodies have no grown start "
               "yet)");
    }

    void complete_free_volume() {
        World world{.box = config_.box};
        for (const BodyOptions& body : config_.bodies) world.bodies.push_back(body_of(body));
        const double volume = free_volume(world);
        config_.free_volume.value = volume;
        if (!(volume > 0))
            report("bodies", "got bodies that fill the box together, expected some room for particles");
    }

    void check_restitution() {
        if (is_given("contacts.collapse")) return;
        std::map<std::uint32_t, std::size_t> num_rules;
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k) {
            const PairRule& rule = config_.contacts.pairs[k];
            if (!rule.body) continue;
            if (!rule.patch) ++num_rules[*rule.body];
            const std::string path = fmt::format("contacts.pairs.{}", k), key = path + ".restitution";
            if (!rule.pass && is_curved_inside(config_.bodies[*rule.body]) &&
                rule.restitution.value_or(1) < 1)
                refuse_restitution(has(key) ? key : path, *rule.restitution, *rule.body);
        }
        const std::string of_walls = "contacts.walls.restitution";
        const std::string path = is_given(of_walls) ? of_walls : "contacts.restitution";
        if (!has(path) || config_.contacts.wall_restitution >= 1) return;
        for (std::uint32_t body = 0; body < config_.bodies.size(); ++body)
            if (is_curved_inside(config_.bodies[body]) && num_rules[body] < config_.species.size())
                return refuse_restitution(path, config_.contacts.wall_restitution, body);
    }

    void refuse_restitution(const std::string& path, double got, std::uint32_t body) {
        const double short_duration = 0.01 * config_.run.timestep;
        report(path,
               fmt::format(
                   "got {}, expected 1 at {}, or contacts.collapse, such as {{duration: {:.1g}}} (within "
                   "a curve a nearly tangential particle would touch infinitely often)",
                   got, config_.bodies[body].name, short_duration));
    }

    const FileReader& read_;
    double largest_radius_ = 0;
    std::string path_;  ///< of the shape that is checked
    std::size_t num_parts_ = 0, num_patches_ = 0;
    Vec3 common_low_;                                     ///< of all insides
    std::array<std::optional<double>, 3> common_high_{};  ///< none without an inside
};

}  // namespace

void apply_bodies(const TreeNode& root, Config& config, Issues& issues, const FileReader& read) {
    BodyList(root, config, issues, read).apply();
}

}  // namespace ricochet::detail
