// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of mutual gravity: what has no sum of forces, or would not end.
#include <fmt/format.h>

#include <algorithm>
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
            const double radius =
                species.radius_distribution ? species.radius_distribution->minimum : species.radius;
            if (radius > 0 && species.mass > 0 && config_.self_gravity->law.constant > 0)
                shortest =
                    std::min(shortest, free_fall_time(config_.self_gravity->law, radius, species.mass));
        }
        return shortest < std::numeric_limits<double>::infinity() ? shortest : config_.run.timestep;
    }
};

}  // namespace

void apply_self_gravity(const TreeNode& root, Config& config, Issues& issues) {
    MutualGravity(root, config, issues).apply();
}

}  // namespace ricochet::detail
