// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of fields and forces: what would be wrong, or would not end, under gravity or in a drift.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "config/checked_input.hpp"
#include "model/falling_frame.hpp"
#include "model/world_facts.hpp"

namespace ricochet::detail {

namespace {

class Fields : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        if (!has("box.size")) return;
        apply_forces();
        if (!config_.fields || !has("fields")) return;
        path_ = config_.fields->gravity ? "fields.gravity" : "fields.drift";
        field_ = config_.fields->gravity ? config_.fields->gravity : config_.fields->drift;
        if (!is_given("fields.gravity") && !is_given("fields.drift"))
            return report("fields", "got no field, expected gravity (ballistic) or drift (brownian)");
        if (!has(path_) || !field_ || !has_all_axes(path_)) return;
        if (*field_ == Vec3{})
            return report(path_, "got 0 along all axes, expected another vector (or no such key)");
        check_timestep();
        check_moves();
        check_membranes();
        if (config_.fields->gravity)
            check_restitution();
        else
            check_reactions();
    }

  private:
    /// The forces of the species.
    void apply_forces() {
        bool are_right = true;
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.force", k);
            if (!is_given(path)) continue;
            path_ = path;
            are_right = has(path) && has_all_axes(path) && are_right;
            if (config_.fields)
                report(path,
                       "got a force beside fields, expected one of the two (in place of fields.drift "
                       "each species may have its force)");
            if (are_right) check_force_moves(k);
        }
        const bool are_given = !path_.empty();
        if (!are_given || !are_right || config_.fields || !has("dynamics.kT")) return;
        check_timestep();
        check_straight_parts();
        check_membranes();
        check_reactions();
    }

    /// What a species drifts beside the mean of all.
    void check_straight_parts() {
        if (!has("run.timestep")) return;
        const Vec3 common = common_drift(config_);
        const std::vector<Vec3> drifts = drifts_of_species(config_);
        for (std::size_t k = 0; k < drifts.size(); ++k) {
            const double path = norm(drifts[k] - common) * config_.run.timestep;
            if (path <= largest_part * shortest_edge()) continue;
            return report(
                "run.timestep",
                fmt::format("got {}, expected a shorter step or a weaker force: {} would drift by {:.3g} in "
                            "a step, which may be an eighth of the shortest edge, {:.3g}",
                            text("run.timestep"), config_.species[k].name, path,
                            largest_part * shortest_edge()));
        }
    }

    double shortest_edge() const {
        double edge = config_.box.size.x;
        for (int axis = 1; axis < config_.box.dimension; ++axis)
            edge = std::min(edge, config_.box.size[axis]);
        return edge;
    }

    void check_force_moves(std::size_t k) {
        const Species& species = config_.species[k];
        if (!species.force) return;
        for (int axis = 0; axis < config_.box.dimension; ++axis)
            if ((*species.force)[axis] != 0 && (species.frozen_axes >> axis & 1) != 0)
                return report(path_, fmt::format("got a force along {0}, expected 0 there ({1} does not move "
                                                 "along {0})",
                                                 "xyz"[axis], species.name));
    }

    bool has_all_axes(const std::string& path) {
        const auto count = items(path).size(), dimension = static_cast<std::size_t>(config_.box.dimension);
        if (count != dimension)
            report(path, fmt::format("got {} numbers, expected {} in a box of {} dimensions", count,
                                     dimension, dimension));
        return count == dimension;
    }

    /// In the frame of a step walls move by this much.
    void check_timestep() {
        if (!has("run.timestep")) return;
        const double edge = shortest_edge();
        const FallingFrame frame{field_acceleration(config_), config_.run.timestep};
        if (frame.most_apart() <= largest_part * edge) return;
        report("run.timestep",
               fmt::format("got {}, expected a shorter step with {}: particles would leave their chords by "
                           "{:.3g}, which may be an eighth of the shortest edge, {:.3g}",
                           text("run.timestep"), path_, frame.most_apart(), largest_part * edge));
    }

    void check_moves() {
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.moves", k);
            if (!has(path)) continue;
            for (int axis = 0; axis < config_.box.dimension; ++axis) {
                const bool is_frozen = (config_.species[k].frozen_axes >> axis & 1) != 0;
                if (!is_frozen || (*field_)[axis] == 0) continue;
                report(path, fmt::format("got {} with {} along {}, expected a species that moves along {} "
                                         "(what does not fall meets others on curved paths)",
                                         axes_in_words(config_.box, config_.species[k]), path_, "xyz"[axis],
                                         "xyz"[axis]));
                break;
            }
        }
    }

    void check_membranes() {
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k)
            if (config_.contacts.pairs[k].body && config_.contacts.pairs[k].pass)
                report(fmt::format("contacts.pairs.{}.pass", k),
                       fmt::format("got pass at a body with {}, expected one of the two (what falls may come "
                                   "back to the surface at once)",
                                   path_));
    }

    void check_restitution() {
        std::vector<std::string> paths{"contacts.restitution", "contacts.walls.restitution"};
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k)
            paths.push_back(fmt::format("contacts.pairs.{}.restitution", k));
        for (const std::string& path : paths) {
            if (!has(path) || has_section(path) || number(path) == 1) continue;  // slow contacts are elastic
            if (number(path) == 0)
                report(path,
                       "got 0, expected more with fields.gravity (what does not rebound from the floor would "
                       "touch it without end)");
            else if (!is_given("contacts.collapse"))
                report(path,
                       fmt::format("got {}, expected 1 with fields.gravity, or contacts.collapse, such as "
                                   "{{duration: {:.1g}}} (what loses energy under gravity touches "
                                   "infinitely often in a finite time)",
                                   text(path), short_duration()));
        }
    }

    /// A hundredth of the time in which the smallest particle falls by its diameter.
    double short_duration() const {
        double radius = std::numeric_limits<double>::infinity();
        for (const Species& species : config_.species)
            if (species.radius > 0) radius = std::min(radius, species.radius);
        const bool is_known = radius < std::numeric_limits<double>::infinity();
        const double fall = is_known ? std::sqrt(4 * radius / norm(*field_)) : config_.run.timestep;
        return 0.01 * fall;
    }

    void check_reactions() {
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k) {
            const PairRule& rule = config_.contacts.pairs[k];
            const bool is_refused_anyway = rule.b == wall_species && !rule.react;
            if ((!rule.react && !rule.coalesce && !rule.stick) || is_refused_anyway) continue;
            report(fmt::format("contacts.pairs.{}", k),
                   fmt::format("got {} with {}, expected restitution or pass (rates beside a drift are not "
                               "known)",
                               rule.react      ? "a reaction"
                               : rule.coalesce ? "coalesce"
                                               : "stick",
                               path_));
        }
    }

    /// Part of the shortest edge by which a step may leave its chord, or drift beside the mean.
    static constexpr double largest_part = 0.125;

    std::string path_;  ///< of the field, or of a force
    std::optional<Vec3> field_;
};

}  // namespace

void apply_fields(const TreeNode& root, Config& config, Issues& issues) {
    Fields(root, config, issues).apply();
}

}  // namespace ricochet::detail
