// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of mutual gravity: what has no sum of forces, or would not end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "config/checked_input.hpp"
#include "model/free_fall.hpp"

namespace ricochet::detail {

namespace {

class MutualGravity : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        if (!config_.self_gravity || !has("self_gravity")) return;
        if (has("box.size") && has("box.boundary")) check_walls();
        if (has("box.size") && has("run.timestep")) check_timestep();
        if (!config_.fields) check_restitution();  // those of a uniform field ask for as much
    }

  private:
    void check_walls() {
        std::string periodic;
        for (int axis = 0; axis < config_.box.dimension; ++axis)
            if (config_.box.is_periodic(axis))
                periodic += std::string(periodic.empty() ? "" : ", ") + "xyz"[axis];
        if (periodic.empty()) return;
        report(
            "self_gravity",
            fmt::format("got a box that is periodic along {}, expected box.boundary: reflecting (forces are "
                        "not added up over periodic images; a wide box with walls is nearly empty space)",
                        periodic));
    }

    /// Steps that are long for orbits have a note (theory/drive_outlook.hpp). In these no place would be right.
    void check_timestep() {
        double edge = 0;
        for (int axis = 0; axis < config_.box.dimension; ++axis)
            edge = std::max(edge, config_.box.size[axis]);
        for (const Species& species : config_.species) {
            if (!has_fall(species)) continue;
            const double longest = fall_of(species) * std::sqrt(edge / smallest_radius(species));
            if (config_.run.timestep <= longest) continue;
            return report(
                "run.timestep",
                fmt::format("got {}, expected a shorter step with self_gravity, of about {:.2g}: what "
                            "touches {} would be kicked across the box in one step",
                            text("run.timestep"), 0.02 * fall_of(species), species.name));
        }
    }

    static double smallest_radius(const Species& species) {
        return species.radius_distribution ? species.radius_distribution->minimum : species.radius;
    }
    /// Numbers in error are 0, or as if absent.
    bool has_fall(const Species& species) const {
        return smallest_radius(species) > 0 && species.mass > 0 && config_.self_gravity->law.constant > 0;
    }
    double fall_of(const Species& species) const {
        return free_fall_time(config_.self_gravity->law, smallest_radius(species), species.mass);
    }

    void check_restitution() {
        std::vector<std::string> paths{"contacts.restitution"};
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k)
            if (config_.contacts.pairs[k].b != wall_species)
                paths.push_back(fmt::format("contacts.pairs.{}.restitution", k));
        for (const std::string& path : paths) {
            if (!has(path) || has_section(path) || number(path) == 1 || is_given("contacts.collapse"))
                continue;
            report(path, fmt::format("got {}, expected 1 with self_gravity, or contacts.collapse, such as "
                                     "{{duration: {:.1g}}} (what loses energy settles on others, and touches "
                                     "them infinitely often in a finite time)",
                                     text(path), 0.01 * shortest_fall()));
        }
    }

    double shortest_fall() const {
        double shortest = std::numeric_limits<double>::infinity();
        for (const Species& species : config_.species) {
            if (has_fall(species)) shortest = std::min(shortest, fall_of(species));
        }
        return shortest < std::numeric_limits<double>::infinity() ? shortest : config_.run.timestep;
    }
};

}  // namespace

void apply_self_gravity(const TreeNode& root, Config& config, Issues& issues) {
    MutualGravity(root, config, issues).apply();
}

}  // namespace ricochet::detail
